"""Tables whose columns are seen by their text alone, or with rules that only go across."""

from __future__ import annotations

import pytest

from pincite.model.table import Table
from support.tablesheet import TableSheet, texts

XS = (72, 180, 250, 320)


def only(sheet: TableSheet) -> Table:
    (table,) = sheet.open().page(1).tables()
    return table


def rows(sheet: TableSheet, top: float, table: list[list[str]], step: float = 14) -> None:
    for number, row in enumerate(table):
        sheet.row(top - step * number, [(x, text) for x, text in zip(XS, row, strict=False) if text])


YEARS = [
    ["Region", "2001", "2002", "2003"],
    ["North", "1,200", "1,300", "1,250"],
    ["South", "980", "1,020", "990"],
    ["East", "—", "12", "15"],
]


def test_columns_of_numbers() -> None:
    sheet = TableSheet()
    rows(sheet, 700, YEARS)
    table = only(sheet)
    assert texts(table) == YEARS
    assert (table.kind, table.header_rows) == ("unruled", 1)


def test_running_text_beside_and_around_is_left_out() -> None:
    sheet = TableSheet()
    prose = "words of running text that go on and on as long as the line does"
    for line in range(6):
        sheet.text(72, 780 - 12 * line, prose)
        sheet.text(72, 600 - 12 * line, prose)
    rows(sheet, 690, YEARS)
    assert texts(only(sheet)) == YEARS


def test_text_columns_are_no_table() -> None:
    sheet = TableSheet()
    for line in range(20):
        sheet.text(72, 700 - 12 * line, "a column of text that fills its line", size=9)
        sheet.text(320, 700 - 12 * line, "and another that stands right beside", size=9)
    assert sheet.open().page(1).tables() == []


def test_a_list_and_a_contents_page_are_no_tables() -> None:
    sheet = TableSheet()
    for number in range(8):
        sheet.row(700 - 14 * number, [(72, f"{number}."), (95, f"the {number}th of several things")])
        sheet.row(500 - 14 * number, [(72, "•"), (95, "a thing in a list of things")])
    assert sheet.open().page(1).tables() == []


def test_a_label_that_goes_on_in_the_next_line() -> None:
    sheet = TableSheet()
    rows(sheet, 700, YEARS[:2])
    sheet.row(672, [(72, "Islands and other"), (180, "5"), (250, "6"), (320, "7")])
    sheet.text(76, 662, "territories")
    rows(sheet, 648, YEARS[2:])
    assert texts(only(sheet))[2] == ["Islands and other territories", "5", "6", "7"]


def test_a_label_over_a_group_of_rows_is_a_row() -> None:
    sheet = TableSheet()
    rows(sheet, 700, [YEARS[0], ["Mainland"], *YEARS[1:3], ["Islands"], YEARS[3]])
    assert texts(only(sheet)) == [YEARS[0], ["Mainland", "", "", ""], *YEARS[1:3], ["Islands", "", "", ""], YEARS[3]]


def test_heads_that_nest() -> None:
    sheet = TableSheet()
    sheet.line(72, 716, 360, 716)
    sheet.row(704, [(220, "Amount")])
    sheet.line(180, 700, 345, 700)
    rows(sheet, 688, [["Region", "Paid", "Owed", "Sum"]])
    sheet.line(72, 684, 360, 684)
    rows(sheet, 672, YEARS[1:])
    sheet.line(72, 640, 360, 640)
    table = only(sheet)
    amount, region = table.cell(1, 2), table.cell(2, 1)
    assert table.header_rows == 2
    assert amount is not None
    assert (amount.text, amount.column_span, amount.header) == ("Amount", 3, True)
    assert region is not None
    assert (region.text, region.row, region.row_span) == ("Region", 1, 2)


def test_heads_of_several_lines() -> None:
    sheet = TableSheet()
    sheet.row(716, [(180, "Paid"), (250, "Owed"), (320, "Of these")])
    sheet.row(704, [(72, "Region"), (180, "in all"), (250, "in all"), (320, "late")])
    sheet.line(72, 700, 360, 700)
    rows(sheet, 688, YEARS[1:])
    assert texts(only(sheet))[0] == ["Region", "Paid in all", "Owed in all", "Of these late"]


def test_rows_of_text_between_rules() -> None:
    sheet = TableSheet()
    words = [
        ("Term", "Meaning", "Used for"),
        ("pincite", "a citation of the\nvery place", "quoting"),
        ("span", "a range of\ncode points", "cutting\nand finding"),
        ("quad", "four corners", "showing\nplaces"),
    ]
    y = 700.0
    sheet.line(72, y, 400, y)
    for row in words:
        height = 6 + 12 * max(text.count("\n") + 1 for text in row)
        for x, text in zip((75, 150, 300), row, strict=True):
            for line, piece in enumerate(text.split("\n")):
                sheet.text(x, y - 12 - 12 * line, piece)
        y -= height
        sheet.line(72, y, 400, y)
    assert texts(only(sheet)) == [[" ".join(text.split()) for text in row] for row in words]


def test_rows_set_apart_by_white() -> None:
    sheet = TableSheet()
    y = 700.0
    for label, text, more in (
        ("one", "first line|second line|third", "12"),
        ("two", "alone", "7"),
        ("three", "line|other", "9"),
        ("four", "z", "1"),
    ):
        for number, piece in enumerate(text.split("|")):
            sheet.row(y, [(72, label), (150, piece), (300, more)] if number == 0 else [(150, piece)])
            y -= 11
        y -= 9
    assert [row[0] for row in texts(only(sheet))] == ["one", "two", "three", "four"]


def test_a_currency_sign_apart_belongs_to_its_number() -> None:
    sheet = TableSheet()
    for number, value in enumerate(("1,200", "980", "77")):
        sheet.row(700 - 14 * number, [(72, f"Item {number}a"), (180, "$"), (230 - 5 * len(value), value), (320, "5%")])
    table = only(sheet)
    assert table.columns == 3
    assert [" ".join(row[1].split()) for row in texts(table)] == ["$ 1,200", "$ 980", "$ 77"]


def test_lines_of_dashes_are_rules() -> None:
    sheet = TableSheet()
    rows(sheet, 700, [["Year", "1.0", "1.1", "1.2"]])
    sheet.text(72, 688, "-" * 60)
    rows(sheet, 676, YEARS[1:])
    table = only(sheet)
    assert table.header_rows == 1
    assert texts(table) == [["Year", "1.0", "1.1", "1.2"], *YEARS[1:]]


def test_the_caption_names_the_table() -> None:
    sheet = TableSheet()
    sheet.text(72, 720, "Table 7. Sums by region")
    rows(sheet, 700, YEARS)
    table = only(sheet)
    assert table.caption == "Table 7. Sums by region"
    assert texts(table) == YEARS


def test_the_lettering_of_a_figure_is_no_table() -> None:
    sheet = TableSheet()
    for number in range(6):
        sheet.row(700 - 14 * number, [(72, str(50 - 10 * number)), (320, str(50 - 10 * number))])
    sheet.row(610, [(90 + 40 * at, str(2001 + at)) for at in range(6)])
    sheet.text(72, 580, "Figure 3. What was counted")
    assert sheet.open().page(1).tables() == []


@pytest.mark.parametrize("separator", [" ", "  "])
def test_tables_are_numbered_in_the_order_of_the_text(separator: str) -> None:
    sheet = TableSheet()
    sheet.text(72, 730, f"Table{separator}1")
    rows(sheet, 710, YEARS)
    sheet.text(72, 600, f"Table{separator}2")
    rows(sheet, 580, YEARS)
    tables = sheet.open().page(1).tables()
    assert [table.number for table in tables] == [1, 2]
    assert tables[0].box.y0 > tables[1].box.y1
