"""The grid of lines of text that stand in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.pdf.layout.tables.columns import River, find_rivers
from pincite.pdf.layout.tables.grid import Draft, Grid
from pincite.pdf.layout.tables.heads import FULL_RULE, count_head_lines, read_heads
from pincite.pdf.layout.tables.lines import Line, is_data
from pincite.pdf.layout.tables.rows import Row, read_rows
from pincite.pdf.layout.tables.rules import Rule, Rules

FILLED = 0.4
"""The share of places with text below which lines are no rows, but the lettering of a drawing."""

_ITEM = re.compile(r"(?:[•●▪■◆◦○►–—*·-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\[\d+\]|§|\d+(?:\.\d+)+\.?)\Z", re.IGNORECASE)


def is_item(text: str) -> bool:
    """Whether a text is what stands before an item of a list or a numbered heading."""
    return _ITEM.match(text) is not None


def columns_of(lines: Sequence[Line], rules: Rules) -> list[River]:
    """The rivers between the columns of lines that may be a table."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    em = common_em(lines)
    breaks = [at for rule in _inside(rules, left, right, lines[-1].y0 - em, lines[0].y1 + em) for at in rule.breaks]
    count = count_head_lines(lines, _full(rules, left, right, lines[-1].y0, lines[0].y1))
    return find_rivers([line for line in lines[count:] if len(line.segments) > 1], em, breaks)


def common_em(lines: Sequence[Line]) -> float:
    """The size of most lines."""
    return sorted(line.em for line in lines)[len(lines) // 2]


def build(lines: Sequence[Line], rules: Rules, rivers: Sequence[River]) -> Grid | None:
    """The grid of lines from the top down, with `rivers` between its columns; None where they are no table."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = lines[0].y1, lines[-1].y0
    em = common_em(lines)
    full = _full(rules, left, right, bottom, top)
    partial = [rule for rule in _inside(rules, left, right, bottom - em, top + em) if not covers(rule, left, right)]
    count = count_head_lines(lines, full)
    head = lines[:count]
    rows = read_rows(lines[count:], rivers, full)
    if not _is_table(rows, head, rivers, len(full)) or rules.pictured(left, bottom, right, top, em):
        return None
    extents = _extents(rows, rivers, left, right)
    drafts, head_rows = read_heads(head, rivers, extents, partial, full, rules.underlines) if head else ([], 0)
    return _assemble(drafts, head_rows, head, rows, rivers, (left, right))


def _inside(rules: Rules, left: float, right: float, bottom: float, top: float) -> list[Rule]:
    return [
        rule for rule in rules.horizontal
        if bottom < rule.at < top and min(rule.high, right) - max(rule.low, left) > 0.0
    ]  # fmt: skip


def _full(rules: Rules, left: float, right: float, bottom: float, top: float) -> list[float]:
    """The heights of the rules across a table, from the top."""
    return sorted((rule.at for rule in _inside(rules, left, right, bottom, top) if covers(rule, left, right)), reverse=True)


def covers(rule: Rule, left: float, right: float) -> bool:
    """Whether a rule goes over most of a table's width."""
    return min(rule.high, right) - max(rule.low, left) >= FULL_RULE * (right - left)


def _extents(rows: Sequence[Row], rivers: Sequence[River], left: float, right: float) -> list[tuple[float, float]]:
    """From where to where the texts of each column reach in the body."""
    edges = [left, *(river.middle for river in rivers), right]
    extents = []
    for column in range(len(rivers) + 1):
        words = [word for row in rows if column not in row.spans for word in row.columns[column]]
        if words:
            x0, x1 = min(word.x0 for word in words), max(word.x1 for word in words)
            extents.append((max(x0, edges[column]), min(x1, edges[column + 1])))
        else:
            extents.append((edges[column], edges[column + 1]))
    return extents


def _is_table(rows: Sequence[Row], head: Sequence[Line], rivers: Sequence[River], levels: int) -> bool:
    """Whether rows look like those of a table rather than a list, a contents page or text in columns.

    `levels` is how many rules go across them, besides those over and under the table.
    """
    columns = len(rivers) + 1
    ruled = levels > 0
    full = [row for row in rows if len(row.filled) > 1]
    if len(full) < 2 or len(full) + bool(head) < 3:
        return False
    cells = [(column, " ".join(word.text for word in row.columns[column])) for row in full for column in row.filled]
    if not ruled and len(cells) < FILLED * columns * len(full):
        return False
    data = sum(is_data(text) for column, text in cells if column)
    rest = sum(1 for column, text in cells if column)
    share = data / max(1, rest)
    firsts = [text for column, text in cells if column == 0]
    if firsts and sum(is_item(text) for text in firsts) > 0.6 * len(firsts) and columns == 2:
        return False
    if columns == 2 and levels >= len(rows) - 1 >= 2:
        return True  # a rule between all rows
    if columns == 2:
        return share >= 0.7 and (len(full) >= 4 or ruled)
    if ruled and share < 0.25:
        # words alone: several rows, all in one size and with all of the columns
        ems = sorted(word.em for row in full for words in row.columns for word in words)
        common = sum(abs(em - ems[len(ems) // 2]) < 0.15 * em for em in ems)
        return len(full) >= 3 and 10 * common > 8 * len(ems) and all(river.support > 1 for river in rivers)
    if ruled:
        return True
    return share >= 0.5 and len(full) >= 3


def _assemble(
    drafts: list[Draft],
    head_rows: int,
    head: Sequence[Line],
    rows: Sequence[Row],
    rivers: Sequence[River],
    sides: tuple[float, float],
) -> Grid:
    columns = len(rivers) + 1
    xs = [sides[0], *(river.middle for river in rivers), sides[1]]
    tops = [row.y1 for row in rows]
    bottoms = [row.y0 for row in rows]
    ys: list[float] = []
    if head_rows:
        top, low = head[0].y1, head[-1].y0
        ys += [top - (top - low) * number / head_rows for number in range(head_rows)]
        ys.append(0.5 * (low + tops[0]))
    else:
        ys.append(tops[0])
    ys += [0.5 * (bottom + top) for bottom, top in zip(bottoms, tops[1:], strict=False)]
    ys.append(bottoms[-1])
    cells = list(drafts)
    for number, row in enumerate(rows, head_rows):
        column = 0
        while column < columns:
            last = row.spans.get(column, column)
            # a label that is alone on its line heads the rows below it, and no other columns
            if row.filled == [0] or any(row.columns[other] for other in range(column + 1, last + 1)):
                last = column
            cells.append(Draft(number, number, column, last, row.columns[column]))
            column = last + 1
    return Grid(ys, xs, cells, "unruled", head_rows)
