"""The rows of a table's body: which lines go on from the one before."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.pdf.layout.tables.columns import River
from pincite.pdf.layout.tables.lines import Line, is_data
from pincite.pdf.layout.tables.words import Word

TIGHT = 0.85
"""Lines nearer than this share of the usual distance between rows belong to one row."""
SPACED = 1.15
"""Rows of several lines are set apart by so much more than their lines, where they are."""
_OPEN_END = re.compile(r"(?:[,(/&-]|\b(?:of|and|the|or|for|in|to|with|a|by|de|et|des|und|der|du|la|von))\Z", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Row:
    """One row: for each column its words; `y0` and `y1` are those of its lines."""

    columns: list[list[Word]]
    y0: float
    y1: float
    last: Line
    spans: dict[int, int]

    @property
    def filled(self) -> list[int]:
        return [column for column, words in enumerate(self.columns) if words]


def read_rows(lines: Sequence[Line], rivers: Sequence[River], levels: Sequence[float]) -> list[Row]:
    """Rows from lines; `levels` are the heights of rules that part them."""
    if not lines:
        return []
    single = [_row(line, rivers) for line in lines]
    bands = _bands(lines, levels)
    # where rules part nearly all rows, what is between two of them is one
    whole = sum(not _holds_rows([single[number] for number in band]) for band in bands)
    ruled = len(bands) >= 3 and 10 * whole >= 7 * len(bands)
    pitch = _pitch(lines)
    right = _label_limit(single)
    apart = None if ruled else _spacing(single)
    rows: list[Row] = []
    for band in bands:
        start = len(rows)
        for number in band:
            row = single[number]
            if len(rows) == start:
                rows.append(row)
                continue
            following = single[number + 1] if number + 1 < len(single) and number + 1 in band else None
            if apart is not None:
                goes_on = _step(rows[-1], row) < apart
            else:
                goes_on = _goes_on(rows[-1], row, following, pitch, right)
            if (ruled and not (len(band) > 2 and _holds_rows([single[number] for number in band]))) or goes_on:
                _join(rows[-1], row)
            else:
                rows.append(row)
    return rows


def _holds_rows(rows: Sequence[Row]) -> bool:
    """Whether lines between two rules are rows of their own: several of them have a label and values."""
    return sum(_has_values(row) for row in rows) > 1


def _has_values(row: Row) -> bool:
    texts = [" ".join(word.text for word in words) for words in row.columns[1:] if words]
    return bool(row.columns[0]) and bool(texts) and 3 * sum(map(is_data, texts)) >= 2 * len(texts)


def _step(row: Row, line: Row) -> float:
    """The white between a row and a line under it, counted from middle to middle of lines."""
    return row.y0 - line.y1 + line.y1 - line.y0


def _row(line: Line, rivers: Sequence[River]) -> Row:
    """The words of a line by columns. A segment that crosses a river stays together, in the column where it begins."""
    columns: list[list[Word]] = [[] for _ in range(len(rivers) + 1)]
    spans: dict[int, int] = {}
    middles = [river.middle for river in rivers]
    for segment in line.segments:
        piece: list[Word] = []
        for word in segment.words:
            if piece:
                gap = word.x0 - piece[-1].x1
                parted = bisect_left(middles, word.middle_x) > bisect_right(middles, piece[-1].middle_x)
                if parted and (gap > 0.5 * word.em or (is_data(word.text) and is_data(piece[-1].text))):
                    _place(piece, columns, spans, rivers, middles)
                    piece = []
            piece.append(word)
        _place(piece, columns, spans, rivers, middles)
    return Row(columns, line.y0, line.y1, line, spans)


def _place(
    piece: list[Word], columns: list[list[Word]], spans: dict[int, int], rivers: Sequence[River], middles: Sequence[float]
) -> None:
    x0, x1 = piece[0].x0, piece[-1].x1
    first = bisect_left(middles, x0)
    last = bisect_left(middles, x1)
    if first != last:
        # a value that sticks out of its column is in the one where most of it is
        if len(piece) == 1 or all(is_data(word.text) for word in piece):
            first = last = bisect_left(middles, 0.5 * (x0 + x1))
        else:
            overlap = x1 - rivers[last - 1].x1
            if overlap < 0.6 * piece[0].em:
                last -= 1
    columns[first].extend(piece)
    if last > first:
        spans[first] = max(last, spans.get(first, first))


def _bands(lines: Sequence[Line], levels: Sequence[float]) -> list[list[int]]:
    """The numbers of the lines between rules."""
    bands: list[list[int]] = []
    before = None
    for number, line in enumerate(lines):
        band = sum(level > line.middle for level in levels)
        if band != before:
            bands.append([])
            before = band
        bands[-1].append(number)
    return bands


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance from line to line."""
    steps = sorted(first.middle - second.middle for first, second in itertools.pairwise(lines))
    return steps[len(steps) // 2] if steps else 0.0


def _spacing(rows: Sequence[Row]) -> float | None:
    """A distance that parts lines of one row from lines of two, where rows of several lines are set apart.

    That is so where the lines that stand apart begin rows, with a label and more, and those that do not have less in them.
    """
    steps = []
    low = rows[0].y0
    for row in rows[1:]:
        steps.append(low - row.y1 + row.y1 - row.y0)
        low = min(low, row.y0)
    ordered = sorted(steps)
    jumps = [(after / before, 0.5 * (before + after)) for before, after in itertools.pairwise(ordered) if before > 0]
    for ratio, apart in sorted(jumps, reverse=True)[:2]:
        if ratio < SPACED:
            return None
        begins = [True, *(step > apart for step in steps)]
        firsts = [row for row, begin in zip(rows, begins, strict=True) if begin]
        others = [row for row, begin in zip(rows, begins, strict=True) if not begin]
        if len(firsts) < 3 or not others:
            continue
        whole = sum(0 in row.filled and len(row.filled) > 1 for row in firsts)
        mean = sum(len(row.filled) for row in firsts) / len(firsts)
        less = sum(len(row.filled) < mean for row in others)
        values = sum(is_data(" ".join(word.text for word in words)) for row in others for words in row.columns[1:] if words)
        filled = sum(len(row.filled) for row in others)
        if 5 * whole >= 4 * len(firsts) and 5 * less >= 4 * len(others) and 2 * values < filled:
            return apart
    return None


def _label_limit(rows: Sequence[Row]) -> float:
    """How far to the right the first column reaches."""
    return max((row.columns[0][-1].x1 for row in rows if row.columns[0] and 0 not in row.spans), default=0.0)


def _goes_on(row: Row, line: Row, following: Row | None, pitch: float, right: float) -> bool:
    """Whether a line goes on from the row before it rather than beginning one."""
    filled, before = line.filled, row.filled
    em = line.last.em
    step = row.last.middle - line.last.middle
    if step < 0.7 * em and not set(filled) & set(before):
        # between two lines of the row: cells of several lines beside others that stand at their middle
        return True
    if step > 1.6 * max(pitch, 1.1 * em):
        return False
    if filled == [0]:
        first, label = line.columns[0][0], row.columns[0]
        if not label:
            return False
        if step < TIGHT * pitch:
            return True
        deeper = first.x0 - label[0].x0 > 0.4 * em
        lower = first.text[:1].islower()
        wraps = label[-1].x1 + first.x1 - first.x0 + 0.25 * em > right
        if len(before) > 1:
            # a row with values whose label is longer than its column; what is as far in as its label begins a group
            if deeper:
                return (
                    wraps
                    or lower
                    or (following is not None and following.filled[:1] == [0] and _indent(following) <= _indent(row) + 0.3 * em)
                )
            return lower and wraps
        return (lower or _OPEN_END.search(label[-1].text) is not None) and (wraps or lower)
    if before == [0] and 0 in filled:
        # the values stand at the last line of a label
        label, first = row.columns[0], line.columns[0][0]
        wraps = label[-1].x1 + first.x1 - first.x0 + 0.25 * em > right
        if first.text[:1].islower() and wraps:
            return True
        return wraps and _OPEN_END.search(label[-1].text) is not None
    if 0 not in filled and before and set(filled) <= set(before):
        texts = [" ".join(word.text for word in line.columns[column]) for column in filled]
        if not any(is_data(text) for text in texts):
            return True
        return step < TIGHT * pitch
    return False


def _indent(row: Row) -> float:
    return row.columns[0][0].x0


def _join(row: Row, line: Row) -> None:
    for column, words in enumerate(line.columns):
        row.columns[column] += words
    for first, last in line.spans.items():
        row.spans[first] = max(last, row.spans.get(first, first))
    row.y0 = min(row.y0, line.y0)
    row.last = line.last
