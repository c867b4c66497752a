"""ToUnicode CMaps, as they are met with (ISO 32000-2, 9.10.3).

Written for speed: this is most of what loading a font costs. Codes count by their value, whatever number of digits they
are written with, since producers write one-byte codes with four digits and the reverse. An entry without meaning (a
control character, private use, U+FFFD) is left out, so that the next step of decoding has its turn.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Sequence

from pincite._kernel.columns import EMPTY
from pincite.pdf.font.glyph_names import glyph_text
from pincite.pdf.font.string_table import LINE_BREAKS, MISSING, StringTable, is_usable, usable_points

__all__ = ["clean_text", "holes", "parse_to_unicode"]

_MAX_BYTES = 4 << 20
_MAX_EXPANDED = 1 << 18
_MAX_DIGITS = 512
"""Hexadecimal digits of one destination: 128 characters, more than any glyph stands for."""
_MAX_STRING_RANGE = 256
"""A range whose destination is a string ends with its byte: only the last byte of it counts up (9.10.3)."""

_PLAIN = b"<>0123456789ABCDEFabcdef"
_WHITE = b"\0\t\n\f\r "
_COMMENT = re.compile(rb"%[^\r\n]*")
_CHARACTER = re.compile(rb"<([0-9A-Fa-f]+)><([0-9A-Fa-f]*)>")
_CHARACTER_NAME = re.compile(rb"<([0-9A-Fa-f]+)>/([^<>\[\]/]+)")
_RANGE = re.compile(rb"<([0-9A-Fa-f]+)><([0-9A-Fa-f]+)>(?:<([0-9A-Fa-f]*)>|\[([^\]]*))")
_ARRAY_ITEM = re.compile(rb"<([0-9A-Fa-f]*)>|/([^<>\[\]/]+)")
_CID_RANGE = re.compile(rb"<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>\s*(\d{1,7})\b")
_SPACED = dict.fromkeys(map(ord, LINE_BREAKS), " ")

_HOLES = array("i", [MISSING]) * 65536


def holes(size: int) -> array[int]:
    """A column of unmapped codes."""
    if size <= 65536:
        return _HOLES[:size]
    return array("i", [MISSING]) * size


def parse_to_unicode(data: bytes, strings: StringTable, size: int, private: array[int] | None = None) -> array[int]:
    """Code → Unicode value, U+FFFD where the map says nothing; it reaches past the highest code mapped, at most to `size`.

    `private` says what U+F000 to U+F0FF mean in a symbol font. Any bytes are read; what is no entry is skipped. Time and
    memory are bounded whatever ranges are claimed.
    """
    data = data[:_MAX_BYTES]
    column = holes(min(size, 256))
    targets = _Targets(strings, private)
    budget = _MAX_EXPANDED
    sections = data.split(b"beginbf")
    for section in sections[1:]:
        kind = section[:5]
        end = section.find(b"endbf")
        if end < 0:
            end = section.find(b"endcmap")
        body = section[5:] if end < 0 else section[5:end]
        if b"%" in body:
            body = _COMMENT.sub(b"", body)
        body = body.translate(None, _WHITE)
        if kind[:4] == b"char":
            column, budget = _characters(body, column, targets, size, budget)
        elif kind == b"range":
            column, budget = _ranges(body, column, targets, size, budget)
        if budget <= 0:
            break
    if len(sections) == 1 and b"begincid" in data:
        column = _cid_ranges(data, column, size)
    return column


class _Targets:
    """Turns destinations into Unicode values."""

    __slots__ = ("_private", "_strings")

    def __init__(self, strings: StringTable, private: array[int] | None) -> None:
        self._strings = strings
        self._private = private

    def number(self, text: str) -> int:
        """The value of a destination, U+FFFD where it says nothing, EMPTY where it says that the glyph adds nothing: the
        rest of a cluster whose text another glyph has."""
        if not text:
            return EMPTY
        if self._private is not None and len(text) == 1 and 0xF000 <= ord(text) <= 0xF0FF:
            return self._private[ord(text) - 0xF000]
        text = clean_text(text)
        return self._strings.number(text) if text else MISSING

    def named(self, name: bytes) -> int:
        """The value of a glyph name, which may stand for a destination."""
        text = glyph_text(name.decode("latin-1"))
        return self._strings.number(text) if text else MISSING


def _plain_tokens(body: bytes, group: int) -> list[bytes] | None:
    """The strings of a section that is nothing but hexadecimal ones in groups of so many, else None.

    Nearly every section is, and splitting it takes a third of the time that the patterns do.
    """
    if body.translate(None, _PLAIN) or not body.startswith(b"<") or not body.endswith(b">"):
        return None
    tokens = body[1:-1].split(b"><")
    if len(tokens) % group or body.count(b"<") != len(tokens) or b"" in tokens:
        return None
    return tokens


def _numbers(tokens: list[bytes]) -> Sequence[int]:
    """The values of hexadecimal tokens; at once where they all have two or four digits."""
    lengths = set(map(len, tokens))
    if lengths == {4}:
        column = array("H", bytes.fromhex(b"".join(tokens).decode("ascii")))
        if sys.byteorder == "little":
            column.byteswap()
        return column
    if lengths == {2}:
        return bytes.fromhex(b"".join(tokens).decode("ascii"))
    return [int(token, 16) for token in tokens]


def _characters(body: bytes, column: array[int], known: _Targets, size: int, budget: int) -> tuple[array[int], int]:
    tokens = _plain_tokens(body, 2)
    if tokens is None:
        pairs = _CHARACTER.findall(body)
        sources, targets = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    else:
        sources, targets = tokens[::2], tokens[1::2]
    codes = _numbers(sources)
    highest = max(codes, default=-1)
    if highest >= size:
        highest = max((code for code in codes if code < size), default=-1)
    column = _grown(column, highest + 1, size)
    for code, target in zip(codes, targets, strict=True):
        if code >= size:
            continue
        if len(target) == 4:
            value = int(target, 16)
            if 0x20 <= value < 0x7F or 0xA0 <= value < 0x2028 or 0x202A <= value < 0xD800:
                column[code] = value
                continue
        column[code] = known.number(_decode(target))
    if b"/" in body:
        for source, name in _CHARACTER_NAME.findall(body):
            code = int(source, 16)
            if code < size:
                column = _grown(column, code + 1, size)
                column[code] = known.named(name)
    return column, budget - len(codes)


def _ranges(body: bytes, column: array[int], known: _Targets, size: int, budget: int) -> tuple[array[int], int]:
    tokens = _plain_tokens(body, 3)
    if tokens is None:
        rows = _RANGE.findall(body)
        lows, highs, targets = [row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows]
        arrays = [row[3] for row in rows]
    else:
        lows, highs, targets = tokens[::3], tokens[1::3], tokens[2::3]
        arrays = [b""] * len(targets)
    length = len(column)
    for first, last, target, items in zip(_numbers(lows), _numbers(highs), targets, arrays, strict=True):
        if first >= size:
            continue
        if last >= size:
            last = size - 1
        end = last + 1 if last > first else first + 1
        budget -= end - first
        if budget <= 0:
            break
        if end > length:
            column = _grown(column, end, size)
            length = len(column)
        if len(target) == 4:
            point = int(target, 16)
            past = point + end - first
            if (point >= 0xA0 and past <= 0x2028) or (point >= 0x20 and past <= 0x7F) or (point >= 0x202A and past <= 0xD800):
                column[first] = point
                if last > first:
                    column[first:end] = array("i", range(point, past))
                continue
        values = _array_values(items, end - first, known) if items else _range_values(target, end - first, known)
        column[first : first + len(values)] = array("i", values)
    return column, budget


def _grown(column: array[int], needed: int, size: int) -> array[int]:
    """The column with room for `needed` codes, with some to spare so that it does not grow code by code."""
    if needed > len(column):
        column.extend(holes(min(size, max(needed, len(column) + len(column) // 2)) - len(column)))
    return column


def _array_values(items: bytes, count: int, known: _Targets) -> list[int]:
    values = [known.named(name) if name else known.number(_decode(target)) for target, name in _ARRAY_ITEM.findall(items)[:count]]
    return values or [MISSING]


def _range_values(target: bytes, count: int, known: _Targets) -> Sequence[int]:
    text = _decode(target)
    if not text:
        return [MISSING]
    first = ord(text[-1])
    # The whole number counts up, past 255 too: Adobe's own maps do so.
    count = min(count, 0x110000 - first)
    if len(text) > 1:
        return [known.number(text[:-1] + chr(first + step)) for step in range(min(count, _MAX_STRING_RANGE))]
    if count == 1 or first + count > 0x10000:
        return [known.number(chr(first + step)) for step in range(count)]
    values = usable_points()[first : first + count]
    for point in range(max(first, 0xF000), min(first + count, 0xF100)):
        values[point - first] = known.number(chr(point))
    return values


def _decode(target: bytes) -> str:
    """UTF-16BE in hexadecimal; four digits and less are one number, and so is UTF-32, which as UTF-16 would mean nothing."""
    digits = len(target)
    if digits <= 4:
        return chr(int(target, 16)) if target else ""
    target = target[:_MAX_DIGITS]
    if digits & 1:
        target += b"0"
    text = bytes.fromhex(target.decode("ascii")).decode("utf-16-be", "ignore")
    if digits <= 8 and (digits & 3 or not clean_text(text)):
        point = int(target[:digits], 16)
        if 0x10000 <= point < 0x110000 and is_usable(point):
            return chr(point)
    return text


def clean_text(text: str) -> str:
    """The text without characters that mean nothing; one space where it is all blank, unless it is a single blank already."""
    text = text.translate(_SPACED)
    if len(text) == 1:
        return text if is_usable(ord(text)) and text != "\ufeff" else ""
    text = "".join(character for character in text if is_usable(ord(character)) and character != "\ufeff")
    return " " if len(text) > 1 and text.isspace() else text


def _cid_ranges(data: bytes, column: array[int], size: int) -> array[int]:
    """A map of CIDs in the place of a ToUnicode map: producers mean the code point by the CID."""
    budget = _MAX_EXPANDED
    for low, high, cid in _CID_RANGE.findall(data):
        first, point = int(low, 16), int(cid)
        count = min(int(high, 16) - first + 1, size - first, 0x110000 - point)
        budget -= max(count, 1)
        if budget <= 0:
            break
        if count > 0:
            column = _grown(column, first + count, size)
            for step in range(count):
                if is_usable(point + step):
                    column[first + step] = point + step
    return column
