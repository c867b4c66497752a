"""Content that is cut up, damaged, or refers to what is not there."""

from __future__ import annotations

from typing import Any

import pytest

import pincite
from support.pdfwriter import PdfWriter, simple_pdf
from support.sheet import Sheet, origins, read

CONTENT = "BT /F1 10 Tf 100 700 Td [(Split) -300 (any\\)where) 100 <206f6b>] TJ 0 -20 Td (second \\050line\\051) Tj ET"
TEXT = "Split any)where ok\nsecond (line)"


def test_the_content_in_one_piece() -> None:
    assert read(CONTENT).text() == TEXT


@pytest.mark.parametrize("at", [at for at in range(len(CONTENT)) if " " in CONTENT[at - 1 : at + 1]])
def test_content_streams_are_one_stream_wherever_they_are_cut_between_tokens(at: int) -> None:
    assert read([CONTENT[:at], CONTENT[at:]]).text() == TEXT


@pytest.mark.parametrize(
    "at", [CONTENT.index("plit"), CONTENT.index("ny"), CONTENT.index("where"), CONTENT.index("cond"), CONTENT.index("line")]
)
def test_and_inside_a_string(at: int) -> None:
    assert read([CONTENT[:at], CONTENT[at:]]).text() == TEXT


def test_cut_between_every_two_tokens() -> None:
    pieces = ["BT", "/F1", "10", "Tf", "100", "700", "Td", "[", "(one)", "-300", "(two)", "]", "TJ", "ET"]
    assert read(pieces).text() == "one two"


def test_streams_without_white_space_at_their_ends_do_not_run_together() -> None:
    page = read(["BT /F1 10 Tf 1 0 0 1 100 700 Tm (a) Tj 1 0 0 1 100", "650 Tm (b) Tj ET"])
    assert page.text() == "a\nb"
    assert origins(page)[1] == (100, 650)


def test_empty_and_missing_streams_among_the_contents() -> None:
    sheet = Sheet()
    missing = sheet.writer.add("null")
    other = sheet.writer.add({"Not": "/AStream"})
    broken = sheet.writer.add_stream(b"garbage", {"Filter": "/JBIG2Decode"})
    page = sheet.read(["BT /F1 10 Tf 100 700 Td (a) Tj", "", missing, other, broken, "(b) Tj ET"])
    assert page.text() == "ab"


@pytest.mark.parametrize("contents", ["null", "5", "[]", "[null]", "<<>>", "(text)"])
def test_a_page_without_contents_is_empty(contents: str) -> None:
    assert read("", extra={"Contents": contents}).text() == ""


def test_a_stream_with_two_filters_and_one_cut_off() -> None:
    whole = read(CONTENT, compress=True)
    assert whole.text() == TEXT


IMAGE = b"BI /W 2 /H 2 /BPC 8 /CS /RGB ID "


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(IMAGE + b"0123456789ab EI", id="plain"),
        pytest.param(IMAGE + b"01 EI 6789ab EI", id="EI in data of a known length"),
        pytest.param(IMAGE + b"(((<<[[ 9ab EI", id="delimiters in the data"),
        pytest.param(b"BI /W 4 /H 4 /F /DCT ID \xff\xd8 EI \x00\x81 EI\xff (\xd9 EI", id="EI in filtered data"),
        pytest.param(b"BI\n/W 1\n/H 1\n/IM true\nID \x80\nEI", id="a mask"),
        pytest.param(b"BI /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ID x EI", id="long keys"),
        pytest.param(b"BI /W 1 /H 1 /F [/A85 /Fl] /DP [null <</K -1>>] ID GhQ~> EI", id="filters with parameters"),
        pytest.param(b"BI /W 1 /H 1 /CS [/I /RGB 1 <000000ffffff>] /BPC 8 ID \x01 EI", id="an indexed colour space"),
        pytest.param(b"BI /W 1 /H 1 /CS /G /BPC 8 ID\rxEI", id="no white space before EI"),
    ],
)
def test_inline_images(image: bytes) -> None:
    sheet = Sheet()
    before, after = sheet.latin.text(100, 700, "before"), sheet.latin.text(100, 650, "after (the) picture")
    page = sheet.read([before + b"q 10 0 0 10 0 0 cm\n" + image + b"\nQ\n" + after])
    assert page.text() == "before\nafter (the) picture"
    assert page.quality.images == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("/F9 10 Tf (lost) Tj /F1 10 Tf (kept) Tj", "kept", id="a font that is not there"),
        pytest.param("/F1 10 Tf (a) Tj /F9 10 Tf (b) Tj /F1 10 Tf (c) Tj", "ac", id="among others"),
        pytest.param("(no font at all) Tj /F1 10 Tf (kept) Tj", "kept", id="no font yet"),
        pytest.param("/F1 10 Tf /GS9 gs /Fm9 Do /Pr9 /MC9 BDC (kept) Tj EMC", "kept", id="other resources"),
        pytest.param("/F#31 10 Tf (kept) Tj", "kept", id="a name with an escape"),
        pytest.param("/F1 0 Tf (a) Tj /F1 10 Tf (b) Tj", "ab", id="size nought"),
    ],
)
def test_what_is_missing_costs_only_itself(source: str, expected: str) -> None:
    assert read(f"BT 100 700 Td {source} ET").text() == expected


@pytest.mark.parametrize("resources", ["null", "5", "<<>>", "<</Font 3>>", "<</Font <</F1 7>>>>", "<</Font <</F1 99 0 R>>>>"])
def test_broken_resources_do_not_break_the_page(resources: str) -> None:
    page = read(CONTENT, extra={"Resources": resources})
    assert page.text() == ""
    assert page.warnings


def test_resources_are_inherited() -> None:
    sheet = Sheet()
    sheet.writer.pages["Resources"] = sheet.writer.resources()
    assert sheet.read(CONTENT, extra={"Resources": None}).text() == TEXT


BROKEN_FONTS: list[Any] = [
    {},
    {"Subtype": "/Type1"},
    {"Subtype": "/Type0"},
    {"Subtype": "/Type0", "DescendantFonts": [5], "Encoding": "/Identity-H"},
    {"Subtype": "/Type0", "DescendantFonts": "null", "Encoding": "/NoSuchCMap"},
    {"Subtype": "/Type3"},
    {"Subtype": "/Type3", "FontMatrix": [0, 0, 0, 0, 0, 0], "FontBBox": [0, 0, 0, 0], "Widths": "(x)"},
    {"Subtype": "/TrueType", "Encoding": 7, "Widths": [1, "(a)"], "FirstChar": "/Zero"},
    {"Subtype": "/Type1", "Encoding": {"Differences": ["(a)", "/A", -3, "/B", 1e9, "/C"]}},
    {"Subtype": "/Nonsense", "BaseFont": 3, "ToUnicode": "/None"},
    {"Subtype": "/Type1", "FontDescriptor": {"FontFile": 5, "Ascent": 1e15, "Descent": "(x)"}},
]


@pytest.mark.parametrize("font", BROKEN_FONTS)
def test_a_font_that_can_not_be_read_loses_only_its_own_characters(font: dict[str, Any]) -> None:
    sheet = Sheet()
    broken = sheet.writer.add({"Type": "/Font"} | font)
    page = sheet.read(
        "BT /F1 10 Tf 100 700 Td (before) Tj 0 -20 Td /Bad 10 Tf (\\001\\002\\003\\004) Tj 0 -20 Td /F1 10 Tf (after) Tj ET",
        fonts={"F1": sheet.latin, "Bad": broken},
    )
    lines = page.text().splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    # what has no Unicode value is there all the same, and says so
    assert len(page.glyphs()) == len("before") + len("after") + page.quality.unmapped
    assert page.quality.unmapped in (2, 4)


@pytest.mark.parametrize(
    "source",
    [
        "BT BT /F1 10 Tf 100 700 Td (text) Tj ET ET",
        "ET Q Q BT /F1 10 Tf 100 700 Td (text) Tj",
        "q q q q BT /F1 10 Tf 100 700 Td (text) Tj ET",
        "BT /F1 10 Tf 100 700 Td 1 2 3 4 5 (text) Tj ET",
        "BT /F1 10 Tf 100 700 Td Tj TJ ' Td Tf Tm cm (text) Tj ET",
        "BT /F1 10 Tf 100 700 Td [(te)(xt)]TJ ET",
        "BT/F1 10Tf 100 700Td(text)Tj ET",
        "BT/F1 10 Tf%comment\n100 700 Td%(x) Tj\r(text)Tj ET",
        "BT /F1 10 Tf 100 700 Td (te\\\nxt) Tj ET",
        "BT /F1 10 Tf 100 700 Td <7465 78 74> Tj ET",
        "BT /F1 10 Tf 100 700 Td (te) Tj } ) > ] { (xt) Tj ET",
        "BT /F1 10 Tf 100 700 Td foo bar (te) Tj baz (xt) Tj ET",
        "\x00\x0cBT\x00/F1\x0010\x00Tf 100 700 Td (text) Tj ET",
        "BT /F1 10 Tf 100 +700. Td (text) Tj ET",
        "BX 1 2 unknown EX BT /F1 10 Tf 100 700 Td (text) Tj ET",
        "BT /F1 10 Tf 100 700 Td (text) Tj ET (cut off in the mid",
        "BT /F1 10 Tf 100 700 Td (text) Tj ET << /Never /Closed",
    ],
)
def test_content_that_breaks_the_rules(source: str) -> None:
    page = read(source)
    assert page.text() == "text"
    assert origins(page)[0] == (100, 700)


def test_glyphs_without_end_are_an_error_of_their_page() -> None:
    """A few nested forms ask for more glyphs than any page has."""
    sheet = Sheet()
    form = sheet.form("BT /F1 1 Tf (" + "x" * 50_000 + ") Tj ET")
    for _ in range(3):
        form = sheet.form("/Fm1 Do " * 10, xobjects={"Fm1": form})
    page = sheet.read("/Fm1 Do", xobjects={"Fm1": form})
    with pytest.raises(pincite.LimitError):
        page.text()


def test_fonts_are_shared_between_pages() -> None:
    with pincite.open(simple_pdf(["one", "two", "three"])) as document:
        fonts = [list(page.glyphs().fonts.values()) for page in document]
        assert fonts[0][0] is fonts[1][0] is fonts[2][0]


def test_the_same_name_means_another_font_on_another_page() -> None:
    writer = PdfWriter()
    first, second = writer.add_font(), writer.add_font(differences={65: "B"}, codes={"B": 65})
    for font in (first, second):
        writer.add_page(b"BT /F 10 Tf 100 700 Td (A) Tj ET", fonts={"F": font})
    with pincite.open(writer.write()) as document:
        assert [page.text() for page in document] == ["A", "B"]
