"""Whatever a page draws, its tables are tables: cells tile them with words of the page, and its headings are lines of it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from support.tablesheet import TableSheet

place = st.integers(0, 60).map(lambda number: 10 * number)
rule = st.tuples(place, place, place, st.booleans()).map(
    lambda ends: f"{ends[0]} {ends[1]} m {ends[2]} {ends[1]} l S" if ends[3] else f"{ends[0]} {ends[1]} m {ends[0]} {ends[2]} l S"
)
box = st.tuples(place, place, place, place, st.sampled_from(["f", "S", "B", "f*", "n"])).map(
    lambda corners: f"0.{corners[0] % 9} g {corners[0]} {corners[1]} {corners[2]} {corners[3]} re {corners[4]} 0 g"
)
odd = st.sampled_from(
    [
        *(
            "0 0 m 600 600 l S",
            "1e9 0 m -1e9 5 l S",
            "0 0 0 0 re f",
            "5 w",
            "0 w",
            "q 0 0 0 0 0 0 cm",
            "Q",
            "q 0 1 -1 0 600 0 cm",
        ),
        *("0 0 m S", "h f", "10 10 m 20 20 30 30 40 40 c S", "q 1e-9 0 0 1e9 0 0 cm", "[3 3] 0 d", "re", "W n", "1 0 0 rg"),
    ]
)
words = st.tuples(
    place,
    place,
    st.sampled_from(
        ["12", "1,234.5", "—", "Name", "a longer text of words", "Table 1. Sums", "Source: x", "....", "-----", "(%)", "é"]
    ),
    st.sampled_from([6.0, 10.0, 14.0]),
    st.booleans(),
)


@settings(max_examples=100)
@given(st.lists(st.one_of(rule, box, odd), max_size=40), st.lists(words, max_size=60))
def test_any_page(drawn: list[str], texts: list[tuple[int, int, str, float, bool]]) -> None:
    sheet = TableSheet()
    sheet.draw("\n".join(drawn) + " Q Q Q Q")
    for x, y, text, size, bold in texts:
        sheet.text(x, y, text, size=size, bold=bold)
    document = sheet.open()
    page = document.page(1)
    written = page.text()
    for table in page.tables():
        places = [[0] * table.columns for _ in range(table.rows)]
        for cell in table.cells:
            assert cell.text == "\n".join(written[start:end] for start, end in cell.spans)
            for row in range(cell.row - 1, cell.row - 1 + cell.row_span):
                for column in range(cell.column - 1, cell.column - 1 + cell.column_span):
                    places[row][column] += 1
        assert places == [[1] * table.columns] * table.rows
        assert 0 <= table.header_rows <= table.rows
    for section in document.sections:
        assert section.span is not None
        assert written[slice(*section.span)].strip() == written[slice(*section.span)] != ""
