"""Where on a page the sections of an outline start: where their titles stand as lines of its text.

An outline says the page of a section; a page on which one section ends and another begins needs the place on it as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from pincite.search.analysis import normalized
from pincite.search.chunk import SectionsByPage, SectionStart

LONGEST_HEAD = 100
MOST_LINES = 3
"""A title may go over so many lines."""
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|제)\s*)?[\divxlc]+(?:\.\d+)*(?:장|절)?[.:)]?(?=\s|$)\s*", re.IGNORECASE
)
_NO_LETTERS = re.compile(r"[\W_]+")


def place_sections(outline: SectionsByPage, page: int, text: str) -> tuple[SectionStart, ...] | None:
    """The sections of a page with the characters that they start at, in order; None where the outline alone says it all.

    A section that goes on from an earlier page starts at 0. One whose title does not stand there, or whose order on the page
    is not the outline's, starts where the one before it does, so that what follows is the last of them, as before.
    """
    here = [item for item in outline.items(page) if item.title.strip()]
    if not here:
        return None
    before = outline.on(page - 1)
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
    wanted = [{_key(title), _key(_NUMBERING.sub("", title))} - {""} for title in titles]
    lines = _lines(text)
    numbers = _line_numbers(lines, set().union(*wanted))
    found: list[int | None] = []
    first = 0
    for keys in wanted:
        following = [(numbers[key], bisect_left(numbers[key], first)) for key in keys if key in numbers]
        match = min((at[position] for at, position in following if position < len(at)), default=None)
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


def _line_numbers(lines: list[_Line], keys: set[str]) -> dict[str, list[int]]:
    """For each of the keys the lines from which on some together are that key, in order."""
    longest = max(map(len, keys), default=0)
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        here = set()
        for joined in (line.key, line.unnumbered):
            for following in lines[number + 1 : number + MOST_LINES]:
                here.add(joined)
                if len(joined) > longest:
                    break
                joined += following.key
            here.add(joined)
        for key in here & keys:
            found.setdefault(key, []).append(number)
    return found


def _key(text: str) -> str:
    return _NO_LETTERS.sub("", normalized(text).casefold())
