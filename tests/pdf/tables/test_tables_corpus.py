"""Tables of real files: what holds for each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from pincite.model.table import Table

FILES = ["eu-001", "eu-005", "eu-009a", "eu-015", "eu-021", "us-002", "us-018", "us-024", "us-032", "us-034"]


def check(table: Table, texts: dict[int, str]) -> None:
    places = [[0] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        text = texts[cell.page]
        assert cell.text == "\n".join(text[start:end] for start, end in cell.spans)
        for row in range(cell.row - 1, cell.row - 1 + cell.row_span):
            for column in range(cell.column - 1, cell.column - 1 + cell.column_span):
                places[row][column] += 1
        assert table.cell(cell.row, cell.column) is cell
        assert table.place(cell)[0] == cell.page
    assert places == [[1] * table.columns] * table.rows, "cells cover the table and do not overlap"


@pytest.mark.corpus
@pytest.mark.parametrize("name", FILES)
def test_cells_tile_their_table_with_words_of_the_page(corpus: Path, name: str) -> None:
    with pincite.open(corpus / "tables" / f"{name}.pdf") as document:
        texts = {page.number: page.text() for page in document}
        tables = document.tables()
        assert tables
        for table in tables:
            check(table, texts)
        for page in document:
            for number, table in enumerate(page.tables(), 1):
                assert (table.page, table.number, len(table.parts)) == (page.number, number, 1)
                check(table, texts)


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["pdflatex-OT1_eng_2col", "weasy_eng_2col"])
def test_text_in_columns_is_no_table(corpus: Path, name: str) -> None:
    with pincite.open(corpus / "languages" / f"{name}.pdf") as document:
        assert document.tables() == []
