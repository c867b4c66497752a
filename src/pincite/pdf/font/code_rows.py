"""From the bytes of a string to rows of a decoding table, for the codes of a CMap (ISO 32000-2, 9.7.6.3).

Where all codes have one byte or all have two, a row is the code. Else a decoder finds the codes, and rows are handed out
thus: codes of one byte have their value, codes of two bytes their value + 256, code points of the Unicode codings under
65536 their value, and the longer codes and the greater code points get the rows behind, run by run.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from pincite.pdf.font.cmap import CMap, predefined
from pincite.pdf.font.string_table import MISSING, usable_points

__all__ = ["NO_ROW", "CodeRows", "rows_of"]

NO_ROW = 1 << 30
"""A row past the end of every table: unmapped, and of the default width."""

_TWO_BYTES = 256
_MAX_EXTRA = 1 << 17
_MAX_APPLIED = 1 << 20
_MAX_KNOWN = 1 << 16

Number = TypeVar("Number", int, float)
Decoder = Callable[[bytes], "array[int]"]


def rows_of(cmap: CMap) -> CodeRows:
    """The rows of a CMap, made once for a predefined one."""
    return _predefined_rows(cmap.name) if cmap.is_predefined else CodeRows(cmap)


@lru_cache(maxsize=32)
def _predefined_rows(name: str) -> CodeRows:
    cmap = predefined(name)
    assert cmap is not None
    return CodeRows(cmap)


class CodeRows:
    """How the codes of one CMap are cut out of strings and numbered; `code_bytes` and `decoder` are what the kernel asks for."""

    def __init__(self, cmap: CMap) -> None:
        self.cmap = cmap
        self.decoder: Decoder | None = None
        self._extra_starts: list[int] = []
        self._extra_ends: list[int] = []
        self._extra_rows: list[int] = []
        self._lengths = sorted({length for length, _low, _high in cmap.spaces} or {2})
        if not cmap.coding and self._lengths in ([1], [2]):
            self.code_bytes = self._lengths[0]
            self.size = 256**self.code_bytes
            return
        self.code_bytes = 0
        self.size = 65536 if cmap.coding else 65536 + _TWO_BYTES
        self._number_long_codes()
        if cmap.coding:
            self.decoder = {"utf8": self._decode_utf8, "utf16": self._decode_utf16, "utf32": self._decode_utf32}[cmap.coding]
        else:
            self._by_first = _spaces_by_first_byte(cmap.spaces)
            self._shortest = self._lengths[0]
            self._known: dict[bytes, tuple[int, int, int]] = {}
            self.decoder = self._decode_mixed

    def _number_long_codes(self) -> None:
        coding = self.cmap.coding
        runs = sorted(
            {(start, start + count) for length, start, count, _cid in self.cmap.runs() if _is_long(coding, length, start)}
        )
        for start, end in runs:
            if self._extra_ends and start < self._extra_ends[-1]:
                start = self._extra_ends[-1]
            if end <= start or self.size + end - start > 65536 + _TWO_BYTES + _MAX_EXTRA:
                continue
            self._extra_starts.append(start)
            self._extra_ends.append(end)
            self._extra_rows.append(self.size)
            self.size += end - start

    def row(self, length: int, code: int) -> int:
        """The row of a code of `length` bytes; NO_ROW where the CMap has no such code."""
        if self.code_bytes:
            return code if code < self.size else NO_ROW
        if not _is_long(self.cmap.coding, length, code):
            return code if self.cmap.coding or length == 1 else code + _TWO_BYTES
        place = bisect_right(self._extra_starts, code) - 1
        if place < 0 or code >= self._extra_ends[place]:
            return NO_ROW
        return self._extra_rows[place] + code - self._extra_starts[place]

    def row_of_value(self, code: int) -> int:
        """The row of a code of which only the value is known, as in a ToUnicode map: the shortest code that has it."""
        if self.cmap.coding:
            return code if code < (0x80 if self.cmap.coding == "utf8" else 0x10000) else NO_ROW
        for length in self._lengths:
            if code < 1 << 8 * length and (length not in (1, 2) or self._in_space(length, code)):
                return self.row(length, code)
        return NO_ROW

    def _in_space(self, length: int, code: int) -> bool:
        if self.code_bytes:
            return True
        return any(size == length and low <= code <= high for size, low, high in self.cmap.spaces)

    def spread(self, by_cid: array[Number], default: Number) -> array[Number]:
        """A column by CID → the same column by row, up to the last row that has a value of its own."""
        if self.cmap.identity:
            return by_cid
        result = by_cid[:0]
        filler = array(by_cid.typecode, [default])
        limit = len(by_cid)
        budget = _MAX_APPLIED
        for length, start, count, cid in self.cmap.runs(limit):
            count = min(count, limit - cid)
            budget -= count + 1
            if budget <= 0:
                break
            row = self.row(length, start)
            if row == NO_ROW:
                continue
            count = min(count, self.size - row)
            if row > len(result):
                result.extend(filler * (row - len(result)))
            result[row : row + count] = by_cid[cid : cid + count]
        return result

    def code_points(self) -> array[int]:
        """The Unicode column of a CMap whose codes are Unicode values."""
        column = usable_points()[:]
        if self._extra_starts:
            for start, end in zip(self._extra_starts, self._extra_ends, strict=True):
                column.extend(range(start, end) if end <= 0x110000 else [MISSING] * (end - start))
        return column

    # --- decoders: bytes → (code, row, length) triples -----------------------------------------------------------------

    def _decode_utf16(self, data: bytes) -> array[int]:
        if len(data) & 1:
            data += b"\0"
        units = array("H", data)
        if sys.byteorder == "little":
            units.byteswap()
        if not any(0xD800 <= unit < 0xDC00 for unit in units):
            triples = array("i", [0, 0, 2]) * len(units)
            column = array("i", units)
            triples[0::3] = column
            triples[1::3] = column
            return triples
        triples = array("i")
        position = 0
        while position < len(units):
            unit = units[position]
            position += 1
            if 0xD800 <= unit < 0xDC00 and position < len(units) and 0xDC00 <= units[position] < 0xE000:
                point = 0x10000 + ((unit - 0xD800) << 10) + units[position] - 0xDC00
                position += 1
                triples.extend((point, self.row(0, point), 4))
            else:
                triples.extend((unit, unit, 2))
        return triples

    def _decode_utf8(self, data: bytes) -> array[int]:
        triples = array("i")
        position = 0
        while position < len(data):
            first = data[position]
            length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
            try:
                point = ord(data[position : position + length].decode("utf-8"))
                triples.extend((point, self.row(0, point), length))
            except (UnicodeDecodeError, TypeError):
                length = 1
                triples.extend((first, NO_ROW, 1))
            position += length
        return triples

    def _decode_utf32(self, data: bytes) -> array[int]:
        triples = array("i")
        for position in range(0, len(data), 4):
            point = int.from_bytes(data[position : position + 4].ljust(4, b"\0"), "big")
            triples.extend((point, self.row(0, point), 4) if point < 0x110000 else (MISSING, NO_ROW, 4))
        return triples

    def _decode_mixed(self, data: bytes) -> array[int]:
        triples = array("i")
        known = self._known
        by_first = self._by_first
        position = 0
        end = len(data)
        while position < end:
            candidates = by_first[data[position]]
            length = self._shortest if not candidates else candidates[0][0]
            if len(candidates) > 1:
                length = _matching_length(data, position, candidates)
            piece = data[position : position + length]
            triple = known.get(piece)
            if triple is None:
                code = int.from_bytes(piece.ljust(length, b"\0"), "big")
                row = self.row(length, code) if candidates else NO_ROW
                if len(known) >= _MAX_KNOWN:
                    known.clear()
                # Codes of four bytes wrap round: a column of glyphs holds signed numbers.
                triple = known[piece] = ((code + 0x80000000 & 0xFFFFFFFF) - 0x80000000, row, length)
            triples.extend(triple)
            position += length
        return triples


def _is_long(coding: str, length: int, code: int) -> bool:
    return code >= 0x10000 if coding else length > 2


def _spaces_by_first_byte(spaces: list[tuple[int, int, int]]) -> list[list[tuple[int, bytes, bytes]]]:
    """First byte → the codespace ranges that it can begin, shortest first; one is enough where all have one length."""
    table: list[list[tuple[int, bytes, bytes]]] = [[] for _ in range(256)]
    for length, low, high in sorted(spaces):
        if not 1 <= length <= 4:
            continue
        lowest, highest = low.to_bytes(4, "big")[4 - length :], high.to_bytes(4, "big")[4 - length :]
        for byte in range(lowest[0], highest[0] + 1):
            table[byte].append((length, lowest, highest))
    return [ranges[:1] if len({length for length, *_ in ranges}) == 1 else ranges for ranges in table]


def _matching_length(data: bytes, position: int, candidates: list[tuple[int, bytes, bytes]]) -> int:
    """The length of the range that the bytes lie in; of the one that most of them lie in where none holds them all."""
    best, most = candidates[0][0], -1
    for length, low, high in candidates:
        piece = data[position : position + length]
        inside = 0
        for byte, lowest, highest in zip(piece, low, high, strict=False):
            if not lowest <= byte <= highest:
                break
            inside += 1
        if inside == length:
            return length
        if inside > most:
            best, most = length, inside
    return best
