"""Words and lines with their places, and the text of a document in one call."""

from __future__ import annotations

import io

import pytest

import pincite
from pincite.model.page_ranges import parse_page_ranges
from support.pdfwriter import PdfWriter, simple_pdf


def test_words_and_lines_have_spans_and_quads() -> None:
    writer = PdfWriter()
    font = writer.add_font("Courier")
    writer.add_page(font.text(100, 700, "two words", size=10) + font.text(100, 680, "below", size=10))
    with pincite.open(writer.write()) as document:
        page = document.page(1)
        words, lines = page.words(), page.lines()
        assert [word.text for word in words] == ["two", "words", "below"]
        assert [line.text for line in lines] == ["two words", "below"]
        for piece in (*words, *lines):
            assert page.text()[piece.start : piece.end] == piece.text
        assert words[1].quad is not None
        assert words[1].quad.bounds.x0 == pytest.approx(124)
        assert words[1].quad.bounds.x1 == pytest.approx(154)
        assert lines[1].quad is not None
        assert lines[1].quad.bounds.y0 < 680 < lines[1].quad.bounds.y1


def test_the_line_of_turned_text_has_a_turned_quad() -> None:
    writer = PdfWriter()
    font = writer.add_font("Courier")
    writer.add_page(font.text(100, 100, "up", size=10, matrix=(0, 1, -1, 0)))
    with pincite.open(writer.write()) as document:
        (line,) = document.page(1).lines()
        assert line.quad is not None
        assert line.quad.lower_right[1] - line.quad.lower_left[1] == pytest.approx(12)
        assert line.quad.lower_left[0] == pytest.approx(line.quad.lower_right[0])


def test_write_text() -> None:
    with pincite.open(simple_pdf(["one", "two", "three", "four"])) as document:
        text = io.StringIO()
        assert document.write_text(text) == 4
        assert text.getvalue() == "one\ftwo\fthree\ffour"
        data = io.BytesIO()
        assert document.write_text(data, pages="2,4-", separator="\n", bom=True) == 2
        assert data.getvalue() == b"\xef\xbb\xbftwo\nfour"
        with pytest.raises(ValueError, match="no page range"):
            document.write_text(text, pages="x")


@pytest.mark.parametrize(
    ("text", "pages"),
    [("1-3,7,10-", [1, 2, 3, 7, 10, 11]), ("2", [2]), ("-2", [1, 2]), ("12-", []), (" 3 , 1", [3, 1]), ("9-20", [9, 10, 11])],
)
def test_page_ranges(text: str, pages: list[int]) -> None:
    assert parse_page_ranges(text, 11) == pages


@pytest.mark.parametrize("text", ["", "-", "0", "0-3", "3-1", "1;2", "a", "1--2", "1,,2"])
def test_what_is_no_page_range(text: str) -> None:
    with pytest.raises(ValueError, match="page range"):
        parse_page_ranges(text, 11)
