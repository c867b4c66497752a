"""The answer of a child that is asked for tables: JSON Lines as for text (`protocol`).

    {"done": 3, "of": 12, "error": "…"}                   as each page is done, in order; with an error where it can't be read
    {"table": {"rows": 2, "columns": 2, "kind": "ruled", "header_rows": 1, "caption": "…" | null,
               "parts": [[page, number, x0, y0, x1, y1, first row, last row, offset]],
               "cells": [[row, column, row span, column span, text, [[start, end]], page, [x0, y0, x1, y1] | null, header]]}}

Tables come behind the last page, in the order of the document. The parent believes nothing: sizes first, then shape and ranges,
then whether cells lie inside their table and on its pages, and do not overlap.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Annotated, Literal

import msgspec

from pincite.model.geometry import Rect
from pincite.model.table import Cell, Table, TablePart
from pincite.model.text import PageFailure
from pincite.sandbox.protocol import MAX_LINE_BYTES, MAX_MESSAGE, MAX_PAGES, decode_line, one_line, violation

MAX_CELLS = 200_000
MAX_SIDE = 100_000
MAX_PARTS = 10_000
MAX_TEXT = 1 << 20
MAX_SPANS = 10_000
MAX_CAPTION = 1024
MAX_COORDINATE = 1e9
MAX_TABLES = 200_000

_NOT_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_NOT_IN_A_LINE = re.compile("[\x00-\x1f]")

_PageNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGES)]
_Place = Annotated[int, msgspec.Meta(ge=1, le=MAX_SIDE)]
_Offset = Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]
_Coordinate = Annotated[float, msgspec.Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
_Box = tuple[_Coordinate, _Coordinate, _Coordinate, _Coordinate]
_Spans = Annotated[list[tuple[_Offset, _Offset]], msgspec.Meta(max_length=MAX_SPANS)]
_Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]


class _Cell(msgspec.Struct, frozen=True, array_like=True):
    row: _Place
    column: _Place
    row_span: _Place
    column_span: _Place
    text: _Text
    spans: _Spans
    page: _PageNumber
    box: _Box | None
    header: bool


class _Part(msgspec.Struct, frozen=True, array_like=True):
    page: _PageNumber
    number: _Place
    x0: _Coordinate
    y0: _Coordinate
    x1: _Coordinate
    y1: _Coordinate
    first: _Place
    last: _Place
    offset: Annotated[int, msgspec.Meta(ge=-MAX_SIDE, le=MAX_SIDE)]


class _Table(msgspec.Struct, frozen=True):
    rows: _Place
    columns: _Place
    kind: Literal["ruled", "unruled"]
    header_rows: Annotated[int, msgspec.Meta(ge=0, le=MAX_SIDE)]
    parts: Annotated[list[_Part], msgspec.Meta(min_length=1, max_length=MAX_PARTS)]
    cells: Annotated[list[_Cell], msgspec.Meta(max_length=MAX_CELLS)]
    caption: Annotated[str, msgspec.Meta(max_length=MAX_CAPTION)] | None = None


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    done: _PageNumber | None = None
    of: _PageNumber | None = None
    error: Annotated[str, msgspec.Meta(max_length=MAX_MESSAGE)] | None = None
    table: _Table | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Line)


# The child's side


def encode_progress(page: int, pages: int, failure: PageFailure | None = None) -> bytes:
    """The line of a page that is done, one of `pages` that were asked for."""
    error = None if failure is None else one_line(failure.error, MAX_MESSAGE) or "unknown error"
    return _encoder.encode(_Line(done=page, of=pages, error=error)) + b"\n"


def encode_table(table: Table) -> bytes:
    """The line of a table; one that is over a limit is left out, and gives nothing."""
    if len(table.cells) > MAX_CELLS or max(table.rows, table.columns) > MAX_SIDE or len(table.parts) > MAX_PARTS:
        return b""
    cells = [
        _Cell(
            cell.row, cell.column, cell.row_span, cell.column_span, _NOT_IN_TEXT.sub("\ufffd", cell.text[:MAX_TEXT]),
            list(cell.spans[:MAX_SPANS]), cell.page, None if cell.box is None else _wire_box(cell.box), cell.header,
        )
        for cell in table.cells
    ]  # fmt: skip
    parts = [
        _Part(part.page, part.number, *_wire_box(part.box), part.rows.start, part.rows.stop - 1, part.offset)
        for part in table.parts
    ]
    caption = None if table.caption is None else one_line(table.caption, MAX_CAPTION)
    wire = _Table(table.rows, table.columns, table.kind, table.header_rows, parts, cells, caption)
    line = _encoder.encode(_Line(table=wire)) + b"\n"
    return line if len(line) <= MAX_LINE_BYTES else b""


def _wire_box(box: Rect) -> _Box:
    return (_sane(box.x0), _sane(box.y0), _sane(box.x1), _sane(box.y1))


def _sane(number: float) -> float:
    return max(-MAX_COORDINATE, min(MAX_COORDINATE, number)) if number == number else 0.0


# The parent's side


class TableReader:
    """Checks the lines one by one; `tables` and `failures` are what they told so far."""

    def __init__(self, first_page: int, last_page: int) -> None:
        self._first = first_page
        self._last = last_page
        self.pages_expected = 0
        self.pages_read = 0
        self.tables: list[Table] = []
        self.failures: list[PageFailure] = []

    def read(self, untrusted_line: bytes | bytearray) -> None:
        """Take the next line, without its line feed; raise `ProtocolError` when the contract does not allow it here."""
        if len(untrusted_line) > MAX_LINE_BYTES:
            raise violation(f"a line of more than {MAX_LINE_BYTES} bytes")
        line = decode_line(_decoder, untrusted_line)
        if (line.done is None) == (line.table is None):
            raise violation("a line that is neither of a page nor of a table")
        if line.table is not None:
            self._take_table(line.table)
        else:
            self._take_progress(line)

    def finish(self, untrusted_rest: bytes | bytearray = b"") -> None:
        """Check at the end of the data, after an exit with 0, that no page is missing."""
        if untrusted_rest:
            raise violation("an unfinished line")
        if not self.pages_expected or self.pages_read < self.pages_expected:
            raise violation(f"the end after {self.pages_read} of {self.pages_expected} pages")

    def _take_progress(self, line: _Line) -> None:
        if line.of is None or line.of > self._last - self._first + 1 or (self.pages_expected and line.of != self.pages_expected):
            raise violation("another number of pages than was asked for")
        self.pages_expected = line.of
        if line.done != self._first + self.pages_read or self.pages_read == self.pages_expected:
            raise violation(f"page {line.done} where page {self._first + self.pages_read} was due")
        self.pages_read += 1
        if line.error is not None:
            if _NOT_IN_A_LINE.search(line.error):
                raise violation("a control character in a string")
            self.failures.append(PageFailure(line.done, line.error))

    def _take_table(self, untrusted: _Table) -> None:
        if not self.pages_expected or self.pages_read < self.pages_expected:
            raise violation("a table before the last page")
        if len(self.tables) == MAX_TABLES:
            raise violation(f"more than {MAX_TABLES} tables")
        self.tables.append(_checked_table(untrusted, range(self._first, self._first + self.pages_expected)))


def _checked_table(untrusted: _Table, pages: range) -> Table:
    if untrusted.caption is not None and _NOT_IN_A_LINE.search(untrusted.caption):
        raise violation("a control character in a string")
    parts = []
    row = 1
    for part in untrusted.parts:
        if part.page not in pages or part.first != row or not part.first <= part.last <= untrusted.rows:
            raise violation("a part of a table that is not where it should be")
        row = part.last + 1
        parts.append(
            TablePart(part.page, part.number, _rect((part.x0, part.y0, part.x1, part.y1)), range(part.first, row), part.offset)
        )
    if row != untrusted.rows + 1 or untrusted.header_rows > untrusted.rows:
        raise violation("rows of a table that are on no page")
    if untrusted.rows * untrusted.columns > 4 * MAX_CELLS:
        raise violation("a table of more places than it can have")
    taken = bytearray(untrusted.rows * untrusted.columns)
    cells = tuple(_checked_cell(cell, untrusted, parts, taken) for cell in untrusted.cells)
    return Table(
        untrusted.rows, untrusted.columns, cells, tuple(parts), untrusted.kind, untrusted.header_rows, untrusted.caption
    )  # fmt: skip


def _checked_cell(cell: _Cell, table: _Table, parts: list[TablePart], taken: bytearray) -> Cell:
    bottom, right = cell.row + cell.row_span - 1, cell.column + cell.column_span - 1
    if bottom > table.rows or right > table.columns:
        raise violation("a cell outside its table")
    if parts[bisect_right(parts, cell.row, key=lambda part: part.rows.start) - 1].page != cell.page:
        raise violation("a cell on another page than its row")
    for row in range(cell.row - 1, bottom):
        first, last = row * table.columns + cell.column - 1, row * table.columns + right
        if any(taken[first:last]):
            raise violation("two cells in one place")
        taken[first:last] = b"\1" * (last - first)
    if _NOT_IN_TEXT.search(cell.text):
        raise violation("a control character in the text of a cell")
    if any(start > end for start, end in cell.spans):
        raise violation("a span that ends before it starts")
    box = None if cell.box is None else _rect(cell.box)
    return Cell(
        cell.row, cell.column, cell.row_span, cell.column_span, cell.text, tuple(cell.spans), cell.page, box, cell.header
    )  # fmt: skip


def _rect(box: _Box) -> Rect:
    if box[0] > box[2] or box[1] > box[3]:
        raise violation("a box that is inside out")
    return Rect(*box)
