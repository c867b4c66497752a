"""Simple fonts: what each code means, in the order of the steps, and how wide it is."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite._kernel.columns import JOINED
from pincite.pdf.font.font import Font, load_font
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.objects.values import Dictionary, Reference, Value
from support.memoryfile import MemoryFile, MemoryStream

STRINGS = StringTable()
TYPE1 = b"""%!PS-AdobeFont-1.0: X
/Encoding 256 array
0 1 255 {1 index exch /.notdef put} for
dup 1 /alpha put
dup 65 /B put
readonly def
currentfile eexec """


def load(dictionary: Dictionary, objects: dict[int, Value] | None = None) -> Font:
    return load_font(MemoryFile(objects), dictionary, STRINGS, 0)


def meaning(font: Font, code: int) -> str:
    value = font.unicode_value(code)
    return "" if value == JOINED else STRINGS.text(value)


def decode(font: Font, data: bytes) -> str:
    return "".join(meaning(font, code) for code in data)


def width(font: Font, code: int) -> float:
    column: array[float] = font.table.width_column()
    return column[code]


def to_unicode(*entries: str) -> MemoryStream:
    return MemoryStream(f"{len(entries)} beginbfchar {' '.join(entries)} endbfchar".encode())


def embedded(program: bytes, key: str = "FontFile") -> Dictionary:
    return {"Flags": 4, key: MemoryStream(program)}


# --- what codes mean ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "codes", "text"),
    [
        ("WinAnsiEncoding", b"A\x80\x93\xe9\xa0\xad\x95", "A€“é\xa0-•"),
        ("MacRomanEncoding", b"A\x8e\xde\xdf\xca\xd2", "Aéfifl\xa0“"),
        ("StandardEncoding", b"A'`\xae\xaf\xe1", "A’‘fiflÆ"),
        ("MacExpertEncoding", b"\x61\x57", "aﬁ".replace("ﬁ", "fi")),
        ("PDFDocEncoding", b"\xa0\x84", "€—"),
    ],
)
def test_base_encodings(encoding: str, codes: bytes, text: str) -> None:
    assert decode(load({"Subtype": "Type1", "BaseFont": "Unknown", "Encoding": encoding}), codes) == text
    assert decode(load({"Subtype": "Type1", "BaseFont": "Unknown", "Encoding": {"BaseEncoding": encoding}}), codes) == text


def test_differences() -> None:
    differences: list[Value] = [65, "alpha", "f_f_i", Reference(7, 0), "A.sc", "g36", 300, "B", 97.0, "T_h", None, "b", -3, "x"]
    font = load({"Subtype": "Type1", "Encoding": {"Differences": differences}}, {7: 100})
    assert decode(font, b"AB") == "αffi"
    assert decode(font, b"d") == "A"
    assert decode(font, b"ab") == "Thb"
    assert meaning(font, 101) == "\ufffd"


def test_to_unicode_comes_first_and_its_holes_fall_through() -> None:
    font = load(
        {
            "Subtype": "TrueType",
            "Encoding": "WinAnsiEncoding",
            "ToUnicode": to_unicode("<41> <03B1>", "<42> <0000>", "<43> <E000>", "<44> <FFFD>", "<45> <00660066>"),
        }
    )
    assert decode(font, b"ABCDEF") == "αBCDffF"


@pytest.mark.parametrize("broken", [MemoryStream(ValueError("no")), MemoryStream(b"\xff\x00"), "Identity-H", 7, None, []])
def test_a_to_unicode_that_is_none(broken: Value) -> None:
    assert decode(load({"Subtype": "TrueType", "Encoding": "WinAnsiEncoding", "ToUnicode": broken}), b"AB") == "AB"


def test_the_program_decodes_where_the_encoding_is_silent() -> None:
    font = load({"Subtype": "Type1", "FirstChar": 1, "Widths": [500] * 65, "FontDescriptor": embedded(TYPE1)})
    assert (meaning(font, 1), meaning(font, 65)) == ("α", "B")
    differences: Value = {"Differences": [65, "C"]}
    font = load(
        {"Subtype": "Type1", "FirstChar": 1, "Widths": [500] * 65, "FontDescriptor": embedded(TYPE1), "Encoding": differences}
    )
    assert (meaning(font, 1), meaning(font, 65)) == ("α", "C")


def test_a_named_encoding_counts_over_the_program() -> None:
    font = load({"Subtype": "Type1", "FontDescriptor": embedded(TYPE1), "Encoding": "WinAnsiEncoding"})
    assert decode(font, b"A") == "A"


@pytest.mark.parametrize("program", [b"", b"junk", b"\x01\x00", b"\0\1\0\0", b"OTTO" + bytes(50), b"%!PS"])
def test_a_program_that_cannot_be_read(program: bytes) -> None:
    font = load({"Subtype": "Type1", "FirstChar": 65, "Widths": [500], "FontDescriptor": embedded(program)})
    assert decode(font, b"A") == "A"  # the standard encodings are the last step


def test_a_program_behind_a_to_unicode_map_is_read_on_demand() -> None:
    dictionary: Dictionary = {
        "Subtype": "Type1",
        "FirstChar": 1,
        "Widths": [500] * 66,
        "FontDescriptor": embedded(TYPE1),
        "ToUnicode": to_unicode("<42> <0062>"),
    }
    font = load(dictionary)
    assert font.pending
    assert (meaning(font, 1), meaning(font, 66)) == ("\ufffd", "b")
    assert font.complete()
    assert (meaning(font, 1), meaning(font, 65), meaning(font, 66)) == ("α", "B", "b")
    assert not font.pending
    assert not font.complete()


def test_a_program_that_turns_out_broken() -> None:
    font = load(
        {
            "Subtype": "Type1",
            "FirstChar": 1,
            "Widths": [500] * 66,
            "FontDescriptor": {"FontFile": MemoryStream(ValueError("damaged"))},
            "ToUnicode": to_unicode("<42> <0062>"),
        }
    )
    font.complete()
    assert (meaning(font, 1), meaning(font, 66)) == ("\ufffd", "b")


def test_symbol_and_dingbats_have_their_own_encoding() -> None:
    assert decode(load({"Subtype": "Type1", "BaseFont": "Symbol", "Encoding": "WinAnsiEncoding"}), b"abD") == "αβΔ"
    assert decode(load({"Subtype": "Type1", "BaseFont": "ZapfDingbats"}), b"\x33\x6c") == "✓●"
    font = load({"Subtype": "Type1", "BaseFont": "ZapfDingbats", "Encoding": {"Differences": [65, "a20"]}})
    assert decode(font, b"A") == "✔"


def test_wingdings() -> None:
    assert (
        decode(load({"Subtype": "TrueType", "BaseFont": "ABCDEF+Wingdings-Regular", "Encoding": "WinAnsiEncoding"}), b"l\xfc")
        == "●✓"
    )


def test_control_codes_never_come_out() -> None:
    font = load({"Subtype": "Type1", "BaseFont": "Helvetica"})
    for code in range(256):
        text = meaning(font, code)
        assert not text or text.isprintable() or text == "\ufffd"
    # line ends that producers leave in strings have no width and are nothing; a space is one in any font
    assert decode(font, b"a\r\n\tb") == "ab"
    assert decode(load({"Subtype": "TrueType", "Encoding": {"Differences": [32, ".notdef"]}}), b" ") == " "


# --- names that makers are known for -------------------------------------------------------------------------------------


def spelled(*codes: int, letter: str = "a", digits: str = "d") -> Value:
    differences: list[Value] = []
    for code in codes:
        differences += [code, f"{letter}{code:{digits}}"]
    return {"Differences": differences}


def test_names_that_spell_their_codes_in_tex_fonts() -> None:
    t1 = load({"Subtype": "Type1", "Encoding": spelled(*b"abcde", 27, 28, 30, 228, 138, 21)})
    assert decode(t1, b"ab\x1b\x1c\x1e\xe4\x8a\x15") == "abfffiffiäŁ–"
    ot1 = load({"Subtype": "Type1", "Encoding": spelled(*b"abcde", 11, 12, 92, 123)})
    assert decode(ot1, b"a\x0b\x0c\x5c\x7b") == "afffi“–"
    mathematics = load({"Subtype": "Type1", "Encoding": spelled(0, 65, 33)})
    assert decode(mathematics, b"\x00A!") == "\ufffdA\ufffd"


def test_hexadecimal_spelling() -> None:
    font = load({"Subtype": "Type1", "Encoding": spelled(*b"abcjklo", letter="C", digits="02x")})
    assert decode(font, b"jakob"[:4]) == "jako"


def test_one_name_that_spells_another_code_and_none_counts() -> None:
    font = load({"Subtype": "Type1", "Encoding": {"Differences": [97, "a97", "a98", "a99", "a7"]}})
    assert decode(font, b"abcd") == "\ufffd" * 4


def test_publishers_symbol_fonts() -> None:
    differences: list[Value] = [2, "C2", "C24", "C21", "C14", 188, "onequarter", 254, "thorn"]
    font = load(
        {
            "Subtype": "Type1",
            "BaseFont": "ABCDEF+AdvP4C4E74",
            "Encoding": {"Differences": differences},
            "ToUnicode": to_unicode("<BC> <00BC>"),
        }
    )
    assert decode(font, b"\x02\x03\x04\x05\xbc\xfe") == "×∼≥°=+"
    text_font = load({"Subtype": "Type1", "BaseFont": "AdvTimes", "Encoding": {"Differences": [188, "onequarter"]}})
    assert decode(text_font, b"\xbc") == "¼"


# --- widths --------------------------------------------------------------------------------------------------------------


def test_widths() -> None:
    font = load(
        {
            "Subtype": "TrueType",
            "FirstChar": 65,
            "Widths": [500, Reference(4, 0), "junk", 1e300, -2],
            "FontDescriptor": {"MissingWidth": 250},
        },
        {4: 333.5},
    )
    assert [width(font, code) for code in range(65, 70)] == [0.5, 0.3335, 0.25, 0.25, -0.002]
    assert width(font, 64) == 0.25


@pytest.mark.parametrize(
    ("first", "last", "code"), [(None, 66, 65), (None, None, 0), (-5, None, 0), ("x", 66, 65), (70000, None, 0)]
)
def test_first_char_missing_or_absurd(first: Value, last: Value, code: int) -> None:
    dictionary: Dictionary = {"Subtype": "TrueType", "FirstChar": first, "LastChar": last, "Widths": [500, 600]}
    font = load({key: value for key, value in dictionary.items() if value is not None})
    assert (width(font, code), width(font, code + 1)) == (0.5, 0.6)


@pytest.mark.parametrize(
    ("name", "face_width"),
    [
        ("Helvetica", 0.667), ("ArialMT", 0.667), ("Arial,Bold", 0.722), ("Arial-BoldMT", 0.722), ("TimesNewRomanPSMT", 0.722),
        ("TimesNewRoman,BoldItalic", 0.667), ("CourierNew,Bold", 0.6), ("Times-Roman", 0.722), ("ABCDEF+Helvetica", 0.667),
        ("Arial Narrow", 0.54694), ("Helvetica-Narrow", 0.54694), ("NoSuchFont", 0.667), ("NoSuchMono", 0.6), ("", 0.667),
    ],
)  # fmt: skip
def test_fonts_without_widths(name: str, face_width: float) -> None:
    font = load({"Subtype": "Type1", "BaseFont": name, "Encoding": "WinAnsiEncoding"})
    assert width(font, ord("A")) == pytest.approx(face_width)


def test_widths_of_differences_in_a_font_without_widths() -> None:
    font = load({"Subtype": "Type1", "BaseFont": "Helvetica", "Encoding": {"Differences": [1, "W", "nosuchglyph"]}})
    assert (width(font, 1), width(font, 2)) == (0.944, 0.5)


# --- anything at all ------------------------------------------------------------------------------------------------------

KEYS = [
    "Subtype",
    "BaseFont",
    "Encoding",
    "Differences",
    "ToUnicode",
    "Widths",
    "FirstChar",
    "LastChar",
    "FontDescriptor",
    "FontFile",
    "FontFile2",
    "FontFile3",
    "DescendantFonts",
    "W",
    "DW",
    "W2",
    "DW2",
    "CIDSystemInfo",
    "Ordering",
    "CIDToGIDMap",
    "FontMatrix",
    "FontBBox",
    "BaseEncoding",
    "MissingWidth",
    "Ascent",
    "Descent",
    "Flags",
    "Name",
    "FontWeight",
    "UseCMap",
    "WMode",
]
WORDS = [
    "Type0",
    "Type1",
    "Type3",
    "TrueType",
    "Identity-H",
    "KSCms-UHC-H",
    "UniJIS-UTF16-V",
    "WinAnsiEncoding",
    "Symbol",
    "A",
    "g1",
    "Adobe",
]
streams = st.builds(MemoryStream, st.binary(max_size=60) | st.builds(ValueError))
references = st.builds(Reference, st.integers(0, 3), st.just(0))
numbers = st.booleans() | st.integers() | st.floats(allow_nan=False)
values = st.recursive(
    st.none() | numbers | st.sampled_from(WORDS) | st.text(max_size=9) | st.binary(max_size=60) | streams | references,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=8),
    max_leaves=30,
)


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=12), st.dictionaries(st.integers(0, 3), values, max_size=3))
def test_any_dictionary_is_a_font(dictionary: Dictionary, objects: dict[int, Value]) -> None:
    font = load(dictionary, objects)
    font.complete()
    assert 0.3 <= font.ascent <= 2.0
    assert -1.0 <= font.descent <= 0
    column: array[int] = font.table.unicode_column()
    for value in set(column):
        text = "" if value == JOINED else STRINGS.text(value)
        assert all(character == "\ufffd" or ord(character) >= 0x20 for character in text)
    assert all(abs(number) < 1e6 for number in set(font.table.width_column()))
    assert font.unicode_value(-1) == font.unicode_value(1 << 40) == MISSING


@given(st.text(st.sampled_from("ABCabcéñßœ“”–fi"), min_size=1), st.sampled_from(["WinAnsiEncoding", "MacRomanEncoding"]))
def test_text_comes_back(text: str, encoding: str) -> None:
    codec = {"WinAnsiEncoding": "cp1252", "MacRomanEncoding": "mac_roman"}[encoding]
    font = load({"Subtype": "TrueType", "Encoding": encoding})
    assert decode(font, text.encode(codec)) == text
