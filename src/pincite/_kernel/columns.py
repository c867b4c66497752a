"""The layout of the columns that the kernel modules share: field counts, flags of a glyph, and special values."""

from __future__ import annotations

PLACE_FIELDS = 4
FACT_FIELDS = 4
RUN_NUMBER_FIELDS = 6
RUN_FACT_FIELDS = 5
PIECE_NUMBERS = 4
PIECE_FACTS = 6

FLAG_UNMAPPED = 1
"""The code has no Unicode value; the glyph's is U+FFFD."""
FLAG_CLIPPED = 2
"""The box centre lies outside the BBox of a form around the glyph."""
FLAG_INVISIBLE = 4
"""Rendering mode 3 or 7: not painted, as the text layer of a scanned page (ISO 32000-2, 9.3.6)."""
FLAG_ARTIFACT = 8
"""Marked as no part of the document proper (ISO 32000-2, 14.8.2.2)."""
FLAG_HIDDEN = 16
"""In optional content that is off (ISO 32000-2, 8.11)."""
FLAG_FORM = 32
"""Drawn by a form, not by the page's own stream."""
FLAG_ANNOTATION = 64
"""Drawn by the appearance of an annotation."""

UNMAPPED = 0xFFFD
JOINED = -0x7FFFFFFF
"""The unicode value of a glyph that stands under another's text (the rest of an ActualText): it adds no character."""
EMPTY = -0x7FFFFFFE
"""The unicode value of a glyph whose text is said to be empty, as part of a cluster whose text another glyph has."""

PATH_PLACE_FIELDS = 5
PATH_FACT_FIELDS = 3

KIND_LINE = 0
"""A stroked line."""
KIND_RECTANGLE = 1
"""A filled rectangle."""
KIND_EDGE = 2
"""A side of another filled shape."""
KIND_IMAGE = 3
"""The rectangle that an image fills."""
KIND_CURVE = 4
"""The box of a painted path that has curves or slanted lines: lettering, or part of a picture."""

PIECE_VERTICAL = 1
"""The piece is written from top to bottom."""
PIECE_RIGHT_TO_LEFT = 2
"""The piece is of a line with right-to-left letters."""
