"""The words of a page with their boxes, turned so that they run from left to right.

All that follows works in such a *frame*: x along the writing direction, y upwards, in points. Text that runs up a page, as on a
table laid on its side, is found in a frame of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite._kernel.columns import FACT_FIELDS, PLACE_FIELDS, RUN_FACT_FIELDS, RUN_NUMBER_FIELDS
from pincite.model.geometry import Rect
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout

DESCENT = 0.22
"""How far a word's box reaches below its baseline, in em."""
ASCENT = 0.72

_WORD = re.compile(r"\S+")
_LEADER = re.compile(r"(?:\.|…|·|_|-|‑|–|—|=){4,}\Z|(?:[.·] ?){3,}\Z")
_TEXT_RULE = re.compile(r"(?:-|‑|–|—|=|_|─|━){5,}\Z")
_TRAILING_LEADER = re.compile(r"(?<=[^\s.…·_=-])(?:\.{3,}|…{2,}|·{3,}|_{3,}|-{4,}|={4,})(?=\Z)")


def is_text_rule(word: Word) -> bool:
    """Whether a word is a line drawn with characters."""
    return _TEXT_RULE.match(word.text) is not None


class Frame(NamedTuple):
    """A turn by quarters: `turns` of 90 degrees that the text is turned counterclockwise in user space."""

    turns: int

    def enter(self, x: float, y: float) -> tuple[float, float]:
        """A point of user space in the frame."""
        return ((x, y), (y, -x), (-x, -y), (-y, x))[self.turns]

    def leave(self, x: float, y: float) -> tuple[float, float]:
        """A point of the frame in user space."""
        return ((x, y), (-y, x), (-x, -y), (y, -x))[self.turns]

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        """A box of the frame in user space."""
        return Rect.from_corners(*self.leave(x0, y0), *self.leave(x1, y1))


@dataclass(slots=True, eq=False)
class Word:
    """What stands between two spaces of a line, from x0 to x1 and y0 to y1; `line` is the number of its line in the text.

    `turned` words run in another direction than their frame. `bold` is what the font says. `edges` are the places between its
    characters, for a rule that goes through it.
    """

    start: int
    end: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    em: float
    line: int
    turned: bool
    bold: bool
    edges: tuple[float, ...] = ()

    @property
    def middle_x(self) -> float:
        return 0.5 * (self.x0 + self.x1)

    @property
    def middle_y(self) -> float:
        return 0.5 * (self.y0 + self.y1)


def frames_of(content: PageContent, layout: PageLayout) -> list[Frame]:
    """The frames in which a fair share of the page's text runs, the main one first."""
    turns: Counter[int] = Counter()
    run_turns: dict[int, int] = {}
    for row in layout.sources:
        if row >= 0:
            run = content.facts[FACT_FIELDS * row + 2]
            turn = run_turns.get(run)
            if turn is None:
                turn = run_turns[run] = _turns(content, run)
            turns[turn] += 1
    return [Frame(turn) for turn, count in turns.most_common() if turn >= 0 and (count >= 120 or 4 * count >= turns.total())]


def _turns(content: PageContent, run: int) -> int:
    """By how many quarters a run is turned; -1 for a slant or vertical writing, which is in no table that is looked for."""
    dx, dy = content.run_numbers[RUN_NUMBER_FIELDS * run : RUN_NUMBER_FIELDS * run + 2]
    if content.run_facts[RUN_FACT_FIELDS * run + 2]:
        return -1
    if abs(dx) > 10 * abs(dy):
        return 0 if dx > 0 else 2
    if abs(dy) > 10 * abs(dx):
        return 1 if dy > 0 else 3
    return -1


def words_of(content: PageContent, layout: PageLayout, frame: Frame) -> list[Word]:
    """All words of the page's text in the frame, in the order of the text."""
    words: list[Word] = []
    places, facts, numbers = content.places, content.facts, content.run_numbers
    sources, text = layout.sources, layout.text
    runs: dict[int, tuple[float, float, float, float, float, int, bool]] = {}
    line = 0
    line_ends = iter([*layout.line_starts[1:], len(text) + 1])
    line_end = next(line_ends)
    for match in _WORD.finditer(text):
        start, end = match.span()
        while start >= line_end:
            line_end = next(line_ends, len(text) + 1)
            line += 1
        shown = match[0]
        if leader := _TRAILING_LEADER.search(shown):
            end = start + leader.start()
            shown = text[start:end]
        elif _LEADER.match(shown) and not _TEXT_RULE.match(shown):
            continue
        x0 = y0 = 1e9
        x1 = y1 = -1e9
        em = 0.0
        turned = bold = False
        edges: list[float] = []
        previous = -1
        for row in layout.rows(start, end) if layout.spans else sources[start:end]:
            if row < 0 or row == previous:
                continue
            previous = row
            run = facts[FACT_FIELDS * row + 2]
            known = runs.get(run)
            if known is None:
                known = runs[run] = _run(content, run, frame, numbers)
            dx, dy, ux, uy, run_em, turns, run_bold = known
            x, y = places[PLACE_FIELDS * row], places[PLACE_FIELDS * row + 1]
            own = places[PLACE_FIELDS * row + 2]
            x, y = frame.enter(x, y)
            if turns == frame.turns:
                left, right = (x, x + own * dx) if dx >= 0 else (x + own * dx, x)
                bottom, top = y - DESCENT * run_em, y + ASCENT * run_em
                edges.append(left)
            else:
                turned = True
                corners_x = [x + a * dx + b * ux for a in (0.0, own) for b in (-DESCENT, ASCENT)]
                corners_y = [y + a * dy + b * uy for a in (0.0, own) for b in (-DESCENT, ASCENT)]
                left, right, bottom, top = min(corners_x), max(corners_x), min(corners_y), max(corners_y)
            if left < x0:
                x0 = left
            if right > x1:
                x1 = right
            if bottom < y0:
                y0 = bottom
            if top > y1:
                y1 = top
            if run_em > em:
                em = run_em
            bold = run_bold
        if x1 >= x0 and em > 0.0:
            words.append(Word(start, end, shown, x0, y0, x1, y1, em, line, turned, bold, tuple(edges)))
    return words


def _run(
    content: PageContent, run: int, frame: Frame, numbers: Sequence[float]
) -> tuple[float, float, float, float, float, int, bool]:
    """(direction, up, em, turns, bold) of a run, in the frame."""
    dx, dy, ux, uy, em = numbers[RUN_NUMBER_FIELDS * run : RUN_NUMBER_FIELDS * run + 5]
    font = content.fonts.get(content.run_facts[RUN_FACT_FIELDS * run])
    bold = font is not None and font.style.bold
    return (*frame.enter(dx, dy), *frame.enter(ux, uy), em, _turns(content, run), bold)
