"""What a search asks the full-text table for, and how it is written as an FTS5 expression.

(https://www.sqlite.org/fts5.html, "Full-text Query Syntax".) Terms are letters, digits and characters beyond ASCII alone, so a
quoted string never holds a quote.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pincite.search.analysis import is_unspaced
from pincite.search.index.terms import CHARACTER


class Phrase(NamedTuple):
    """Terms that must stand one after another; with `prefix`, any term that begins with the last one will do."""

    terms: tuple[str, ...]
    prefix: bool = False


Clause = tuple[Phrase, ...]
"""Phrases of which one must be there."""


class Sought(NamedTuple):
    """Clauses that must all hold, and phrases of which none may be there."""

    clauses: tuple[Clause, ...]
    excluded: tuple[Phrase, ...] = ()

    def expression(self) -> str:
        """The same as an FTS5 expression."""
        return with_excluded(" AND ".join(any_of(clause) for clause in self.clauses), self.excluded)


def with_excluded(expression: str, excluded: Iterable[Phrase]) -> str:
    """An expression without what holds one of some phrases."""
    left_out = any_of(excluded)
    return f"({expression}) NOT {left_out}" if left_out else expression


def any_of(phrases: Iterable[Phrase]) -> str:
    """Phrases as one operand of an expression: empty where there is none."""
    strings = [_string(phrase) for phrase in dict.fromkeys(phrases)]
    return strings[0] if len(strings) == 1 else f"({' OR '.join(strings)})" if strings else ""


def marked(phrases: Iterable[Phrase], mark: str) -> str:
    """What holds all terms of one of the phrases with a mark: as often as the mark says, whether or not in that order."""
    alternatives = []
    for phrase in dict.fromkeys(phrases):
        last = len(phrase.terms) - 1
        terms = dict.fromkeys(
            f'"{mark}{term}"{" *" if phrase.prefix and position == last else ""}' for position, term in enumerate(phrase.terms)
        )
        alternatives.append(f"({' AND '.join(terms)})")
    return f"({' OR '.join(alternatives)})"


def _string(phrase: Phrase) -> str:
    (first, *others), prefix = phrase
    if prefix and not others and len(first) == 1 and is_unspaced(first):
        return f'"{CHARACTER}{first}"'
    return f'"{" ".join(phrase.terms)}"{" *" if phrase.prefix else ""}'
