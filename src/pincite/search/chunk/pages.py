"""Cut a page into chunks."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.model.chunk import Chunk
from pincite.search.chunk.boundaries import hard_cut, is_inside_grapheme, line_cuts, paragraph_cuts, sentence_cuts, word_cuts
from pincite.search.chunk.sections import SectionStart, section_in_force

__all__ = ["AIM", "CHUNKER_VERSION", "LIMIT", "chunk_page", "page_spans"]

CHUNKER_VERSION = "pdf-page-v1"
"""Changes with any change to the chunks of any page."""

AIM = 1500
"""A page of up to this many characters is one chunk; a longer one is cut into equal parts of no more than this, about."""
LIMIT = 2000
"""No chunk has more characters than this."""
_SLACK = LIMIT - AIM


def chunk_page(document: str, page: int, text: str, sections: Sequence[SectionStart] = ()) -> list[Chunk]:
    """The chunks of one page, in order: `text[chunk.start:chunk.end] == chunk.text`, and only white space lies between them.

    `document` is the SHA-256 in hex, `page` is 1-based, `sections` come in order of their starts. A blank page has none.
    """
    return [
        Chunk(document, page, start, end, text[start:end], ordinal, section_in_force(sections, start))
        for ordinal, (start, end) in enumerate(page_spans(text))
    ]


def page_spans(text: str) -> list[tuple[int, int]]:
    """The spans of a page's chunks: half-open, in order, without white space at their ends."""
    spans = []
    start, end = _stripped(text, 0, len(text))
    while start < end:
        cut = end if end - start <= AIM else _next_cut(text, start, end)
        spans.append(_stripped(text, start, cut))
        start, end = _stripped(text, cut, end)
    return spans


def _next_cut(text: str, start: int, end: int) -> int:
    """Where the first of the equal parts that are left should end: at the best kind of boundary near, the nearest of its kind."""
    parts = -(-(end - start) // AIM)
    ideal = start + -(-(end - start) // parts)
    lowest, highest = ideal - _SLACK, min(ideal + _SLACK, end - 1)
    blanks = _Blanks(text, end)
    for cuts_in in (paragraph_cuts, sentence_cuts, line_cuts, word_cuts):
        # The character after the highest cut is read too, since a boundary is seen by the white space that follows it.
        cuts = [cut for cut in cuts_in(text, lowest, min(highest + 2, end)) if lowest <= cut <= highest]
        for cut in sorted(cuts, key=lambda cut: (abs(cut - ideal), cut)):
            # A mark that stands on the white space after a cut belongs to it.
            if not is_inside_grapheme(text, cut) and not is_inside_grapheme(text, blanks.end(cut)):
                return cut
    return hard_cut(text, ideal, lowest)


class _Blanks:
    """Where white space ends, from each of many places in it: passed once, since a page of blank lines has a cut at each."""

    def __init__(self, text: str, end: int) -> None:
        self._text = text
        self._end = end
        self._run = range(0)

    def end(self, start: int) -> int:
        """The first place from `start` on that holds no white space, or the end."""
        at = start
        while at < self._end and at not in self._run and self._text[at].isspace():
            at += 1
        self._run = range(min(start, self._run.start), self._run.stop) if at in self._run else range(start, at)
        return self._run.stop


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; an empty span where it is blank."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
