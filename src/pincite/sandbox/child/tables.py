"""The tables of a document: a line as each page is done, then a line for each table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.errors import CitationError
from pincite.model.text import PageFailure
from pincite.sandbox.child.pages import describe, write
from pincite.sandbox.job import TablesTask
from pincite.sandbox.table_answers import encode_progress, encode_table

if TYPE_CHECKING:
    from pincite.pdf.document import Document


def write_tables(document: Document, output: int, task: TablesTask) -> None:
    """Write the lines of the answer; a page that raises costs that page.

    Tables come after all pages, since the next page may go on with one. Raises `CitationError` (`absent`) where there is no
    such page.
    """
    if task.first_page > len(document):
        raise CitationError(f"there is no page {task.first_page}: the document has {len(document)}", slug="absent")
    last = min(task.last_page, len(document))

    def done(page: int, error: Exception | None) -> None:
        failure = None if error is None else PageFailure(page, describe(error))
        write(output, encode_progress(page, last - task.first_page + 1, failure))

    for table in document.tables(range(task.first_page, last + 1), whole=task.whole, done=done):
        write(output, encode_table(table))
