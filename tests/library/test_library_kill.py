"""kill -9 in the middle of an ingest: what was acknowledged is there, whole, and the next run completes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pincite.library import Library
from pincite.search.index.store import Store
from support.library import ScriptReader, write_script

DOCUMENTS = 200
PAGES = 5
PROGRAM = """
import sys
from pincite.ingest.report import Finished
from pincite.library import Library
from support.library import ScriptReader
with Library(sys.argv[1], reader=ScriptReader()) as library:
    def tell(event):
        if isinstance(event, Finished):
            print(event.outcome.name, flush=True)
    library.ingest([sys.argv[2]], jobs=2, progress=tell)
"""


@pytest.mark.parametrize("acknowledged_before_kill", [1, 37])
def test_killed_in_mid_ingest(tmp_path: Path, acknowledged_before_kill: int) -> None:
    for number in range(DOCUMENTS):
        pages = [f"document {number} page {page} " + "filler words to have some text " * 30 for page in range(1, PAGES + 1)]
        write_script(tmp_path / "in" / f"{number:03}.pdf", list(pages))
    path = tmp_path / "library.sqlite"
    arguments = [sys.executable, "-c", PROGRAM, str(path), str(tmp_path / "in")]
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        acknowledged = {process.stdout.readline().strip() for _ in range(acknowledged_before_kill)}
        process.send_signal(signal.SIGKILL)
        acknowledged |= {line.strip() for line in process.stdout if line.endswith("\n")}
    assert len(acknowledged) >= acknowledged_before_kill

    with Library(path, reader=ScriptReader()) as library:
        database = library._open()._database
        assert database.execute("PRAGMA integrity_check") == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check") == []
        documents = library.documents()
        assert acknowledged <= {document.name for document in documents}
        for document in documents:
            summaries = library.page_summaries(document)
            assert [(page.page, page.state, page.chunks) for page in summaries] == [
                (page, "text", 1) for page in range(1, PAGES + 1)
            ]
            number = int(document.name.removesuffix(".pdf"))
            assert len(library.search(f'"document {number} page"', limit=100)) == PAGES
        report = library.ingest([tmp_path / "in"])
        assert report.counts["added"] == DOCUMENTS - len(documents)
        assert report.counts["unchanged"] == len(documents)
        assert len(library.search("filler", limit=10_000)) == DOCUMENTS * PAGES


KILLS = int(os.environ.get("PINCITE_KILLS", "6"))
"""How often the next test kills; 50 takes a minute."""


def test_killed_at_random_moments_again_and_again(tmp_path: Path) -> None:
    """Each run goes on with what the killed ones before left, and has new documents, long and short."""
    dice = random.Random(KILLS)
    path = tmp_path / "library.sqlite"
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    Store.open(path).close()
    acknowledged: set[str] = set()
    expected: dict[str, int] = {}
    for turn in range(KILLS):
        for number in range(30):
            name, pages = f"{turn:02}-{number:02}.pdf", dice.choice([1, 2, 40])
            write_script(tmp_path / "in" / name, [f"{name} {page} " + "filler words " * 50 for page in range(pages)])
            expected[name] = pages
        arguments = [sys.executable, "-c", PROGRAM, str(path), str(tmp_path / "in")]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            # From the first acknowledgement on, or before it.
            if dice.random() < 0.8:
                acknowledged.add(process.stdout.readline().strip())
            time.sleep(dice.random() * 0.3)
            process.kill()
            acknowledged |= {line.strip() for line in process.stdout if line.endswith("\n")}
        acknowledged.discard("")
        with Library(path, reader=ScriptReader()) as library:
            assert library.verify(files=False).flaws == []
            documents = {document.name: document for document in library.documents()}
            assert acknowledged <= set(documents)
            for name, document in documents.items():
                assert len(library.page_summaries(document)) == document.pages == expected[name]
    with Library(path, reader=ScriptReader()) as library:
        assert library.ingest([tmp_path / "in"]).quarantined == []
        assert {document.name: document.pages for document in library.documents()} == expected
        assert library.stats()["chunks"] == sum(expected.values())
        assert library.verify(files=False).flaws == []
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith("pincite-")] == []
