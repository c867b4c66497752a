"""What the tests of commands share: a way to run them, and a library to run them on."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pincite.library import Library
from support.cli import Cli
from support.library import ScriptReader, write_script


@pytest.fixture(autouse=True)
def no_library_of_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_LIBRARY", str(tmp_path / "library.sqlite"))


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "in"
    path.mkdir()
    return path


@pytest.fixture
def papers(tmp_path: Path, folder: Path) -> Path:
    """A library that needed no PDF engine: two documents, and what makes their output difficult."""
    pages = [
        "The structure of\nproteins.",
        {"text": "A second page with esc\x9b[31m controls.", "label": "ii"},
        {"error": "broken"},
    ]
    write_script(folder / "paper.pdf", pages, outline=[("Intro\x1b[2J", 2, 1)], title="A paper")
    write_script(folder / "scan.pdf", [{"text": "", "quality": {"images": 1}}])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as library:
        library.ingest([folder])
    return folder


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output passes for a terminal."""
    monkeypatch.setattr("pincite.cli.output.is_terminal", lambda stream: stream is sys.stdout)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ingest` reads what `write_script` writes."""
    monkeypatch.setattr("pincite.sandbox.runner.Runner.from_limits", lambda limits: ScriptReader())
