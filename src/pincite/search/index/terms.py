"""The full-text table: which rows it holds, and building them again from the pages, since it is never the only copy."""

from __future__ import annotations

from pincite.search.analysis import ANALYZER_VERSION, term_stream
from pincite.search.index.database import Database


def index_terms(text: str) -> str:
    """The text of a chunk as the full-text table takes it: its analysed terms in one string."""
    return term_stream(text)


def remove_terms(database: Database, document: int) -> None:
    """Take a document out of the full-text table; its pages and chunks stay."""
    database.execute("DELETE FROM chunk_terms WHERE rowid IN (SELECT number FROM chunks WHERE document = ?)", (document,))


def restore_terms(database: Database, document: int) -> None:
    """Put a document's chunks, analysed anew, into the full-text table, where they must not be yet."""
    rows = database.execute(
        'SELECT c.number, c.start, c."end", p.text FROM chunks c JOIN pages p USING (document, page) WHERE document = ?',
        (document,),
    )
    terms = ((number, index_terms(text[start:end])) for number, start, end, text in rows)
    database.execute_many("INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)", terms)


def rebuild_terms(database: Database) -> None:
    """Build the whole full-text table again and record the analyzer that did it, in one transaction."""
    with database.transaction():
        database.execute("INSERT INTO chunk_terms (chunk_terms) VALUES ('delete-all')")
        for (document,) in database.execute("SELECT number FROM documents WHERE superseded_by IS NULL ORDER BY number"):
            restore_terms(database, document)
        database.execute(
            "INSERT INTO settings (key, value) VALUES ('analyzer', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (ANALYZER_VERSION,),
        )


def ensure_current_terms(database: Database) -> None:
    """Rebuild the full-text table where another version of the analyzer made it."""
    recorded = database.execute("SELECT value FROM settings WHERE key = 'analyzer'")
    if recorded != [(ANALYZER_VERSION,)]:
        rebuild_terms(database)
