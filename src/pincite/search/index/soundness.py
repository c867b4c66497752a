"""Is a library sound? What SQLite says of the file, and what pincite says of the rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from pincite.errors import LibraryError
from pincite.model.text import OutlineItem
from pincite.search.chunk import CHUNKER_VERSION, SectionsByPage, chunk_page, inner_titles
from pincite.search.index.database import Database, text_digest
from pincite.search.index.rebuilding import section_starts
from pincite.search.index.rows import ALTERED, decode_name

Part = Literal["file", "rows", "text", "chunks", "index"]
Progress = Callable[[int, int], None]

MOST_OF_A_KIND = 20


class Flaw(NamedTuple):
    """Something that is not as it should be. `can_be_made_again`: it is derived, so a repair makes it right."""

    part: Part
    message: str
    can_be_made_again: bool


def flaws(database: Database, progress: Progress | None = None) -> Iterator[Flaw]:
    """Everything that is wrong with a library, apart from the files that it was made from.

    Documents whose text was altered are noted as such, where the library may be written: the next ingest reads them anew.
    """
    found = list(_file_flaws(database))
    yield from found
    if any(not flaw.can_be_made_again for flaw in found):
        return
    yield from _row_flaws(database)
    yield from _chunk_flaws(database, progress)
    yield from _index_flaws(database)


def _file_flaws(database: Database) -> Iterator[Flaw]:
    for (message,) in database.execute(f"PRAGMA integrity_check({MOST_OF_A_KIND})"):
        if message != "ok":
            # Indexes that disagree with their tables are made again by REINDEX; FTS5 speaks of its own tables.
            derived = "chunk_terms" in message or "seam_terms" in message or "missing from index" in message
            yield Flaw("file", message, derived)


def _row_flaws(database: Database) -> Iterator[Flaw]:
    for table, row, parent, _ in database.execute("PRAGMA foreign_key_check")[:MOST_OF_A_KIND]:
        yield Flaw("rows", f"row {row} of {table} belongs to nothing in {parent}", False)
    for name, outline, provenance in database.execute("SELECT name, outline, provenance FROM documents"):
        try:
            json.loads(outline), json.loads(provenance)
        except (ValueError, TypeError):
            yield Flaw("rows", f"{decode_name(name)}: its outline or provenance is not JSON", False)


def _chunk_flaws(database: Database, progress: Progress | None) -> Iterator[Flaw]:
    documents = database.execute("SELECT number, id, name, outline FROM documents ORDER BY number")
    for done, (number, identifier, name, outline) in enumerate(documents, 1):
        try:
            items = SectionsByPage(OutlineItem(*item) for item in json.loads(outline))
        except (TypeError, ValueError):
            items = SectionsByPage(())
        try:
            altered, differing = _differing_pages(database, number, identifier, items)
        except (ValueError, TypeError):
            yield Flaw("rows", f"{decode_name(name)}: the text or the sections of a page are not what they should be", False)
            altered, differing = [], []
        if altered and not database.is_read_only:
            # So that the next ingest does not take it for unchanged.
            database.execute("UPDATE documents SET text_version = ? WHERE number = ?", (ALTERED, number))
        for page in altered[:MOST_OF_A_KIND]:
            message = f"the text of page {page} is not the one that was read from the file: ingest the file again"
            yield Flaw("text", f"{decode_name(name)}: {message}", False)
        for page in differing[:1]:
            yield Flaw("chunks", f"{decode_name(name)}: the chunks of page {page} are not those of its text", True)
        if progress is not None:
            progress(done, len(documents))


def _differing_pages(database: Database, number: int, identifier: str, outline: SectionsByPage) -> tuple[list[int], list[int]]:
    """The pages whose text is not the one that was read, and those whose chunks are others than cutting them again would give."""
    inner: dict[int, set[str]] = {}
    for chunk, title in database.execute(
        "SELECT i.chunk, i.title FROM chunks c JOIN inner_sections i ON i.chunk = c.number WHERE c.document = ?", (number,)
    ):
        inner.setdefault(chunk, set()).add(title)
    stored: dict[int, list[tuple[Any, ...]]] = {}
    for page, at, *facts in database.execute(
        'SELECT page, number, ordinal, start, "end", section, chunker FROM chunks WHERE document = ? ORDER BY page, ordinal',
        (number,),
    ):
        stored.setdefault(page, []).append((*facts, inner.get(at, set())))
    altered, found = [], []
    pages = database.execute("SELECT page, text, sections, digest FROM pages WHERE document = ? ORDER BY page", (number,))
    for page, text, sections, digest in pages:
        if text_digest(text.encode()) != digest:
            altered.append(page)
        starts = section_starts(sections, outline, page)
        expected = [
            (one.ordinal, one.start, one.end, one.section, CHUNKER_VERSION, set(inner_titles(starts, one.start, one.end)))
            for one in chunk_page(identifier, page, text, starts)
        ]
        if expected != stored.get(page, []):
            found.append(page)
    return altered, found


def _index_flaws(database: Database) -> Iterator[Flaw]:
    # FTS5 is asked by writing, which a library that may only be read refuses.
    for table in () if database.is_read_only else ("chunk_terms", "seam_terms"):
        try:
            database.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
        except LibraryError as error:
            if error.slug != "corrupt":
                raise
            yield Flaw("index", f"the full-text table {table} is damaged", True)
            return
    searchable = "SELECT c.number FROM chunks c JOIN documents d ON d.number = c.document WHERE d.superseded_by IS NULL"
    for message, first, second in (
        ("chunks can't be found, since the full-text table lacks them", searchable, "SELECT id FROM chunk_terms_docsize"),
        ("rows of the full-text table belong to no chunk", "SELECT id FROM chunk_terms_docsize", searchable),
        ("rows about the ends of chunks belong to no chunk", "SELECT id FROM seam_terms_docsize", searchable),
    ):
        ((count,),) = database.execute(f"SELECT count(*) FROM ({first} EXCEPT {second})")
        if count:
            yield Flaw("index", f"{count:,} {message}", True)
