"""Words into the cells of a grid of rules, and what the rules leave out: rows and columns that only the text shows."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from pincite.pdf.layout.tables.captions import is_caption, is_note
from pincite.pdf.layout.tables.columns import River, find_rivers
from pincite.pdf.layout.tables.grid import Draft, Grid
from pincite.pdf.layout.tables.lines import Line, Segment, is_data, lines_across
from pincite.pdf.layout.tables.rows import read_rows
from pincite.pdf.layout.tables.words import Word

FILLED = 0.2
"""The share of cells with text below which a grid is a drawing."""
FILLED_SHADES = 0.4
"""The same for a grid that is mostly the edges of shaded boxes, as the bars of a chart are."""
SPLIT_GAP = 0.55
"""A gap over this, in em, parts two columns that no line parts."""
ROW_GAP = 0.75
"""White across all columns over this, in em, may part two rows that no line parts."""


def fill(grid: Grid, words: Sequence[Word]) -> None:
    """Put each word into the cell where its middle is; one that a wall goes through is cut there."""
    places = grid.places()
    x0, y0, x1, y1 = grid.box
    downwards = [-y for y in grid.ys]
    for word in words:
        y = word.middle_y
        if not y0 <= y <= y1 or word.x1 < x0 or word.x0 > x1:
            continue
        row = min(max(bisect_left(downwards, -y) - 1, 0), grid.rows - 1)
        for piece in _cut(word, grid, places[row]):
            if x0 <= piece.middle_x <= x1:
                column = min(max(bisect_left(grid.xs, piece.middle_x) - 1, 0), grid.columns - 1)
                places[row][column].words.append(piece)


def _cut(word: Word, grid: Grid, row: Sequence[Draft]) -> list[Word]:
    """The pieces of a word between the walls of its row, cut between two characters."""
    if word.turned or len(word.edges) != len(word.text):
        return [word]
    slack = 0.25 * word.em
    cuts = []
    for column in range(grid.columns - 1):
        x = grid.xs[column + 1]
        if word.x0 + slack < x < word.x1 - slack and row[column] is not row[column + 1]:
            at = min(range(1, len(word.edges)), key=lambda index: abs(word.edges[index] - x), default=0)
            if at and abs(word.edges[at] - x) < 0.4 * word.em:
                cuts.append(at)
    if not cuts:
        return [word]
    pieces = []
    for first, last in zip([0, *cuts], [*cuts, len(word.text)], strict=True):
        if last > first:
            right = word.edges[last] if last < len(word.edges) else word.x1
            pieces.append(
                replace(
                    word,
                    start=word.start + first,
                    end=word.start + last,
                    text=word.text[first:last],
                    x0=word.edges[first],
                    x1=right,
                    edges=word.edges[first:last],
                )
            )
    return pieces


def refine(grid: Grid) -> bool:
    """Complete a filled grid; whether it is a table, without the caption and the notes in its frame."""
    least = FILLED if grid.drawn else FILLED_SHADES
    if not grid.cells or sum(1 for cell in grid.cells if cell.words) < least * len(grid.cells):
        return False
    em = grid.em
    _drop_slivers(grid, em)
    _trim(grid)
    _split_merged(grid, em)
    _split_columns(grid, em)
    for row in reversed(range(grid.rows)):
        _split_row(grid, row, em)
    full = [cell for cell in grid.cells if cell.words]
    rows = {row for cell in full for row in range(cell.top, cell.bottom + 1)}
    starts = {cell.left for cell in full}
    return len(full) >= 4 and len(rows) >= 2 and len(starts) >= 2


def _drop_slivers(grid: Grid, em: float) -> None:
    """Drop rows and columns without a word of their own that are too narrow for one: the space between double rules,
    and what shading that ends under a text sets off below it."""
    for row in reversed(range(grid.rows)):
        own = any(cell.words and cell.top == row == cell.bottom for cell in grid.cells)
        low = grid.ys[row] - grid.ys[row + 1] < 0.75 * em
        if not own and grid.rows > 1 and (low or (row and grid.ys[row] in grid.soft)):
            grid.drop_row(row)
    for column in reversed(range(grid.columns)):
        own = any(cell.words and cell.left == column == cell.right for cell in grid.cells)
        if not own and grid.columns > 1 and grid.xs[column + 1] - grid.xs[column] < 0.75 * em:
            grid.drop_column(column)


def _trim(grid: Grid) -> None:
    """Drop rows at the top that hold a caption and rows at the bottom that hold notes, across all columns."""
    while grid.rows > 2 and (words := _across(grid, 0)) is not None and (not words or is_caption(_text(words))):
        grid.drop_row(0)
    while grid.rows > 2 and (words := _across(grid, grid.rows - 1)) is not None and (not words or is_note(_text(words))):
        grid.drop_row(grid.rows - 1)


def _across(grid: Grid, row: int) -> list[Word] | None:
    """The words of a row that is one cell, or blank."""
    cells = [cell for cell in grid.cells if cell.top <= row <= cell.bottom]
    if any(cell.top != cell.bottom for cell in cells):
        return None
    full = [cell for cell in cells if cell.words]
    if not full:
        return []
    return full[0].words if len(cells) == 1 and grid.columns > 1 else None


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in sorted(words, key=lambda word: word.start))


def _split_merged(grid: Grid, em: float) -> None:
    """Cut cells over several columns where their text stands in these columns: producers leave out lines that nobody misses."""
    for boundary in range(1, grid.columns):
        x = grid.xs[boundary]
        crossing = [cell for cell in grid.cells if cell.left < boundary <= cell.right and cell.words]
        parted = [cell for cell in crossing if _parted_at(cell, x, em)]
        if not parted or 2 * len(parted) < len(crossing):
            continue
        for cell in parted:
            right = Draft(cell.top, cell.bottom, boundary, cell.right, [word for word in cell.words if word.middle_x >= x])
            cell.words = [word for word in cell.words if word.middle_x < x]
            cell.right = boundary - 1
            grid.cells.append(right)


def _parted_at(cell: Draft, x: float, em: float) -> bool:
    """Whether each line of a cell has white space at x, and there are words on both sides."""
    left = right = False
    for line in lines_across(cell.words):
        before = max((word.x1 for word in line.words if word.middle_x < x), default=None)
        after = min((word.x0 for word in line.words if word.middle_x >= x), default=None)
        left, right = left or before is not None, right or after is not None
        if before is not None and after is not None and after - before < SPLIT_GAP * em:
            return False
    return left and right


def _split_columns(grid: Grid, em: float) -> None:
    """Split columns whose cells hold several texts side by side, in line over most rows."""
    column = 0
    while column < grid.columns:
        cells = [cell for cell in grid.cells if cell.left == cell.right == column and cell.words]
        lines = [line for cell in cells for line in lines_across(cell.words)]
        for river in find_rivers(lines, em) if len(cells) > 2 else ():
            parted = [cell for cell in cells if _parted_at(cell, river.middle, em)]
            if 3 * len(parted) < 2 * len(cells):
                continue
            aside = [cell for cell in cells if all(word.x1 < river.x1 or word.x0 > river.x0 for word in cell.words)]
            grid.split_column(column, river.middle, [cell for cell in cells if cell not in parted and cell not in aside])
            column += 1
            cells = [cell for cell in grid.cells if cell.left == cell.right == column and cell.words]
        column += 1


def _split_row(grid: Grid, row: int, em: float) -> None:
    """Split a row whose cells hold several rows of values, or of paragraphs with labels, that no line parts."""
    cells = [cell for cell in grid.cells if cell.top == row == cell.bottom and cell.words]
    if len(cells) < 2 or any(word.turned for cell in cells for word in cell.words):
        return
    boundaries = _value_rows(grid, cells, em) or _paragraph_rows(cells, em)
    if boundaries:
        grid.split_rows(row, boundaries)


def _value_rows(grid: Grid, cells: Sequence[Draft], em: float) -> list[float]:
    """Heights between the rows of values in cells: each line of at least one of them is a value, on a line with others."""
    by_cell = [lines_across(cell.words) for cell in cells]
    stacked = [lines for lines in by_cell if len(lines) > 1 and all(is_data(_line_text(line)) for line in lines)]
    if not stacked:
        return []
    most = max(stacked, key=len)
    middles = [line.middle for line in most]
    others = [line.middle for lines in by_cell if lines is not most for line in lines]
    level = sum(any(abs(middle - other) < 0.35 * em for other in others) for middle in middles)
    if 3 * level < 2 * len(middles):
        return []
    return _between(cells, grid)


def _between(cells: Sequence[Draft], grid: Grid) -> list[float]:
    words = [word for cell in cells for word in cell.words]
    inner = sorted({grid.xs[cell.left] for cell in cells})[1:]
    rivers = [River(x, x, 2) for x in inner]
    lines = lines_across(words)
    rows = read_rows([_cut_line(line, inner) for line in lines], rivers, ())
    return [0.5 * (first.y0 + second.y1) for first, second in itertools.pairwise(rows)]


def _cut_line(line: Line, boundaries: Sequence[float]) -> Line:
    """The line with its segments cut at the boundaries of columns."""
    segments: list[Segment] = []
    column = -1
    for word in line.words:
        here = bisect_left(boundaries, word.middle_x)
        if here != column:
            segments.append(Segment([]))
            column = here
        segments[-1].words.append(word)
    return Line(segments, line.y0, line.y1)


def _line_text(line: Line) -> str:
    return " ".join(word.text for word in line.words)


def _paragraph_rows(cells: Sequence[Draft], em: float) -> list[float]:
    """Heights where white space goes through all cells and the first of them has a label below each."""
    words = sorted((word for cell in cells for word in cell.words), key=lambda word: -word.y1)
    boundaries: list[float] = []
    bottom = words[0].y0
    for word in words:
        if bottom - word.y1 > ROW_GAP * em:
            boundaries.append(0.5 * (bottom + word.y1))
        bottom = min(bottom, word.y0)
    if not boundaries:
        return []
    first = min(cells, key=lambda cell: cell.left)
    if first.left:
        return []
    bounds = [float("inf"), *boundaries, float("-inf")]
    several = 0
    for high, low in itertools.pairwise(bounds):
        if not any(low < word.middle_y < high for word in first.words):
            return []
        several += any(low < word.middle_y < high for cell in cells if cell is not first for word in cell.words)
    return boundaries if several > 1 else []
