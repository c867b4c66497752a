"""What holds for the whole run: which kernel it is on, the corpus, golden files, twins."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import cast

import pytest
from hypothesis import settings

from support import corpus as corpus_folder
from support.golden import Golden
from support.kernel import Kind, PureFinder, Twin, is_compiled, stale_modules

# Two busy cores make a time limit on one example a matter of luck.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pure", action="store_true", help="run on the uncompiled kernel (also PINCITE_KERNEL_PURE=1)")
    parser.addoption("--update-golden", action="store_true", help="write the golden files; then read their diff as code")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "corpus: needs the corpus of real files; skipped where it is absent")
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is not for CI: golden files are written by someone who reads them")
    if config.getoption("--pure") or os.environ.get("PINCITE_KERNEL_PURE") == "1":
        sys.meta_path.insert(0, PureFinder)
        return
    if stale := stale_modules():
        raise pytest.UsageError(f"newer than their compiled modules: {', '.join(stale)}; run `make kernel`, or pytest --pure")
    if os.environ.get("PINCITE_KERNEL") == "require" and not is_compiled():
        raise pytest.UsageError("PINCITE_KERNEL=require, but the kernel is not compiled; run `make kernel`")


def pytest_report_header(config: pytest.Config) -> str:
    return f"kernel: {'compiled' if is_compiled() and PureFinder not in sys.meta_path else 'pure'}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("corpus") and not corpus_folder.CORPUS.is_dir():
        pytest.skip(corpus_folder.ABSENT)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of the corpus; skips the test where it is absent."""
    if not corpus_folder.CORPUS.is_dir():
        pytest.skip(corpus_folder.ABSENT)
    return corpus_folder.CORPUS


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Golden:
    """`golden.check("name.txt", text)` compares with a golden file."""
    return Golden(update=pytestconfig.getoption("--update-golden"))


@pytest.fixture(scope="session", params=["pure", "compiled"])
def twin(request: pytest.FixtureRequest) -> Twin:
    """The package over the pure and over the compiled kernel in turn: `twin.module("pincite._kernel.content")`."""
    kind = cast("Kind", request.param)
    if kind == "compiled" and not is_compiled():
        pytest.skip("the kernel is not compiled here")
    return Twin(kind)


@pytest.fixture(scope="session")
def twins() -> dict[Kind, Twin]:
    """Both at once, to compare their answers; skips where the kernel is not compiled."""
    if not is_compiled():
        pytest.skip("the kernel is not compiled here")
    return {"pure": Twin("pure"), "compiled": Twin("compiled")}
