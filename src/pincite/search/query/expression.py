"""Queries as FTS5 expressions (https://www.sqlite.org/fts5.html, "Full-text Query Syntax")."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.search.query.syntax import Query, Wanted
from pincite.search.query.words import TermPhrase

__all__ = ["has_spacing", "to_fts5"]


def to_fts5(query: Query, *, spacing: bool = True) -> str:
    """The query as an FTS5 expression over a column of analysed terms; its filters are not in it.

    Without `spacing` it leaves out what long Korean words are where their writer set spaces in them, which costs many phrases
    and most often finds little: ask so first, and with it only where that finds too few.
    """
    # Terms are letters, digits and characters beyond ASCII alone, so a quoted string never holds a quote.
    required = " AND ".join(_any_of(clause, spacing) for clause in query.required)
    if not query.excluded:
        return required
    return f"({required}) NOT {_any_of(query.excluded, True)}"


def has_spacing(query: Query) -> bool:
    """True where `to_fts5` gives something else without `spacing`."""
    return any(item.spaced for clause in query.required for item in clause)


def _any_of(items: Iterable[Wanted], spacing: bool) -> str:
    phrases = [phrase for item in items for phrase in (*item.phrases, *(item.spaced if spacing else ()))]
    strings = [_string(phrase) for phrase in dict.fromkeys(phrases)]
    return strings[0] if len(strings) == 1 else f"({' OR '.join(strings)})"


def _string(phrase: TermPhrase) -> str:
    return f'"{" ".join(phrase.terms)}"{" *" if phrase.prefix else ""}'
