"""Asking the full-text table."""

from __future__ import annotations

import json

from pincite.model.chunk import Chunk
from pincite.search.index.database import Database
from pincite.search.index.rows import SearchFilter, SearchRow, decode_name

# Ordering by rank alone makes FTS5 sort every match; with a second column SQLite keeps only the best `limit`. Chunks
# are numbered as documents come in, page after page, so equal scores come in that order.
_RANKED = "SELECT rowid, rank FROM chunk_terms WHERE chunk_terms MATCH ? ORDER BY rank, rowid LIMIT ?"

_RANKED_AND_FILTERED = """
SELECT t.rowid, t.rank
FROM chunk_terms t CROSS JOIN chunks c ON c.number = t.rowid JOIN documents d ON d.number = c.document
WHERE chunk_terms MATCH ? AND ({condition})
ORDER BY t.rank, t.rowid LIMIT ?
"""

_FETCH = """
SELECT d.id, d.name, c.page, p.label, c.start, c."end", c.ordinal, c.section, p.text
FROM chunks c JOIN documents d ON d.number = c.document JOIN pages p ON p.document = c.document AND p.page = c.page
WHERE c.number = ?
"""


def search(database: Database, expression: str, narrowing: SearchFilter, limit: int) -> list[SearchRow]:
    """The best `limit` chunks for an FTS5 expression over analysed terms, best first; ties by document and page."""
    if narrowing:
        condition, parameters = _condition(narrowing)
        statement = _RANKED_AND_FILTERED.format(condition=condition)
        ranked = database.execute(statement, (expression, *parameters, limit))
    else:
        ranked = database.execute(_RANKED, (expression, limit))
    found = []
    for number, rank in ranked:
        for document, name, page, label, start, end, ordinal, section, text in database.execute(_FETCH, (number,)):
            chunk = Chunk(document, page, start, end, text[start:end], ordinal, section)
            found.append(SearchRow(-rank, decode_name(name), label, text, chunk))
    return found


def _condition(narrowing: SearchFilter) -> tuple[str, list[str | int]]:
    conditions: list[str] = []
    parameters: list[str | int] = []
    if narrowing.documents is not None:
        conditions.append("d.id IN (SELECT value FROM json_each(?))")
        parameters.append(json.dumps(narrowing.documents))
    if narrowing.pages is not None:
        conditions.append(" OR ".join(["c.page BETWEEN ? AND ?"] * len(narrowing.pages)) or "FALSE")
        for first, last in narrowing.pages:
            parameters.extend((first, last))
    return ") AND (".join(conditions), parameters
