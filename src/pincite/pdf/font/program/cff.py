"""Compact Font Format: glyph names or CIDs, and the built-in encoding (Adobe Technical Note 5176)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from pincite.pdf.font.packed import tables

__all__ = ["CFFProgram", "preload_strings", "read_cff"]

_MAX_GLYPHS = 65536
_MAX_OPERANDS = 513
_CHARSET, _ENCODING, _CHAR_STRINGS, _ROS = 15, 16, 17, 0x0C1E
_PREDEFINED = ("ISOAdobe", "Expert", "ExpertSubset")


@dataclass(slots=True)
class CFFProgram:
    """What a CFF font says of its glyphs; GID 0 is .notdef.

    `names` by GID for a font with names; `cids` by GID and `ordering` ("Korea1", …) for a CID-keyed one. `encoding` is
    code → glyph name.
    """

    names: list[str] = field(default_factory=list)
    cids: list[int] | None = None
    ordering: str = ""
    encoding: dict[int, str] = field(default_factory=dict)


@cache
def _standard_strings() -> tuple[str, ...]:
    return tuple(tables().lines("cff/strings"))


def preload_strings() -> None:
    """Unpack the standard strings and charsets ahead."""
    _standard_strings()
    _standard_encoding()
    for number in range(len(_PREDEFINED)):
        _predefined_charset(number)


@cache
def _standard_encoding() -> tuple[str, ...]:
    return tuple(tables().lines("encoding/StandardEncoding"))


@cache
def _predefined_charset(number: int) -> tuple[str, ...]:
    return tuple(tables().lines(f"cff/{_PREDEFINED[number]}"))


def read_cff(data: bytes) -> CFFProgram | None:
    """Read a bare CFF table. None where the bytes are none; what is damaged behind the head is left out."""
    if len(data) < 8 or data[0] != 1:
        return None
    try:
        return _read(data)
    except (IndexError, ValueError, UnicodeDecodeError):
        return None


def _read(data: bytes) -> CFFProgram | None:
    _names, position = _read_index(data, data[2], 1)
    dictionaries, position = _read_index(data, position, 1)
    if not dictionaries:
        return None
    strings, position = _read_index(data, position, _MAX_GLYPHS)
    top = _read_dictionary(data[slice(*dictionaries[0])])
    standard = _standard_strings()

    def string(sid: int) -> str:
        if sid < len(standard):
            return standard[sid]
        sid -= len(standard)
        return data[slice(*strings[sid])].decode("latin-1") if sid < len(strings) else ""

    offset = _integer(top.get(_CHAR_STRINGS), 0)
    glyphs = int.from_bytes(data[offset : offset + 2], "big") if 0 < offset < len(data) - 2 else _MAX_GLYPHS
    charset = _integer(top.get(_CHARSET), 0)
    if _ROS in top:
        ordering = top[_ROS][1] if len(top[_ROS]) > 1 else 0.0
        cids = [0, *_charset_numbers(data, charset, glyphs)] if charset > 2 else list(range(glyphs))
        return CFFProgram(cids=cids, ordering=string(int(ordering)))
    if 0 <= charset < len(_PREDEFINED):
        names = list(_predefined_charset(charset)[:glyphs])
    else:
        names = [".notdef", *map(string, _charset_numbers(data, charset, glyphs))]
    program = CFFProgram(names=names)
    encoding = _integer(top.get(_ENCODING), 0)
    if encoding == 0:
        present = set(names)
        program.encoding = {code: name for code, name in enumerate(_standard_encoding()) if name and name in present}
    elif encoding > 1:
        program.encoding = _read_encoding(data, encoding, names, string)
    return program


def _integer(operands: list[float] | None, default: int) -> int:
    return int(operands[-1]) if operands else default


def _read_index(data: bytes, position: int, limit: int) -> tuple[list[tuple[int, int]], int]:
    """The (start, end) of up to `limit` members of an INDEX, and where it ends. Raises IndexError past the data's end."""
    count = int.from_bytes(data[position : position + 2], "big")
    if position < 0 or position + 2 > len(data):
        raise IndexError(position)
    if count == 0:
        return [], position + 2
    size = data[position + 2]
    if not 1 <= size <= 4:
        raise ValueError(size)
    table = position + 3
    base = table + (count + 1) * size - 1
    if base >= len(data):
        raise IndexError(base)

    def offset(number: int) -> int:
        place = table + number * size
        return base + int.from_bytes(data[place : place + size], "big")

    return [(offset(number), offset(number + 1)) for number in range(min(count, limit))], offset(count)


def _read_dictionary(data: bytes) -> dict[int, list[float]]:
    """Operator → operands of a DICT; two-byte operators are 0x0C00 + the second byte."""
    result: dict[int, list[float]] = {}
    operands: list[float] = []
    position = 0
    end = len(data)
    while position < end and len(operands) < _MAX_OPERANDS:
        byte = data[position]
        position += 1
        if byte <= 21:
            if byte == 12 and position < end:
                byte = 0x0C00 + data[position]
                position += 1
            result[byte] = operands
            operands = []
        elif byte == 28:
            operands.append(int.from_bytes(data[position : position + 2], "big", signed=True))
            position += 2
        elif byte == 29:
            operands.append(int.from_bytes(data[position : position + 4], "big", signed=True))
            position += 4
        elif byte == 30:
            while position < end and data[position] & 0x0F != 0x0F and data[position] >> 4 != 0x0F:
                position += 1
            position += 1
            operands.append(0.0)  # no real number tells anything of a glyph's meaning
        elif 32 <= byte <= 246:
            operands.append(byte - 139)
        elif 247 <= byte <= 254 and position < end:
            operands.append(
                (byte - 247) * 256 + data[position] + 108 if byte < 251 else -(byte - 251) * 256 - data[position] - 108
            )
            position += 1
    return result


def _charset_numbers(data: bytes, position: int, glyphs: int) -> list[int]:
    """SIDs or CIDs of the glyphs from GID 1 on (section 13)."""
    numbers: list[int] = []
    if not 0 < position < len(data):
        return numbers
    kind = data[position]
    position += 1
    wanted = glyphs - 1
    if kind == 0:
        body = data[position : position + 2 * wanted]
        return [int.from_bytes(body[place : place + 2], "big") for place in range(0, len(body) - 1, 2)]
    size = 3 if kind == 1 else 4
    while len(numbers) < wanted and kind in (1, 2) and position + size <= len(data):
        first = int.from_bytes(data[position : position + 2], "big")
        left = int.from_bytes(data[position + 2 : position + size], "big")
        numbers.extend(range(first, first + min(left, wanted - len(numbers) - 1) + 1))
        position += size
    return numbers


def _read_encoding(data: bytes, position: int, names: list[str], string: Callable[[int], str]) -> dict[int, str]:
    """Code → glyph name of a custom encoding (section 12)."""
    result: dict[int, str] = {}
    if position >= len(data):
        return result
    kind = data[position]
    count = data[position + 1]
    position += 2
    glyph = 1
    if kind & 0x7F == 0:
        for code in data[position : position + count]:
            if glyph < len(names):
                result[code] = names[glyph]
            glyph += 1
        position += count
    elif kind & 0x7F == 1:
        for place in range(position, min(position + 2 * count, len(data) - 1), 2):
            for code in range(data[place], min(data[place] + data[place + 1], 255) + 1):
                if glyph < len(names):
                    result[code] = names[glyph]
                glyph += 1
        position += 2 * count
    if kind & 0x80 and position < len(data):
        supplements = data[position]
        for place in range(position + 1, min(position + 1 + 3 * supplements, len(data) - 2), 3):
            result[data[place]] = string(int.from_bytes(data[place + 1 : place + 3], "big"))
    return result
