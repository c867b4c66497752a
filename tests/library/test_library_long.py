"""Long documents: pages go through, they do not pile up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pincite.ingest import spool
from pincite.ingest.spool import PageSpool
from pincite.library import Library
from pincite.search.index.rows import NewPage, PageRow
from support.library import ScriptReader, write_script

PROGRAM = """
import pathlib, resource, sys
from pincite.library import Library
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, PageText
class Reader:
    def stream(self, source, **options):
        pages = int(source)
        yield DocumentMeta(pages)
        for number in range(1, pages + 1):
            yield PageText(number, f"page {number} " + "many words of text " * 250)
with Library(sys.argv[1], reader=Reader(), limits=Limits(max_pages=100_000)) as library:
    report = library.ingest([sys.argv[2]])
    assert report.counts["added"] == 1
    assert library.show(f"{library.documents()[0].name}:p{report.outcomes[0].pages}").text.startswith("page ")
status = pathlib.Path("/proc/self/status")
if status.exists():  # the other figure begins with what the process was forked from
    print(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_kib(folder: Path, pages: int) -> int:
    """The peak memory of a process that takes in a document of so many pages of 5,000 characters."""
    path = folder / f"{pages}.pdf"
    path.write_text(str(pages))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / f"{pages}.sqlite"), str(path)], check=True, capture_output=True, text=True
    )
    return int(done.stdout)


def test_memory_is_flat_in_the_number_of_pages(tmp_path: Path) -> None:
    short, long = peak_kib(tmp_path, 400), peak_kib(tmp_path, 1600)
    # Six million characters of text more, several times over where they piled up. SQLite's cache fills up to 64 MiB.
    assert long < short + 70_000
    assert long < 250_000


def test_a_spool_gives_back_what_it_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MEMORY_CHARACTERS", 100)
    pages = [NewPage(PageRow(number, "x" * number, "text")) for number in range(1, 30)]
    taken = PageSpool(tmp_path)
    for page in pages:
        taken.add(page)
    assert list(taken) == list(taken) == pages
    assert list(tmp_path.iterdir()) == []
    taken.close()


def test_a_spooled_document_is_written_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"page {number} with words" for number in range(1, 300)]
    write_script(tmp_path / "a.pdf", list(texts))
    monkeypatch.setattr(spool, "MEMORY_CHARACTERS", 1000)
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as library:
        library.ingest([tmp_path / "a.pdf"])
        assert [library.show(f"a.pdf:p{number}").text for number in range(1, 300)] == texts
        assert library.verify().flaws == []


@pytest.mark.parametrize("ends_with", ["protocol", "timeout"])
def test_a_long_document_that_fails_leaves_no_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends_with: str
) -> None:
    monkeypatch.setattr(spool, "MEMORY_CHARACTERS", 100)
    write_script(tmp_path / "a.pdf", ["words of a page"] * 50, total=60, ends_with=ends_with)
    with Library(tmp_path / "library" / "library.sqlite", reader=ScriptReader()) as library:
        (outcome,) = library.ingest([tmp_path / "a.pdf"]).outcomes
        assert outcome.status == ("partial" if ends_with == "timeout" else "failed")
        assert len(library.search("words", 100)) == (50 if ends_with == "timeout" else 0)
    assert [path.name for path in (tmp_path / "library").iterdir()] == ["library.sqlite"]
