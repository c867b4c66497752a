"""Quads: where the characters of a span stand on the page.

The font F2 has its ascender at 0.8 em and its descender at -0.2 em.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import Page
from pincite.model.geometry import Quad
from support.sheet import Sheet, line_of, read, turned


def corners(quad: Quad) -> list[tuple[float, float]]:
    return [(round(x, 4), round(y, 4)) for x, y in (quad.lower_left, quad.lower_right, quad.upper_right, quad.upper_left)]


def box(quad: Quad) -> tuple[float, float, float, float]:
    bounds = quad.bounds
    return (round(bounds.x0, 4), round(bounds.y0, 4), round(bounds.x1, 4), round(bounds.y1, 4))


def boxes(page: Page, start: int, end: int) -> list[tuple[float, float, float, float]]:
    return [box(quad) for quad in page.quads(start, end)]


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 1, [(100, 698, 105, 708)]),
        (1, 3, [(105, 698, 115, 708)]),
        (0, 9, [(100, 698, 145, 708)]),
        (0, 3, [(100, 698, 115, 708)]),
        (3, 4, [(115, 698, 120, 708)]),
        (8, 11, [(140, 698, 145, 708), (100, 686, 105, 696)]),
        (9, 10, []),
        (10, 14, [(100, 686, 120, 696)]),
        (0, 14, [(100, 698, 145, 708), (100, 686, 120, 696)]),
        (5, 5, []),
        (14, 14, []),
    ],
)
def test_one_quad_for_each_line_over_the_very_characters(start: int, end: int, expected: list[Any]) -> None:
    page = read(line_of([(100, "one third")]) + line_of([(100, "line")], 688))
    assert page.text() == "one third\nline"
    assert boxes(page, start, end) == expected


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (0, 6), (3, 2), (6, 6)])
def test_a_span_outside_the_text_is_an_error(start: int, end: int) -> None:
    with pytest.raises(IndexError):
        read(line_of([(100, "words")])).quads(start, end)


def test_a_space_that_geometry_added_has_no_place_of_its_own() -> None:
    page = read(line_of([(100, "ab"), (120, "cd")]))
    assert page.text() == "ab cd"
    assert boxes(page, 2, 3) == []
    assert boxes(page, 1, 4) == [(105, 698, 125, 708)]


@pytest.mark.parametrize("angle", [0, 37, 90, 180, 270])
def test_turned_text_keeps_its_slant(angle: float) -> None:
    page = read(f"BT /F2 10 Tf {turned(angle, 300, 400)} {{abcd}} Tj ET")
    turn = math.radians(angle)

    def place(along: float, across: float) -> tuple[float, float]:
        x, y = along * math.cos(turn) - across * math.sin(turn), along * math.sin(turn) + across * math.cos(turn)
        return (pytest.approx(300 + x, abs=1e-3), pytest.approx(400 + y, abs=1e-3))

    (quad,) = page.quads(1, 3)
    assert corners(quad) == [place(5, -2), place(15, -2), place(15, 8), place(5, 8)]


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"rotate": 90}, id="Rotate"),
        pytest.param({"rotate": 180}, id="upside down"),
        pytest.param({"user_unit": 2.0}, id="UserUnit"),
        pytest.param({"crop_box": (50, 300, 500, 750)}, id="CropBox"),
        pytest.param({"media_box": (-100, -50, 700, 900), "crop_box": (90, 600, 400, 800)}, id="boxes off the origin"),
    ],
)
def test_quads_are_in_user_space_however_the_page_is_shown(options: dict[str, Any]) -> None:
    assert boxes(read(line_of([(100, "words")]), **options), 1, 3) == [(105, 698, 115, 708)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("/F2 1 Tf 10 0 0 10 100 700 Tm {ab} Tj", (100, 698, 110, 708), id="size in Tm"),
        pytest.param("/F2 10 Tf 100 700 Td 200 Tz {ab} Tj", (100, 698, 120, 708), id="Tz"),
        pytest.param("/F2 10 Tf 100 700 Td 1 Tc {ab} Tj", (100, 698, 111, 708), id="Tc is no part of the last glyph"),
        pytest.param("/F2 10 Tf 100 700 Td {a} Tj 2 Ts {b} Tj", (100, 698, 110, 710), id="Ts"),
        pytest.param("/F2 10 Tf 100 700 Td {a} Tj /F2 20 Tf {b} Tj", (100, 696, 115, 716), id="two sizes"),
        pytest.param("/F2 10 Tf -1 0 0 1 100 700 Tm {ab} Tj", (90, 698, 100, 708), id="mirrored"),
        pytest.param("/F2 -10 Tf 100 700 Td {ab} Tj", (90, 692, 100, 702), id="negative size"),
        pytest.param("/F2 10 Tf 1 0 0.5 1 100 700 Tm {ab} Tj", (99, 698, 114, 708), id="slanted"),
    ],
)
def test_the_box_follows_the_text_state(source: str, expected: tuple[float, ...]) -> None:
    page = read(f"BT {source} ET")
    assert page.text() == "ab"
    assert boxes(page, 0, 2) == [expected]


def test_vertical_writing() -> None:
    sheet = Sheet()
    font = sheet.writer.add_composite_font(encoding="/Identity-V")
    page = sheet.read([font.text(300, 700, "縦書き", size=10)])
    glyphs = page.glyphs()
    assert [round(x) for x in glyphs.x] == [300, 300, 300]
    assert boxes(page, 0, 1) == [(295, 690, 305, 700)]
    assert boxes(page, 1, 3) == [(295, 670, 305, 690)]


def test_each_letter_of_a_ligature_stands_for_the_whole_glyph() -> None:
    sheet = Sheet()
    codes = [sheet.any.code(text) for text in ("o", "ffi", "c", "e")]
    page = sheet.read("BT /F2 10 Tf 100 700 Td <{}> Tj ET".replace("{}", "".join(f"{code:04x}" for code in codes)))
    assert page.text() == "office"
    assert boxes(page, 1, 2) == boxes(page, 2, 3) == boxes(page, 1, 4) == [(105, 698, 110, 708)]


def test_each_character_of_an_actual_text_stands_for_the_whole_span() -> None:
    page = read("BT /F2 10 Tf 100 700 Td {a } Tj /Span <</ActualText (xy)>> BDC {abcd} Tj EMC { b} Tj ET")
    assert page.text() == "a xy b"
    assert boxes(page, 2, 4) == boxes(page, 2, 3) == boxes(page, 3, 4) == [(110, 698, 130, 708)]
    assert boxes(page, 4, 6) == [(130, 698, 140, 708)]


def test_in_a_form_and_in_an_annotation() -> None:
    sheet = Sheet()
    form = sheet.form("BT /F2 10 Tf {form} Tj ET", bbox=(0, -10, 100, 100), matrix=(2, 0, 0, 2, 100, 500))
    appearance = sheet.form("BT /F2 10 Tf 0 10 Td {note} Tj ET", bbox=(0, 0, 100, 50))
    note = sheet.writer.add_annotation("FreeText", (200, 300, 300, 350), appearance=appearance)
    page = sheet.read("/Fm1 Do", xobjects={"Fm1": form}, annotations=[note])
    assert page.text() == "form\nnote"
    assert boxes(page, 0, 4) == [(100, 496, 140, 516)]
    assert boxes(page, 5, 9) == [(200, 308, 220, 318)]


def test_what_was_drawn_into_a_hole() -> None:
    page = read(line_of([(100, "one"), (123, "two"), (115, ",")]))
    assert page.text() == "one, two"
    assert boxes(page, 3, 4) == [(115, 698, 120, 708)]
    assert boxes(page, 0, 8) == [(100, 698, 138, 708)]


def test_what_was_drawn_twice_has_one_place() -> None:
    page = read("BT /F2 10 Tf 100 700 Td {bold} Tj 0.3 0 Td {bold} Tj [{ and}] TJ ET")
    assert page.text() == "bold and"
    assert boxes(page, 0, 4) == [(100, 698, 120, 708)]


def test_quads_of_glyphs() -> None:
    page = read(line_of([(100, "ab")]) + line_of([(100, "below the page")], -50))
    glyphs = page.glyphs()
    assert [box(glyphs.quad(row)) for row in (0, 1, 2)] == [
        (100, 698, 105, 708),
        (105, 698, 110, 708),
        (100, -52, 105, -42),
    ]


@settings(max_examples=40)
@given(
    lines=st.lists(st.text(st.sampled_from("abc de日본"), min_size=1, max_size=8), min_size=1, max_size=4),
    size=st.integers(5, 20),
    angle=st.sampled_from([0, 0, 25, 90]),
)
def test_every_character_has_the_place_of_its_glyph(lines: list[str], size: int, angle: int) -> None:
    shown = " T* ".join(f"{{{line}}} Tj" for line in lines)
    page = read(f"BT /F2 {size} Tf {2 * size} TL {turned(angle, 300, 400)} {shown} ET")
    text, glyphs = page.text(), page.glyphs()
    assert text == "\n".join(lines)
    row = 0
    for at, character in enumerate(text):
        if character == "\n":
            assert page.quads(at, at + 1) == []
            continue
        (quad,) = page.quads(at, at + 1)
        assert quad == glyphs.quad(row)
        assert glyphs.text(row) == character
        row += 1
    whole = page.quads(0, len(text))
    assert len(whole) == len(lines)
