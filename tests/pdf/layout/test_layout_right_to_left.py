"""Right-to-left lines: drawn in visual order, read in logical order.

Each case draws what a producer draws: the characters as they stand on the page, from left to right.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.sheet import Sheet, line_of, read

SHALOM, OLAM, SEFER = "שלום", "עולם", "ספר"
SALAM, KITAB = "سلام", "كتاب"


def back(text: str) -> str:
    """A right-to-left word as it stands on the page, from left to right."""
    return text[::-1]


def drawn(visual: str) -> str:
    return read(line_of([(100, visual)])).text()


@pytest.mark.parametrize(
    ("logical", "visual"),
    [
        pytest.param(SHALOM, back(SHALOM), id="a word"),
        pytest.param(f"{SHALOM} {OLAM}", f"{back(OLAM)} {back(SHALOM)}", id="two words"),
        pytest.param(f"{SALAM} {KITAB}", f"{back(KITAB)} {back(SALAM)}", id="Arabic"),
        pytest.param(f"{SHALOM}, {OLAM}.", f".{back(OLAM)} ,{back(SHALOM)}", id="punctuation"),
        pytest.param(f"{SHALOM} 25 {OLAM}", f"{back(OLAM)} 25 {back(SHALOM)}", id="a number"),
        pytest.param(f"{SHALOM} 1,234.56 {OLAM}", f"{back(OLAM)} 1,234.56 {back(SHALOM)}", id="a number with separators"),
        pytest.param(f"{SHALOM} 12/05/2024 {OLAM}", f"{back(OLAM)} 12/05/2024 {back(SHALOM)}", id="a date"),
        pytest.param(f"{SHALOM} 10:30 {OLAM}", f"{back(OLAM)} 10:30 {back(SHALOM)}", id="a time"),
        pytest.param(f"{SHALOM} 50% {OLAM}", f"{back(OLAM)} 50% {back(SHALOM)}", id="per cent"),
        pytest.param(f"{SHALOM} 2024", f"2024 {back(SHALOM)}", id="a number at the end"),
        pytest.param(f"2024 {SHALOM}", f"{back(SHALOM)} 2024", id="a number at the start"),
        pytest.param(f"{SALAM} ٢٥ {KITAB}", f"{back(KITAB)} ٢٥ {back(SALAM)}", id="Arabic digits"),
        pytest.param(f"{SHALOM} Al Ko {OLAM}", f"{back(OLAM)} Al Ko {back(SHALOM)}", id="Latin words"),
        pytest.param(f"the word {SHALOM} means peace", f"the word {back(SHALOM)} means peace", id="a word in a Latin line"),
        pytest.param(
            f"the words {SHALOM} {OLAM} mean hello", f"the words {back(OLAM)} {back(SHALOM)} mean hello", id="two in a Latin line"
        ),
        pytest.param(f"see {SHALOM} (page 12) there", f"see {back(SHALOM)} (page 12) there", id="brackets in a Latin line"),
    ],
)
def test_visual_order_is_reversed(logical: str, visual: str) -> None:
    assert drawn(visual) == logical


@pytest.mark.parametrize("latin", ["PDF 1.7", "COVID-19", "Win 95", "F-16", "A4", "x2"])
def test_a_number_behind_a_latin_word_stays_behind_it(latin: str) -> None:
    """Annex #9, W7: such a number belongs to the Latin word before it."""
    assert drawn(f"{back(OLAM)} {latin} {back(SHALOM)}") == f"{SHALOM} {latin} {OLAM}"


BRACKETS = [
    (f"{SHALOM} ({OLAM})", f"({back(OLAM)}) {back(SHALOM)}"),
    (f"{SHALOM} [{OLAM}] {SEFER}", f"{back(SEFER)} [{back(OLAM)}] {back(SHALOM)}"),
    (f"{SHALOM} «{OLAM}»", f"«{back(OLAM)}» {back(SHALOM)}"),
    (f"{SHALOM} (25)", f"(25) {back(SHALOM)}"),
    (f"{SHALOM} (Al Ko) {OLAM}", f"{back(OLAM)} (Al Ko) {back(SHALOM)}"),
    (f"({SHALOM}) [{OLAM}]", f"[{back(OLAM)}] ({back(SHALOM)})"),
    (f"([{SHALOM}])", f"([{back(SHALOM)}])"),
]


@pytest.mark.parametrize(("logical", "visual"), BRACKETS)
def test_brackets_that_are_what_they_look_like_are_mirrored(logical: str, visual: str) -> None:
    assert drawn(visual) == logical


@pytest.mark.parametrize(("logical", "visual"), BRACKETS)
def test_brackets_that_are_what_they_mean_are_kept(logical: str, visual: str) -> None:
    """Other producers map the glyph of a mirrored opening bracket, which looks like a closing one, to an opening one."""
    assert drawn(visual.translate(str.maketrans("()[]«»", ")(][»«"))) == logical


RIGHT = st.text(st.sampled_from("אבגדהוזחטיךכלם"), min_size=1, max_size=5)
LEFT = st.one_of(
    st.text(st.sampled_from("abcxyz"), min_size=1, max_size=5),
    st.integers(0, 99999).map(str),
    st.sampled_from(["one two", "3.14", "1,000", "7:45"]),
)


@settings(max_examples=60)
@given(words=st.lists(st.tuples(RIGHT, LEFT), min_size=1, max_size=5), last=st.lists(RIGHT, min_size=1, max_size=2))
def test_words_and_numbers_between_right_to_left_words(words: list[tuple[str, str]], last: list[str]) -> None:
    logical = [word for pair in words for word in pair] + last
    rights = sum(len(word) for word in logical if word[0] >= "א")
    lefts = sum(character.isalpha() and character < "א" for word in logical for character in word)
    if rights < lefts:
        return  # a Latin line
    visual = [back(word) if word[0] >= "א" else word for word in reversed(logical)]
    assert drawn(" ".join(visual)) == " ".join(logical)


def test_each_line_by_itself() -> None:
    content = (
        line_of([(100, f"{back(OLAM)} {back(SHALOM)}")]) + line_of([(100, "plain")], 688) + line_of([(100, back(SEFER))], 676)
    )
    assert read(content).text() == f"{SHALOM} {OLAM}\nplain\n{SEFER}"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)])
def test_runs_are_sorted_by_their_places(order: tuple[int, ...]) -> None:
    pieces = [(100.0, back(SEFER)), (120.0, back(OLAM)), (145.0, back(SHALOM))]
    assert read(line_of(pieces[at] for at in order)).text() == f"{SHALOM} {OLAM} {SEFER}"


def test_gaps_are_spaces_as_in_any_line() -> None:
    gap, none = (
        read(f"BT /F2 10 Tf 100 700 Td [{{{back(OLAM)}}} {kern} {{{back(SHALOM)}}}] TJ ET").text() for kern in (-160, -140)
    )
    assert gap == f"{SHALOM} {OLAM}"
    assert none == f"{SHALOM}{OLAM}"


def leftwards(text: str, x: float = 300, step: float = 5) -> str:
    return "".join(f"1 0 0 1 {x - step * at} 700 Tm {{{character}}} Tj " for at, character in enumerate(text) if character != "_")


@pytest.mark.parametrize(
    ("text", "expected"),
    [(SHALOM, SHALOM), (f"{SHALOM} {OLAM}", f"{SHALOM} {OLAM}"), (f"{SHALOM}_{OLAM}", f"{SHALOM} {OLAM}")],
)
def test_letters_that_advance_leftwards_are_in_logical_order(text: str, expected: str) -> None:
    assert read(f"BT /F2 10 Tf {leftwards(text)} ET").text() == expected


def test_a_leftward_line_with_a_number_stays_as_it_is() -> None:
    source = f"BT /F2 10 Tf {leftwards(SHALOM + ' ')} 1 0 0 1 260 700 Tm {{25}} Tj {leftwards(' ' + OLAM, 255)} ET"
    assert read(source).text() == f"{SHALOM} 25 {OLAM}"


def test_a_ligature_stays_whole() -> None:
    sheet = Sheet()
    codes = [sheet.any.code(text) for text in ("م", "لا", "س")]
    codes_as_hex = "".join(f"{code:04x}" for code in codes)
    assert sheet.read(f"BT /F2 10 Tf 100 700 Td <{codes_as_hex}> Tj ET").text() == "سلام"


def test_an_actual_text_stays_whole() -> None:
    actual = f"/Span <</ActualText <FEFF{SHALOM.encode('utf-16-be').hex()}>>> BDC {{abcd}} Tj EMC"
    source = f"BT /F2 10 Tf 100 700 Td {{{back(OLAM)} }} Tj {actual} {{ {back(SEFER)}}} Tj ET"
    assert read(source).text() == f"{SEFER} {SHALOM} {OLAM}"


def test_a_mark_follows_its_letter() -> None:
    kamatz = "\u05b8"
    source = f"BT /F2 10 Tf 100 700 Td [{{ם}} {{ש}} 500 {{{kamatz}}} {{ל}}] TJ ET"
    assert read(source).text() == f"לש{kamatz}ם"


def test_the_first_character_is_cited_on_the_right() -> None:
    page = read(line_of([(100, back(SHALOM))]))
    (first,), (last,) = page.quads(0, 1), page.quads(3, 4)
    assert (first.bounds.x0, first.bounds.x1) == (115, 120)
    assert (last.bounds.x0, last.bounds.x1) == (100, 105)


def test_upwards() -> None:
    assert read(f"BT /F2 10 Tf 0 1 -1 0 300 400 Tm {{{back(OLAM)} 25 {back(SHALOM)}}} Tj ET").text() == f"{SHALOM} 25 {OLAM}"
