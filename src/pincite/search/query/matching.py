"""What of a verbatim text answers a query: the same phrases that the full-text table looks up, found with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.model.hit import Span
from pincite.search.analysis import fold, is_unspaced, term_ranges
from pincite.search.query.syntax import Query, Wanted
from pincite.search.query.words import TermPhrase

__all__ = ["answers", "match_spans", "merge_spans"]


def match_spans(query: Query, text: str) -> tuple[Span, ...]:
    """The spans of a text that the query's words and quotations match: half-open, in code points, in order, apart.

    Spans that overlap or touch are one. What the query excludes is not shown, and filters play no part.
    """
    phrases = {phrase for clause in query.required for item in clause for phrase in _phrases(item)}
    terms = _Terms(text, phrases)
    return merge_spans(span for phrase in phrases for span in terms.spans(phrase))


def answers(query: Query, text: str) -> bool:
    """True where a text answers the query, filters apart: the same verdict as the full-text table's."""
    items = [*(item for clause in query.required for item in clause), *query.excluded]
    terms = _Terms(text, (phrase for item in items for phrase in _phrases(item)))

    def holds(item: Wanted) -> bool:
        return any(True for phrase in _phrases(item) for _ in terms.spans(phrase))

    return all(any(map(holds, clause)) for clause in query.required) and not any(map(holds, query.excluded))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch put together."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _phrases(item: Wanted) -> tuple[TermPhrase, ...]:
    return (*item.phrases, *item.spaced)


class _Terms:
    """The terms of one text with their positions, as an index of it would hold them."""

    def __init__(self, text: str, phrases: Iterable[TermPhrase]) -> None:
        self._text = text
        self._folded = fold(text)
        self._starts, self._ends = term_ranges(self._folded.text)
        letters = self._folded.text
        self._terms = [letters[start:end] for start, end in zip(self._starts, self._ends, strict=True)]
        firsts = {phrase.terms[0] for phrase in phrases}
        self._positions: dict[str, list[int]] = {first: [] for first in firsts}
        for position, term in enumerate(self._terms):
            if term in firsts:
                self._positions[term].append(position)

    def spans(self, phrase: TermPhrase) -> Iterator[Span]:
        """Where the phrase stands in the verbatim text."""
        terms = self._terms
        wanted = list(phrase.terms)
        last = len(wanted) - 1
        if phrase.prefix and last == 0:
            candidates = [position for position, term in enumerate(terms) if term.startswith(wanted[0])]
        else:
            candidates = self._positions[wanted[0]]
        for position in candidates:
            end = position + last
            if terms[position:end] != wanted[:-1] or end >= len(terms):
                continue
            if terms[end] == wanted[-1] or (phrase.prefix and not is_unspaced(wanted[-1]) and terms[end].startswith(wanted[-1])):
                yield self._folded.span(self._starts[position], self._ends[end])
            elif phrase.prefix and terms[end].startswith(wanted[-1]):
                # Of a bigram only its first character was asked for; of a word that goes on, all is shown.
                yield self._folded.span(self._starts[position], self._starts[end] + 1)
