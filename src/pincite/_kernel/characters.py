# cython: language_level=3
"""What the rules of lines and spaces ask of a code point."""

from __future__ import annotations

import cython


@cython.cfunc
@cython.exceptval(check=False)
def is_white(value: cython.int) -> cython.bint:
    if value <= 0x20:
        return value == 0x20 or 9 <= value <= 13
    return value == 0xA0 or value == 0x3000 or 0x2000 <= value <= 0x200B or value == 0x202F or value == 0x205F


@cython.cfunc
@cython.exceptval(check=False)
def is_han_or_kana(value: cython.int) -> cython.bint:
    """Scripts that are written without spaces: no gap between two of their characters is one."""
    return value >= 0x2E80 and (
        value <= 0x2FDF
        or 0x3001 <= value <= 0x30FF
        or 0x31F0 <= value <= 0x31FF
        or 0x3400 <= value <= 0x4DBF
        or 0x4E00 <= value <= 0x9FFF
        or 0xF900 <= value <= 0xFAFF
        or 0xFF01 <= value <= 0xFF9F
        or 0x20000 <= value <= 0x3FFFF
    )


@cython.cfunc
@cython.exceptval(check=False)
def is_right_to_left(value: cython.int) -> cython.bint:
    return value >= 0x590 and (
        value <= 0x8FF or 0xFB1D <= value <= 0xFDFF or 0xFE70 <= value <= 0xFEFC or 0x10800 <= value <= 0x10FFF
        or 0x1E800 <= value <= 0x1EFFF
    )  # fmt: skip


@cython.cfunc
@cython.exceptval(check=False)
def is_accent(value: cython.int) -> cython.bint:
    """Spacing accents that a producer may draw over a letter, and combining ones that may come before theirs."""
    if value < 0x300:
        return (
            value == 0x60 or value == 0x5E or value == 0x7E or value == 0xA8 or value == 0xAF or value == 0xB4 or value == 0xB8
            or 0x2C6 <= value <= 0x2C7 or value == 0x2C9 or 0x2D8 <= value <= 0x2DD
        )  # fmt: skip
    return value <= 0x36F
