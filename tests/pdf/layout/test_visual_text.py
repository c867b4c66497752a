"""`page.layout_text()`: a grid that looks like the page."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from support.golden import Golden
from support.layouts import Line, column, draw, prose
from support.sheet import Sheet, read, turned


def grid(*lines: Line) -> list[str]:
    return read(draw(lines)).layout_text().split("\n")


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def test_columns_stand_beside_each_other() -> None:
    left, right = column(72, 700, prose(6)), column(320, 700, prose(6, start=9))
    lines = grid(*left, *right)
    assert [line.split("  ")[0] for line in lines] == [line.text for line in left]
    assert len({line.index(other.text) for line, other in zip(lines, right, strict=True)}) == 1


def test_indents_and_empty_lines() -> None:
    assert grid(Line(72, 700, "first line"), Line(97, 688, "indented"), Line(72, 640, "after white")) == [
        "first line",
        "     indented",
        "",
        "",
        "",
        "after white",
    ]


def test_numbers_stay_aligned_at_their_right() -> None:
    rows = [("light", "1,024"), ("range", "7"), ("height of the tower", "31"), ("year", "1846")]
    lines = grid(*[line for at, (name, number) in enumerate(rows) for line in (
        Line(72, 700 - 12 * at, name), Line(300 - 5 * len(number), 700 - 12 * at, number)
    )])  # fmt: skip
    assert len({len(line) for line in lines}) == 1
    assert [line.split("  ", 1)[0] for line in lines] == [name for name, _ in rows]


def test_a_dense_text_moves_what_is_right_of_it_in_all_rows() -> None:
    lines = grid(
        *column(72, 700, prose(8, 40)),
        *column(320, 700, [f"row {row}" for row in range(8)]),
        Line(72, 604, "small print that is much denser than the rest, by two", 5),
        Line(320, 604, "row 8"),
    )
    assert len({line.index("row") for line in lines}) == 1


def test_nothing_is_wrapped() -> None:
    text = " ".join(prose(12, 60))
    assert grid(Line(10, 700, text, 1)) == [text]


def test_what_overlaps_is_kept_in_a_row_of_its_own() -> None:
    lines = grid(Line(72, 700, "a stamp over"), Line(100, 702, "the words below"), Line(400, 700, "beside"))
    assert [" ".join(line.split()) for line in lines] == ["a stamp over beside", "the words below"]


def test_wide_characters_take_two_cells() -> None:
    sheet = Sheet()
    font = sheet.writer.add_composite_font("Wide", default_width=1000)
    content = b"".join(
        f"BT /{font.name} 10 Tf 72 {700 - 12 * at} Td ".encode() + font.show(text) + b" ET\n"
        for at, text in enumerate(["灯台の光は", "晴れた夜"])
    )
    page = sheet.read([content, draw([Line(172, 700, "right"), Line(172, 688, "aligned")])])
    first, second = page.layout_text().split("\n")
    assert width(first[: first.index("right")]) == width(second[: second.index("aligned")])


def test_text_on_its_side_has_a_grid_of_its_own() -> None:
    page = read(draw(column(72, 700, prose(3))) + f"BT /F2 10 Tf {turned(90, 40, 300)} {{up the margin}} Tj ET")
    assert page.layout_text() == "\n".join(prose(3)) + "\n\nup the margin"


def test_a_turned_page_reads_as_one_that_is_not() -> None:
    content = "".join(
        f"BT /F2 10 Tf {turned(90, 100 + 12 * row, 72 + 100 * at)} {{{word} {row}}} Tj ET\n"
        for row in range(3)
        for at, word in enumerate(("left", "right"))
    )
    assert read(content, rotate=90).layout_text().split("\n") == [f"left {row}              right {row}" for row in range(3)]


def test_an_empty_page_has_no_lines() -> None:
    assert read("").layout_text() == ""


def test_thousands_of_texts_in_one_place_cost_what_they_hold() -> None:
    page = read(draw(Line(72 + at * 0.03, 700, chr(0x4E00 + at)) for at in range(3000)))
    assert sorted("".join(page.layout_text().split())) == sorted(chr(0x4E00 + at) for at in range(3000))


def test_a_staircase_does_not_grow_without_end() -> None:
    text = read(draw(Line(1 + at * 0.19, 790 - at * 0.25, "x", 0.2) for at in range(3000))).layout_text()
    assert text.count("x") == 3000
    assert len(text) < 5_000_000


placed = st.tuples(
    st.integers(0, 600),
    st.integers(0, 780),
    st.sampled_from((4, 10, 30)),
    st.sampled_from((0, 90, 180, 270, 37)),
    st.sampled_from(("word", "אור", "a", "灯台", "x y z")),
)


@given(st.lists(placed, max_size=40))
def test_no_character_is_lost_or_made_up(pieces: list[tuple[int, int, int, int, str]]) -> None:
    page = read("".join(f"BT /F2 {size} Tf {turned(angle, x, y)} {{{text}}} Tj ET\n" for x, y, size, angle, text in pieces))
    assert sorted("".join(page.layout_text().split())) == sorted("".join(page.text().split()))


def test_a_page_with_a_table(golden: Golden) -> None:
    rows = [
        ("Light", "Height", "Range", "Built"),
        ("North Head", "31 m", "18 M", "1846"),
        ("The Narrows", "9 m", "7 M", "1902"),
        ("Western Reef", "104 m", "22 M", "1871"),
    ]
    table = [
        Line(110 + 100 * at - (5 * len(cell) if at else 0), 560 - 14 * row, cell)
        for row, cells in enumerate(rows)
        for at, cell in enumerate(cells)
    ]
    title = [Line(150, 735, "The keepers of the western light", 18)]
    page = read(draw(title + column(72, 700, prose(9)) + column(320, 700, prose(9, start=9)) + table + [Line(300, 40, "17")]))
    golden.check("visual-text/table.txt", page.layout_text() + "\n")
