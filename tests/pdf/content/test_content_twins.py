"""Whole pages over both kernels: random content in a real document comes to the same text, glyphs and warnings."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from support.kernel import Kind, Twin
from support.sheet import Sheet

PIECES = [
    *(
        "(one) Tj",
        "{漢字 かな} Tj",
        "{שלום} Tj",
        "{a\u0331é} Tj",
        "[(A) -160 (B) 20 (C)] TJ",
        "[{한} -200 {국}] TJ",
        "(´) Tj",
        "(e) Tj",
    ),
    *("/F1 10 Tf", "/F2 12 Tf", "/F3 9 Tf", "/F4 11 Tf", "/F1 1 Tf", "/F9 3 Tf", "0 -12 Td", "5 0 Td", "-5 0 Td", "-40 -14 TD"),
    *("14 TL T*", "(next) '", '1 2 (both) "', "1 Tc", "-1 Tc", "3 Tw", "80 Tz", "-100 Tz", "3 Ts", "0 Ts", "3 Tr", "0 Tr"),
    *("1 0 0 1 100 600 Tm", "10 0 0 10 150 500 Tm", "0 1 -1 0 300 300 Tm", "0.8 0.6 -0.6 0.8 200 200 Tm", "0 0 0 0 0 0 Tm"),
    *("q", "Q", "BT", "ET", "1 0 0 1 3 4 cm", "0.5 0 0 2 0 0 cm", "-1 0 0 1 600 0 cm", "/Fm1 Do", "/Fm2 Do", "/Im1 Do"),
    *("/Span <</ActualText (real)>> BDC", "/Span <</ActualText <FEFF0007>>> BDC", "/P <</MCID 4>> BDC", "/Artifact BMC"),
    *("/OC /Off BDC", "/OC /On BDC", "EMC", "EMC", "BI /W 1 /H 1 /CS /G /BPC 8 ID x EI", "(broken", "<</A", "9999999 0 Td"),
    *("/GS1 gs", "[", "]", "1e9 Tc", "0 0 10 10 re f", "% (comment)\n", "Tj", "TJ", "<00", "5 Tf", "/F1 0 Tf"),
]

COLUMNS = ["x", "y", "own_end_x", "own_end_y", "advance_end_x", "advance_end_y", "unicode", "code", "font", "size", "em"]
COLUMNS += ["rendering_mode", "vertical", "mcid", "operator", "string", "flags"]


def document(content: list[str], junk: bytes) -> bytes:
    sheet = Sheet()
    writer = sheet.writer
    writer.add_composite_font(encoding="/Identity-V", to_unicode={1: "縦", 2: "ffi", 3: "x"})
    writer.add_type3_font({65: ""}, names={65: "A"}, widths=400)
    own: dict[str, Any] = {}
    first = own["Fm1"] = sheet.form("q 2 0 0 2 0 0 cm BT /F1 5 Tf 20 20 Td (form) Tj ET /Fm2 Do /Fm1 Do", xobjects=own)
    second = own["Fm2"] = sheet.form(
        "BT 10 10 Td (bare) Tj /Span <</ActualText (x)>> BDC", own_resources=False, bbox=(0, 0, 25, 80)
    )
    layers = {"On": writer.add_layer("On"), "Off": writer.add_layer("Off", visible=False)}
    sheet.add(
        ["BT /F1 10 Tf 72 700 Td " + " ".join(content), junk],
        xobjects={"Fm1": first, "Fm2": second, "Im1": writer.add_image()},
        properties=layers,
        resources={"ExtGState": {"GS1": {"Font": [sheet.latin.reference, 8]}}},
        annotations=[writer.add_annotation("Stamp", (100, 100, 200, 150), appearance=second)],
        crop_box=(20, 20, 590, 780),
    )
    return writer.write()


def read(twin: Twin, pdf: bytes) -> object:
    open_document, unreadable = twin.module("pincite.pdf.document").open_document, twin.module("pincite.errors").UnreadableError
    with twin.active():
        try:
            with open_document(pdf) as opened:
                page = opened.page(1)
                text, glyphs = page.text(), page.glyphs()
                columns = [getattr(glyphs, name).tobytes() for name in COLUMNS]
                return text, columns, repr(page.quads(0, len(text))), repr(page.quality), page.warnings
        except (OverflowError, unreadable) as error:
            return type(error).__name__, str(error)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.binary(max_size=30))
def test_twins_read_any_page_alike(twins: dict[Kind, Twin], content: list[str], junk: bytes) -> None:
    pdf = document(content, junk)
    first, second = (read(twin, pdf) for twin in twins.values())
    assert first == second
