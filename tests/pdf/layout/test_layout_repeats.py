"""What is drawn more than once, and what is drawn into a hole of its line."""

from __future__ import annotations

import pytest

from support.sheet import line_of, read


def text(source: str) -> str:
    return read(f"BT /F1 10 Tf 100 700 Td {source} ET").text()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("(A) Tj 0 0 Td (A) Tj", "A", id="the same place"),
        pytest.param("(A) Tj 0.9 0 Td (A) Tj", "A", id="under a tenth of an em along"),
        pytest.param("(A) Tj 0 0.9 Td (A) Tj", "A", id="under a tenth of an em across"),
        pytest.param("(A) Tj -0.9 0 Td (A) Tj", "A", id="to the left"),
        pytest.param("(A) Tj 1.1 0 Td (A) Tj", "AA", id="over a tenth of an em"),
        pytest.param("(A) Tj 0 0 Td (B) Tj", "AB", id="other characters"),
        pytest.param("[(A) 500 (A)] TJ", "AA", id="within one operator"),
        pytest.param("(A) Tj 0.2 0 Td (A) Tj 0.2 0 Td (A) Tj 0.2 0 Td (A) Tj", "A", id="four times"),
        pytest.param("(Bold line) Tj 0.3 0 Td (Bold line) Tj", "Bold line", id="a line twice"),
        pytest.param("(Bold line) Tj 0.3 0 Td (Bold line) Tj -0.3 0.3 Td (Bold line) Tj", "Bold line", id="a line thrice"),
        pytest.param("(Bo) Tj 0.3 0 Td (Bo) Tj 9.7 0 Td (ld) Tj 0.3 0 Td (ld) Tj", "Bold", id="piece by piece"),
        pytest.param("(Shadow) Tj -0.7 0.7 Td (Shadow) Tj", "Shadow", id="a shadow"),
        pytest.param("(twice) Tj 0 0 Td [(tw) (ice)] TJ", "twice", id="cut in another way"),
        pytest.param("(one) Tj 0 -12 Td (two) Tj 0.2 12 Td (one) Tj 0 -12 Td (two) Tj", "one\ntwo", id="two lines, both again"),
        pytest.param("(mama mama) Tj 0.2 0 Td (mama mama) Tj", "mama mama", id="a word that repeats itself"),
        pytest.param("(bold) Tj 0.2 0 Td (bold) Tj [( and plain)] TJ", "bold and plain", id="and on it goes"),
        pytest.param("(plain ) Tj 30 0 Td (bold) Tj 0.2 0 Td (bold) Tj", "plain bold", id="the end of a line alone"),
        pytest.param("2 Tr (outline) Tj 0 Tr 0 0 Td (outline) Tj", "outline", id="outline and filling"),
        pytest.param("(AAAA) Tj 0 0 Td (AAAA) Tj", "AAAA", id="one letter four times"),
        pytest.param("(1) Tj 5 0 Td (1) Tj 5 0 Td (1) Tj", "111", id="one figure, side by side"),
    ],
)
def test_what_operators_draw_again_counts_once(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize("size", [1, 10, 60, 300])
def test_the_em_decides_what_is_the_same_place(size: float) -> None:
    near, far = 0.09 * size, 0.12 * size
    assert read(f"BT /F1 {size} Tf 100 300 Td (A) Tj {near} 0 Td (A) Tj ET").text() == "A"
    assert read(f"BT /F1 {size} Tf 100 300 Td (A) Tj {far} 0 Td (A) Tj ET").text() == "AA"


@pytest.mark.parametrize("size", [1, 10, 30, 60, 90])
def test_a_line_struck_again_is_found_at_any_size(size: float) -> None:
    assert read(f"BT /F1 {size} Tf 10 300 Td (Struck) Tj {0.05 * size} {0.05 * size} Td (Struck) Tj ET").text() == "Struck"


def test_a_font_without_widths_piles_its_glyphs_up_but_they_count() -> None:
    assert text("[(o) 500 (o) 500 (l)] TJ") == "ool"


def test_a_page_drawn_twice() -> None:
    lines = "".join(f"BT /F1 10 Tf 72 {700 - 12 * at} Td (line number {at}) Tj ET\n" for at in range(40))
    assert read(lines + lines).text().splitlines() == [f"line number {at}" for at in range(40)]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        pytest.param([(100, "one"), (123, "two"), (115, ",")], "one, two", id="a comma"),
        pytest.param([(100, "one"), (123, "two"), (146, "six"), (115, ","), (138, ";")], "one, two; six", id="two"),
        pytest.param([(100, "one"), (123, "two"), (146, "six"), (138, ";"), (115, ",")], "one, two; six", id="two, from behind"),
        pytest.param([(100, "one"), (120, "two"), (115, "-")], "one-two", id="no room for spaces"),
        pytest.param([(100, "a"), (130, "c"), (110, "mid")], "a mid c", id="a word"),
        pytest.param([(100, "one"), (123, "two"), (115, ","), (143, "end")], "one, two end", id="and on it goes"),
        pytest.param([(100, "one"), (123, "two"), (114, ",")], "one, two", id="a little to the left"),
        pytest.param([(100, "one"), (120, "two"), (112, ",,")], "one two\n,,", id="over the letters"),
        pytest.param([(100, "one"), (120, "two"), (115, "much wider")], "one two\nmuch wider", id="too wide"),
        pytest.param([(100, "one"), (120, "two"), (60, "left")], "one two\nleft", id="no glyph before it"),
        pytest.param([(100, "one     two"), (120, ",")], "one     two\n,", id="between blanks"),
    ],
)
def test_a_run_that_moves_back_goes_into_the_hole_it_fits(pieces: list[tuple[float, str]], expected: str) -> None:
    assert read(line_of(pieces)).text() == expected


def test_a_hole_is_looked_for_on_the_current_line_alone() -> None:
    first, second = line_of([(100, "one"), (120, "two")]), line_of([(100, "three")], y=688)
    assert read(first + second + line_of([(115, ",")])).text() == "one two\nthree\n,"


def test_a_hole_in_turned_text() -> None:
    matrix = "0 1 -1 0 300"
    source = f"{matrix} 100 Tm (one) Tj {matrix} 123 Tm (two) Tj {matrix} 115 Tm (,) Tj"
    assert text(source) == "one, two"
