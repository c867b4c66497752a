"""The store: every question to the library's file, and every change to it, as one method each."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace as replaced
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, NamedTuple

from pincite.model.chunk import Chunk
from pincite.model.text import OutlineItem
from pincite.search.index import figures, rebuilding, removal, search, soundness, writing
from pincite.search.index.database import BUSY_TIMEOUT_S, OPTIONAL_TEXT, Database, Row, T, file_address, typed
from pincite.search.index.rows import (
    EVERYTHING,
    DocumentRow,
    FailureRow,
    Location,
    NewDocument,
    NewPage,
    OldPage,
    PageRow,
    PageSummary,
    SearchFilter,
    SearchRow,
    decode_name,
    decode_sections,
    encode_name,
)
from pincite.search.index.sought import Clause, Sought

_DOCUMENT = """
SELECT d.id, d.name, d.pages, d.title, d.text_version, d.provenance, newer.name
FROM documents d LEFT JOIN documents newer ON newer.number = d.superseded_by
"""
_PAGE = """
SELECT p.page, p.text, p.state, p.label, p.error, p.quality, p.sections
FROM pages p JOIN documents d ON d.number = p.document
"""
_CHUNK = """
SELECT d.id, c.page, c.start, c."end", p.text, c.ordinal, c.section
FROM chunks c JOIN documents d ON d.number = c.document JOIN pages p ON p.document = c.document AND p.page = c.page
"""
_FAILURE = """
SELECT path, size, mtime_ns, slug, stage, message, extractor, failed_at, document, signal, last_page, partial FROM failures
"""


class PutResult(NamedTuple):
    """What became of a document: it was `added`, `replaced`, or there already and `unchanged`; `name` is its cite name."""

    status: Literal["added", "replaced", "unchanged"]
    name: str


class Store:
    """A library's file, open. Usable from several threads; several processes may have it open at once.

    `on_wait` is called once when another process has been writing for a second, `on_rebuild` after each document while what
    an older pincite derived from the pages is made again. Raises `LibraryError`, from every method; see `Database` for what
    each slug means.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        on_wait: Callable[[], None] | None = None,
        on_rebuild: rebuilding.Progress | None = None,
    ) -> None:
        self._database = Database(path, create=create, busy_timeout_s=busy_timeout_s, on_wait=on_wait)
        self._names: tuple[tuple[int, int], list[tuple[str, str]]] | None = None
        try:
            rebuilding.ensure_current(self._database, on_rebuild)
        except BaseException:
            self._database.close()
            raise

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Store:
        """Open the library at `path`, making it, and its folder, where there is none and `create` is true."""
        return cls(path, create=create)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; doing so twice is harmless."""
        self._database.close()

    @property
    def is_read_only(self) -> bool:
        """Whether the library can be read but not changed; changes then raise `LibraryError` (`unavailable`)."""
        return self._database.is_read_only

    def transaction(self) -> AbstractContextManager[None]:
        """A group of changes that are written together or not at all."""
        return self._database.transaction()

    # Changes

    def put_document(
        self,
        document: NewDocument,
        pages: Iterable[NewPage],
        names: Iterable[str],
        location: Location | None = None,
        *,
        replace: bool = False,
    ) -> PutResult:
        """Write a document with its pages, chunks and terms in one transaction.

        It takes the first of `names` that is free, and keeps it for good. A document that is there already is left as
        it is, or with `replace` gets the new pages; either way `location` is recorded as by `place`.
        """
        with self.transaction():
            known = self._database.execute("SELECT number, name FROM documents WHERE id = ?", (document.id,))
            status: Literal["added", "replaced", "unchanged"]
            if not known:
                status = "added"
                number, name = writing.insert_document(self._database, document, names)
            else:
                number, name = known[0][0], decode_name(known[0][1])
                status = "replaced" if replace else "unchanged"
            # The place first: a superseded document that turns up again is one that pages are indexed for.
            if location is not None:
                writing.place(self._database, location, number)
            if status == "replaced":
                writing.keep_old_pages(self._database, number)
                writing.clear_pages(self._database, number)
                writing.update_document(self._database, number, document)
            if status != "unchanged":
                writing.insert_pages(self._database, number, pages)
            if status == "replaced":
                writing.drop_unchanged_old_pages(self._database, number)
            return PutResult(status, name)

    def place(self, location: Location, document_id: str) -> None:
        """Record that the document's bytes stand at a path; a document that has lost its last path so is superseded."""
        with self.transaction():
            ((number,),) = self._database.execute("SELECT number FROM documents WHERE id = ?", (document_id,))
            writing.place(self._database, location, number)

    def put_failure(self, failure: FailureRow) -> None:
        """Record a file that was not, or not wholly, taken in, instead of what was recorded of that path before.

        The same once more changes nothing: it failed when it first did.
        """
        before = self.failure(failure.path)
        if before is None or replaced(before, failed_at=failure.failed_at) != failure:
            writing.put_failure(self._database, failure)

    def clear_failure(self, path: str) -> None:
        """Forget a failure: the path has been taken in after all."""
        self._database.execute("DELETE FROM failures WHERE path = ?", (os.fsencode(path),))

    def remove(self, document_id: str) -> list[str]:
        """Delete a document, and older versions of its file that only it stands for; returns the names of what went."""
        with self.transaction():
            rows = self._database.execute("SELECT number FROM documents WHERE id = ?", (document_id,))
            return [name for (number,) in rows for name in removal.remove_document(self._database, number)]

    def prune(self, gone: Iterable[str], *, superseded: bool = False) -> list[str]:
        """Forget the files at these paths and the documents that stood nowhere else; returns the names of those.

        With `superseded` the documents go, too, whose file has become another, and with them what their citations answer.
        """
        with self.transaction():
            removal.mark_missing(self._database, gone, "")
            documents = removal.missing_documents(self._database)
            removed = [name for number, _ in documents for name in removal.remove_document(self._database, number)]
            removal.forget_locations(self._database, gone)
            if superseded:
                for number, _ in removal.superseded_documents(self._database):
                    # One removal may take others along.
                    if self._database.execute("SELECT 1 FROM documents WHERE number = ?", (number,)):
                        removed += removal.remove_document(self._database, number)
            return removed

    def note_missing(self, gone: Iterable[str], there: Iterable[str] = ()) -> None:
        """Record which files were found gone, and which are there again."""
        since = datetime.now(UTC).isoformat(timespec="seconds")
        with self.transaction():
            removal.mark_missing(self._database, gone, since)
            removal.clear_missing(self._database, there)

    def rebuild(self, progress: rebuilding.Progress | None = None) -> None:
        """Cut all pages anew and build the full-text tables again."""
        with self.transaction():
            self._database.execute("REINDEX")
            rebuilding.rebuild(self._database, recut=True, progress=progress)

    def backup(self, target: str | os.PathLike[str]) -> None:
        """Write the library as it stands at this moment to a file that does not exist, or is empty."""
        self._database.execute("VACUUM INTO ?", (file_address(target),))

    # Questions

    def documents(self) -> list[DocumentRow]:
        """All documents by name."""
        return self._database.built(_document, self._database.execute(f"{_DOCUMENT} ORDER BY d.name"))

    def document(self, name: str) -> DocumentRow | None:
        """The document of exactly this cite name."""
        rows = self._database.execute(f"{_DOCUMENT} WHERE d.name = ?", (encode_name(name),))
        return self._first(_document, rows)

    def retired(self, name: str) -> str | None:
        """The SHA-256 of the document that had this cite name and was deleted; None where none had it."""
        rows = self._database.execute("SELECT document FROM retired_names WHERE name = ?", (encode_name(name),))
        return rows[0][0] if rows else None

    def names(self) -> list[tuple[str, str]]:
        """The SHA-256 and the cite name of every document, by name; read anew only after a change."""
        version = self._database.state()
        if self._names is None or self._names[0] != version:
            rows = self._database.execute("SELECT id, name FROM documents ORDER BY name")
            self._names = version, self._database.built(lambda row: (row[0], decode_name(row[1])), rows)
        return self._names[1]

    def documents_by_hash(self, prefix: str) -> list[DocumentRow]:
        """The documents whose SHA-256 begins with these hexadecimal digits."""
        rows = self._database.execute(f"{_DOCUMENT} WHERE d.id >= ? AND d.id < ? ORDER BY d.name", (prefix, prefix + "g"))
        return self._database.built(_document, rows)

    def documents_under(self, suffix: str) -> list[DocumentRow]:
        """The documents of which a cite name or a path ends in these whole parts (`b/paper.pdf`)."""
        ending = "/" + suffix
        rows = self._database.execute(
            f"""{_DOCUMENT} WHERE substr(d.name, -length(?1)) = ?1 OR d.number IN
            (SELECT document FROM locations WHERE substr(path, -length(?2)) = ?2) ORDER BY d.name""",
            (encode_name(ending), os.fsencode(ending)),
        )
        return self._database.built(_document, rows)

    def has_document(self, document_id: str) -> bool:
        return bool(self._database.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)))

    def text_versions(self) -> dict[str, str]:
        """For each document's SHA-256 the version of the rules that its text was made by."""
        return dict(self._database.execute("SELECT id, text_version FROM documents"))

    def outline(self, document_id: str) -> tuple[OutlineItem, ...]:
        """The outline as it stands in the document; empty where there is none, or no such document."""
        rows = self._database.execute("SELECT outline FROM documents WHERE id = ?", (document_id,))
        return self._first(lambda row: tuple(OutlineItem(*item) for item in json.loads(row[0])), rows) or ()

    def page(self, document_id: str, page: int) -> PageRow | None:
        rows = self._database.execute(f"{_PAGE} WHERE d.id = ? AND p.page = ?", (document_id, _storable(page)))
        return self._first(_page, rows)

    def pages(self, document_id: str) -> Iterator[PageRow]:
        """All stored pages of a document, in order, one at a time."""
        statement = f"{_PAGE} WHERE d.id = ? AND p.page > ? ORDER BY p.page LIMIT 50"
        last = 0
        while rows := self._database.execute(statement, (document_id, last)):
            yield from self._database.built(_page, rows)
            last = rows[-1][0]

    def old_pages(self, document_id: str, page: int) -> list[OldPage]:
        """The texts that a page had under older text versions, where they were others; the newest first."""
        rows = self._database.execute(
            """SELECT o.text_version, o.text FROM old_pages o JOIN documents d ON d.number = o.document
            WHERE d.id = ? AND o.page = ? ORDER BY o.rowid DESC""",
            (document_id, _storable(page)),
        )
        return [OldPage(*row) for row in rows]

    def page_summaries(self, document_id: str) -> list[PageSummary]:
        """Every page that is stored of a document, in order, without its text."""
        rows = self._database.execute(
            """SELECT p.page, p.label, p.state, length(p.text),
                (SELECT count(*) FROM chunks c WHERE c.document = p.document AND c.page = p.page), p.error, j.state
            FROM pages p JOIN documents d ON d.number = p.document
                LEFT JOIN ocr_jobs j ON j.document = p.document AND j.page = p.page
            WHERE d.id = ? ORDER BY p.page""",
            (document_id,),
        )
        return [PageSummary(*row) for row in rows]

    def state_counts(self) -> dict[str, dict[str, int]]:
        """For each document's SHA-256 the number of its pages in each state."""
        counts: dict[str, dict[str, int]] = {}
        for document, state, count in self._database.execute(
            "SELECT d.id, p.state, count(*) FROM pages p JOIN documents d ON d.number = p.document GROUP BY d.id, p.state"
        ):
            counts.setdefault(document, {})[state] = count
        return counts

    def incomplete(self) -> list[str]:
        """The names of documents some pages of which could not be read; superseded ones are left out."""
        rows = self._database.execute(
            """SELECT d.name FROM documents d WHERE d.superseded_by IS NULL AND d.pages >
            (SELECT count(*) FROM pages p WHERE p.document = d.number)
            - (SELECT count(*) FROM pages p WHERE p.document = d.number AND p.state = 'failed') ORDER BY d.name"""
        )
        return [decode_name(name) for (name,) in rows]

    def file_counts(self) -> dict[str, int]:
        """For each document's SHA-256 the number of files that hold its bytes and are not missing."""
        return dict(
            self._database.execute(
                """SELECT d.id, count(*) FROM locations l JOIN documents d ON d.number = l.document
                WHERE l.missing_since IS NULL GROUP BY d.id"""
            )
        )

    def chunks(self, document_id: str, page: int | None = None) -> Iterator[Chunk]:
        """A document's chunks in order, or those of one page."""
        condition, parameters = ("", (document_id,)) if page is None else (" AND c.page = ?", (document_id, _storable(page)))
        rows = self._database.execute(f"{_CHUNK} WHERE d.id = ?{condition} ORDER BY c.page, c.ordinal", parameters)
        yield from self._database.built(_chunk, rows)

    def locations(self, document_id: str) -> list[Location]:
        """Where a document's bytes were seen, by path."""
        rows = self._database.execute(
            """SELECT l.path, l.size, l.mtime_ns, l.missing_since FROM locations l JOIN documents d ON d.number = l.document
            WHERE d.id = ? ORDER BY l.path""",
            (document_id,),
        )
        return self._database.built(lambda row: Location(os.fsdecode(row[0]), *row[1:]), rows)

    def document_at(self, location: Location) -> DocumentRow | None:
        """The document whose bytes were seen at this path with this size and time: the file need not be read again."""
        rows = self._database.execute(
            f"{_DOCUMENT} JOIN locations l ON l.document = d.number WHERE l.path = ? AND l.size = ? AND l.mtime_ns = ?",
            (os.fsencode(location.path), location.size, location.mtime_ns),
        )
        return self._first(_document, rows)

    def paths(self, folders: Iterable[str] | None = None) -> list[Location]:
        """Every place where a file was seen, or those in these folders and these files themselves."""
        return removal.locations_under(self._database, ["/"] if folders is None else folders)

    def missing(self) -> set[str]:
        """The names of documents all of whose files are gone."""
        return {name for _, name in removal.missing_documents(self._database)}

    def superseded(self) -> list[str]:
        """The names of documents whose file has become another."""
        return [name for _, name in removal.superseded_documents(self._database)]

    def document_of(self, path: str) -> DocumentRow | None:
        """The document that a file held when it was seen last."""
        rows = self._database.execute(
            f"{_DOCUMENT} JOIN locations l ON l.document = d.number WHERE l.path = ?", (os.fsencode(path),)
        )
        return self._first(_document, rows)

    def flaws(self, progress: soundness.Progress | None = None) -> list[soundness.Flaw]:
        """What is wrong with the library; see `soundness`."""
        return list(soundness.flaws(self._database, progress))

    def figures(self) -> dict[str, Any]:
        """How much it holds; see `figures`."""
        return figures.figures(self._database)

    def failure(self, path: str) -> FailureRow | None:
        rows = self._database.execute(f"{_FAILURE} WHERE path = ?", (os.fsencode(path),))
        return self._first(_failure, rows)

    def failures(self) -> list[FailureRow]:
        """All recorded failures by path."""
        return self._database.built(_failure, self._database.execute(f"{_FAILURE} ORDER BY path"))

    def search(self, sought: Sought, narrowing: SearchFilter = EVERYTHING, limit: int = 10) -> list[SearchRow]:
        """The best `limit` chunks that answer, best first; superseded documents are left out. See `search.search`."""
        return search.search(self._database, sought, narrowing, limit)

    def in_order(self, sought: Sought, narrowing: SearchFilter = EVERYTHING, limit: int = 10) -> list[SearchRow]:
        """The first `limit` chunks that answer, by name and page."""
        return self._fetched(search.numbers_in_order(self._database, sought, narrowing, limit))

    def over_seams(
        self, phrases: Clause, narrowing: SearchFilter = EVERYTHING, limit: int = 10
    ) -> list[tuple[SearchRow, SearchRow]]:
        """Pairs of chunks, at most `limit`, around whose seam one of the phrases may stand."""
        pairs = search.seams(self._database, phrases, narrowing, limit)
        rows = [self._fetched(pair) for pair in pairs]
        return [(first, second) for first, second in rows]

    def count(self, sought: Sought, narrowing: SearchFilter, most: int) -> int:
        """How many chunks answer, counted up to `most`."""
        return search.count(self._database, sought, narrowing, most)

    def sections(self) -> list[str]:
        """All titles of sections that chunks stand in, also such as begin inside a chunk."""
        found: set[str] = set()
        for table, column in (("chunks", "section"), ("inner_sections", "title")):
            # One step a title instead of one a chunk.
            rows = self._database.execute(
                f"""WITH RECURSIVE known (last) AS (SELECT min({column}) FROM {table} WHERE {column} IS NOT NULL UNION ALL
                SELECT (SELECT min({column}) FROM {table} WHERE {column} > last AND {column} IS NOT NULL) FROM known
                WHERE last IS NOT NULL) SELECT last FROM known WHERE last IS NOT NULL"""
            )
            found.update(title for (title,) in rows)
        return sorted(found)

    def _first(self, build: Callable[[Row], T], rows: list[Row]) -> T | None:
        """What is made of the first row; None where there is none."""
        return next(iter(self._database.built(build, rows[:1])), None)

    def _fetched(self, numbers: Iterable[int]) -> list[SearchRow]:
        rows = (search.fetch(self._database, number, 0.0) for number in numbers)
        return [row for row in rows if row is not None]


def _storable(page: int) -> int:
    """The number of a page, or one that no page has instead of one that SQLite can't hold."""
    return max(0, min(page, 2**32))


def _chunk(row: Row) -> Chunk:
    document, number, start, end, text, ordinal, section = typed(row, str, int, int, int, str, int, OPTIONAL_TEXT)
    return Chunk(document, number, start, end, text[start:end], ordinal, section)


def _document(row: Row) -> DocumentRow:
    kinds = (str, bytes, int, OPTIONAL_TEXT, str, str, (bytes, type(None)))
    identifier, name, pages, title, text_version, provenance, newer = typed(row, *kinds)
    successor = None if newer is None else decode_name(newer)
    return DocumentRow(identifier, decode_name(name), pages, title, text_version, json.loads(provenance), successor)


def _page(row: Row) -> PageRow:
    kinds = (int, str, str, OPTIONAL_TEXT, OPTIONAL_TEXT, OPTIONAL_TEXT, OPTIONAL_TEXT)
    page, text, state, label, error, quality, sections = typed(row, *kinds)
    return PageRow(page, text, state, label, error, None if quality is None else json.loads(quality), decode_sections(sections))


def _failure(row: Row) -> FailureRow:
    path, size, mtime_ns, slug, stage, message, extractor, failed_at, document, signal, last_page, partial = row
    return FailureRow(
        os.fsdecode(path), size, mtime_ns, slug, stage, message, extractor, failed_at, document, signal, last_page, bool(partial)
    )
