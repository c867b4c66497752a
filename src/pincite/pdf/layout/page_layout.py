"""The text of a page, and for each of its characters the glyph that drew it."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Literal

from pincite._kernel.arrays import double_field, int_field
from pincite._kernel.columns import (
    FACT_FIELDS,
    FLAG_CLIPPED,
    FLAG_HIDDEN,
    JOINED,
    PLACE_FIELDS,
    RUN_FACT_FIELDS,
    RUN_NUMBER_FIELDS,
)
from pincite._kernel.composing import TextComposer
from pincite._kernel.lines import LineBuilder
from pincite._kernel.right_to_left import LineReader
from pincite.model.geometry import Rect
from pincite.model.rules import TextRules
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.layout.characters import Characters
from pincite.pdf.layout.reading_order import put_in_reading_order
from pincite.pdf.layout.structure_order import PageStructure, StructureOrder


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The text; for each character the glyph row that drew it, -1 for what geometry added; where each line starts.

    `spans` has the last row of each ActualText by its first: its characters come from all of these rows. `moved` is the share
    of visible glyphs that do not stand where the content draws them, None where the order is the content's. Of a text in the
    order of the structure tree (`tagged`) `untagged` is where that begins which the tree does not hold.
    """

    text: str
    sources: array[int]
    line_starts: array[int]
    spans: dict[int, int]
    moved: float | None = None
    tagged: bool = False
    untagged: int | None = None

    def rows(self, start: int, end: int) -> list[int]:
        """The glyph rows that drew the characters start..end-1."""
        rows: list[int] = []
        previous = -1
        for row in self.sources[start:end]:
            if row == previous:  # one glyph may stand for several characters
                continue
            previous = row
            if row in self.spans:
                rows.extend(range(row, self.spans[row] + 1))
            elif row >= 0:
                rows.append(row)
        return rows


def lay_out(
    content: PageContent,
    box: Rect,
    rules: TextRules,
    strings: StringTable,
    order: Literal["reading", "content"] = "reading",
    structure: PageStructure | None = None,
) -> PageLayout:
    """Arrange the glyphs of a page whose box centre lies in `box` (user space): in the order of its structure, where there is one
    that holds any of them, else in the order that is asked for."""
    values: array[int] = int_field(content.facts, FACT_FIELDS, 0)
    spans = _apply_actual_texts(content, values, strings) if content.actual_texts else {}
    tagged = StructureOrder(content, structure, values, strings) if structure is not None else None
    if tagged is not None and not tagged.holds_text:
        tagged = None
    if tagged is not None:
        tagged.apply_texts()
    boxes = _boxes(content, rules)
    helper = Characters(strings)
    builder = LineBuilder(
        content.places, content.facts, content.flags, content.run_numbers, content.run_facts, values, boxes, helper, rules.line
    )
    builder.arrange(box.x0, box.y0, box.x1, box.y1)
    moved = None
    if tagged is not None:
        tagged.arrange(builder)
    elif order == "reading":
        moved = put_in_reading_order(content, values, builder)

    reader = LineReader(
        content.places, content.facts, content.run_numbers, values, rules.space, strings.classes, helper.bidirectional_class
    )
    composer = TextComposer(content.places, content.facts, content.run_numbers, values, boxes, helper, rules.space)
    characters, sources, line_starts = composer.compose(*builder.line_rows(), strings.strings, reader.read)
    text = characters.tobytes().decode("utf-32-le" if _LITTLE_ENDIAN else "utf-32-be", "replace")
    if tagged is not None:
        text, sources, line_starts, untagged = tagged.complete(text, sources, line_starts)
        return PageLayout(text, sources, line_starts, spans, tagged=True, untagged=untagged)
    return PageLayout(text, sources, line_starts, spans, moved)


_JOINERS = "\u00ad\u200b\u200c\u200d"
"""Characters that are not printable but say something."""

_LITTLE_ENDIAN = array("i", [1]).tobytes()[0] == 1


def _boxes(content: PageContent, rules: TextRules) -> array[float]:
    """The height of each run's box: one em, or the font's ascender to descender."""
    boxes: array[float] = double_field(content.run_numbers, RUN_NUMBER_FIELDS, 4)
    if rules.box == "font":
        for run, index in enumerate(content.run_facts[::RUN_FACT_FIELDS]):
            font = content.fonts.get(index)
            if font is not None:
                boxes[run] *= font.ascent - font.descent
    return boxes


def _apply_actual_texts(content: PageContent, values: array[int], strings: StringTable) -> dict[int, int]:
    """Put each ActualText on the first glyph of its span that can be seen; the others stand under it.

    Returns the last row of each by its first.
    """
    spans: dict[int, int] = {}
    for index, actual in enumerate(content.actual_texts):
        seen = [row for row in range(actual.first, actual.last) if not content.flags[row] & (FLAG_CLIPPED | FLAG_HIDDEN)]
        if not seen or not _counts(actual.text, values, seen, strings):
            continue
        for row in seen:
            values[row] = JOINED
        if actual.text and (len(actual.text) < 2 or not _repeats(index, content)):
            values[seen[0]] = strings.number(actual.text)
            spans[seen[0]] = seen[-1]
    return spans


def _repeats(index: int, content: PageContent) -> bool:
    """Whether the text is given again for the other half of one cluster: a producer that draws a mark apart from its base
    marks both with the text of the two."""
    actual = content.actual_texts[index]
    neighbours = [content.actual_texts[other] for other in (index - 1, index + 1) if 0 <= other < len(content.actual_texts)]
    same = [other for other in neighbours if other.text == actual.text and actual.first - 1 <= other.last <= actual.last + 1]
    return bool(same) and not any(content.places[PLACE_FIELDS * row + 2] for row in range(actual.first, actual.last))


def _counts(text: str, values: array[int], rows: list[int], strings: StringTable) -> bool:
    """Whether an ActualText says more than the glyphs: control characters alone, or the glyphs in other case, do not."""
    if not text.isprintable() and not any(character.isprintable() or character in _JOINERS for character in text):
        return False
    glyphs = strings.text(values[rows[0]]) if len(rows) == 1 else "".join([strings.text(values[row]) for row in rows])
    return text == glyphs or "".join(text.split()).lower() != "".join(glyphs.split()).lower()
