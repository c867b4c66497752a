"""One page of a PDF, written and read back in a line: what the tests of text and of its places are made of.

    assert read("BT /F1 10 Tf 72 700 Td [(A) -160 (B)] TJ ET").text() == "A B"
    assert read("BT /F2 10 Tf 72 700 Td {漢字} Tj ET").text() == "漢字"

Every glyph of both fonts is half an em wide, so a reader of a test can do its sums.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import pincite
from pincite import Page
from support.pdfsyntax import string
from support.pdfwriter import PdfWriter

_TEXT = re.compile(r"\{([^{}]*)\}")


class Sheet:
    """A writer with two fonts: F1 in Windows-1252, and F2, in which `{…}` in content shows any text (two-byte codes)."""

    def __init__(self) -> None:
        self.writer = PdfWriter()
        self.latin = self.writer.add_font(widths=500)
        self.any = self.writer.add_composite_font(default_width=500)

    def content(self, source: str) -> bytes:
        """Content as bytes, with each `{text}` as a string of F2."""
        parts = _TEXT.split(source)
        return b"".join(string(self.any.encode(part)) if at % 2 else part.encode("cp1252") for at, part in enumerate(parts))

    def form(self, source: str, **options: Any) -> Any:
        """Add a form with this content, for the `xobjects` of a page."""
        return self.writer.add_form(self.content(source), **options)

    def add(self, source: str | Sequence[Any] = "", **options: Any) -> None:
        """Add a page; a list of sources is several content streams."""
        if isinstance(source, str):
            self.writer.add_page(self.content(source), **options)
        else:
            self.writer.add_page([self.content(part) if isinstance(part, str) else part for part in source], **options)

    def read(self, source: str | Sequence[Any] = "", **options: Any) -> Page:
        """Add a page, write the file, and open that page."""
        self.add(source, **options)
        document = pincite.open(self.writer.write())
        return document.page(len(document))


def read(source: str | Sequence[Any], **options: Any) -> Page:
    """The page of a new sheet with this content; options as for `PdfWriter.add_page`."""
    return Sheet().read(source, **options)


def shown(page: Page) -> str:
    """What all glyphs stand for, in the order they are drawn, whether or not they are text of the page."""
    glyphs = page.glyphs()
    return "".join(glyphs.text(row) for row in range(len(glyphs)))


def flagged(page: Page, flag: int) -> str:
    """What the glyphs with a flag stand for."""
    glyphs = page.glyphs()
    return "".join(glyphs.text(row) for row in range(len(glyphs)) if glyphs.flags[row] & flag)


def origins(page: Page) -> list[tuple[float, float]]:
    """The origins of all glyphs, in order."""
    glyphs = page.glyphs()
    return list(zip(glyphs.x, glyphs.y, strict=True))


def turned(degrees: float, x: float, y: float, scale: float = 1) -> str:
    """`a b c d e f Tm` for text that goes up at an angle from (x, y)."""
    cosine, sine = scale * math.cos(math.radians(degrees)), scale * math.sin(math.radians(degrees))
    return f"{cosine:.9f} {sine:.9f} {-sine:.9f} {cosine:.9f} {x} {y} Tm"


def line_of(pieces: Iterable[tuple[float, str]], y: float = 700, size: float = 10) -> str:
    """Content that draws each (x, text) by its own operator, in font F2, on one baseline."""
    return "".join(f"BT /F2 {size} Tf {x} {y} Td {{{text}}} Tj ET\n" for x, text in pieces)
