"""The columns of glyphs(), against a slow reference that follows ISO 32000-2, 9.4.4 with plain matrices."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pincite
from support.pdfsyntax import number, string
from support.pdfwriter import PdfWriter
from support.sheet import Sheet, read

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


def multiply(m: Matrix, n: Matrix) -> Matrix:
    """m × n: m is applied first."""
    return (
        m[0] * n[0] + m[1] * n[2],
        m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2],
        m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4],
        m[4] * n[1] + m[5] * n[3] + n[5],
    )


def apply(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])


class Font(NamedTuple):
    """What the reference knows of a font: displacements by code, in thousandths."""

    widths: dict[int, float]
    default: float
    code_bytes: int
    vertical: bool = False


WIDTHS = {code: (37 * code) % 900 + 50.5 for code in range(32, 127)}
FONTS = {
    "F1": Font(WIDTHS, 0, 1),
    "F2": Font({code: 10.25 * code for code in range(1, 60)}, 730, 2),
    "F3": Font({}, -900, 2, vertical=True),
}


def add_fonts(writer: PdfWriter) -> None:
    writer.add_font(widths=WIDTHS)
    writer.add_composite_font(to_unicode=False, widths=FONTS["F2"].widths, default_width=730)
    writer.add_composite_font(encoding="/Identity-V", to_unicode=False, default_width=800, descendant={"DW2": [880, -900]})


@dataclass
class State:
    ctm: Matrix = IDENTITY
    font: str = ""
    size: float = 0
    char_spacing: float = 0
    word_spacing: float = 0
    scaling: float = 1
    leading: float = 0
    rise: float = 0


@dataclass
class Glyph:
    code: int
    x: float
    y: float
    own_end: tuple[float, float]
    advance_end: tuple[float, float]
    em: float
    size: float
    string: int


Operand = float | str | bytes | list["float | bytes"]
Operation = tuple[str, tuple[Operand, ...]]


@dataclass
class Reference:
    """Runs operations one by one and notes where each glyph stands."""

    state: State = field(default_factory=State)
    stack: list[State] = field(default_factory=list)
    tm: Matrix = IDENTITY
    tlm: Matrix = IDENTITY
    glyphs: list[Glyph] = field(default_factory=list)

    def run(self, operator: str, operands: Sequence[Operand]) -> None:
        s = self.state
        match operator, *operands:
            case ["Tf", font, size]:
                s.font, s.size = font[1:], size
            case ["Tc", value]:
                s.char_spacing = value
            case ["Tw", value]:
                s.word_spacing = value
            case ["Tz", value]:
                s.scaling = value / 100
            case ["TL", value]:
                s.leading = value
            case ["Ts", value]:
                s.rise = value
            case ["cm", *numbers]:
                s.ctm = multiply(tuple(numbers), s.ctm)
            case ["q"]:
                self.stack.append(State(**vars(s)))
            case ["Q"]:
                if self.stack:
                    self.state = self.stack.pop()
            case ["BT"]:
                self.tm = self.tlm = IDENTITY
            case ["Tm", *numbers]:
                self.tm = self.tlm = tuple(numbers)
            case ["Td", x, y]:
                self.move(x, y)
            case ["TD", x, y]:
                s.leading = -y
                self.move(x, y)
            case ["T*"]:
                self.move(0, -s.leading)
            case ["Tj", text]:
                self.show([text])
            case ["TJ", pieces]:
                self.show(pieces)
            case ["'", text]:
                self.move(0, -s.leading)
                self.show([text])
            case ['"', word_spacing, char_spacing, text]:
                s.word_spacing, s.char_spacing = word_spacing, char_spacing
                self.move(0, -s.leading)
                self.show([text])

    def move(self, x: float, y: float) -> None:
        self.tm = self.tlm = multiply((1, 0, 0, 1, x, y), self.tlm)

    def show(self, pieces: Sequence[float | bytes]) -> None:
        s = self.state
        if not s.font:
            return
        font = FONTS[s.font]
        strings = 0
        for piece in pieces:
            if not isinstance(piece, bytes):
                self.advance(font, -piece / 1000 * s.size * (1 if font.vertical else s.scaling))
                continue
            for at in range(0, len(piece), font.code_bytes):
                self.show_code(font, piece[at : at + font.code_bytes], strings)
            strings += 1

    def show_code(self, font: Font, data: bytes, strings: int) -> None:
        s = self.state
        code = int.from_bytes(data.ljust(font.code_bytes, b"\0"), "big")
        displacement = font.widths.get(code, font.default) / 1000
        spacing = s.char_spacing + (s.word_spacing if code == 32 and font.code_bytes == 1 else 0)
        total = (displacement * s.size + spacing) * (1 if font.vertical else s.scaling)
        rendering = multiply(multiply((s.size * s.scaling, 0, 0, s.size, 0, s.rise), self.tm), s.ctm)
        outer = multiply(self.tm, s.ctm)
        own, end = ((0, displacement), (0, total)) if font.vertical else ((displacement, 0), (total, 0))
        self.glyphs.append(
            Glyph(
                code,
                *apply(rendering, 0, 0),
                apply(rendering, *own),
                apply(outer, end[0], end[1] + s.rise),
                math.hypot(rendering[2], rendering[3]),
                s.size,
                strings,
            )
        )
        self.advance(font, total)

    def advance(self, font: Font, length: float) -> None:
        step: Matrix = (1, 0, 0, 1, 0, length) if font.vertical else (1, 0, 0, 1, length, 0)
        self.tm = multiply(step, self.tm)


def written(operation: Operation) -> bytes:
    operator, operands = operation
    parts = []
    for operand in operands:
        if isinstance(operand, list):
            parts.append(b"[" + b" ".join(string(p) if isinstance(p, bytes) else number(p).encode() for p in operand) + b"]")
        elif isinstance(operand, bytes):
            parts.append(string(operand))
        else:
            parts.append(operand.encode() if isinstance(operand, str) else number(operand).encode())
    return b" ".join([*parts, operator.encode()]) + b"\n"


def decimals(low: float, high: float, places: int = 2) -> st.SearchStrategy[float]:
    scale = 10**places
    return st.integers(round(low * scale), round(high * scale)).map(lambda value: value / scale)


def operation(operator: str, *operands: st.SearchStrategy[Operand]) -> st.SearchStrategy[Operation]:
    return st.tuples(st.just(operator), st.tuples(*operands))


SMALL = decimals(-8, 8)
PLACE = decimals(-200, 200)
SCALE = decimals(-3, 3)
TEXT = st.binary(min_size=1, max_size=6) | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=6).map(str.encode)
MATRIX = (SCALE, SCALE, SCALE, SCALE, PLACE, PLACE)
OPERATIONS = st.one_of(
    operation("Tf", st.sampled_from(["/F1", "/F2", "/F3"]), decimals(-40, 40)),
    operation("Tc", SMALL),
    operation("Tw", SMALL),
    operation("Tz", decimals(-150, 250)),
    operation("TL", decimals(-20, 20)),
    operation("Ts", SMALL),
    operation("cm", *MATRIX),
    operation("q"),
    operation("Q"),
    operation("BT"),
    operation("ET"),
    operation("Tm", *MATRIX),
    operation("Td", PLACE, PLACE),
    operation("TD", PLACE, PLACE),
    operation("T*"),
    operation("Tj", TEXT),
    operation("Tj", TEXT),
    operation("TJ", st.lists(st.one_of(TEXT, decimals(-2000, 2000)), max_size=6)),
    operation("TJ", st.lists(st.one_of(TEXT, decimals(-2000, 2000)), max_size=6)),
    operation("'", TEXT),
    operation('"', SMALL, SMALL, TEXT),
)


def far(reference: Reference) -> float:
    """How exact a comparison can be: a part in 10¹² of the largest place, and 0.001 at least."""
    return max([1e-3, *(1e-12 * max(abs(glyph.x), abs(glyph.y)) for glyph in reference.glyphs)])


@settings(max_examples=150)
@given(st.lists(OPERATIONS, max_size=25), TEXT)
def test_every_glyph_stands_where_the_standard_says(operations: list[Operation], last: bytes) -> None:
    script: list[Operation] = [("BT", ()), ("Tf", ("/F1", 10.0)), *operations, ("Tj", (last,))]
    reference = Reference()
    for operator, operands in script:
        reference.run(operator, operands)
    writer = PdfWriter()
    add_fonts(writer)
    writer.add_page(b"".join(map(written, script)))
    with pincite.open(writer.write()) as document:
        glyphs = document.page(1).glyphs()
    assert list(glyphs.code) == [glyph.code for glyph in reference.glyphs]
    assert list(glyphs.string) == [glyph.string for glyph in reference.glyphs]
    near = far(reference)

    def agree(column: array[float], expected: list[float]) -> None:
        assert list(column) == pytest.approx(expected, abs=near)

    agree(glyphs.x, [glyph.x for glyph in reference.glyphs])
    agree(glyphs.y, [glyph.y for glyph in reference.glyphs])
    agree(glyphs.own_end_x, [glyph.own_end[0] for glyph in reference.glyphs])
    agree(glyphs.own_end_y, [glyph.own_end[1] for glyph in reference.glyphs])
    agree(glyphs.advance_end_x, [glyph.advance_end[0] for glyph in reference.glyphs])
    agree(glyphs.advance_end_y, [glyph.advance_end[1] for glyph in reference.glyphs])
    agree(glyphs.em, [glyph.em for glyph in reference.glyphs])
    agree(glyphs.size, [glyph.size for glyph in reference.glyphs])


ALPHABETS = {
    "WinAnsi": [chr(c) for c in range(0x21, 0x7F)] + list("€‚ƒ„…†‡‰Š‹ŒŽ‘’“”•–—™š›œžŸ¡¢£ÀÉÎÕÜßàéîõüÿ"),
    "MacRoman": list("ABCabc123ÄÅÇÉÑÖÜáàâäãåçéèêëí†°¢£§•¶ß®©™ÆØæø¿¡ƒ«»…ÀÃÕŒœ–—“”‘’÷ÿŸ⁄‹›‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔÒÚÛÙ"),
    "Differences": list("ABCabc019 ĄęłŠřžŐűαβγδΩЖщЯ€∑√∞"),
    "ToUnicode": list("xyz012 ĄłŠřαωЖЯ€→漢字かな한국ไทย𝒳𝔄"),
    "Identity": list("xyz012 ĄłŠřαωЖЯ€→漢字かな한국ไทย𝒳𝔄"),
    "UniJIS": list("日本語の文章カタカナABC123、。"),
    "KSC": list("한국어문서가나다ABC123漢字"),
    "GBK": list("简体中文文档ABC123。，"),
}


def shown(writer: PdfWriter, encoding: str, text: str) -> bytes:
    """`(…) Tj` that shows the text through a font with that encoding, with the font's Tf before it."""
    codes = {character: 33 + at for at, character in enumerate(dict.fromkeys(text))}
    if encoding == "WinAnsi":
        font, data = writer.add_font(widths=500), text.encode("cp1252")
    elif encoding == "MacRoman":
        font, data = writer.add_font(widths=500, encoding="/MacRomanEncoding"), text.encode("mac_roman")
    elif encoding == "Differences":
        names = {code: f"uni{ord(character):04X}" for character, code in codes.items()}
        font, data = writer.add_font(widths=500, differences=names), bytes(codes[c] for c in text)
    elif encoding == "ToUnicode":
        font = writer.add_font(widths=500, to_unicode={code: character for character, code in codes.items()})
        data = bytes(codes[c] for c in text)
    elif encoding == "Identity":
        identity = writer.add_composite_font(default_width=500)
        font, data = identity, identity.encode(text)
    else:
        cmap, ordering, codec = {
            "UniJIS": ("/UniJIS-UTF16-H", "Japan1", "utf-16-be"),
            "KSC": ("/KSCms-UHC-H", "Korea1", "cp949"),
            "GBK": ("/GBK-EUC-H", "GB1", "gbk"),
        }[encoding]
        font = writer.add_composite_font(
            encoding=cmap, to_unicode=False, default_width=1000, collection=("Adobe", ordering), descendant={"W": []}
        )
        data = text.encode(codec)
    return f"/{font.name} 10 Tf ".encode() + string(data) + b" Tj "


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from(sorted(ALPHABETS)).flatmap(
            lambda name: st.tuples(st.just(name), st.text(st.sampled_from(ALPHABETS[name]), min_size=1, max_size=12))
        ),
        min_size=1,
        max_size=3,
    )
)
def test_text_comes_back_through_every_encoding(lines: list[tuple[str, str]]) -> None:
    writer = PdfWriter()
    content = b"".join(b"T* " + shown(writer, encoding, text) for encoding, text in lines)
    writer.add_page(b"BT 20 TL 1 0 0 1 50 700 Tm " + content + b"ET")
    with pincite.open(writer.write()) as document:
        assert document.page(1).text() == "\n".join(text for _, text in lines)


def test_columns() -> None:
    page = read("BT /F1 12 Tf 2 Tc 3 Tw 1 0 0 1 100 700 Tm [(A ) -100 (B)] TJ ET")
    glyphs = page.glyphs()
    assert len(glyphs) == 3
    assert list(glyphs.x) == pytest.approx([100, 108, 120.2])
    assert list(glyphs.y) == [700] * 3
    assert list(glyphs.own_end_x) == pytest.approx([106, 114, 126.2])
    assert list(glyphs.advance_end_x) == pytest.approx([108, 119, 128.2])
    assert list(glyphs.own_end_y) == list(glyphs.advance_end_y) == [700] * 3
    assert list(glyphs.unicode) == [65, 32, 66]
    assert list(glyphs.code) == [65, 32, 66]
    assert list(glyphs.string) == [0, 0, 1]
    assert list(glyphs.operator) == [6, 6, 6]
    assert list(glyphs.vertical) == list(glyphs.rendering_mode) == list(glyphs.flags) == [0] * 3
    assert list(glyphs.mcid) == [-1] * 3
    assert set(glyphs.font) == set(glyphs.fonts)
    assert {font.name for font in glyphs.fonts.values()} == {"Helvetica"}


def test_ligatures_are_strings() -> None:
    sheet = Sheet()
    code = sheet.any.code("ffi")
    glyphs = sheet.read(f"BT /F2 10 Tf 100 700 Td <{code:04x}> Tj ET").glyphs()
    assert glyphs.text(0) == "ffi"
    assert glyphs.strings[-1 - glyphs.unicode[0]] == "ffi"


def test_columns_as_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    glyphs = read("BT /F1 12 Tf 100 700 Td (abc) Tj ET").glyphs()
    columns = glyphs.numpy()
    assert columns["x"].tolist() == [100, 106, 112]
    assert columns["unicode"].dtype == numpy.int32
    assert columns["flags"].dtype == numpy.uint8
    assert numpy.shares_memory(columns["x"], glyphs.x)
