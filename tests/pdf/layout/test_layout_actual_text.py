"""ActualText: what a span of glyphs stands for, in place of what they say (ISO 32000-2, 14.9.4)."""

from __future__ import annotations

import pytest

from support.pdfwriter import text_string
from support.sheet import Sheet, read


def span(text: str, content: str) -> str:
    return f"/Span <</ActualText <FEFF{text.encode('utf-16-be').hex()}>>> BDC {content} EMC"


def text(source: str) -> str:
    return read(f"BT /F1 10 Tf 100 700 Td {source} ET").text()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(span("x", "(abc) Tj"), "x", id="fewer characters"),
        pytest.param(span("straße", "(strasse) Tj"), "straße", id="other letters"),
        pytest.param(span("œuvre", "(oeuvre) Tj"), "œuvre", id="other characters"),
        pytest.param("(to ) Tj " + span("été", "(ete) Tj") + " ( it) Tj", "to été it", id="within a line"),
        pytest.param(span("한국어", "(xyz) Tj"), "한국어", id="characters that no font has"),
        pytest.param(span("𝒳", "(X) Tj"), "𝒳", id="beyond the first plane"),
        pytest.param("/Span <</ActualText (plain \\(too\\))>> BDC (x) Tj EMC", "plain (too)", id="PDFDocEncoding"),
        pytest.param("/Span <</Lang (en) /ActualText (y) /MCID 3>> BDC (x) Tj EMC", "y", id="among other properties"),
        pytest.param(span("ab", "[(p) -500 (q) -900 (r)] TJ"), "ab", id="over the pieces of a TJ"),
        pytest.param(span("ab", "(p) Tj 40 0 Td (q) Tj 0 -12 Td (r) Tj"), "ab", id="over words and lines"),
        pytest.param("(a) Tj " + span("bc", "[-300 (p) -300 (q)] TJ") + " [-300 (d)] TJ", "a bc d", id="gaps before and after"),
        pytest.param(span("outer", "(a) Tj " + span("inner", "(b) Tj") + " (c) Tj"), "outer", id="nested"),
        pytest.param(span("outer", span("inner", "(b) Tj")), "outer", id="nested, on the same glyphs"),
        pytest.param(span("outer", "/P <</MCID 1>> BDC (b) Tj EMC (c) Tj"), "outer", id="around other marked content"),
        pytest.param("/P <</MCID 1>> BDC " + span("in", "(b) Tj") + " ( c) Tj EMC", "in c", id="inside other marked content"),
        pytest.param(span("one", "(1) Tj") + span("two", "(2) Tj"), "onetwo", id="side by side"),
        pytest.param("(a ) Tj " + span("nothing drawn", "") + " ( b) Tj", "a nothing drawn b", id="on no glyph"),
        pytest.param("(co) Tj " + span("", "(-) Tj") + " (op) Tj", "coop", id="empty: the glyphs stand for nothing"),
        pytest.param("(co) Tj " + span("\u00ad", "(-) Tj") + " (op) Tj", "co\u00adop", id="a soft hyphen"),
        pytest.param(span("Drucker", "(Druk-) Tj 0 -12 Td (ker) Tj") + " ( da) Tj", "Drucker da", id="over a line end"),
        pytest.param("/Span <</ActualText (open)>> BDC (x) Tj", "open", id="never closed"),
    ],
)
def test_it_replaces_what_its_glyphs_say(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(span("\x00", "(abc) Tj"), "abc", id="NUL"),
        pytest.param(span("\x07\x1f", "(abc) Tj"), "abc", id="control characters alone"),
        pytest.param(span("ABC", "(abc) Tj"), "abc", id="other case"),
        pytest.param(span("Abc Def", "(ABC DEF) Tj"), "ABC DEF", id="small capitals"),
        pytest.param("/Span <</ActualText 7>> BDC (abc) Tj EMC", "abc", id="not a string"),
        pytest.param("/Span <</ActualText [(x)]>> BDC (abc) Tj EMC", "abc", id="an array"),
    ],
)
def test_it_is_ignored_where_it_says_nothing(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize("control", ["\x00", "\x07", "\x0b", "\x85", "\x1b"])
def test_no_control_character_gets_into_the_text(control: str) -> None:
    assert text(span(f"a{control}b", "(xyz) Tj")) in ("ab", "a b")


def test_a_named_property_list() -> None:
    page = read(
        "BT /F1 10 Tf 100 700 Td /Span /MC0 BDC (xyz) Tj EMC ET", properties={"MC0": {"ActualText": text_string("naïve")}}
    )
    assert page.text() == "naïve"


def test_inside_a_form_and_around_one() -> None:
    sheet = Sheet()
    inside = sheet.form(f"BT /F1 10 Tf 100 700 Td {span('in', '(xyz) Tj')} ET")
    plain = sheet.form("BT /F1 10 Tf 150 700 Td (pqr) Tj ET")
    page = sheet.read(f"/Fm1 Do {span('around', '/Fm2 Do')}", xobjects={"Fm1": inside, "Fm2": plain})
    assert page.text() == "in around"


def test_a_span_in_the_margin_that_is_cut_away_says_nothing() -> None:
    assert read(f"BT /F1 10 Tf 100 900 Td {span('gone', '(x) Tj')} 0 -200 Td (here) Tj ET").text() == "here"


def test_the_glyphs_keep_what_they_say() -> None:
    page = read(f"BT /F1 10 Tf 100 700 Td {span('été', '(ete) Tj')} ET")
    glyphs = page.glyphs()
    assert [glyphs.text(row) for row in range(len(glyphs))] == ["e", "t", "e"]


def test_the_span_is_part_of_a_word_struck_twice() -> None:
    once = "BT /F1 10 Tf 100 700 Td (Man) Tj " + span("fi", "(x) Tj") + " (t) Tj ET "
    assert read(once).text() == "Manfit"
    assert read(once + once.replace("100 700", "100.3 700")).text() == "Manfit"
