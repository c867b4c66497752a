"""Pages as pictures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as a viewer shows it, turned and cut: a PNG of `width` by `height` pixels, 8 bits of grey or of each colour.

    `dpi` is what it was drawn at: what was asked for, or less where that would have been over the limit of pixels.
    """

    page: int
    width: int
    height: int
    dpi: float
    png: bytes
