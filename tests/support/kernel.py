"""The kernel's two lives: each module of `pincite._kernel` runs compiled or, from the same source, as plain Python."""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Literal

KERNEL = Path(__file__).parents[2] / "src" / "pincite" / "_kernel"

Kind = Literal["pure", "compiled"]


class PureFinder:
    """An import hook that takes `.py` before the compiled module, in `pincite._kernel` only.

    Child processes do not have it: `make test-pure` runs the tests in a tree that has no compiled module at all.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith("pincite._kernel.") or path is None:
            return None
        loader = (importlib.machinery.SourceFileLoader, importlib.machinery.SOURCE_SUFFIXES)
        return importlib.machinery.FileFinder(next(iter(path)), loader).find_spec(name)


def compiled_file(source: Path) -> Path | None:
    """The compiled module beside a kernel source, for this interpreter."""
    candidates = (source.with_name(source.stem + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    return next(filter(Path.exists, candidates), None)


def stale_modules() -> list[str]:
    """Kernel sources that are newer than their compiled modules, so that a test would not see the change.

    A declaration file counts for every module, since any of them may use it.
    """
    shared = max((path.stat().st_mtime_ns for path in KERNEL.glob("*.pxd")), default=0)
    stale = []
    for source in sorted(KERNEL.glob("*.py")):
        compiled = compiled_file(source)
        if compiled is not None and compiled.stat().st_mtime_ns < max(source.stat().st_mtime_ns, shared):
            stale.append(source.name)
    return stale


def is_compiled() -> bool:
    """Whether this tree has compiled kernel modules."""
    return any(compiled_file(source) for source in KERNEL.glob("*.py"))


class Twin:
    """The whole package over one kind of kernel, beside the one that the test session uses.

    `module("pincite._kernel.content")` and `module("pincite.pdf.document")` are that twin's own modules: their classes are not
    those that a test imports by name. (A compiled module exists once in a process, so there both may share it.)
    """

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self._modules: dict[str, ModuleType] = {}

    def module(self, name: str) -> ModuleType:
        """Import a module of pincite within this twin."""
        with self.active():
            return importlib.import_module(name)

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Let `import pincite` mean this twin; needed around calls that import lazily."""
        outer, finders = _take_modules(), list(sys.meta_path)
        sys.modules.update(self._modules)
        sys.meta_path[:] = [finder for finder in finders if finder is not PureFinder]
        if self.kind == "pure":
            sys.meta_path.insert(0, PureFinder)
        try:
            yield
        finally:
            self._modules = _take_modules()
            sys.modules.update(outer)
            sys.meta_path[:] = finders


def _take_modules() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == "pincite" or name.startswith("pincite.")]
    return {name: sys.modules.pop(name) for name in names}
