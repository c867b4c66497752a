"""Rules: the horizontal and vertical lines that a reader sees between cells, however a producer draws them.

A line may be stroked, filled as a thin rectangle, drawn as a thin image, or be nothing but the edge of a shaded box. Pieces of
one line are joined; the places where pieces meet are kept, since producers end a piece where a column ends.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite._kernel.columns import (
    FLAG_HIDDEN,
    KIND_CURVE,
    KIND_EDGE,
    KIND_LINE,
    KIND_RECTANGLE,
    PATH_FACT_FIELDS,
    PATH_PLACE_FIELDS,
)
from pincite.model.geometry import Rect
from pincite.pdf.layout.tables.words import Frame, Word

THIN = 3.2
"""A filled box no thicker than this, in points, is a line."""
SAME_LINE = 1.0
"""Pieces whose distance across is no more than this are on one line."""
PIECES_APART = 3.5
"""Pieces with a gap along the line of no more than this are one: dashes, or corners that are drawn apart."""
SHORTEST = 5.0
MOST_FILLS = 2500
MOST_COMPARED = 3_000_000
"""So many boxes are compared with places beside edges, all in all: a drawing of shades is no table."""
_WHITE = 0xF8
_SAMPLE_STEP = 8.0
_BUCKET = 16.0


@dataclass(slots=True, eq=False)
class Rule:
    """A line at one coordinate (y of a horizontal, x of a vertical one) from `low` to `high` along the other.

    `drawn` is false for an edge of a shaded box. `breaks` are the places along it where its pieces meet.
    """

    at: float
    low: float
    high: float
    thickness: float = 0.0
    drawn: bool = True
    breaks: tuple[float, ...] = ()

    @property
    def length(self) -> float:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Fill:
    """A shaded box, in the order in which it is painted; colour as 0xRRGGBB, -1 where it is not known."""

    x0: float
    y0: float
    x1: float
    y1: float
    color: int

    @property
    def white(self) -> bool:
        color = self.color
        return color >= 0 and min(color >> 16, (color >> 8) & 255, color & 255) >= _WHITE


@dataclass(slots=True)
class Rules:
    """All rules of a page in one frame; `curves` are the boxes of drawings."""

    horizontal: list[Rule] = field(default_factory=list)
    vertical: list[Rule] = field(default_factory=list)
    fills: list[Fill] = field(default_factory=list)
    curves: list[tuple[float, float, float, float]] = field(default_factory=list)
    underlines: list[Rule] = field(default_factory=list)

    def pictured(self, x0: float, y0: float, x1: float, y1: float, em: float) -> bool:
        """Whether a box holds a drawing, as a chart does: large curves or slanted lines."""
        area = 0.0
        count = 0
        for cx0, cy0, cx1, cy1 in self.curves:
            if min(cx1 - cx0, cy1 - cy0) < 0.8 * em or max(cx1 - cx0, cy1 - cy0) < 3.0 * em:
                continue
            width, height = min(cx1, x1) - max(cx0, x0), min(cy1, y1) - max(cy0, y0)
            if width <= 0.0 or height <= 0.0 or width * height < 0.5 * (cx1 - cx0) * (cy1 - cy0):
                continue
            count += 1
            area += width * height
        return count >= 4 or area > 0.15 * (x1 - x0) * (y1 - y0)


def read_rules(places: array[float], facts: array[int], frame: Frame, visible: Rect) -> Rules:
    """The rules among what a page paints (the columns of `pincite._kernel.paths`), inside its visible box."""
    left, bottom = frame.enter(visible.x0, visible.y0)
    right, top = frame.enter(visible.x1, visible.y1)
    left, right, bottom, top = min(left, right), max(left, right), min(bottom, top), max(bottom, top)
    across: list[Rule] = []
    upright: list[Rule] = []
    fills: list[Fill] = []
    curves: list[tuple[float, float, float, float]] = []
    for row in range(len(facts) // PATH_FACT_FIELDS):
        kind, color, flags = facts[PATH_FACT_FIELDS * row : PATH_FACT_FIELDS * row + 3]
        if flags & FLAG_HIDDEN:
            continue
        ax, ay, bx, by, width = places[PATH_PLACE_FIELDS * row : PATH_PLACE_FIELDS * row + 5]
        ax, ay = frame.enter(ax, ay)
        bx, by = frame.enter(bx, by)
        x0, x1 = max(min(ax, bx), left), min(max(ax, bx), right)
        y0, y1 = max(min(ay, by), bottom), min(max(ay, by), top)
        if x0 > x1 or y0 > y1:
            continue
        if kind == KIND_CURVE:
            curves.append((x0, y0, x1, y1))
            continue
        thick = min(x1 - x0, y1 - y0)
        if kind in (KIND_LINE, KIND_EDGE):
            if width > 2 * THIN:
                pad = width / 2
                if x1 - x0 >= y1 - y0:
                    fills.append(Fill(x0, y0 - pad, x1, y1 + pad, color))
                else:
                    fills.append(Fill(x0 - pad, y0, x1 + pad, y1, color))
                continue
            thick = width
        elif thick > THIN or max(x1 - x0, y1 - y0) < 2 * thick:
            if kind == KIND_RECTANGLE and thick > THIN:
                fills.append(Fill(x0, y0, x1, y1, color))
            continue
        drawn = kind != KIND_EDGE
        if x1 - x0 >= y1 - y0:
            across.append(Rule(0.5 * (y0 + y1), x0, x1, thick, drawn))
        else:
            upright.append(Rule(0.5 * (x0 + x1), y0, y1, thick, drawn))
    if len(fills) <= MOST_FILLS:
        _add_edges(fills, across, upright)
    return Rules(join_rules(across), join_rules(upright), fills, curves)


def join_rules(pieces: Iterable[Rule]) -> list[Rule]:
    """Lines from pieces that lie on them, in order of their places; what stays short is a dot or a tick."""
    lines: list[Rule] = []
    group: list[Rule] = []
    for piece in sorted(pieces, key=lambda piece: piece.at):
        if group and piece.at - group[0].at > SAME_LINE:
            lines.extend(_join_collinear(group))
            group = []
        group.append(piece)
    lines.extend(_join_collinear(group))
    return [line for line in lines if line.length >= SHORTEST]


def _join_collinear(group: list[Rule]) -> Iterable[Rule]:
    group.sort(key=lambda piece: piece.low)
    current: list[Rule] = []
    high = 0.0
    for piece in group:
        if current and piece.low - high > PIECES_APART:
            yield _joined(current)
            current = []
        high = max(high, piece.high) if current else piece.high
        current.append(piece)
    if current:
        yield _joined(current)


def _joined(pieces: list[Rule]) -> Rule:
    longest = max(pieces, key=lambda piece: piece.length)
    ends = sorted(piece.high for piece in pieces)
    breaks: list[float] = []
    for piece in pieces:
        if any(abs(end - piece.low) <= SAME_LINE for end in ends) and (not breaks or piece.low - breaks[-1] > SAME_LINE):
            breaks.append(piece.low)
    return Rule(
        longest.at, pieces[0].low, ends[-1], max(piece.thickness for piece in pieces), any(piece.drawn for piece in pieces),
        tuple(breaks),
    )  # fmt: skip


def _add_edges(fills: Sequence[Fill], across: list[Rule], upright: list[Rule]) -> None:
    """Add those edges of shaded boxes where the colour changes: boxes behind single lines of text in a shaded cell have none."""
    buckets: dict[int, list[int]] = {}
    for number, fill in enumerate(fills):
        for bucket in range(int(fill.y0 // _BUCKET), int(fill.y1 // _BUCKET) + 1):
            buckets.setdefault(bucket, []).append(number)

    left = MOST_COMPARED

    def color_at(x: float, y: float) -> int:
        nonlocal left
        left -= len(buckets.get(int(y // _BUCKET), ()))
        for number in reversed(buckets.get(int(y // _BUCKET), ())):
            fill = fills[number]
            if fill.x0 <= x <= fill.x1 and fill.y0 <= y <= fill.y1:
                return 0xFFFFFF if fill.white else fill.color
        return 0xFFFFFF

    for fill in fills:
        if fill.white:
            continue
        if left < 0:
            return
        for y in (fill.y0, fill.y1):
            for low, high in _visible(fill.x0, fill.x1, lambda x, y=y: color_at(x, y - 1.2) != color_at(x, y + 1.2)):
                across.append(Rule(y, low, high, 0.0, drawn=False))
        for x in (fill.x0, fill.x1):
            for low, high in _visible(fill.y0, fill.y1, lambda y, x=x: color_at(x - 1.2, y) != color_at(x + 1.2, y)):
                upright.append(Rule(x, low, high, 0.0, drawn=False))


def _visible(low: float, high: float, differs: object) -> Iterable[tuple[float, float]]:
    """The stretches between `low` and `high` where both sides differ, by samples."""
    assert callable(differs)
    count = min(60, max(3, int((high - low) / _SAMPLE_STEP)))
    step = (high - low) / count
    start: float | None = None
    for index in range(count + 1):
        seen = index < count and differs(low + (index + 0.5) * step)
        if seen and start is None:
            start = low + index * step
        elif not seen and start is not None:
            yield start, low + index * step
            start = None


def part_underlines(rules: Sequence[Rule], words: Sequence[Word]) -> tuple[list[Rule], list[Rule]]:
    """The horizontal rules, and those that merely underline words: as long as what stands right on them, no longer."""
    kept: list[Rule] = []
    underlines: list[Rule] = []
    numbers = sorted(range(len(words)), key=lambda number: words[number].y0)
    feet = [words[number].y0 for number in numbers]
    reach = max((word.em for word in words), default=0.0)
    for rule in rules:
        first, last = bisect_left(feet, rule.at - 0.31 * reach), bisect_right(feet, rule.at + 0.13 * reach)
        above = [
            word
            for word in (words[number] for number in sorted(numbers[first:last]))
            if -0.12 * word.em <= rule.at - word.y0 <= 0.30 * word.em and word.x0 < rule.high and word.x1 > rule.low
        ]
        if above:
            above.sort(key=lambda word: word.x0)
            em = max(word.em for word in above)
            together = all(second.x0 - first.x1 < em for first, second in pairwise(above))
            # a space at the end may be underlined as well
            if together and abs(above[0].x0 - rule.low) < 0.15 * em and abs(above[-1].x1 - rule.high) < 0.45 * em:
                underlines.append(rule)
                continue
        kept.append(rule)
    return kept, underlines
