"""What importing costs, and how long files get."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for folder in ("src", "tests", "tools", "benchmarks") for path in (ROOT / folder).rglob("*.py"))


def modules_after(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_import_loads_no_engine_and_no_front_end() -> None:
    loaded = modules_after("import pincite")
    assert not loaded & {"pikepdf", "apsw", "msgspec", "typer", "click", "rich", "platformdirs", "numpy"}
    assert not loaded & {"pincite.pdf", "pincite.sandbox", "pincite.library", "pincite.cli"}


@pytest.mark.parametrize("module", ["pincite.cli", "pincite.library", "pincite.sandbox.runner"])
def test_no_front_end_loads_the_engine(module: str) -> None:
    loaded = modules_after(f"import {module}")
    assert not loaded & {"pikepdf", "pincite.pdf", "numpy"}


def test_no_file_is_two_files() -> None:
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 700} == {}


def test_most_files_are_short() -> None:
    lengths = sorted(len(path.read_text().splitlines()) for path in SOURCES if "src" in path.parts and path.stat().st_size)
    assert statistics.median(lengths) < 200
    assert lengths[len(lengths) * 9 // 10] < 450
