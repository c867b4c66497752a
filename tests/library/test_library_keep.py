"""Keeping: what goes, what is missing, what is damaged and mended, copies."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import CitationError, LibraryError
from pincite.library import Library
from pincite.search.index.database import Database
from pincite.search.index.schema import SCHEMA_VERSION
from pincite.search.index.store import Store
from support.library import ScriptReader, dump, write_script


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "in"


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Iterator[Library]:
    for name in "abc":
        write_script(folder / f"{name}.pdf", [f"words of {name}", "more words"])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        opened.ingest([folder])
        yield opened


def names(library: Library) -> list[str]:
    return [document.name for document in library.documents()]


def verdict(library: Library, citation: str) -> str:
    return library.resolve(citation).verdict


def assert_sound(library: Library) -> None:
    assert library.verify(files=False).flaws == []


def test_a_removed_document_is_gone_and_can_come_back(library: Library, folder: Path) -> None:
    assert library.remove("b.pdf") == ["b.pdf"]
    assert names(library) == ["a.pdf", "c.pdf"]
    assert verdict(library, "b.pdf:p1") == "absent"
    assert {hit.citation.name for hit in library.search("words")} == {"a.pdf", "c.pdf"}
    with pytest.raises(CitationError):
        library.remove("b.pdf")
    assert library.ingest([folder]).counts["added"] == 1
    assert len(library.search("words", 10)) == 6
    assert_sound(library)


def test_the_name_of_a_removed_document_leads_to_no_other_words(library: Library, folder: Path) -> None:
    cited = str(library.search("words of a")[0].citation)
    words = library.show(cited).text
    library.remove("a.pdf")
    kept = (folder / "a.pdf").read_bytes()
    write_script(folder / "a.pdf", ["other words that stand in a now"])
    write_script(folder / "sub" / "a.pdf", ["and still others in sub"])
    library.ingest([folder])
    assert names(library) == ["b.pdf", "c.pdf", f"{folder.name}/a.pdf", "sub/a.pdf"]
    quote = library.resolve(cited)
    assert (quote.verdict, quote.text) == ("absent", None)
    assert "was removed" in (quote.reason or "")
    (folder / "again.pdf").write_bytes(kept)
    library.ingest([folder])
    assert library.show(cited).text == words
    assert library.verify().is_sound


def test_older_versions_go_with_the_newest(library: Library, folder: Path) -> None:
    for text in ("second", "third"):
        write_script(folder / "a.pdf", [f"{text} words"])
        library.ingest([folder])
    newest = next(document.name for document in library.documents() if document.superseded_by is None and "a" in document.name)
    assert sorted(library.remove(newest)) == sorted({"a.pdf", "in/a.pdf", newest})
    assert names(library) == ["b.pdf", "c.pdf"]
    assert_sound(library)


def test_a_version_between_leaves_the_others_linked(library: Library, folder: Path) -> None:
    for text in ("second", "third"):
        write_script(folder / "a.pdf", [f"{text} words"])
        library.ingest([folder])
    newest = library.resolve("a.pdf:p1").candidates
    assert library.remove("in/a.pdf") == ["in/a.pdf"]
    assert library.resolve("a.pdf:p1").candidates == newest
    assert_sound(library)


def test_a_file_that_is_gone_is_missing_until_it_is_pruned(library: Library, folder: Path) -> None:
    shutil.copy(folder / "b.pdf", folder / "copy.pdf")
    library.ingest([folder])
    for name in ("a.pdf", "b.pdf"):
        (folder / name).unlink()
    report = library.ingest([folder])
    assert sorted(map(os.path.basename, report.missing)) == ["a.pdf", "b.pdf"]
    assert library.missing() == {"a.pdf"}
    assert library.show("a.pdf:p1").text == "words of a"
    assert len(library.search("words", 10)) == 6
    dry = library.prune(dry_run=True)
    assert (dry.documents, names(library)) == (("a.pdf",), ["a.pdf", "b.pdf", "c.pdf"])
    pruned = library.prune()
    assert (pruned.documents, sorted(map(os.path.basename, pruned.paths))) == (("a.pdf",), ["a.pdf", "b.pdf"])
    assert names(library) == ["b.pdf", "c.pdf"]
    assert library.prune().paths == ()
    assert_sound(library)


def test_a_file_that_comes_back_is_not_missing(library: Library, folder: Path, tmp_path: Path) -> None:
    (folder / "a.pdf").rename(tmp_path / "elsewhere")
    library.ingest([folder])
    assert library.missing() == {"a.pdf"}
    (tmp_path / "elsewhere").rename(folder / "a.pdf")
    library.ingest([folder])
    assert library.missing() == set()


def test_files_outside_of_what_is_ingested_are_not_looked_for(library: Library, folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder)
    write_script(tmp_path / "other" / "d.pdf", ["words of d"])
    assert library.ingest([tmp_path / "other"]).missing == []
    assert library.missing() == set()


def test_pruning_can_take_older_versions(library: Library, folder: Path) -> None:
    write_script(folder / "a.pdf", ["other words"])
    library.ingest([folder])
    assert verdict(library, "a.pdf:p1") == "stale"
    assert library.prune().documents == ()
    assert library.prune(superseded=True, dry_run=True).documents == ("a.pdf",)
    assert library.prune(superseded=True).documents == ("a.pdf",)
    assert names(library) == ["b.pdf", "c.pdf", "in/a.pdf"]
    assert_sound(library)


def test_verify_finds_files_that_changed_or_went(library: Library, folder: Path) -> None:
    (folder / "a.pdf").unlink()
    (folder / "b.pdf").write_bytes(b"other")
    found = library.verify()
    assert found.is_sound
    assert [(os.path.basename(file.path), file.state) for file in found.files] == [("a.pdf", "missing"), ("b.pdf", "changed")]
    assert found.files_checked == 3
    assert library.missing() == {"a.pdf"}


DAMAGE = {
    "terms of a chunk are gone": "DELETE FROM chunk_terms WHERE rowid = 2",
    "a chunk is gone": "DELETE FROM chunks WHERE number = 2",
    "a chunk is too long": 'UPDATE chunks SET "end" = "end" + 1 WHERE number = 1',
    "a chunk is of another section": "UPDATE chunks SET section = 'x' WHERE number = 1",
    "terms of no chunk": "INSERT INTO chunk_terms (rowid, terms) VALUES (999, 'words')",
    "the index is torn": "DELETE FROM chunk_terms_data WHERE id > 10",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_derived_is_found_damaged_and_mended(library: Library, damage: str) -> None:
    library._open()._database.execute(DAMAGE[damage])
    found = library.verify(files=False)
    assert not found.is_sound
    assert all(flaw.can_be_made_again for flaw in found.flaws)
    mended = library.verify(files=False, repair=True)
    assert (mended.repaired, mended.is_sound) == (True, True)
    assert len(library.search("words", 10)) == 6
    assert_sound(library)


def test_what_cannot_be_made_again_is_said(library: Library) -> None:
    database = library._open()._database
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("DELETE FROM documents WHERE name = CAST('a.pdf' AS BLOB)")
    found = library.verify(files=False, repair=True)
    assert (found.repaired, found.is_sound) == (False, False)
    assert not all(flaw.can_be_made_again for flaw in found.flaws)


def test_reindexing_changes_no_page_and_no_hit(library: Library) -> None:
    before, hits = dump(library.path), [str(hit.citation) for hit in library.search("words", 10)]
    library.reindex()
    after = dump(library.path)
    assert {table: rows for table, rows in after.items() if table != "chunks"} == {
        table: rows for table, rows in before.items() if table != "chunks"
    }
    assert [row[1:] for row in after["chunks"]] == [row[1:] for row in before["chunks"]]
    assert [str(hit.citation) for hit in library.search("words", 10)] == hits


def test_reindexing_numbers_chunks_without_gaps(library: Library) -> None:
    library.remove(library.documents()[0].name)
    for _ in range(2):
        library.reindex()
        numbers = [row[0] for row in dump(library.path)["chunks"]]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert library.verify().is_sound


def test_a_backup_is_a_library(library: Library, tmp_path: Path) -> None:
    library.backup(tmp_path / "copy.sqlite")
    with Library(tmp_path / "copy.sqlite", reader=ScriptReader()) as copy:
        assert names(copy) == names(library)
        assert len(copy.search("words", 10)) == 6
        assert_sound(copy)
    with pytest.raises(FileExistsError):
        library.backup(tmp_path / "copy.sqlite")
    library.remove("a.pdf")
    library.backup(tmp_path / "copy.sqlite", replace=True)
    with Library(tmp_path / "copy.sqlite") as copy:
        assert names(copy) == ["b.pdf", "c.pdf"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".pincite")] == []


def test_a_backup_is_of_one_moment_while_others_write(library: Library, folder: Path, tmp_path: Path) -> None:
    for number in range(40):
        write_script(folder / f"{number}.pdf", ["page of words"] * 5)
    done = threading.Event()

    def work() -> None:
        with Library(library.path, reader=ScriptReader()) as other:
            other.ingest([folder])
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    copies = 0
    while not done.is_set() or copies == 0:
        library.backup(tmp_path / f"{copies}.sqlite")
        copies += 1
    thread.join()
    for number in range(copies):
        with Library(tmp_path / f"{number}.sqlite") as copy:
            assert_sound(copy)
            assert all(len(copy.page_summaries(document)) == document.pages for document in copy.documents())


def test_figures(library: Library) -> None:
    figures = library.stats()
    assert (figures["documents"], figures["chunks"], figures["pages"], figures["files"]) == (3, 6, {"text": 6}, 3)


OLD = sorted((Path(__file__).parent / "old").glob("schema-*.sqlite"))


@pytest.mark.parametrize("old", OLD, ids=lambda path: path.stem)
def test_a_library_of_an_older_version_is_brought_up_to_date(old: Path, tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    shutil.copy(old, path)
    with Library(path, reader=ScriptReader()) as library:
        assert len(library.documents()) == 6
        assert library.show("paper.pdf:p1").text == "The structure of\nproteins."
        assert str(library.search("looked for")[0].citation) == "paper.pdf:p2:span=0-57"
        assert library.search("실험")[0].citation.name == "한국어.pdf"
        assert library.show("caf%E9.pdf:p1").text == "A name that is not UTF-8."
        assert verdict(library, "changed.pdf:p1") == "stale"
        summaries = library.page_summaries(library.document("paper.pdf"))
        assert [page.state for page in summaries] == ["text", "text", "failed", "empty"]
        assert {failure.slug for failure in library.failures()} == {"unreadable", "timeout"}
        assert_sound(library)
        assert library.stats()["schema"] == SCHEMA_VERSION


def test_what_older_versions_did_not_keep_is_made_from_the_pages(library: Library, folder: Path, tmp_path: Path) -> None:
    text = "Methods\n" + "A method is described. " * 9 + "\nResults\nwhat came of it"
    sections = [(title, 1, 1, (text.index(title), text.index(title) + 7)) for title in ("Methods", "Results")]
    library.ingest([write_script(folder / "d.pdf", [text], sections=sections)])
    library.close()
    with contextlib.closing(Database(tmp_path / "library.sqlite")) as database:
        database.execute("DROP TABLE inner_sections")
        database.execute("DROP TABLE retired_names")
        database.execute("ALTER TABLE pages DROP COLUMN digest")
        database.execute("DROP INDEX pages_failed")
        database.execute("PRAGMA user_version = 2")
    with Library(tmp_path / "library.sqlite") as opened:
        assert [hit.section for hit in opened.search("came", sections=["results"])] == ["Results"]
        assert_sound(opened)


def test_altered_text_is_a_flaw_until_its_file_is_ingested_again(library: Library, folder: Path) -> None:
    database = library._open()._database
    database.execute("UPDATE pages SET text = replace(text, 'more', 'less') WHERE rowid = (SELECT max(rowid) FROM pages)")
    for _ in range(2):
        found = library.verify(repair=True)
        assert not found.is_sound
        assert [(flaw.part, flaw.can_be_made_again) for flaw in found.remaining] == [("text", False)]
        assert "c.pdf: the text of page 2 is not" in found.remaining[0].message
    assert library.ingest([folder]).counts == {"added": 0, "updated": 1, "unchanged": 2, "partial": 0, "failed": 0}
    assert library.verify().is_sound
    assert library.show("c.pdf:p2").text == "more words"
    assert library.old_pages(library.document("c.pdf"), 2) == []
    assert library.ingest([folder]).counts["unchanged"] == 3


def test_altered_text_of_what_is_there_in_part_is_read_anew(library: Library, folder: Path) -> None:
    path = write_script(folder / "d.pdf", ["some words"], total=2, ends_with="timeout")
    library.ingest([path])
    library._open()._database.execute("UPDATE pages SET text = 'none' WHERE text = 'some words'")
    assert not library.verify().is_sound
    assert library.ingest([path]).counts["partial"] == 1
    assert library.show("d.pdf:p1").text == "some words"
    assert library.verify().is_sound


def test_two_processes_may_bring_it_up_to_date_at_once(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    shutil.copy(OLD[0], path)
    program = "import sys; from pincite.library import Library; assert len(Library(sys.argv[1]).documents()) == 6"
    processes = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(4)]
    assert [process.wait() for process in processes] == [0] * 4


def test_every_older_version_has_a_library_here() -> None:
    assert {path.stem for path in OLD} >= {f"schema-{version}" for version in range(1, SCHEMA_VERSION)}


def test_a_second_writer_waits_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "library.sqlite"
    said = threading.Event()
    with Store.open(path) as first, Store(path, on_wait=said.set) as second:
        entered = threading.Event()

        def work() -> None:
            with first.transaction():
                entered.set()
                assert said.wait(20)

        thread = threading.Thread(target=work)
        thread.start()
        assert entered.wait(20)
        with second.transaction():
            pass
        thread.join()


def test_a_full_disk_is_said_and_leaves_the_library_whole(library: Library, folder: Path) -> None:
    database = library._open()._database
    pages_now = database.execute("PRAGMA page_count")[0][0]
    database.execute(f"PRAGMA max_page_count = {pages_now + 3}")
    for number in range(20):
        write_script(folder / f"x{number}.pdf", [f"many different words {number} " * 100] * 4)
    with pytest.raises(LibraryError) as caught:
        library.ingest([folder])
    assert caught.value.slug == "disk_full"
    assert "free some space" in caught.value.message
    database.execute("PRAGMA max_page_count = 1000000")
    assert_sound(library)
    assert all(len(library.page_summaries(document)) == document.pages for document in library.documents())
    assert library.ingest([folder]).counts["failed"] == 0
    assert len(library.documents()) == 23


FULL = """
import resource, signal, sys
from pincite.cli import main
from pincite.sandbox.runner import Runner
from support.library import ScriptReader
Runner.from_limits = lambda limits: ScriptReader()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.exit(main(sys.argv[2:]))
"""


def test_a_file_that_may_not_grow_is_said_too(tmp_path: Path, folder: Path) -> None:
    for number in range(40):
        write_script(folder / f"{number}.pdf", [f"different words {number} " * 200] * 10)
    path = tmp_path / "library.sqlite"
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    arguments = [sys.executable, "-c", FULL, "1000000", "--library", str(path), "ingest", str(folder)]
    done = subprocess.run(arguments, check=False, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "library" in done.stderr
    with Library(path, reader=ScriptReader()) as library:
        assert_sound(library)
        assert all(len(library.page_summaries(document)) == document.pages for document in library.documents())
        assert library.ingest([folder]).counts["failed"] == 0
        assert len(library.documents()) == 40


def test_readers_and_writers_at_once(tmp_path: Path) -> None:
    """Two ingests and ten searches, each a process."""
    for name in "ab":
        for number in range(30):
            write_script(tmp_path / name / f"{number}.pdf", [f"words of {name} {number}", "more words"])
    path = tmp_path / "library.sqlite"
    Store.open(path).close()
    start = "import sys; from pincite.library import Library; from support.library import ScriptReader\n"
    ingest = start + "with Library(sys.argv[1], reader=ScriptReader()) as l: assert not l.ingest([sys.argv[2]]).quarantined"
    search = start + (
        "with Library(sys.argv[1]) as l:\n"
        "    seen = 0\n"
        "    while seen < 120:\n"
        "        now = len(l.search('words', 1000))\n"
        "        assert now >= seen and now % 2 == 0, (now, seen)\n"
        "        seen = now\n"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    commands = [[ingest, str(path), str(tmp_path / name)] for name in "ab"] + [[search, str(path)]] * 10
    processes = [subprocess.Popen([sys.executable, "-c", *command], env=environment) for command in commands]
    assert [process.wait(120) for process in processes] == [0] * 12
    with Library(path) as library:
        assert_sound(library)


def test_the_database_says_when_it_changed(tmp_path: Path) -> None:
    first = Database(tmp_path / "x.sqlite")
    second = Database(tmp_path / "x.sqlite")
    before = first.state()
    assert first.state() == before
    second.execute("INSERT INTO settings VALUES ('a', 'b')")
    assert first.state() != before
    first.close()
    second.close()
