"""Which gaps between glyphs are spaces."""

from __future__ import annotations

import pytest

from support.sheet import Sheet, read, turned


def text(source: str) -> str:
    return read(f"BT 100 400 Td {source} ET").text()


@pytest.mark.parametrize(("gap", "expected"), [(-0.2, "AB"), (0, "AB"), (0.14, "AB"), (0.16, "A B"), (20, "A B")])
@pytest.mark.parametrize(
    "form",
    [
        pytest.param("/F1 20 Tf [(A) {kern} (B)] TJ", id="TJ"),
        pytest.param("/F1 20 Tf (A) Tj {move} 0 Td (B) Tj", id="Td"),
        pytest.param("/F1 20 Tf (A) Tj ET BT {place} 400 Td (B) Tj", id="two text objects"),
        pytest.param("/F1 20 Tf (A) Tj ET q 1 0 0 1 {place} 400 cm BT /F1 20 Tf (B) Tj ET Q BT", id="cm"),
    ],
)
def test_a_gap_over_fifteen_hundredths_of_an_em_is_a_space(form: str, gap: float, expected: str) -> None:
    assert text(form.format(kern=-1000 * gap, move=10 + 20 * gap, place=110 + 20 * gap)) == expected


def test_the_em_is_that_of_the_glyph_behind_the_gap() -> None:
    assert text("/F1 10 Tf (A) Tj 7 0 Td /F1 20 Tf (B) Tj") == "AB"  # 2 points are 0.1 of its em
    assert text("/F1 20 Tf (A) Tj 12 0 Td /F1 10 Tf (B) Tj") == "A B"  # and 0.2 of this one's


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("/F2 10 Tf 3 Tc [{9} 300 {5} 300 {后}] TJ", "95后", id="Tc given back through TJ"),
        pytest.param("/F2 10 Tf -3 Tc [{9} -300 {5} -300 {后}] TJ", "95后", id="negative Tc given back"),
        pytest.param("/F2 10 Tf -1 Tc {95后} Tj", "95后", id="negative Tc"),
        pytest.param("/F1 10 Tf 1.4 Tc (AB) Tj", "AB", id="Tc under the threshold"),
        pytest.param("/F1 10 Tf 3 Tc (A) Tj 5 0 Td (B) Tj", "AB", id="Tc left behind by Td"),
        pytest.param("/F1 10 Tf 3 Tc (A) Tj 0 Tc (B) Tj", "A B", id="Tc at the end of a string"),
        pytest.param("/F1 10 Tf 9 Tw (A ) Tj 0 Tw (B) Tj", "A B", id="Tw on a space"),
        pytest.param("/F1 10 Tf -5 Tw (A B) Tj", "A B", id="Tw takes the space's width"),
    ],
)
def test_the_gap_is_measured_from_the_end_of_the_glyph_not_from_the_pen(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("50 Tz [(A) -290 (B)] TJ", "AB"),
        ("50 Tz [(A) -310 (B)] TJ", "A B"),
        ("200 Tz [(A) -70 (B)] TJ", "AB"),
        ("200 Tz [(A) -80 (B)] TJ", "A B"),
        ("-100 Tz [(A) -140 (B) -160 (C)] TJ", "AB C"),
    ],
)
def test_scaling_widens_the_gap_but_not_the_em(source: str, expected: str) -> None:
    assert text("/F1 10 Tf " + source) == expected


@pytest.mark.parametrize(
    "setup",
    [
        "/F1 10 Tf 1 0 0 1 100 400 Tm",
        "/F1 1 Tf 10 0 0 10 100 400 Tm",
        "/F1 40 Tf 0.25 0 0 0.25 100 400 Tm",
        "/F1 -10 Tf -1 0 0 -1 100 400 Tm",
        "/F1 -10 Tf 1 0 0 1 100 400 Tm",
        "/F1 10 Tf -1 0 0 1 100 400 Tm",
        "/F1 10 Tf 1 0 0 -1 100 400 Tm",
        "/F1 10 Tf 1 0 0.3 1 100 400 Tm",
        *(f"/F1 10 Tf {turned(angle, 300, 400)}" for angle in (0, 37, 90, 180, -45)),
    ],
)
def test_the_rule_holds_under_every_matrix(setup: str) -> None:
    assert text(setup + " [(AB) -140 (C) -160 (D)] TJ") == "ABC D"


def test_the_gap_lies_along_the_writing_direction_of_the_glyph_before_it() -> None:
    upwards = "/F1 10 Tf 0 1 -1 0 100 400 Tm (A) Tj"
    assert text(f"{upwards} 1 0 0 1 100 406.6 Tm (B) Tj") == "A B"
    assert text(f"{upwards} 1 0 0 1 102 405 Tm (B) Tj") == "AB"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("/F1 10 Tf [(A ) -500 (B)] TJ", "A B"),
        ("/F1 10 Tf [(A) -500 ( B)] TJ", "A B"),
        ("/F1 10 Tf [(A) -500 ( ) -500 (B)] TJ", "A B"),
        ("/F1 10 Tf [(A) -500 (\xa0) -500 (B)] TJ", "A\xa0B"),
        ("/F2 10 Tf [{A} -500 {\u3000} -500 {B}] TJ", "A\u3000B"),
        ("/F2 10 Tf [{A} -500 {\u2009} -500 {B}] TJ", "A\u2009B"),
        ("/F1 10 Tf (A  B) Tj", "A  B"),
    ],
)
def test_no_space_beside_white_space(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize("mark", ["\u0331", "\u20dd", "\u0e34", "\u05b8", "\u3099", "\u093f", "\u0903"])
def test_no_space_before_a_combining_mark(mark: str) -> None:
    assert text(f"/F2 10 Tf [{{x}} -300 {{{mark}}}] TJ") == "x" + mark


@pytest.mark.parametrize(
    ("pair", "separator"),
    [
        ("漢字", ""),
        ("ひら", ""),
        ("カタ", ""),
        ("ｶﾀ", ""),
        ("漢の", ""),
        ("字、", ""),
        ("𠀋𠂉", ""),
        ("한국", " "),
        ("한字", " "),
        ("漢A", " "),
        ("1字", " "),
        ("กข", " "),
    ],
)
def test_a_gap_is_no_space_between_han_and_kana_alone(pair: str, separator: str) -> None:
    assert text(f"/F2 10 Tf [{{{pair[0]}}} -400 {{{pair[1]}}}] TJ") == separator.join(pair)


def test_real_spaces_count_however_narrow_or_wide() -> None:
    sheet = Sheet()
    narrow = sheet.writer.add_font(widths={32: 50, 65: 500, 66: 500})
    assert sheet.read(f"BT /{narrow.name} 10 Tf 100 400 Td (A B) Tj ET").text() == "A B"
    assert read("BT /F1 10 Tf 100 400 Td [(A ) 480 (B)] TJ ET").text() == "A B"


def test_each_line_begins_and_ends_without_added_spaces() -> None:
    assert text("/F1 10 Tf (A) Tj 300 -20 Td (B) Tj -300 -20 Td (C) Tj") == "A\nB\nC"
