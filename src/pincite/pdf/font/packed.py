"""The packed tables in `data/`, written by tools/make_font_data.py.

A file is the magic `PCFONT1\\n`, the length of the packed index (4 bytes, little-endian), the index (JSON, deflated), then
the members, each deflated for itself. The index gives of each member [offset behind the index, size, rows, properties].
A column of 32-bit integers stands in four planes: all lowest bytes, then all second bytes, and so on.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["PackedFile", "cmaps", "tables"]

_MAGIC = b"PCFONT1\n"
_HEAD = len(_MAGIC) + 4


class PackedFile:
    """One data file, held in memory; members are unpacked when they are asked for."""

    def __init__(self, data: bytes) -> None:
        """Raises ValueError where the bytes are not such a file."""
        if data[: len(_MAGIC)] != _MAGIC:
            raise ValueError("not a table of pincite's fonts; make it again with tools/make_font_data.py")
        size = int.from_bytes(data[len(_MAGIC) : _HEAD], "little")
        self._index: dict[str, tuple[int, int, int, dict[str, Any]]] = json.loads(zlib.decompress(data[_HEAD : _HEAD + size]))
        self._data = data
        self._start = _HEAD + size

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def names(self) -> list[str]:
        return list(self._index)

    def properties(self, name: str) -> dict[str, Any]:
        return self._index[name][3]

    def read(self, name: str) -> bytes:
        """The unpacked bytes of a member. Raises KeyError."""
        offset, size, _rows, _properties = self._index[name]
        offset += self._start
        return zlib.decompress(self._data[offset : offset + size])

    def lines(self, name: str) -> list[str]:
        """A member that is text."""
        return self.read(name).decode().split("\n")

    def columns(self, name: str) -> list[array[int]]:
        """The columns of a member, each an array("i") of as many rows as the index says."""
        data = self.read(name)
        rows = self._index[name][2]
        if not rows:
            return []
        return [unpack_column(data[start : start + 4 * rows]) for start in range(0, len(data), 4 * rows)]


def unpack_column(data: bytes) -> array[int]:
    """Four planes of bytes → 32-bit integers."""
    rows = len(data) // 4
    mixed = bytearray(len(data))
    for plane in range(4):
        mixed[plane::4] = data[plane * rows : (plane + 1) * rows]
    column = array("i")
    column.frombytes(mixed)
    if sys.byteorder == "big":
        column.byteswap()
    return column


def _load(name: str) -> PackedFile:
    return PackedFile(resources.files("pincite.pdf.font").joinpath("data", name).read_bytes())


@cache
def tables() -> PackedFile:
    """Glyph names, base encodings and the standard 14 fonts."""
    return _load("tables.bin")


@cache
def cmaps() -> PackedFile:
    """Predefined CMaps and what the CIDs of Adobe's character collections mean."""
    return _load("cmaps.bin")
