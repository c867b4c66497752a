"""A library of documents: ingest, search, and resolve citations, behind one class."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pincite.errors import CitationError, LibraryError
from pincite.model.citation import Citation, percent_decode
from pincite.model.hit import Hit, Quote
from pincite.model.limits import Limits
from pincite.search.chunk import overlaps
from pincite.search.cite.cells import TablesOf
from pincite.search.cite.find import Order, find, narrowed
from pincite.search.cite.lookup import look_up
from pincite.search.cite.resolve import require_exact, resolve
from pincite.search.index.rows import DocumentRow, FailureRow, Location, OldPage, PageRow, PageSummary
from pincite.search.index.store import Store
from pincite.search.query import EVERYWHERE, parse_query

if TYPE_CHECKING:
    from pincite.ingest.extract import Reader
    from pincite.ingest.keep import Pruned, Verification
    from pincite.ingest.pipeline import Progress
    from pincite.ingest.report import Report
    from pincite.model.check import Check
    from pincite.model.chunk import Chunk
    from pincite.model.table import Table
    from pincite.model.text import OutlineItem
    from pincite.search.index.rebuilding import Progress as Rebuilt

LIBRARY_VARIABLE = "PINCITE_LIBRARY"
SHORTEST_HASH = 6
"""Hex digits from which on a name may be the beginning of a SHA-256 instead."""


def default_library_path() -> Path:
    """`$PINCITE_LIBRARY`, or `library.sqlite` in the user's data folder for pincite (`$XDG_DATA_HOME/pincite` on Linux)."""
    if named := os.environ.get(LIBRARY_VARIABLE):
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_data_path("pincite", appauthor=False) / "library.sqlite"


def _several(values: str | Sequence[str]) -> tuple[str, ...]:
    """Strings, or one of them, which is a sequence of strings as well, and never meant as that."""
    return (values,) if isinstance(values, str) else tuple(values)


class Library:
    """A library on disk; a context manager.

    `path` is its file, by default `default_library_path()`. The file is opened when it is first needed, and only `ingest`
    makes one where there is none. `limits` are those under which documents are read. `on_wait` is called when another process
    has been writing for a second, `on_rebuild` while what an older pincite derived is made again, with how many documents
    are done, and how many there are. Every method may raise `LibraryError`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        limits: Limits | None = None,
        reader: Reader | None = None,
        on_wait: Callable[[], None] | None = None,
        on_rebuild: Rebuilt | None = None,
    ) -> None:
        self.path = default_library_path() if path is None else Path(path)
        self.limits = limits or Limits()
        self._reader = reader
        self._on_wait = on_wait
        self._on_rebuild = on_rebuild
        self._store: Store | None = None
        self._closed = False

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, for good: what is asked after that raises `LibraryError` (`closed`). Doing so twice is harmless."""
        self._closed = True
        if self._store is not None:
            self._store.close()
            self._store = None

    def ingest(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        jobs: int | None = None,
        retry_failed: bool = False,
        include: str | Sequence[str] = (),
        exclude: str | Sequence[str] = (),
        password: str | None = None,
        progress: Progress | None = None,
        on_interrupt: Callable[[], None] | None = None,
    ) -> Report:
        """Take in files and folders, or one of them, `jobs` documents at a time; see `Ingest` for the rest.

        In folders all `*.pdf` are meant, or what a glob of `include` fits, and not what one of `exclude` does. `password` is
        tried on encrypted files. What is wrong with one file or path, that it does not exist included, is in the report.
        """
        from pincite.ingest.pipeline import Ingest
        from pincite.ingest.walk import Selection
        from pincite.sandbox.runner import Runner

        store = self._open(create=True)
        reader = self._reader or Runner.from_limits(self.limits)
        if password is not None and self._reader is None:
            reader = Runner.from_limits(self.limits, password=password)
        run = Ingest(
            store,
            reader,
            limits=self.limits,
            jobs=jobs,
            retry_failed=retry_failed,
            has_password=password is not None,
            selection=Selection(_several(include), _several(exclude)),
            progress=progress,
            on_interrupt=on_interrupt,
            folder=self.path.parent,
        )
        return run.run([paths] if isinstance(paths, (str, bytes, os.PathLike)) else paths)

    def search(
        self,
        query: str,
        limit: int = 10,
        *,
        documents: str | Sequence[str] = (),
        pages: Sequence[tuple[int, int]] = (),
        sections: str | Sequence[str] = (),
        order: Order = "score",
        group: bool = False,
        context: int | None = None,
        regex: bool = False,
    ) -> list[Hit]:
        """The best `limit` hits, best first, or with `order="document"` the first by name and page.

        `documents` (names or globs), `pages` (first and last, 1-based) and `sections` (parts of titles, or globs) narrow the
        search, the first two as `doc:` and `page:` in the query do. With `group` every document has one hit, its best, and
        `limit` counts documents. `context` asks for a `passage` of so many characters of the page around the matches.
        With `regex` the query is a regular expression, and every page is read: see `pincite.search.cite.scan`.
        Raises `QueryError` where the query holds no word.
        """
        parsed = EVERYWHERE if regex else parse_query(query)
        store = self._open()
        narrowing = narrowed(store, parsed, _several(documents), pages, _several(sections))
        if regex:
            from pincite.search.cite.scan import scan

            return scan(store, query, narrowing, limit, group=group, context=context)
        return find(store, parsed, narrowing, limit, order=order, group=group, context=context)

    def resolve(self, citation: Citation | str, *, password: str | None = None) -> Quote:
        """What a citation leads to, with its verdict. Raises `CitationError` for what is no citation at all.

        For a table or a cell the file is read again, in the sandbox; `EncryptedError` says that it needs a `password` then.
        """
        return resolve(self._open(), citation, self._find_tables(password))

    def _find_tables(self, password: str | None) -> TablesOf:
        def find_tables(document: DocumentRow, page: int) -> Sequence[Table] | str:
            from pincite.ingest.tables import tables_of

            return tables_of(self._open().locations(document.id), document.id, page, self.limits, password)

        return find_tables

    def show(self, citation: Citation | str, *, password: str | None = None) -> Quote:
        """The quote with its text. Raises as `resolve` does, and `CitationError` where there is none: `absent`, `stale`,
        `ambiguous`."""
        return require_exact(self.resolve(citation, password=password))

    def check(self, quotation: str, citation: Citation | str, *, password: str | None = None) -> Check:
        """Grade a quotation against the page that a citation names: `exact`, `folded`, `near`, `wrong_page`, `absent`.

        Raises `CitationError`: `too_short`, or where the citation leads to no document. `password` is as for `resolve`.
        """
        from pincite.search.cite.check import check

        return check(self._open(), quotation, citation, self._find_tables(password))

    def cite(
        self,
        quotation: str,
        *,
        documents: str | Sequence[str] = (),
        pages: Sequence[tuple[int, int]] = (),
        with_hash: bool = False,
    ) -> list[Citation]:
        """The places where a quotation stands, in documents (names or globs) and pages. Raises `CitationError`."""
        from pincite.search.cite.make import cite_quotation

        return cite_quotation(self._open(), quotation, documents=_several(documents), pages=pages, with_hash=with_hash)

    def cite_page(self, document: str, page: int, section: str | None = None, *, with_hash: bool = False) -> Citation:
        """The citation of a page, or of a section on it. Raises `CitationError` where the library has none."""
        from pincite.search.cite.make import cite_page

        return cite_page(self._open(), document, page, section, with_hash=with_hash)

    def export(
        self, citations: Citation | str | Iterable[Citation | str], form: str = "markdown", *, password: str | None = None
    ) -> str:
        """Citations with their words in a form of `pincite.search.cite.export.FORMS`. `password` is as for `resolve`.

        Raises `CitationError`, `ValueError`.
        """
        from pincite.search.cite.export import FORMS, passage

        if form not in FORMS:
            raise ValueError(f"no form {form!r}: choose one of {', '.join(FORMS)}")
        find_tables = self._find_tables(password)
        cited = [citations] if isinstance(citations, (Citation, str)) else citations
        return FORMS[form]([passage(self._open(), citation, find_tables) for citation in cited])

    def link(self, document: str, page: int) -> str | None:
        """A `file:` link to a page of a document, given by its SHA-256; None where no file of it is known to be there."""
        from pincite.search.cite.export import file_link

        there = [location.path for location in self._open().locations(document) if location.missing_since is None]
        return file_link(there[0], page) if there else None

    def remove(self, name: str) -> list[str]:
        """Delete a document, and older versions of its file with it; returns their names. Raises `CitationError`."""
        return self._open().remove(self.document(name).id)

    def prune(self, *, superseded: bool = False, dry_run: bool = False) -> Pruned:
        """Forget the files that are gone, and the documents that stood nowhere else; see `Pruned`."""
        from pincite.ingest.keep import prune

        return prune(self._open(), superseded=superseded, dry_run=dry_run)

    def verify(self, *, files: bool = True, repair: bool = False, progress: Rebuilt | None = None) -> Verification:
        """Look for damage in the library, and with `files` for files that are gone or others now; see `Verification`."""
        from pincite.ingest.keep import verify

        return verify(self._open(), files=files, repair=repair, progress=progress)

    def stats(self) -> dict[str, Any]:
        """How much the library holds: counts and sizes in bytes, as JSON values."""
        return self._open().figures()

    def backup(self, target: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Copy the library as it stands at this moment, also while others write. Raises `FileExistsError` without `replace`."""
        from pincite.ingest.keep import backup

        backup(self._open(), target, replace=replace)

    def reindex(self, progress: Rebuilt | None = None) -> None:
        """Cut all pages into chunks anew and build the full-text tables again."""
        self._open().rebuild(progress)

    def documents(self) -> list[DocumentRow]:
        """All documents by name."""
        return self._open().documents()

    def document(self, name: str) -> DocumentRow:
        """One document by its cite name, a path suffix that only it has, or the first digits of its SHA-256.

        Unlike a citation this also finds a document whose file has changed since. Raises `CitationError`.
        """
        store = self._open()
        lookup = look_up(store, name)
        if lookup.verdict == "absent" and percent_decode(name) != name:
            # As it is written in a citation.
            name = percent_decode(name)
            lookup = look_up(store, name)
        exact = store.document(name) if lookup.verdict == "stale" else None
        if exact is not None:
            return exact
        if lookup.document is not None:
            return lookup.document
        digits = name.lower()
        if lookup.verdict == "absent" and len(digits) >= SHORTEST_HASH and set(digits) <= set("0123456789abcdef"):
            found = store.documents_by_hash(digits)
            if len(found) == 1:
                return found[0]
        raise CitationError(lookup.reason or lookup.verdict, slug=lookup.verdict)

    def page(self, document: DocumentRow | str, page: int) -> PageRow | None:
        """One stored page of a document, given by its row or SHA-256; None where it has no such page."""
        return self._open().page(document if isinstance(document, str) else document.id, page)

    def page_summaries(self, document: DocumentRow) -> list[PageSummary]:
        """All stored pages of a document without their texts."""
        return self._open().page_summaries(document.id)

    def page_states(self) -> dict[str, dict[str, int]]:
        """For each document's SHA-256 the number of its pages in each state."""
        return self._open().state_counts()

    def incomplete(self) -> list[str]:
        """The names of documents some pages of which could not be read, or were over a limit."""
        return self._open().incomplete()

    def file_counts(self) -> dict[str, int]:
        """For each document's SHA-256 the number of files that hold its bytes, as far as is known."""
        return self._open().file_counts()

    def locations(self, document: DocumentRow) -> list[Location]:
        """Where a document's bytes were seen."""
        return self._open().locations(document.id)

    def failures(self) -> list[FailureRow]:
        """The files that could not be taken in, or not wholly, by path."""
        return self._open().failures()

    def missing(self) -> set[str]:
        """The names of documents whose files are gone, as far as was noticed."""
        return self._open().missing()

    def chunks(self, document: DocumentRow, page: int | None = None, *, overlap: int = 0) -> list[Chunk]:
        """The chunks of a document, or of one of its pages, in order.

        With an `overlap` each page's are followed by extra ones around its cuts, of up to so many characters on each side: see
        `pincite.search.chunk.overlaps`, which raises `ValueError` for more than 1,000. Searches know nothing of them.
        """
        store = self._open()
        found = list(store.chunks(document.id, page))
        if not overlap:
            return found
        result: list[Chunk] = []
        for number, chunks in groupby(found, attrgetter("page")):
            own = list(chunks)
            row = store.page(document.id, number)
            result += own
            if row is not None:
                result += overlaps(row.text, own, overlap, row.sections or ())
        return result

    def old_pages(self, document: DocumentRow, page: int) -> list[OldPage]:
        """The texts that a page had under older text versions, where they were others; the newest first."""
        return self._open().old_pages(document.id, page)

    def outline(self, document: DocumentRow) -> tuple[OutlineItem, ...]:
        """A document's outline."""
        return self._open().outline(document.id)

    def _open(self, *, create: bool = False) -> Store:
        if self._closed:
            raise LibraryError("the library is closed: open it anew with Library(path)", slug="closed")
        if self._store is None:
            self._store = Store(self.path, create=create, on_wait=self._on_wait, on_rebuild=self._on_rebuild)
        return self._store
