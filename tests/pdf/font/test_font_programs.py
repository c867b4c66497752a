"""Embedded font programs: against fontTools, which made them or reads them too, and as any bytes at all."""

from __future__ import annotations

import io
import random

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.font import embedded
from pincite.pdf.font.program.cff import read_cff
from pincite.pdf.font.program.truetype import read_truetype
from pincite.pdf.font.program.type1 import read_type1_encoding
from pincite.pdf.font.string_table import MISSING, StringTable

ORDER = [".notdef", "space", "A", "B", "uni4E00", "f_i", "u20000", "g7"]
UNICODE = {0x20: "space", 0xA0: "space", 0x41: "A", 0x42: "B", 0x2F00: "uni4E00", 0x4E00: "uni4E00", 0x20000: "u20000"}


def subtable(form: int, platform: int, encoding: int, codes: dict[int, str]) -> CmapSubtable:
    table = CmapSubtable.newSubtable(form)
    table.platformID, table.platEncID, table.language = platform, encoding, 0
    table.cmap = codes
    return table


def truetype(subtables: list[CmapSubtable] | None = None, *, names: bool = True) -> bytes:
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(ORDER)
    builder.setupCharacterMap(UNICODE)
    if subtables is not None:
        builder.font["cmap"].tables = subtables
    pen = TTGlyphPen(None)
    builder.setupGlyf(dict.fromkeys(ORDER, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(ORDER, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2()
    builder.setupPost(keepGlyphNames=names)
    file = io.BytesIO()
    builder.save(file)
    return file.getvalue()


def cff(*, wrapped: bool = False) -> bytes:
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(ORDER)
    builder.setupCharacterMap(UNICODE)
    pen = T2CharStringPen(500, None)
    builder.setupCFF("Test", {}, dict.fromkeys(ORDER, pen.getCharString()), {})
    builder.setupHorizontalMetrics(dict.fromkeys(ORDER, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2()
    builder.setupPost()
    file = io.BytesIO()
    builder.save(file)
    if wrapped:
        return file.getvalue()
    data: bytes = TTFont(file).getTableData("CFF ")
    return data


def texts(column: object, strings: StringTable) -> list[str]:
    return [strings.text(value) if value != MISSING else "" for value in column]  # type: ignore[attr-defined]


def test_truetype_maps_and_names() -> None:
    program = read_truetype(truetype())
    assert program is not None
    assert program.names == ORDER
    assert program.glyphs == len(ORDER)
    assert program.glyph((3, 1), 0x41) == 2
    assert program.glyph((3, 10), 0x20000) == 6
    assert program.glyph((3, 1), 0x43) == 0
    assert program.glyph((7, 7), 0x41) == 0


@pytest.mark.parametrize("form", [0, 4, 6, 12])
def test_cmap_formats(form: int) -> None:
    codes = {code: ORDER[1 + code % 6] for code in range(0x21, 0x7F)}
    program = read_truetype(truetype([subtable(form, 1, 0, codes)]))
    assert program is not None
    assert {code: ORDER[program.glyph((1, 0), code)] for code in codes} == codes


def test_of_several_code_points_the_plainest_counts() -> None:
    program = read_truetype(truetype())
    assert program is not None
    column = program.unicode_by_glyph()
    assert [column[1], column[2], column[4], column[6], column[7]] == [0x20, 0x41, 0x4E00, 0x20000, MISSING]


def test_cids_of_a_truetype_font() -> None:
    strings = StringTable()
    column = embedded.by_cid(truetype(), None, strings)
    assert texts(column, strings) == ["", " ", "A", "B", "一", "fi", "𠀀", ""]
    column = embedded.by_cid(truetype(), bytes([0, 0, 0, 3, 0, 2, 255, 255, 9]), strings)
    assert texts(column, strings) == ["", "B", "A", ""]


def test_cids_by_a_macintosh_map_alone() -> None:
    strings = StringTable()
    counted = truetype([subtable(0, 1, 0, {0x21 + glyph: name for glyph, name in enumerate(ORDER)})], names=False)
    assert set(texts(embedded.by_cid(counted, None, strings), strings)) == {""}
    real = truetype([subtable(0, 1, 0, {0x20: "space", 0x41: "A", 0x8E: "B"})], names=False)
    assert texts(embedded.by_cid(real, None, strings), strings)[:4] == ["", " ", "A", "é"]


def test_codes_of_a_symbolic_truetype_font() -> None:
    strings = StringTable()
    data = truetype([subtable(4, 3, 0, {0xF041: "B", 0xF042: "g7"}), subtable(12, 3, 10, UNICODE)])
    built_in = embedded.by_code(data, {}, strings, guess=True)
    assert built_in is not None
    assert texts(built_in.column, strings)[0x41:0x43] == ["B", "B"]  # the glyph's meaning, then the code's
    built_in = embedded.by_code(data, {}, strings, guess=False)
    assert built_in is not None
    assert texts(built_in.column, strings)[0x41:0x43] == ["B", ""]


def test_names_that_are_glyph_numbers() -> None:
    strings = StringTable()
    built_in = embedded.by_code(truetype(), {1: "g2", 2: "glyph00003", 3: "gid9999"}, strings, guess=True)
    assert built_in is not None
    assert texts(built_in.column, strings)[1:4] == ["A", "B", ""]


def test_a_map_that_counts_glyphs_means_nothing() -> None:
    strings = StringTable()
    data = truetype([subtable(0, 1, 0, {glyph: name for glyph, name in enumerate(ORDER) if glyph})], names=False)
    built_in = embedded.by_code(data, {}, strings, guess=True)
    assert built_in is not None
    assert set(texts(built_in.column, strings)) == {""}


def test_cff() -> None:
    program = read_cff(cff())
    assert program is not None
    assert program.names == ORDER
    assert program.cids is None
    assert program.encoding == {0x20: "space", 0x41: "A", 0x42: "B"}
    strings = StringTable()
    assert texts(embedded.by_cid(cff(), None, strings), strings) == ["", " ", "A", "B", "一", "fi", "𠀀", ""]
    assert texts(embedded.by_cid(cff(wrapped=True), None, strings), strings) == ["", " ", "A", "B", "一", "fi", "𠀀", ""]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%!PS\n/Encoding StandardEncoding def", "StandardEncoding"),
        (b"%!PS\n/Encoding 256 array dup 65 /alpha put dup 8#102/beta put def", {65: "alpha", 66: "beta"}),
        (b"%!PS\n/Encoding 256 array dup 16#43 /gamma put readonly def", {67: "gamma"}),
        (b"\x80\x01\x10\x00\x00\x00%!PS\n/Encoding 256 array\ndup 65/A put def", {65: "A"}),
        (b"%!PS /Encoding [/.notdef /A /B] def", {1: "A", 2: "B"}),
        (b"%!PS /Encoding 256 array dup 300 /A put dup 65 /.notdef put dup 9A /x put def", {}),
        (b"%!PS /Encoding 256 array def eexec dup 65 /A put", {}),
        (b"%!PS no encoding", None),
    ],
)  # fmt: skip
def test_type1(data: bytes, expected: object) -> None:
    assert read_type1_encoding(data) == expected


PROGRAMS = [
    truetype(),
    truetype([subtable(0, 1, 0, {65: "A"})]),
    cff(),
    cff(wrapped=True),
    b"%!PS\n/Encoding 256 array\ndup 65 /A put\n",
]


def read_all_ways(data: bytes) -> None:
    strings = StringTable()
    read_truetype(data)
    read_cff(data)
    read_type1_encoding(data)
    embedded.by_code(data, {1: "g2", 2: "g65535"}, strings, guess=True)
    embedded.by_cid(data, b"\0\1\0\2\xff", strings)
    embedded.by_cid(data, None, strings)


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\x01\0\4\1", b"\0\1\0\0\0\4", b"OTTO\0\2", b"ttcf", b"true", b"%!PS /Encoding "]),
)
def test_any_bytes_are_read(data: bytes, head: bytes) -> None:
    read_all_ways(head + data)


@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False), st.integers(1, 20))
def test_damaged_programs_are_read(program: bytes, chance: random.Random, faults: int) -> None:
    data = bytearray(program)
    for _ in range(faults):
        data[chance.randrange(len(data))] = chance.choice([0, 1, 2, 127, 128, 254, 255, chance.randrange(256)])
    if chance.random() < 0.3:
        del data[chance.randrange(len(data)) :]
    read_all_ways(bytes(data))
