"""Queries as FTS5 expressions (https://www.sqlite.org/fts5.html, "Full-text Query Syntax")."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.search.query.syntax import Query, Wanted
from pincite.search.query.words import TermPhrase

__all__ = ["to_fts5"]


def to_fts5(query: Query) -> str:
    """The query as an FTS5 expression over a column of analysed terms; its filters are not in it.

    Terms are letters, digits and characters beyond ASCII alone, so a quoted string never holds a quote.
    """
    required = " AND ".join(_any_of(clause) for clause in query.required)
    if not query.excluded:
        return required
    return f"({required}) NOT {_any_of(query.excluded)}"


def _any_of(items: Iterable[Wanted]) -> str:
    strings = list(dict.fromkeys(_string(phrase) for item in items for phrase in item.phrases))
    return strings[0] if len(strings) == 1 else f"({' OR '.join(strings)})"


def _string(phrase: TermPhrase) -> str:
    return f'"{" ".join(phrase.terms)}"{" *" if phrase.prefix else ""}'
