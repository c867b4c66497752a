"""Marks that are drawn apart from their bases."""

from __future__ import annotations

from support.sheet import Sheet


def cluster_sheet() -> tuple[Sheet, str]:
    """A font in which code 9 is a mark without width (U+0331), and codes 1 to 3 are a, b and c."""
    sheet = Sheet()
    font = sheet.writer.add_composite_font(default_width=500, widths={9: 0}, codes={"a": 1, "b": 2, "c": 3, "\u0331": 9})
    return sheet, f"BT /{font.name} 10 Tf 100 700 Td"


def test_no_space_behind_a_mark_over_its_base() -> None:
    sheet, setup = cluster_sheet()
    # the mark stands in the middle of a, and b where a ends: a quarter of an em behind the mark
    assert sheet.read(f"{setup} [<0001> 250 <0009> -250 <0002>] TJ ET").text() == "a\u0331b"


def test_a_space_behind_a_mark_is_measured_from_the_end_of_its_base() -> None:
    sheet, setup = cluster_sheet()
    assert sheet.read(f"{setup} [<0001> 250 <0009> -390 <0002>] TJ ET").text() == "a\u0331b"
    assert sheet.read(f"{setup} [<0001> 250 <0009> -410 <0002>] TJ ET").text() == "a\u0331 b"


def test_a_mark_in_an_operator_of_its_own() -> None:
    sheet, setup = cluster_sheet()
    assert sheet.read(f"{setup} <00010002> Tj 2.5 -2 Td <0009> Tj 7.5 2 Td <0003> Tj ET").text() == "ab\u0331c"


def test_the_text_of_a_cluster_that_is_marked_on_both_its_halves_counts_once() -> None:
    sheet, setup = cluster_sheet()
    actual = "/Span <</ActualText <FEFF00780331>>> BDC"
    page = sheet.read(f"{setup} <0002> Tj {actual} <0001> Tj EMC {actual} <0009> Tj EMC <0003> Tj ET")
    assert page.text() == "bx\u0331c"


def test_the_same_text_on_two_words_counts_twice() -> None:
    sheet, setup = cluster_sheet()
    actual = "/Span <</ActualText (so)>> BDC"
    assert sheet.read(f"{setup} {actual} <0001> Tj EMC {actual} <0002> Tj EMC ET").text() == "soso"
