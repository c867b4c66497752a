"""Simple fonts: one-byte codes of Type 1, MMType1 and TrueType fonts (ISO 32000-2, 9.6)."""

from __future__ import annotations

from array import array

from pincite._kernel.arrays import agrees, fill_holes, has_hole, lay_over
from pincite._kernel.columns import EMPTY
from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font import embedded
from pincite.pdf.font.base import Font, Late
from pincite.pdf.font.conventions import fill_code_names, fill_tex_names, private_page
from pincite.pdf.font.encodings import (
    ENCODINGS,
    base_unicode,
    overlay_differences,
    read_differences,
)
from pincite.pdf.font.metrics import Style, base_font_name, read_style, read_vertical_extent
from pincite.pdf.font.standard14 import NARROW, nearest_face, standard_face, standard_font, standard_widths
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes, parse_to_unicode
from pincite.pdf.font.widths import read_simple_widths, sane_number
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Stream, Value

__all__ = ["load_simple", "read_encoding", "simple_to_unicode"]

_AGREEMENT = 5
_LATIN = ("WinAnsiEncoding", "MacRomanEncoding")
_LINE_ENDS = (0x09, 0x0A, 0x0D)
_PI_FACES = {"Symbol": "SymbolEncoding", "ZapfDingbats": "ZapfDingbatsEncoding"}


def load_simple(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load a simple font; `dictionary` is its font dictionary."""
    name = base_font_name(file, dictionary)
    descriptor = file.get_dictionary(dictionary, "FontDescriptor")
    style = read_style(file, name, descriptor)
    is_embedded = embedded.has_program(descriptor)
    face = None if is_embedded else standard_face(name)
    encoding, differences = read_encoding(file, dictionary)
    private = private_page(name)
    if face in _PI_FACES:
        # Producers give these two a Latin base encoding by habit; they have none but their own.
        encoding = _PI_FACES[face]
    elif encoding is None and not is_embedded:
        encoding = "WinAnsiEncoding" if file.get(dictionary, "Subtype") == "TrueType" else "StandardEncoding"
    if private is not None and face is None and not differences:
        column = private[:]
    else:
        column = base_unicode(encoding)[:] if encoding is not None else holes(256)
    if differences:
        overlay_differences(column, differences, strings, zapf=face == "ZapfDingbats")
    to_unicode = simple_to_unicode(file, dictionary, strings, private)
    mapped = lay_over(column, to_unicode)
    if differences:
        fill_tex_names(column, differences, name)
    # Where what is mapped is what the code means in the standard encodings, the rest may be so too.
    guess = not mapped or (mapped >= _AGREEMENT and any(agrees(to_unicode, base_unicode(name)) for name in _LATIN))

    missing = sane_number(file.get(descriptor, "MissingWidth")) / 1000 if "MissingWidth" in descriptor else 0.0
    widths = read_simple_widths(file, dictionary, missing)
    if widths is None:
        widths = _stand_in_widths(name, style, encoding, differences)
    ascent, descent = read_vertical_extent(file, descriptor)
    if not descriptor and face is not None:
        standard = standard_font(face)
        ascent, descent = standard.ascent, standard.descent

    _replace_line_ends(column, widths, latin=encoding is not None)

    def fill() -> DecodingTable:
        filled = column[:]
        built_in = embedded.by_code(embedded.read_program_bytes(file, descriptor), differences, strings, guess=guess)
        if built_in is not None:
            fill_tex_names(built_in.column, built_in.names, name)
            fill_holes(filled, built_in.column)
        elif not mapped and encoding is None:
            fill_holes(filled, base_unicode("StandardEncoding"))
        if filled[0x20] == MISSING:
            filled[0x20] = 0x20
        return DecodingTable(index, filled, widths, code_bytes=1, default_width=missing)

    late: Late | None = None
    if is_embedded and has_hole(column, widths, missing):
        if mapped:
            late = fill
        else:
            column = fill().unicode_column()
    if late is None:
        if differences and not mapped:
            fill_code_names(column, differences, strings)
        if column[0x20] == MISSING:
            column[0x20] = 0x20
    table = DecodingTable(index, column, widths, code_bytes=1, default_width=missing)
    return Font(name, table, ascent, descent, style, late=late)


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


def simple_to_unicode(
    file: File, dictionary: Dictionary, strings: StringTable, private: array[int] | None = None
) -> array[int]:
    """The font's ToUnicode map as a column of at most 256 values, empty where there is none."""
    data = embedded.read_stream(file, file.get(dictionary, "ToUnicode"), "a ToUnicode map")
    return array("i") if data is None else parse_to_unicode(data, strings, 256, private)


def _replace_line_ends(column: array[int], widths: array[float], *, latin: bool) -> None:
    """A line end or a tab without a meaning, which producers leave in strings: nothing where it has no width, else a space.

    A space only under a `latin` encoding: in any other the code may well be that of a glyph.
    """
    for code in _LINE_ENDS:
        if column[code] == MISSING:
            if code >= len(widths) or not widths[code]:
                column[code] = EMPTY
            elif latin:
                column[code] = 0x20


def _stand_in_widths(name: str, style: Style, encoding: str | None, differences: dict[int, str]) -> array[float]:
    """Widths of a font that gives none: those of the nearest standard face."""
    face = nearest_face(name, style)
    widths = standard_widths(face, _PI_FACES.get(face) or encoding or "WinAnsiEncoding")[:]
    by_name = standard_font(face).widths
    for code, glyph in differences.items():
        widths[code] = by_name.get(glyph, 0.5)
    if "narrow" in name.lower():
        for code, width in enumerate(widths):
            widths[code] = width * NARROW
    return widths
