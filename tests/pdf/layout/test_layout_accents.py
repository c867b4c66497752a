"""Accents that are drawn over their letters, as TeX and others do."""

from __future__ import annotations

import unicodedata

import pytest

from support.sheet import Sheet, line_of, read


def text(source: str) -> str:
    return read(f"BT 100 700 Td {source} ET").text("content")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("[(´) 500 (e)] TJ", "é", id="before its letter"),
        pytest.param("[(e) 500 (´)] TJ", "é", id="after its letter"),
        pytest.param("(´) Tj 0 0 Td (e) Tj", "é", id="in an operator of its own"),
        pytest.param("2 Ts (´) Tj 0 Ts [500 (E)] TJ", "É", id="raised over a capital"),
        pytest.param("[(E) 500] TJ 2 Ts (´) Tj", "É", id="raised, after its capital"),
        pytest.param("0 2.3 Td (´) Tj 0 -2.3 Td (A) Tj", "Á", id="moved up by Td"),
        pytest.param("[(´) 350 (e)] TJ", "é", id="off the middle to the left"),
        pytest.param("[(´) 650 (e)] TJ", "é", id="off the middle to the right"),
        pytest.param("[(caf) (´) 500 (e) ( noir)] TJ", "café noir", id="at the end of a word"),
        pytest.param("[(cafe) 500 (´) ( noir)] TJ", "café noir", id="at the end of a word, after its letter"),
        pytest.param("[(d) (´) 500 (e) (j) (`) 500 (a)] TJ", "déjà", id="several in a word"),
        pytest.param("[(ne´) 500 (e)] TJ", "neé", id="its letter is the one under it, not the one before"),
        pytest.param("[(ee) 500 (´) (n)] TJ", "eén", id="its letter is the one under it, not the one behind"),
        pytest.param("[(a) -300 (´) 500 (e)] TJ", "a é", id="behind a gap"),
        pytest.param("[(´) 500 (e) -300 (a)] TJ", "é a", id="before a gap"),
    ],
)
def test_an_accent_composes_with_the_letter_under_it(source: str, expected: str) -> None:
    assert text("/F1 10 Tf " + source) == expected


@pytest.mark.parametrize(
    ("accent", "letter", "expected"),
    [
        ("`", "a", "à"),
        ("´", "o", "ó"),
        ("^", "i", "î"),
        ("ˆ", "i", "î"),
        ("~", "n", "ñ"),
        ("˜", "N", "Ñ"),
        ("¨", "u", "ü"),
        ("¯", "a", "ā"),
        ("ˉ", "a", "ā"),
        ("¸", "c", "ç"),
        ("ˇ", "s", "š"),
        ("˘", "a", "ă"),
        ("˙", "z", "ż"),
        ("˚", "A", "Å"),
        ("˝", "o", "ő"),
        ("˛", "e", "ę"),
        ("´", "ı", "í"),
        ("¨", "ı", "ï"),
        ("ˇ", "ȷ", "ǰ"),
        ("\u0301", "e", "é"),
        ("\u0327", "ş"[0], "ş"),
        ("´", "α", "ά"),
    ],
)
@pytest.mark.parametrize("order", ["before", "after"])
def test_all_accents(accent: str, letter: str, expected: str, order: str) -> None:
    if letter == expected:
        letter = unicodedata.normalize("NFD", expected)[0]
    drawn = f"{{{accent}}} 500 {{{letter}}}" if order == "before" else f"{{{letter}}} 500 {{{accent}}}"
    assert text(f"/F2 10 Tf [{{a}} {drawn} {{b}}] TJ") == f"a{expected}b"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("(a ´ b) Tj", "a ´ b", id="alone"),
        pytest.param("(a´b) Tj", "a´b", id="between letters"),
        pytest.param("(x^2) Tj", "x^2", id="in a formula"),
        pytest.param("(`quoted') Tj", "`quoted'", id="as a quotation mark"),
        pytest.param("(~/home) Tj", "~/home", id="in a path"),
        pytest.param("[(~) 500 (2)] TJ", "~2", id="over a digit"),
        pytest.param("(e) Tj 0 -12 Td (´) Tj", "e\n´", id="a line below"),
        pytest.param("(e) Tj 0 24 Td (´) Tj", "e\n´", id="two lines above"),
    ],
)
def test_an_accent_that_stands_over_no_letter_stays(source: str, expected: str) -> None:
    assert text("/F1 10 Tf " + source) == expected


def test_a_letter_that_no_character_has_with_this_accent_keeps_both() -> None:
    assert sorted(text("/F1 10 Tf [(¸) 500 (x)] TJ")) == ["x", "¸"]


def test_a_combining_mark_behind_its_letter_stays_as_it_is() -> None:
    zero_width = Sheet()
    font = zero_width.writer.add_composite_font(default_width=500, widths={2: 0}, codes={"x": 1, "\u0331": 2, "y": 3})
    assert zero_width.read([font.text(100, 700, "x\u0331y")]).text() == "x\u0331y"


def test_accents_in_every_direction() -> None:
    for matrix in ("0 1 -1 0", "-1 0 0 -1", "0.8 0.6 -0.6 0.8", "-1 0 0 1"):
        assert text(f"/F1 10 Tf {matrix} 300 400 Tm [(caf) (´) 500 (e)] TJ") == "café"


def test_the_character_is_cited_where_its_letter_is() -> None:
    page = read("BT /F1 10 Tf 100 700 Td [(caf) (´) 500 (e) ( noir)] TJ ET")
    (quad,) = page.quads(3, 4)
    assert (quad.lower_left[0], quad.lower_right[0]) == (115, 120)


def test_accents_of_a_page_in_two_columns() -> None:
    pieces = [(100.0, "e"), (100.0, "´"), (300.0, "a"), (300.0, "`")]
    assert read(line_of(pieces)).text() == "é à"
