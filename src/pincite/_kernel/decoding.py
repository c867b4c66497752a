# cython: language_level=3
"""What the text-state machine needs of a font."""

from __future__ import annotations

from array import array
from typing import Any

import cython


@cython.cclass
class DecodingTable:
    """What the machine needs of a font: code → unicode value and displacement.

    `unicode` ("i") and `width`, `height` ("d") are indexed by the code, or, where `code_bytes` is 0, by the row that
    `decoder(data)` gives: an array("i") of (code, row, length in bytes) triples. Widths and heights are in text space
    units (glyph space / 1000; through FontMatrix for Type3); a height is the vertical displacement w1y, negative downwards
    (ISO 32000-2, 9.7.4.3). A code past the end of an array is unmapped or has the default. `em` is the length of one em in
    text space units, 1 except in Type3 fonts.
    """

    def __init__(
        self,
        index: int,
        unicode: Any,
        width: Any,
        *,
        code_bytes: int,
        default_width: float,
        vertical: bool = False,
        height: Any = None,
        default_height: float = -1.0,
        decoder: Any = None,
        em: float = 1.0,
    ) -> None:
        if code_bytes not in (0, 1, 2) or (code_bytes == 0 and decoder is None):
            raise ValueError("code_bytes is 1 or 2, or 0 with a decoder")
        height = array("d") if height is None else height
        self.index = index
        self.code_bytes = code_bytes
        self.vertical = vertical
        self.default_width = default_width
        self.default_height = default_height
        self.em = em
        self.unicode_length = len(unicode)
        self.width_length = len(width)
        self.height_length = len(height)
        self.unicode = unicode
        self.width = width
        self.height = height
        self.decoder = decoder
        self.columns = (unicode, width, height)

    def unicode_column(self) -> Any:
        """The array of unicode values, as it was given."""
        return self.columns[0]

    def width_column(self) -> Any:
        """The array of widths, as it was given."""
        return self.columns[1]

    def font_index(self) -> int:
        return self.index

    def code_size(self) -> int:
        """The length of a code in bytes, 0 where it is mixed."""
        return self.code_bytes
