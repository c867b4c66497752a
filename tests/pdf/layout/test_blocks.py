"""`page.blocks()`: paragraphs, headings, captions."""

from __future__ import annotations

from support.layouts import Line, column, draw, draw_across, prose, texts
from support.sheet import Sheet, read, turned


def blocks(*lines: Line) -> list[str]:
    return [block.text for block in read(draw(lines)).blocks()]


def test_paragraphs_and_a_heading() -> None:
    heading = [Line(72, 740, "The western light", 16)]
    first, second = column(72, 715, prose(5)), column(72, 640, prose(4, start=30))
    assert blocks(*heading, *first, *second) == [texts(heading), texts(first), texts(second)]


def test_an_indented_line_begins_a_paragraph() -> None:
    first = column(72, 700, prose(4))
    second = [Line(87, 652, "it begins farther in"), *column(72, 640, prose(3, start=30))]
    assert blocks(*first, *second) == [texts(first), texts(second)]


def test_a_hanging_indent_does_not() -> None:
    item = [Line(72, 700, "1. An item that goes on"), *column(87, 688, ["with lines that begin", "farther in than the first"])]
    assert blocks(*item) == [texts(item)]


def test_columns_are_apart() -> None:
    left, right = column(72, 700, prose(12)), column(320, 700, prose(12, start=17))
    assert [block.text for block in read(draw_across(left, right)).blocks()] == [texts(left), texts(right)]


def test_spans_and_quads() -> None:
    page = read(draw([Line(72, 700, "one"), Line(72, 688, "three"), Line(72, 600, "other")]))
    first, second = page.blocks()
    assert [(block.start, block.end) for block in (first, second)] == [(0, 9), (10, 15)]
    assert page.text()[first.start : first.end] == first.text == "one\nthree"
    assert first.quad is not None
    bounds = first.quad.bounds
    assert (bounds.x0, bounds.x1) == (72, 97)
    assert bounds.y0 < 688 < 700 < bounds.y1


def test_turned_and_vertical_text() -> None:
    up = "".join(f"BT /F2 10 Tf {turned(90, 100 + 12 * at, 72)} {{{line}}} Tj ET\n" for at, line in enumerate(prose(3)))
    assert [block.text for block in read(up).blocks()] == ["\n".join(prose(3))]
    sheet = Sheet()
    font = sheet.writer.add_composite_font("Vertical", encoding="/Identity-V", default_width=1000)
    content = b"".join(
        f"BT /{font.name} 12 Tf {500 - 16 * at} 700 Td ".encode() + font.show(text) + b" ET\n"
        for at, text in enumerate(["灯台の光は", "晴れた夜"])
    )
    assert [block.text for block in sheet.read([content]).blocks()] == ["灯台の光は\n晴れた夜"]


def test_an_empty_page() -> None:
    assert read("").blocks() == []
