"""Queries as what the full-text table is asked for."""

from __future__ import annotations

from pincite.search.index.sought import Clause, Phrase, Sought
from pincite.search.query.syntax import Query, Wanted

__all__ = ["has_spacing", "phrases_of", "sought"]


def sought(query: Query, *, spacing: bool = True) -> Sought:
    """What a query asks for; its filters are not in it.

    Without `spacing` it leaves out what long Korean words are where their writer set spaces in them, which costs many phrases
    and most often finds little: ask so first, and with it only where that finds too few.
    """
    clauses = tuple(tuple(phrase for item in clause for phrase in phrases_of(item, spacing=spacing)) for clause in query.required)
    return Sought(clauses, tuple(phrase for item in query.excluded for phrase in phrases_of(item, spacing=True)))


def phrases_of(item: Wanted, *, spacing: bool) -> Clause:
    """The phrases of which one must be there for a word or quotation to be."""
    found = (*item.phrases, *(item.spaced if spacing else ()))
    return tuple(Phrase(phrase.terms, phrase.prefix) for phrase in found)


def has_spacing(query: Query) -> bool:
    """True where `sought` gives something else without `spacing`."""
    return any(item.spaced for clause in query.required for item in clause)
