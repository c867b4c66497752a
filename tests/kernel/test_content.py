"""The tokeniser and the text-state machine, on both kernels: what is drawn, and where."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import pytest

from support.kernel import Twin


class Glyph(NamedTuple):
    character: str
    x: float
    y: float
    own: float
    advance: float


class Recorder:
    """A handler with one font, whose glyphs are half an em wide; it keeps what it was asked."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.calls: list[Any] = []

    def set_font(self, name: bytes) -> Any:
        self.calls.append(("font", name))
        return self.table

    def paint(self, name: bytes) -> None:
        self.calls.append(("paint", name))

    def set_graphics_state(self, name: bytes) -> None:
        self.calls.append(("state", name))

    def begin_marked_content(self, tag: bytes, properties: bytes | None) -> None:
        self.calls.append(("begin", tag, properties))

    def end_marked_content(self) -> None:
        self.calls.append(("end",))


class Run(NamedTuple):
    machine: Any
    recorder: Recorder

    @property
    def glyphs(self) -> list[Glyph]:
        places, facts, *_ = self.machine.columns()
        return [Glyph(chr(facts[4 * row]), *places[4 * row : 4 * row + 4]) for row in range(len(places) // 4)]

    @property
    def text(self) -> str:
        return "".join(glyph.character for glyph in self.glyphs)

    @property
    def origins(self) -> list[tuple[float, float]]:
        return [(round(glyph.x, 6), round(glyph.y, 6)) for glyph in self.glyphs]


def run(twin: Twin, content: bytes, **table: Any) -> Run:
    options: dict[str, Any] = {"code_bytes": 1, "default_width": 0.5} | table
    decoding = twin.module("pincite._kernel.decoding").DecodingTable(
        0, array("i", range(256)), array("d", [0.5] * 256), **options
    )
    recorder = Recorder(decoding)
    machine = twin.module("pincite._kernel.content").ContentMachine()
    machine.begin_page(recorder, {})
    machine.run(content)
    return Run(machine, recorder)


def test_a_string_advances_by_the_widths(twin: Twin) -> None:
    drawn = run(twin, b"BT /F1 10 Tf 100 200 Td (ab) Tj (c) Tj ET")
    assert drawn.glyphs == [Glyph("a", 100, 200, 5, 5), Glyph("b", 105, 200, 5, 5), Glyph("c", 110, 200, 5, 5)]


@pytest.mark.parametrize(
    ("content", "origins"),
    [
        pytest.param(b"BT /F 10 Tf 2 Tc (ab) Tj", [(0, 0), (7, 0)], id="Tc"),
        pytest.param(b"BT /F 10 Tf 3 Tw (a b) Tj", [(0, 0), (5, 0), (13, 0)], id="Tw on code 32"),
        pytest.param(b"BT /F 10 Tf 50 Tz 2 Tc (ab) Tj", [(0, 0), (3.5, 0)], id="Tz scales widths and Tc"),
        pytest.param(b"BT /F 10 Tf 4 Ts (a) Tj", [(0, 4)], id="Ts"),
        pytest.param(b"BT /F 10 Tf [(a) -100 (b) 200 (c)] TJ", [(0, 0), (6, 0), (9, 0)], id="TJ"),
        pytest.param(b"BT /F 10 Tf 12 TL (a) Tj T* (b) Tj (c) '", [(0, 0), (0, -12), (0, -24)], id="T* and '"),
        pytest.param(b'BT /F 10 Tf 12 TL 1 2 (a b) "', [(0, -12), (7, -12), (15, -12)], id='"'),
        pytest.param(b"BT /F 10 Tf 5 -14 TD (a) Tj T* (b) Tj", [(5, -14), (5, -28)], id="TD sets the leading"),
        pytest.param(b"BT /F 1 Tf 10 0 0 10 7 8 Tm (ab) Tj", [(7, 8), (12, 8)], id="the size in Tm"),
        pytest.param(b"2 0 0 3 10 20 cm BT /F 10 Tf 5 5 Td (ab) Tj", [(20, 35), (30, 35)], id="cm"),
        pytest.param(b"BT /F 10 Tf 0 1 -1 0 50 60 Tm (ab) Tj", [(50, 60), (50, 65)], id="turned"),
        pytest.param(b"BT /F -10 Tf -1 0 0 -1 50 60 Tm (ab) Tj", [(50, 60), (55, 60)], id="negative size in a turned matrix"),
        pytest.param(b"q BT /F 10 Tf 5 Tc (a) Tj ET Q BT (b) Tj ET", [(0, 0)], id="Q takes the font back"),
        pytest.param(b"BT /F 10 Tf q 20 Tf 9 Tc Q (ab) Tj", [(0, 0), (5, 0)], id="q and Q hold the text state"),
        pytest.param(b"Q Q BT /F 10 Tf (a) Tj ET Q Q q", [(0, 0)], id="unbalanced q and Q"),
        pytest.param(b"BT /F 10 Tf 5 Td (a) Tj 1 2 3 Tm (b) Tj 7 Tc Tc ET", [(0, 0), (5, 0)], id="too few operands"),
        pytest.param(b"BT /F 10 Tf 1 2 3 4 Td (a) Tj", [(3, 4)], id="too many operands: the last ones count"),
        pytest.param(b"BT /F 10 Tf --5 1.2.3 Td (a) Tj", [(-5, 1.2)], id="malformed numbers"),
        pytest.param(b"BT /F 10 Tf +.5 . Td (a) Tj", [(0.5, 0)], id="numbers without digits"),
        pytest.param(b"BT /F 10 Tf 4-2 -0-7 Td (a) Tj", [(4, 0)], id="a sign inside a number"),
        pytest.param(b"BT /F 10 Tf 12345678901234567890 0 Td (a) Tj", [(12345678901234567000, 0)], id="twenty digits"),
    ],
)
def test_operators_place_glyphs(twin: Twin, content: bytes, origins: list[tuple[float, float]]) -> None:
    drawn = run(twin, content).origins
    assert drawn == [pytest.approx(origin) for origin in origins]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (rb"(a\(b\)c)", "a(b)c"),
        (rb"(a(b)c)", "a(b)c"),
        (rb"(\101\60\7x)", "A0\x07x"),
        (rb"(\n\r\t\b\f\\)", "\n\r\t\b\f\\"),
        (b"(a\\\nb\\\r\nc)", "abc"),
        (b"(a\r\nb\rc)", "a\nb\nc"),
        (rb"(\q)", "q"),
        (b"<61 62\n63>", "abc"),
        (b"<617>", "ap"),
        (b"<6x1>", "a"),
        (b"(never closed", "never closed"),
        (b"(%no comment)", "%no comment"),
        (b"()", ""),
    ],
)
def test_strings(twin: Twin, source: bytes, text: str) -> None:
    assert run(twin, b"BT /F 10 Tf " + source + (b" Tj" if not source.startswith(b"(never") else b"")).text == (
        text if not source.startswith(b"(never") else ""
    )


def test_comments_and_unknown_operators_are_passed_over(twin: Twin) -> None:
    drawn = run(twin, b"% (x) Tj\nBT /F 10 Tf 0 0 1 rg nonsense << /A (b >>) /C <</D 1>> >> sh (a) Tj % end")
    assert drawn.text == "a"


def test_inline_image_with_the_end_marker_in_its_data(twin: Twin) -> None:
    filtered = b"BI /W 4 /H 4 /F /DCT ID \x00\xff EI \x01\x80\x90 EI\nBT /F 10 Tf (after the picture) Tj ET"
    plain = b"BI /W 4 /H 2 /BPC 8 /CS /G ID ab EI cd EI BT /F 10 Tf (after) Tj ET"
    assert run(twin, filtered).text == "after the picture"
    assert run(twin, plain).text == "after"
    assert run(twin, filtered).machine.inline_image_count() == 1


def test_an_image_that_never_ends_takes_the_rest(twin: Twin) -> None:
    assert run(twin, b"BT /F 10 Tf (a) Tj ET BI /W 1 ID \x80\x81").text == "a"


def test_marked_content_that_matters_reaches_the_handler(twin: Twin) -> None:
    calls = run(twin, b"/Span <</MCID 3 /ActualText (a\\)>>b)>> BDC EMC /P /MC0 BDC EMC /A BMC EMC /X Do /G gs").recorder.calls
    assert calls == [
        ("begin", b"Span", b"<</MCID 3 /ActualText (a\\)>>b)>>"),
        ("end",),
        ("begin", b"P", b"/MC0"),
        ("end",),
        ("paint", b"X"),
        ("state", b"G"),
    ]


def test_an_mcid_alone_stays_in_the_machine(twin: Twin) -> None:
    content = b"/P <</MCID 4>> BDC BT /F 10 Tf (a) Tj /S <</Lang(en)/MCID 5>> BDC (b) Tj EMC (c) Tj EMC EMC (d) Tj ET"
    drawn = run(twin, content)
    facts, run_facts = drawn.machine.columns()[1], drawn.machine.columns()[4]
    assert [run_facts[5 * facts[4 * row + 2] + 3] for row in range(4)] == [4, 5, 4, -1]
    assert drawn.recorder.calls == [("font", b"F")]


def test_two_byte_codes(twin: Twin) -> None:
    drawn = run(twin, b"BT /F 10 Tf <0041004200> Tj", code_bytes=2)
    assert drawn.text == "AB\x00"


def test_a_decoder_gives_mixed_codes(twin: Twin) -> None:
    def decode(data: bytes) -> array[int]:
        return array("i", [32, 65, 1, 0x8140, 66, 2])

    drawn = run(twin, b"BT /F 10 Tf 3 Tw (anything) Tj", code_bytes=0, decoder=decode)
    assert drawn.text == "AB"
    assert drawn.origins == [(0, 0), (8, 0)]


def test_vertical_writing_moves_down(twin: Twin) -> None:
    drawn = run(twin, b"BT /F 10 Tf 100 500 Td (ab) Tj", vertical=True)
    assert drawn.origins == [(100, 500), (100, 490)]
    assert drawn.glyphs[0].own == pytest.approx(10)


def test_a_form_stands_under_its_matrix_and_leaves_no_trace(twin: Twin) -> None:
    drawn = run(twin, b"")
    drawn.machine.run_form(b"q q BT /F 10 Tf 3 Tc (ab) Tj", (1, 0, 0, 1, 50, 60), (0, -5, 6, 20), {})
    assert drawn.origins == [(50, 60), (58, 60)]
    flags = drawn.machine.columns()[2]
    clipped = twin.module("pincite._kernel.columns").FLAG_CLIPPED
    assert [bool(flag & clipped) for flag in flags] == [False, True]
    assert drawn.machine.ctm() == (1, 0, 0, 1, 0, 0)


def test_too_many_glyphs_is_an_error(twin: Twin) -> None:
    drawn = run(twin, b"")
    machine = twin.module("pincite._kernel.content").ContentMachine(5000)
    machine.begin_page(drawn.recorder, {})
    with pytest.raises(OverflowError):
        machine.run(b"BT /F 10 Tf " + b"(0123456789) Tj " * 501)
