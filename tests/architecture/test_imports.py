"""The import contracts of .importlinter hold, and each of them can fail."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "pincite"
CONFIG = ROOT / ".importlinter"
LINT = "from importlinter.cli import lint_imports_command as lint; lint()"

# contract: the module that gets a line, and the import it must not make. A package stands for its __init__.py.
FORBIDDEN = [
    ("layers", "search", "import pincite.pdf.document"),
    ("layers", "pdf", "import pincite.search.query"),
    ("layers", "model", "import pincite.library"),
    ("layers", "_kernel.content", "import pincite.pdf.objects"),
    ("layers", "errors", "import pincite.model"),
    ("layers", "sandbox.runner", "import pincite.ingest"),
    ("layers", "ingest", "import pincite.library"),
    ("layers", "library", "import pincite.cli"),
    ("pdf", "pdf.objects", "import pincite.pdf.font"),
    ("pdf", "pdf.font", "import pincite.pdf.content"),
    ("pdf", "pdf.content", "import pincite.pdf.layout"),
    ("pdf", "pdf.layout", "import pincite.pdf.document"),
    ("search", "search.analysis", "import pincite.search.chunk"),
    ("search", "search.index", "import pincite.search.query"),
    ("search", "search.query", "import pincite.search.cite"),
    ("hostile-bytes", "sandbox.runner", "import pincite.pdf.document"),
    ("hostile-bytes", "sandbox", "import pincite.pdf"),
    ("hostile-bytes", "cli", "def late(): from pincite.pdf.objects.syntax import parse_value"),
    ("hostile-bytes", "ingest", "import pincite.pdf.objects"),
    ("hostile-bytes", "library", "from pincite.pdf import document"),
    ("child", "sandbox.runner", "from pincite.sandbox.child import main"),
    ("child", "sandbox.launch", "import pincite.sandbox.child.server"),
    ("child", "library", "import pincite.sandbox.child"),
    ("root", "cli", "from pincite import Library"),
    ("root", "sandbox", "import pincite"),
    ("pikepdf", "pdf.document", "import pikepdf"),
    ("pikepdf", "sandbox.child.work", "def late(): from pikepdf import Pdf"),
    ("pypdfium2", "sandbox.child.work", "import pypdfium2"),
    ("apsw", "library", "import apsw"),
    ("typer", "ingest", "import typer"),
    ("rich", "library", "from rich.console import Console"),
    ("msgspec", "sandbox.runner", "import msgspec"),
    ("platformdirs", "ingest", "import platformdirs"),
    ("rapidfuzz", "search.index", "from rapidfuzz import fuzz"),
    ("regex", "search.query", "import regex"),
    ("cython", "pdf.layout", "import cython"),
]


def contracts() -> set[str]:
    parser = configparser.ConfigParser()
    parser.read(CONFIG)
    return {section.removeprefix("importlinter:contract:") for section in parser.sections() if ":contract:" in section}


def lint(source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # In a process of its own: this one has already imported the real pincite.
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--no-logo", *arguments, str(CONFIG)],
        cwd=source,
        env={**os.environ, "PYTHONPATH": str(source), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def copy_tree(to: Path) -> Path:
    shutil.copytree(SOURCE, to / "pincite", ignore=lambda folder, names: [n for n in names if "." in n and not n.endswith(".py")])
    return to / "pincite"


def module_file(tree: Path, module: str) -> Path:
    path = tree.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_contracts_hold() -> None:
    result = lint(ROOT / "src")
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(contracts())} kept, 0 broken" in result.stdout


def test_every_contract_has_a_case_that_fails() -> None:
    cycles = {"cycles"}
    assert contracts() == {contract for contract, _, _ in FORBIDDEN} | cycles


@pytest.mark.parametrize(("contract", "module", "line"), FORBIDDEN, ids=[f"{c}-{m}-{i}" for i, (c, m, _) in enumerate(FORBIDDEN)])
def test_contract_can_fail(tmp_path: Path, contract: str, module: str, line: str) -> None:
    path = module_file(copy_tree(tmp_path), module)
    path.write_text(path.read_text() + f"\n{line}\n")
    result = lint(tmp_path, "--contract", contract)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "0 kept, 1 broken" in result.stdout
    assert f"pincite.{module}" in result.stdout


def test_a_circle_of_siblings_fails(tmp_path: Path) -> None:
    package = copy_tree(tmp_path) / "search" / "query"
    (package / "one.py").write_text("import pincite.search.query.two\n")
    (package / "two.py").write_text("import pincite.search.query.one\n")
    result = lint(tmp_path, "--contract", "cycles")
    assert result.returncode == 1
    assert "0 kept, 1 broken" in result.stdout


def test_a_new_folder_must_take_its_place(tmp_path: Path) -> None:
    (copy_tree(tmp_path) / "novelty.py").touch()
    result = lint(tmp_path, "--contract", "layers")
    assert result.returncode == 1
    assert "novelty" in result.stdout
