"""Extra chunks around the places where a page is cut, for who wants the words on both sides of a cut in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pincite.model.chunk import Chunk
from pincite.search.chunk.boundaries import is_inside_grapheme, word_cuts
from pincite.search.chunk.sections import SectionStart, section_in_force

__all__ = ["MOST_OVERLAP", "overlaps"]

MOST_OVERLAP = 1000
"""Characters on each side of a cut, half of the longest chunk."""


def overlaps(text: str, chunks: Sequence[Chunk], overlap: int, sections: Sequence[SectionStart] = ()) -> list[Chunk]:
    """One chunk around each cut of a page: up to `overlap` characters before it and as many behind it, at ends of words.

    `chunks` are all those of the page, in order, and `text` is the page's. What comes back is text of the page, too, with its
    own coordinates, and is counted on behind the page's chunks. Raises `ValueError` for an overlap below 0 or over
    `MOST_OVERLAP`.
    """
    if not 0 <= overlap <= MOST_OVERLAP:
        raise ValueError(f"an overlap has 0 to {MOST_OVERLAP} characters, not {overlap}")
    if not overlap:
        return []
    extra = []
    for ordinal, (before, after) in enumerate(pairwise(chunks), len(chunks)):
        start = _start(text, max(before.start, before.end - overlap), before.end)
        end = _end(text, after.start, min(after.end, after.start + overlap))
        extra.append(Chunk(before.document, before.page, start, end, text[start:end], ordinal, section_in_force(sections, start)))
    return extra


def _start(text: str, low: int, high: int) -> int:
    """The first beginning of a word at or behind `low`, or else of a character."""
    if low == 0 or text[low - 1].isspace():
        cut = low
    else:
        cut = next(iter(word_cuts(text, low, high)), low)
    while cut < high and text[cut].isspace():
        cut += 1
    cut = low if cut == high else cut
    while cut < high - 1 and is_inside_grapheme(text, cut):
        cut += 1
    return cut


def _end(text: str, low: int, high: int) -> int:
    """The last end of a word at or before `high`, or else of a character."""
    if high == len(text) or text[high].isspace():
        cut = high
    else:
        cut = next(reversed([cut for cut in word_cuts(text, low, high) if cut > low]), high)
    while cut > low + 1 and text[cut - 1].isspace():
        cut -= 1
    while cut > low + 1 and is_inside_grapheme(text, cut):
        cut -= 1
    return cut
