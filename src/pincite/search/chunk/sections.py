"""Which section is in force where."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from pincite.model.section import Section
from pincite.model.text import OutlineItem

__all__ = [
    "SectionMap",
    "SectionStart",
    "SectionsByPage",
    "inner_titles",
    "section_at",
    "section_in_force",
    "section_spans",
    "sections_on",
]


LONGEST_HEAD = 100
LINES_OF_HEAD = 3
"""A running head has no more characters and lines."""


class SectionStart(NamedTuple):
    """From the code point `start` of a page's text on, `title` is the section in force; level 1 is the outermost."""

    start: int
    title: str
    level: int = 1


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
        self._titles: dict[int, str] = {item.page: item.title for item in outline}
        self._pages = sorted(self._titles)

    def on(self, page: int) -> tuple[SectionStart, ...]:
        """The sections of a page; an outline item counts from the top of its page."""
        at = bisect_right(self._pages, page)
        title = self._titles[self._pages[at - 1]] if at else ""
        return (SectionStart(0, title),) if title else ()


class SectionMap:
    """Where on each page of a document which section starts, from its headings and its outline.


    At the top of a page those are in force that the page before ends in, outermost first; each heading counts from where it
    stands, one whose place on its page is not known from the top. Above the first heading the outline counts.
    """

    def __init__(self, sections: Iterable[Section], outline: SectionsByPage | None = None) -> None:
        self._outline = SectionsByPage(()) if outline is None else outline
        self._starts: dict[int, tuple[SectionStart, ...]] = {}
        self._open: dict[int, tuple[SectionStart, ...]] = {}
        """For each page with a heading the sections that its end is in."""
        ordered = sorted(sections, key=lambda section: (section.page, 0 if section.span is None else section.span[0]))
        stack: list[SectionStart] = []
        for page, headings in groupby(ordered, attrgetter("page")):
            starts = list(stack)
            for section in headings:
                start = SectionStart(0 if section.span is None else section.span[0], section.title, section.level)
                while starts and starts[-1].start == start.start and starts[-1].level >= start.level:
                    starts.pop()  # it ends where it starts
                starts.append(start)
                while stack and stack[-1].level >= start.level:
                    stack.pop()
                stack.append(start._replace(start=0))
            self._starts[page] = tuple(starts)
            self._open[page] = tuple(stack)
        self._pages = sorted(self._starts)

    def on_page(self, page: int, text: str) -> tuple[SectionStart, ...]:
        """The sections of one page (1-based) with its text, as `chunk_page` takes them.

        What stands in a few short lines above the first heading is a running head, and no part of the section before.
        """
        here = self._starts.get(page, ())
        first = next((index for index, one in enumerate(here) if one.start), None)
        if first is not None and _is_running_head(text[: here[first].start]):
            level = here[first].level
            above = [one for one in here[:first] if one.level < level]
            here = (*above, here[first]._replace(start=0), *here[first + 1 :])
        before = bisect_left(self._pages, page)
        if before:
            return here or self._open[self._pages[before - 1]]
        if here and here[0].start == 0:
            return here
        return (*self._outline.on(page - 1 if here else page), *here)


def _is_running_head(above: str) -> bool:
    return len(above) <= LONGEST_HEAD and above.count("\n") <= LINES_OF_HEAD


def section_spans(starts: Sequence[SectionStart], length: int) -> list[tuple[SectionStart, int]]:
    """Each section of a page with where it ends there: at the next that is not below it, or with the page's text."""
    ends = [length] * len(starts)
    still_open: list[int] = []
    for index, one in enumerate(starts):
        while still_open and starts[still_open[-1]].level >= one.level:
            ends[still_open.pop()] = one.start
        still_open.append(index)
    return list(zip(starts, ends, strict=True))


def section_in_force(sections: Sequence[SectionStart], offset: int) -> str | None:
    """The title of the last section that starts at or before a code point of the page's text."""
    at = bisect_right(sections, offset, key=_start)
    return sections[at - 1].title if at else None


def inner_titles(sections: Sequence[SectionStart], start: int, end: int) -> list[str]:
    """The titles of the sections that start after `start` and before `end` of the page's text, each once, in order."""
    first, last = bisect_right(sections, start, key=_start), bisect_left(sections, end, key=_start)
    return list(dict.fromkeys(section.title for section in sections[first:last]))


def _start(section: SectionStart) -> int:
    return section.start
