"""Draw tables as producers do: texts at places, and rules stroked, filled or left out.

sheet = TableSheet()
sheet.grid(72, 700, [80, 80], 20, [["a", "b"], ["c", "d"]])
tables = sheet.open().page(1).tables()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pincite
from pincite import Document
from support.pdfwriter import PdfWriter

# Half an em is the width of every glyph, so that a test can do its sums; a space is half of that, as in real fonts.
WIDTHS = {code: 250 if code == 32 else 500 for code in range(256)}


class TableSheet:
    """A writer with one font; `draw` and its like add to the page at work, `next_page` ends it."""

    def __init__(self) -> None:
        self.writer = PdfWriter()
        self.font = self.writer.add_font(widths=WIDTHS)
        self.bold = self.writer.add_font("Helvetica-Bold", widths=WIDTHS)
        self._content: list[bytes] = []

    def text(self, x: float, y: float, text: str, *, size: float = 10, bold: bool = False) -> None:
        """One line whose baseline starts at (x, y)."""
        self._content.append((self.bold if bold else self.font).text(x, y, text, size=size))

    def draw(self, content: str) -> None:
        """Content as it stands."""
        self._content.append(content.encode("latin-1") + b"\n")

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """A stroked line."""
        self.draw(f"{x0} {y0} m {x1} {y1} l S")

    def row(self, y: float, pieces: Sequence[tuple[float, str]], **options: Any) -> None:
        """Texts on one baseline."""
        for x, text in pieces:
            self.text(x, y, text, **options)

    def grid(self, left: float, top: float, widths: Sequence[float], height: float, rows: Sequence[Sequence[str]]) -> None:
        """A table with a line around each cell, from the top down; a text of several lines is set in as many."""
        xs = [left]
        for width in widths:
            xs.append(xs[-1] + width)
        bottom = top - height * len(rows)
        for number in range(len(rows) + 1):
            self.line(left, top - number * height, xs[-1], top - number * height)
        for x in xs:
            self.line(x, top, x, bottom)
        self.fill(left, top, widths, height, rows)

    def fill(self, left: float, top: float, widths: Sequence[float], height: float, rows: Sequence[Sequence[str]]) -> None:
        """The texts of a grid alone."""
        for number, texts in enumerate(rows):
            x = left
            for width, text in zip(widths, texts, strict=True):
                for line, piece in enumerate(text.split("\n") if text else ()):
                    self.text(x + 3, top - number * height - 12 - 12 * line, piece)
                x += width

    def next_page(self, **options: Any) -> None:
        """End the page at work."""
        self.writer.add_page(b"\n".join(self._content), **options)
        self._content = []

    def open(self, **options: Any) -> Document:
        """End the page at work and open the file."""
        if self._content:
            self.next_page(**options)
        return pincite.open(self.writer.write())


def texts(table: Any) -> list[list[str]]:
    """The grid of a table as lists of strings."""
    grid: list[list[str]] = table.grid()
    return grid
