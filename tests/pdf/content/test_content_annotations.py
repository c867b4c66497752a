"""What annotations show, after the page's own text (ISO 32000-2, 12.5)."""

from __future__ import annotations

from typing import Any

import pytest

from pincite import Page
from pincite._kernel.columns import FLAG_ANNOTATION
from support.sheet import Sheet, flagged, origins

PAGE = "BT /F1 10 Tf 100 700 Td (page) Tj ET"
RECTANGLE = (100, 600, 200, 620)


def annotated(
    subtype: str = "FreeText", *, flags: int = 4, matrix: Any = None, bbox: Any = (0, 0, 100, 20), **extra: Any
) -> Page:
    sheet = Sheet()
    appearance = sheet.form("BT /F1 10 Tf 0 5 Td (note) Tj ET", bbox=bbox, matrix=matrix)
    note = sheet.writer.add_annotation(subtype, RECTANGLE, appearance=appearance, flags=flags, extra=extra)
    return sheet.read(PAGE, annotations=[note])


@pytest.mark.parametrize("subtype", ["Widget", "FreeText", "Stamp"])
def test_fields_free_texts_and_stamps_follow_the_text_of_the_page(subtype: str) -> None:
    page = annotated(subtype)
    assert page.text() == "page\nnote"
    assert page.text(annotations=False) == "page"
    assert flagged(page, FLAG_ANNOTATION) == "note"


@pytest.mark.parametrize("subtype", ["Popup", "Text", "Link"])
def test_others_do_not(subtype: str) -> None:
    assert annotated(subtype).text() == "page"


@pytest.mark.parametrize(
    ("flags", "shown"),
    [(0, True), (4, True), (2, False), (32, False), (2 + 4, False), (4 + 64, True), (1, True), (-1, False), (256, True)],
)
def test_hidden_and_no_view_annotations_are_left_out(flags: int, shown: bool) -> None:
    assert annotated(flags=flags).text() == ("page\nnote" if shown else "page")


@pytest.mark.parametrize(
    ("bbox", "matrix", "origin"),
    [
        pytest.param((0, 0, 100, 20), None, (100, 605), id="same size"),
        pytest.param((0, 0, 50, 10), None, (100, 610), id="twice as large"),
        pytest.param((-20, -10, 80, 10), None, (120, 615), id="off the origin"),
        pytest.param((0, 0, 100, 20), (1, 0, 0, 1, 70, 30), (100, 605), id="its translation is undone"),
        pytest.param((0, 0, 100, 20), (2, 0, 0, 2, 0, 0), (100, 605), id="its scale is undone"),
        pytest.param((0, 0, 20, 100), (0, 1, -1, 0, 0, 0), (195, 600), id="turned"),
    ],
)
def test_the_appearance_is_fitted_to_the_rectangle(bbox: Any, matrix: Any, origin: tuple[float, float]) -> None:
    page = annotated(bbox=bbox, matrix=matrix)
    assert origins(page)[4] == pytest.approx(origin)


def test_they_stand_in_their_order() -> None:
    sheet = Sheet()
    notes = [
        sheet.writer.add_annotation(
            "Widget",
            (100, y, 200, y + 20),
            appearance=sheet.form(f"BT /F1 10 Tf 0 5 Td (field {y}) Tj ET", bbox=(0, 0, 100, 20)),
        )
        for y in (300, 500, 400)
    ]
    assert sheet.read(PAGE, annotations=notes).text("content") == "page\nfield 300\nfield 500\nfield 400"


@pytest.mark.parametrize(("state", "expected"), [("/Yes", "page\nX"), ("/Off", "page"), ("/Maybe", "page"), (None, "page")])
def test_the_appearance_state_chooses_one_of_several(state: str | None, expected: str) -> None:
    sheet = Sheet()
    ticked, empty = sheet.form("BT /F1 10 Tf 0 5 Td (X) Tj ET", bbox=(0, 0, 100, 20)), sheet.form("", bbox=(0, 0, 100, 20))
    box = sheet.writer.add_annotation("Widget", RECTANGLE, extra={"AP": {"N": {"Yes": ticked, "Off": empty}}, "AS": state})
    assert sheet.read(PAGE, annotations=[box]).text() == expected


def test_text_outside_the_box_of_the_appearance_is_clipped() -> None:
    assert annotated(bbox=(0, 0, 12, 20)).text() == "page\nno"


def test_the_normal_appearance_alone_counts() -> None:
    sheet = Sheet()
    rollover = sheet.form("BT /F1 10 Tf 0 5 Td (rollover) Tj ET", bbox=(0, 0, 100, 20))
    note = sheet.writer.add_annotation("Widget", RECTANGLE, extra={"AP": {"R": rollover, "D": rollover}})
    assert sheet.read(PAGE, annotations=[note]).text() == "page"


def test_contents_without_an_appearance_are_not_shown() -> None:
    sheet = Sheet()
    note = sheet.writer.add_annotation("FreeText", RECTANGLE, extra={"Contents": b"unseen", "V": b"unseen"})
    assert sheet.read(PAGE, annotations=[note]).text() == "page"


@pytest.mark.parametrize(
    "annotation", ["null", "5", "[]", "<<>>", "<</Subtype /FreeText>>", "<</Subtype /FreeText /AP 3 /Rect [0 0 1 1]>>"]
)
def test_what_is_no_annotation_costs_nothing(annotation: str) -> None:
    assert Sheet().read(PAGE, annotations=[annotation]).text() == "page"


@pytest.mark.parametrize("rectangle", ["null", "[1 2 3]", "[(a) 0 0 0]", "[100 600 100 600]"])
def test_a_broken_rectangle(rectangle: str) -> None:
    assert annotated(Rect=rectangle).text() in ("page", "page\nnote")


def test_what_the_page_left_open_does_not_reach_them() -> None:
    sheet = Sheet()
    note = sheet.writer.add_annotation(
        "FreeText", RECTANGLE, appearance=sheet.form("BT /F1 10 Tf 0 5 Td (note) Tj ET", bbox=(0, 0, 100, 20))
    )
    page = sheet.read("q 2 0 0 2 300 650 cm 3 Tr 1 Tc BT /F1 10 Tf (page) Tj", annotations=[note])
    assert page.text() == "page\nnote"
    glyphs = page.glyphs()
    assert origins(page)[4] == pytest.approx((100, 605))
    assert glyphs.rendering_mode[4] == 0
    assert glyphs.advance_end_x[4] == pytest.approx(105)


def test_a_widget_is_its_own_field() -> None:
    """A field with its widget merged into it, listed both in the form and on the page, is shown once."""
    sheet = Sheet()
    appearance = sheet.form("/Tx BMC q BT /F1 10 Tf 2 5 Td (value) Tj ET Q EMC", bbox=(0, 0, 100, 20))
    field = sheet.writer.add_annotation(
        "Widget", RECTANGLE, appearance=appearance, extra={"FT": "/Tx", "T": b"name", "V": b"value"}
    )
    sheet.writer.catalog["AcroForm"] = {"Fields": [field]}
    assert sheet.read(PAGE, annotations=[field]).text() == "page\nvalue"


def test_an_appearance_without_resources_borrows_those_of_the_page() -> None:
    sheet = Sheet()
    appearance = sheet.form("BT /F1 10 Tf 0 5 Td (note) Tj ET", bbox=(0, 0, 100, 20), own_resources=False)
    note = sheet.writer.add_annotation("Stamp", RECTANGLE, appearance=appearance)
    assert sheet.read(PAGE, annotations=[note]).text() == "page\nnote"
