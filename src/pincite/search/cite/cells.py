"""From a citation of a table, or of one of its cells, to the very words.

Tables are not in the library: whoever `find_tables` is finds them again in the file when they are cited. What it gives is checked
against the page's text, so that a quotation is of the text that citations count in, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.model.citation import Citation
from pincite.model.hit import Quote
from pincite.model.table import Cell, Table
from pincite.search.index.rows import DocumentRow, PageRow

TablesOf = Callable[[DocumentRow, int], "Sequence[Table] | str"]
"""The tables of a page (1-based) of a document as they stand on that page, or why they can't be had."""


def resolve_cell(citation: Citation, document: DocumentRow, page: PageRow, find_tables: TablesOf | None) -> Quote:
    """What a citation with a table leads to: the cell's text, or the table's cells in order.

    `span` goes from the first of the words to the last, `pieces` are their places where others stand between.
    """
    where = f"page {page.page} of {document.name}"

    def absent(reason: str) -> Quote:
        return Quote(citation, "absent", document=document.id, page=page.page, label=page.label, reason=reason)

    if find_tables is None:
        return absent(f"the tables of {where} are looked for in the file, which is not at hand here: cite a span")
    tables = find_tables(document, page.page)
    if isinstance(tables, str):
        return absent(f"the tables of {where} can't be looked for: {tables}")
    number = citation.table or 0
    if number > len(tables):
        return absent(f"{where} has {len(tables) or 'no'} tables, and no table {number}")
    table = tables[number - 1]
    cells = table.cells
    if citation.cell is not None:
        row, column = citation.cell
        cell = table.cell(row, column)
        if cell is None:
            return absent(
                f"table {number} on {where} has {table.rows} rows and {table.columns} columns, and no cell {row},{column}"
            )
        cells = (cell,)
    spans = [span for cell in cells for span in cell.spans]
    if not spans:
        return absent(
            f"cell {citation.cell} of table {number} on {where} is blank" if citation.cell else f"table {number} is blank"
        )
    if not all(_stands_there(cell, page.text) for cell in cells):
        return absent(f"the text of {where} was made by other rules than its tables are found by now: ingest the file again")
    text = "\n".join(cell.text for cell in cells if cell.text)
    whole = min(start for start, _ in spans), max(end for _, end in spans)
    return Quote(
        citation, "exact", text, document.id, page.page, whole, page.label, pieces=tuple(spans) if len(spans) > 1 else ()
    )  # fmt: skip


def _stands_there(cell: Cell, text: str) -> bool:
    if any(end > len(text) for _, end in cell.spans):
        return False
    # Lengths first: spans that overlap would make more text than there is.
    if sum(end - start + 1 for start, end in cell.spans) != len(cell.text) + bool(cell.spans):
        return False
    return cell.text == "\n".join(text[start:end] for start, end in cell.spans)
