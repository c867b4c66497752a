"""The strings of more than one character that glyphs stand for, numbered once a document."""

from __future__ import annotations

from array import array
from functools import cache

from pincite._kernel.columns import EMPTY

__all__ = ["LINE_BREAKS", "MISSING", "StringTable", "is_usable", "usable_points"]

MISSING = 0xFFFD
"""What an unmapped code has for a Unicode value: U+FFFD REPLACEMENT CHARACTER."""

LINE_BREAKS = "\t\n\v\f\r\x85\u2028\u2029"
"""Characters that would break a line of text: each is a space."""

LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
"""Numbered alike in every table, since the base encodings hold them and are shared between documents."""

_MAX_STRINGS = 1 << 18


class StringTable:
    """Numbers strings: a string of one character is its code point, any other is -1 - its position in `strings`.

    Two tables number the Latin ligatures alike, all else in the order it turns up. A table that is full gives U+FFFD.
    """

    __slots__ = ("_numbers", "classes", "strings")

    def __init__(self) -> None:
        self.strings: list[str] = list(LIGATURES)
        self.classes: dict[int, int] = {}
        """What `_kernel.right_to_left` wants to know of the numbers that it has met."""
        self._numbers: dict[str, int] = {text: -1 - position for position, text in enumerate(LIGATURES)}

    def number(self, text: str) -> int:
        """The number of a string that is not empty."""
        if len(text) == 1:
            return ord(text)
        number = self._numbers.get(text)
        if number is None:
            if not text or len(self.strings) >= _MAX_STRINGS:
                return MISSING
            number = -1 - len(self.strings)
            self.strings.append(text)
            self._numbers[text] = number
        return number

    def text(self, number: int) -> str:
        """The string of a number; nothing for the numbers that stand for none (EMPTY, JOINED)."""
        if number <= EMPTY:
            return ""
        return chr(number) if number >= 0 else self.strings[-1 - number]


def is_usable(point: int) -> bool:
    """Whether a code point tells a reader anything: no control, surrogate, private use, U+FFFD, noncharacter, empty plane."""
    if point < 0xD800:
        return point >= 0xA0 or 0x20 <= point < 0x7F
    if point >= 0x40000:
        return 0xE0000 <= point < 0xE0200
    return point >= 0xF900 and point != MISSING and point & 0xFFFE != 0xFFFE and not 0xFDD0 <= point <= 0xFDEF


@cache
def usable_points() -> array[int]:
    """Code point → itself where it is usable, a space for a line break, else U+FFFD; for U+0000 to U+FFFF. Never write to it."""
    column = array("i", [MISSING]) * 65536
    for first, last in ((0x20, 0x7E), (0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFEFE), (0xFF00, 0xFFFC)):
        column[first : last + 1] = array("i", range(first, last + 1))
    for character in LINE_BREAKS:
        column[ord(character)] = 0x20
    return column
