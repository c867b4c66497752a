"""What an embedded font program says of its glyphs, in the terms of decoding: Unicode values by code or by CID.

Programs are told apart by their first bytes, not by the key they stand under (/FontFile, /FontFile2, /FontFile3), which is
wrong now and then.
"""

from __future__ import annotations

import re
import sys
from array import array
from dataclasses import dataclass, field

from pincite.pdf.font.cmap import collection
from pincite.pdf.font.encodings import base_unicode
from pincite.pdf.font.glyph_names import glyph_text, spell_out
from pincite.pdf.font.program.cff import CFFProgram, read_cff
from pincite.pdf.font.program.truetype import TrueTypeProgram, read_truetype
from pincite.pdf.font.program.type1 import read_type1_encoding
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Stream, Value

__all__ = ["BuiltIn", "by_cid", "by_code", "has_program", "read_program_bytes", "read_stream"]

_KEYS = ("FontFile", "FontFile2", "FontFile3")
_GLYPH_NUMBER = re.compile(r"(?:g|gid|glyph|index|cid)0*(\d{1,5})")
_SYMBOL_PAGES = (0xF000, 0x0000, 0xF100, 0xF200)
_MAC_ROMAN = (1, 0)
_SYMBOL = (3, 0)


def has_program(descriptor: Dictionary) -> bool:
    return any(key in descriptor for key in _KEYS)


def read_program_bytes(file: File, descriptor: Dictionary) -> bytes:
    """The bytes of the embedded program; empty where there is none or it can't be decoded."""
    for key in _KEYS:
        data = read_stream(file, file.get(descriptor, key), "a font program")
        if data is not None:
            return data
    return b""


def read_stream(file: File, value: Value, what: str) -> bytes | None:
    """The data of a stream; None where the value is none, and where it can't be decoded, with a warning that names it."""
    if not isinstance(value, Stream):
        return None
    try:
        return value.data()
    except MemoryError:
        raise
    except Exception as error:
        file.warn(f"{what} can't be read: {error}")
        return None


# --- simple fonts ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class BuiltIn:
    """The built-in encoding of a program: the Unicode values of 256 codes, and glyph names by code where there are any."""

    column: array[int]
    names: dict[int, str] = field(default_factory=dict)


def by_code(data: bytes, differences: dict[int, str], strings: StringTable, *, guess: bool) -> BuiltIn | None:
    """The program's built-in encoding; None where the program can't be read.

    `differences` matter where their names are numbers of glyphs, which only the program can tell the meaning of. `guess`
    allows that a glyph without a meaning has that of its code in the standard encodings.
    """
    truetype = read_truetype(data)
    if truetype is not None:
        program = read_cff(truetype.cff) if truetype.cff else None
        if program is not None and not truetype.maps:
            return _from_names(program.encoding, strings)
        if not truetype.maps and not truetype.names:
            return None
        return BuiltIn(_truetype_by_code(truetype, differences, strings, guess=guess))
    if data[:1] == b"\x01":
        program = read_cff(data)
        return None if program is None else _from_names(program.encoding, strings)
    encoding = read_type1_encoding(data)
    if encoding is None:
        return None
    return BuiltIn(base_unicode(encoding)[:]) if isinstance(encoding, str) else _from_names(encoding, strings)


def _from_names(encoding: dict[int, str], strings: StringTable) -> BuiltIn:
    column = array("i", [MISSING]) * 256
    for code, name in encoding.items():
        text = glyph_text(name)
        if text is not None:
            column[code] = strings.number(text)
    return BuiltIn(column, encoding)


def _truetype_by_code(program: TrueTypeProgram, differences: dict[int, str], strings: StringTable, *, guess: bool) -> array[int]:
    """The glyph of each code by ISO 32000-2, 9.6.5.4, then the glyph's meaning by a Unicode map or its name."""
    column = array("i", [MISSING]) * 256
    by_glyph = _truetype_by_glyph(program, strings)
    symbolic = _SYMBOL in program.maps
    glyphs = program.page(_MAC_ROMAN, 0)
    for page in reversed(_SYMBOL_PAGES) if symbolic else ():
        glyphs = [own or other for own, other in zip(program.page(_SYMBOL, page), glyphs, strict=True)]
    standard = base_unicode("WinAnsiEncoding" if symbolic else "MacRomanEncoding")
    # A map that only counts the glyphs was made with the subset: its codes mean nothing.
    guess = guess and any(glyph not in (0, code) for code, glyph in enumerate(glyphs))
    for code, glyph in enumerate(glyphs):
        number = _GLYPH_NUMBER.fullmatch(differences[code]) if code in differences else None
        if number is not None:
            glyph = int(number[1])
        if 0 < glyph < len(by_glyph) and by_glyph[glyph] != MISSING:
            column[code] = by_glyph[glyph]
        elif guess and glyph and number is None and code >= 0x20:
            column[code] = standard[code]
    return column


def _truetype_by_glyph(program: TrueTypeProgram, strings: StringTable) -> array[int]:
    """GID → Unicode value by the Unicode maps backwards, else by glyph name."""
    column = program.unicode_by_glyph()
    for glyph, point in enumerate(column):
        if 0xFB00 <= point <= 0xFEFC:
            column[glyph] = strings.number(spell_out(chr(point)))
    names = program.names
    if not names and program.cff:
        cff = read_cff(program.cff)
        names = cff.names if cff is not None else []
    for glyph, name in enumerate(names[: len(column)]):
        if column[glyph] == MISSING and name:
            text = glyph_text(name)
            if text is not None:
                column[glyph] = strings.number(text)
    return column


# --- CID fonts ---------------------------------------------------------------------------------------------------------


def by_cid(data: bytes, glyph_map: bytes | None, strings: StringTable) -> array[int] | None:
    """CID → Unicode value as the program tells it; None where it can't be read or says nothing.

    `glyph_map` is the data of a /CIDToGIDMap stream (ISO 32000-2, 9.7.4.2); without it the CID is the GID.
    """
    truetype = read_truetype(data)
    cff: CFFProgram | None = None
    if truetype is not None:
        if truetype.cff:
            cff = read_cff(truetype.cff)
        by_glyph = _truetype_by_glyph(truetype, strings)
        if by_glyph == holes(len(by_glyph)):
            by_glyph = _mac_by_glyph(truetype)
    else:
        cff = read_cff(data)
        if cff is None:
            return None
        if cff.cids is not None:
            return collection(cff.ordering, strings)
        by_glyph = array("i", [MISSING]) * len(cff.names)
        for glyph, name in enumerate(cff.names):
            text = glyph_text(name)
            if text is not None:
                by_glyph[glyph] = strings.number(text)
    if cff is not None and cff.cids is not None:
        return _through(_inverse(cff.cids), by_glyph)
    if glyph_map is not None and cff is None:
        glyphs = array("H", glyph_map[: min(len(glyph_map) & ~1, 131072)])
        if sys.byteorder == "little":
            glyphs.byteswap()
        return _through(glyphs, by_glyph)
    return by_glyph


def _mac_by_glyph(program: TrueTypeProgram) -> array[int]:
    """GID → Unicode value by a Macintosh map alone, unless it only counts the glyphs, as the maps of some subsets do."""
    column = array("i", [MISSING]) * min(max(program.glyphs, 1), 65536)
    pairs = [(code, glyph) for code, glyph in enumerate(program.page(_MAC_ROMAN, 0)) if code >= 0x20 and 0 < glyph < len(column)]
    if pairs and len({code - glyph for code, glyph in pairs}) > 1:
        mac = base_unicode("MacRomanEncoding")
        for code, glyph in reversed(pairs):
            column[glyph] = mac[code]
    return column


def _inverse(cids: list[int]) -> array[int]:
    """GID → CID turned round; CIDs that are not there have GID 0."""
    column = array("H", bytes(2 * (max(cids, default=0) + 1)))
    for glyph, cid in enumerate(cids):
        if glyph < 65536:
            column[cid] = glyph
    return column


def _through(glyphs: array[int], by_glyph: array[int]) -> array[int]:
    known = len(by_glyph)
    return array("i", [by_glyph[glyph] if 0 < glyph < known else MISSING for glyph in glyphs])
