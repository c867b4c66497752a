"""Ascent, descent and style: sane whatever the file says."""

from __future__ import annotations

import pytest

from pincite.pdf.font.metrics import base_font_name, read_style, read_vertical_extent
from pincite.pdf.font.standard14 import FACES, nearest_face, standard_face, standard_font
from pincite.pdf.objects.values import Dictionary
from support.memoryfile import MemoryFile

FILE = MemoryFile()


@pytest.mark.parametrize(
    ("descriptor", "expected"),
    [
        ({"Ascent": 900, "Descent": -200}, (0.9, -0.2)),
        ({"Ascent": 900, "Descent": 200}, (0.9, -0.2)),
        ({"Ascent": 0, "Descent": 0, "FontBBox": [0, -300, 1000, 800]}, (0.8, -0.3)),
        ({"FontBBox": [0, 800, 1000, -300]}, (0.8, -0.3)),
        ({"Ascent": 99999, "Descent": -5, "FontBBox": [0, 0, 0, 0]}, (0.75, -0.25)),
        ({"Ascent": 900, "Descent": -9000, "FontBBox": [-1196, -2876, 2350, 3473]}, (0.75, -0.25)),
        ({"Ascent": "x", "Descent": None}, (0.75, -0.25)),
        ({}, (0.75, -0.25)),
    ],
)
def test_extent(descriptor: Dictionary, expected: tuple[float, float]) -> None:
    assert read_vertical_extent(FILE, descriptor) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ABCDEF+Arial", "Arial"), ("abcdef+Arial", "abcdef+Arial"), ("ê°\x80", "가"), ("\xff\xfe", "ÿþ"), (7, ""), (None, "")],
)
def test_names(name: object, expected: str) -> None:
    assert base_font_name(FILE, {"BaseFont": name}) == expected  # type: ignore[dict-item]


def test_style() -> None:
    bold = read_style(FILE, "Minion-BoldItalic", {})
    assert (bold.bold, bold.italic, bold.fixed_pitch) == (True, True, False)
    assert read_style(FILE, "X", {"Flags": 1}).fixed_pitch
    assert read_style(FILE, "X", {"Flags": 64}).italic
    assert read_style(FILE, "X", {"FontWeight": 700}).bold
    assert read_style(FILE, "X", {"Flags": 2}).serif
    assert read_style(FILE, "X", {"Flags": 4}).symbolic
    assert not read_style(FILE, "X", {"Flags": 36}).symbolic
    assert read_style(FILE, "CMTT10", {}).fixed_pitch
    plain = read_style(FILE, "Monotype Corsiva", {"Flags": "x"})
    assert (plain.bold, plain.italic, plain.fixed_pitch) == (False, False, False)


@pytest.mark.parametrize(
    ("name", "face"),
    [
        ("Helvetica", "Helvetica"),
        ("Helvetica-BoldOblique", "Helvetica-BoldOblique"),
        ("Arial,Bold", "Helvetica-Bold"),
        ("Arial-ItalicMT", "Helvetica-Oblique"),
        ("CourierNew,BoldItalic", "Courier-BoldOblique"),
        ("CourierNewPS-BoldMT", "Courier-Bold"),
        ("TimesNewRomanPS-BoldItalicMT", "Times-BoldItalic"),
        ("Times New Roman", "Times-Roman"),
        ("Times-Roman", "Times-Roman"),
        ("SymbolMT", "Symbol"),
        ("Calibri", None),
        ("Timesheet", None),
        ("", None),
    ],
)
def test_standard_faces(name: str, face: str | None) -> None:
    assert standard_face(name) == face


def test_every_face() -> None:
    for face in FACES:
        assert standard_face(face) == face
        font = standard_font(face)
        assert len(font.widths) > 180
        assert all(0 <= width <= 1.2 for width in font.widths.values())


def test_nearest_face() -> None:
    assert nearest_face("Garamond-Italic", read_style(FILE, "Garamond-Italic", {"Flags": 2})) == "Times-Italic"
    assert nearest_face("Consolas", read_style(FILE, "Consolas", {})) == "Courier"
