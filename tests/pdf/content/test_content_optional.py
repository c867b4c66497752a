"""Optional content that is off is no text, though its glyphs are there (ISO 32000-2, 8.11)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite._kernel.columns import FLAG_HIDDEN
from support.sheet import Sheet, flagged, shown

LINE = "BT /F1 10 Tf 100 700 Td (one ) Tj /OC /MC0 BDC (two ) Tj EMC (three) Tj ET"


@pytest.mark.parametrize("visible", [True, False])
def test_a_group_in_the_content(visible: bool) -> None:
    sheet = Sheet()
    page = sheet.read(LINE, properties={"MC0": sheet.writer.add_layer("Layer", visible=visible)})
    assert page.text() == ("one two three" if visible else "one three")
    assert flagged(page, FLAG_HIDDEN) == ("" if visible else "two ")
    assert shown(page) == "one two three"


@pytest.mark.parametrize("visible", [True, False])
def test_a_form_that_belongs_to_a_group(visible: bool) -> None:
    sheet = Sheet()
    form = sheet.form("BT /F1 10 Tf 100 680 Td (form) Tj ET", extra={"OC": sheet.writer.add_layer("Layer", visible=visible)})
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 100 600 Td (page) Tj ET", xobjects={"Fm1": form})
    assert page.text() == ("form\npage" if visible else "page")
    assert shown(page) == "formpage"


@pytest.mark.parametrize("visible", [True, False])
def test_an_annotation_that_belongs_to_a_group(visible: bool) -> None:
    sheet = Sheet()
    appearance = sheet.form("BT /F1 10 Tf 0 5 Td (stamp) Tj ET", bbox=(0, 0, 100, 20))
    layer = sheet.writer.add_layer("Layer", visible=visible)
    stamp = sheet.writer.add_annotation("Stamp", (100, 600, 200, 620), appearance=appearance, extra={"OC": layer})
    assert sheet.read("", annotations=[stamp]).text() == ("stamp" if visible else "")


def test_what_is_nested_in_hidden_content_is_hidden() -> None:
    sheet = Sheet()
    on, off = sheet.writer.add_layer("On"), sheet.writer.add_layer("Off", visible=False)
    form = sheet.form("BT /F1 10 Tf 100 600 Td (form) Tj ET")
    source = (
        "BT /F1 10 Tf 100 700 Td (a) Tj /OC /Off BDC (b) Tj /OC /On BDC (c) Tj EMC /P BMC (d) Tj EMC (e) Tj EMC (f) Tj "
        "/OC /On BDC (g) Tj /OC /Off BDC (h) Tj EMC (i) Tj EMC (j) Tj ET /OC /Off BDC /Fm1 Do EMC"
    )
    page = sheet.read(source, properties={"On": on, "Off": off}, xobjects={"Fm1": form})
    assert flagged(page, FLAG_HIDDEN) == "bcdehform"


def test_a_form_that_forgets_its_end_hides_nothing_of_the_page() -> None:
    sheet = Sheet()
    off = sheet.writer.add_layer("Off", visible=False)
    form = sheet.form("/OC /MC0 BDC BT /F1 10 Tf 100 600 Td (hidden) Tj ET", properties={"MC0": off})
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 100 700 Td (page) Tj ET", xobjects={"Fm1": form})
    assert page.text() == "page"


def test_a_form_can_not_end_what_its_painter_began() -> None:
    sheet = Sheet()
    off = sheet.writer.add_layer("Off", visible=False)
    form = sheet.form("EMC EMC BT /F1 10 Tf 100 600 Td (form) Tj ET")
    source = "/OC /MC0 BDC /Fm1 Do BT /F1 10 Tf 100 700 Td (hidden) Tj ET EMC BT /F1 10 Tf 100 650 Td (page) Tj ET"
    page = sheet.read(source, properties={"MC0": off}, xobjects={"Fm1": form})
    assert page.text() == "page"


@pytest.mark.parametrize(
    ("policy", "states", "visible"),
    [
        ("/AnyOn", "on on", True),
        ("/AnyOn", "on off", True),
        ("/AnyOn", "off off", False),
        ("/AllOn", "on on", True),
        ("/AllOn", "on off", False),
        ("/AnyOff", "on on", False),
        ("/AnyOff", "on off", True),
        ("/AllOff", "on off", False),
        ("/AllOff", "off off", True),
        (None, "on off", True),
        (None, "off off", False),
        ("/Nonsense", "off on", True),
        ("/AllOn", "", True),
        ("/AnyOn", "", True),
    ],
)
def test_membership(policy: str | None, states: str, visible: bool) -> None:
    sheet = Sheet()
    sheet.writer.add_layer("another", visible=False)
    groups = [sheet.writer.add_layer(state, visible=state == "on") for state in states.split()]
    membership = sheet.writer.add({"Type": "/OCMD", "OCGs": groups, "P": policy})
    assert sheet.read(LINE, properties={"MC0": membership}).text() == ("one two three" if visible else "one three")


@pytest.mark.parametrize("visible", [True, False])
def test_membership_of_one_group_and_as_a_direct_dictionary(visible: bool) -> None:
    sheet = Sheet()
    layer = sheet.writer.add_layer("Layer", visible=visible)
    sheet.writer.add_layer("another", visible=False)
    page = sheet.read(LINE, properties={"MC0": {"Type": "/OCMD", "OCGs": layer}})
    assert page.text() == ("one two three" if visible else "one three")


@pytest.mark.parametrize(
    ("expression", "visible"),
    [
        (lambda on, off: ["/And", on, on], True),
        (lambda on, off: ["/And", on, off], False),
        (lambda on, off: ["/Or", off, on], True),
        (lambda on, off: ["/Or", off, off], False),
        (lambda on, off: ["/Not", off], True),
        (lambda on, off: ["/Not", on], False),
        (lambda on, off: ["/And", on, ["/Not", ["/Or", off, off]]], True),
        (lambda on, off: ["/Or", ["/And", on, off], ["/Not", on]], False),
    ],
)
def test_visibility_expressions_come_before_the_policy(expression: Callable[[Any, Any], Any], visible: bool) -> None:
    sheet = Sheet()
    on, off = sheet.writer.add_layer("On"), sheet.writer.add_layer("Off", visible=False)
    wrong = {"OCGs": [off] if visible else [on], "P": "/AllOn"}
    membership = sheet.writer.add({"Type": "/OCMD", "VE": expression(on, off)} | wrong)
    assert sheet.read(LINE, properties={"MC0": membership}).text() == ("one two three" if visible else "one three")


def test_an_expression_that_contains_itself_ends() -> None:
    sheet = Sheet()
    off = sheet.writer.add_layer("Off", visible=False)
    loop: list[Any] = ["/And", off]
    reference = sheet.writer.add(loop)
    loop += [reference, reference]
    membership = sheet.writer.add({"Type": "/OCMD", "VE": reference})
    assert sheet.read(LINE, properties={"MC0": membership}).text() == "one three"


@pytest.mark.parametrize(("in_on", "visible"), [(True, True), (False, False)])
def test_a_base_state_of_off(in_on: bool, visible: bool) -> None:
    sheet = Sheet()
    layer = sheet.writer.add({"Type": "/OCG", "Name": b"Layer"})
    configuration = {"BaseState": "/OFF", "ON": [layer] if in_on else []}
    sheet.writer.catalog["OCProperties"] = {"OCGs": [layer], "D": configuration}
    assert sheet.read(LINE, properties={"MC0": layer}).text() == ("one two three" if visible else "one three")


@pytest.mark.parametrize("entry", ["null", "5", "/Name", "<<>>", "<</Type /OCG>>"])
def test_what_is_no_group_is_shown(entry: str) -> None:
    sheet = Sheet()
    sheet.writer.add_layer("Off", visible=False)
    assert sheet.read(LINE, properties={"MC0": entry}).text() == "one two three"


def test_a_group_that_is_not_in_the_resources_is_shown() -> None:
    sheet = Sheet()
    sheet.writer.add_layer("Off", visible=False)
    assert sheet.read(LINE).text() == "one two three"


@pytest.mark.parametrize("properties", ["null", "5", "<<>>", "<</D 7>>", "<</D <</OFF 3>>>>", "[1 2]"])
def test_broken_optional_content_properties(properties: str) -> None:
    sheet = Sheet()
    layer = sheet.writer.add_layer("Layer")
    sheet.writer.catalog["OCProperties"] = properties
    assert sheet.read(LINE, properties={"MC0": layer}).text() == "one two three"
