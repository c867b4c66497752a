"""`order="structure"` and `document.structure`: what the structure tree of a tagged file says (ISO 32000-2, 14.7 and 14.8)."""

from __future__ import annotations

import pytest

import pincite
from pincite.model.structure import StructureElement
from pincite.model.text import PageSpan
from pincite.pdf.document import Document
from pincite.pdf.objects import structure_tree
from support.layouts import Line
from support.sheet import Sheet, read
from support.tagged import Marked, Object, artifact, mark, tagged


def line(text: str, y: float, x: float = 72) -> str:
    return Line(x, y, text).content()


def sheet_of(*contents: str, **options: object) -> Sheet:
    sheet = Sheet()
    for content in contents:
        sheet.add(content, **options)
    return sheet


def structured(document: Document, page: int = 1) -> str:
    return document.page(page).text("structure")


def test_the_tree_orders_the_lines() -> None:
    sheet = sheet_of(mark(0, line("first drawn", 700)) + mark(1, line("second drawn", 680)) + mark(2, line("third", 660)))
    document = tagged(sheet, ("Document", [("P", [2]), ("H1", [1]), ("P", [0])]))
    assert structured(document) == "third\nsecond drawn\nfirst drawn"
    assert document.page(1).text() == "first drawn\nsecond drawn\nthird"
    assert document.page(1).warnings == ()


def test_pieces_of_a_line_stay_on_it() -> None:
    content = mark(0, line("see", 700)) + mark(1, line("page two", 700, 95)) + mark(2, line("for more", 700, 150))
    document = tagged(sheet_of(content), ("P", [0, ("Link", [1]), 2]))
    assert structured(document) == "see page two for more"


def test_a_line_drawn_apart_comes_together_in_the_order_of_the_tree() -> None:
    content = mark(0, line("word", 700)) + mark(1, line("elsewhere", 600)) + mark(2, line("goes on", 700, 100))
    document = tagged(sheet_of(content), ("P", [0, 2]), ("P", [1]))
    assert structured(document) == "word goes on\nelsewhere"


def test_artifacts_are_left_out_and_what_is_in_no_element_comes_last() -> None:
    content = line("nobody's", 720) + artifact(line("running head", 760)) + mark(1, line("one", 700)) + mark(0, line("two", 680))
    document = tagged(sheet_of(content), ("Document", [("P", [1]), ("P", [0])]))
    page = document.page(1)
    assert page.text("structure") == "one\ntwo\n\nnobody's"
    assert page.text("structure")[9:] == "nobody's"
    assert page.warnings == ("from character 9 on the text is not in the structure tree",)


def test_a_file_without_a_tree_falls_back_and_says_so() -> None:
    page = read(line("right", 700, 300) + line("left", 700))
    assert page.warnings == ()
    assert page.text("structure") == page.text()
    assert page.warnings == ("the structure tree holds nothing of this page: its text is in reading order",)


def test_marked_content_in_a_form() -> None:
    sheet = Sheet()
    form = sheet.form(mark(0, line("in the form", 640)), extra={"StructParents": 7})
    sheet.add(mark(0, line("on the page", 700)) + "/Fm1 Do\n", xobjects={"Fm1": form})
    document = tagged(sheet, ("P", [Marked(0, form)]), ("P", [0]))
    assert structured(document) == "in the form\non the page"


def test_marked_content_of_the_page_around_a_form() -> None:
    sheet = Sheet()
    form = sheet.form(line("in the form", 640))
    sheet.add(mark(0, line("on the page", 700)) + mark(1, "/Fm1 Do\n"), xobjects={"Fm1": form})
    document = tagged(sheet, ("Figure", [1]), ("P", [0]))
    assert structured(document) == "in the form\non the page"


def test_an_annotation_as_an_object() -> None:
    sheet = Sheet()
    field = sheet.writer.add_annotation(
        "Widget", (72, 500, 300, 520), appearance=sheet.form("BT /F2 10 Tf 0 5 Td {Aurora} Tj ET", bbox=(0, 0, 228, 20))
    )
    sheet.add(mark(0, line("Name of vessel", 700)) + mark(1, line("Signed", 300)), annotations=[field])
    document = tagged(sheet, ("Form", [("P", [1]), ("Form", [Object(field)]), ("P", [0])]))
    assert structured(document) == "Signed\nAurora\nName of vessel"


def test_actual_text_stands_for_all_within() -> None:
    content = mark(0, line("Druk-", 700)) + mark(1, line("ker", 680)) + mark(2, line("ink", 660))
    document = tagged(sheet_of(content), ("P", [("Span", [0, ("Span", [1])], {"ActualText": b"Drucker"}), 2]))
    assert structured(document) == "Drucker\nink"
    assert document.page(1).text() == "Druk-\nker\nink"


def test_actual_text_over_a_page_break_is_said_once() -> None:
    sheet = sheet_of(mark(0, line("Druk-", 700)), mark(0, line("ker", 700)) + mark(1, line("ink", 680)))
    document = tagged(sheet, ("P", [("Span", [Marked(0), Marked(0, page=2)], {"ActualText": b"Drucker"}), Marked(1, page=2)]))
    assert [structured(document, page) for page in (1, 2)] == ["Drucker", "ink"]


def test_alt_stands_where_a_picture_says_nothing() -> None:
    content = mark(0, line("before", 700)) + mark(1, "10 10 20 20 re f\n") + mark(2, line("labelled", 660))
    figures = (
        ("Figure", [1], {"Alt": b"a lighthouse"}),
        ("Figure", [2], {"Alt": b"a chart"}),
        ("Figure", [], {"Alt": b"a ship"}),
    )
    document = tagged(sheet_of(content), *figures, ("P", [0]))
    assert structured(document) == "a lighthouse\nlabelled\na ship\nbefore"


def test_right_to_left_lines() -> None:
    content = mark(0, line("רוא", 700)) + mark(1, line("םי", 680))
    document = tagged(sheet_of(content), ("P", [1]), ("P", [0]))
    assert structured(document) == "ים\nאור"


def test_elements_with_their_types_and_spans() -> None:
    sheet = sheet_of(
        artifact(line("head", 760)) + mark(0, line("Title", 700)) + mark(1, line("one two", 680)) + mark(2, line("three", 668)),
        mark(0, line("four", 700)),
    )
    document = tagged(
        sheet,
        ("Document", [("Heading", [0], {"T": b"The title", "Lang": b"en"}), ("P", [1, 2, Marked(0, page=2)], {"Alt": b"said"})]),
        roles={"Heading": "Kopf", "Kopf": "H1"},
    )
    (root,) = document.structure
    heading, paragraph = root.children
    assert (root.type, root.spans) == ("Document", ())
    assert heading == StructureElement(
        "H1", "Heading", title="The title", language="en", spans=(PageSpan(1, 5, 10),)
    )
    assert paragraph == StructureElement("P", "P", alt="said", spans=(PageSpan(1, 11, 24), PageSpan(2, 0, 4)))
    assert document.page(1).text()[11:24] == "one two\nthree"
    assert [element.type for element in root.walk()] == ["Document", "H1", "P"]


def test_a_file_without_a_tree_has_no_elements() -> None:
    assert pincite.open(_bytes(sheet_of(line("text", 700)))).structure == ()


def _bytes(sheet: Sheet) -> bytes:
    return sheet.writer.write()


def test_a_tree_that_goes_in_circles() -> None:
    sheet = sheet_of(mark(0, line("one", 700)) + mark(1, line("two", 680)))
    loop = sheet.writer.add(None)
    inner = sheet.writer.add({"S": "/P", "Pg": sheet.writer.page_references[0], "K": [1, loop]})
    sheet.writer.replace(loop, {"S": "/Sect", "Pg": sheet.writer.page_references[0], "K": [inner, loop, 0, inner]})
    sheet.writer.catalog["StructTreeRoot"] = sheet.writer.add({"K": loop})
    document = pincite.open(_bytes(sheet))
    assert structured(document) == "two\none"
    assert [element.type for element in document.structure[0].walk()] == ["Sect", "P"]


def test_roles_that_go_in_circles() -> None:
    document = tagged(sheet_of(mark(0, line("one", 700))), ("A", [0]), roles={"A": "B", "B": "A"})
    assert document.structure[0].tag == "A"
    assert structured(document) == "one"


def test_a_tree_of_any_depth_is_read() -> None:
    sheet = sheet_of(mark(0, line("deep", 700)))
    element = sheet.writer.add({"S": "/P", "Pg": sheet.writer.page_references[0], "K": 0})
    for _ in range(3000):
        element = sheet.writer.add({"S": "/Div", "K": element})
    sheet.writer.catalog["StructTreeRoot"] = sheet.writer.add({"K": element})
    document = pincite.open(_bytes(sheet))
    assert structured(document) == "deep"
    elements = list(document.structure[0].walk())
    assert len(elements) == 3001
    assert [element.spans for element in elements if element.spans] == [(PageSpan(1, 0, 4),)]


def test_a_tree_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structure_tree, "MAX_NODES", 50)
    sheet = sheet_of(mark(0, line("one", 700)) + mark(1, line("two", 680)))
    page = sheet.writer.page_references[0]
    shared = sheet.writer.add([0] * 40)
    many = [sheet.writer.add({"S": "/P", "Pg": page, "K": shared}) for _ in range(20)]
    sheet.writer.catalog["StructTreeRoot"] = sheet.writer.add({"K": many})
    document = pincite.open(_bytes(sheet))
    assert len(document._structure_tree().items(0)) <= 50
    assert structured(document) == "one\n\ntwo"
    assert document.warnings == ["the structure tree has over 50 nodes; the rest is left out"]


@pytest.mark.parametrize(
    "kid", [None, True, -3, 2.5, b"text", 1 << 40, {"Type": "/MCR", "MCID": b"x"}, {"Type": "/OBJR", "Obj": 3}, [[0]], "/Name"]
)
def test_odd_kids_cost_nothing_else(kid: object) -> None:
    document = tagged(sheet_of(mark(0, line("one", 700))), ("P", [kid, 0]))
    assert structured(document) == "one"
    assert document.structure[0].spans == (PageSpan(1, 0, 3),)


def test_types_of_a_namespace() -> None:
    """PDF 2.0: the role map of the element's namespace, which may lead to another namespace (ISO 32000-2, 14.7.4.2)."""
    sheet = sheet_of(mark(0, line("one", 700)) + mark(1, line("two", 680)))
    html = sheet.writer.add({"Type": "/Namespace", "NS": b"http://www.w3.org/1999/xhtml"})
    own = sheet.writer.add({"Type": "/Namespace", "NS": b"own", "RoleMapNS": {"Satz": "/P", "Kopf": ["/Titel", html]}})
    sheet.writer.replace(html, {"Type": "/Namespace", "NS": b"html", "RoleMapNS": {"Titel": "/H1"}})
    document = tagged(sheet, ("Kopf", [0], {"NS": own}), ("Satz", [1], {"NS": own}), roles={"Satz": "Span"})
    assert [(element.tag, element.type) for element in document.structure] == [("Kopf", "H1"), ("Satz", "P")]
