"""What each letter folds to."""

from __future__ import annotations

import unicodedata

from pincite.search.analysis.scripts import is_unspaced

__all__ = ["LetterTable"]

_DROPPED = frozenset("\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\ufeff") | {
    chr(code)
    for first, last in (
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0xFE00, 0xFE0F),
        (0xE0000, 0xE0FFF),
    )
    for code in range(first, last + 1)
}
# Letters with a stroke do not decompose, and are typed without it all the same.
_STROKES = {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
# Combining classes of what counts as a diacritic: nuktas, Hebrew and Arabic points, and all that sits above or below a
# letter. Not the viramas (9), the Kana voicing marks (8), nor the vowel signs of Thai, Lao and Tibetan (103 to 132).
_DIACRITIC_CLASSES = frozenset((1, 7, *range(10, 37), *range(200, 241)))


class LetterTable(dict[int, str]):
    """For `str.translate` on text that is NFKC and case-folded: each code point to its letters, filled on demand.

    A letter loses its diacritics, a decimal digit becomes an ASCII one, an invisible character vanishes, and any other
    character that is no part of a word becomes a space. ASCII stays as it is.
    """

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold_letter(chr(code))
        return folded


def _fold_letter(character: str) -> str:
    if character.isascii():
        return character
    if character in _DROPPED:
        return ""
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if is_unspaced(character):
        return character
    if category[0] == "M":
        return "" if _is_diacritic(character) else character
    if category[0] == "L":
        if character in _STROKES:
            return _STROKES[character]
        bare = "".join(part for part in unicodedata.normalize("NFD", character) if not _is_diacritic(part))
        return "".join(_STROKES.get(part, part) for part in bare)
    return character if category[0] == "N" else " "


def _is_diacritic(character: str) -> bool:
    return unicodedata.combining(character) in _DIACRITIC_CLASSES or unicodedata.category(character) == "Me"
