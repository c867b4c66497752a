"""ToUnicode maps as they are met with."""

from __future__ import annotations

import time
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.font.string_table import MISSING, StringTable, is_usable
from pincite.pdf.font.to_unicode import parse_to_unicode

USABLE = st.characters(
    codec="utf-16-be", exclude_categories=["Cc", "Cs", "Co", "Cn"], exclude_characters="\u2028\u2029\ufeff\ufffd"
)


def texts(data: bytes, size: int = 65536, private: array[int] | None = None) -> dict[int, str]:
    strings = StringTable()
    column = parse_to_unicode(data, strings, size, private)
    return {code: strings.text(value) for code, value in enumerate(column) if value != MISSING}


def characters(*entries: str) -> bytes:
    return f"{len(entries)} beginbfchar\n{chr(10).join(entries)}\nendbfchar".encode()


def ranges(*entries: str) -> bytes:
    return f"{len(entries)} beginbfrange\n{chr(10).join(entries)}\nendbfrange".encode()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (characters("<41> <0042>", "<0042> <0043>"), {0x41: "B", 0x42: "C"}),
        (characters("<01> <006600660069>"), {1: "ffi"}),
        (characters("<01> <FB03>"), {1: "ﬃ"}),
        (characters("<01> <D83DDE00>"), {1: "😀"}),
        (characters("<01> <0001F600>"), {1: "😀"}),
        (characters("<01> <1F600>"), {1: "😀"}),
        (characters("<01> <41>"), {1: "A"}),
        (characters("<0 1> <00 41>"), {1: "A"}),
        (characters("<01><0041><02><0042>"), {1: "A", 2: "B"}),
        (characters("<01> /eacute"), {1: "é"}),
        (characters("<01> <00000041>"), {1: "A"}),
        (characters("<01> <FEFF0041>"), {1: "A"}),
        (characters("% a comment <02> <0043>", "<01> <0041>"), {1: "A"}),
        (ranges("<01> <03> <0041>"), {1: "A", 2: "B", 3: "C"}),
        (ranges("<01> <03> [<0058> <0059> /fi]"), {1: "X", 2: "Y", 3: "fi"}),
        (ranges("<01> <05> [<0058>]"), {1: "X"}),
        (ranges("<01> <02> <00660069>"), {1: "fi", 2: "fj"}),
        (ranges("<03> <01> <0041>"), {3: "A"}),
        (ranges("<00FE> <0101> <00FE>"), {0xFE: "þ", 0xFF: "ÿ", 0x100: "Ā", 0x101: "ā"}),
        (ranges("<01> <02> <D83DDE00>"), {1: "😀", 2: "😁"}),
        (ranges("<1E> <21> <001E>"), {0x20: " ", 0x21: "!"}),
    ],
)
def test_entries(data: bytes, expected: dict[int, str]) -> None:
    assert texts(data) == expected


@pytest.mark.parametrize("target", ["0000", "FFFD", "FFFF", "E000", "F8FF", "D800", "0007", "007F", "009F", "FEFF", "00070008"])
def test_an_entry_that_means_nothing_is_left_out(target: str) -> None:
    assert texts(characters(f"<01> <{target}>")) == {}
    assert texts(ranges(f"<01> <01> <{target}>")) == {}


def test_an_empty_entry_adds_nothing() -> None:
    """The rest of a cluster, whose text another glyph has: to guess at it would say it twice."""
    assert texts(characters("<01> <> <02> <0041>")) == {1: "", 2: "A"}


@pytest.mark.parametrize("target", ["00200020", "0009", "000A", "000D000A", "2028", "00A000A0", "0020000D"])
def test_all_blank_is_one_space(target: str) -> None:
    assert texts(characters(f"<01> <{target}>")) == {1: " "}


def test_a_blank_of_its_own_kind_is_kept() -> None:
    assert texts(characters("<01> <00A0>", "<02> <3000>", "<03> <2009>")) == {1: "\xa0", 2: "\u3000", 3: "\u2009"}


def test_private_use_of_a_symbol_font() -> None:
    private = array("i", [MISSING]) * 256
    private[0xB7] = 0x2022
    assert texts(characters("<01> <F0B7>", "<02> <F0B8>"), private=private) == {1: "•"}
    assert texts(ranges("<01> <03> <F0B6>"), private=private) == {2: "•"}


def test_a_missing_end_does_no_harm() -> None:
    assert texts(b"1 beginbfchar <01> <0041> 1 beginbfrange <02> <03> <0042> endcmap <09> <0043>") == {1: "A", 2: "B", 3: "C"}


def test_codes_past_the_size_are_left_out() -> None:
    assert texts(characters("<FFFF> <0041>", "<41> <0042>"), size=256) == {0x41: "B"}
    assert max(texts(ranges("<0000> <FFFF> <0000>"), size=256)) == 255


def test_later_entries_count() -> None:
    assert texts(ranges("<01> <09> <0041>") + characters("<02> <0058>")) | {} == {
        code: "X" if code == 2 else chr(0x40 + code) for code in range(1, 10)
    }


def test_a_map_of_cids_in_its_place() -> None:
    assert texts(b"1 begincidrange <0041> <0043> 65 endcidrange") == {0x41: "A", 0x42: "B", 0x43: "C"}


def test_the_column_is_no_longer_than_it_must_be() -> None:
    assert len(parse_to_unicode(characters("<01> <0041>"), StringTable(), 65536)) == 256
    assert len(parse_to_unicode(ranges("<3000> <3001> <0041>"), StringTable(), 65536)) < 0x3100


@pytest.mark.parametrize(
    "data",
    [
        ranges(*["<000000> <FFFFFF> <4E00>"] * 2000),
        ranges(*["<0000> <FFFF> <4E00>"] * 2000),
        ranges(*["<0000> <FFFF> <00410042>"] * 2000),
        b"beginbfrange <00> <FF> [" + b"<0041>" * 100_000,
        characters(*[f"<{code:04X}> <{'0041' * 200}>" for code in range(2000)]),
        b"beginbfchar" * 100_000,
        b"<" * 1_000_000,
    ],
)
def test_bounded(data: bytes) -> None:
    start = time.process_time()
    strings = StringTable()
    column = parse_to_unicode(data, strings, 65536)
    assert len(column) <= 65536
    assert len(strings.strings) < 300_000
    assert max(map(len, strings.strings)) <= 128
    assert time.process_time() - start < 5  # a loose line: what is unbounded takes minutes


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    for junk in (data, b"beginbfchar" + data, b"beginbfrange" + data, b"begincidrange" + data):
        for text in texts(junk).values():
            assert text
            assert all(is_usable(ord(character)) for character in text)


@given(st.text("<>[]/0123456789ABCDEFabcdef \n%", max_size=200))
def test_anything_like_a_map_is_read(body: str) -> None:
    for kind in ("char", "range"):
        for text in texts(f"beginbf{kind} {body} endbf{kind}".encode()).values():
            assert all(is_usable(ord(character)) for character in text)


@given(st.dictionaries(st.integers(0, 0xFFFF), st.text(USABLE, min_size=1, max_size=4).filter(lambda text: not text.isspace())))
def test_what_is_written_comes_back(entries: dict[int, str]) -> None:
    data = characters(*[f"<{code:04X}> <{text.encode('utf-16-be').hex()}>" for code, text in entries.items()])
    assert texts(data) == entries
    data = ranges(*[f"<{code:x}> <{code:x}> [<{text.encode('utf-16-be').hex()}>]" for code, text in entries.items()])
    assert texts(data) == entries
