"""Blocks: lines that follow each other as those of one paragraph do, a heading, a cell, a caption."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from pincite._kernel.columns import FACT_FIELDS, PLACE_FIELDS, RUN_NUMBER_FIELDS
from pincite.model.hit import Span
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout

SAME_SIZE = 0.1
"""Sizes that differ by no more than this share are one."""
LEADING = 1.75
"""Lines are of one block when they stand no farther below each other than this (em)."""
LOOSER = 1.25
"""Nor farther than so many times as the lines of the block so far."""
INDENT, MOST_INDENT = 0.8, 5.0
"""How far the first line of a paragraph is indented (em)."""
ALIGNED = 0.3
"""Lines that begin no farther apart (em) are in line."""
SAME_DIRECTION = 0.99


class _Line(NamedTuple):
    """A line of the text: its span, where its first glyph stands and its last ends, its direction and size."""

    start: int
    end: int
    x: float
    y: float
    ex: float
    ey: float
    em: float
    length: float


def find_blocks(content: PageContent, layout: PageLayout) -> list[Span]:
    """The spans of the blocks, in the order of the text: whole lines, blank ones left out."""
    bounds = pairwise([*layout.line_starts, len(layout.text) + 1])
    lines = [line for start, following in bounds if (line := _read_line(content, layout, start, following - 1)) is not None]
    blocks: list[list[_Line]] = []
    for line, after in zip(lines, [*lines[1:], None], strict=False):
        if blocks and _goes_on(blocks[-1], line) and not _begins(blocks[-1][-1], line, after):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [(block[0].start, block[-1].end) for block in blocks]


def _read_line(content: PageContent, layout: PageLayout, start: int, end: int) -> _Line | None:
    seen = [at for at in range(start, end) if layout.sources[at] >= 0 and not layout.text[at].isspace()]
    if not seen:
        return None
    first, last = layout.sources[seen[0]], layout.sources[seen[-1]]
    at = RUN_NUMBER_FIELDS * content.facts[FACT_FIELDS * first + 2]
    dx, dy, em = content.run_numbers[at], content.run_numbers[at + 1], content.run_numbers[at + 4]
    unit = math.hypot(dx, dy) or 1.0
    ex, ey = dx / unit, dy / unit
    x, y = content.places[PLACE_FIELDS * first : PLACE_FIELDS * first + 2]
    last_x, last_y, own = content.places[PLACE_FIELDS * last : PLACE_FIELDS * last + 3]
    end_at = RUN_NUMBER_FIELDS * content.facts[FACT_FIELDS * last + 2]
    width = own * (content.run_numbers[end_at] * ex + content.run_numbers[end_at + 1] * ey)
    return _Line(seen[0], seen[-1] + 1, x, y, ex, ey, em, (last_x - x) * ex + (last_y - y) * ey + width)


def _goes_on(block: list[_Line], line: _Line) -> bool:
    """Whether a line stands under the last one of a block as its lines stand under each other."""
    before = block[-1]
    em = max(before.em, line.em)
    if before.ex * line.ex + before.ey * line.ey < SAME_DIRECTION or abs(before.em - line.em) > SAME_SIZE * em:
        return False
    along, down = _moved(before, line)
    most = LEADING * em
    if len(block) > 1:
        most = min(most, LOOSER * _moved(block[-2], before)[1])
    low, high = min(along, along + line.length), max(along, along + line.length)
    return 0 < down <= most and low < max(0.0, before.length) and high > min(0.0, before.length)


def _begins(before: _Line, line: _Line, after: _Line | None) -> bool:
    """Whether a line is the indented first one of a paragraph: the next begins where the one before does."""
    if after is None:
        return False
    indent = _moved(before, line)[0] / line.em if line.em else 0.0
    return INDENT <= abs(indent) <= MOST_INDENT and abs(_moved(before, after)[0]) < ALIGNED * line.em


def _moved(before: _Line, line: _Line) -> tuple[float, float]:
    """From the beginning of one line to that of another: along the first, and down from it."""
    x, y = line.x - before.x, line.y - before.y
    return x * before.ex + y * before.ey, x * before.ey - y * before.ex
