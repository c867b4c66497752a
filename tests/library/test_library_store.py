"""The file on disk: who may open it, and what holds whatever happens."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import LibraryError
from pincite.model.chunk import Chunk
from pincite.model.text import OutlineItem
from pincite.search.chunk import chunk_page
from pincite.search.index import rebuilding, schema, terms
from pincite.search.index.database import Database
from pincite.search.index.rows import IndexedChunk, Location, NewDocument, NewPage, PageRow, SearchFilter
from pincite.search.index.sought import Phrase, Sought
from pincite.search.index.store import Store
from support.library import dump


def sha256(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def page(document: str, number: int, text: str) -> NewPage:
    chunks = chunk_page(document, number, text)
    return NewPage(PageRow(number, text, "text"), tuple(IndexedChunk(chunk, terms.index_terms(chunk.text)) for chunk in chunks))


def put(opened: Store, word: str, *texts: str, at: Location | None = None, replace: bool = False) -> str:
    """Store a document named after `word`; returns its SHA-256."""
    document = sha256(word)
    pages = [page(document, number, text) for number, text in enumerate(texts, 1)]
    new = NewDocument(document, max(1, len(texts)), "text-1", outline=(OutlineItem("Top", 1, 1),))
    opened.put_document(new, pages, [f"{word}.pdf", f"x/{word}.pdf"], at, replace=replace)
    return document


def sought(words: str) -> Sought:
    """Single words, of which with OR between them one must be there."""
    return Sought((tuple(Phrase((word,)) for word in words.lower().split(" or ")),))


def found(opened: Store, words: str) -> list[str]:
    return [row.name for row in opened.search(sought(words))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "library.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Store]:
    with Store.open(path) as opened:
        yield opened


def slug_of(path: Path, *, create: bool = True) -> str:
    with pytest.raises(LibraryError) as caught, Store.open(path, create=create):
        pass
    assert str(path) in caught.value.message
    return caught.value.slug


def test_a_library_is_made_where_asked_for_and_only_there(path: Path, tmp_path: Path) -> None:
    assert slug_of(path, create=False) == "unavailable"
    assert not path.exists()
    with Store.open(tmp_path / "a" / "b" / "library.sqlite") as opened:
        assert opened.documents() == []


@pytest.mark.parametrize("content", [b"not a database, but long enough to be one" * 50, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_is_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert slug_of(path) == "corrupt"
    assert path.read_bytes() == content


def test_another_programs_database_is_left_as_it_is(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    assert slug_of(path) == "corrupt"
    assert path.read_bytes() == before


def test_a_folder_is_no_library(tmp_path: Path) -> None:
    assert slug_of(tmp_path) == "unavailable"


def test_a_newer_library_is_refused(path: Path) -> None:
    Store.open(path).close()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    assert slug_of(path) == "newer_schema"


def test_a_writer_that_waits_too_long_says_so(path: Path) -> None:
    with Store.open(path) as first, Store(path, busy_timeout_s=0.01) as second, first.transaction():
        with pytest.raises(LibraryError) as caught:
            put(second, "late", "text")
        assert caught.value.slug == "locked"
        assert second.documents() == []


def test_readers_do_not_wait_for_a_writer(path: Path) -> None:
    with Store.open(path) as writer, Store(path, busy_timeout_s=0.01) as reader:
        put(writer, "early", "text")
        with writer.transaction():
            put(writer, "later", "text")
            assert found(reader, "text") == ["early.pdf"]
        assert found(reader, "text") == ["early.pdf", "later.pdf"]


def test_a_full_disk_leaves_the_library_as_it_was(path: Path) -> None:
    with Store.open(path) as opened:
        put(opened, "small", "text")
    with Store.open(path) as opened:
        database: Database = opened._database
        pages_now = database.execute("PRAGMA page_count")[0][0]
        database.execute(f"PRAGMA max_page_count = {pages_now + 2}")
        with pytest.raises(LibraryError) as caught:
            put(opened, "big", *["many different words " * 500] * 20)
        assert caught.value.slug == "disk_full"
        assert found(opened, "words") == []
        database.execute("PRAGMA max_page_count = 1000000")
        put(opened, "big", "words")
        assert found(opened, "text OR words") == ["small.pdf", "big.pdf"]


def test_an_error_halfway_leaves_nothing_of_a_document(opened: Store, path: Path) -> None:
    put(opened, "good", "text")
    before = dump(path)
    document = sha256("bad")

    def pages() -> Iterator[NewPage]:
        yield page(document, 1, "text of the bad one")
        raise RuntimeError("the process was about to die")

    with pytest.raises(RuntimeError):
        opened.put_document(NewDocument(document, 2, "text-1"), pages(), ["bad.pdf"])
    assert dump(path) == before
    assert found(opened, "text") == ["good.pdf"]


def test_an_inner_transaction_is_undone_alone(opened: Store) -> None:
    with opened.transaction():
        put(opened, "kept", "text")
        with contextlib.suppress(RuntimeError), opened.transaction():
            put(opened, "dropped", "text")
            raise RuntimeError
    assert found(opened, "text") == ["kept.pdf"]


def test_the_first_free_name_is_taken_and_kept(opened: Store) -> None:
    put(opened, "a", "one")
    document = sha256("other")
    result = opened.put_document(NewDocument(document, 1, "text-1"), [page(document, 1, "two")], ["a.pdf", "b/a.pdf"])
    assert result == ("added", "b/a.pdf")
    again = opened.put_document(NewDocument(document, 1, "text-1"), [], ["free.pdf"])
    assert again == ("unchanged", "b/a.pdf")


def test_names_and_paths_need_not_be_utf8(opened: Store) -> None:
    name, path = "caf\udce9.pdf", "/data/caf\udce9.pdf"
    document = sha256("latin")
    opened.put_document(NewDocument(document, 1, "text-1"), [page(document, 1, "coffee")], [name], Location(path, 1, 2))
    assert found(opened, "coffee") == [name]
    row = opened.document(name)
    assert row is not None
    assert opened.locations(row.id) == [Location(path, 1, 2)]
    assert opened.document_at(Location(path, 1, 2)) == row
    assert opened.documents_under("data/caf\udce9.pdf") == [row]


def test_chunks_are_the_pages_text_between_their_bounds(opened: Store) -> None:
    text = "한국어 문장입니다. 𝒳 ∈ ℝ. " * 400
    document = put(opened, "long", text, "short")
    chunks = list(opened.chunks(document))
    assert len(chunks) > 3
    for chunk in chunks:
        stored = opened.page(document, chunk.page)
        assert stored is not None
        assert stored.text[chunk.start : chunk.end] == chunk.text
    assert [chunk.text for chunk in opened.chunks(document, 2)] == ["short"]


def test_replacing_a_document_keeps_its_name_and_leaves_no_old_term(opened: Store, path: Path) -> None:
    document = put(opened, "a", "old words", "more")
    put(opened, "a", "new words", replace=True)
    assert found(opened, "old") == []
    assert found(opened, "new") == ["a.pdf"]
    assert [chunk.text for chunk in opened.chunks(document)] == ["new words"]
    assert len(dump(path)["chunks"]) == 1


def test_a_file_that_changes_becomes_a_document_that_supersedes_the_old_one(opened: Store) -> None:
    here, there = Location("/in/a.pdf", 1, 1), Location("/in/b.pdf", 1, 1)
    old = put(opened, "old", "same words", at=here)
    new = put(opened, "new", "same words", at=Location("/in/a.pdf", 2, 2))
    row = opened.document("old.pdf")
    assert row is not None
    assert row.superseded_by == "new.pdf"
    assert found(opened, "words") == ["new.pdf"]
    # The old bytes turn up elsewhere: both are there.
    opened.place(there, old)
    assert found(opened, "words") == ["old.pdf", "new.pdf"]
    # The file is put back: now the new bytes are nowhere.
    opened.place(here, old)
    assert found(opened, "words") == ["old.pdf"]
    assert [document.superseded_by for document in opened.documents()] == ["old.pdf", None]
    assert opened.document_at(Location("/in/a.pdf", 2, 2)) is None
    assert opened.has_document(new)


def test_a_superseded_document_can_be_replaced_and_come_back(opened: Store) -> None:
    here = Location("/in/a.pdf", 1, 1)
    put(opened, "old", "first words", at=here)
    put(opened, "new", "other words", at=here)
    put(opened, "old", "second words", replace=True)
    assert found(opened, "words") == ["new.pdf"]
    put(opened, "old", "third words", at=Location("/in/b.pdf", 1, 1), replace=True)
    assert found(opened, "third") == ["old.pdf"]
    assert found(opened, "first OR second") == []


def test_another_analyzer_rebuilds_the_terms(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(path) as opened:
        put(opened, "a", "apple")
        put(opened, "b", "banana")
    monkeypatch.setattr(rebuilding, "INDEX_VERSION", "uni-2")
    monkeypatch.setattr(terms, "term_stream", str.upper)
    with Store.open(path) as opened:
        assert found(opened, "apple OR banana") == ["a.pdf", "b.pdf"]  # the tokenizer folds ASCII once more
        assert opened._database.execute("SELECT value FROM settings WHERE key = 'analyzer'") == [("uni-2",)]
    monkeypatch.setattr(terms, "term_stream", lambda text: "fruit")
    with Store.open(path) as opened:
        assert found(opened, "fruit") == []  # the version is the same, so nothing is done


def test_a_search_can_be_narrowed(opened: Store) -> None:
    first = put(opened, "first", "words", "words", "words")
    put(opened, "second", "words", "words")

    def places(**narrowing: object) -> list[tuple[str, int]]:
        rows = opened.search(sought("words"), SearchFilter(**narrowing))  # type: ignore[arg-type]
        return [(row.name, row.chunk.page) for row in rows]

    assert places(documents=(first,)) == [("first.pdf", 1), ("first.pdf", 2), ("first.pdf", 3)]
    assert places(pages=((2, 2), (3, 9))) == [("first.pdf", 2), ("first.pdf", 3), ("second.pdf", 2)]
    assert places(documents=(first,), pages=((3, 3),)) == [("first.pdf", 3)]
    assert places(documents=()) == []
    assert places(pages=()) == []


def test_hits_come_best_first_and_equals_by_document_and_page(opened: Store) -> None:
    for word in ("b", "a"):
        put(opened, word, "filler and one rare term", "filler", "filler and one rare term")
    put(opened, "c", "rare rare rare")
    rows = opened.search(sought("rare"), limit=4)
    assert [(row.name, row.chunk.page) for row in rows] == [("c.pdf", 1), ("b.pdf", 1), ("b.pdf", 3), ("a.pdf", 1)]
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)


def test_threads_share_a_store(opened: Store) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(10):
                put(opened, f"{number}-{step}", "words")
                assert opened.has_document(sha256(f"{number}-{step}"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(opened.documents()) == 40


def test_the_store_hands_out_what_it_was_given(opened: Store) -> None:
    document = put(opened, "a", "words")
    assert opened.outline(document) == (OutlineItem("Top", 1, 1),)
    assert opened.page(document, 1) == PageRow(1, "words", "text")
    assert opened.page(document, 2) is None
    assert opened.documents_by_hash(document[:8]) == opened.documents()
    assert opened.names() == [(document, "a.pdf")]
    assert list(opened.chunks(document)) == [Chunk(document, 1, 0, 5, "words", 0)]
