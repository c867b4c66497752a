"""Tables: rows and columns of cells, with the place of each in the page's text."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

from pincite.model.cell_value import CellValue, DecimalMark, decimal_mark, read_value
from pincite.model.geometry import Rect

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell, which may reach over several rows and columns. Rows and columns count from 1, as citations do.

    `spans` are half-open ranges of code points of its page's default text, in the order a reader reads them: one where the
    cell's text is contiguous there, as it mostly is, several where other cells' text comes between its lines, none in an
    empty cell. `text` is the text of these, with a line break between two. `box` is the cell's place on the page in user
    space: within its rules where it has any, else around its text.
    """

    row: int
    column: int
    row_span: int = 1
    column_span: int = 1
    text: str = ""
    spans: tuple[Span, ...] = ()
    page: int = 1
    box: Rect | None = None
    header: bool = False

    def value(self, decimal: DecimalMark | None = None) -> CellValue | None:
        """What the text says as a number, an amount or a date; None for other text. `decimal` settles what `1,234` is."""
        return read_value(self.text, decimal)


@dataclass(frozen=True, slots=True)
class TablePart:
    """What one page holds of a table: it is table `number` there, and its rows are `rows` of the whole table.

    `offset` is what is to be added to a row of the whole to get the row on this page; the two differ where the table goes on
    from the page before, or where a header that is repeated was dropped.
    """

    page: int
    number: int
    box: Rect
    rows: range
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table: `rows` × `columns` places, covered by `cells` in order of rows, then columns.

    `kind` says what it was found by: `ruled` has lines between its cells, `unruled` has text in line. The first `header_rows`
    rows head the columns. `parts` has one entry a page. `caption` is the first line of what names it, where it is named like
    `Table 3`.
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    parts: tuple[TablePart, ...]
    kind: Literal["ruled", "unruled"] = "ruled"
    header_rows: int = 0
    caption: str | None = None

    @property
    def page(self) -> int:
        """The page on which it starts."""
        return self.parts[0].page

    @property
    def number(self) -> int:
        """Its number on the page on which it starts, from 1, in the order of the page's text."""
        return self.parts[0].number

    @property
    def box(self) -> Rect:
        """Its place on the page on which it starts."""
        return self.parts[0].box

    def cell(self, row: int, column: int) -> Cell | None:
        """The cell that covers a place, counted from 1; None where there is no such place."""
        for cell in self.cells:
            if cell.row <= row < cell.row + cell.row_span and cell.column <= column < cell.column + cell.column_span:
                return cell
        return None

    def place(self, cell: Cell) -> tuple[int, int, int, int]:
        """(page, table, row, column) as a citation names a cell: by the table and the row on the cell's own page."""
        part = self._part(cell.row)
        return part.page, part.number, cell.row + part.offset, cell.column

    def row_page(self, row: int) -> int:
        """The page on which a row stands."""
        return self._part(row).page

    def _cited_row(self, row: int) -> str:
        part = self._part(row)
        return f"{row + part.offset}" if len(self.parts) == 1 else f"p{part.page}: {row + part.offset}"

    def _part(self, row: int) -> TablePart:
        return self.parts[bisect_right(self.parts, row, key=lambda part: part.rows.start) - 1]

    def grid(self) -> list[list[str]]:
        """The texts by rows and columns, each on one line; the text of a spanning cell stands in its first place."""
        grid = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            grid[cell.row - 1][cell.column - 1] = " ".join(cell.text.split())
        return grid

    def values(self, decimal: DecimalMark | None = None) -> list[list[CellValue | None]]:
        """The values by rows and columns. Which decimal mark is used is judged from the whole table unless it is given."""
        mark = decimal or decimal_mark(cell.text for cell in self.cells)
        grid: list[list[CellValue | None]] = [[None] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            grid[cell.row - 1][cell.column - 1] = cell.value(mark)
        return grid

    def to_csv(self) -> str:
        """The grid as RFC 4180 has it."""
        out = io.StringIO()
        csv.writer(out).writerows(self.grid())
        return out.getvalue()

    def to_markdown(self, *, numbers: bool = False) -> str:
        """The grid as a table of GitHub's Markdown, whose head is the header rows on one line each column.

        With `numbers` a first column has the number of each row as citations count it: on its own page, from the first head row.
        """
        grid = [[text.replace("\\", "\\\\").replace("|", "\\|") for text in row] for row in self.grid()]
        heads = grid[: self.header_rows] or [[""] * self.columns]
        head = [" ".join(filter(None, texts)) for texts in zip(*heads, strict=True)]
        lines = [head, ["---"] * self.columns, *grid[self.header_rows :]]
        if numbers:
            first = self._cited_row(1) if self.header_rows else ""
            shown = [first if self.header_rows < 2 else f"{first}–{self._cited_row(self.header_rows)}", "---"]
            shown += [self._cited_row(row) for row in range(self.header_rows + 1, self.rows + 1)]
            lines = [[number, *line] for number, line in zip(shown, lines, strict=True)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)
