"""The standard 14 fonts: their names in all their dress, and their widths (ISO 32000-2, 9.6.2.2).

The widths stand in for those of any font that comes without: its name and its descriptor choose the nearest face.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import cache

from pincite.pdf.font.encodings import base_names
from pincite.pdf.font.metrics import Style
from pincite.pdf.font.packed import tables

__all__ = ["FACES", "StandardFont", "nearest_face", "standard_face", "standard_font", "standard_widths"]

FACES = (
    "Courier", "Courier-Bold", "Courier-BoldOblique", "Courier-Oblique",
    "Helvetica", "Helvetica-Bold", "Helvetica-BoldOblique", "Helvetica-Oblique",
    "Times-Bold", "Times-BoldItalic", "Times-Italic", "Times-Roman", "Symbol", "ZapfDingbats",
)  # fmt: skip
_FAMILIES = {
    "helvetica": "Helvetica",
    "arial": "Helvetica",
    "arialmt": "Helvetica",
    "arialunicodems": "Helvetica",
    "liberationsans": "Helvetica",
    "nimbussansl": "Helvetica",
    "times": "Times",
    "timesroman": "Times",
    "timesnewroman": "Times",
    "timesnewromanps": "Times",
    "timesnewromanpsmt": "Times",
    "timesnewromanmt": "Times",
    "liberationserif": "Times",
    "nimbusromno9l": "Times",
    "courier": "Courier",
    "couriernew": "Courier",
    "couriernewps": "Courier",
    "couriernewpsmt": "Courier",
    "liberationmono": "Courier",
    "nimbusmonl": "Courier",
    "symbol": "Symbol",
    "symbolmt": "Symbol",
    "zapfdingbats": "ZapfDingbats",
    "itczapfdingbats": "ZapfDingbats",
    "dingbats": "ZapfDingbats",
}
_STYLE = re.compile(r"bold|italic|oblique|regular|roman$|regu|medi|ital|demi|narrow", re.IGNORECASE)
_SEPARATORS = re.compile(r"[\s,_-]+")
NARROW = 0.82
"""Arial Narrow and Helvetica Narrow are the plain faces at this share of their widths."""


@dataclass(frozen=True, slots=True)
class StandardFont:
    """Widths by glyph name in em, and the ascent and descent of one face."""

    widths: dict[str, float]
    ascent: float
    descent: float


@cache
def standard_font(face: str) -> StandardFont:
    """One of the 14 by its proper name. Raises KeyError."""
    head, *lines = tables().lines(f"standard14/{face}")
    ascent, descent = (int(number) / 1000 for number in head.split())
    rows = (line.split() for line in lines)
    return StandardFont({name: int(width) / 1000 for name, width in rows}, ascent, descent)


@cache
def standard_widths(face: str, encoding: str) -> array[float]:
    """Code → width of a face under a base encoding. Shared: never write to it."""
    widths = standard_font(face).widths
    return array("d", [widths.get(name, 0.0) for name in base_names(encoding)])


def standard_face(name: str) -> str | None:
    """The face that a /BaseFont means, aliases included (`ArialMT`, `Arial,Bold`, `CourierNew,BoldItalic`), or None."""
    bare = _SEPARATORS.sub("", _STYLE.sub("", name)).lower()
    family = _FAMILIES.get(bare) or _FAMILIES.get(_SEPARATORS.sub("", name).lower())
    if family is None:
        return None
    lowered = name.lower()
    bold = "bold" in lowered or "demi" in lowered or "medi" in lowered
    italic = "italic" in lowered or "oblique" in lowered or "ital" in lowered
    return _face(family, bold, italic)


def nearest_face(name: str, style: Style) -> str:
    """The face whose widths come nearest to a font's that gives none."""
    face = standard_face(name)
    if face is not None:
        return face
    family = "Courier" if style.fixed_pitch else "Times" if style.serif else "Helvetica"
    return _face(family, style.bold, style.italic)


def _face(family: str, bold: bool, italic: bool) -> str:
    if family in ("Symbol", "ZapfDingbats"):
        return family
    if family == "Times":
        return "Times-" + (("BoldItalic" if italic else "Bold") if bold else ("Italic" if italic else "Roman"))
    suffix = ("Bold" if bold else "") + ("Oblique" if italic else "")
    return f"{family}-{suffix}" if suffix else family
