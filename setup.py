"""Compile the kernel modules where a C compiler works; everything else is in pyproject.toml.

PINCITE_KERNEL=auto (default) falls back to the same modules uncompiled, `require` fails instead, `off` never compiles.
"""

from __future__ import annotations

import os
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNEL_MODULES = [
    f"pincite._kernel.{name}"
    for name in (
        "arrays",
        "characters",
        "composing",
        "content",
        "corridors",
        "decoding",
        "filters",
        "grids",
        "lines",
        "marks",
        "paths",
        "pieces",
        "reading",
        "right_to_left",
        "syntax",
        "text_state",
        "units",
    )
]
MODE = os.environ.get("PINCITE_KERNEL", "auto")
if MODE not in ("auto", "require", "off"):
    raise SystemExit(f"PINCITE_KERNEL={MODE}: say auto, require or off")


class BuildKernel(build_ext):
    """Build the extensions, or say why they are left out."""

    def run(self) -> None:
        try:
            super().run()
        except Exception as error:
            if MODE == "require":
                raise
            print(f"kernel not compiled ({error}); the same modules run uncompiled", file=sys.stderr)
            self.extensions = []


def extensions() -> list[Extension]:
    if MODE == "off":
        return []
    try:
        from Cython.Build import cythonize
    except ImportError:
        if MODE == "require":
            raise
        return []
    modules = [
        # -ffp-contract=off: fused multiply-add rounds otherwise, and goldens must agree on every machine.
        Extension(name, ["src/" + name.replace(".", "/") + ".py"], extra_compile_args=["-O3", "-g0", "-ffp-contract=off"])
        for name in KERNEL_MODULES
    ]
    directives = {"language_level": "3", "boundscheck": True, "wraparound": False, "cdivision": True, "initializedcheck": False}
    built: list[Extension] = cythonize(modules, build_dir="build/c", compiler_directives=directives)
    return built


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernel})
