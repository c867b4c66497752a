"""Fonts of the PDF writer: they know the code of each character, so that a test shows text and not codes."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from support.pdfsyntax import Reference, Syntax, number, string


class Font:
    """A font of a `PdfWriter`. `name` is its resource name (`F1`), `reference` its dictionary."""

    def __init__(self, name: str, reference: Reference) -> None:
        self.name = name
        self.reference = reference

    def encode(self, text: str) -> bytes:
        """The codes that show `text`."""
        raise NotImplementedError

    def show(self, text: str) -> bytes:
        """`(…) Tj` for text."""
        return string(self.encode(text)) + b" Tj "

    def text(self, x: float, y: float, text: str, *, size: float = 12, matrix: tuple[float, ...] = (1, 0, 0, 1)) -> bytes:
        """A whole text object: `text` with its origin at (x, y) and `matrix` as the first four numbers of Tm."""
        placed = " ".join(number(value) for value in (*matrix, x, y))
        return f"BT /{self.name} {number(size)} Tf {placed} Tm ".encode() + self.show(text) + b"ET\n"


class SimpleFont(Font):
    """A font with one-byte codes; without a map of `codes` they are Windows-1252."""

    def __init__(self, name: str, codes: Mapping[str, int] | None, reference: Reference) -> None:
        super().__init__(name, reference)
        self.codes = codes

    def encode(self, text: str) -> bytes:
        if self.codes is None:
            return text.encode("cp1252")
        return bytes(self.codes[character] for character in text)


class CompositeFont(Font):
    """A Type0 font with two-byte codes, handed out as characters turn up."""

    def __init__(self, name: str, codes: dict[str, int], widths: dict[int, float], default_width: float | None) -> None:
        super().__init__(name, Reference(0))
        self.codes = codes
        self.widths = widths
        self.default_width = default_width
        self.width_array: list[Syntax] = []
        for code in widths:
            self.width_array += [code, [widths[code]]]

    def code(self, character: str) -> int:
        """The code of one character (or of a string that a code stands for), a new one where it has none."""
        if character not in self.codes:
            code = max(self.codes.values(), default=0) + 1
            self.codes[character] = code
            if code not in self.widths and self.default_width is None:
                wide = unicodedata.east_asian_width(character[0]) in "WF"
                self.widths[code] = 1000 if wide else 500
                self.width_array += [code, [self.widths[code]]]
        return self.codes[character]

    def encode(self, text: str) -> bytes:
        return b"".join(self.code(character).to_bytes(2, "big") for character in text)

    def mapping(self) -> dict[int, str]:
        """Code to text, for a ToUnicode CMap."""
        return {code: text for text, code in self.codes.items()}
