"""Read every table ahead, for a process that will have no files later."""

from __future__ import annotations

from pincite.pdf.font.cmap import preload_collections
from pincite.pdf.font.conventions import preload_conventions
from pincite.pdf.font.encodings import ENCODINGS, base_unicode
from pincite.pdf.font.glyph_names import glyph_text
from pincite.pdf.font.packed import cmaps, tables
from pincite.pdf.font.program.cff import preload_strings
from pincite.pdf.font.standard14 import FACES, standard_widths
from pincite.pdf.font.string_table import usable_points

__all__ = ["preload_fonts"]


def preload_fonts() -> None:
    """Load what fonts need from disk, and what takes longest to unpack (about 15 ms and 4 MB)."""
    tables()
    cmaps()
    glyph_text("A")
    for encoding in ENCODINGS:
        base_unicode(encoding)
    for face in FACES:
        standard_widths(face, "WinAnsiEncoding")
    preload_strings()
    preload_collections()
    preload_conventions()
    usable_points()
