"""TrueType and OpenType programs: character maps and glyph names (ISO/IEC 14496-22, tables cmap and post).

Character maps come as segments, so that a hostile one costs no more than its own bytes until it is asked, and no more
than the number of glyphs or of code points then.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from pincite.pdf.font.packed import tables
from pincite.pdf.font.string_table import MISSING, is_usable

__all__ = ["TrueTypeProgram", "is_sfnt", "read_truetype"]

_MAX_TABLES = 256
_MAX_SUBTABLES = 64
_MAX_READ = 6
"""Subtables that are not the same: a Macintosh one, a symbol one, and those of Unicode, of which two or three differ."""
_MAX_GROUPS = 65536
_MAX_VISITED = 1 << 18
_GLYPHS = 65536

Segment = tuple[int, int, "int | array[int]"]
"""First code, last code, and the GID of the first code (the others follow) or an array of the GIDs."""


@dataclass(slots=True)
class TrueTypeProgram:
    """What an sfnt says of its glyphs.

    `maps` by (platform, encoding), `names` by GID (empty where there are none), `cff` the CFF table.
    """

    glyphs: int = 0
    maps: dict[tuple[int, int], list[Segment]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    cff: bytes | None = None

    def glyph(self, key: tuple[int, int], code: int) -> int:
        """The GID of a code in one of the maps, 0 where it has none."""
        return self.page(key, code, 1)[0]

    def page(self, key: tuple[int, int], first: int, count: int = 256) -> list[int]:
        """The GIDs of so many codes in one of the maps, 0 where one has none; the map's first segment with a glyph counts."""
        glyphs = [0] * count
        for low, high, target in self.maps.get(key, ()):
            if low >= first + count or high < first:
                continue
            for code in range(max(low, first), min(high, first + count - 1) + 1):
                if not glyphs[code - first]:
                    glyphs[code - first] = (target + code - low if isinstance(target, int) else target[code - low]) & 0xFFFF
        return glyphs

    def unicode_by_glyph(self) -> array[int]:
        """GID → code point, U+FFFD where no Unicode map has the glyph.

        Of several code points the lowest counts, since compatibility characters come later than what they resemble, but a
        radical (U+2E80 to U+2FDF) only where there is no ideograph, and a shape of the first block of Arabic presentation
        forms only where there is none of the second.
        """
        column = array("i", [MISSING]) * min(max(self.glyphs, 1), _GLYPHS)
        done: list[list[Segment]] = []
        for key in sorted(self.maps, key=_preference, reverse=True):
            segments = self.maps[key]
            if (key[0] == 0 or key in ((3, 1), (3, 10))) and not any(segments is other for other in done):
                _map_backwards(segments, column)
                done.append(segments)
        return column


def _preference(key: tuple[int, int]) -> int:
    platform, encoding = key
    if platform == 3:
        return 4 if encoding == 10 else 3
    return 2 if encoding >= 4 else 1


def _map_backwards(segments: Iterable[Segment], column: array[int]) -> None:
    """Write the code points of a map's glyphs where the column has none yet."""
    found = array("i", [MISSING]) * len(column)
    visited = 0
    plain: list[Segment] = []
    poor: list[Segment] = []
    for segment in segments:
        (poor if 0x2E80 <= segment[0] <= 0x2FDF or 0xFB50 <= segment[0] <= 0xFDFF else plain).append(segment)
    plain.sort(key=lambda segment: segment[0], reverse=True)
    # Written from the highest code point down, so that the lowest is what stays.
    for first, last, target in (*poor, *plain):
        visited += last - first + 1
        if visited > _MAX_VISITED:
            break
        if isinstance(target, int):
            end = min(last - first + 1, len(found) - target)
            if end > 0 and target >= 0:
                found[target : target + end] = array("i", range(first, first + end))
            continue
        for code in range(last, first - 1, -1):
            glyph = target[code - first]
            if 0 < glyph < len(found):
                found[glyph] = code
    for glyph, point in enumerate(found):
        if glyph and point != MISSING and column[glyph] == MISSING and is_usable(point):
            column[glyph] = point


@cache
def _mac_order() -> tuple[str, ...]:
    """The 258 glyph names of the standard Macintosh order."""
    return tuple(tables().lines("mac/order"))


def is_sfnt(data: bytes) -> bool:
    return data[:4] in (b"\0\1\0\0", b"true", b"OTTO", b"ttcf", b"\0\2\0\0")


def read_truetype(data: bytes) -> TrueTypeProgram | None:
    """Read an sfnt; of a collection the first font. None where the bytes are none; damaged tables are left out."""
    if not is_sfnt(data):
        return None
    start = int.from_bytes(data[12:16], "big") if data[:4] == b"ttcf" else 0
    count = min(int.from_bytes(data[start + 4 : start + 6], "big"), _MAX_TABLES)
    found: dict[bytes, bytes] = {}
    for place in range(start + 12, start + 12 + 16 * count, 16):
        tag = data[place : place + 4]
        if tag in (b"cmap", b"post", b"maxp", b"CFF ") and tag not in found:
            offset = int.from_bytes(data[place + 8 : place + 12], "big")
            found[tag] = data[offset : offset + int.from_bytes(data[place + 12 : place + 16], "big")]
    program = TrueTypeProgram(cff=found.get(b"CFF "))
    maxp = found.get(b"maxp", b"")
    program.glyphs = int.from_bytes(maxp[4:6], "big") if len(maxp) >= 6 else _GLYPHS
    program.maps = _read_cmap(found.get(b"cmap", b""))
    program.names = _read_post(found.get(b"post", b""))
    return program


# --- cmap --------------------------------------------------------------------------------------------------------------


def _u16(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 2], "big")


def _u32(data: bytes, place: int) -> int:
    return int.from_bytes(data[place : place + 4], "big")


def _u16_column(data: bytes, place: int, count: int) -> array[int]:
    body = data[place : place + 2 * max(count, 0)]
    column = array("H", body[: len(body) & ~1])
    if sys.byteorder == "little":
        column.byteswap()
    return column


def _read_cmap(data: bytes) -> dict[tuple[int, int], list[Segment]]:
    maps: dict[tuple[int, int], list[Segment]] = {}
    read: dict[int, list[Segment]] = {}
    for number in range(min(_u16(data, 2), _MAX_SUBTABLES)):
        place = 4 + 8 * number
        offset = _u32(data, place + 4)
        if place + 8 > len(data) or offset + 6 > len(data):
            break
        key = (_u16(data, place), _u16(data, place + 2))
        reader = _FORMATS.get(_u16(data, offset))
        if reader is not None and key not in maps:
            if offset not in read:
                if len(read) >= _MAX_READ:
                    break
                read[offset] = reader(data, offset)
            maps[key] = read[offset]
    return maps


def _format_0(data: bytes, offset: int) -> list[Segment]:
    glyphs = array("H", list(data[offset + 6 : offset + 262]))
    return [(0, len(glyphs) - 1, glyphs)] if glyphs else []


def _format_4(data: bytes, offset: int) -> list[Segment]:
    count = min(_u16(data, offset + 6) // 2, (len(data) - offset - 16) // 8)
    if count <= 0:
        return []
    ends = _u16_column(data, offset + 14, count)
    starts = _u16_column(data, offset + 16 + 2 * count, count)
    steps = _u16_column(data, offset + 16 + 4 * count, count)
    places = offset + 16 + 6 * count
    segments: list[Segment] = []
    visited = 0
    for number, (start, end, step, jump) in enumerate(zip(starts, ends, steps, _u16_column(data, places, count), strict=False)):
        visited += end - start + 1
        if end < start or visited > _MAX_VISITED:
            continue
        if jump in (0, 0xFFFF):
            first = (start + step) & 0xFFFF
            wrap = 0x10000 - first
            if end - start + 1 > wrap:
                segments.append((start, start + wrap - 1, first))
                segments.append((start + wrap, end, 0))
            else:
                segments.append((start, end, first))
            continue
        glyphs = _u16_column(data, places + 2 * number + jump, end - start + 1)
        if glyphs:
            if step:
                glyphs = array("H", [(glyph + step) & 0xFFFF if glyph else 0 for glyph in glyphs])
            segments.append((start, start + len(glyphs) - 1, glyphs))
    return segments


def _format_6(data: bytes, offset: int) -> list[Segment]:
    first = _u16(data, offset + 6)
    glyphs = _u16_column(data, offset + 10, _u16(data, offset + 8))
    return [(first, first + len(glyphs) - 1, glyphs)] if glyphs else []


def _format_12(data: bytes, offset: int) -> list[Segment]:
    count = min(_u32(data, offset + 12), (len(data) - offset - 16) // 12, _MAX_GROUPS)
    segments: list[Segment] = []
    for place in range(offset + 16, offset + 16 + 12 * max(count, 0), 12):
        start, end, glyph = _u32(data, place), _u32(data, place + 4), _u32(data, place + 8)
        if start <= end < 0x110000 and glyph < _GLYPHS:
            segments.append((start, min(end, start + _GLYPHS - 1 - glyph), glyph))
    return segments


_FORMATS = {0: _format_0, 4: _format_4, 6: _format_6, 12: _format_12}


# --- post --------------------------------------------------------------------------------------------------------------


def _read_post(data: bytes) -> list[str]:
    """Glyph names by GID; empty where the table has none (format 3) or is of an odd format."""
    version = _u32(data, 0)
    if version == 0x00010000:
        return list(_mac_order())
    if version != 0x00020000:
        return []
    numbers = _u16_column(data, 34, _u16(data, 32))
    strings: list[str] = []
    place = 34 + 2 * len(numbers)
    while place < len(data) and len(strings) < _GLYPHS:
        size = data[place]
        strings.append(data[place + 1 : place + 1 + size].decode("latin-1"))
        place += 1 + size
    order = _mac_order()
    standard = len(order)
    return [
        order[number] if number < standard else strings[number - standard] if number - standard < len(strings) else ""
        for number in numbers
    ]
