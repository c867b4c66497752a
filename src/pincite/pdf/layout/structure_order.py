"""The order that a tagged file's structure tree gives to a page (ISO 32000-2, 14.8.2.5).

Every show operator is looked up in the tree by its MCID and the stream that it stands in, or by the form or annotation that it
is part of. Lines are found as for any text, then taken apart where their pieces belong to different items of the tree, and put
together in the order of the tree. Artifacts are left out; what the tree does not hold comes last.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite._kernel.columns import (
    FACT_FIELDS,
    FLAG_ARTIFACT,
    FLAG_CLIPPED,
    FLAG_HIDDEN,
    JOINED,
    PLACE_FIELDS,
    RUN_FACT_FIELDS,
    RUN_NUMBER_FIELDS,
)
from pincite._kernel.lines import LineBuilder
from pincite.pdf.content.interpreter import PageContent, Painted
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.objects.structure_tree import OBJECT, Element, Item
from pincite.pdf.objects.values import Reference

UNTAGGED = -1
ARTIFACT = -2

SAME_LINE = 0.5
"""Baselines nearer than this (em) are one."""
ALONG = 0.99
"""The cosine of the angle up to which two directions are one."""
OVERLAP = 0.3
"""What begins no farther than this (em) before the end of another is behind it."""


@dataclass(slots=True)
class PageStructure:
    """What the tree holds of one page: its items in order. `texts` are the ActualTexts by the numbers of their elements, of those
    whose content begins on this page."""

    elements: Sequence[Element]
    items: Sequence[Item]
    texts: dict[int, str] = field(default_factory=dict)


class StructureOrder:
    """Puts the glyphs of one page into the order of its structure; the steps come in the order of the methods.

    `values` is the unicode value of each glyph, which `apply_texts` changes.
    """

    def __init__(self, content: PageContent, structure: PageStructure, values: array[int], strings: StringTable) -> None:
        self._content = content
        self._structure = structure
        self._values = values
        self._strings = strings
        self._owners = claim_rows(content, structure.items)
        self._begins: list[int] = []

    @property
    def holds_text(self) -> bool:
        """Whether the structure holds any glyph of the page, or a text for what is not text; else there is no order in it."""
        return max(self._owners, default=UNTAGGED) > UNTAGGED or bool(self._texts_to_insert())

    def apply_texts(self) -> None:
        """Put the ActualText of each element on the first glyph of its content; the others stand under it (14.9.4)."""
        structure, flags = self._structure, self._content.flags
        replaced = [structure.elements[item.element].replaced_by for item in structure.items]
        if all(element < 0 for element in replaced):
            return
        first: dict[int, tuple[int, int]] = {}
        for row, owner in enumerate(self._owners):
            if owner < 0 or replaced[owner] < 0 or flags[row] & (FLAG_CLIPPED | FLAG_HIDDEN):
                continue
            self._values[row] = JOINED
            if replaced[owner] not in first or owner < first[replaced[owner]][0]:
                first[replaced[owner]] = (owner, row)
        for element, (_, row) in first.items():
            text = structure.texts.pop(element, "")
            if text:
                self._values[row] = self._strings.number(text)

    def arrange(self, builder: LineBuilder) -> None:
        """Reorder the lines that the builder has found."""
        rows, starts, marks = builder.line_rows()
        pieces: list[_Piece] = []
        for line, (start, end) in enumerate(pairwise([*starts, len(rows)])):
            pieces += self._pieces(rows[start:end], line, bool(marks[line]))
        for number, piece in enumerate(pieces):
            piece.number = number
        last = len(self._structure.items)
        pieces.sort(key=lambda piece: (last if piece.owner == UNTAGGED else piece.owner, piece.number))
        arranged, new_starts, new_marks = array("i"), array("i"), bytearray()
        before: _Piece | None = None
        for piece in pieces:
            if before is None or not _goes_on(self._content, before, piece):
                new_starts.append(len(arranged))
                new_marks.append(0)
                self._begins.append(piece.owner)
            if piece.right_to_left:
                new_marks[-1] = 1
            arranged.extend(piece.rows)
            before = piece
        builder.set_lines(arranged, new_starts, bytes(new_marks))

    def _pieces(self, rows: array[int], line: int, right_to_left: bool) -> list[_Piece]:
        pieces: list[_Piece] = []
        for row in rows:
            owner = self._owners[row]
            if owner == ARTIFACT:
                continue
            # white space that nobody marked stands with what is before it
            if owner == UNTAGGED and pieces and not self._strings.text(self._values[row]).strip():
                owner = pieces[-1].owner
            if not pieces or pieces[-1].owner != owner:
                pieces.append(_Piece(owner, line, right_to_left, []))
            pieces[-1].rows.append(row)
        return pieces

    def complete(self, text: str, sources: array[int], starts: array[int]) -> tuple[str, array[int], array[int], int | None]:
        """Add to the lines what elements say that show nothing to be read.

        Returns (text, sources, starts of lines, start of what is in no element or None); a blank line stands before that.
        """
        lines = _Lines()
        waiting = self._texts_to_insert()[::-1]
        untagged: int | None = None
        for item, (start, end) in zip(self._begins, pairwise([*starts, len(text) + 1]), strict=True):
            if start == end - 1:  # all of it is replaced by a text that stands elsewhere
                continue
            while waiting and (item == UNTAGGED or waiting[-1][0] < item):
                lines.add(waiting.pop()[1])
            if item == UNTAGGED and untagged is None:
                if lines.texts:
                    lines.add("")
                untagged = lines.length + 1 if lines.texts else 0
            lines.add(text[start : end - 1], sources[start : end - 1])
        while waiting:
            lines.add(waiting.pop()[1])
        return "\n".join(lines.texts), lines.sources, lines.starts, untagged

    def _texts_to_insert(self) -> list[tuple[int, str]]:
        """(item, text) of elements that show nothing to be read: their ActualText, or their Alt (14.9.3, 14.9.4)."""
        structure = self._structure
        speaking = {
            structure.items[owner].element
            for row, owner in enumerate(self._owners)
            if owner >= 0 and self._strings.text(self._values[row]).strip()
        }
        told: set[int] = set()
        found: list[tuple[int, str]] = []
        for position, item in enumerate(structure.items):
            element = structure.elements[item.element]
            number = item.element if element.replaced_by < 0 else element.replaced_by
            if number in told or item.element in speaking:
                continue
            text = element.alt if element.replaced_by < 0 else structure.texts.get(number)
            if text and text.strip():
                told.add(number)
                found.append((position, text.strip()))
        return found


@dataclass(slots=True)
class _Piece:
    """Rows of one line that belong to one item."""

    owner: int
    line: int
    right_to_left: bool
    rows: list[int]
    number: int = 0


@dataclass(slots=True)
class _Lines:
    """Lines of text, where they start, and the glyph row of each character, -1 for none."""

    texts: list[str] = field(default_factory=list)
    sources: array[int] = field(default_factory=lambda: array("i"))
    starts: array[int] = field(default_factory=lambda: array("i"))

    @property
    def length(self) -> int:
        return len(self.sources)

    def add(self, text: str, sources: array[int] | None = None) -> None:
        if self.texts:
            self.sources.append(-1)
        self.starts.append(self.length)
        self.texts.append(text)
        self.sources.extend(array("i", [-1]) * len(text) if sources is None else sources)


def claim_rows(content: PageContent, items: Sequence[Item]) -> array[int]:
    """For each glyph row the position of its item in `items`, UNTAGGED, or ARTIFACT."""
    claims: dict[tuple[Reference | None, int], int] = {}
    for position, item in enumerate(items):
        claims.setdefault((item.stream, item.mcid), position)
    owners = array("i", bytes(4 * len(content.flags)))
    waiting = sorted(content.painted, key=lambda painted: (painted.first, -painted.last), reverse=True)
    around: list[Painted] = []
    run, owner = -1, UNTAGGED
    for row, flags in enumerate(content.flags):
        current = content.facts[FACT_FIELDS * row + 2]
        if current != run:
            run = current
            while around and around[-1].last <= row:
                around.pop()
            while waiting and waiting[-1].first <= row:
                painted = waiting.pop()
                if painted.last > row:
                    around.append(painted)
            owner = _find(claims, content.run_facts[RUN_FACT_FIELDS * run + 3], around)
        owners[row] = ARTIFACT if flags & FLAG_ARTIFACT else owner
    return owners


def _find(claims: dict[tuple[Reference | None, int], int], mcid: int, around: Sequence[Painted]) -> int:
    """The item of what an operator draws inside these forms, from the inmost outwards."""
    for painted in reversed(around):
        if painted.reference is not None:
            for key in ((painted.reference, mcid), (painted.reference, OBJECT)):
                if key in claims:
                    return claims[key]
        if painted.marks_own:
            mcid = UNTAGGED
    return claims.get((None, mcid), UNTAGGED) if mcid >= 0 else UNTAGGED


def _goes_on(content: PageContent, before: _Piece, piece: _Piece) -> bool:
    """Whether a piece stands on the line of the one before it: next to it there, or behind it on one baseline."""
    if (before.owner == UNTAGGED) != (piece.owner == UNTAGGED):
        return False
    if before.line == piece.line and piece.number == before.number + 1:
        return True
    if before.right_to_left or piece.right_to_left:
        return False
    first, second = before.rows[-1], piece.rows[0]
    places, numbers = content.places, content.run_numbers
    at = RUN_NUMBER_FIELDS * content.facts[FACT_FIELDS * first + 2]
    to = RUN_NUMBER_FIELDS * content.facts[FACT_FIELDS * second + 2]
    dx, dy, em = numbers[at], numbers[at + 1], max(numbers[at + 4], numbers[to + 4])
    length: float = math.hypot(dx, dy)
    if not length or dx * numbers[to] + dy * numbers[to + 1] <= ALONG * length * math.hypot(numbers[to], numbers[to + 1]):
        return False
    x = places[PLACE_FIELDS * second] - places[PLACE_FIELDS * first]
    y = places[PLACE_FIELDS * second + 1] - places[PLACE_FIELDS * first + 1]
    across = abs(y * dx - x * dy) / length
    behind = (x * dx + y * dy) / length - places[PLACE_FIELDS * first + 2] * length
    return across < SAME_LINE * em and behind > -OVERLAP * em
