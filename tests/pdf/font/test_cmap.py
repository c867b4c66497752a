"""CMaps: the packed ones against their sources, embedded ones as they are met with, codes cut out of strings."""

from __future__ import annotations

import importlib.util
from array import array
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.font.cmap import CMap, collection, parse_cmap, predefined, read_cmap
from pincite.pdf.font.code_rows import NO_ROW, CodeRows
from pincite.pdf.font.packed import PackedFile, cmaps, unpack_column
from pincite.pdf.font.string_table import MISSING, StringTable
from support.memoryfile import MemoryFile, MemoryStream

SOURCES = Path("/usr/share/poppler/cMap")
NAMES = [name.removeprefix("cmap/") for name in cmaps().names() if name.startswith("cmap/")]


def generator() -> ModuleType:
    path = Path(__file__).parents[3] / "tools" / "make_font_data.py"
    spec = importlib.util.spec_from_file_location("make_font_data", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mapping(cmap: CMap) -> dict[tuple[int, int], int]:
    """(length, code) → CID."""
    return {(length, start + step): cid + step for length, start, count, cid in cmap.runs() for step in range(count)}


def decode(cmap: CMap, data: bytes) -> list[tuple[int, int, int]]:
    decoder = CodeRows(cmap).decoder
    assert decoder is not None
    triples = decoder(data)
    return [(triples[place], triples[place + 1], triples[place + 2]) for place in range(0, len(triples), 3)]


@given(st.lists(st.integers(-(1 << 31), (1 << 31) - 1), max_size=50))
def test_columns_come_back(column: list[int]) -> None:
    assert list(unpack_column(generator().planes(column))) == column


def test_a_pack_comes_back(tmp_path: Path) -> None:
    tool = generator()
    pack = tool.Pack()
    pack.add("numbers", tool.planes([1, 2, 3]) + tool.planes([-1, 0, 1 << 30]), 3, colour="red")
    pack.add_text("words", ["alpha", "", "βήτα"])
    pack.write(tmp_path / "pack")
    packed = PackedFile((tmp_path / "pack").read_bytes())
    assert [list(column) for column in packed.columns("numbers")] == [[1, 2, 3], [-1, 0, 1 << 30]]
    assert packed.properties("numbers") == {"colour": "red"}
    assert packed.lines("words") == ["alpha", "", "βήτα"]
    assert "numbers" in packed
    assert "other" not in packed


def test_other_bytes_are_no_pack() -> None:
    with pytest.raises(ValueError, match="make_font_data"):
        PackedFile(b"%PDF-1.7")


@pytest.mark.skipif(not SOURCES.is_dir(), reason="Adobe's CMaps (Debian: poppler-data) are not installed")
@pytest.mark.parametrize(
    "name", ["KSCms-UHC-H", "UniKS-UTF8-V", "90ms-RKSJ-V", "GBK2K-H", "CNS-EUC-V", "UniJIS-UCS2-HW-H", "Hojo-EUC-H"]
)
def test_packed_cmaps_equal_their_sources(name: str) -> None:
    (path,) = SOURCES.glob(f"*/{name}")
    source = generator().read_cmap(path)
    cmap = predefined(name)
    assert cmap is not None
    expected = {}
    if source["parent"]:
        parent = predefined(source["parent"])
        assert parent is not None
        expected = mapping(parent)
    for length, low, high, cid in source["rows"]:
        expected.update({(length, low + step): cid + step for step in range(high - low + 1)})
    assert mapping(cmap) == expected
    assert cmap.vertical == (source["wmode"] == 1)
    assert len(cmap.spaces) == len(source["spaces"]) or source["parent"]


@pytest.mark.parametrize("name", NAMES)
def test_every_packed_cmap_loads(name: str) -> None:
    cmap = predefined(name)
    assert cmap is not None
    rows = CodeRows(cmap)
    assert cmap.vertical == name.endswith("V")
    assert rows.size < 300_000
    for length, start, count, _cid in cmap.runs():
        assert rows.row(length, start) < rows.size
        assert rows.row(length, start + count - 1) == rows.row(length, start) + count - 1


def test_a_name_that_is_not_known() -> None:
    assert predefined("No-Such-H") is None
    assert read_cmap(MemoryFile(), "No-Such-H") is None


@pytest.mark.parametrize(
    ("ordering", "name", "text"),
    [
        ("Korea1", "UniKS-UTF32-H", "A가힣一"),
        ("Japan1", "UniJIS-UTF32-H", "あ亜一"),
        ("GB1", "UniGB-UTF32-H", "A一龥"),
        ("CNS1", "UniCNS-UTF32-H", "A一龜"),
        ("KR", "UniAKR-UTF32-H", "A가힣"),
    ],
)
def test_collections_turn_the_unicode_cmaps_round(ordering: str, name: str, text: str) -> None:
    strings = StringTable()
    column = collection(ordering, strings)
    cmap = predefined(name)
    assert column is not None
    assert cmap is not None
    cids = mapping(cmap)
    assert "".join(strings.text(column[cids[0, ord(character)]]) for character in text) == text


def test_collection_entries_of_more_than_a_character() -> None:
    strings = StringTable()
    column = collection("Korea1", strings)
    assert column is not None
    assert strings.text(column[8297]) == "1\u20de"


def test_half_width_latin_is_ascii() -> None:
    column = collection("Japan1", StringTable())
    assert column is not None
    assert "".join(map(chr, column[231:240])) == " !\"#$%&'("


def test_no_such_collection() -> None:
    assert collection("Identity", StringTable()) is None


@pytest.mark.parametrize(
    ("name", "codec"),
    [("KSCms-UHC-H", "cp949"), ("KSC-EUC-H", "euc_kr"), ("90ms-RKSJ-H", "cp932"), ("GBK-EUC-H", "gbk"), ("ETen-B5-H", "cp950")],
)
def test_legacy_codes_agree_with_their_codecs(name: str, codec: str) -> None:
    """All but a few signs, where Adobe's tables know better what is drawn (a dash where the codec has a soft hyphen)."""
    cmap = predefined(name)
    assert cmap is not None
    strings = StringTable()
    rows = CodeRows(cmap)
    by_cid = collection(cmap.ordering, strings)
    assert by_cid is not None
    column = rows.spread(by_cid, MISSING)
    same = other = 0
    for length, code in mapping(cmap):
        try:
            text = code.to_bytes(length, "big").decode(codec)
        except UnicodeDecodeError:
            continue
        if strings.text(column[rows.row(length, code)]) == text:
            same += 1
        else:
            other += 1
    assert same > 7500
    assert other < 0.04 * same


# --- embedded -----------------------------------------------------------------------------------------------------------

EMBEDDED = b"""
/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo 3 dict dup begin /Registry (Adobe) def /Ordering (Korea1) def /Supplement 0 def end def
/WMode 1 def
2 begincodespacerange <00> <80> <8140> <FEFE> endcodespacerange % mixed widths
2 begincidrange
<20> <7e> 1
<B0A1> <B0FE> 1086
endcidrange
1 begincidchar <C8FE> 3435 endcidchar
endcmap"""


def test_an_embedded_cmap() -> None:
    cmap = parse_cmap(EMBEDDED)
    assert cmap.vertical
    assert cmap.ordering == "Korea1"
    assert cmap.spaces == [(1, 0, 0x80), (2, 0x8140, 0xFEFE)]
    codes = mapping(cmap)
    assert codes[1, 0x41] == 34
    assert codes[2, 0xB0A1] == 1086
    assert codes[2, 0xC8FE] == 3435


def test_usecmap_in_the_data_and_in_the_dictionary() -> None:
    own = b"/KSC-H usecmap 1 begincidchar <2121> 7 endcidchar"
    cmap = parse_cmap(own)
    assert cmap.parent is predefined("KSC-H")
    child = read_cmap(
        MemoryFile(), MemoryStream(b"1 begincidchar <2122> 8 endcidchar", {"UseCMap": MemoryStream(own), "WMode": 1})
    )
    assert child is not None
    assert child.vertical
    codes = mapping(child)
    assert (codes[2, 0x2121], codes[2, 0x2122]) == (7, 8)
    assert codes[2, 0x3021] == 1086
    assert child.spaces == [(2, 0x2121, 0x7E7E)]


def test_usecmap_in_a_circle_ends() -> None:
    stream = MemoryStream(b"1 begincidchar <01> 1 endcidchar")
    stream.dictionary["UseCMap"] = stream
    assert read_cmap(MemoryFile(), stream) is not None


def test_an_embedded_copy_of_identity() -> None:
    cmap = read_cmap(MemoryFile(), MemoryStream(b"/Identity-H usecmap"))
    assert cmap is not None
    assert cmap.identity


def test_codes_written_with_another_number_of_digits() -> None:
    cmap = parse_cmap(b"begincodespacerange <0000> <FFFF> endcodespacerange begincidrange <20> <7E> 1 endcidrange")
    assert mapping(cmap)[2, 0x41] == 34


@given(st.binary(max_size=300))
def test_any_bytes_are_a_cmap(data: bytes) -> None:
    for junk in (data, b"begincodespacerange" + data, b"begincidrange" + data, b"begincidchar" + data):
        cmap = parse_cmap(junk)
        rows = CodeRows(cmap)
        rows.spread(array("d", [0.5]) * 10, 1.0)
        if rows.decoder is not None:
            rows.decoder(data)


def test_claims_of_ranges_are_bounded() -> None:
    data = b"begincodespacerange <00> <FF> <000000> <FFFFFF> endcodespacerange begincidrange " + b"<000000> <FFFFFF> 0 " * 50_000
    rows = CodeRows(parse_cmap(data))
    assert rows.size < 250_000
    assert len(rows.spread(array("i", [65]) * 65536, MISSING)) <= rows.size


# --- codes --------------------------------------------------------------------------------------------------------------


def test_mixed_widths() -> None:
    cmap = parse_cmap(EMBEDDED)
    rows = CodeRows(cmap)
    assert rows.code_bytes == 0
    assert decode(cmap, b"A\xb0\xa1 ") == [(0x41, 0x41, 1), (0xB0A1, 0xB0A1 + 256, 2), (0x20, 0x20, 1)]
    column = rows.spread(array("i", range(8000)), -1)
    assert [column[row] for _code, row, _length in decode(cmap, b"A\xb0\xa1\xc8\xfe")] == [34, 1086, 3435]


def test_bytes_outside_the_codespace() -> None:
    cmap = parse_cmap(EMBEDDED)
    assert decode(cmap, b"\xffA") == [(0xFF, NO_ROW, 1), (0x41, 0x41, 1)]
    assert decode(cmap, b"\xb0") == [(0xB000, 0xB000 + 256, 2)]


def test_four_byte_codes() -> None:
    cmap = predefined("GBK2K-H")
    assert cmap is not None
    strings = StringTable()
    by_cid = collection("GB1", strings)
    assert by_cid is not None
    column = CodeRows(cmap).spread(by_cid, MISSING)
    triples = decode(cmap, "A一㐂".encode("gb18030"))
    assert [length for *_, length in triples] == [1, 2, 4]
    assert "".join(strings.text(column[row]) for _code, row, _length in triples) == "A一㐂"
    assert triples[2][0] < 0  # a signed number, as columns of glyphs hold it


@pytest.mark.parametrize(
    ("name", "codec"), [("UniKS-UTF8-H", "utf-8"), ("UniJIS-UTF16-H", "utf-16-be"), ("UniGB-UTF32-H", "utf-32-be")]
)
def test_unicode_codings(name: str, codec: str) -> None:
    cmap = predefined(name)
    assert cmap is not None
    rows = CodeRows(cmap)
    column = rows.code_points()
    text = "Aé가一"
    triples = decode(cmap, text.encode(codec))
    assert "".join(chr(column[row]) for _code, row, _length in triples) == text
    assert sum(length for *_, length in triples) == len(text.encode(codec))


def test_code_points_past_the_first_plane() -> None:
    cmap = predefined("UniJIS-UTF16-H")
    assert cmap is not None
    column = CodeRows(cmap).code_points()
    ((code, row, length),) = decode(cmap, "𠀋".encode("utf-16-be"))
    assert (code, length) == (0x2000B, 4)
    assert column[row] == 0x2000B


@given(
    st.sampled_from(["UniKS-UTF8-H", "UniJIS-UTF16-H", "UniGB-UTF32-H", "KSCms-UHC-H", "GBK2K-H", "CNS-EUC-H"]),
    st.binary(max_size=40),
)
def test_a_decoder_uses_up_any_string(name: str, data: bytes) -> None:
    cmap = predefined(name)
    assert cmap is not None
    triples = decode(cmap, data)
    used = sum(length for *_, length in triples)
    assert len(data) <= used < len(data) + 4
    assert all(row >= 0 for _code, row, _length in triples)


def test_rows_of_codes_known_by_value_only() -> None:
    rows = CodeRows(parse_cmap(EMBEDDED))
    assert rows.row_of_value(0x41) == 0x41
    assert rows.row_of_value(0xB0A1) == 0xB0A1 + 256
    assert rows.row_of_value(0x1FFFF) == NO_ROW
