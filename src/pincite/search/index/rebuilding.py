"""Making again what follows from the pages: chunks, and the full-text tables over them."""

from __future__ import annotations

import json
from collections.abc import Callable

from pincite.model.chunk import Chunk
from pincite.model.text import OutlineItem
from pincite.search.chunk import CHUNKER_VERSION, SectionsByPage, SectionStart, chunk_page
from pincite.search.index.database import Database, Row
from pincite.search.index.terms import INDEX_VERSION, restore_terms
from pincite.search.index.writing import insert_inner_sections

Progress = Callable[[int, int], None]
"""Called after each document with how many are done, and how many there are."""


def ensure_current(database: Database, progress: Progress | None = None) -> None:
    """Make again what another version of pincite made otherwise; every change of the analyzer or the chunker needs it once."""
    if not _is_current(database):
        if database.is_read_only:
            raise database.may_not_be_written("another pincite made its index, which has to be made again first")
        with database.transaction():
            # Another process may have done it while this one waited for the lock.
            if not _is_current(database):
                rebuild(database, recut=_setting(database, "chunker") != CHUNKER_VERSION, progress=progress)


def rebuild(database: Database, *, recut: bool, progress: Progress | None = None) -> None:
    """Build the full-text tables again, and with `recut` the chunks as well, in one transaction."""
    with database.transaction():
        for table in ("chunk_terms", "seam_terms"):
            database.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
        if recut:
            # All at once, so that the numbers begin at 1 again: how many chunks there are is judged by the greatest.
            database.execute("DELETE FROM inner_sections")
            database.execute("DELETE FROM chunks")
        documents = database.execute("SELECT number, superseded_by FROM documents ORDER BY number")
        for done, (document, superseded_by) in enumerate(documents, 1):
            if recut:
                _cut_document(database, document)
            if superseded_by is None:
                restore_terms(database, document)
            if progress is not None:
                progress(done, len(documents))
        _put_setting(database, "analyzer", INDEX_VERSION)
        _put_setting(database, "chunker", CHUNKER_VERSION)


def _cut_document(database: Database, number: int) -> None:
    """Cut a document's pages into chunks; it must have none, nor terms in the full-text tables."""
    ((identifier, outline),) = database.execute("SELECT id, outline FROM documents WHERE number = ?", (number,))
    (items,) = database.built(lambda row: SectionsByPage(OutlineItem(*item) for item in json.loads(row[0])), [(outline,)])
    pages = database.execute("SELECT page, text, sections FROM pages WHERE document = ? ORDER BY page", (number,))

    def cut(row: Row) -> list[tuple[Chunk, tuple[SectionStart, ...]]]:
        page, text, stored = row
        starts = section_starts(stored, items, page)
        return [(chunk, starts) for chunk in chunk_page(identifier, page, text, starts)]

    ((last,),) = database.execute("SELECT coalesce(max(number), 0) FROM chunks")
    for page in pages:
        found = [(at, *one) for at, one in enumerate((one for cuts in database.built(cut, [page]) for one in cuts), last + 1)]
        last += len(found)
        database.execute_many(
            """INSERT INTO chunks (number, document, page, ordinal, start, "end", section, chunker)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            [
                (at, number, chunk.page, chunk.ordinal, chunk.start, chunk.end, chunk.section, CHUNKER_VERSION)
                for at, chunk, _ in found
            ],
        )
        insert_inner_sections(database, found)


def section_starts(stored: str | None, outline: SectionsByPage, page: int) -> tuple[SectionStart, ...]:
    """Where sections start on a page: as it is stored with the page, else as the outline alone has it."""
    if stored is None:
        return outline.on(page)
    return tuple(SectionStart(*start) for start in json.loads(stored))


def _is_current(database: Database) -> bool:
    return _setting(database, "analyzer") == INDEX_VERSION and _setting(database, "chunker") == CHUNKER_VERSION


def _setting(database: Database, key: str) -> str | None:
    rows = database.execute("SELECT value FROM settings WHERE key = ?", (key,))
    return rows[0][0] if rows else None


def _put_setting(database: Database, key: str, value: str) -> None:
    database.execute(
        "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
