"""Tables that go on over a page break, as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pincite.model.table import Table, TablePart

MOST_LINES = 5
"""So many lines may stand between a table and the edge of its page: running heads, notes, a caption that says it goes on."""
SAME_EDGE = 0.03
"""Columns that go on have edges at the same places, give or take this share of the width."""

_NAME = re.compile(r"[^\W\d_]+\.?\s*(?P<number>[A-Z]*[-.]?\d+(?:[.-]\d+)*[a-z]?)", re.IGNORECASE)
_CONTINUED = re.compile(r"contin|cont[’']?d|\(cont|fortsetzung|suite|segue|계속|続き|续", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A table of a page with what stands around it there.

    `before` and `after` are how many lines of text stand over and under it, `caption` is the line that names it, `edges` are
    the x of its columns in its frame, and `turns` is how its frame is turned.
    """

    table: Table
    before: int
    after: int
    caption: str | None
    edges: tuple[float, ...]
    turns: int


def join_tables(pages: Iterable[Sequence[Found]], *, whole: bool = True) -> list[Table]:
    """The tables of a document from those of its pages, in order; `whole` ones over page breaks, or each page's apart."""
    tables: list[Table] = []
    last: Found | None = None
    for found in pages:
        for index, item in enumerate(found):
            if whole and index == 0 and last is not None and _goes_on(last, item):
                tables[-1] = _joined(tables[-1], item.table)
            else:
                tables.append(item.table)
        last = found[-1] if found else None
    return tables


def _goes_on(first: Found, second: Found) -> bool:
    above, below = first.table, second.table
    if below.page != above.parts[-1].page + 1 or above.columns != below.columns or first.turns != second.turns:
        return False
    if first.after > MOST_LINES or second.before > MOST_LINES or not _same_edges(first.edges, second.edges):
        return False
    if second.caption is not None:
        if _CONTINUED.search(second.caption):
            return True
        return first.caption is not None and _name(first.caption) == _name(second.caption)
    # with a head of its own it is the same table only if that is the same head
    return below.header_rows == 0 or _head(above) == _head(below) or not above.header_rows


def _same_edges(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    width = max(first[-1] - first[0], second[-1] - second[0])
    # pages may be bound, and their tables shifted
    shift = second[0] - first[0]
    return all(abs(b - a - shift) <= SAME_EDGE * width for a, b in zip(first, second, strict=True))


def _name(caption: str) -> str | None:
    found = _NAME.match(caption)
    return found["number"].casefold() if found else None


def _head(table: Table) -> list[tuple[int, int, str]]:
    return [
        (cell.row, cell.column, " ".join(cell.text.split()).casefold()) for cell in table.cells if cell.row <= table.header_rows
    ]


def _joined(above: Table, below: Table) -> Table:
    """One table of two; the head of the second is dropped where it repeats that of the first."""
    dropped = 0
    if below.header_rows and _head(below) == _head(above):
        dropped = below.header_rows
    shift = above.rows - dropped
    moved = [replace(cell, row=cell.row + shift, header=False) for cell in below.cells if cell.row > dropped]
    part = below.parts[0]
    rows = range(above.rows + 1, above.rows + below.rows - dropped + 1)
    parts = (*above.parts, TablePart(part.page, part.number, part.box, rows, -shift))
    return replace(above, rows=above.rows + below.rows - dropped, cells=(*above.cells, *moved), parts=parts)
