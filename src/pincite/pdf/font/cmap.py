"""CMaps: code → CID, predefined or embedded (ISO 32000-2, 9.7.5), and the CIDs of Adobe's collections → Unicode."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

from pincite.pdf.font.packed import cmaps
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Stream, Value, as_number

__all__ = ["CMap", "Run", "collection", "parse_cmap", "predefined", "preload_collections", "read_cmap"]

_MAX_BYTES = 8 << 20
_MAX_RUNS = 1 << 17
_MAX_SPACES = 100
"""Codespace ranges; Adobe's own CMaps have up to five."""
_MAX_DEPTH = 8
_MAX_CID = 0xFFFF

_WHITE = b"\0\t\n\f\r "
_COMMENT = re.compile(rb"%[^\r\n]*")
_SPACE = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>")
_RANGE = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>\s*(\d{1,6})\b")
_CHARACTER = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*(\d{1,6})\b")
_USE = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+usecmap\b")
_MODE = re.compile(rb"/WMode\s+([01])\b")
_ORDERING = re.compile(rb"/Ordering\s*\(([^()]{0,64})\)")

Run = tuple[int, int, int, int]
"""Length of the codes in bytes (0: they are code points), first code, number of codes, CID of the first; the CIDs count up."""


@dataclass(slots=True)
class CMap:
    """Code → CID, as runs of codes whose CIDs count up.

    `coding` is "" where `spaces` (length in bytes, lowest code, highest code) tell the codes apart, else "utf8", "utf16" or
    "utf32": then codes are code points. `unicode_codes` says that codes are Unicode values, whichever coding.
    `identity` says that the code is the CID. A map that builds on another (`usecmap`) has it in `parent`.
    """

    name: str = ""
    vertical: bool = False
    ordering: str = ""
    coding: str = ""
    identity: bool = False
    is_predefined: bool = False
    unicode_codes: bool = False
    spaces: list[tuple[int, int, int]] = field(default_factory=list)
    parent: CMap | None = None
    # Runs in the order of their CIDs.
    lengths: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    cids: list[int] = field(default_factory=list)

    def runs(self, below: int = _MAX_CID + 1) -> Iterator[Run]:
        """The runs that hold a CID under `below`, the parent's first: what comes later counts."""
        if self.parent is not None:
            yield from self.parent.runs(below)
        for length, start, count, cid in zip(self.lengths, self.starts, self.counts, self.cids, strict=True):
            if cid >= below:
                break
            yield length, start, count, cid


@lru_cache(maxsize=32)
def predefined(name: str) -> CMap | None:
    """A CMap by its name (ISO 32000-2, table 116, and the others of Adobe's), or None."""
    if name in ("Identity-H", "Identity-V"):
        return CMap(name, vertical=name.endswith("V"), identity=True, is_predefined=True, spaces=[(2, 0, 0xFFFF)])
    member = f"cmap/{name}"
    pack = cmaps()
    if member not in pack:
        return None
    properties = pack.properties(member)
    parent = predefined(properties["parent"]) if "parent" in properties else None
    same = properties.get("same")
    deltas = pack.columns(f"cmap/{same}" if same else member)
    cmap = CMap(
        name,
        vertical=bool(properties.get("wmode")),
        ordering=properties.get("ordering", ""),
        coding=properties.get("coding", ""),
        is_predefined=True,
        unicode_codes=name.startswith("Uni"),
        spaces=[tuple(space) for space in properties.get("spaces", ())] or (parent.spaces if parent else []),
        parent=parent,
    )
    if deltas:
        cids, starts, counts, lengths = deltas
        cmap.cids = list(accumulate(cids))
        # Sums are kept modulo 2**32: four-byte codes are greater than a signed number.
        cmap.starts = [start & 0xFFFFFFFF for start in accumulate(starts)]
        cmap.counts, cmap.lengths = counts.tolist(), lengths.tolist()
    return cmap


@lru_cache(maxsize=8)
def _collection(ordering: str) -> tuple[array[int], list[str]] | None:
    member = f"collection/{ordering}"
    pack = cmaps()
    return (pack.columns(member)[0], pack.properties(member)["strings"]) if member in pack else None


def preload_collections() -> None:
    """Unpack the collections ahead."""
    for member in cmaps().names():
        kind, _, ordering = member.partition("/")
        if kind == "collection":
            _collection(ordering)


def collection(ordering: str, strings: StringTable) -> array[int] | None:
    """CID → Unicode value of a character collection of Adobe's ("Korea1", "Japan1", "GB1", "CNS1", "KR"). The caller's own."""
    loaded = _collection(ordering)
    if loaded is None:
        return None
    column, texts = loaded
    column = column[:]
    if texts:
        numbers = [strings.number(text) for text in texts]
        for cid, value in enumerate(column):
            if value < 0:
                column[cid] = numbers[-1 - value]
    return column


def read_cmap(file: File, value: Value, depth: int = 0) -> CMap | None:
    """The CMap that /Encoding or /UseCMap names or holds; None where it is neither known nor a stream."""
    value = file.resolve(value)
    if isinstance(value, str):
        return predefined(value)
    if not isinstance(value, Stream) or depth > _MAX_DEPTH:
        return None
    dictionary = value.dictionary
    cmap = parse_cmap(value.data())
    used = file.get(dictionary, "UseCMap")
    if used is not None:
        cmap.parent = read_cmap(file, used, depth + 1) or cmap.parent
    mode = as_number(file.get(dictionary, "WMode"))
    if mode is not None:
        cmap.vertical = mode == 1
    name = file.get(dictionary, "CMapName")
    cmap.name = name if isinstance(name, str) else ""
    if not cmap.spaces and cmap.parent is not None:
        cmap.spaces = cmap.parent.spaces
        cmap.coding = cmap.parent.coding
        cmap.unicode_codes = cmap.parent.unicode_codes
    if not cmap.cids and cmap.parent is None and not cmap.ordering and cmap.name.startswith("Identity"):
        cmap.identity = True
    if not cmap.cids and cmap.parent is not None and cmap.parent.identity:
        cmap.identity = True
    return cmap


def parse_cmap(data: bytes) -> CMap:
    """Read an embedded CMap.

    Any bytes are read: what is no entry is skipped, and no claim of a range costs more than its bytes.
    """
    data = data[:_MAX_BYTES]
    if b"%" in data:
        data = _COMMENT.sub(b"", data)
    cmap = CMap()
    runs: list[Run] = []
    for section in data.split(b"begin")[1:]:
        if section.startswith(b"codespacerange"):
            for low, high in _SPACE.findall(_body(section, b"endcodespace")):
                cmap.spaces.append(((len(low) + 1) // 2, int(low, 16), int(high, 16)))
        elif section.startswith(b"cidrange"):
            for low, high, cid in _RANGE.findall(_body(section, b"endcid")):
                first, number = int(low, 16), int(cid)
                count = min(int(high, 16) - first, _MAX_CID - number) + 1
                if count > 0:
                    runs.append(((len(low) + 1) // 2, first, count, number))
        elif section.startswith(b"cidchar"):
            for code, cid in _CHARACTER.findall(_body(section, b"endcid")):
                if int(cid) <= _MAX_CID:
                    runs.append(((len(code) + 1) // 2, int(code, 16), 1, int(cid)))
        if len(runs) > _MAX_RUNS:
            break
    del cmap.spaces[_MAX_SPACES:]
    lengths = sorted({length for length, _low, _high in cmap.spaces})
    for length, start, count, cid in sorted(runs[:_MAX_RUNS], key=lambda run: run[3]):
        if lengths and length not in lengths:
            # Written with another number of digits than the codespace has: the value decides.
            length = next((size for size in lengths if start < 1 << 8 * size), lengths[-1])
        cmap.lengths.append(length)
        cmap.starts.append(start)
        cmap.counts.append(count)
        cmap.cids.append(cid)
    if match := _USE.search(data):
        cmap.parent = predefined(match[1].decode("latin-1"))
    if match := _MODE.search(data):
        cmap.vertical = match[1] == b"1"
    if match := _ORDERING.search(data):
        cmap.ordering = match[1].decode("latin-1")
    return cmap


def _body(section: bytes, end: bytes) -> bytes:
    return section.partition(end)[0]
