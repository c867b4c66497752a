"""Where a span of a page's text stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.errors import CitationError
from pincite.sandbox.answers import encode_place
from pincite.sandbox.child.pages import write
from pincite.sandbox.job import QuadsTask
from pincite.sandbox.result import SpanPlace

if TYPE_CHECKING:
    from pincite.pdf.document import Document


def write_place(document: Document, output: int, task: QuadsTask) -> None:
    """Write the one line of the answer. Raises `CitationError` (`absent`) where there is no such page or span."""
    if not 1 <= task.page <= len(document):
        raise CitationError(f"there is no page {task.page}: the document has {len(document)}", slug="absent")
    page = document.page(task.page)
    try:
        quads = page.quads(task.start, task.end)
    except IndexError as error:
        raise CitationError(str(error), slug="absent") from error
    write(output, encode_place(SpanPlace(task.page, tuple(quads), page.visible_box, page.rotate, page.user_unit)))
