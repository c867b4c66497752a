"""The thresholds of the text rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TextRules:
    """When a gap is a space and a movement is a new line, in parts of the glyph's box.

    `space`: a gap from the end of a glyph's own width to the next origin, along the writing direction, over this share of
    the next glyph's box is a space. `line`: a movement along the normal of the writing direction over this share of the
    taller of the two boxes starts a line. `box` is one em ("em": fonts differ wildly in their ascents), or the font's own
    ascender-to-descender height ("font"), as some extractors measure.

    The defaults were calibrated on known text: 0.10 to 0.15 em is flat for spaces, 0.17 already loses.
    """

    space: float = 0.15
    line: float = 0.5
    box: Literal["em", "font"] = "em"
