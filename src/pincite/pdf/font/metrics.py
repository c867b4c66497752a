"""What a font says of its shape as a whole: name, ascent and descent, style (ISO 32000-2, 9.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.pdf.font.widths import sane_number
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Value, as_number

__all__ = ["ASCENT", "DESCENT", "Style", "base_font_name", "read_style", "read_vertical_extent", "sane_extent"]

ASCENT, DESCENT = 0.75, -0.25
"""The box of a font that says nothing sane of its own, in em."""

_SUBSET_TAG = re.compile(r"[A-Z]{6}\+")
_BOLD = re.compile(r"bold|black|heavy|demi(?!tasse)|-bd|CMBX|SFBX|\bbd", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique|kursiv|slanted|-it\b|CMTI|CMSL|CMMI|SFTI", re.IGNORECASE)
_FIXED = re.compile(r"courier|mono(?!type)|consol|typewriter|CMTT|SFTT|fixed", re.IGNORECASE)

FIXED_PITCH, SERIF, SYMBOLIC, NONSYMBOLIC, ITALIC, FORCE_BOLD = 1, 2, 4, 32, 64, 1 << 18
"""Bits of /Flags (table 121)."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a font looks, as far as its descriptor and its name tell."""

    bold: bool = False
    italic: bool = False
    fixed_pitch: bool = False
    serif: bool = False
    symbolic: bool = False


def base_font_name(file: File, dictionary: Dictionary) -> str:
    """/BaseFont (or /Name) without the tag of a subset; UTF-8 is undone, as some producers write it."""
    name = file.get(dictionary, "BaseFont")
    if not isinstance(name, str):
        name = file.get(dictionary, "Name")
        if not isinstance(name, str):
            return ""
    name = _SUBSET_TAG.sub("", name, count=1)
    if not name.isascii():
        try:
            return name.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return name
    return name


def read_style(file: File, name: str, descriptor: Dictionary) -> Style:
    """The style from /Flags, /FontWeight, /ItalicAngle and the name: a flag that is not set proves nothing."""
    value = as_number(file.get(descriptor, "Flags"))
    flags = int(value) & 0xFFFFFFFF if value is not None else 0
    return Style(
        bold=bool(flags & FORCE_BOLD) or sane_number(file.get(descriptor, "FontWeight")) >= 600 or bool(_BOLD.search(name)),
        italic=bool(flags & ITALIC) or sane_number(file.get(descriptor, "ItalicAngle")) != 0 or bool(_ITALIC.search(name)),
        fixed_pitch=bool(flags & FIXED_PITCH) or bool(_FIXED.search(name)),
        serif=bool(flags & SERIF),
        symbolic=bool(flags & SYMBOLIC) and not flags & NONSYMBOLIC,
    )


def sane_extent(ascent: float, descent: float) -> tuple[float, float] | None:
    """Ascent and descent in em, the descent made negative where its sign was forgotten; None where they can't be true."""
    if descent > 0:
        descent = -descent
    return (ascent, descent) if 0.3 <= ascent <= 2.0 and descent >= -1.0 and 0.4 <= ascent - descent <= 2.6 else None


def read_vertical_extent(file: File, descriptor: Dictionary) -> tuple[float, float]:
    """Ascent and descent in em: the descriptor's own, else those of its /FontBBox, else 0.75 and -0.25."""
    if descriptor:
        ascent = sane_number(file.get(descriptor, "Ascent")) / 1000
        descent = sane_number(file.get(descriptor, "Descent")) / 1000
        extent = sane_extent(ascent, descent)
        if extent is not None:
            return extent
        box = read_box(file, descriptor.get("FontBBox"))
        if box is not None:
            extent = sane_extent(box[3] / 1000, box[1] / 1000)
            if extent is not None:
                return extent
    return ASCENT, DESCENT


def read_box(file: File, value: Value) -> tuple[float, float, float, float] | None:
    """A rectangle as left, bottom, right, top; None where it is none or is empty."""
    value = file.resolve(value)
    if not isinstance(value, list) or len(value) < 4:
        return None
    a, b, c, d = (sane_number(file.resolve(item)) for item in value[:4])
    box = min(a, c), min(b, d), max(a, c), max(b, d)
    return box if box[3] > box[1] else None
