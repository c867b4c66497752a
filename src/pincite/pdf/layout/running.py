"""Running heads, feet and page numbers: lines at the edges of pages that stand there again on the pages around.

Two lines are one that runs when they stand as far from the same edge, on pages at most `RUNNING_WINDOW` apart (odd and even pages
have heads of their own), and say the same; where numbers in them differ, one must count pages. What is found so is only told: it
stays in the text.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import deque
from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

from pincite._kernel.columns import FACT_FIELDS, PLACE_FIELDS, RUN_NUMBER_FIELDS
from pincite.model.geometry import Rect
from pincite.model.text import RUNNING_WINDOW, PageSpan
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout

ROWS = 5
"""So many rows from the top and from the bottom may run."""
ZONE = 0.25
"""They stand in this share of the page's height."""
LONG = 25
"""A line of so many characters does not stand in one place of two pages by chance."""
MOST_ALIKE = 4
"""Lines of one page that say the same are looked at up to this many."""
SAME_PLACE = 2.0
"""Distances from the edge that differ by no more than this (points) are one."""
SAME_ROW = 0.5
"""Baselines nearer than this (em) are one row."""
LONGEST = 300
"""A line of more characters is text."""
MOST_ROMAN = 16
"""Characters of a line that may be a roman number."""
MOST_ASIDE = 4
"""Lines in other directions that may run, as stamps on the margin do."""

_ASIDE = 1e6
_DIGITS = re.compile(r"\d{1,9}")
_ROMAN = re.compile(r"[ivxl]{1,9}")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
_LABELS = re.compile(r"(?:supplement\w* |online |extended data )?(?:fig|tab|figure|table|chart|plate|box|scheme|appendix)\b")


class EdgeLine(NamedTuple):
    """A line that may run: `place` is its distance from the top edge or, below zero, from the bottom one, in points; of a line on
    its side, one number for where it begins. `key` is what it says with # for numbers, which are `numbers`. An `outermost` line
    has none between it and the edge."""

    start: int
    end: int
    place: float
    key: str
    numbers: tuple[int, ...]
    outermost: bool


def edge_lines(content: PageContent, layout: PageLayout, box: Rect, rotate: int) -> list[EdgeLine]:
    """The lines near the edges of a page as it is shown: `rotate` degrees clockwise."""
    starts, sources = layout.line_starts, layout.sources
    places, numbers = content.places, content.run_numbers
    if not len(sources):
        return []
    bounds = [*starts, len(layout.text) + 1]
    rows = [_first_row(sources, start, bounds[line + 1] - 1) for line, start in enumerate(starts)]
    frame = _frame(box, rotate)
    axis, sign, offset = frame.axis, frame.down, frame.top
    downs = [sign * places[PLACE_FIELDS * row + axis] + offset for row in rows]
    height = box.width if rotate in (90, 270) else box.height
    top = sorted((down, line) for line, down in enumerate(downs) if down < ZONE * height)
    bottom = sorted((height - down, line) for line, down in enumerate(downs) if down > (1 - ZONE) * height)
    turned = _turned(content, rows, frame)
    found: list[EdgeLine | None] = []

    def add(line: int, place: float, outermost: bool) -> None:
        if rows[line] >= 0:
            found.append(_edge_line(layout.text, bounds[line], bounds[line + 1] - 1, place, outermost))

    if len(turned) <= MOST_ASIDE:  # a page of more is text that is turned
        for line in turned:
            across = frame.right * places[PLACE_FIELDS * rows[line] + 1 - axis] + frame.left
            add(line, _ASIDE + 10 * round(across) + downs[line], False)
    for lines, side in ((top, 1), (bottom, -1)):
        count, before = 0, -math.inf
        for distance, line in lines:
            if line in turned:
                continue
            run = content.facts[FACT_FIELDS * rows[line] + 2]
            if distance > before + SAME_ROW * numbers[RUN_NUMBER_FIELDS * run + 4]:
                count, before = count + 1, distance
                if count > ROWS:
                    break
            add(line, side * (1 + distance), count == 1)
    return [line for line in found if line is not None]


class _Frame(NamedTuple):
    """A page as it is shown: what is `down` × the coordinate of this axis (0 for x, 1 for y) + `top` is the distance from the top
    edge, `right` × that of the other one + `left` the one from the left edge."""

    axis: int
    down: float
    top: float
    right: float
    left: float


def _frame(box: Rect, rotate: int) -> _Frame:
    if rotate == 90:
        return _Frame(0, 1.0, -box.x0, 1.0, -box.y0)
    if rotate == 180:
        return _Frame(1, 1.0, -box.y0, -1.0, box.x1)
    if rotate == 270:
        return _Frame(0, -1.0, box.x1, -1.0, box.y1)
    return _Frame(1, -1.0, box.y1, 1.0, -box.x0)


def _turned(content: PageContent, rows: list[int], frame: _Frame) -> set[int]:
    """The lines that do not run from left to right on the page as it is shown."""
    aside = content.run_numbers[frame.axis :: RUN_NUMBER_FIELDS]
    along = content.run_numbers[1 - frame.axis :: RUN_NUMBER_FIELDS]
    if not any(aside) and (min(along) if frame.right > 0 else -max(along)) > 0:
        return set()
    runs = [content.facts[FACT_FIELDS * row + 2] for row in rows]
    return {line for line, run in enumerate(runs) if not frame.right * along[run] > 10 * abs(aside[run])}


def _first_row(sources: array[int], start: int, end: int) -> int:
    """The glyph row of the first character of a line that a glyph drew, -1 without one."""
    while start < end:
        if sources[start] >= 0:
            return sources[start]
        start += 1
    return -1


def _edge_line(text: str, start: int, end: int, place: float, outermost: bool) -> EdgeLine | None:
    line = text[start:end]
    words = " ".join(line.split()).casefold()
    if not words or end - start > LONGEST:
        return None
    start += len(line) - len(line.lstrip())
    end = start + len(line.strip())
    if len(words) < MOST_ROMAN and _ROMAN.fullmatch(roman := words.strip("-–— .|[]()")):
        return EdgeLine(start, end, place, words.replace(roman, "#"), (_roman_value(roman),), outermost)
    numbers = _DIGITS.findall(words)
    key = _DIGITS.sub("#", words) if numbers else words
    return EdgeLine(start, end, place, key, tuple(map(int, numbers)), outermost)


def _roman_value(text: str) -> int:
    values = [_ROMAN_VALUES[character] for character in text]
    return sum(-value if value < after else value for value, after in pairwise([*values, 0]))


class RunningLines:
    """Takes a document's pages in order and tells, with each, which lines of it and of those before it run."""

    def __init__(self) -> None:
        self._pages: deque[_Seen] = deque(maxlen=RUNNING_WINDOW)

    def add(self, page: int, lines: list[EdgeLine]) -> tuple[PageSpan, ...]:
        """Take the next page (1-based); returns what is found by it: on this page, and on those before where it was not known."""
        seen = _Seen(page, lines)
        told: list[PageSpan] = []
        for before in self._pages:
            for position, other_position in seen.repeated(before):
                told += [*seen.count(position), *before.count(other_position)]
        self._pages.append(seen)
        return tuple(sorted(told))


class _Seen:
    """The lines of one page, and on how many other pages each was met again."""

    def __init__(self, page: int, lines: list[EdgeLine]) -> None:
        self.page = page
        self.lines = lines
        self.by_key: dict[str, list[int]] = {}
        for position, line in enumerate(lines):
            self.by_key.setdefault(line.key, []).append(position)
        self._times = [0] * len(lines)

    def repeated(self, before: _Seen) -> Iterator[tuple[int, int]]:
        """The positions here and on an earlier page of lines that are one."""
        for key in self.by_key.keys() & before.by_key.keys():
            for position, other in product(self.by_key[key][:MOST_ALIKE], before.by_key[key][:MOST_ALIKE]):
                if _is_one(self.lines[position], before.lines[other], self.page - before.page):
                    yield position, other

    def count(self, position: int) -> Iterator[PageSpan]:
        """Count a meeting; gives the line when it is then known to run."""
        line = self.lines[position]
        self._times[position] += 1
        # farther in, a word may stand twice in one place: the labels of two figures
        if self._times[position] == (1 if line.outermost or len(line.key) >= LONG else 2):
            yield PageSpan(self.page, line.start, line.end)


def _is_one(line: EdgeLine, other: EdgeLine, pages: int) -> bool:
    """Whether two lines that say the same but for numbers stand in one place, and are one."""
    if abs(line.place - other.place) > SAME_PLACE:
        return False
    if line.numbers == other.numbers:
        # a lone figure is in place by chance: the end of a column, the zero of an axis
        return line.key != "#" or line.numbers[0] > 999
    if _LABELS.match(line.key):
        return False
    return any(a - b == pages for a, b in zip(line.numbers, other.numbers, strict=True))
