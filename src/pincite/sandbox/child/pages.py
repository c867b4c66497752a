"""The lines of a document: what it says of itself, then page after page, each as soon as it is done."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from pincite.errors import PinciteError, UnreadableError
from pincite.model.section import Section
from pincite.model.text import DocumentData, DocumentFindings, DocumentMeta, OutlineItem, PageFailure, PageSpan, PageText
from pincite.sandbox.job import TextTask
from pincite.sandbox.protocol import encode_failure, encode_findings, encode_meta, encode_page, one_line

if TYPE_CHECKING:
    from pincite.pdf.document import Document, Page, WholeDocument

NO_OUTLINE: tuple[OutlineItem, ...] = ()
NO_WARNINGS: tuple[str, ...] = ()
NO_SECTIONS: tuple[Section, ...] = ()
NO_DATA = DocumentData()
NO_SPANS: tuple[PageSpan, ...] = ()

_T = TypeVar("_T")
_Follow = Callable[["Page"], tuple[PageSpan, ...]]


def write_document(document: Document, output: int, task: TextTask, confinement: tuple[str, ...]) -> None:
    """Write the meta line and the lines of the pages that are asked for, and what they show together if that is, too.

    Raises `UnreadableError` for a document without pages. A page that raises, whatever it is, costs that page.
    """
    pages = len(document)
    if pages == 0:
        raise UnreadableError("the file has no pages; open it in a viewer and save it anew")
    told = _Warnings(document)
    title = told.attempt("the title", lambda: document.title, None)
    outline = told.attempt("the outline", lambda: document.outline, NO_OUTLINE)
    data = told.attempt("the document's own data", lambda: document.data, NO_DATA)
    encryption = told.attempt("the encryption", lambda: document.encryption, None)
    write(output, encode_meta(DocumentMeta(pages, title, outline, told.new(), confinement, data, encryption)))
    follow = document.follow_running() if task.is_of_default_text else None
    whole = _look_at_whole(document) if task.findings else None
    for number in range(task.first_page, min(pages, task.max_pages) + 1):
        try:
            line = encode_page(_read_page(document.page(number), task, told, follow, whole))
        except Exception as error:
            error.__traceback__ = None  # lets go of all that the page took
            line = encode_failure(PageFailure(number, describe(error)))
        write(output, line)
    if whole is not None:
        sections = told.attempt("the sections", whole.sections, NO_SECTIONS)
        sections = tuple(section for section in sections if section.page <= task.max_pages)
        write(output, encode_findings(DocumentFindings(sections)))


def _look_at_whole(document: Document) -> WholeDocument:
    from pincite.pdf.document import WholeDocument  # loaded with the engine long ago

    return WholeDocument(document)


def _read_page(page: Page, task: TextTask, told: _Warnings, follow: _Follow | None, whole: WholeDocument | None) -> PageText:
    text = page.layout_text() if task.layout else page.text(task.order)
    if whole is not None:
        told.attempt("the page's lines", lambda: whole.add(page), None)
    label = told.attempt("the page label", lambda: page.label, None)
    quality = told.attempt("the page's quality", lambda: page.quality_of(task.order), None)
    running = () if follow is None else told.attempt("running heads", lambda: follow(page), NO_SPANS)
    own = told.attempt("the page's warnings", lambda: page.warnings, NO_WARNINGS)
    return PageText(page.number, text, label, quality, (*own, *told.new()), running)


class _Warnings:
    """Hands out each of a document's warnings once, with those of the lesser things that failed on the way."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._told = 0
        self._own: list[str] = []

    def attempt(self, what: str, get: Callable[[], _T], instead: _T) -> _T:
        """The value of `get`, or `instead` and a warning: for what must not cost the page or the document."""
        try:
            return get()
        except Exception as error:
            self._own.append(f"{what} can't be read: {describe(error)}")
            return instead

    def new(self) -> tuple[str, ...]:
        """The warnings since the last call."""
        fresh = self._document.warnings[self._told :]
        self._told += len(fresh)
        own, self._own = self._own, []
        return (*fresh, *own)


def describe(error: BaseException) -> str:
    """An error of a page on one line: its slug or its class, and its message."""
    if isinstance(error, MemoryError):
        return "memory: it takes more memory than the limit allows"
    name = error.slug if isinstance(error, PinciteError) else type(error).__name__
    message = error.message if isinstance(error, PinciteError) else str(error)
    return one_line(f"{name}: {message}" if message else name, 400)


def write(descriptor: int, data: bytes) -> None:
    """All of it."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
