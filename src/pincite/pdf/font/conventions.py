"""Encodings that a font does not state but its maker is known for: TeX's, the symbol fonts', the order of the core fonts.

These are the last step before U+FFFD. Each is taken on evidence in the font itself, never on its name alone where the name
can mislead.
"""

from __future__ import annotations

import re
from array import array
from functools import cache

from pincite.pdf.font.encodings import base_unicode
from pincite.pdf.font.glyph_names import glyph_text
from pincite.pdf.font.packed import tables
from pincite.pdf.font.standard14 import standard_face, standard_font
from pincite.pdf.font.string_table import MISSING, StringTable

__all__ = ["core_order", "fill_code_names", "fill_tex_names", "preload_conventions", "private_page"]

# --- glyphs named by their codes ---------------------------------------------------------------------------------------

_CODE_NAME = re.compile(r"[A-Za-z]{1,2}(\d{1,3}|[0-9A-Fa-f]{2})")
_OT1_MARKS = frozenset((*range(11, 16), 123, 124))
_T1_MARKS = frozenset((16, 17, 21, *range(27, 32), *range(128, 256)))

# TeX's text encodings where they differ from ASCII: from code 0, then single codes. "|" parts what is more than a character.
_OT1_LOW = "Γ|Δ|Θ|Λ|Ξ|Π|Σ|Υ|Φ|Ψ|Ω|ff|fi|fl|ffi|ffl|ı|ȷ|`|´|ˇ|˘|¯|˚|¸|ß|æ|œ|ø|Æ|Œ|Ø"
_OT1_OTHER = {
    34: "”", 39: "’", 60: "¡", 62: "¿", 92: "“", 94: "ˆ", 95: "˙", 96: "‘", 123: "–", 124: "—", 125: "˝", 126: "˜", 127: "¨",
}  # fmt: skip
_T1_LOW = "`|´|ˆ|˜|¨|˝|˚|ˇ|˘|¯|˙|¸|˛|‚|‹|›|“|”|„|«|»|–|—|\u200c|0|ı|ȷ|ff|fi|fl|ffi|ffl"
_T1_HIGH = (
    "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£"
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞẞàáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß"
)
# The mathematics encodings, OML (italic) and OMS (symbols), as far as they are used by number.
_OML_LOW = "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ"
_OMS = (
    "−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠"
)
_RING = 14
_MISNAMED = {"onequarter": "=", "thorn": "+", "eth": "(", "Thorn": ")"}
_TEX_NUMBER = re.compile(r"C(\d{1,3})")
_TEX_SYMBOLS = re.compile(r"Adv|MT_?SY|Math.*Sym|Sym.*Math", re.IGNORECASE)
_TEX_ITALIC = re.compile(r"Adv.*MI\b|Math.*Ital|MT_?MI", re.IGNORECASE)


@cache
def _tex_text(encoding: str) -> dict[int, str]:
    texts = {code: chr(code) for code in range(33, 127)}
    if encoding == "OT1":
        texts.update(enumerate(_OT1_LOW.split("|")))
        texts.update(_OT1_OTHER)
    else:
        texts.update(enumerate(_T1_LOW.split("|")))
        texts.update(enumerate(_T1_HIGH, 128))
        texts.update({32: "␣", 39: "’", 96: "‘", 127: "-"})
    return texts


def fill_code_names(column: array[int], names: dict[int, str], strings: StringTable) -> None:
    """Codes whose names only spell the code (`a97` or `C61` at 97) mean what TeX's encodings give them.

    So name TeX's drivers the glyphs of bitmap fonts. One name that spells another number, and none of them counts. Which
    encoding a font has shows in the codes it uses; a font without small letters is one of mathematics, of which only letters
    and digits are sure.
    """
    unknown = {code: name for code, name in names.items() if column[code] == MISSING and name != ".notdef"}
    if not unknown or not any(all(_spells(name, code, base) for code, name in unknown.items()) for base in (10, 16)):
        return
    if sum(97 <= code <= 122 for code in unknown) < 3 and not any(code >= 128 for code in unknown):
        texts = {code: chr(code) for code in unknown if chr(code).isascii() and chr(code).isalnum()}
    else:
        t1 = sum(code in _T1_MARKS for code in unknown)
        texts = _tex_text("T1" if t1 and t1 >= sum(code in _OT1_MARKS for code in unknown) else "OT1")
    for code in unknown:
        if code in texts:
            column[code] = strings.number(texts[code])


def _spells(name: str, code: int, base: int) -> bool:
    match = _CODE_NAME.fullmatch(name)
    try:
        return match is not None and int(match[1], base) == code
    except ValueError:
        return False


def fill_tex_names(column: array[int], names: dict[int, str], font_name: str) -> None:
    """Glyphs named `C` and a number in the mathematics fonts of publishers have the place of that number in TeX's encoding.

    Such a symbol font names four of its other signs after what stood at their codes in a text font, and its ToUnicode map
    follows the names: "P ¼ 0.05" is seen as "P = 0.05".
    """
    if _TEX_ITALIC.search(font_name):
        texts = _OML_LOW
    elif _TEX_SYMBOLS.search(font_name):
        texts = _OMS
    else:
        return
    numbers = {code: int(match[1]) for code, name in names.items() if (match := _TEX_NUMBER.fullmatch(name)) is not None}
    for code, number in numbers.items():
        if column[code] == MISSING and number < len(texts):
            # The ring operator of a publisher's font is the degree sign of its text.
            column[code] = 0xB0 if number == _RING else ord(texts[number])
    if numbers and texts is _OMS:
        for code, name in names.items():
            if name in _MISNAMED:
                column[code] = ord(_MISNAMED[name])


# --- symbol fonts -------------------------------------------------------------------------------------------------------

# What documents use of Wingdings: bullets, ticks, arrows, numbers in circles.
_WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x41: "✌", 0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4C: "☹",
    0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄", 0x58: "✠", 0x59: "✡", 0x5B: "☯", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□",
    0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x7A: "⌘", 0x7B: "❀", 0x7C: "✿",
    0x7D: "❝", 0x7E: "❞", 0x80: "⓪", 0x8B: "⓿", 0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA7: "▪", 0xA8: "◻", 0xAA: "✦",
    0xAB: "★", 0xAC: "✶", 0xAD: "✴", 0xAE: "✹", 0xAF: "✵", 0xD5: "⌫", 0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→",
    0xE1: "↑", 0xE2: "↓", 0xE3: "↖", 0xE4: "↗", 0xE5: "↙", 0xE6: "↘", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩",
    0xF3: "⬄", 0xF4: "⇳", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS.update({0x81 + step: chr(0x2460 + step) for step in range(10)})
_WINGDINGS.update({0x8C + step: chr(0x2776 + step) for step in range(10)})


@cache
def _wingdings() -> array[int]:
    column = array("i", [MISSING]) * 256
    for code, text in _WINGDINGS.items():
        column[code] = ord(text)
    column[0x20] = 0x20
    return column


def private_page(font_name: str) -> array[int] | None:
    """What the 256 codes of a symbol font mean, which ToUnicode maps give as U+F000 to U+F0FF; None for any other font."""
    bare = font_name.lower().replace(" ", "")
    if bare.startswith("symbol") and not bare.startswith("symbolprop"):
        return base_unicode("SymbolEncoding")
    if bare.startswith("wingdings") and not bare.startswith(("wingdings2", "wingdings3", "wingdings-2", "wingdings-3")):
        return _wingdings()
    return None


# --- the core fonts ------------------------------------------------------------------------------------------------------

_CORE_FIRST, _CORE_LAST = 3, 97
_CORE_EVIDENCE = 4


@cache
def _core_names() -> tuple[str, ...]:
    return tuple(tables().lines("mac/order")[: _CORE_LAST + 1])


def preload_conventions() -> None:
    """Make the tables ahead."""
    _core_names()
    _wingdings()
    _tex_text("OT1")
    _tex_text("T1")


def core_order(font_name: str, widths: array[float], default_width: float) -> array[int] | None:
    """GID → Unicode value where GIDs are those of Arial, Times New Roman or Courier New whole; None without evidence.

    These begin with the glyphs of the standard Macintosh order. That a subset kept the numbers shows in the widths, which
    are those of the standard 14 fonts.
    """
    face = standard_face(font_name)
    if face is None or face in ("Symbol", "ZapfDingbats"):
        return None
    order = _core_names()
    known = standard_font(face).widths
    pairs = [(widths[glyph], known.get(order[glyph], 0.0)) for glyph in range(_CORE_FIRST, min(len(widths), _CORE_LAST + 1))]
    pairs = [(width, expected) for width, expected in pairs if width and width != default_width]
    agreeing = sum(abs(width - expected) < 0.003 for width, expected in pairs)
    if agreeing < _CORE_EVIDENCE or agreeing < 0.8 * len(pairs):
        return None
    column = array("i", [MISSING]) * (_CORE_LAST + 1)
    for glyph in range(_CORE_FIRST, _CORE_LAST + 1):
        text = glyph_text(order[glyph])
        if text is not None:
            column[glyph] = ord(text)
    return column
