"""What of a verbatim text answers a query: the same phrases that the full-text table looks up, found with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincite.model.hit import Span
from pincite.search.analysis import Term, analyze_with_offsets, fold_text, is_unspaced
from pincite.search.chunk.boundaries import is_inside_grapheme
from pincite.search.query.syntax import Query, Wanted
from pincite.search.query.words import TermPhrase

__all__ = ["answers", "match_spans", "merge_spans"]


def match_spans(query: Query, text: str) -> tuple[Span, ...]:
    """The spans of a text that the query's words and quotations match: half-open, in code points, in order, apart.

    Spans that overlap or touch are one. What the query excludes is not shown, and filters play no part.
    """
    terms = _Terms(text)
    return merge_spans(
        span for clause in query.required for item in clause for phrase in item.phrases for span in terms.spans(phrase)
    )


def answers(query: Query, text: str) -> bool:
    """True where a text answers the query, filters apart: the same verdict as the full-text table's."""
    terms = _Terms(text)

    def holds(item: Wanted) -> bool:
        return any(True for phrase in item.phrases for _ in terms.spans(phrase))

    return all(any(holds(item) for item in clause) for clause in query.required) and not any(
        holds(item) for item in query.excluded
    )


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap or touch put together."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


class _Terms:
    """The terms of one text with their positions, as an index of it would hold them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._terms = analyze_with_offsets(text)
        self._positions: dict[str, list[int]] = {}
        for position, term in enumerate(self._terms):
            self._positions.setdefault(term.term, []).append(position)

    def spans(self, phrase: TermPhrase) -> Iterator[Span]:
        """Where the phrase stands."""
        terms = self._terms
        last = len(phrase.terms) - 1
        for start in self._starts(phrase):
            end = start + last
            if end >= len(terms) or any(terms[start + step].term != phrase.terms[step] for step in range(1, last)):
                continue
            final = terms[end]
            if final.term == phrase.terms[-1]:
                yield terms[start].start, final.end
            elif phrase.prefix and final.term.startswith(phrase.terms[-1]):
                span_end = self._end_of_prefix(final, phrase.terms[-1])
                yield terms[start].start, span_end

    def _starts(self, phrase: TermPhrase) -> list[int]:
        first = phrase.terms[0]
        if len(phrase.terms) == 1 and phrase.prefix:
            return [position for term, positions in self._positions.items() if term.startswith(first) for position in positions]
        return self._positions.get(first, [])

    def _end_of_prefix(self, term: Term, prefix: str) -> int:
        """Where the prefix of a bigram ends; a word is shown whole."""
        if not is_unspaced(prefix[-1]):
            return term.end
        for end in range(term.start + 1, term.end):
            if fold_text(self._text[term.start : end]) == prefix and not is_inside_grapheme(self._text, end):
                return end
        return term.end
