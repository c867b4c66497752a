"""Tables through the sandbox: what a child says, and what the parent takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import pincite
from pincite.errors import CitationError, ProtocolError, UnreadableError
from pincite.model.text import PageFailure
from pincite.sandbox.runner import Runner
from pincite.sandbox.table_answers import TableReader, encode_progress, encode_table
from support.steps import growth
from support.tablesheet import TableSheet


def document(pages: int = 2) -> bytes:
    sheet = TableSheet()
    for _ in range(pages):
        sheet.grid(72, 700, [80, 60], 20, [["Name", "Paid"], ["Ann", "1"], ["Bob", "2"]])
        sheet.next_page()
    return sheet.writer.write()


def test_the_same_tables_as_in_process() -> None:
    pdf = document()
    with pincite.open(pdf) as opened:
        assert Runner().tables(pdf).tables == tuple(opened.tables())
        assert Runner().tables(pdf, whole=False).tables == tuple(table for page in opened for table in page.tables())
        assert Runner().tables(pdf, 2, 2).tables == tuple(opened.page(2).tables())


def test_what_is_not_there() -> None:
    with pytest.raises(CitationError) as caught:
        Runner().tables(document(), 3)
    assert caught.value.slug == "absent"
    with pytest.raises(UnreadableError):
        Runner().tables(b"no PDF")
    for first, last in ((0, 1), (2, 1)):
        with pytest.raises(ValueError, match="pages count from 1"):
            Runner().tables(document(), first, last)


def lines(*changes: dict[str, Any]) -> list[bytes]:
    """A good answer of one page, with changes to its table."""
    with pincite.open(document(1)) as opened:
        (table,) = opened.tables()
    wire = msgspec.json.decode(encode_table(table))
    for change in changes:
        wire["table"].update(change)
    return [encode_progress(1, 1).rstrip(), msgspec.json.encode(wire)]


def read(answer: list[bytes]) -> TableReader:
    reader = TableReader(1, 5)
    for line in answer:
        reader.read(line)
    reader.finish()
    return reader


def cell(**changes: Any) -> dict[str, Any]:
    names = ["row", "column", "row_span", "column_span", "text", "spans", "page", "box", "header"]
    good = dict(zip(names, [1, 1, 1, 1, "a", [[0, 1]], 1, [0, 0, 1, 1], True], strict=True)) | changes
    return {"cells": [[good[name] for name in names]]}


def test_a_good_answer_is_taken() -> None:
    assert read(lines()).tables[0].grid() == [["Name", "Paid"], ["Ann", "1"], ["Bob", "2"]]
    failed = read([encode_progress(1, 1, PageFailure(1, "odd\x1b[2J")).rstrip()])
    assert failed.failures == [PageFailure(1, "odd [2J")]
    assert failed.tables == []


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([b"{}"], id="nothing"),
        pytest.param([b"\xff"], id="not UTF-8"),
        pytest.param([b"[" * 100_000], id="nested"),
        pytest.param([], id="no line"),
        pytest.param([b'{"done":2,"of":1}'], id="another page"),
        pytest.param([b'{"done":1,"of":9}'], id="more pages than were asked for"),
        pytest.param([b'{"done":1,"of":2}'], id="too few pages"),
        pytest.param([b'{"done":1,"of":1}', b'{"done":2,"of":1}'], id="too many pages"),
        pytest.param([b'{"done":1,"of":1,"error":"\\u001b"}'], id="a control character in an error"),
        pytest.param(lines()[1:], id="a table before its page"),
        pytest.param(lines({"rows": 2}), id="parts past the table"),
        pytest.param(lines({"rows": 4}), id="rows on no page"),
        pytest.param(lines({"kind": "odd"}), id="a kind"),
        pytest.param(lines({"caption": "a\nb"}), id="a caption of two lines"),
        pytest.param(lines({"parts": [[2, 1, 0, 0, 1, 1, 1, 3, 0]]}), id="a page that was not asked for"),
        pytest.param(lines({"parts": [[1, 1, 1, 0, 0, 1, 1, 3, 0]]}), id="a box inside out"),
        pytest.param(lines(cell(row=4)), id="a cell under the table"),
        pytest.param(lines(cell(column_span=3)), id="a cell past its side"),
        pytest.param(lines(cell(row=0)), id="row 0"),
        pytest.param(lines(cell(page=2)), id="a cell on another page"),
        pytest.param(lines(cell(text="\x1b")), id="a control character"),
        pytest.param(lines(cell(spans=[[2, 1]])), id="a span backwards"),
        pytest.param(lines(cell(box=[0, 0, float("inf"), 1])), id="an endless box"),
        pytest.param(lines({"cells": 2 * cell()["cells"]}), id="two cells in one place"),
    ],
)
def test_what_the_parent_does_not_take(answer: list[bytes]) -> None:
    with pytest.raises(ProtocolError):
        read(answer)


def test_a_table_of_many_parts_is_checked_in_proportion() -> None:
    def reading(rows: int) -> Callable[[], object]:
        parts = [[1, 1, 0, 0, 1, 1, row, row, 0] for row in range(1, rows + 1)]
        cells = [cell(row=row)["cells"][0] for row in range(1, rows + 1)]
        answer = lines({"rows": rows, "columns": 1, "parts": parts, "cells": cells})
        return lambda: [table.place(last) for table in read(answer).tables for last in table.cells]

    assert growth(reading, 100) < 6
