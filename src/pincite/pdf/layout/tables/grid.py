"""A table in the making: places of a grid, joined into cells, with the words in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from pincite.pdf.layout.tables.words import Word


@dataclass(slots=True, eq=False)
class Draft:
    """A cell over the grid rows top..bottom and columns left..right, all inclusive and from 0."""

    top: int
    bottom: int
    left: int
    right: int
    words: list[Word] = field(default_factory=list)

    @property
    def blank(self) -> bool:
        return not self.words


@dataclass(slots=True, eq=False)
class Grid:
    """Boundaries of rows, from the top down, and of columns, from the left; one more of each than there are rows and columns.

    `cells` are rectangles that do not overlap and cover the grid. It is not `drawn` where most of its rules are the edges of
    shaded boxes; `soft` are those of the `ys` at which nothing else is.
    """

    ys: list[float]
    xs: list[float]
    cells: list[Draft]
    kind: Literal["ruled", "unruled"] = "ruled"
    header_rows: int = 0
    drawn: bool = True
    soft: frozenset[float] = frozenset()

    @property
    def rows(self) -> int:
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        return len(self.xs) - 1

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 in the frame."""
        return self.xs[0], self.ys[-1], self.xs[-1], self.ys[0]

    @property
    def em(self) -> float:
        """The common size of its words; 0 where there is none."""
        ems = sorted(word.em for word in self.words())
        return ems[len(ems) // 2] if ems else 0.0

    def is_regular(self) -> bool:
        """Whether nearly every place is filled, over several rows and columns, as chance would not have it."""
        filled = sum((cell.bottom - cell.top + 1) * (cell.right - cell.left + 1) for cell in self.cells if cell.words)
        return self.rows > 2 and self.columns > 2 and filled >= 0.85 * self.rows * self.columns

    def places(self) -> list[list[Draft]]:
        """The cell at each place, by rows."""
        places: list[list[Draft]] = [[None] * self.columns for _ in range(self.rows)]  # type: ignore[list-item]
        for cell in self.cells:
            for row in range(cell.top, cell.bottom + 1):
                for column in range(cell.left, cell.right + 1):
                    places[row][column] = cell
        return places

    def words(self) -> Iterable[Word]:
        for cell in self.cells:
            yield from cell.words

    def split_rows(self, row: int, boundaries: list[float]) -> None:
        """Split a row at y values between its own, from the top down; a cell over several rows stays whole."""
        count = len(boundaries)
        bounds = [self.ys[row], *boundaries, self.ys[row + 1]]
        split: list[Draft] = []
        for cell in self.cells:
            if cell.top == cell.bottom == row:
                parts = [Draft(row + index, row + index, cell.left, cell.right) for index in range(count + 1)]
                for word in cell.words:
                    index = next((i for i in range(count) if word.middle_y > boundaries[i]), count)
                    parts[index].words.append(word)
                split.extend(parts)
                continue
            if cell.top > row:
                cell.top += count
            if cell.bottom >= row:
                cell.bottom += count
            split.append(cell)
        self.cells = split
        self.ys[row : row + 2] = bounds

    def split_column(self, column: int, boundary: float, keep: Iterable[Draft] = ()) -> None:
        """Split a column at an x value, but not the cells of `keep`, nor those over several columns."""
        kept = set(map(id, keep))
        split: list[Draft] = []
        for cell in self.cells:
            if cell.left == cell.right == column and id(cell) not in kept:
                first, second = Draft(cell.top, cell.bottom, column, column), Draft(cell.top, cell.bottom, column + 1, column + 1)
                for word in cell.words:
                    (first if word.middle_x < boundary else second).words.append(word)
                split += [first, second]
                continue
            if cell.left > column:
                cell.left += 1
            if cell.right >= column:
                cell.right += 1
            split.append(cell)
        self.cells = split
        self.xs.insert(column + 1, boundary)

    def drop_row(self, row: int) -> None:
        """Take out a row; cells that stand in it alone go with it, others shrink."""
        kept: list[Draft] = []
        for cell in self.cells:
            if cell.top == cell.bottom == row:
                continue
            if cell.top > row:
                cell.top -= 1
            if cell.bottom >= row:
                cell.bottom -= 1
            kept.append(cell)
        self.cells = kept
        # the boundary that goes is the one beside the neighbour that takes the room
        del self.ys[row + 1 if row + 1 < len(self.ys) - 1 else row]

    def drop_column(self, column: int) -> None:
        """Take out a column; cells that stand in it alone go with it, others shrink."""
        kept: list[Draft] = []
        for cell in self.cells:
            if cell.left == cell.right == column:
                continue
            if cell.left > column:
                cell.left -= 1
            if cell.right >= column:
                cell.right -= 1
            kept.append(cell)
        self.cells = kept
        del self.xs[column + 1 if column + 1 < len(self.xs) - 1 else column]
