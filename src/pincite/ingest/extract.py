"""From the bytes of one document to the rows that stand for it, through the sandbox."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from pincite.errors import CrashError, DeadlineError, LimitError, PinciteError, UnreadableError
from pincite.ingest.spool import PageSpool
from pincite.model.hit import Span
from pincite.model.limits import Limits
from pincite.model.page_ranges import page_list
from pincite.model.text import RUNNING_WINDOW, TEXT_VERSION, DocumentFindings, DocumentMeta, PageFailure, PageQuality, PageText
from pincite.search.chunk import SectionMap, SectionsByPage, SectionStart, chunk_page, section_in_force
from pincite.search.index.rows import IndexedChunk, NewDocument, NewPage, PageRow, PageState, Provenance
from pincite.search.index.running import RunningText, part_of_page
from pincite.search.index.terms import index_terms

GARBLED_SHARE = 0.5
"""The share of a page's glyphs without a Unicode value over which its text is taken for noise."""

MAX_WARNINGS = 200
"""Warnings kept of a document; a hostile file has no end of them."""

KEEPS_FINISHED_PAGES = (DeadlineError, LimitError, CrashError)
"""The errors that do not cast doubt on the pages that came before them."""


class Reader(Protocol):
    """What reads a document page by page in a process of its own: `pincite.sandbox.runner.Runner`."""

    def stream(
        self, source: bytes, /, *, findings: bool
    ) -> Generator[DocumentMeta | PageText | PageFailure | DocumentFindings, None, None]: ...


class Extraction:
    """One document as it comes out of the sandbox.

    `error` is what ended it early, after the pages that are here, and `failed_pages` could not be read. Pages are spooled, in
    `folder` where they are many, until all of the document's sections are known; so `pages` has them only once it is read.
    `on_page` is called after each page with how many are read, and how many there are.
    """

    def __init__(
        self, document_id: str, limits: Limits, folder: Path | None = None, on_page: Callable[[int, int], None] | None = None
    ) -> None:
        self.document_id = document_id
        self.limits = limits
        self._spool = PageSpool(folder)
        self._sections: SectionMap | None = None
        self.waiting_for_ocr = 0
        self.pages_read = 0
        self.last_page: int | None = None
        """The last page that came before `error`, None where none did."""
        self.failed_pages: list[int] = []
        self._on_page = on_page
        self._has_text = False
        self._first_reason = ""
        self.warnings: list[str] = []
        self.error: PinciteError | None = None
        self._meta: DocumentMeta | None = None
        self._outline = SectionsByPage(())
        self._held: deque[PageText | PageFailure] = deque()
        self._running: dict[int, list[Span]] = {}
        self._running_text = RunningText()
        self._more_warnings = 0
        self._duration_s = 0.0

    def read(self, data: bytes, reader: Reader) -> None:
        """Read all pages. Raises `PinciteError` where that leaves nothing worth keeping, as where no page can be read."""
        started = time.monotonic()
        try:
            with contextlib.closing(reader.stream(data, findings=True)) as items:
                for item in items:
                    self._take(item)
        except KEEPS_FINISHED_PAGES as error:
            if not self._has_text:
                raise
            self.error = error
        while self._held:
            self._add(self._held.popleft())
        self._duration_s = time.monotonic() - started
        if self.failed_pages and self.last_page is None and self.error is None:
            raise self._unread()
        self._account_for_the_rest()

    @property
    def lack(self) -> PinciteError | None:
        """Why the document is not here with all of its pages; None where it is."""
        if self.error is not None:
            return self.error
        if self.failed_pages:
            return self._unread()
        if self._meta is not None and self._meta.pages > self.limits.max_pages:
            return LimitError(
                f"{self._beyond_the_limit(self._meta.pages)}; raise --max-pages, and ingest it with --retry-failed",
                slug="too_much_text",
            )
        return None

    def _unread(self) -> UnreadableError:
        which = "no page" if self.last_page is None else page_list(self.failed_pages)
        can = "can" if self.last_page is None else "can't"
        return UnreadableError(
            f"{which} {can} be read ({self._first_reason}): where the file is damaged, a viewer may be able to save it anew"
        )

    def _beyond_the_limit(self, total: int) -> str:
        limit = self.limits.max_pages
        return f"pages {limit + 1} to {total} were not extracted: {limit} pages are the limit"

    def document(self) -> NewDocument:
        """The document's own row, once it is read."""
        meta = self._meta
        assert meta is not None  # a reader raises where there is none
        return NewDocument(self.document_id, meta.pages, TEXT_VERSION, meta.title, meta.outline, self._provenance(meta))

    def pages(self) -> Iterator[NewPage]:
        """The pages in order, with the sections that their chunks stand in; as often as asked."""
        for page in self._spool:
            yield page if self._sections is None else _with_sections(page, self._sections.on_page(page.row.page, page.row.text))

    def close(self) -> None:
        """Let go of the pages."""
        self._spool.close()

    def _take(self, item: DocumentMeta | PageText | PageFailure | DocumentFindings) -> None:
        if isinstance(item, DocumentMeta):
            self._meta = item
            self._outline = SectionsByPage(item.outline)
            self._warn(item.warnings)
        elif isinstance(item, DocumentFindings):
            self._sections = SectionMap(item.sections, self._outline)
        elif isinstance(item, PageFailure):
            self._fail(item.page, item.error)
        else:
            self._warn(f"page {item.page}: {warning}" for warning in item.warnings)
            self._has_text = self._has_text or bool(item.text.strip())
            self.last_page = item.page
            self.pages_read += 1
            for span in item.running:
                self._running.setdefault(span.page, []).append((span.start, span.end))
            self._hold(item)

    def _fail(self, page: int, reason: str) -> None:
        self._first_reason = self._first_reason or reason
        self.failed_pages.append(page)
        self._warn([f"page {page} can't be read: {reason}"])
        self._hold(PageFailure(page, reason))

    def _hold(self, page: PageText | PageFailure) -> None:
        """Keep a page until the pages after it have told which of its lines run."""
        self._held.append(page)
        if len(self._held) > RUNNING_WINDOW:
            self._add(self._held.popleft())
        if self._on_page is not None and self._meta is not None:
            self._on_page(page.page, min(self._meta.pages, self.limits.max_pages))

    def _add(self, page: PageText | PageFailure) -> None:
        if isinstance(page, PageFailure):
            self._spool.add(NewPage(PageRow(page.page, "", "failed", error=page.error)))
            return
        running = sorted(self._running.pop(page.page, ()))
        new = _new_page(self.document_id, page, self._outline, running, self._running_text)
        self.waiting_for_ocr += new.ocr
        self._spool.add(new)

    def _account_for_the_rest(self) -> None:
        assert self._meta is not None
        total, limit = self._meta.pages, self.limits.max_pages
        if self.error is not None:
            # Pages over the limit have no rows: a file may claim millions.
            self._warn([f"{self.error.slug}: {self.error.message}"])
            why = f"not reached ({self.error.slug}: {self.error.message})"
            for page in range(self._spool.count + 1, min(total, limit) + 1):
                self._spool.add(NewPage(PageRow(page, "", "failed", error=why)))
        if total > limit:
            self._warn([self._beyond_the_limit(total)])

    def _warn(self, warnings: Iterable[str]) -> None:
        for warning in warnings:
            if len(self.warnings) < MAX_WARNINGS:
                self.warnings.append(warning)
            else:
                self._more_warnings += 1

    def _provenance(self, meta: DocumentMeta) -> Provenance:
        more = [f"and {self._more_warnings} more warnings"] if self._more_warnings else []
        return {
            "extractor": "pincite",
            "version": extractor_version(),
            "options": asdict(self.limits),
            "extracted_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "duration_s": round(self._duration_s, 3),
            "confinement": list(meta.confinement),
            "warnings": [*self.warnings, *more],
        }


@cache
def extractor_version() -> str:
    """The version of pincite that reads here."""
    return metadata.version("pincite")


def _new_page(
    document_id: str, page: PageText, outline: SectionsByPage, running: list[Span], running_text: RunningText
) -> NewPage:
    state = _state(page)
    quality: dict[str, Any] | None = None
    if page.quality is not None or running:
        quality = asdict(page.quality or PageQuality())
    if quality is not None and running:
        quality["running"] = running
    row = PageRow(page.page, page.text, state, page.label, quality=quality)
    # Where the document ends early, this is all that is known of its sections.
    chunks = chunk_page(document_id, page.page, page.text, outline.on(page.page))
    # A page without text and pictures is blank: recognition has nothing to find there.
    waiting = state == "empty" and (page.quality is None or page.quality.images > 0)
    counting = running_text.counting(page.text, running)
    indexed = (
        IndexedChunk(
            chunk,
            index_terms(counting[chunk.start : chunk.end]),
            part_of_page(page.text, chunk.start, chunk.end, running)[1:] if running else None,
        )
        for chunk in chunks
    )
    return NewPage(row, tuple(indexed), waiting)


def _with_sections(page: NewPage, sections: tuple[SectionStart, ...]) -> NewPage:
    chunks = tuple(
        replace(indexed, chunk=replace(indexed.chunk, section=section_in_force(sections, indexed.chunk.start)))
        for indexed in page.chunks
    )
    return replace(page, row=replace(page.row, sections=sections), chunks=chunks)


def _state(page: PageText) -> PageState:
    if not page.text.strip():
        return "empty"
    quality = page.quality or PageQuality()
    return "garbled" if quality.unmapped > GARBLED_SHARE * quality.glyphs else "text"
