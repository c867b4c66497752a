"""What the engine does not do yet."""

from __future__ import annotations

from support.sheet import read


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
