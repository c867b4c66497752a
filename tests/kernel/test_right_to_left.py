"""Lines with right-to-left letters, on both kernels: drawn from left to right, read as a reader reads them."""

from __future__ import annotations

import unicodedata
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.kernel import Kind, Twin

EM = 10.0


def reader(twin: Twin, placed: list[tuple[str, float]]) -> Any:
    """A reader of glyphs half an em wide, one run each."""
    module = twin.module("pincite._kernel.right_to_left")

    def classify(value: int) -> int:
        kind = unicodedata.bidirectional(chr(value))
        number = module.KINDS.index(kind) if kind in module.KINDS else 0
        number |= module.BLANK if chr(value).isspace() else 0
        return int(number + module.BRACKET * (module.BRACKETS.find(chr(value)) + 1))

    places, facts, numbers = array("d"), array("i"), array("d")
    for row, (letter, x) in enumerate(placed):
        places.extend((x, 700.0, 0.5 * EM, 0.5 * EM))
        facts.extend((ord(letter), 0, row, 0))
        numbers.extend((1.0, 0.0, 0.0, EM, EM, EM))
    values = array("i", [ord(letter) for letter, _ in placed])
    return module.LineReader(places, facts, numbers, values, 0.15, {}, classify)


def drawn(text: str) -> list[tuple[str, float]]:
    return [(letter, 100 + 5.0 * position) for position, letter in enumerate(text)]


def read(twin: Twin, placed: list[tuple[str, float]]) -> tuple[str, list[int]]:
    values, rows = reader(twin, placed).read(array("i", range(len(placed))))
    return "".join(map(chr, values)), list(rows)


@pytest.mark.parametrize(
    ("visual", "logical"),
    [
        ("אב", "בא"),
        ("גב pdf א", "א pdf בג"),
        ("אב 12.5%", "12.5% בא"),
        ("דגב COVID-19 הוא", "אוה COVID-19 בגד"),
        (")אב(", "(בא)"),
        ("(אב)", "(בא)"),
        ("abc אב de", "abc בא de"),
    ],
)
def test_visual_order_is_inverted(twin: Twin, visual: str, logical: str) -> None:
    assert read(twin, drawn(visual))[0] == logical


def test_what_is_drawn_leftwards_is_in_order_and_gets_its_spaces(twin: Twin) -> None:
    assert read(twin, [("א", 120.0), ("ב", 115.0), ("ג", 105.0)]) == ("אב ג", [0, 1, -1, 2])


def test_pieces_are_sorted_and_missing_spaces_added(twin: Twin) -> None:
    assert read(twin, [*drawn("דג"), ("ב", 85.0), ("א", 90.0)]) == ("גד אב", [1, 0, -1, 3, 2])


def test_a_mark_follows_its_base(twin: Twin) -> None:
    placed = [("ב", 100.0), ("א", 105.0), ("\u05b0", 105.0)]
    assert read(twin, placed) == ("א\u05b0ב", [1, 2, 0])


@given(st.lists(st.tuples(st.sampled_from("אבاa1-.%( )\u05b0"), st.floats(0, 60)), min_size=1, max_size=12))
def test_every_glyph_comes_once_and_the_kernels_agree(twins: dict[Kind, Twin], placed: list[tuple[str, float]]) -> None:
    results = [read(twin, placed) for twin in twins.values()]
    assert all(result == results[0] for result in results)
    assert sorted(row for row in results[0][1] if row >= 0) == list(range(len(placed)))
