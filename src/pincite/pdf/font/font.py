"""Choose the loader for a font dictionary."""

from __future__ import annotations

from array import array

from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font.base import Font
from pincite.pdf.font.composite import load_composite
from pincite.pdf.font.metrics import ASCENT, DESCENT, base_font_name
from pincite.pdf.font.simple import load_simple
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.font.type3 import load_type3
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary

__all__ = ["Font", "load_font"]


def load_font(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load the font of a font dictionary. `strings` collects what glyphs of more than one character say; `index` is the font's
    number in its document.

    Never raises on odd input, MemoryError excepted: a font that can't be read loses its own glyphs' Unicode values only.
    """
    try:
        if "DescendantFonts" in dictionary or file.get(dictionary, "Subtype") == "Type0":
            return load_composite(file, dictionary, strings, index)
        if file.get(dictionary, "Subtype") == "Type3":
            return load_type3(file, dictionary, strings, index)
        return load_simple(file, dictionary, strings, index)
    except MemoryError:
        raise
    except Exception as error:
        code_bytes = 2 if "DescendantFonts" in dictionary else 1
        table = DecodingTable(index, array("i"), array("d"), code_bytes=code_bytes, default_width=0.5)
        warning = f"a font can't be read: {type(error).__name__}: {error}"
        return Font(base_font_name(file, dictionary), table, ASCENT, DESCENT, warnings=[warning])
