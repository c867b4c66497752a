"""Which section of the outline is in force where."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pincite.model.section import Section
from pincite.model.text import OutlineItem

__all__ = ["SectionStart", "SectionsByPage", "section_at", "section_in_force", "section_starts", "sections_on"]


class SectionStart(NamedTuple):
    """From the code point `start` of a page's text on, `title` is the section in force."""

    start: int
    title: str


def section_at(outline: Iterable[OutlineItem], page: int) -> str | None:
    """The title in force on a 1-based page: that of the last outline item, in document order, on this page or the nearest before.

    So the deepest of nested items wins. None before the first item, and where the title is empty.
    """
    best: OutlineItem | None = None
    for item in outline:
        if item.page <= page and (best is None or item.page >= best.page):
            best = item
    return best.title or None if best is not None else None


def sections_on(outline: Iterable[OutlineItem], page: int) -> tuple[SectionStart, ...]:
    """The sections of one page, as `chunk_page` takes them; an outline item counts from the top of its page."""
    title = section_at(outline, page)
    return () if title is None else (SectionStart(0, title),)


class SectionsByPage:
    """The sections of one page after the other, as `sections_on` gives them, without a look at the whole outline for each."""

    def __init__(self, outline: Iterable[OutlineItem]) -> None:
        self._items: dict[int, list[OutlineItem]] = {}
        for item in outline:
            self._items.setdefault(item.page, []).append(item)
        self._pages = sorted(self._items)

    def items(self, page: int) -> Sequence[OutlineItem]:
        """The outline items of a page, in their order."""
        return self._items.get(page, ())

    def on(self, page: int) -> tuple[SectionStart, ...]:
        """The sections of a page; an outline item counts from the top of its page."""
        at = bisect_right(self._pages, page)
        title = self._items[self._pages[at - 1]][-1].title if at else ""
        return (SectionStart(0, title),) if title else ()


def section_starts(sections: Iterable[Section], page: int) -> tuple[SectionStart, ...]:
    """The sections of one page from the document's headings, as `chunk_page` takes them.

    What the page before ends with is in force at the top; each heading counts from where it stands, one whose place on its
    page is not known from the top.
    """
    starts: list[SectionStart] = []
    for section in sections:
        if section.page > page:
            break
        start = 0 if section.page < page or section.span is None else section.span[0]
        if starts and start <= starts[-1].start:
            starts.pop()
        starts.append(SectionStart(start, section.title))
    return tuple(starts)


def section_in_force(sections: Sequence[SectionStart], offset: int) -> str | None:
    """The title of the last section that starts at or before a code point of the page's text."""
    at = bisect_right(sections, offset, key=lambda section: section.start)
    return sections[at - 1].title if at else None
