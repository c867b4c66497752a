"""Tables as plain data: grids, values and what is written of them."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest

from pincite.model.cell_value import CellValue, decimal_mark, read_value
from pincite.model.geometry import Rect
from pincite.model.table import Cell, Table, TablePart


def table(rows: list[list[str]], header_rows: int = 1) -> Table:
    cells = tuple(Cell(r, c, text=text) for r, row in enumerate(rows, 1) for c, text in enumerate(row, 1))
    part = TablePart(1, 1, Rect(0, 0, 1, 1), range(1, len(rows) + 1))
    return Table(len(rows), len(rows[0]), cells, (part,), header_rows=header_rows)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("12", "integer", 12),
        ("-12", "integer", -12),
        ("−12", "integer", -12),
        ("(1,234)", "integer", -1234),
        ("1,234,567", "integer", 1234567),
        ("1.234.567", "integer", 1234567),
        ("1 234 567", "integer", 1234567),
        ("1\u202f234", "integer", 1234),
        ("1'234", "integer", 1234),
        ("12,34,567", "integer", 1234567),
        ("1,234", "integer", 1234),
        ("1.5", "decimal", Decimal("1.5")),
        ("1,5", "decimal", Decimal("1.5")),
        ("1,234.50", "decimal", Decimal("1234.50")),
        ("1.234,50", "decimal", Decimal("1234.50")),
        ("0.123", "decimal", Decimal("0.123")),
        (".5", "decimal", Decimal("0.5")),
        ("12*", "integer", 12),
        ("12.5 (a)", "decimal", Decimal("12.5")),
        ("12.5 %", "percentage", Decimal("12.5")),
        ("12%", "percentage", 12),
        ("-3.1%", "percentage", Decimal("-3.1")),
        ("2020-02-29", "date", datetime.date(2020, 2, 29)),
        ("31.12.2009", "date", datetime.date(2009, 12, 31)),
        ("12/31/2009", "date", datetime.date(2009, 12, 31)),
        ("31/12/2009", "date", datetime.date(2009, 12, 31)),
        ("5 March 2011", "date", datetime.date(2011, 3, 5)),
        ("March 5, 2011", "date", datetime.date(2011, 3, 5)),
        ("Sept. 30, 2011", "date", datetime.date(2011, 9, 30)),
        ("2024년 3월 5일", "date", datetime.date(2024, 3, 5)),
    ],
)
def test_what_a_text_says(text: str, kind: str, value: object) -> None:
    read = read_value(text)
    assert read is not None
    assert (read.kind, read.value) == (kind, value)
    assert type(read.value) is type(value)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("$12", 12, "$"),
        ("$ 1,200.50", Decimal("1200.50"), "$"),
        ("-$5", -5, "$"),
        ("€ 3,50", Decimal("3.50"), "EUR"),
        ("3.50 EUR", Decimal("3.50"), "EUR"),
        ("₩1,000", 1000, "KRW"),
        ("1,000원", 1000, "KRW"),
        ("US$ 5", 5, "USD"),
    ],
)
def test_amounts_of_money(text: str, value: object, currency: str) -> None:
    assert read_value(text) == CellValue("currency", value, currency)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["", "—", "n.a.", "Total", "03/04/2010", "2020-13-01", "1,23,4", "12 apples", "1.2.3", "$5 %", "5-10", "q2 2006", "9" * 80],
)
def test_other_texts_have_no_value(text: str) -> None:
    assert read_value(text) is None


def test_the_mark_is_that_of_the_table() -> None:
    assert read_value("1,234", ",") == CellValue("decimal", Decimal("1.234"))
    assert read_value("1,234", ".") == CellValue("integer", 1234)
    assert decimal_mark(["1,5", "2,25", "1,234"]) == ","
    assert decimal_mark(["1,234", "2,345"]) is None
    values = table([["a", "b"], ["1,234", "2,5"]]).values()
    assert values[1] == [CellValue("decimal", Decimal("1.234")), CellValue("decimal", Decimal("2.5"))]
    assert values[0] == [None, None]


def test_csv_and_markdown() -> None:
    made = table([["Name", "Says"], ["a|b", 'x, "y"\nz']])
    assert made.to_csv() == 'Name,Says\r\na|b,"x, ""y"" z"\r\n'
    assert made.to_markdown() == '| Name | Says |\n| --- | --- |\n| a\\|b | x, "y" z |\n'
    assert table([["1", "2"]], header_rows=0).to_markdown() == "|  |  |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_cell_by_its_place() -> None:
    part = TablePart(3, 2, Rect(0, 0, 1, 1), range(1, 3))
    wide = Cell(1, 1, column_span=2, text="wide", page=3)
    made = Table(2, 2, (wide, Cell(2, 1, text="a", page=3), Cell(2, 2, text="b", page=3)), (part,))
    assert made.cell(1, 2) is wide
    assert made.cell(3, 1) is None
    assert made.place(made.cells[2]) == (3, 2, 2, 2)
    assert made.grid() == [["wide", ""], ["a", "b"]]
    assert (made.page, made.number) == (3, 2)
