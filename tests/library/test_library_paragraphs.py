"""Lines of a paragraph are one text to a search, hyphens at their ends undone; the page's own text keeps its lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite
from pincite.library import Library
from support.layouts import column, draw
from support.sheet import Sheet

LINES = [
    "The old har-",
    "bour lies open to the west, a well-",
    "Known place for ships. The co\u00ad",
    "operation of twenty\u2010",
    "two keepers",
]
TEXT = "\n".join(LINES)


@pytest.fixture
def pdf() -> bytes:
    sheet = Sheet()
    sheet.add(draw(column(72, 700, LINES)))
    return sheet.writer.write()


@pytest.fixture
def library(tmp_path: Path, pdf: bytes) -> Iterator[Library]:
    (tmp_path / "a.pdf").write_bytes(pdf)
    with Library(tmp_path / "library.sqlite") as opened:
        opened.ingest([tmp_path / "a.pdf"])
        yield opened


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("harbour", "har-\nbour"),
        ('"old harbour lies open"', "old har-\nbour lies open"),
        ('"west a well known place"', "west, a well-\nKnown place"),
        ("cooperation", "co\u00ad\noperation"),
        ('"cooperation of twentytwo keepers"', "co\u00ad\noperation of twenty\u2010\ntwo keepers"),
    ],
)
def test_a_search_reads_over_line_ends(library: Library, query: str, shown: str) -> None:
    (hit,) = library.search(query)
    ((start, end),) = hit.matches
    assert TEXT[start:end] == shown
    assert library.resolve(f"a.pdf:p1:span={start}-{end}").text == shown


def test_the_text_keeps_its_lines_and_hyphens(library: Library, pdf: bytes) -> None:
    page = library.page(library.document("a.pdf"), 1)
    assert page is not None
    assert page.text == TEXT
    with pincite.open(pdf) as document:
        assert document.page(1).text() == TEXT
        assert document.page(1).text(hyphens="join") == (
            "The old harbour lies open to the west, a well-Known place for ships. The cooperation of twentytwo keepers"
        )
