"""Tables without a grid of rules: found by lines of text that stand in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.pdf.layout.tables.build import build, columns_of, covers, is_item
from pincite.pdf.layout.tables.captions import is_caption
from pincite.pdf.layout.tables.columns import River
from pincite.pdf.layout.tables.grid import Grid
from pincite.pdf.layout.tables.lines import Line, is_data, lines_across
from pincite.pdf.layout.tables.prose import Paragraph, part_prose
from pincite.pdf.layout.tables.rules import Rules
from pincite.pdf.layout.tables.words import Word

BREAK = 3.2
"""Lines further apart than this, in em, are not in one table."""
WIDE_GAP = 1.0
"""A line with a gap over this, in em, may be one of a table."""
MOST_SINGLE = 3
"""So many lines without a gap may come between two that have one."""
TITLE_WHITE = 0.9
"""A line across columns with so much white over it, in em, is the title of what follows."""
MOST_GROWN = 6
"""So many lines may stand over the first one with a gap, up to a rule."""


def find_unruled(words: Sequence[Word], rules: Rules) -> list[Grid]:
    """The tables among words that are in no grid of rules."""
    others, paragraphs = part_prose(words)
    lines = lines_across(others, rules.vertical)
    grids: list[Grid] = []
    floor = 0
    for first, last, joints in _blocks(lines, paragraphs):
        start = first
        for stop in [*_repeats(lines, first, last), last + 1]:
            found = _build(lines, start, stop - 1, floor, rules)
            # what hangs together only from line to line may be several tables
            inside = [joint for joint in joints if start < joint < stop]
            pieces = [start, *inside, stop] if found is None and inside else []
            parts = [_build(lines, low, high - 1, max(floor, low), rules) for low, high in pairwise(pieces)]
            grids += [grid for grid in (found, *parts) if grid is not None]
            start = floor = stop
    return grids


def _blocks(lines: Sequence[Line], paragraphs: Sequence[Paragraph]) -> Iterable[tuple[int, int, list[int]]]:
    """The first and last line of stretches that may be tables, and the lines in them that share no gap with all before."""
    first = last = -1
    singles = 0
    rivers: list[tuple[float, float]] = []
    above: list[tuple[float, float]] = []
    joints: list[int] = []
    previous: Line | None = None
    for number, line in enumerate(lines):
        caption = is_caption(line.segments[0].text)
        if previous is not None:
            far = previous.y0 - line.y1 > BREAK * line.em
            if (caption or far or _parts(paragraphs, previous, line)) and first >= 0:
                yield first, last, joints
                first = -1
        white = previous.y0 - line.y1 if previous is not None else 0.0
        previous = line
        if caption:
            continue
        if not _is_broken(line):
            singles += 1
            if first >= 0 and (singles > MOST_SINGLE or (white > TITLE_WHITE * line.em and _crosses(line, rivers))):
                yield first, last, joints
                first = -1
            continue
        singles = 0
        gaps = [(before.x1, after.x0) for before, after in zip(line.segments, line.segments[1:], strict=False)]
        if first >= 0:
            common = _common(rivers, gaps, line.em)
            if not common and len(before := _common(above, gaps, line.em)) > 1:
                common = before  # a long cell may have closed what the lines around it have open
                joints.append(number)
            if common:
                rivers, above, last = common, gaps, number
                continue
            yield first, last, joints
        rivers, above, first, last, joints = gaps, gaps, number, number, []
    if first >= 0:
        yield first, last, joints


def _parts(paragraphs: Sequence[Paragraph], above: Line, below: Line) -> bool:
    """Whether running text stands between two lines."""
    left, right = max(above.x0, below.x0), min(above.x1, below.x1)
    return any(
        paragraph.y0 < above.middle
        and paragraph.y1 > below.middle
        and min(paragraph.x1, right) - max(paragraph.x0, left) > 2 * below.em
        for paragraph in paragraphs
    )


def _common(first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]], em: float) -> list[tuple[float, float]]:
    """What two lots of gaps, each from left to right, have in common, as far as it is wide enough."""
    common: list[tuple[float, float]] = []
    i = j = 0
    while i < len(first) and j < len(second):
        (a, b), (c, d) = first[i], second[j]
        if min(b, d) - max(a, c) > 0.5 * em:
            common.append((max(a, c), min(b, d)))
        if b < d:
            i += 1
        else:
            j += 1
    return common


def _crosses(line: Line, rivers: Sequence[tuple[float, float]]) -> bool:
    """Whether a line goes over the white between two columns."""
    return any(segment.x0 < x0 and segment.x1 > x1 for segment in line.segments for x0, x1 in rivers)


def _is_broken(line: Line) -> bool:
    if len(line.segments) < 2:
        return False
    if len(line.segments) == 2 and is_item(line.segments[0].text):
        return False
    return any(after.x0 - before.x1 > WIDE_GAP * line.em for before, after in zip(line.segments, line.segments[1:], strict=False))


def _repeats(lines: Sequence[Line], first: int, last: int) -> list[int]:
    """Where another table begins in a stretch of lines: at a line that begins as one of its first lines does."""
    heads = {line.segments[0].text for line in lines[first : min(first + 3, last + 1)] if not is_data(line.segments[0].text)}
    starts = []
    for number in range(first + 5, last + 1):
        if lines[number].segments[0].text in heads and _is_broken(lines[number]):
            start = number
            # with what stands right over it
            while start > first and lines[start - 1].y0 - lines[start].y1 < lines[start].em and not _is_broken(lines[start - 1]):
                start -= 1
            if lines[start - 1].y0 - lines[start].y1 > lines[start].em:
                starts.append(start)
    return starts


def _build(lines: Sequence[Line], first: int, last: int, floor: int, rules: Rules) -> Grid | None:
    """The grid of the lines first..last with those over them that belong to the head; lines before `floor` are others'."""
    block = lines[first : last + 1]
    if len(block) < 2:
        return None
    rivers = columns_of(block, rules)
    if not rivers:
        return None
    sides = min(line.x0 for line in block), max(line.x1 for line in block)
    first = _grow(lines, first, floor, rules, rivers, sides)
    return build(lines[first : last + 1], rules, rivers)


def _grow(
    lines: Sequence[Line], first: int, floor: int, rules: Rules, rivers: Sequence[River], sides: tuple[float, float]
) -> int:
    """The number of the line where the head begins: lines that stand over columns, up to the rule over them, or close by."""
    left, right = sides
    start = first
    for number in range(first - 1, max(floor - 1, first - 1 - MOST_GROWN), -1):
        line, below = lines[number], lines[number + 1]
        if is_caption(line.segments[0].text) or line.y0 - below.y1 > 1.2 * line.em:
            break
        if any(covers(rule, left, right) and below.middle < rule.at < line.middle for rule in rules.horizontal):
            break
        if line.x0 < left - line.em or line.x1 > right + line.em:
            break
        if any(segment.x0 < rivers[0].x0 and segment.x1 > rivers[0].x1 for segment in line.segments):
            break
        start = number
    if start == first:
        return first
    top = lines[start]
    over = [
        rule for rule in rules.horizontal
        if covers(rule, left, right) and rule.high - rule.low < 1.3 * (right - left) and 0.0 < rule.at - top.middle < 2.2 * top.em
    ]  # fmt: skip
    if over:
        return start
    # without a rule over it only what goes on in the line below it
    while start < first and not _continues(lines[start], lines[start + 1]):
        start += 1
    return start


def _continues(line: Line, below: Line) -> bool:
    """Whether each segment of a line stands right over one of the next."""
    if line.y0 - below.y1 > 0.5 * line.em:
        return False
    return all(
        any(min(segment.x1, other.x1) - max(segment.x0, other.x0) > 0.5 * min(segment.x1 - segment.x0, other.x1 - other.x0)
            for other in below.segments)
        for segment in line.segments
    )  # fmt: skip
