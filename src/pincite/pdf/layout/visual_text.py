"""A page's text as it looks: a grid of characters that keeps columns, indents and the alignment of tables.

What stands together on a line is a *phrase*, which is written as it is. Phrases are put into rows by their baselines and into
columns by where they begin, in cells of the width of an average character. Where a text is denser than that, everything to the
right of it goes farther right, in all rows alike, so that columns stay columns. Nothing is wrapped, and of two texts in one place
the second gets a row of its own.
"""

from __future__ import annotations

import heapq
import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from statistics import median_low

from pincite._kernel.columns import FACT_FIELDS, PLACE_FIELDS, RUN_NUMBER_FIELDS
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout

PHRASE_GAP = 1.0
"""White wider than this (em) parts two phrases."""
SAME_ROW = 0.5
"""Baselines nearer than this (em) are one row."""
OVERLAP = 0.5
"""Two phrases that overlap by more than this (em) can't stand in one row."""
ALIGNED = 0.35
"""Edges nearer than this (cells) are aligned."""
APART = 2
"""The least number of blanks between two phrases."""
INDENT = 6
"""What begins no farther than this (cells) to the right of another keeps its distance where both are moved."""
NUDGE = 3
"""The most that a phrase is moved (cells) to end where those end that it is aligned with at its right."""
MOST_BLANK_ROWS = 4
MOST_COLUMNS = 1000
FEWEST_COLUMNS = 200
MOST_CELLS = 4_000_000
"""Rows times columns, which a page of a hundred thousand rows would have billions of."""


@dataclass(slots=True)
class _Phrase:
    """A text that is written in one go, with its place in the frame of its direction; `width` in cells."""

    text: str
    start: float
    end: float
    down: float
    em: float
    width: int = 0
    column: int = 0


def visual_text(content: PageContent, layout: PageLayout) -> str:
    """The lines of the grid, without blanks at their ends. Text in other directions than most of the page's follows in grids of
    its own."""
    directions: dict[int, list[_Phrase]] = {}
    for direction, phrase in _phrases(content, layout):
        directions.setdefault(direction, []).append(phrase)
    ordered = sorted(directions.values(), key=lambda phrases: -sum(phrase.width for phrase in phrases))
    return "\n\n".join(_grid(phrases) for phrases in ordered)


def _phrases(content: PageContent, layout: PageLayout) -> list[tuple[int, _Phrase]]:
    """(direction in degrees, phrase) in the order of the text."""
    found: list[tuple[int, _Phrase]] = []
    text, places, numbers = layout.text, content.places, content.run_numbers
    bounds = [*layout.line_starts, len(text) + 1]
    frames: dict[int, tuple[int, float, float, float, float]] = {}
    for line in range(len(bounds) - 1):
        phrase: _Phrase | None = None
        begin = finish = bounds[line]
        direction = 0
        before = last = 0.0
        for offset in range(bounds[line], bounds[line + 1] - 1):
            row = layout.sources[offset]
            if row < 0 or text[offset].isspace():
                continue
            run = content.facts[FACT_FIELDS * row + 2]
            frame = frames.get(run)
            if frame is None:
                at = RUN_NUMBER_FIELDS * run
                frame = frames[run] = _frame(numbers[at], numbers[at + 1], numbers[at + 4])
            turn, ex, ey, unit, em = frame
            x, y, own = places[PLACE_FIELDS * row : PLACE_FIELDS * row + 3]
            start = x * ex + y * ey
            end = start + own * unit
            if phrase is not None and turn == direction and max(start - last, before - end) <= PHRASE_GAP * max(em, phrase.em):
                phrase.start = min(phrase.start, start)
                phrase.end = max(phrase.end, end)
                if em > phrase.em:
                    phrase.em, phrase.down = em, x * ey - y * ex
            else:
                if phrase is not None:
                    phrase.text = text[begin:finish]
                phrase = _Phrase("", start, end, x * ey - y * ex, em)
                found.append((turn, phrase))
                begin, direction = offset, turn
            before, last, finish = start, end, offset + 1
        if phrase is not None:
            phrase.text = text[begin:finish]
    for _, phrase in found:
        phrase.text = " ".join(phrase.text.split())
        phrase.width = _width(phrase.text)
    return found


def _frame(dx: float, dy: float, em: float) -> tuple[int, float, float, float, float]:
    """(degrees, unit vector, the length that an own width of 1 has, em) of a run; nearly upright is upright."""
    length = math.hypot(dx, dy)
    degrees = round(math.degrees(math.atan2(dy, dx))) % 360
    quarter = round(degrees / 90) * 90
    if abs(degrees - quarter) <= 3:
        degrees = quarter % 360
    angle = math.radians(degrees)
    return degrees, math.cos(angle), math.sin(angle), length, em


def _width(text: str) -> int:
    """Cells that a text takes: wide East Asian characters (UAX 11) two, marks on others none."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def _grid(phrases: list[_Phrase]) -> str:
    rows = _rows(phrases)
    left = min(phrase.start for phrase in phrases)
    most = max(FEWEST_COLUMNS, min(MOST_COLUMNS, MOST_CELLS // len(rows)))
    cell = max(_cell(phrases), (max(phrase.end for phrase in phrases) - left) / most, 1e-9)
    _place(phrases, left, cell, most)
    lines: list[str] = []
    leading = _leading(rows)
    for number, row in enumerate(rows):
        if number:
            step = row[0].down - rows[number - 1][0].down
            blank = round(step / max(leading, row[0].em)) - 1 if leading > 0 else 0
            lines += [""] * max(0, min(MOST_BLANK_ROWS, blank))
        lines += _write(row)
    return "\n".join(lines)


def _rows(phrases: list[_Phrase]) -> list[list[_Phrase]]:
    """From top to bottom what shares a baseline, from left to right."""
    rows: list[list[_Phrase]] = []
    for phrase in sorted(phrases, key=attrgetter("down")):
        if rows and phrase.down - rows[-1][0].down < SAME_ROW * min(phrase.em, rows[-1][0].em):
            rows[-1].append(phrase)
        else:
            rows.append([phrase])
    for row in rows:
        row.sort(key=attrgetter("start", "end"))
    return rows


def _cell(phrases: list[_Phrase]) -> float:
    """The width of an average character: the median over all characters."""
    widths = sorted((max(0.0, phrase.end - phrase.start) / phrase.width, phrase.width) for phrase in phrases if phrase.width)
    half = sum(width for _, width in widths) / 2
    for each, width in widths:
        half -= width
        if half <= 0:
            return each
    return 0.0


def _leading(rows: list[list[_Phrase]]) -> float:
    """The usual distance of rows."""
    steps = [after[0].down - before[0].down for before, after in pairwise(rows)]
    return median_low(steps) if steps else 0.0


def _place(phrases: list[_Phrase], left: float, cell: float, most: int) -> None:
    """Give each phrase its column, from left to right: behind whatever ends to the left of it, in any row."""
    starts = Counter(_edge(phrase.start, cell) for phrase in phrases)
    ends = Counter(_edge(phrase.end, cell) for phrase in phrases)
    right_edges: dict[int, int] = {}
    open_ends: list[tuple[float, int]] = []
    least = column = 0
    group = -math.inf
    for phrase in sorted(phrases, key=attrgetter("start")):
        while open_ends and open_ends[0][0] <= phrase.start + ALIGNED * cell:
            least = max(least, heapq.heappop(open_ends)[1] + APART)
        if phrase.start > group + ALIGNED * cell:
            indent = round((phrase.start - group) / cell) if phrase.start < group + INDENT * cell else 0
            column = min(most, max(least, round((phrase.start - left) / cell), column + indent))
            group = phrase.start
        phrase.column = column
        edge = _edge(phrase.end, cell)
        if _near(ends, edge) > max(1, _near(starts, _edge(phrase.start, cell))):
            known = next((right_edges[near] for near in (edge, edge - 1, edge + 1) if near in right_edges), None)
            if known is None:
                right_edges[edge] = column + phrase.width
            elif abs(known - phrase.width - column) <= NUDGE:
                phrase.column = max(0, known - phrase.width)
        heapq.heappush(open_ends, (phrase.end, phrase.column + phrase.width))


def _edge(place: float, cell: float) -> int:
    return round(place / (ALIGNED * cell))


def _near(counts: Counter[int], edge: int) -> int:
    return counts[edge - 1] + counts[edge] + counts[edge + 1]


def _write(row: list[_Phrase]) -> list[str]:
    """The line of a row, and further ones for what overlaps; each phrase stands in the first line that has room for it."""
    lines: list[list[str]] = []
    widths: list[int] = []
    taken: list[tuple[float, int]] = []
    free: list[int] = []
    for phrase in row:
        while taken and taken[0][0] <= phrase.start + OVERLAP * phrase.em:
            heapq.heappush(free, heapq.heappop(taken)[1])
        if free:
            line = heapq.heappop(free)
        else:
            line = len(lines)
            lines.append([])
            widths.append(0)
        blanks = max(phrase.column - widths[line], APART if lines[line] else 0)
        lines[line].append(" " * blanks + phrase.text)
        widths[line] += blanks + phrase.width
        heapq.heappush(taken, (phrase.end, line))
    return ["".join(line) for line in lines]
