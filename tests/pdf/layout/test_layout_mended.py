"""Faults that were mended, each with the right value."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.pdf.content.optional import OptionalContent
from support.sheet import Sheet, line_of, read


def test_content_cut_inside_a_string_with_nested_parentheses() -> None:
    assert (
        read(["BT /F1 10 Tf 100 700 Td (any (th", "ing) at) Tj 0 -20 Td (a (b) c", "d) Tj ET"]).text()
        == "any (thing) at\na (b) cd"
    )


def test_content_cut_behind_a_comment_with_a_parenthesis() -> None:
    first = "% :( \nBT /F1 10 Tf 100 700 Td <61> Tj 0 -20 Td <62> Tj 0 0 0 rg ET Q"
    assert read([first, "BT /F1 10 Tf 100 600 Td <63> Tj ET"]).text() == "a\nb\nc"


def test_an_actual_text_over_two_lines_has_a_quad_on_each() -> None:
    page = read("BT /F1 10 Tf 100 700 Td /Span <</ActualText (Drucker)>> BDC (Druk-) Tj 0 -12 Td (ker) Tj EMC ET")
    assert page.text() == "Drucker"
    assert len(page.quads(0, 7)) == 2


@pytest.mark.parametrize(
    ("logical", "visual"),
    [
        ("25-30", "30-25"),
        ("50%", "%50"),
        ("$50", "50$"),
        ("2024-05-12", "12-05-2024"),
        ("+972-3-123", "123-3-972+"),
        ("25°", "°25"),
        ("#5", "5#"),
    ],
)
def test_european_digits_among_arabic_letters_count_as_arabic_ones(logical: str, visual: str) -> None:
    """Annex #9, W2: so a hyphen, a percent sign or a currency sign beside them is a neutral, and stands on the other side."""
    first, last = "سلام", "كتاب"
    assert read(line_of([(100, f"{last[::-1]} {visual} {first[::-1]}")])).text() == f"{first} {logical} {last}"


def test_a_number_between_right_to_left_words_in_a_latin_line() -> None:
    first, last = "שלום", "עולם"
    line = read(line_of([(100, f"abcdef: {last[::-1]} 25 {first[::-1]} ghijkl mnop")])).text()
    assert line == f"abcdef: {first} 25 {last} ghijkl mnop"


def test_an_expression_that_contains_itself_is_not_walked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    expression = OptionalContent._expression

    def counted(self: OptionalContent, items: list[Any], depth: int) -> bool:
        calls.append(depth)
        assert len(calls) < 10_000
        return expression(self, items, depth)

    monkeypatch.setattr(OptionalContent, "_expression", counted)
    sheet = Sheet()
    off = sheet.writer.add_layer("Off", visible=False)
    loop: list[Any] = ["/And", off]
    reference = sheet.writer.add(loop)
    loop += [reference] * 4
    membership = sheet.writer.add({"Type": "/OCMD", "VE": reference})
    page = sheet.read("BT /F1 10 Tf 100 700 Td /OC /MC0 BDC (off) Tj EMC (on) Tj ET", properties={"MC0": membership})
    assert page.text() == "on"


def test_scripts_raised_by_more_than_half_their_line_stay_on_it() -> None:
    """An author line: 12 point names, 7 point affiliations raised by 7 points, text that goes on at the baseline."""
    content = "BT /F1 12 Tf 100 700 Td (Kazerani) Tj /F1 7 Tf 50 7 Td (3) Tj /F1 12 Tf 5 -7 Td (; Zomorodian) Tj ET"
    assert read(content).text() == "Kazerani 3; Zomorodian"


def test_stacked_scripts_stay_on_the_line() -> None:
    content = "BT /F1 12 Tf 100 700 Td (x) Tj /F1 7 Tf 7 5 Td (2) Tj 0 -9 Td (i) Tj /F1 12 Tf 8 4 Td (= 1) Tj ET"
    assert read(content).text().replace(" ", "").replace("\n", "") == "x2i=1"


def test_a_smaller_line_below_is_no_script() -> None:
    content = "BT /F1 12 Tf 100 700 Td (Title) Tj /F1 8 Tf 0 -9 Td (subtitle) Tj ET"
    assert read(content).text() == "Title\nsubtitle"


def test_a_heading_tracked_by_character_spacing_reads_as_its_words() -> None:
    assert read("BT /F1 10 Tf 100 700 Td 4 Tc (CONTENTS) Tj ET").text() == "CONTENTS"
    assert read("BT /F1 10 Tf 100 700 Td 4 Tc (ON TIME) Tj ET").text() == "ON TIME"


def test_spacing_handed_back_inside_words_still_parts_them() -> None:
    content = "BT /F1 10 Tf 100 700 Td 3 Tc [(f) 300 (r) 300 (o) 300 (m) (a) 300 (n)] TJ ET"
    assert read(content).text() == "from an"
