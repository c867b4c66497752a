"""Type 3 fonts: glyphs drawn by content streams, measured through /FontMatrix (ISO 32000-2, 9.6.4)."""

from __future__ import annotations

from array import array

from pincite._kernel.arrays import lay_over
from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font.base import Font
from pincite.pdf.font.conventions import fill_code_names
from pincite.pdf.font.encodings import base_unicode, overlay_differences
from pincite.pdf.font.metrics import ASCENT, DESCENT, base_font_name, read_box, read_style, sane_extent
from pincite.pdf.font.simple import read_encoding, simple_to_unicode
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes
from pincite.pdf.font.widths import read_simple_widths, sane_number
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary

__all__ = ["load_type3"]

_TYPICAL_WIDTH = 0.5
"""Share of the em that the middle one of a font's widths takes."""


def load_type3(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load a Type 3 font; its em is the height of /FontBBox through /FontMatrix, else twice its typical width."""
    name = base_font_name(file, dictionary)
    encoding, differences = read_encoding(file, dictionary)
    column = base_unicode(encoding)[:] if encoding is not None else holes(256)
    overlay_differences(column, differences, strings)
    if not lay_over(column, simple_to_unicode(file, dictionary, strings)):
        fill_code_names(column, differences, strings)
    if column[0x20] == MISSING:
        column[0x20] = 0x20

    matrix = [sane_number(value) for value in file.get_array(dictionary, "FontMatrix")[:4]]
    if len(matrix) < 4 or not (matrix[0] or matrix[1]) or not (matrix[2] or matrix[3]):
        matrix = [0.001, 0.0, 0.0, 0.001]
    across = matrix[0] or (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5
    up = matrix[3] or (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5
    widths = read_simple_widths(file, dictionary, 0.0, across) or array("d")

    box = read_box(file, dictionary.get("FontBBox"))
    em, ascent, descent = _measure(box, up, widths)
    style = read_style(file, name, file.get_dictionary(dictionary, "FontDescriptor"))
    table = DecodingTable(index, column, widths, code_bytes=1, default_width=0.0, em=em)
    return Font(name, table, ascent, descent, style)


def _measure(box: tuple[float, float, float, float] | None, up: float, widths: array[float]) -> tuple[float, float, float]:
    """The em in text space units, and ascent and descent in em."""
    known = sorted(abs(width) for width in widths if width)
    typical = known[len(known) // 2] / _TYPICAL_WIDTH if known else 1.0
    if box is not None:
        low, high = sorted((box[1] * up, box[3] * up))
        em = high - low
        # A box far from what the widths say (a unit square, a box for a whole page) is a dummy.
        if typical / 8 < em < typical * 8:
            extent = sane_extent(high / em, low / em)
            return em, *(extent if extent is not None else (ASCENT, DESCENT))
    return typical, ASCENT, DESCENT
