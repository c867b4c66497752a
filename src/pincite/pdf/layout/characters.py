"""What the line builder asks of Unicode's tables."""

from __future__ import annotations

import unicodedata

from pincite._kernel.right_to_left import BLANK, BRACKET, BRACKETS, KINDS
from pincite.pdf.font.string_table import StringTable

# Spacing accents as fonts of TeX and others have them, and the combining mark that each stands for.
_COMBINING = {
    0x5E: "\u0302", 0x60: "\u0300", 0x7E: "\u0303", 0xA8: "\u0308", 0xAF: "\u0304", 0xB4: "\u0301", 0xB8: "\u0327",
    0x2C6: "\u0302", 0x2C7: "\u030c", 0x2C9: "\u0304", 0x2D8: "\u0306", 0x2D9: "\u0307", 0x2DA: "\u030a", 0x2DB: "\u0328",
    0x2DC: "\u0303", 0x2DD: "\u030b",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}


class Characters:
    """Composes accents, and classifies values; a value is a code point or a number of the string table."""

    def __init__(self, strings: StringTable) -> None:
        self._strings = strings

    def compose(self, accent: int, letter: int) -> int:
        """The value of the letter with the accent on it as one character, or -1 where Unicode has none."""
        if letter < 0:
            return -1
        base = chr(letter)
        if not base.isalpha():
            return -1
        mark = _COMBINING.get(accent) or chr(accent)
        composed = unicodedata.normalize("NFC", _DOTLESS.get(base, base) + mark)
        return ord(composed) if len(composed) == 1 else -1

    def is_mark(self, value: int) -> bool:
        """Whether the value is a combining mark, which stands on what comes before it."""
        return value >= 0 and unicodedata.category(chr(value)) in ("Mn", "Me", "Mc")

    def starts_right_to_left(self, value: int) -> bool:
        """Whether a string of the string table starts with a right-to-left letter."""
        return unicodedata.bidirectional(self._strings.strings[-1 - value][:1] or " ") in ("R", "AL")

    def bidirectional_class(self, value: int) -> int:
        """The class of what a value stands for, as `_kernel.right_to_left` counts them."""
        text = self._strings.text(value)
        kind = bidirectional_kind(text)
        number = KINDS.index(kind) if kind in KINDS else 0
        if text.isspace():
            number |= BLANK
        return number + BRACKET * (BRACKETS.find(text) + 1) if len(text) == 1 else number


def bidirectional_kind(text: str) -> str:
    """The bidirectional class of a text: that of its first strong character, else of its first."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    for kind in kinds:
        if kind in ("L", "R", "AL"):
            return kind
    return kinds[0] if kinds else "ON"
