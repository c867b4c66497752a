"""The lines of a page with how they begin: the look of their first words, and how far it reaches."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pincite._kernel.columns import FACT_FIELDS, PLACE_FIELDS, RUN_FACT_FIELDS, RUN_NUMBER_FIELDS
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout

SAME_SIZE = 0.04
"""Sizes that differ by no more than this share are one."""
FEW = 80
"""Gaps are looked for in lines of no more characters."""
SMALL = 0.8
"""Characters under this share of a line's size are scripts, which say nothing of its look."""

MOST_LINES = 120_000
"""Of a document; a book of two thousand pages has as many, which take 60 MB. Headings are not looked for on the pages behind."""

_LETTER = re.compile(r"[^\W_]")


class Look(NamedTuple):
    """How text looks: font name, size in em, rounded, and what the font says of itself."""

    font: str
    size: float
    bold: bool
    italic: bool


@dataclass(slots=True, eq=False)
class TextLine:
    """One line of a page's text, from `start` to `end`, with its place in user space: from x0 to x1 on the baseline y.

    `look` is that of its first letters, which reach to `reach`; it is `slanted` where its last are italic as well. `drop` is
    how far it stands under the line before it in the text, 0 where that is not over it. `gap` is the widest white between two
    words. A line in the look of most of the text so far is whole and without gaps, whatever it holds.
    """

    page: int
    start: int
    end: int
    text: str
    look: Look
    reach: int
    x0: float
    x1: float
    y: float
    slanted: bool = False
    drop: float = 0.0
    gap: float = 0.0

    @property
    def whole(self) -> bool:
        """Whether all of the line looks as it begins."""
        return self.reach >= self.end

    @property
    def lead(self) -> str:
        """The text as far as the look of its beginning reaches."""
        return self.text[: self.reach - self.start].rstrip()


class LineReader:
    """Reads the lines of one page."""

    def __init__(self, page: int, content: PageContent, layout: PageLayout) -> None:
        self._page = page
        self._content = content
        self._text = layout.text
        self._sources = layout.sources
        self._starts = layout.line_starts
        self._looks: dict[int, Look | None] = {}
        self._known: dict[tuple[int, float], Look] = {}

    def read(self, usual: Counter[Look]) -> list[TextLine]:
        """All upright lines of the page with a letter or a digit in them, in the order of the text.

        `usual` counts the characters of each look on the pages before, and these are added to it.
        """
        lines: list[TextLine] = []
        before: TextLine | None = None
        for start, following in pairwise([*self._starts, len(self._text) + 1]):
            line = self._line(start, following - 1)
            if line is None:
                before = None
                continue
            if before is not None and line.y < before.y:
                line.drop = before.y - line.y
            lines.append(line)
            usual[line.look] += line.end - line.start
            before = line
        common = usual.most_common(1)[0][0] if usual else None
        for line in lines:
            # small print is no heading, however it goes on
            small = common is not None and line.look.size < (1 - SAME_SIZE) * common.size and not line.look.bold
            if (line.look != common and not small) or line.text.isupper():
                self._complete(line)
        return lines

    def _line(self, start: int, end: int) -> TextLine | None:
        text = self._text[start:end]
        stripped = text.strip()
        letter = 0
        if not stripped[:1].isalnum():
            found = _LETTER.search(stripped)
            if found is None:
                return None
            letter = found.start()
        if len(stripped) < len(text):
            start += len(text) - len(text.lstrip())
        end = start + len(stripped)
        row = self._sources[start + letter]
        look = self._look(row)
        if look is None:
            return None
        last = end - 1
        while self._sources[last] < 0:
            last -= 1
        places = self._content.places
        x0, y = places[PLACE_FIELDS * row], places[PLACE_FIELDS * row + 1]
        return TextLine(self._page, start, end, stripped, look, end, x0, self._right(self._sources[last]), y)

    def _right(self, row: int) -> float:
        """Where a glyph ends."""
        run = self._content.facts[FACT_FIELDS * row + 2]
        own = self._content.places[PLACE_FIELDS * row + 2] * self._content.run_numbers[RUN_NUMBER_FIELDS * run]
        return self._content.places[PLACE_FIELDS * row] + own

    def _look(self, row: int) -> Look | None:
        if row < 0:
            return None
        run = self._content.facts[FACT_FIELDS * row + 2]
        if run not in self._looks:
            self._looks[run] = self._read_look(run)
        return self._looks[run]

    def _read_look(self, run: int) -> Look | None:
        numbers, facts = self._content.run_numbers, self._content.run_facts
        at = RUN_NUMBER_FIELDS * run
        if numbers[at] <= 10 * abs(numbers[at + 1]) or facts[RUN_FACT_FIELDS * run + 2]:
            return None
        key = facts[RUN_FACT_FIELDS * run], numbers[at + 4]
        look = self._known.get(key)
        if look is None:
            font, size = self._content.fonts.get(key[0]), round(key[1], 1)
            look = Look("", size, False, False) if font is None else Look(font.name, size, font.style.bold, font.style.italic)
            self._known[key] = look
        return look

    def _complete(self, line: TextLine) -> None:
        """Find how far the look of the first letters reaches, whether the last slant, and the widest gap."""
        alike = unlike = 0
        reach = line.end
        ended = False
        last: Look | None = None
        last_run = -1
        facts = self._content.facts
        for offset, (row, character) in enumerate(
            zip(self._sources[line.start : line.end], self._text[line.start : line.end], strict=True), line.start
        ):
            if row < 0 or not character.isalnum():
                continue
            run = facts[FACT_FIELDS * row + 2]
            if run != last_run:
                last_run, last = run, self._look(row)
                ended = _is_like(line.look, last)
            alike += ended
            unlike += not ended
            if not ended and reach == line.end:
                reach = offset
        line.slanted = line.look.italic and (last is None or last.italic)
        # a few words in another face inside a line do not end its look
        if not (ended and 3 * alike > 2 * unlike):
            line.reach = reach
        if line.end - line.start <= FEW:
            line.gap = self._widest_gap(line)

    def _widest_gap(self, line: TextLine) -> float:
        """The widest white between words, that behind a number at the beginning aside."""
        widest = 0.0
        named = False
        before = -1
        for offset in range(line.start, line.end):
            row = self._sources[offset]
            if row < 0 or self._text[offset].isspace():
                continue
            if named and self._text[offset - 1].isspace() and before >= 0:
                widest = max(widest, self._content.places[PLACE_FIELDS * row] - self._right(before))
            named = named or self._text[offset].isalpha()
            before = row
        return widest


class DocumentLines:
    """Collects the lines of a document, page by page in order, up to `MOST_LINES`; its glyphs are not kept."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self._looks: Counter[Look] = Counter()

    def add(self, page: int, content: PageContent, layout: PageLayout) -> None:
        """Take a page (1-based) with its default text."""
        if len(self.lines) < MOST_LINES:
            self.lines += LineReader(page, content, layout).read(self._looks)


def _is_like(first: Look, other: Look | None) -> bool:
    """Whether text goes on in a look: a word in italics is part of a bold heading, and a script of any."""
    if other is None:
        return False
    if other.size < SMALL * first.size:
        return True
    if abs(other.size - first.size) > SAME_SIZE * first.size:
        return False
    if first.bold or other.bold:
        return first.bold == other.bold
    return first.italic == other.italic and (first.font == other.font or first.italic)
