"""The sections of a document: its outline, with the titles as they are printed, or the headings that stand out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.model.section import Section
from pincite.model.text import OutlineItem
from pincite.pdf.layout.headings.find import find_headings
from pincite.pdf.layout.headings.lines import TextLine

FOUND = 0.6
"""An outline counts where so many of its titles stand on their pages."""
FEWEST = 3
MOST_LINES = 6

_NUMBER = re.compile(
    r"\s*§?\s*(?:(?:chapter|section|part|appendix)\W+)?(?:\d{1,2}(?:\.\d{1,2})*|[ivxl]+|[a-z])\b\W{0,3}", re.IGNORECASE
)
_NOTHING = re.compile(r"[\W_]+")


def find_sections(lines: Sequence[TextLine], outline: Sequence[OutlineItem], pages: int) -> tuple[Section, ...]:
    """The sections of a document from the lines of all pages in order, its outline and its page count."""
    from_outline = _from_outline(lines, outline)
    if from_outline is not None:
        return from_outline
    return tuple(
        Section(heading.title, heading.level, heading.first.page, heading.span) for heading in find_headings(lines, pages)
    )


def _from_outline(lines: Sequence[TextLine], outline: Sequence[OutlineItem]) -> tuple[Section, ...] | None:
    """The outline's items as they are printed, or None where the outline is no list of the document's headings."""
    if len(outline) < FEWEST:
        return None
    by_page: dict[int, list[TextLine]] = {}
    for line in lines:
        by_page.setdefault(line.page, []).append(line)
    sections: list[Section] = []
    found = 0
    after: tuple[int, int] = (0, -1)
    for item in outline:
        place = _locate(item, by_page, after)
        if place is None:
            sections.append(Section(" ".join(item.title.split()), item.level, item.page))
            continue
        printed, page, span = place
        after = (page, span[0])
        found += 1
        sections.append(Section(printed, item.level, page, span))
    if found < FOUND * len(outline):
        return None
    return tuple(_without_abstract(_without_root(sections)))


def _without_root(sections: list[Section]) -> list[Section]:
    """The sections without a single item over all others, which names the document."""
    outermost = [section for section in sections if section.level == 1]
    if len(outermost) != 1 or sections[0] is not outermost[0] or len(sections) < FEWEST:
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


def _locate(
    item: OutlineItem, by_page: dict[int, list[TextLine]], after: tuple[int, int]
) -> tuple[str, int, tuple[int, int]] | None:
    """Where an item's title stands: as whole lines of its page or a neighbour, with a number before it or without."""
    wanted = _plain(item.title)
    if not wanted:
        return None
    bare = _plain(_NUMBER.sub("", item.title, count=1)) if _NUMBER.match(item.title) else wanted
    for page in (item.page, item.page + 1, item.page - 1):
        lines = by_page.get(page, [])
        for index, line in enumerate(lines):
            if (page, line.start) <= after:
                continue
            found = _match(lines, index, wanted, bare)
            if found is not None:
                return found[0], page, found[1]
    return None


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
