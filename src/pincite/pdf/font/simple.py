"""Simple fonts: one-byte codes of Type 1, MMType1 and TrueType fonts (ISO 32000-2, 9.6)."""

from __future__ import annotations

import re
from array import array

from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font import embedded
from pincite.pdf.font.encodings import (
    ENCODINGS,
    base_names,
    base_unicode,
    overlay_differences,
    read_differences,
)
from pincite.pdf.font.base import Font
from pincite.pdf.font.metrics import Style, base_font_name, read_style, read_vertical_extent
from pincite.pdf.font.standard14 import NARROW, nearest_face, standard_face, standard_font, standard_widths
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes, parse_to_unicode
from pincite.pdf.font.widths import read_simple_widths, sane_number
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Stream, Value

__all__ = ["fill_from_code_names", "load_simple", "read_encoding", "simple_to_unicode"]

_CODE_NAME = re.compile(r"[A-Za-z]{1,2}(\d{1,3}|[0-9A-Fa-f]{2})")
_PI_FACES = {"Symbol": "SymbolEncoding", "ZapfDingbats": "ZapfDingbatsEncoding"}


def load_simple(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load a simple font; `dictionary` is its font dictionary."""
    name = base_font_name(file, dictionary)
    descriptor = file.get_dictionary(dictionary, "FontDescriptor")
    style = read_style(file, name, descriptor)
    is_embedded = embedded.has_program(descriptor)
    face = None if is_embedded else standard_face(name)
    encoding, differences = read_encoding(file, dictionary)
    pi_encoding = _PI_FACES.get(face or "")
    if pi_encoding is not None:
        # Producers give these two a Latin base encoding by habit; they have none but their own.
        encoding = pi_encoding
    elif encoding is None and not is_embedded:
        encoding = "WinAnsiEncoding" if file.get(dictionary, "Subtype") == "TrueType" else "StandardEncoding"
    column = base_unicode(encoding)[:] if encoding is not None else holes(256)
    if differences:
        overlay_differences(column, differences, strings, zapf=face == "ZapfDingbats")
    mapped = simple_to_unicode(file, dictionary, strings, column)

    missing = sane_number(file.get(descriptor, "MissingWidth")) / 1000 if "MissingWidth" in descriptor else 0.0
    widths = read_simple_widths(file, dictionary, missing)
    if widths is None:
        widths = _stand_in_widths(name, style, encoding, differences)
    ascent, descent = read_vertical_extent(file, descriptor)
    if not descriptor and face is not None:
        standard = standard_font(face)
        ascent, descent = standard.ascent, standard.descent

    if is_embedded and _has_holes(column, widths):
        _fill_from_program(file, descriptor, column, differences, strings, guess=not mapped and encoding is None)
    if differences and not mapped:
        fill_from_code_names(column, differences)
    table = DecodingTable(index, column, widths, code_bytes=1, default_width=missing)
    return Font(name, table, ascent, descent, style)


def read_encoding(file: File, dictionary: Dictionary) -> tuple[str | None, dict[int, str]]:
    """The name of the base encoding, None where the font says none that is known, and the differences from it."""
    value: Value = file.get(dictionary, "Encoding")
    if isinstance(value, str):
        return (value if value in ENCODINGS else None), {}
    if isinstance(value, Stream):
        value = value.dictionary
    if not isinstance(value, dict):
        return None, {}
    base = file.get(value, "BaseEncoding")
    return (base if isinstance(base, str) and base in ENCODINGS else None), read_differences(file, value.get("Differences"))


def simple_to_unicode(file: File, dictionary: Dictionary, strings: StringTable, column: array[int]) -> bool:
    """Write the font's ToUnicode map over a column of 256 values; whether there was anything in it."""
    value = file.get(dictionary, "ToUnicode")
    if not isinstance(value, Stream):
        return False
    try:
        data = value.data()
    except MemoryError:
        raise
    except Exception as error:
        file.warn(f"a ToUnicode map can't be read: {error}")
        return False
    mapped = False
    for code, point in enumerate(parse_to_unicode(data, strings, 256)):
        if point != MISSING:
            column[code] = point
            mapped = True
    return mapped


def _has_holes(column: array[int], widths: array[float]) -> bool:
    """Whether a code that the font gives a width has no meaning yet."""
    return any(width and point == MISSING for width, point in zip(widths, column, strict=False))


def _fill_from_program(
    file: File, descriptor: Dictionary, column: array[int], differences: dict[int, str], strings: StringTable, *, guess: bool
) -> None:
    built_in = embedded.by_code(embedded.read_program_bytes(file, descriptor), differences, strings)
    if built_in is None:
        if not guess:
            return
        built_in = base_unicode("StandardEncoding")
    for code, point in enumerate(built_in):
        if column[code] == MISSING:
            column[code] = point


def fill_from_code_names(column: array[int], differences: dict[int, str]) -> None:
    """Codes whose names only spell the code (`a97` or `C61` at 97) mean what the code means in the standard encodings.

    So name TeX's drivers the glyphs of bitmap fonts. One name that spells another number, and none of them counts.
    """
    unknown = [(code, name) for code, name in differences.items() if column[code] == MISSING and name != ".notdef"]
    if not unknown:
        return
    for base in (10, 16):
        if all(_spells(name, code, base) for code, name in unknown):
            standard = base_unicode("WinAnsiEncoding")
            for code, _name in unknown:
                if 0x20 < code < 0x7F:
                    column[code] = standard[code]
            return


def _spells(name: str, code: int, base: int) -> bool:
    match = _CODE_NAME.fullmatch(name)
    try:
        return match is not None and int(match[1], base) == code
    except ValueError:
        return False


def _stand_in_widths(name: str, style: Style, encoding: str | None, differences: dict[int, str]) -> array[float]:
    """Widths of a font that gives none: those of the nearest standard face."""
    face = nearest_face(name, style)
    own = {"Symbol": "SymbolEncoding", "ZapfDingbats": "ZapfDingbatsEncoding"}.get(face)
    widths = standard_widths(face, own or encoding or "WinAnsiEncoding")[:]
    by_name = standard_font(face).widths
    for code, glyph in differences.items():
        widths[code] = by_name.get(glyph, 0.5)
    if "narrow" in name.lower():
        for code, width in enumerate(widths):
            widths[code] = width * NARROW
    return widths
