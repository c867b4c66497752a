"""Spans that were counted in a text that is no longer the page's: whose words they were, and where these stand now."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.model.hit import Span
from pincite.search.chunk import chunk_page
from pincite.search.cite.wording import Wording, occurrences, wording
from pincite.search.index.rows import OldPage

CONTEXT = 48
"""Characters before and after a quotation that tell its places apart, as its prefix and suffix."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words with what stood around them."""

    text: str
    prefix: str
    suffix: str

    @classmethod
    def of(cls, text: str, span: Span) -> Quotation:
        """The quotation at a span of a text."""
        start, end = span
        return cls(text[start:end], text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT])


def readings(text: str, older: list[OldPage], span: Span) -> list[OldPage | None]:
    """The texts that a span may have been counted in: None stands for the present one, others come newest first.

    A text in which the span says what it says now is not another reading. Where several are left, those in which the span is a
    chunk, or else cuts no word, leave out the others: citations come from searches, or are of whole words.
    """
    candidates: list[tuple[OldPage | None, str]] = [(None, text)] if span[1] <= len(text) else []
    seen = {text[slice(*span)]} if candidates else set()
    for page in older:
        words = page.text[slice(*span)]
        if span[1] <= len(page.text) and words not in seen:
            seen.add(words)
            candidates.append((page, page.text))
    for holds in (_is_chunk, _is_of_whole_words):
        fitting = [candidate for candidate in candidates if holds(candidate[1], span)]
        candidates = fitting or candidates
    return [page for page, _ in candidates]


def find_again(quotation: Quotation, text: str) -> list[Span]:
    """Where in a text a quotation stands: as it is, else in the same wording; one span where what is around it decides."""
    spans = _as_it_is(quotation.text, text)
    page: Wording | None = None
    if not spans:
        page = wording(text)
        spans = occurrences(wording(quotation.text).text, page)
    if len(spans) < 2:
        return spans
    scores = [_likeness(quotation, text, span) for span in spans]
    best = max(scores)
    return [span for span, score in zip(spans, scores, strict=True) if score == best]


def _as_it_is(words: str, text: str) -> list[Span]:
    spans = []
    at = text.find(words)
    while at >= 0:
        spans.append((at, at + len(words)))
        at = text.find(words, at + 1)
    return spans


def _likeness(quotation: Quotation, text: str, span: Span) -> int:
    """How many characters around a span are those that stood around the quotation, counted outwards."""
    start, end = span
    before = wording(text[max(0, start - 2 * CONTEXT) : start]).text[::-1]
    after = wording(text[end : end + 2 * CONTEXT]).text
    return _common(before, wording(quotation.prefix).text[::-1]) + _common(after, wording(quotation.suffix).text)


def _common(one: str, other: str) -> int:
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


def _is_chunk(text: str, span: Span) -> bool:
    return any((chunk.start, chunk.end) == span for chunk in chunk_page("", 1, text))


def _is_of_whole_words(text: str, span: Span) -> bool:
    start, end = span
    return not (_cuts(text, start) or _cuts(text, end) or text[start].isspace() or text[end - 1].isspace())


def _cuts(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()
