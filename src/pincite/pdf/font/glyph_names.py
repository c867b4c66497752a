"""Glyph name → text, by the Adobe Glyph List and its rules (ISO 32000-2, 9.10.2; AGL Specification, section 2).

Beside the list itself the table holds TeX's names and the plain letters of small capitals and old-style figures. A Latin
ligature comes out as its letters. A name that says nothing (`g123`, `cid52`, `G01`, `.notdef`) has no text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from pincite.pdf.font.packed import tables
from pincite.pdf.font.string_table import is_usable

__all__ = ["glyph_list", "glyph_text", "spell_out", "zapf_list"]

_MAX_NAME = 128
_SHAPES = re.compile("[\ufb00-\ufdfb\ufe70-\ufefc]")
_UNICODE_NAME = re.compile(r"uni((?:[0-9A-Fa-f]{4})+)|u([0-9A-Fa-f]{4,6})")


@cache
def glyph_list() -> dict[str, str]:
    """Every listed name."""
    return dict(zip(tables().lines("glyphs/names"), tables().lines("glyphs/texts"), strict=True))


@cache
def zapf_list() -> dict[str, str]:
    """The names of ITC Zapf Dingbats (`a1` to `a206`), which mean something in that font only."""
    return dict(zip(tables().lines("zapf/names"), tables().lines("zapf/texts"), strict=True))


@lru_cache(maxsize=8192)
def glyph_text(name: str) -> str | None:
    """The text of a glyph name; None where the name does not tell any.

    Names are looked up whole before they are taken apart, so that a listed name with a period or an underscore counts.
    """
    listed = glyph_list()
    text = listed.get(name)
    if text is not None:
        return spell_out(text)
    if len(name) > _MAX_NAME:
        return None
    stem = name.partition(".")[0]
    parts: list[str] = []
    for component in stem.split("_"):
        text = listed.get(component) or _from_digits(component)
        if text is None:
            return None
        parts.append(text)
    return spell_out("".join(parts)) or None


def spell_out(text: str) -> str:
    """The letters of ligatures and of Hebrew and Arabic shapes (U+FB00 to U+FDFF, U+FE70 to U+FEFC); all else as it is.

    For what is inferred from a glyph's name or place. A ToUnicode map says what its maker meant, and keeps its spelling.
    """
    if _SHAPES.search(text) is None:
        return text
    # The isolated shape of a mark is defined as the mark over a space.
    return _SHAPES.sub(lambda match: unicodedata.normalize("NFKC", match[0]).strip(), text) or text


def _from_digits(component: str) -> str | None:
    """`uni` with UTF-16 units in fours of hexadecimal digits, or `u` with one code point."""
    match = _UNICODE_NAME.fullmatch(component)
    if match is None:
        return None
    if match[1] is not None:
        text = bytes.fromhex(match[1]).decode("utf-16-be", "ignore")
    else:
        point = int(match[2], 16)
        text = chr(point) if point < 0x110000 else ""
    return text if text and all(map(is_usable, map(ord, text))) else None
