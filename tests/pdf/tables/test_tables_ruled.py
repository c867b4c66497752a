"""Tables with rules: however the rules are drawn, and whatever they leave out."""

from __future__ import annotations

import pytest

from pincite.model.table import Table
from support.tablesheet import TableSheet, texts

ROWS = [["Name", "Paid", "Owed"], ["Ann", "12", "7"], ["Bob", "9", "11"], ["Cleo", "3", "5"]]
WIDTHS = [80, 60, 60]


def only(sheet: TableSheet, **options: object) -> Table:
    (table,) = sheet.open(**options).page(1).tables()
    return table


def test_a_grid_of_lines() -> None:
    sheet = TableSheet()
    sheet.grid(72, 700, WIDTHS, 20, ROWS)
    table = only(sheet)
    assert texts(table) == ROWS
    assert (table.kind, table.rows, table.columns, table.header_rows) == ("ruled", 4, 3, 1)
    cell = table.cell(2, 3)
    assert cell is not None
    assert (cell.text, cell.row, cell.column, cell.page, cell.header) == ("7", 2, 3, 1, False)
    assert cell.box is not None
    assert [round(value) for value in (cell.box.x0, cell.box.y0, cell.box.x1, cell.box.y1)] == [212, 660, 272, 680]


def test_spans_are_the_text_of_the_page() -> None:
    sheet = TableSheet()
    sheet.text(72, 730, "Over it.")
    sheet.grid(72, 700, WIDTHS, 30, [["Name", "Paid\nthis year", "Owed"], *ROWS[1:]])
    page = sheet.open().page(1)
    for cell in page.tables()[0].cells:
        assert cell.text == "\n".join(page.text()[start:end] for start, end in cell.spans)
    assert page.tables()[0].cell(1, 2).text == "Paid\nthis year"  # type: ignore[union-attr]


def test_a_cell_whose_lines_are_not_drawn_together_has_several_spans() -> None:
    sheet = TableSheet()
    sheet.grid(72, 700, [80, 60], 30, [["", ""], ["b", "2"], ["c", "3"]])
    sheet.row(688, [(75, "first"), (155, "1")])
    sheet.text(75, 676, "second")
    table = only(sheet)
    cell = table.cell(1, 1)
    assert cell is not None
    assert cell.text == "first\nsecond"
    assert len(cell.spans) in (1, 2)
    assert table.cell(1, 2).text == "1"  # type: ignore[union-attr]


@pytest.mark.parametrize("how", ["thin boxes", "dashes", "stroked boxes", "shaded cells"])
def test_rules_however_they_are_drawn(how: str) -> None:
    sheet = TableSheet()
    xs = [72, 152, 212, 272]
    for number in range(4):
        for column in range(3):
            x0, x1 = xs[column], xs[column + 1]
            y0, y1 = 680 - 20 * number, 700 - 20 * number
            if how == "thin boxes":
                sheet.draw(f"{x0} {y0} {x1 - x0} 0.5 re {x0} {y1} {x1 - x0} 0.5 re {x0} {y0} 0.5 20 re {x1} {y0} 0.5 20 re f")
            elif how == "stroked boxes":
                sheet.draw(f"{x0} {y0} {x1 - x0} 20 re S")
            elif how == "dashes":
                for at in range(0, x1 - x0, 4):
                    sheet.line(x0 + at, y0, x0 + at + 2, y0)
                    sheet.line(x0 + at, y1, x0 + at + 2, y1)
                sheet.line(x0, y0, x0, y1)
                sheet.line(x1, y0, x1, y1)
            else:
                grey = 0.8 if (number + column) % 2 else 0.6
                sheet.draw(f"{grey} g {x0} {y0} {x1 - x0} 20 re f 0 g")
    sheet.fill(72, 700, WIDTHS, 20, ROWS)
    assert texts(only(sheet)) == ROWS


def test_a_box_behind_a_line_of_text_is_no_rule() -> None:
    sheet = TableSheet()
    sheet.draw("0.8 g 72 640 200 60 re f")
    for y in (674, 686):
        sheet.draw(f"0.8 g 74 {y} 60 12 re f")
    sheet.draw("0 g")
    sheet.grid(72, 700, [80, 120], 30, [["two\nlines", "x"], ["b", "y"]])
    assert texts(only(sheet)) == [["two lines", "x"], ["b", "y"]]


def test_cells_over_several_rows_and_columns() -> None:
    sheet = TableSheet()
    for y in (700, 640, 620):
        sheet.line(72, y, 272, y)
    sheet.line(152, 680, 272, 680)
    sheet.line(152, 660, 272, 660)
    for x in (72, 152, 272):
        sheet.line(x, 700, x, 620)
    sheet.line(212, 680, 212, 620)
    sheet.row(688, [(75, "Tall"), (155, "Wide head")])
    sheet.row(668, [(155, "1"), (215, "2")])
    sheet.row(648, [(155, "3"), (215, "4")])
    sheet.row(628, [(75, "Low"), (155, "5"), (215, "6")])
    table = only(sheet)
    tall, wide = table.cell(2, 1), table.cell(1, 3)
    assert tall is not None
    assert (tall.text, tall.row, tall.row_span) == ("Tall", 1, 3)
    assert wide is not None
    assert (wide.text, wide.column, wide.column_span) == ("Wide head", 2, 2)
    assert texts(table)[3] == ["Low", "5", "6"]


def test_rows_of_values_without_a_line_between() -> None:
    sheet = TableSheet()
    for y in (700, 680, 620):
        sheet.line(72, y, 272, y)
    for x in (72, 152, 212, 272):
        sheet.line(x, 700, x, 620)
    for number, row in enumerate(ROWS):
        sheet.row(688 - 16 * number - (4 if number else 0), list(zip((75, 155, 215), row, strict=True)))
    assert texts(only(sheet)) == ROWS


def test_columns_without_a_line_between() -> None:
    sheet = TableSheet()
    for number in range(5):
        sheet.line(72, 700 - 20 * number, 272, 700 - 20 * number)
    for x in (72, 272):
        sheet.line(x, 700, x, 620)
    sheet.fill(72, 700, WIDTHS, 20, ROWS)
    assert texts(only(sheet)) == ROWS


def test_a_word_that_a_rule_goes_through_is_in_two_cells() -> None:
    sheet = TableSheet()
    sheet.grid(72, 700, [50, 50], 20, [["a", "b"], ["", ""], ["c", "d"]])
    sheet.text(102, 668, "1234567890")  # five points a glyph: the rule at 122 parts the fourth from the fifth
    assert texts(only(sheet))[1] == ["1234", "567890"]


@pytest.mark.parametrize("rotate", [0, 90])
def test_a_table_that_lies_on_its_side(rotate: int) -> None:
    sheet = TableSheet()
    sheet.draw("q 0 1 -1 0 400 100 cm")
    sheet.grid(0, 200, WIDTHS, 20, [*ROWS, *ROWS[1:]])
    sheet.draw("Q")
    table = only(sheet, rotate=rotate)
    assert texts(table) == [*ROWS, *ROWS[1:]]
    # in user space the first row is the leftmost
    first, last = table.cell(1, 1), table.cell(7, 1)
    assert first is not None
    assert last is not None
    assert first.box is not None
    assert last.box is not None
    assert first.box.x1 < last.box.x0 + 1e-6


def test_caption_and_notes_in_the_frame_are_not_rows() -> None:
    sheet = TableSheet()
    sheet.grid(72, 680, WIDTHS, 20, ROWS)
    for y in (700, 580):
        sheet.line(72, y, 272, y)
    for x in (72, 272):
        sheet.line(x, 700, x, 580)
    sheet.text(75, 688, "Table 4. Sums")
    sheet.text(75, 588, "Source: the books")
    table = only(sheet)
    assert texts(table) == ROWS


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("72 600 200 100 re S", id="a frame"),
        pytest.param(" ".join(f"{72 + 20 * at} 600 10 {10 + 8 * at} re f" for at in range(8)), id="bars"),
        pytest.param(" ".join(f"72 {600 + 20 * at} m 272 {600 + 20 * at} l S" for at in range(6)), id="lines across"),
        pytest.param("72 600 m 272 640 l S 72 600 m 200 690 l S", id="slants"),
    ],
)
def test_drawings_are_no_tables(content: str) -> None:
    sheet = TableSheet()
    sheet.draw(content)
    sheet.row(650, [(80, "one"), (150, "two"), (220, "three")])
    assert sheet.open().page(1).tables() == []


def test_a_page_without_anything() -> None:
    sheet = TableSheet()
    sheet.draw("")
    assert sheet.open().page(1).tables() == []
