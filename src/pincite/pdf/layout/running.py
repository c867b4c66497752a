"""Running heads, feet and page numbers: lines at the edges of pages that stand there again on the pages around.

Two lines are one that runs when they stand as far from the same edge, on pages at most `RUNNING_WINDOW` apart (odd and even pages
have heads of their own), and say the same; where numbers in them differ, one must count pages. What is found so is only told: it
stays in the text.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator
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
    text, sources, places, facts, numbers = layout.text, layout.sources, content.places, content.facts, content.run_numbers
    height = box.width if rotate in (90, 270) else box.height
    upper, lower = ZONE * height, (1 - ZONE) * height
    top: list[tuple[float, float, int, int]] = []
    bottom: list[tuple[float, float, int, int]] = []
    aside: list[EdgeLine] = []
    turned = 0
    a, b, c, d, e, f = _as_shown(box, rotate)
    for start, following in pairwise([*layout.line_starts, len(text) + 1]):
        end = following - 1
        first = start
        while first < end and sources[first] < 0:
            first += 1
        if first == end or end - start > LONGEST:
            continue
        row = sources[first]
        at = RUN_NUMBER_FIELDS * facts[FACT_FIELDS * row + 2]
        x, y = places[PLACE_FIELDS * row], places[PLACE_FIELDS * row + 1]
        dx, dy = numbers[at], numbers[at + 1]
        down = c * x + d * y + f
        if a * dx + b * dy > 10 * abs(c * dx + d * dy):
            if down < upper:
                top.append((down, numbers[at + 4], start, end))
            elif down > lower:
                bottom.append((height - down, numbers[at + 4], start, end))
        else:
            turned += 1
            across = _ASIDE + 10 * round(a * x + b * y + e)
            if turned <= MOST_ASIDE and (line := _edge_line(text, start, end, across + down, False)):
                aside.append(line)
    # a page of more is text that is turned
    found = aside if turned <= MOST_ASIDE else []
    for lines, sign in ((top, 1), (bottom, -1)):
        for number, distance, start, end in _outermost(lines):
            if line := _edge_line(text, start, end, sign * (1 + distance), number == 1):
                found.append(line)
    return found


def _as_shown(box: Rect, rotate: int) -> tuple[float, float, float, float, float, float]:
    """(a, b, c, d, e, f): on the page as it is shown a place is a·x + b·y + e from the left and c·x + d·y + f from the top."""
    if rotate == 90:
        return 0.0, 1.0, 1.0, 0.0, -box.y0, -box.x0
    if rotate == 180:
        return -1.0, 0.0, 0.0, 1.0, box.x1, -box.y0
    if rotate == 270:
        return 0.0, -1.0, -1.0, 0.0, box.y1, box.x1
    return 1.0, 0.0, 0.0, -1.0, -box.x0, box.y1


def _outermost(lines: Iterable[tuple[float, float, int, int]]) -> Iterator[tuple[int, float, int, int]]:
    """(row from 1, distance, start, end) of the lines of the first rows."""
    rows = 0
    before = -math.inf
    for distance, em, start, end in sorted(lines):
        if distance > before + SAME_ROW * em:
            rows += 1
            if rows > ROWS:
                return
            before = distance
        yield rows, distance, start, end


def _edge_line(text: str, start: int, end: int, place: float, outermost: bool) -> EdgeLine | None:
    line = text[start:end]
    words = " ".join(line.split()).casefold()
    if not words:
        return None
    start += len(line) - len(line.lstrip())
    end = start + len(line.strip())
    roman = words.strip("-–— .|[]()")
    if _ROMAN.fullmatch(roman):
        return EdgeLine(start, end, place, words.replace(roman, "#"), (_roman_value(roman),), outermost)
    numbers = tuple(int(found) for found in _DIGITS.findall(words))
    return EdgeLine(start, end, place, _DIGITS.sub("#", words), numbers, outermost)


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
