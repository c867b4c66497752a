"""The sections of a document: its outline, with the titles as they are printed, or the headings that stand out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from pincite.model.section import Section
from pincite.model.text import OutlineItem
from pincite.pdf.layout.headings.find import find_headings
from pincite.pdf.layout.headings.lines import TextLine
from pincite.pdf.objects.outline import OutlineTarget

FOUND = 0.6
"""An outline counts where so many of its titles stand on their pages."""
FEWEST = 2
"""An outline of fewer items lists no headings: its item is the document's title."""
MOST_LINES = 6
MOST_LOOKS = 200_000
"""Lines are compared with titles so often, in all; a hostile outline has ten thousand items on one page."""

_start = attrgetter("start")

_NUMBER = re.compile(
    r"\s*§?\s*(?:(?:chapter|section|part|appendix)\W+)?(?:\d{1,2}(?:\.\d{1,2})*|[ivxl]+|[a-z])\b\W{0,3}", re.IGNORECASE
)
_NOTHING = re.compile(r"[\W_]+")


def find_sections(lines: Sequence[TextLine], outline: Sequence[OutlineTarget], pages: int) -> tuple[Section, ...]:
    """The sections of a document from the lines of all pages in order, its outline and its page count.

    They are those of the outline, unless it seems to be about something else: few of its titles are on their pages, and there
    are more headings by their looks. An outline whose titles and places on a page lead nowhere gives way to any heading.
    """
    locator = _Locator(lines)
    sections, found = [], 0
    for target in outline:
        section = locator.locate(target.item)
        found += section is not None
        sections.append(section or locator.place(target))
    if len(outline) >= FEWEST and found >= FOUND * len(outline):
        return tuple(_without_abstract(_without_root(sections)))
    headings = find_headings(lines, pages)
    is_credible = len(sections) >= FEWEST and any(section.span is not None for section in sections)
    if len(headings) <= (len(sections) if is_credible else 0):
        return tuple(sections)
    return tuple(Section(heading.title, heading.level, heading.first.page, heading.span) for heading in headings)


def _without_root(sections: list[Section]) -> list[Section]:
    """The sections without a single item over all others, which names the document."""
    outermost = [section for section in sections if section.level == 1]
    if len(outermost) != 1 or sections[0] is not outermost[0] or len(sections) <= FEWEST:
        return sections
    return [Section(section.title, section.level - 1, section.page, section.span) for section in sections[1:]]


def _without_abstract(sections: Sequence[Section]) -> list[Section]:
    """The sections without the parts of the abstract."""
    kept: list[Section] = []
    level: int | None = None
    for section in sections:
        if level is None or section.level <= level:
            level = section.level if _plain(section.title) in ("abstract", "summary") else None
            kept.append(section)
    return kept


class _Locator:
    """Finds where on their pages the items of an outline stand, each behind the one before it."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self._by_page: dict[int, list[TextLine]] = {}
        for line in lines:
            self._by_page.setdefault(line.page, []).append(line)
        self._first: dict[int, list[tuple[str, bool]]] = {}
        self._after = (0, -1)
        self._looks_left = MOST_LOOKS

    def locate(self, item: OutlineItem) -> Section | None:
        """The section as it is printed: whole lines of its page or a neighbour, with a number before it or without."""
        wanted = _plain(item.title)
        if not wanted:
            return None
        bare = _plain(_NUMBER.sub("", item.title, count=1)) if _NUMBER.match(item.title) else wanted
        for page in (item.page, item.page + 1, item.page - 1):
            lines = self._by_page.get(page, [])
            first = bisect_right(lines, self._after[1], key=_start) if page == self._after[0] else 0
            if page < self._after[0]:
                continue
            begins = (wanted[0], bare[:1])
            last = min(len(lines), first + self._looks_left)
            for index, (initial, numbered) in enumerate(self._beginnings(page)[first:last], first):
                self._looks_left -= 1
                if initial not in begins and not numbered:
                    continue
                found = _match(lines, index, wanted, bare)
                if found is not None:
                    self._after = (page, found[1][0])
                    return Section(found[0], item.level, page, found[1])
        return None

    def _beginnings(self, page: int) -> list[tuple[str, bool]]:
        """Of each line of a page its first letter or digit, and whether a number may stand before a title there."""
        if page not in self._first:
            self._first[page] = [
                (_plain(line.text)[:1], _NUMBER.match(line.text) is not None) for line in self._by_page.get(page, ())
            ]
        return self._first[page]

    def place(self, target: OutlineTarget) -> Section:
        """The section where its destination says: an empty span before the first line below it, if that is not the first."""
        item, (page, left, top) = target
        span = None
        if top is not None and self._looks_left > 0:
            lines = self._by_page.get(page, [])[: self._looks_left]
            self._looks_left -= len(lines)
            below = [line for line in lines if line.y <= top and (left is None or line.x1 > left)]
            start = max(below, key=lambda line: line.y).start if below else 0
            span = (start, start) if lines and start > lines[0].start else None
        return Section(" ".join(item.title.split()), item.level, page, span)


def _match(lines: Sequence[TextLine], index: int, wanted: str, bare: str) -> tuple[str, tuple[int, int]] | None:
    text = ""
    for count in range(min(MOST_LINES, len(lines) - index)):
        line = lines[index + count]
        text = f"{text} {line.text}" if count else line.text
        for candidate, end in ((text, line.end), (_led(text, line), line.start + len(line.lead))):
            plain = _plain(candidate)
            if plain in (wanted, bare) or (plain.endswith(bare) and _NUMBER.fullmatch(candidate[: _prefix(candidate, bare)])):
                return " ".join(candidate.split()).rstrip(" .:" if end != line.end else ""), (lines[index].start, end)
        if len(_plain(text)) > len(wanted) + 12:
            return None
    return None


def _led(text: str, line: TextLine) -> str:
    """The text with its last line as far as the look of its beginning reaches."""
    return text[: len(text) - len(line.text) + len(line.lead)]


def _prefix(candidate: str, bare: str) -> int:
    """How many characters of a text stand before the letters and digits of its end that are `bare`."""
    count = len(bare)
    for position in range(len(candidate) - 1, -1, -1):
        if _plain(candidate[position]):
            count -= len(_plain(candidate[position]))
            if count <= 0:
                return position
    return 0


def _plain(text: str) -> str:
    return _NOTHING.sub("", text).casefold()
