"""Composite fonts: codes through CMaps, what their CIDs mean, widths and heights; and Type 3 fonts."""

from __future__ import annotations

from array import array

import pytest

from pincite.pdf.font.font import Font, load_font
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.objects.values import Dictionary, Reference, Value
from support.memoryfile import MemoryFile, MemoryStream

STRINGS = StringTable()


def load(encoding: Value, descendant: Dictionary, objects: dict[int, Value] | None = None, **more: Value) -> Font:
    dictionary: Dictionary = {
        "Subtype": "Type0",
        "BaseFont": "ABCDEF+Test",
        "Encoding": encoding,
        "DescendantFonts": [descendant],
        **more,
    }
    return load_font(MemoryFile(objects), dictionary, STRINGS, 3)


def widths(font: Font) -> array[float]:
    column: array[float] = font.table.width_column()
    return column


def meaning(font: Font, code: int) -> str:
    return STRINGS.text(font.unicode_value(code))


def adobe(ordering: bytes) -> Dictionary:
    return {"Registry": b"Adobe", "Ordering": ordering, "Supplement": 0}


def to_unicode(*entries: str) -> MemoryStream:
    return MemoryStream(f"{len(entries)} beginbfchar {' '.join(entries)} endbfchar".encode())


def test_identity_with_to_unicode() -> None:
    font = load(
        "Identity-H", {"CIDSystemInfo": adobe(b"Identity")}, ToUnicode=to_unicode("<0003> <AC00>", "<0004> <006600690041>")
    )
    assert (meaning(font, 3), meaning(font, 4), meaning(font, 5)) == ("가", "fiA", "\ufffd")
    assert font.name == "Test"


def test_one_byte_digits_for_two_byte_codes() -> None:
    font = load("Identity-H", {}, ToUnicode=to_unicode("<41> <0061>"))
    assert meaning(font, 0x41) == "a"


def test_a_collection() -> None:
    font = load("Identity-H", {"CIDSystemInfo": adobe(b"Korea1")})
    assert (meaning(font, 1086), meaning(font, 34)) == ("가", "A")


def test_what_a_to_unicode_map_leaves_out_comes_from_the_collection_on_demand() -> None:
    font = load("Identity-H", {"CIDSystemInfo": adobe(b"Korea1")}, ToUnicode=to_unicode("<0022> <0058>"))
    assert (meaning(font, 34), meaning(font, 1086)) == ("X", "\ufffd")
    assert font.complete()
    assert (meaning(font, 34), meaning(font, 1086)) == ("X", "가")


def test_a_legacy_cmap() -> None:
    font = load("KSC-H", {"CIDSystemInfo": adobe(b"Korea1"), "W": [1086, [900]]})
    assert meaning(font, 0x3021) == "가"
    assert widths(font)[0x3021] == 0.9


def test_a_unicode_cmap_needs_no_collection() -> None:
    font = load("UniKS-UCS2-H", {"DW": 900, "W": [1, 95, 500]})
    assert meaning(font, 0xAC00) == "가"
    assert widths(font)[ord("A")] == 0.5


def test_the_ordering_of_the_cmap_stands_in() -> None:
    assert meaning(load("KSC-H", {}), 0x3021) == "가"


def test_an_embedded_cmap() -> None:
    cmap = MemoryStream(b"begincodespacerange <00> <FF> endcodespacerange begincidrange <41> <42> 1086 endcidrange")
    font = load(cmap, {"CIDSystemInfo": adobe(b"Korea1"), "W": [1087, [700]]})
    assert (meaning(font, 0x41), meaning(font, 0x42)) == ("가", "각")
    assert widths(font)[0x42] == 0.7


@pytest.mark.parametrize("encoding", ["No-Such-CMap-H", None, MemoryStream(ValueError("damaged")), 7])
def test_a_cmap_that_cannot_be_read_is_identity(encoding: Value) -> None:
    font = load(encoding, {"CIDSystemInfo": adobe(b"Korea1")})
    assert meaning(font, 1086) == "가"


def test_to_unicode_by_name() -> None:
    assert meaning(load("Identity-H", {}, ToUnicode="Identity-H"), 0xAC00) == "가"
    assert meaning(load("Identity-H", {}, ToUnicode="Adobe-Korea1-UCS2"), 1086) == "가"
    # what the collection says is better than the name of an identity
    assert meaning(load("Identity-H", {"CIDSystemInfo": adobe(b"Korea1")}, ToUnicode="Identity-H"), 1086) == "가"


def test_nothing_known_is_unmapped() -> None:
    font = load("Identity-H", {"CIDSystemInfo": adobe(b"Identity")})
    assert font.unicode_value(36) == MISSING


def test_glyphs_of_the_core_fonts_by_their_widths() -> None:
    arial: Dictionary = {"DW": 1000, "W": [3, [278], 36, [667, 667, 722], 68, [556], 76, [222]]}
    font = load("Identity-H", arial, BaseFont="ABCDEF+ArialMT")
    assert "".join(meaning(font, code) for code in (36, 37, 38, 3, 68, 76)) == "ABC ai"
    assert load("Identity-H", {"W": [3, [500], 36, [501, 502, 503, 504]]}, BaseFont="ArialMT").unicode_value(36) == MISSING
    assert load("Identity-H", arial, BaseFont="Calibri").unicode_value(36) == MISSING


# --- widths and heights ---------------------------------------------------------------------------------------------------


def test_widths() -> None:
    entries: list[Value] = [1, [500, 600], 5, 7, 250, Reference(4, 0), [Reference(5, 0), "junk"], 20, 30, 1000, "junk", 9, [1]]
    font = load("Identity-H", {"DW": 1000, "W": entries}, {4: 10, 5: 333})
    column = widths(font)
    assert [column[code] for code in (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11)] == [
        1,
        0.5,
        0.6,
        1,
        0.25,
        0.25,
        0.25,
        1,
        0.001,
        0.333,
        1,
    ]
    assert len(column) == 12  # a range of the default width adds nothing


@pytest.mark.parametrize(
    "entries",
    [
        [0, 65535, 500] * 10_000,
        [0, [500] * 70_000],
        [65535, [1, 2, 3]],
        [-5, [1]],
        [10**12, 10**13, 5],
        [5, 1, 500],
        [0, 10**15, 250],
    ],
)
def test_absurd_widths_are_bounded(entries: list[Value]) -> None:
    assert len(widths(load("Identity-H", {"W": entries}))) <= 65536


def test_vertical_writing() -> None:
    descendant: Dictionary = {"DW2": [800, -900], "W2": [5, [-500, 250, 700, -400, 250, 700], 10, 11, -300, 0, 0]}
    font = load("Identity-V", descendant)
    assert font.vertical_origin == 0.8
    assert load("Identity-V", {}).vertical_origin == 0.88


def test_descendant_fonts_that_are_no_array() -> None:
    dictionary: Dictionary = {
        "Subtype": "Type0",
        "Encoding": "Identity-H",
        "DescendantFonts": {"CIDSystemInfo": adobe(b"Korea1")},
    }
    assert meaning(load_font(MemoryFile(), dictionary, STRINGS, 0), 1086) == "가"
    dictionary["DescendantFonts"] = []
    load_font(MemoryFile(), dictionary, STRINGS, 0)


# --- Type 3 -----------------------------------------------------------------------------------------------------------------


def type3(**more: Value) -> Font:
    dictionary: Dictionary = {
        "Subtype": "Type3",
        "FontMatrix": [0.01, 0, 0, 0.01, 0, 0],
        "FontBBox": [0, -20, 60, 80],
        "FirstChar": 65,
        "Widths": [50, 60],
        "Encoding": {"Differences": [65, "A", "f_i"]},
    }
    return load_font(MemoryFile(), dictionary | more, STRINGS, 0)


def test_type3() -> None:
    font = type3()
    assert (meaning(font, 65), meaning(font, 66)) == ("A", "fi")
    assert list(widths(font)[65:]) == pytest.approx([0.5, 0.6])
    assert (font.ascent, font.descent) == pytest.approx((0.8, -0.2))


@pytest.mark.parametrize("matrix", [None, [], [0, 0, 0, 0, 0, 0], ["x"] * 6, [0.01, 0, 0, -0.01, 0, 0], [0, 0.01, 0.01, 0, 0, 0]])
def test_type3_with_an_odd_matrix(matrix: Value) -> None:
    font = type3(FontMatrix=matrix)
    assert font.ascent > 0 > font.descent


@pytest.mark.parametrize("box", [None, [0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 99999, 99999]])
def test_type3_whose_box_says_nothing(box: Value) -> None:
    font = type3(FontBBox=box)
    assert (font.ascent, font.descent) == (0.75, -0.25)
