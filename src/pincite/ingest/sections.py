"""Where on a page the sections of an outline start: where their titles stand as lines of its text.

An outline says the page of a section; a page on which one section ends and another begins needs the place on it as well.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from pincite.model.text import OutlineItem
from pincite.search.chunk import SectionStart, sections_on

LONGEST_HEAD = 100
MOST_LINES = 3
"""A title may go over so many lines."""
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|제)\s*)?[\divxlc]+(?:\.\d+)*(?:장|절)?[.:)]?(?=\s|$)\s*", re.IGNORECASE
)
_NO_LETTERS = re.compile(r"[\W_]+")


def place_sections(outline: Sequence[OutlineItem], page: int, text: str) -> tuple[SectionStart, ...] | None:
    """The sections of a page with the characters that they start at, in order; None where the outline alone says it all.

    A section that goes on from an earlier page starts at 0. One whose title does not stand there, or whose order on the page
    is not the outline's, starts where the one before it does, so that what follows is the last of them, as before.
    """
    here = [item for item in outline if item.page == page and item.title.strip()]
    if not here:
        return None
    before = sections_on([item for item in outline if item.page < page], page)
    titled = _places([item.title for item in here], text)
    if all(place is None for place in titled):
        return None
    starts: list[SectionStart] = [SectionStart(0, before[0].title)] if before else []
    at = 0
    first = next(place for place in titled if place is not None)
    for item, place in zip(here, titled, strict=True):
        if place is not None:
            at = 0 if place == first and _is_running_head(text[:place]) else place
        starts.append(SectionStart(at, item.title))
    # What stands above the first heading of a document has no section; of several at one place the last counts.
    return tuple({start.start: start for start in starts}.values())


def _is_running_head(above: str) -> bool:
    """True of what stands above the first heading of a page and is no part of the section before."""
    return len(above) <= LONGEST_HEAD and len(above.split("\n")) <= 3


def _places(titles: list[str], text: str) -> list[int | None]:
    """Where each title stands as one or more whole lines, each after the one before it."""
    whole = _key(text)
    wanted = [{key for key in (_key(title), _key(_NUMBERING.sub("", title))) if key and key in whole} for title in titles]
    lines = _lines(text) if any(wanted) else []
    found: list[int | None] = []
    first = 0
    for keys in wanted:
        match = next((number for number in range(first, len(lines)) if keys and _stands_at(lines, number, keys)), None)
        if match is None:
            found.append(None)
        else:
            found.append(lines[match].start)
            first = match + 1
    return found


class _Line(NamedTuple):
    """A line of a page: where it starts, its key, and that without a number before it."""

    start: int
    key: str
    unnumbered: str


def _lines(text: str) -> list[_Line]:
    lines = []
    start = 0
    for line in text.split("\n"):
        bare = line.strip()
        if bare:
            key = _key(bare)
            numbered = _NUMBERING.match(bare)
            lines.append(_Line(start + line.index(bare[0]), key, _key(bare[numbered.end() :]) if numbered else key))
        start += len(line) + 1
    return lines


def _stands_at(lines: list[_Line], number: int, keys: set[str]) -> bool:
    """True where some lines together, from this one on, are one of the keys."""
    joined, unnumbered = lines[number].key, lines[number].unnumbered
    for line in lines[number + 1 : number + MOST_LINES]:
        if joined in keys or unnumbered in keys:
            return True
        if not any(key.startswith((joined, unnumbered)) for key in keys):
            return False
        joined, unnumbered = joined + line.key, unnumbered + line.key
    return joined in keys or unnumbered in keys


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())
