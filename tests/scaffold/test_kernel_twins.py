"""The support for running the package over either kernel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support import kernel
from support.kernel import PureFinder, Twin


def test_a_source_newer_than_its_compiled_module_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "KERNEL", tmp_path)
    source, compiled = tmp_path / "content.py", tmp_path / f"content{kernel.importlib.machinery.EXTENSION_SUFFIXES[0]}"
    source.touch()
    assert kernel.stale_modules() == []
    compiled.touch()
    os.utime(source, ns=(0, compiled.stat().st_mtime_ns - 1))
    assert kernel.stale_modules() == []
    os.utime(source, ns=(0, compiled.stat().st_mtime_ns + 2_000_000_000))
    assert kernel.stale_modules() == ["content.py"]
    os.utime(source, ns=(0, 0))
    declarations = tmp_path / "other.pxd"
    declarations.touch()
    os.utime(declarations, ns=(0, compiled.stat().st_mtime_ns + 2_000_000_000))
    assert kernel.stale_modules() == ["content.py"]


def test_the_finder_takes_the_source(tmp_path: Path) -> None:
    (tmp_path / "content.py").touch()
    (tmp_path / f"content{kernel.importlib.machinery.EXTENSION_SUFFIXES[0]}").touch()
    spec = PureFinder.find_spec("pincite._kernel.content", [str(tmp_path)])
    assert spec is not None
    assert spec.origin == str(tmp_path / "content.py")
    assert PureFinder.find_spec("pincite.errors", [str(tmp_path)]) is None


def test_a_twin_has_modules_of_its_own(twin: Twin) -> None:
    import pincite.errors as own

    before = {name: item for name, item in sys.modules.items() if name.startswith("pincite")}
    kernel_module = twin.module("pincite._kernel.content")
    assert (kernel_module.__file__ or "").endswith(".py") == (twin.kind == "pure")
    assert twin.module("pincite._kernel.content") is kernel_module
    assert twin.module("pincite.errors") is not own
    assert {name: item for name, item in sys.modules.items() if name.startswith("pincite")} == before
