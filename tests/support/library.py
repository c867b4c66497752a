"""Documents that need no PDF engine: a reader that plays back what a file says, for tests of everything behind it."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

from pincite.errors import UnreadableError, error_from_slug
from pincite.model.section import Section
from pincite.model.text import DocumentFindings, DocumentMeta, OutlineItem, PageFailure, PageQuality, PageSpan, PageText
from pincite.search.index.database import Database

Page = str | dict[str, Any]
"""A page's text, or the fields of its `PageText`; with `error` a page that fails."""


def script(
    pages: Sequence[Page],
    *,
    title: str | None = None,
    outline: Sequence[tuple[str, int, int]] = (),
    sections: Sequence[tuple[str, int, int, tuple[int, int] | None]] | None = None,
    total: int | None = None,
    ends_with: str | None = None,
) -> bytes:
    """A file that `ScriptReader` reads: its pages, how many it claims to have, and the slug of the error that ends it.

    `sections` are titles, levels, pages and spans, as `Section` has them; without them the script tells none, as a reader that
    nobody asks for them.
    """
    told = {"pages": pages, "title": title, "outline": outline, "sections": sections, "total": total, "ends_with": ends_with}
    return json.dumps(told).encode()


class ScriptReader:
    """Stands in for the sandbox's runner. `before_page(n)` is called before the page that is read as the n-th of all."""

    def __init__(self, before_page: Callable[[int], None] | None = None) -> None:
        self.documents_read = 0
        self.pages_read = 0
        self._before_page = before_page
        self._lock = threading.Lock()

    def stream(
        self, source: bytes, /, *, findings: bool = False
    ) -> Generator[DocumentMeta | PageText | PageFailure | DocumentFindings, None, None]:
        with self._lock:
            self.documents_read += 1
        try:
            told = json.loads(source)
            pages: list[Page] = told["pages"]
        except (ValueError, KeyError, TypeError) as error:
            raise UnreadableError("the file is not a script; write one with `script`") from error
        outline = tuple(OutlineItem(*item) for item in told["outline"])
        if pages or told["total"]:
            yield DocumentMeta(told["total"] or len(pages), told["title"], outline, (), ("script",))
        for number, page in enumerate(pages, 1):
            with self._lock:
                self.pages_read += 1
                count = self.pages_read
            if self._before_page is not None:
                self._before_page(count)
            yield _page(number, page)
        if told["ends_with"] is not None:
            raise error_from_slug(told["ends_with"], "so the script says; do nothing")
        if findings and told["sections"] is not None:
            places = [(*section[:3], section[3] and tuple(section[3])) for section in told["sections"]]
            yield DocumentFindings(tuple(Section(*place) for place in places))


def _page(number: int, page: Page) -> PageText | PageFailure:
    if isinstance(page, str):
        return PageText(number, page, quality=PageQuality(glyphs=len(page)))
    if "error" in page:
        return PageFailure(number, page["error"])
    quality = PageQuality(**page["quality"]) if "quality" in page else None
    running = tuple(PageSpan(*span) for span in page.get("running", ()))
    return PageText(number, page.get("text", ""), page.get("label"), quality, tuple(page.get("warnings", ())), running)


def write_script(path: Path, pages: Sequence[Page], **facts: Any) -> Path:
    """Write such a file, and its folder where that is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(script(pages, **facts))
    return path


def dump(library: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of a library but the full-text table's own, by table.

    Through pincite's own SQLite: a second one in the same process, such as Python's, would on closing the file let go of
    the locks that the first one holds (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    with contextlib.closing(Database(library, create=False)) as database:
        tables = ("settings", "documents", "locations", "pages", "old_pages", "chunks", "inner_sections", "ocr_jobs", "failures")
        return {table: database.execute(f"SELECT * FROM {table}") for table in tables}
