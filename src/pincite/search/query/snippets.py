"""Snippets: the piece of a text that shows best why it was found."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.model.hit import Snippet, Span
from pincite.search.chunk.boundaries import is_inside_grapheme
from pincite.search.query.matching import merge_spans

__all__ = ["SNIPPET_WIDTH", "snippet"]

SNIPPET_WIDTH = 240
# A word is cut rather than more than this given up for its sake.
_LONGEST_WORD = 30


def snippet(text: str, spans: Sequence[Span], width: int = SNIPPET_WIDTH) -> Snippet:
    """A piece of `text` of at most `width` code points around the densest cluster of `spans`, cut at word ends.

    The piece is verbatim, so nothing shows that it was cut; `start` says where in `text` it begins. Spans that lie in it
    partly are cut with it.
    """
    merged = merge_spans(span for span in spans if 0 <= span[0] < span[1] <= len(text))
    first, last = _densest(text, merged, width)
    start, end = _window(text, first, last, width)
    matches = tuple((max(low, start) - start, min(high, end) - start) for low, high in merged if low < end and high > start)
    return Snippet(text[start:end], matches, start)


def _densest(text: str, spans: tuple[Span, ...], width: int) -> Span:
    """The stretch from one span to another, no wider than `width`, with the most different words, then the most spans."""
    best: Span = (0, 0)
    best_score = (0, 0)
    words = [text[start:end].casefold() for start, end in spans]
    for index, (start, _) in enumerate(spans):
        seen: set[str] = set()
        for last in range(index, len(spans)):
            end = spans[last][1]
            if end - start > width and last > index:
                break
            seen.add(words[last])
            score = (len(seen), last - index + 1)
            if score > best_score:
                best, best_score = (start, end), score
    return best


def _window(text: str, first: int, last: int, width: int) -> Span:
    """A range of at most `width` code points around a stretch, a third of the room before it, without cut words."""
    if len(text) <= width:
        start, end = 0, len(text)
    else:
        room = max(0, width - (last - first))
        start = max(0, min(first - room // 3, len(text) - width))
        end = start + width
        start = _word_start(text, start, min(first, end))
        end = _word_end(text, end, max(min(last, end), start + 1))
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _word_start(text: str, start: int, highest: int) -> int:
    """The first place at or after `start` where a word begins; where none is near, as in scripts without spaces, a character."""
    if start == 0 or text[start - 1].isspace():
        return start
    for position in range(start, min(highest, start + _LONGEST_WORD)):
        if text[position].isspace():
            return position + 1
    while start < highest and is_inside_grapheme(text, start):
        start += 1
    return start


def _word_end(text: str, end: int, lowest: int) -> int:
    """The last place at or before `end` where a word ends; where none is near, a character."""
    if end == len(text) or text[end].isspace():
        return end
    for position in range(end, max(lowest, end - _LONGEST_WORD), -1):
        if text[position - 1].isspace():
            return position - 1
    while end > lowest and is_inside_grapheme(text, end):
        end -= 1
    return end
