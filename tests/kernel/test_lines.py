"""The line builder on both kernels: small cases by hand, any columns at all, and what random content gives."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.kernel import Kind, Twin

LIGATURES = ["ff", "fi", "של"]
PAGE = (0.0, 0.0, 600.0, 800.0)


class Helper:
    """Unicode's tables, in small."""

    def compose(self, accent: int, letter: int) -> int:
        return 0xE9 if (accent, letter) == (0xB4, 0x65) else -1

    def is_mark(self, value: int) -> bool:
        return 0x300 <= value <= 0x36F

    def starts_right_to_left(self, value: int) -> bool:
        return LIGATURES[-1 - value][0] >= "א"


Places = tuple[str, float, float]


def columns(runs: Sequence[Sequence[Places]], *, em: float = 10.0, direction: tuple[float, float] = (1.0, 0.0)) -> list[Any]:
    """Columns for runs of (character, x, y), each half an em wide."""
    places, facts, numbers, run_facts = array("d"), array("i"), array("d"), array("i")
    dx, dy = direction
    for run, glyphs in enumerate(runs):
        numbers.extend([dx, dy, -dy * em, dx * em, em, em])
        run_facts.extend([0, 0, 0, -1, run])
        for character, x, y in glyphs:
            places.extend([x, y, em / 2, em / 2])
            facts.extend([ord(character), ord(character), run, 0])
    return [places, facts, array("B", bytes(len(facts) // 4)), numbers, run_facts]


def arranged(twin: Twin, given: list[Any], *, line: float = 0.5) -> Any:
    values, boxes = given[1][::4], given[3][4::6]
    builder = twin.module("pincite._kernel.lines").LineBuilder(*given, values, boxes, Helper(), line)
    builder.arrange(*PAGE)
    return builder, values, boxes


def backwards(values: Any) -> Any:
    return lambda rows: (array("i", [values[row] for row in reversed(rows)]), rows[::-1])


def composed(twin: Twin, given: list[Any], *, space: float = 0.15, line: float = 0.5) -> Any:
    """(characters, sources, line starts) as the kernel gives them, and its builder."""
    builder, values, boxes = arranged(twin, given, line=line)
    places, facts, _, run_numbers, _ = given
    composer = twin.module("pincite._kernel.composing").TextComposer(places, facts, run_numbers, values, boxes, Helper(), space)
    return composer.compose(*builder.line_rows(), LIGATURES, backwards(values)), builder


def read(twin: Twin, given: list[Any], **thresholds: float) -> tuple[str, list[int], list[int]]:
    (characters, sources, starts), _ = composed(twin, given, **thresholds)
    return "".join(map(chr, characters)), list(sources), list(starts)


def word(text: str, x: float, y: float = 700.0) -> list[Places]:
    return [(character, x + 5.0 * at, y) for at, character in enumerate(text)]


def test_characters_sources_and_line_starts(twin: Twin) -> None:
    text, sources, starts = read(twin, columns([word("ab", 100), word("cd", 115), word("e", 100, 688)]))
    assert text == "ab cd\ne"
    assert sources == [0, 1, -1, 2, 3, -1, 4]
    assert starts == [0, 6]


def test_nothing(twin: Twin) -> None:
    assert read(twin, columns([])) == ("", [], [])


def test_the_order_of_rows(twin: Twin) -> None:
    builder, *_ = arranged(twin, columns([word("ab", 100), word("cd", 120), word(",", 112), word("אב", 100, 600)]))
    rows, lines, right_to_left = builder.line_rows()
    assert list(rows) == [0, 1, 4, 2, 3, 5, 6]
    assert list(lines) == [0, 5]
    assert list(right_to_left) == [0, 1]


def test_a_line_with_right_to_left_letters_is_put_in_order_by_the_caller(twin: Twin) -> None:
    text, sources, _ = read(twin, columns([word("ab", 100), word("אב", 100, 600)]))
    assert text == "ab\nבא"
    assert sources == [0, 1, -1, 3, 2]


def test_accents_compose_through_the_helper(twin: Twin) -> None:
    assert read(twin, columns([[("´", 100.0, 702.0)], word("e", 100)]))[0] == "é"
    assert read(twin, columns([[("´", 100.0, 702.0)], word("o", 100)]))[0] == "´o"


def test_thresholds(twin: Twin) -> None:
    given = columns([word("a", 100), word("b", 107), word("c", 112, 704)])
    assert read(twin, given)[0] == "a bc"
    assert read(twin, given, space=0.25)[0] == "abc"
    assert read(twin, given, line=0.3)[0] == "a b\nc"


@pytest.mark.parametrize("flag", [2, 16])
def test_clipped_and_hidden_glyphs_are_left_out(twin: Twin, flag: int) -> None:
    given = columns([word("abc", 100)])
    given[2][1] = flag
    text, sources, _ = read(twin, given)
    assert (text, sources) == ("a c", [0, -1, 2])


def test_long_strings_make_room(twin: Twin) -> None:
    given = columns([word("abc" * 10, 100)])
    for row in range(30):
        given[1][4 * row] = -2
    text, sources, _ = read(twin, given)
    assert text == "fi" * 30
    assert sources == [row for row in range(30) for _ in "fi"]


def test_many_lines(twin: Twin) -> None:
    given = columns([word("x", 100 + at % 7, 780 - 0.2 * at) for at in range(2000)])
    text, _, starts = read(twin, given, line=0.01)
    assert text == "\n".join("x" * 2000)
    assert starts == list(range(0, 4000, 2))


# -- the twins agree -------------------------------------------------------------------------------


def outcome(twin: Twin, given: list[Any], space: float, line: float) -> object:
    try:
        text, builder = composed(twin, given, space=space, line=line)
        return [column.tobytes() for column in text], [bytes(column) for column in builder.line_rows()]
    except OverflowError as error:
        return str(error)


ANY_NUMBER = st.floats() | st.sampled_from([0.0, 1.0, -1.0, 10.0, 1e-9, 1e9, 1e300, math.nan, math.inf, -math.inf])
NUMBER = st.integers(-50, 900).map(float) | st.floats(-50, 900) | ANY_NUMBER
VALUE = st.sampled_from([*map(ord, "aabcé ´¨`אב日本한1,.\u0301\xa0"), 0xFFFD, 0x10FFFF, 0, -1, -2, -3])


@st.composite
def any_columns(draw: st.DrawFn) -> list[Any]:
    """Columns with anything in them, as long as the row and run numbers are right."""
    runs = draw(st.integers(1, 4))
    count = draw(st.integers(0, 12))
    numbers, run_facts = array("d"), array("i")
    for run in range(runs):
        numbers.extend(draw(st.lists(st.sampled_from([0.0, 1.0, -1.0, 10.0, 0.6, 0.8]) | NUMBER, min_size=6, max_size=6)))
        run_facts.extend([0, 0, draw(st.integers(0, 1)), -1, run])
    places, facts = array("d"), array("i")
    for _ in range(count):
        places.extend(draw(st.lists(NUMBER, min_size=4, max_size=4)))
        facts.extend([draw(VALUE), 65, draw(st.integers(0, runs - 1)), 0])
    flags = array("B", draw(st.lists(st.sampled_from([0, 0, 0, 0, 1, 2, 4, 16, 255]), min_size=count, max_size=count)))
    return [places, facts, flags, numbers, run_facts]


@st.composite
def near_columns(draw: st.DrawFn) -> list[Any]:
    """Columns of glyphs that stand close together, where accents, holes, repeats and spaces are decided."""
    character = st.sampled_from("aae´´´ ,אב漢1")
    along, across = st.integers(0, 24).map(lambda at: 100 + 2.5 * at), st.sampled_from([700.0, 700.0, 700.0, 700.5, 704.0, 712.0])
    runs = draw(st.lists(st.lists(st.tuples(character, along, across), min_size=1, max_size=4), max_size=8))
    return columns(runs, direction=draw(st.sampled_from([(1.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.6, 0.8)])))


@settings(max_examples=400)
@given(st.one_of(near_columns(), any_columns()), st.sampled_from([0.15, 0.0, -1.0, 5.0]), st.sampled_from([0.5, 0.0, 3.0]))
def test_twins_arrange_anything_alike(twins: dict[Kind, Twin], drawn: list[Any], space: float, line: float) -> None:
    given = [[array(column.typecode, column) for column in drawn] for _ in twins]
    first, second = (outcome(twin, copy, space, line) for twin, copy in zip(twins.values(), given, strict=True))
    assert first == second


class Recorder:
    """A handler that answers every question of the machine, and paints forms within forms."""

    def __init__(self, twin: Twin) -> None:
        table = twin.module("pincite._kernel.decoding").DecodingTable
        self.tables = {
            b"F1": table(0, array("i", range(256)), array("d", [0.5] * 200), code_bytes=1, default_width=0.25),
            b"F2": table(1, array("i", [97, 98, -1, 0xFFFD, 0x4E00]), array("d"), code_bytes=2, default_width=1.0),
            b"F3": table(2, array("i", range(300)), array("d"), code_bytes=2, default_width=1.0, vertical=True),
            b"F4": table(3, array("i", range(256)), array("d"), code_bytes=0, default_width=1.0, decoder=self.decode, em=-0.5),
        }
        self.machine = twin.module("pincite._kernel.content").ContentMachine(20_000)
        self.machine.begin_page(self, {})
        self.calls: list[object] = []
        self.depth = 0

    @staticmethod
    def decode(data: bytes) -> array[int]:
        return array("i", [item for at, byte in enumerate(data) for item in (byte, byte if at % 3 else -1, 1 + at % 2)])

    def set_font(self, name: bytes) -> Any:
        self.calls.append(name)
        return self.tables.get(name)

    def paint(self, name: bytes) -> None:
        self.calls.append(name)
        if self.depth < 2:
            self.depth += 1
            content = b"q 2 0 0 1 3 4 cm BT (in) Tj /F1 5 Tf (form) Tj /X Do Q Q ET"
            self.machine.run_form(content, (1, 0.5, 0, 1, 2, 3), (0, 0, 50, 50), {})
            self.depth -= 1

    def set_graphics_state(self, name: bytes) -> None:
        self.calls.append(name)
        self.machine.set_font(self.tables[b"F1"], 7.0)

    def begin_marked_content(self, tag: bytes, properties: bytes | None) -> None:
        self.calls.append((tag, properties))
        self.machine.set_mcid(len(self.calls))
        self.machine.set_flags(8 * (len(self.calls) % 4))

    def end_marked_content(self) -> None:
        self.calls.append(None)
        self.machine.add_text(65)


def interpreted(twin: Twin, content: bytes) -> list[object]:
    """Everything that a stream comes to: the columns, what the handler was asked, and the lines; or that it was too much.

    A machine serves page after page: the second one must find nothing of the first.
    """
    recorder = Recorder(twin)
    machine = recorder.machine
    pages: list[object] = []
    for tables in ({}, {}, {b"F1": recorder.tables[b"F2"]}):
        recorder.calls, recorder.depth = [], 0
        machine.begin_page(recorder, tables)
        try:
            machine.run(content)
        except OverflowError as error:
            pages.append(str(error))
            continue
        found = list(machine.columns())
        state = [machine.ctm(), machine.inline_image_count(), machine.glyph_count()]
        pages.append([[bytes(column) for column in found], recorder.calls, repr(state), outcome(twin, found, 0.15, 0.5)])
        machine.end_page()
    assert pages[0] == pages[1]
    return pages


OPERATORS = ["q", "Q", "cm", "BT", "ET", "Tc", "Tw", "Tz", "TL", "Tf", "Tr", "Ts", "Td", "TD", "Tm", "T*", "Tj", "TJ", "'", '"']
OPERATORS += ["Do", "BDC", "BMC", "EMC", "gs", "BI", "ID", "EI", "re", "f", "W", "n", "sh", "Td", "Tj", "TJ", "Tm", "Tj", "TJ"]
OPERANDS = [
    *("0", "1", "-1", "10", "12.5", ".5", "-.5", "+", "-", ".", "--5", "1.2.3", "4-2", "1e5", "300", "700", "1000000"),
    *("99999999999999999999", "0.00000000000000000000000001", "9" * 400),
    *("/F1 10 Tf", "/F2 5 Tf", "/F3 -8 Tf", "/F4 1 Tf", "1 0 0 1 100 700 Tm", "10 0 0 10 0 0 cm", "1e400", "/Name", "/"),
    *("(text)", "(a b)", "()", "(un", "un)", r"(\101\\\()", "<6162>", "<616", "<>", "<0001000200030004>", "[", "]"),
    *("<<", ">>", "<</MCID 1>>", "<</A(>>)>>", "{", "}", "%comment\n", "[(a) -300 (b) 500 (c)] TJ", "BI /W 1 /H 1 ID x EI"),
]
SOUP = st.lists(st.sampled_from([*OPERATORS, *OPERANDS]), max_size=40).map(lambda tokens: " ".join(tokens).encode("latin-1"))
MIXED = st.lists(st.one_of(SOUP, st.binary(max_size=20)), max_size=4).map(b" ".join)


@settings(max_examples=300)
@given(SOUP)
def test_twins_read_any_operators_alike(twins: dict[Kind, Twin], content: bytes) -> None:
    first, second = (interpreted(twin, b"/F1 10 Tf " + content) for twin in twins.values())
    assert first == second


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=200), MIXED))
def test_twins_read_any_bytes_alike(twins: dict[Kind, Twin], content: bytes) -> None:
    first, second = (interpreted(twin, content) for twin in twins.values())
    assert first == second
