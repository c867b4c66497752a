"""Ctrl-C in mid-ingest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pincite.library import Library
from support.library import ScriptReader, write_script

ONCE = """
    if count == 10:
        os.kill(os.getpid(), signal.SIGINT)
"""
TWICE = """
    if count == 10:
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)
        time.sleep(60)
"""
PROGRAM = """
import os, signal, sys, time
from pincite.cli import main
from pincite.sandbox.runner import Runner
from support.library import ScriptReader
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell ignores for what runs in its background
def before_page(count):
    {interrupt}
    time.sleep(0.002)
Runner.from_limits = lambda limits: ScriptReader(before_page)
sys.exit(main(sys.argv[1:]))
"""
FILES, PAGES = 50, 3


def interrupted_ingest(folder: Path, library: Path, interrupt: str) -> subprocess.CompletedProcess[str]:
    for number in range(FILES):
        write_script(folder / f"{number:02}.pdf", [f"words of {number}"] * PAGES)
    program = PROGRAM.format(interrupt=interrupt.strip())
    arguments = [sys.executable, "-c", program, "--library", str(library), "ingest", "--jobs", "1", str(folder)]
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.run(arguments, check=False, capture_output=True, text=True, env=environment, timeout=30)


def whole_documents(library: Path) -> int:
    with Library(library, reader=ScriptReader()) as opened:
        documents = opened.documents()
        assert all([page.state for page in opened.page_summaries(document)] == ["text"] * PAGES for document in documents)
        assert opened.failures() == []
        assert opened._open()._database.execute("PRAGMA integrity_check") == [("ok",)]
    return len(documents)


def test_ctrl_c_finishes_the_document_at_work(tmp_path: Path) -> None:
    library = tmp_path / "library.sqlite"
    done = interrupted_ingest(tmp_path / "in", library, ONCE)
    assert done.returncode == 130
    assert done.stderr.splitlines() == [
        "pincite: interrupted: finishing the documents at work; Ctrl-C once more drops them",
        "pincite: interrupted; what was taken in is safe, and the same command goes on from here",
    ]
    assert 3 <= whole_documents(library) < FILES
    with Library(library, reader=ScriptReader()) as opened:
        assert opened.ingest([tmp_path / "in"]).counts["failed"] == 0
    assert whole_documents(library) == FILES


def test_ctrl_c_twice_drops_it(tmp_path: Path) -> None:
    library = tmp_path / "library.sqlite"
    done = interrupted_ingest(tmp_path / "in", library, TWICE)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert 2 <= whole_documents(library) <= 3
