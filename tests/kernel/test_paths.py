"""What the path recorder keeps of a page's drawing, on both kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.kernel import Twin

LINE, RECTANGLE, EDGE, IMAGE, CURVE = range(5)
BLACK, UNKNOWN = 0, -1


class Row(NamedTuple):
    kind: int
    x0: float
    y0: float
    x1: float
    y1: float
    width: float = 0.0
    color: int = BLACK


class Handler:
    """Paints a form for /Fm, and nothing else."""

    def __init__(self, form: bytes = b"", matrix: tuple[float, ...] = (1, 0, 0, 1, 0, 0), bbox: Any = None) -> None:
        self.machine: Any = None
        self.form, self.matrix, self.bbox = form, matrix, bbox

    def paint(self, name: bytes) -> None:
        if name == b"Fm":
            self.machine.run_form(self.form, self.matrix, self.bbox, {})

    def set_font(self, name: bytes) -> None:
        return None

    def set_graphics_state(self, name: bytes) -> None:
        pass

    def begin_marked_content(self, tag: bytes, properties: bytes | None) -> None:
        pass

    def end_marked_content(self) -> None:
        pass


def record(twin: Twin, content: bytes, handler: Handler | None = None, max_rows: int = 1000) -> list[Row]:
    recorder = twin.module("pincite._kernel.paths").PathRecorder(max_rows)
    machine = twin.module("pincite._kernel.content").ContentMachine()
    handler = handler or Handler()
    handler.machine = machine
    machine.begin_page(handler, {}, recorder)
    machine.run(content)
    machine.end_page()
    places, facts = recorder.columns()
    return [
        Row(facts[3 * row], *(round(value, 6) for value in places[5 * row : 5 * row + 5]), facts[3 * row + 1])
        for row in range(len(facts) // 3)
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(b"2 w 10 20 m 110 20 l S", [Row(LINE, 10, 20, 110, 20, 2)], id="a stroked line"),
        pytest.param(b"10 20 100 50 re f", [Row(RECTANGLE, 10, 20, 110, 70)], id="a filled rectangle"),
        pytest.param(b"110 70 -100 -50 re f*", [Row(RECTANGLE, 10, 20, 110, 70)], id="drawn from its upper right corner"),
        pytest.param(b"0 0 m 9 0 l 9 5 l 0 5 l h F", [Row(RECTANGLE, 0, 0, 9, 5)], id="a rectangle of lines"),
        pytest.param(b"0 0 m 9 0 l 9 5 l 0 5 l f", [Row(RECTANGLE, 0, 0, 9, 5)], id="closed by being filled"),
        pytest.param(
            b"0 0 9 5 re s",
            [Row(LINE, 0, 0, 9, 0, 1), Row(LINE, 9, 0, 9, 5, 1), Row(LINE, 9, 5, 0, 5, 1), Row(LINE, 0, 5, 0, 0, 1)],
            id="a stroked rectangle",
        ),
        pytest.param(b"0 0 9 5 re n 0 0 m 5 0 l n", [], id="paths that are not painted"),
        pytest.param(b"0 0 9 5 re W n 0 0 m 5 0 l S", [Row(LINE, 0, 0, 5, 0, 1)], id="a clip is no line"),
        pytest.param(b"0 0 m 50 40 l S", [Row(CURVE, 0, 0, 50, 40, 0, UNKNOWN)], id="a slanted line leaves its box"),
        pytest.param(
            b"0 0 m 0 9 l 3 12 5 12 8 9 c 8 0 l S",
            [Row(LINE, 0, 0, 0, 9, 1), Row(LINE, 8, 9, 8, 0, 1), Row(CURVE, 0, 0, 8, 9, 0, UNKNOWN)],
            id="the straight parts beside a curve",
        ),
        pytest.param(
            b"0 0 m 9 0 l 9 9 l 5 9 l 5 5 l 0 5 l h f",
            [
                Row(EDGE, 0, 0, 9, 0), Row(EDGE, 9, 0, 9, 9), Row(EDGE, 9, 9, 5, 9), Row(EDGE, 5, 9, 5, 5), Row(EDGE, 5, 5, 0, 5),
                Row(EDGE, 0, 5, 0, 0),
            ],
            id="the sides of another shape",
        ),
        pytest.param(
            b"q 5 w 1 0 0 rg 0 0 4 4 re f Q 0 0 m 9 0 l S",
            [Row(RECTANGLE, 0, 0, 4, 4, 0, 0xFF0000), Row(LINE, 0, 0, 9, 0, 1)],
            id="q and Q keep width and colour",
        ),
        pytest.param(b"Q Q 3 w Q 0 0 m 9 0 l S", [Row(LINE, 0, 0, 9, 0, 3)], id="a Q without its q"),
        pytest.param(b"2 0 0 3 10 10 cm 1 w 0 0 m 5 0 l S", [Row(LINE, 10, 10, 20, 10, 2.44949)], id="under the matrix"),
        pytest.param(b"0 1 -1 0 100 0 cm 0 0 m 5 0 l S", [Row(LINE, 100, 0, 100, 5, 1)], id="turned by a quarter"),
        pytest.param(b"1 g 0 0 9 9 re f", [Row(RECTANGLE, 0, 0, 9, 9, 0, 0xFFFFFF)], id="white"),
        pytest.param(b"0 0 0 0.5 k 0 0 9 9 re f", [Row(RECTANGLE, 0, 0, 9, 9, 0, 0x808080)], id="of four inks"),
        pytest.param(b"/Cs cs 0.5 scn 0 0 9 9 re f", [Row(RECTANGLE, 0, 0, 9, 9, 0, UNKNOWN)], id="of an unknown space"),
        pytest.param(b"0 0 9 9 re 20 0 9 9 re f", [Row(RECTANGLE, 0, 0, 9, 9), Row(RECTANGLE, 20, 0, 29, 9)], id="two in a path"),
        pytest.param(b"5 l 1 re h 3 l S f w", [], id="too few operands"),
    ],
)
def test_what_is_recorded(twin: Twin, content: bytes, expected: list[Row]) -> None:
    assert record(twin, content) == expected


def test_forms_are_recorded_and_clipped(twin: Twin) -> None:
    form = b"7 w 0 0 m 50 0 l S 0 90 m 50 90 l S 80 0 m 80 50 l S q q q"
    rows = record(twin, b"3 w /Fm Do 0 5 m 9 5 l S", Handler(form, (1, 0, 0, 1, 100, 200), (0, 0, 40, 60)))
    assert rows == [Row(LINE, 100, 200, 140.05, 200, 7), Row(LINE, 0, 5, 9, 5, 3)]


def test_a_form_takes_the_state_of_its_painter(twin: Twin) -> None:
    rows = record(twin, b"q 4 w 0 0 1 RG /Fm Do Q /Fm Do", Handler(b"0 0 m 9 0 l S"))
    assert rows == [Row(LINE, 0, 0, 9, 0, 4, 0x0000FF), Row(LINE, 0, 0, 9, 0, 1)]


def test_rows_have_a_limit(twin: Twin) -> None:
    assert len(record(twin, b"0 0 m 9 0 l S " * 500, max_rows=300)) == 300


def test_text_goes_on_as_without(twin: Twin) -> None:
    machine = twin.module("pincite._kernel.content").ContentMachine()
    for recorder in (None, twin.module("pincite._kernel.paths").PathRecorder()):
        machine.begin_page(Handler(), {}, recorder)
        machine.run(b"q 2 0 0 2 5 5 cm 0 0 m 9 9 l S")
        assert machine.ctm() == (2, 0, 0, 2, 5, 5)
