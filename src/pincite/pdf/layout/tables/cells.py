"""From a filled grid to the table that is given out."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.model.geometry import Rect
from pincite.model.table import Cell, Span, Table, TablePart
from pincite.pdf.layout.characters import bidirectional_kind
from pincite.pdf.layout.tables.grid import Draft, Grid
from pincite.pdf.layout.tables.lines import is_data
from pincite.pdf.layout.tables.words import Frame, Word

MOST_HEADS = 5
"""A grid of rules has no more head rows than this."""


def finish(page: int, number: int, grid: Grid, frame: Frame, text: str, caption: str | None) -> Table:
    """The table of a grid on a page; `text` is the page's default text."""
    header_rows = grid.header_rows or _count_head_rows(grid)
    cells = []
    for draft in sorted(grid.cells, key=lambda draft: (draft.top, draft.left)):
        spans = pieces(draft.words, text)
        cells.append(
            Cell(
                row=draft.top + 1,
                column=draft.left + 1,
                row_span=draft.bottom - draft.top + 1,
                column_span=draft.right - draft.left + 1,
                text="\n".join(text[start:end] for start, end in spans),
                spans=spans,
                page=page,
                box=_box(draft, grid, frame),
                header=draft.top < header_rows,
            )
        )
    part = TablePart(page, number, frame.rect(*grid.box), range(1, grid.rows + 1))
    return Table(grid.rows, grid.columns, tuple(cells), (part,), grid.kind, header_rows, caption)


def _count_head_rows(grid: Grid) -> int:
    """How many rows of a grid of rules are its head: those over the first with values, or one that stands out in bold."""
    rows: list[list[Draft]] = [[] for _ in range(grid.rows)]
    for draft in grid.cells:
        if draft.words:
            rows[draft.top].append(draft)
    data = [_has_values(row) for row in rows]
    if True in data:
        first = data.index(True)
        if 0 < first <= MOST_HEADS:
            # a label across the table over the first row with values heads rows, not columns
            while first > 1 and len(rows[first - 1]) == 1 and rows[first - 1][0].left == 0:
                first -= 1
            return first
        if first > MOST_HEADS:
            return 1
        return int(grid.rows > 1 and _is_bold(rows[0]) and not _is_bold(rows[1]))
    return int(grid.rows > 1 and len(rows[0]) > 1)


def _has_values(row: Sequence[Draft]) -> bool:
    values = [is_data(" ".join(word.text for word in draft.words)) for draft in row if draft.left]
    return bool(values) and 5 * sum(values) >= 3 * len(values)


def _is_bold(row: Sequence[Draft]) -> bool:
    words = [word for draft in row for word in draft.words]
    return bool(words) and all(word.bold for word in words)


def _box(draft: Draft, grid: Grid, frame: Frame) -> Rect | None:
    return frame.rect(grid.xs[draft.left], grid.ys[draft.bottom + 1], grid.xs[draft.right + 1], grid.ys[draft.top])


def lines_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words by the lines on which they stand, from the top down, each in reading order."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (-word.middle_y, word.x0)):
        for line in reversed(lines[-3:]):
            other = line[0]
            overlap = min(word.y1, other.y1) - max(word.y0, other.y0)
            if overlap > 0.5 * min(word.y1 - word.y0, other.y1 - other.y0):
                line.append(word)
                break
        else:
            lines.append([word])
    for line in lines:
        if any(bidirectional_kind(word.text) in ("R", "AL") for word in line):
            line.sort(key=lambda word: word.start)
        else:
            line.sort(key=lambda word: word.x0)
    return lines


def pieces(words: Sequence[Word], text: str) -> tuple[Span, ...]:
    """The spans of words in reading order; words with nothing but white space between them in the text are in one."""
    if any(word.turned for word in words):
        ordered = sorted(words, key=lambda word: word.start)
    else:
        ordered = [word for line in lines_of(words) for word in line]
    spans: list[Span] = []
    for word in ordered:
        if spans and word.start >= spans[-1][1] and not text[spans[-1][1] : word.start].strip():
            spans[-1] = (spans[-1][0], word.end)
        else:
            spans.append((word.start, word.end))
    return tuple(spans)
