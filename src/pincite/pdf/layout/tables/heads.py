"""The head of a table: which of its lines say what the columns are, and how these nest."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.pdf.layout.tables.columns import River
from pincite.pdf.layout.tables.grid import Draft
from pincite.pdf.layout.tables.lines import Line, Segment, is_data
from pincite.pdf.layout.tables.rules import Rule
from pincite.pdf.layout.tables.words import Word

MOST_LINES = 12
"""A head has no more lines than this."""
FULL_RULE = 0.8
"""A rule over this share of a table's width parts head and body."""
SPLIT_GAP = 0.45
"""A gap over this, in em, between two columns parts two heads, and not two words of one."""
STACKED = 1.75
"""Lines of one head are no further apart than this, in em, from middle to middle."""

_YEAR = re.compile(r"\W*(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d))?|\(?\d\)?|[IVX]{1,4})\W*[a-z\d]?\W*\Z")
_UNITS = re.compile(r"[\[(].*[\])]\W*\Z")


@dataclass(slots=True, eq=False)
class Head:
    """One head over the columns left..right, in one or more lines."""

    words: list[Word]
    left: int
    right: int
    y0: float
    y1: float
    level: int = 0
    top: int = 0
    bottom: int = 0
    above: list[Head] = field(default_factory=list)
    below: list[Head] = field(default_factory=list)


def count_head_lines(lines: Sequence[Line], full: Sequence[float]) -> int:
    """How many of a table's first lines are its head; `full` are the heights of the rules that cross it, from the top."""
    data = [is_data_line(line) for line in lines]
    for y in full:
        above = sum(line.middle > y for line in lines)
        if above == 0:
            continue
        if above <= MOST_LINES and above < len(lines) and 2 * above <= len(lines) + 2:
            return above
        break
    if not any(data):
        return 0
    count = data.index(True)
    while count < len(lines) and count < MOST_LINES and _names_years(lines[count]):
        count += 1
    if count == len(lines) or count > MOST_LINES:
        return 0
    # labels of groups of rows stand over the first row, and are no head
    left = min(line.x0 for line in lines)
    while count and len(lines[count - 1].segments) == 1 and lines[count - 1].x0 - left < 3 * lines[count - 1].em:
        count -= 1
    return count


def is_data_line(line: Line) -> bool:
    """Whether most of a line, its first segment aside, is values."""
    texts = [segment.text for segment in line.segments[1:]]
    return bool(texts) and 5 * sum(map(is_data, texts)) >= 3 * len(texts)


def _names_years(line: Line) -> bool:
    texts = [segment.text for segment in line.segments]
    named = [text for text in texts if _YEAR.match(text)]
    return len(named) >= 2 and len(named) >= len(texts) - 1


def read_heads(
    lines: Sequence[Line],
    rivers: Sequence[River],
    extents: Sequence[tuple[float, float]],
    partial: Sequence[Rule],
    levels: Sequence[float],
    underlines: Sequence[Rule] = (),
) -> tuple[list[Draft], int]:
    """The cells of the head and the number of its rows.

    `extents` are those of the columns' texts in the body, `partial` rules go over some columns, `levels` are the heights of
    rules over all of them, `underlines` those under the words of one head.
    """
    heads: list[Head] = []
    columns = len(extents)
    lowest: list[Head | None] = [None] * columns
    for number, line in enumerate(lines):
        if number == 0 and len(line.segments) == 1 and len(lines) > 1 and _UNITS.match(line.segments[0].text) and columns > 2:
            continue
        placed = []
        for whole in line.segments:
            for segment in [whole] if _is_underlined(whole, underlines) else _parted(whole, rivers, extents):
                rule = _ruled_under(segment, partial) or _ruled_later(segment, lines[number + 1 : number + 2], partial)
                placed.append((segment, rule, *_reach(segment, rule, rivers, extents)))
        for index, (segment, rule, left, right) in enumerate(placed):
            if right > left and rule is None:
                low = placed[index - 1][3] + 1 if index else 0
                high = placed[index + 1][2] - 1 if index + 1 < len(placed) else columns - 1
                left, right = _centred(segment, left, right, low, high, extents)
            over = {id(head): head for head in lowest[left : right + 1] if head is not None}
            same = next(iter(over.values())) if len(over) == 1 else None
            if (
                same is not None
                and (same.left, same.right) == (left, right)
                and same.y0 - line.y1 < (STACKED - 1) * segment.em
                and not _rule_between(same, line, left, right, extents, partial, levels)
            ):
                same.words += segment.words
                same.y0 = line.y0
                continue
            head = Head(list(segment.words), left, right, line.y0, line.y1, above=list(over.values()))
            for other in head.above:
                other.below.append(head)
            heads.append(head)
            lowest[left : right + 1] = [head] * (right - left + 1)
    return _in_rows(heads, columns)


def _in_rows(heads: Sequence[Head], columns: int) -> tuple[list[Draft], int]:
    """Heads in rows: each reaches up to what is above it, and the lowest down to the body."""
    rows = 0
    for head in heads:
        head.level = max((other.level + 1 for other in head.above), default=0)
        rows = max(rows, head.level + 1)
    for head in heads:
        head.top = max((other.level + 1 for other in head.above), default=0)
    for head in heads:
        head.bottom = min((other.top - 1 for other in head.below), default=rows - 1)
    taken: dict[tuple[int, int], Draft] = {}
    drafts = []
    for head in sorted(heads, key=lambda head: (head.top, head.left)):
        draft = Draft(head.top, max(head.top, head.bottom), head.left, head.right, head.words)
        places = [(row, column) for row in range(draft.top, draft.bottom + 1) for column in range(draft.left, draft.right + 1)]
        clashing = next((taken[place] for place in places if place in taken), None)
        if clashing is not None:
            clashing.words += head.words
            continue
        taken.update(dict.fromkeys(places, draft))
        drafts.append(draft)
    for row in range(rows):
        drafts += [Draft(row, row, column, column) for column in range(columns) if (row, column) not in taken]
    return drafts, rows


def _is_underlined(segment: Segment, underlines: Sequence[Rule]) -> bool:
    """Whether one line goes under all of a segment."""
    bottom = segment.words[0].y0
    return any(
        abs(rule.at - bottom) < 0.3 * segment.em and rule.low < segment.x0 + segment.em and rule.high > segment.x1 - segment.em
        for rule in underlines
    )


def _parted(segment: Segment, rivers: Sequence[River], extents: Sequence[tuple[float, float]]) -> list[Segment]:
    """A segment cut at the rivers where it has more than a word space, or where all of its parts stand over columns."""
    cuts: list[tuple[int, River, float]] = []
    crossed = 0
    words = segment.words
    for river in rivers:
        if not (segment.x0 < river.x0 + 0.2 * segment.em and segment.x1 > river.x1 - 0.2 * segment.em):
            continue
        crossed += 1
        for index in range(1, len(words)):
            gap = words[index].x0 - words[index - 1].x1
            # the gap has a part in common with the river
            if gap > 0.15 * segment.em and words[index - 1].x1 < river.x1 and words[index].x0 > river.x0:
                cuts.append((index, river, gap / segment.em))
                break
    wide = {index for index, _, gap in cuts if gap > SPLIT_GAP}
    if (
        cuts
        and len(cuts) == crossed
        and not _is_phrase(words, cuts)
        and _stand_over(segment, [index for index, *_ in cuts], rivers, extents)
    ):
        wide = {index for index, *_ in cuts}
    bounds = [0, *sorted(wide), len(words)]
    return [Segment(words[first:last]) for first, last in itertools.pairwise(bounds)]


def _is_phrase(words: Sequence[Word], cuts: Sequence[tuple[int, River, float]]) -> bool:
    """Whether the only cut is as narrow as the spaces between the words around it."""
    gaps = [after.x0 - before.x1 for before, after in itertools.pairwise(words)]
    return (
        len(cuts) == 1
        and len(gaps) > 1
        and gaps[cuts[0][0] - 1] < 1.2 * max(gap for at, gap in enumerate(gaps, 1) if at != cuts[0][0])
    )


def _stand_over(segment: Segment, cuts: Sequence[int], rivers: Sequence[River], extents: Sequence[tuple[float, float]]) -> bool:
    """Whether all parts of a segment are in line with the columns under them: at the left, the right or the middle."""
    bounds = [0, *sorted(set(cuts)), len(segment.words)]
    off: list[tuple[float, float, float]] = []
    for first, last in itertools.pairwise(bounds):
        x0, x1 = segment.words[first].x0, segment.words[last - 1].x1
        column = sum(river.middle < 0.5 * (x0 + x1) for river in rivers)
        left, right = extents[column]
        off.append((abs(x0 - left), abs(x1 - right), 0.5 * abs(x0 + x1 - left - right)))
    return any(max(way) <= 0.45 * segment.em for way in zip(*off, strict=True))


def _reach(
    segment: Segment, rule: Rule | None, rivers: Sequence[River], extents: Sequence[tuple[float, float]]
) -> tuple[int, int]:
    """The first and last column that a head is over; `rule` is the one that is drawn under it."""
    if rule is not None:
        under = [column for column, (x0, x1) in enumerate(extents) if rule.low - 1 <= 0.5 * (x0 + x1) <= rule.high + 1]
        if under:
            return under[0], under[-1]
    covered = []
    for column, (x0, x1) in enumerate(extents):
        common = min(segment.x1, x1) - max(segment.x0, x0)
        if common > min(0.35 * (x1 - x0), 1.2 * segment.em, 0.5 * (segment.x1 - segment.x0)):
            covered.append(column)
    middle = 0.5 * (segment.x0 + segment.x1)
    nearest = sum(river.middle < middle for river in rivers)
    if not covered:
        # over the river between two columns, without reaching either
        for column, river in enumerate(rivers):
            if river.x0 <= segment.x0 and segment.x1 <= river.x1 and river.x1 - river.x0 > 1.5 * (segment.x1 - segment.x0):
                return column, column + 1
        return nearest, nearest
    return covered[0], covered[-1]


def _ruled_under(segment: Segment, partial: Sequence[Rule]) -> Rule | None:
    """The nearest rule over some columns that stands under a head."""
    bottom = min(word.y0 for word in segment.words)
    middle = 0.5 * (segment.x0 + segment.x1)
    under = [
        rule for rule in partial if -0.3 * segment.em <= bottom - rule.at < 1.3 * segment.em and rule.low <= middle <= rule.high
    ]
    return max(under, key=lambda rule: rule.at, default=None)


def _ruled_later(segment: Segment, following: Sequence[Line], partial: Sequence[Rule]) -> Rule | None:
    """The rule under the second line of a head whose first line a segment is."""
    for line in following:
        for other in line.segments:
            off = abs(0.5 * (segment.x0 + segment.x1) - 0.5 * (other.x0 + other.x1))
            if off < segment.em and segment.words[0].middle_y - line.middle < STACKED * segment.em:
                rule = _ruled_under(other, partial)
                if rule is not None and rule.low <= segment.x0 and segment.x1 <= rule.high:
                    between = any(
                        line.middle < rule.at < segment.words[0].middle_y and rule.low < segment.x1 and rule.high > segment.x0
                        for rule in partial
                    )
                    return None if between else rule
    return None


def _centred(
    segment: Segment, left: int, right: int, low: int, high: int, extents: Sequence[tuple[float, float]]
) -> tuple[int, int]:
    """The columns that a head over several is the middle of, among those that no other head of its line is over."""
    middle = 0.5 * (segment.x0 + segment.x1)
    off = {
        (first, last): abs(0.5 * (extents[first][0] + extents[last][1]) - middle)
        for first in range(min(low, left), left + 1)
        for last in range(right, max(high, right) + 1)
    }
    near = min(off.values()) + 0.4 * segment.em
    return max((reach for reach in off if off[reach] <= near), key=lambda reach: (reach[1] - reach[0], -off[reach]))


def _rule_between(
    head: Head,
    line: Line,
    left: int,
    right: int,
    extents: Sequence[tuple[float, float]],
    partial: Sequence[Rule],
    levels: Sequence[float],
) -> bool:
    high, low = 0.5 * (head.y0 + head.y1), line.middle
    if any(low < y < high for y in levels):
        return True
    x0, x1 = extents[left][0], extents[right][1]
    return any(low < rule.at < high and min(rule.high, x1) - max(rule.low, x0) > 0.5 * (x1 - x0) for rule in partial)
