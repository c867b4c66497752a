"""Citations of tables and cells, from the file to the quotation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote as percent_quote

import pytest

from pincite.library import Library
from pincite.model.citation import Citation
from support.tablesheet import TableSheet


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    sheet = TableSheet()
    sheet.text(72, 740, "Sums of the year")
    sheet.grid(72, 700, [80, 80], 30, [["Name", "Paid\nthis year"], ["Ann", "1,200"], ["", "7"]])
    sheet.next_page()
    sheet.text(72, 700, "words alone")
    sheet.next_page()
    path = tmp_path / "sums.pdf"
    path.write_bytes(sheet.writer.write())
    with Library(tmp_path / "library.sqlite") as opened:
        opened.ingest([path])
        yield opened


def test_a_cell_resolves_like_a_span(library: Library) -> None:
    quote = library.show("sums.pdf:p1:table=1:cell=2,2")
    assert (quote.text, quote.verdict, quote.page, quote.pieces) == ("1,200", "exact", 1, ())
    assert quote.span is not None
    assert library.show(Citation("sums.pdf", 1, quote.span)).text == "1,200"
    assert library.show("sums.pdf:p1:table=1:cell=1,2").text == "Paid\nthis year"


def test_a_table_is_all_of_its_cells(library: Library) -> None:
    quote = library.show("sums.pdf:p1:table=1")
    assert quote.text == "Name\nPaid\nthis year\nAnn\n1,200\n7"
    assert len(quote.pieces) == 5


def test_cells_are_checked_and_exported(library: Library) -> None:
    cell, table = "sums.pdf:p1:table=1:cell=1,2", "sums.pdf:p1:table=1"
    assert library.check("Paid this year", cell).grade == "folded"
    assert library.check("Paid\nthis year", cell).grade == "exact"
    assert library.check("this year Ann 1,200", table).grade == "folded"
    assert library.check("1,200", "sums.pdf:p1:table=1:cell=2,2").grade == "exact"
    assert library.check("Paid this", cell).grade == "absent"  # of a cell, few words are all or nothing
    assert library.check("1,300", "sums.pdf:p1:table=1:cell=2,2").grade == "absent"
    outside = library.check("Sums of the year", table)
    assert (outside.grade, outside.is_faithful) == ("exact", False)
    exported = json.loads(library.export([cell], "w3c"))
    assert exported["id"].endswith(percent_quote(cell))
    quoted = [one for one in exported["target"]["selector"] if one["type"] == "TextQuoteSelector"]
    assert [one["exact"] for one in quoted] == ["Paid\nthis year"]
    assert cell in library.export([cell], "markdown")


@pytest.mark.parametrize(
    ("citation", "why"),
    [
        ("sums.pdf:p1:table=2", "no table 2"),
        ("sums.pdf:p2:table=1", "no tables"),
        ("sums.pdf:p1:table=1:cell=9,1", "no cell 9,1"),
        ("sums.pdf:p1:table=1:cell=3,1", "blank"),
        ("sums.pdf:p3:table=1", "no page 3"),
    ],
)
def test_what_is_not_there_is_absent(library: Library, citation: str, why: str) -> None:
    quote = library.resolve(citation)
    assert (quote.verdict, quote.text) == ("absent", None)
    assert why in (quote.reason or "")


def test_a_file_that_is_gone_or_another(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "sums.pdf"
    path.write_bytes(path.read_bytes() + b"\n")
    assert "has changed since" in (library.resolve("sums.pdf:p1:table=1").reason or "")
    path.unlink()
    assert "can't be" in (library.resolve("sums.pdf:p1:table=1:cell=1,1").reason or "")
