"""Form XObjects: where their glyphs stand, what they inherit, and what is not painted (ISO 32000-2, 8.10)."""

from __future__ import annotations

from typing import Any

import pytest

from pincite._kernel.columns import FLAG_CLIPPED, FLAG_FORM
from support.sheet import Sheet, flagged, origins, read, shown

WORD = "BT /F1 10 Tf 10 20 Td (form) Tj ET"


def test_a_form_is_drawn_where_it_is_painted() -> None:
    sheet = Sheet()
    form = sheet.form("BT /F1 10 Tf 100 680 Td (form) Tj ET")
    before, after = "BT /F1 10 Tf 100 700 Td (before) Tj ET", "BT /F1 10 Tf 100 660 Td (after) Tj ET"
    page = sheet.read(f"{before} /Fm1 Do {after}", xobjects={"Fm1": form})
    assert page.text() == "before\nform\nafter"
    assert flagged(page, FLAG_FORM) == "form"


@pytest.mark.parametrize(
    ("matrix", "ctm", "origin"),
    [
        (None, "", (10, 20)),
        ((1, 0, 0, 1, 100, 200), "", (110, 220)),
        (None, "1 0 0 1 100 200 cm", (110, 220)),
        ((2, 0, 0, 3, 0, 0), "1 0 0 1 100 200 cm", (120, 260)),
        ((1, 0, 0, 1, 100, 200), "2 0 0 3 0 0 cm", (220, 660)),
        ((0, 1, -1, 0, 0, 0), "1 0 0 1 300 200 cm", (280, 210)),
        ((1, 0, 0, 1, 5, 6), "0 1 -1 0 400 300 cm", (374, 315)),
        ((1, 0, 0, 1, 5, 6), "1 0 0 1 0 100 cm 2 0 0 2 0 0 cm", (30, 152)),
    ],
)
def test_under_its_matrix_and_the_ctm(matrix: tuple[float, ...] | None, ctm: str, origin: tuple[float, float]) -> None:
    sheet = Sheet()
    form = sheet.form(WORD, matrix=matrix)
    page = sheet.read(f"q {ctm} /Fm1 Do Q", xobjects={"Fm1": form})
    assert origins(page)[0] == pytest.approx(origin)
    assert page.text() == "form"


def test_nested_forms_multiply_their_matrices() -> None:
    sheet = Sheet()
    inner = sheet.form(WORD, matrix=(2, 0, 0, 2, 0, 0))
    middle = sheet.form("q 1 0 0 1 30 40 cm /Fm1 Do Q", xobjects={"Fm1": inner}, matrix=(0, 1, -1, 0, 0, 0))
    outer = sheet.form("/Fm1 Do", xobjects={"Fm1": middle}, matrix=(1, 0, 0, 1, 200, 100), bbox=(-600, -600, 600, 600))
    page = sheet.read("1 0 0 1 50 50 cm /Fm1 Do", xobjects={"Fm1": outer})
    # (10, 20) · 2 = (20, 40), + (30, 40) = (50, 80), turned = (-80, 50), + (200, 100) + (50, 50)
    assert origins(page)[0] == pytest.approx((170, 200))
    assert page.text() == "form"


def test_a_form_painted_twice_is_drawn_twice() -> None:
    sheet = Sheet()
    page = sheet.read("/Fm1 Do q 1 0 0 1 0 100 cm /Fm1 Do Q", xobjects={"Fm1": sheet.form(WORD)})
    assert page.text() == "form\nform"


def test_a_form_that_paints_itself_is_skipped_with_a_warning() -> None:
    sheet = Sheet()
    own: dict[str, Any] = {}
    form = own["Me"] = sheet.form(f"{WORD} /Me Do BT /F1 10 Tf 10 40 Td (on) Tj ET", xobjects=own)
    page = sheet.read("/Me Do", xobjects={"Me": form})
    assert page.text("content") == "form\non"
    assert any("itself" in warning for warning in page.warnings)


def test_two_forms_that_paint_each_other() -> None:
    sheet = Sheet()
    first_own: dict[str, Any] = {}
    second_own: dict[str, Any] = {}
    first = second_own["Other"] = sheet.form("BT /F1 10 Tf 10 20 Td (first) Tj ET /Other Do", xobjects=first_own)
    first_own["Other"] = sheet.form("BT /F1 10 Tf 10 40 Td (second) Tj ET /Other Do", xobjects=second_own)
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 10 60 Td (page) Tj ET", xobjects={"Fm1": first})
    assert page.text("content") == "first\nsecond\npage"
    assert len(page.warnings) == 1


def test_a_form_that_borrows_its_resources_and_paints_itself() -> None:
    sheet = Sheet()
    form = sheet.form(f"{WORD} /Fm1 Do", own_resources=False)
    page = sheet.read("/Fm1 Do", xobjects={"Fm1": form})
    assert page.text() == "form"
    assert page.warnings


def test_forms_nested_very_deep() -> None:
    sheet = Sheet()
    form = sheet.form(WORD)
    for _ in range(100):
        form = sheet.form("/Fm1 Do", xobjects={"Fm1": form})
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 10 40 Td (page) Tj ET", xobjects={"Fm1": form})
    assert page.text() == "page"
    assert page.warnings


def test_a_form_without_resources_borrows_those_of_its_painter() -> None:
    sheet = Sheet()
    other = sheet.writer.add_font(widths=500, differences={102: "F"}, codes={"f": 102})  # shows f as F
    bare = sheet.form(WORD, own_resources=False)
    outer = sheet.form("/Bare Do", fonts={"F1": other}, xobjects={"Bare": bare})
    page = sheet.read("/Bare Do q 1 0 0 1 0 50 cm /Outer Do Q", xobjects={"Bare": bare, "Outer": outer})
    assert page.text("content") == "form\nForm"


def test_a_font_name_means_another_font_in_a_form() -> None:
    sheet = Sheet()
    other = sheet.writer.add_font(widths=500, differences={102: "F"}, codes={"f": 102})
    form = sheet.form(WORD, fonts={"F1": other})
    page = sheet.read(f"{WORD} q 1 0 0 1 0 50 cm /Fm1 Do Q BT /F1 10 Tf 10 20 Td [-5000 (f)] TJ ET", xobjects={"Fm1": form})
    assert page.text("content") == "form\nForm\nf"


def test_a_form_begins_with_the_state_of_its_painter() -> None:
    sheet = Sheet()
    form = sheet.form("BT 10 20 Td (form) Tj ET")
    page = sheet.read("BT /F1 20 Tf 1 Tc 3 Tr ET /Fm1 Do", xobjects={"Fm1": form})
    glyphs = page.glyphs()
    assert page.text() == "form"
    assert set(glyphs.size) == {20}
    assert set(glyphs.rendering_mode) == {3}
    assert glyphs.advance_end_x[0] == pytest.approx(21)


@pytest.mark.parametrize(
    "left_behind",
    [
        "/F1 99 Tf 5 Tc 7 Ts",
        "2 0 0 2 50 50 cm",
        "q q q",
        "Q Q Q",
        "/F2 3 Tf",
        "BT",
        "BT 1 0 0 1 400 400 Tm",
        "3 Tr",
        "(",
        "<<",
        "[",
    ],
)
def test_a_form_leaves_no_trace(left_behind: str) -> None:
    sheet = Sheet()
    form = sheet.form(f"{left_behind}")
    source = "q BT /F1 10 Tf 100 700 Td (a) Tj {} (b) Tj ET Q BT /F1 10 Tf 100 600 Td (c) Tj ET"
    page = sheet.read(source.replace("{}", "/Fm1 Do"), xobjects={"Fm1": form})
    plain = read(source.replace("{}", ""))
    assert page.text() == plain.text() == "ab\nc"
    assert origins(page) == origins(plain)
    assert page.glyphs().size == plain.glyphs().size


@pytest.mark.parametrize(
    ("bbox", "matrix", "expected"),
    [
        pytest.param((0, 0, 100, 100), None, "abcdef", id="all inside"),
        pytest.param((0, 0, 25, 100), None, "abc", id="cut on the right"),
        pytest.param((20, 0, 100, 100), None, "cdef", id="cut on the left"),
        pytest.param((0, 0, 100, 22), None, "", id="cut on top"),
        pytest.param((100, 100, 0, 0), None, "abcdef", id="corners the other way round"),
        pytest.param((0, 0, 25, 100), (2, 0, 0, 2, 50, 50), "abc", id="scaled with its box"),
        pytest.param((0, 0, 25, 100), (0.6, 0.8, -0.8, 0.6, 300, 300), "abc", id="turned with its box"),
    ],
)
def test_glyphs_outside_the_bbox_are_not_text(bbox: Any, matrix: Any, expected: str) -> None:
    sheet = Sheet()
    form = sheet.form("BT /F1 10 Tf 10 20 Td (abcdef) Tj ET", bbox=bbox, matrix=matrix)
    page = sheet.read("/Fm1 Do", xobjects={"Fm1": form})
    assert page.text() == expected
    assert shown(page) == "abcdef"
    assert flagged(page, FLAG_CLIPPED) == "".join(sorted(set("abcdef") - set(expected)))


def test_an_outer_box_clips_the_inner_form_too() -> None:
    sheet = Sheet()
    inner = sheet.form("BT /F1 10 Tf 10 20 Td (abcdef) Tj ET", bbox=(0, 0, 100, 100))
    outer = sheet.form("BT /F1 10 Tf 10 40 Td (xyz) Tj ET /Fm1 Do", xobjects={"Fm1": inner}, bbox=(0, 0, 25, 100))
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 100 100 Td (page) Tj ET", xobjects={"Fm1": outer})
    assert page.text() == "xyz\nabc\npage"


@pytest.mark.parametrize("extra", [{"BBox": None}, {"BBox": [0, 0]}, {"BBox": "/None"}])
def test_a_form_without_a_sane_bbox_is_not_clipped(extra: dict[str, Any]) -> None:
    sheet = Sheet()
    assert sheet.read("/Fm1 Do", xobjects={"Fm1": sheet.form(WORD, extra=extra)}).text() == "form"


@pytest.mark.parametrize("matrix", ["[1 0 0]", "/Name", "[1 0 0 1 (x) 0]", "null"])
def test_a_broken_matrix_is_none(matrix: str) -> None:
    sheet = Sheet()
    assert sheet.read("/Fm1 Do", xobjects={"Fm1": sheet.form(WORD, extra={"Matrix": matrix})}).text() == "form"


def test_what_is_not_a_form_draws_no_text() -> None:
    sheet = Sheet()
    image = sheet.writer.add_image()
    script = sheet.writer.add_stream("BT /F1 10 Tf (PS) Tj ET", {"Type": "/XObject", "Subtype": "/PS"})
    xobjects = {"Im1": image, "Ps1": script, "Nothing": sheet.writer.add(5)}
    page = sheet.read(
        "/Im1 Do /Ps1 Do /Nothing Do /Missing Do (x) Do 5 Do Do BT /F1 10 Tf 9 9 Td (text) Tj ET", xobjects=xobjects
    )
    assert page.text() == "text"
    assert page.quality.images == 1


def test_a_form_that_can_not_be_decoded_costs_itself_alone() -> None:
    sheet = Sheet()
    broken = sheet.writer.add_stream(
        b"\x01\x02 garbage", {"Type": "/XObject", "Subtype": "/Form", "BBox": [0, 0, 9, 9], "Filter": "/JBIG2Decode"}
    )
    page = sheet.read("BT /F1 10 Tf 100 700 Td (be) Tj ET /Fm1 Do BT /F1 10 Tf 110 700 Td (fore) Tj ET", xobjects={"Fm1": broken})
    assert page.text() == "before"
    assert page.warnings


def test_text_in_pattern_cells_soft_masks_and_type3_glyphs_is_not_text_of_the_page() -> None:
    sheet = Sheet()
    box = {"BBox": [0, 0, 50, 50], "Resources": sheet.writer.resources()}
    tiling = {"PatternType": 1, "PaintType": 1, "TilingType": 1, "XStep": 50, "YStep": 50}
    pattern = sheet.writer.add_stream("BT /F1 10 Tf (cell) Tj ET", box | tiling)
    mask = sheet.writer.add_form("BT /F1 10 Tf (mask) Tj ET", extra={"Group": "<</S /Transparency>>"})
    letter = sheet.writer.add_type3_font(
        {65: "1000 0 d0 BT /F1 10 Tf (inside) Tj ET"}, to_unicode={65: "A"}, resources=sheet.writer.resources()
    )
    page = sheet.read(
        f"/Pattern cs /P1 scn 0 0 600 700 re f /GS1 gs BT /{letter.name} 10 Tf 100 700 Td (A) Tj /F1 10 Tf ( page) Tj ET",
        resources={"Pattern": {"P1": pattern}, "ExtGState": {"GS1": {"SMask": {"S": "/Luminosity", "G": mask}}}},
    )
    assert page.text() == "A page"


def test_glyphs_of_the_page_alone() -> None:
    sheet = Sheet()
    form = sheet.form("BT /F1 10 Tf 100 680 Td (form) Tj ET")
    page = sheet.read(
        "BT /F1 10 Tf 9 700 Td (ab) Tj [(c) (de)] TJ ET /Fm1 Do BT /F1 10 Tf 9 9 Td (f) Tj ET", xobjects={"Fm1": form}
    )
    own, every = page.glyphs(forms=False), page.glyphs()
    assert "".join(own.text(row) for row in range(len(own))) == "abcdef"
    assert [number for number, flag in zip(every.operator, every.flags, strict=True) if flag & FLAG_FORM] == [-1] * 4
    assert list(own.string) == [0, 0, 0, 1, 1, 0]
    # operators are counted from the start of the page's own stream: BT Tf Td Tj TJ ET Do BT Tf Td Tj
    assert list(own.operator) == [4, 4, 5, 5, 5, 11]


def test_q_and_capital_q_hold_the_font() -> None:
    source = "BT /F1 10 Tf 100 700 Td (a) Tj q /F2 20 Tf 3 Ts {漢} Tj Q (b) Tj ET q BT /F1 30 Tf ET Q BT 100 600 Td (c) Tj ET"
    page = read(source)
    assert page.text() == "a漢b\nc"
    assert list(page.glyphs().size) == [10, 20, 10, 10]


def test_capital_q_before_any_font_shows_nothing() -> None:
    assert read("q BT /F1 10 Tf ET Q BT 100 700 Td (no font) Tj ET BT /F1 10 Tf 100 600 Td (font) Tj ET").text() == "font"


def test_the_graphics_state_dictionary_may_set_the_font() -> None:
    sheet = Sheet()
    state = {"Font": [sheet.latin.reference, 15]}
    page = sheet.read("/GS1 gs BT 100 700 Td (font) Tj ET", resources={"ExtGState": {"GS1": state}})
    assert page.text() == "font"
    assert set(page.glyphs().size) == {15}
