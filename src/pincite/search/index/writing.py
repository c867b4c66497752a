"""The statements that change a library; each is called inside a transaction of the store."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple
from itertools import islice

from pincite.model.chunk import Chunk
from pincite.search.chunk import CHUNKER_VERSION, SectionStart, inner_titles
from pincite.search.index.database import Database
from pincite.search.index.rows import FailureRow, IndexedChunk, Location, NewDocument, NewPage, PageRow, decode_name, encode_name
from pincite.search.index.running import ChunkText, whole
from pincite.search.index.terms import remove_terms, restore_terms, seam_rows

PAGES_AT_A_TIME = 100


def insert_document(database: Database, document: NewDocument, names: Iterable[str]) -> tuple[int, str]:
    """Insert a document under the first free name, or the one that it had before it was deleted; returns its number and name."""
    former = database.execute("SELECT name FROM retired_names WHERE document = ?", (document.id,))
    if former:
        name = decode_name(former[0][0])
        database.execute("DELETE FROM retired_names WHERE document = ?", (document.id,))
    else:
        taken = "SELECT 1 FROM documents WHERE name = ?1 UNION ALL SELECT 1 FROM retired_names WHERE name = ?1"
        name = next(name for name in names if not database.execute(taken, (encode_name(name),)))
    database.execute(
        "INSERT INTO documents (id, name, pages, title, text_version, outline, provenance) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (document.id, encode_name(name), *_facts(document)),
    )
    return database.last_number(), name


def update_document(database: Database, number: int, document: NewDocument) -> None:
    """Write what is known of a document anew; its name stays."""
    database.execute(
        "UPDATE documents SET pages = ?, title = ?, text_version = ?, outline = ?, provenance = ? WHERE number = ?",
        (*_facts(document), number),
    )


def _facts(document: NewDocument) -> tuple[int, str | None, str, str, str]:
    outline = json.dumps([astuple(item) for item in document.outline], ensure_ascii=False)
    provenance = json.dumps(document.provenance, ensure_ascii=False)
    return document.pages, document.title, document.text_version, outline, provenance


def clear_pages(database: Database, number: int) -> None:
    """Delete a document's pages, and with them its chunks, terms and recognition jobs."""
    remove_terms(database, number)
    database.execute("DELETE FROM pages WHERE document = ?", (number,))


def keep_old_pages(database: Database, number: int) -> None:
    """Keep the texts of a document's pages, before they are replaced: citations were counted in them, where not altered since."""
    database.execute(
        """INSERT INTO old_pages (document, page, text_version, text)
        SELECT p.document, p.page, d.text_version, p.text FROM pages p JOIN documents d ON d.number = p.document
        WHERE p.document = ? AND p.state <> 'failed' AND p.text <> ''
            AND p.digest IS text_digest(CAST(p.text AS BLOB))
        ON CONFLICT DO UPDATE SET text = excluded.text""",
        (number,),
    )


def drop_unchanged_old_pages(database: Database, number: int) -> None:
    """Forget kept texts that are still those of their pages."""
    database.execute(
        """DELETE FROM old_pages WHERE document = ?1 AND text =
        (SELECT text FROM pages WHERE document = ?1 AND pages.page = old_pages.page)""",
        (number,),
    )


def insert_pages(database: Database, number: int, pages: Iterable[NewPage]) -> None:
    """Insert pages with their chunks, and their terms unless the document is superseded. They come in order."""
    searchable = not _is_superseded(database, number)
    ((last,),) = database.execute("SELECT coalesce(max(number), 0) FROM chunks")
    previous: tuple[int, ChunkText] | None = None
    pages = iter(pages)
    while batch := list(islice(pages, PAGES_AT_A_TIME)):
        database.execute_many(
            """INSERT INTO pages (document, page, label, text, state, error, quality, sections, digest)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, text_digest(CAST(?4 AS BLOB)))""",
            [(number, *_page_values(page.row)) for page in batch],
        )
        waiting = [(number, page.row.page) for page in batch if page.ocr]
        database.execute_many("INSERT INTO ocr_jobs (document, page) VALUES (?, ?)", waiting)
        chunks = list(enumerate((indexed for page in batch for indexed in page.chunks), last + 1))
        last += len(chunks)
        database.execute_many(
            """INSERT INTO chunks (number, document, page, ordinal, start, "end", section, chunker)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            [(at, number, *_chunk_values(indexed.chunk)) for at, indexed in chunks],
        )
        starts = {page.row.page: page.row.sections for page in batch if page.row.sections}
        insert_inner_sections(database, ((at, indexed.chunk, starts.get(indexed.chunk.page, ())) for at, indexed in chunks))
        if searchable and chunks:
            terms = [(at, indexed.terms) for at, indexed in chunks]
            database.execute_many("INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)", terms)
            texts = [(at, _chunk_text(indexed)) for at, indexed in chunks]
            seams = seam_rows(texts if previous is None else [previous, *texts])
            database.execute_many("INSERT INTO seam_terms (rowid, terms) VALUES (?, ?)", seams)
            previous = texts[-1]


def insert_inner_sections(database: Database, chunks: Iterable[tuple[int, Chunk, Sequence[SectionStart]]]) -> None:
    """Note which sections begin inside chunks, given by their numbers, of pages with such sections."""
    rows = ((at, title) for at, chunk, sections in chunks for title in inner_titles(sections, chunk.start, chunk.end))
    database.execute_many("INSERT INTO inner_sections (chunk, title) VALUES (?, ?)", rows)


def _chunk_text(indexed: IndexedChunk) -> ChunkText:
    text = indexed.chunk.text
    return whole(text) if indexed.body is None else ChunkText(text, *indexed.body)


def _page_values(row: PageRow) -> tuple[int, str | None, str, str, str | None, str | None, str | None]:
    quality = None if row.quality is None else json.dumps(row.quality)
    sections = None if row.sections is None else json.dumps(row.sections, ensure_ascii=False)
    return row.page, row.label, row.text, row.state, row.error, quality, sections


def _chunk_values(chunk: Chunk) -> tuple[int, int, int, int, str | None, str]:
    return chunk.page, chunk.ordinal, chunk.start, chunk.end, chunk.section, CHUNKER_VERSION


def place(database: Database, location: Location, number: int) -> None:
    """Record that a document stands at a path, now and instead of another document that stood there before.

    The other one, if it stands nowhere else, is superseded: its pages stay and its citations answer `stale`, but no
    search finds it. One that was superseded and turns up again is found again.
    """
    path = os.fsencode(location.path)
    before = database.execute("SELECT document, size, mtime_ns, missing_since FROM locations WHERE path = ?", (path,))
    if before == [(number, location.size, location.mtime_ns, None)]:
        return
    database.execute(
        """INSERT INTO locations (path, size, mtime_ns, document) VALUES (?, ?, ?, ?)
        ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns, document = excluded.document,
            missing_since = NULL""",
        (path, location.size, location.mtime_ns, number),
    )
    if _is_superseded(database, number):
        database.execute("UPDATE documents SET superseded_by = NULL WHERE number = ?", (number,))
        restore_terms(database, number)
    for other, *_ in before:
        if other != number and not database.execute("SELECT 1 FROM locations WHERE document = ?", (other,)):
            database.execute("UPDATE documents SET superseded_by = ? WHERE number = ?", (number, other))
            remove_terms(database, other)


def _is_superseded(database: Database, number: int) -> bool:
    return bool(database.execute("SELECT 1 FROM documents WHERE number = ? AND superseded_by IS NOT NULL", (number,)))


def put_failure(database: Database, failure: FailureRow) -> None:
    """Insert a failure in place of what was known of its path."""
    values = asdict(failure) | {"path": os.fsencode(failure.path)}
    columns = ", ".join(values)
    marks = ", ".join("?" * len(values))
    database.execute(f"INSERT OR REPLACE INTO failures ({columns}) VALUES ({marks})", tuple(values.values()))
