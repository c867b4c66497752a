"""Tables with rules that only go across: over the head, under it, at the foot, or between all rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from pincite.pdf.layout.tables.build import build, columns_of
from pincite.pdf.layout.tables.captions import is_caption, is_note
from pincite.pdf.layout.tables.columns import River
from pincite.pdf.layout.tables.grid import Grid
from pincite.pdf.layout.tables.lines import Line, lines_across
from pincite.pdf.layout.tables.prose import Paragraph
from pincite.pdf.layout.tables.rules import Rule, Rules
from pincite.pdf.layout.tables.words import Word

SAME_END = 4.0
"""Rules of one table end at the same places, give or take this, in points."""
NARROWEST = 12.0
"""They are at least so long, in em."""
BROKEN = 0.5
"""The share of the lines between two rules that have a gap."""
MOST_PROSE = 14
"""What stands between two rules may be text in cells up to so many lines; more is a page of text."""
MOST_RULES = 400
MOST_HEADS = 4
GAP = 1.0
LABEL = 0.42
"""A label beside a text is narrower than this share of both."""
WIDE_PROSE = 19.0
"""Running text over this, in em, is in no cell."""


def find_banded(words: Sequence[Word], rules: Rules, paragraphs: Sequence[Paragraph]) -> list[Grid]:
    """The tables between rules of the same length above each other. `paragraphs` are the boxes of running text."""
    if not words:
        return []
    paragraphs = [paragraph for paragraph in paragraphs if paragraph.x1 - paragraph.x0 > WIDE_PROSE * words[0].em]
    grids: list[Grid] = []
    taken: set[int] = set()
    for group in _groups(rules.horizontal):
        low, high = min(rule.low for rule in group), max(rule.high for rule in group)
        inside = [
            word
            for word in words
            if word.start not in taken
            and low - word.em <= word.middle_x <= high + word.em
            and group[-1].at < word.middle_y < group[0].at
        ]
        if not inside:
            continue
        lines = lines_across(inside, rules.vertical)
        if len(group) == 2 and _stands_over(words, group[0]):
            continue
        for run in _runs(lines, [rule.at for rule in group], high - low, paragraphs):
            rivers = columns_of(run, rules)
            run = [*_heads_over(run, lines, [rule.at for rule in group], rivers), *run]
            grid = build(run, rules, rivers) if rivers else None
            if grid is not None:
                grids.append(grid)
                taken.update(word.start for line in run for word in line.words)
    return grids


def _groups(rules: Sequence[Rule]) -> Iterable[list[Rule]]:
    """Rules with the same ends, from the top down; the longest first."""
    left = sorted(rules, key=lambda rule: -rule.length)[:MOST_RULES]
    while left:
        first = left[0]
        group = [rule for rule in left if abs(rule.low - first.low) <= SAME_END and abs(rule.high - first.high) <= SAME_END]
        left = [rule for rule in left if rule not in group]
        group.sort(key=lambda rule: -rule.at)
        if len(group) > 1:
            yield group


def _heads_over(run: Sequence[Line], lines: Sequence[Line], levels: Sequence[float], rivers: Sequence[River]) -> list[Line]:
    """The lines of the band over a run, where their words stand over its columns without a wide gap between."""
    over = [level for level in levels if level > run[0].middle]
    if len(over) < 2:
        return []
    band = [line for line in lines if over[-1] < line.middle < over[-2]]
    if not 0 < len(band) <= MOST_HEADS or any(is_caption(line.segments[0].text) for line in band):
        return []
    words = [word for line in band for word in line.words]
    parted = sum(
        any(word.middle_x < river.middle for word in words)
        and any(word.middle_x > river.middle for word in words)
        and not any(word.x0 < river.x0 and word.x1 > river.x1 for word in words)
        for river in rivers
    )
    return band if rivers and 3 * parted >= 2 * len(rivers) and words[0].x0 < rivers[0].x0 else []


def _stands_over(words: Sequence[Word], rule: Rule) -> bool:
    """Whether a line with a gap stands right over a rule, which is then no table's first."""
    near = [
        word for word in words
        if rule.low - word.em < word.middle_x < rule.high + word.em and 0.0 < word.middle_y - rule.at < 1.3 * word.em
    ]  # fmt: skip
    return any(_gap(line) > GAP * line.em and not is_caption(line.segments[0].text) for line in lines_across(near))


def _runs(lines: Sequence[Line], levels: Sequence[float], width: float, paragraphs: Sequence[Paragraph]) -> Iterable[list[Line]]:
    """The lines of stretches between rules that look like rows."""
    run: list[Line] = []
    bands = 0
    for high, low in itertools.pairwise(levels):
        band = [line for line in lines if low < line.middle < high]
        if not band:
            continue
        captions = [number for number, line in enumerate(band) if is_caption(line.segments[0].text)]
        if captions:
            if bands > 1 or len(run) > 2:
                yield run
            run, bands = [], 0
            number = captions[-1] + 1
            while number < len(band) and _gap(band[number]) <= GAP * band[number].em:
                number += 1
            band = band[number:]
            if not band:
                continue
        if _is_prose(band, paragraphs):
            if bands > 1 or len(run) > 2:
                yield run
            run, bands = [], 0
            continue
        if _is_tabular(band, width) or (run and _is_heading(band)):
            run += band
            bands += 1
            continue
        if bands > 1 or len(run) > 2:
            yield run
        run, bands = [], 0
    if bands > 1 or len(run) > 2:
        yield run


def _is_prose(band: Sequence[Line], paragraphs: Sequence[Paragraph]) -> bool:
    first = band[0]
    wide = first.x1 - first.x0
    if len(band) <= MOST_PROSE and _gap(first) > GAP * first.em and first.segments[0].x1 - first.x0 < LABEL * wide:
        return False  # a label with a text beside it
    words = [word for line in band for word in line.words]
    return 10 * sum(any(paragraph.holds(word) for paragraph in paragraphs) for word in words) > 7 * len(words)


def _is_tabular(band: Sequence[Line], width: float) -> bool:
    if width < NARROWEST * band[0].em or is_caption(band[0].segments[0].text) or is_note(band[0].segments[0].text[:20]):
        return False
    broken = [line for line in band if _gap(line) > GAP * line.em]
    if len(broken) < max(1.0, BROKEN * len(band)):
        # cells of several lines beside such of one
        return (
            bool(broken)
            and len(band) <= MOST_PROSE
            and all(line.x1 - line.x0 < 0.8 * width for line in band if line not in broken)
        )
    if len(band) <= MOST_PROSE:
        return True
    # a page of text in columns has long segments in nearly all of its lines
    long = sum(any(len(segment.words) > 5 for segment in line.segments[1:]) for line in band)
    return 2 * long < len(band)


def _is_heading(band: Sequence[Line]) -> bool:
    """Whether a band is a heading over the rows that follow."""
    return len(band) == 1 and not is_note(band[0].segments[0].text) and not is_caption(band[0].segments[0].text)


def _gap(line: Line) -> float:
    return max((after.x0 - before.x1 for before, after in zip(line.segments, line.segments[1:], strict=False)), default=0.0)
