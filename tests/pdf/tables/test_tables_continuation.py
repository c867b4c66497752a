"""Tables over a page break."""

from __future__ import annotations

import pytest

from pincite import Document
from support.tablesheet import TableSheet, texts

HEAD = ["Name", "Paid", "Owed"]
WIDTHS = [80, 60, 60]


def document(second: list[list[str]], *, caption: str | None = None, below: int = 0, widths: list[int] = WIDTHS) -> Document:
    sheet = TableSheet()
    sheet.text(72, 730, "Table 2. Sums")
    sheet.grid(72, 700, WIDTHS, 20, [HEAD, ["Ann", "1", "2"], ["Bob", "3", "4"]])
    for line in range(below):
        sheet.text(72, 600 - 14 * line, f"line {line} of a text")
    sheet.text(300, 30, "1")
    sheet.next_page()
    if caption:
        sheet.text(72, 730, caption)
    sheet.grid(80, 700, widths, 20, second)
    sheet.text(300, 30, "2")
    return sheet.open()


def test_one_table_without_the_head_that_is_repeated() -> None:
    opened = document([HEAD, ["Cleo", "5", "6"], ["Dan", "7", "8"]])
    (table,) = opened.tables()
    assert texts(table) == [HEAD, ["Ann", "1", "2"], ["Bob", "3", "4"], ["Cleo", "5", "6"], ["Dan", "7", "8"]]
    assert [table.row_page(row) for row in range(1, 6)] == [1, 1, 1, 2, 2]
    assert [cell.page for cell in table.cells if cell.column == 1] == [1, 1, 1, 2, 2]
    cell = table.cell(4, 2)
    assert cell is not None
    assert cell.text == opened.page(2).text()[slice(*cell.spans[0])] == "5"
    # a citation names it on its own page, where the head is a row
    assert table.place(cell) == (2, 1, 2, 2)
    assert opened.page(2).tables()[0].cell(2, 2).text == "5"  # type: ignore[union-attr]


def test_rows_that_go_on_without_a_head() -> None:
    (table,) = document([["12", "5", "6"], ["13", "7", "8"]]).tables()
    assert [row[0] for row in texts(table)] == ["Name", "Ann", "Bob", "12", "13"]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"caption": "Table 3. Others"}, id="another caption"),
        pytest.param({"below": 8}, id="text between"),
        pytest.param({"widths": [40, 100, 60]}, id="other columns"),
    ],
)
def test_what_makes_it_another_table(options: dict[str, object]) -> None:
    assert len(document([HEAD, ["Cleo", "5", "6"]], **options).tables()) == 2  # type: ignore[arg-type]


def test_a_caption_that_says_so() -> None:
    assert len(document([["Head", "of", "another kind"], ["Cleo", "5", "6"]], caption="Table 2 (continued)").tables()) == 1


def test_tables_of_pages_apart_are_two() -> None:
    sheet = TableSheet()
    for page in range(3):
        if page == 1:
            sheet.text(72, 700, "nothing here")
        else:
            sheet.grid(72, 700, WIDTHS, 20, [HEAD, ["Ann", "1", "2"]])
        sheet.next_page()
    assert [table.page for table in sheet.open().tables()] == [1, 3]
