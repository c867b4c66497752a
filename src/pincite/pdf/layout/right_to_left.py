"""Lines with right-to-left letters: from the order they are drawn in to the order they are read in.

Content streams hold such lines mostly in visual order, left to right. Reading order is found by inverting the
bidirectional algorithm (Unicode Standard Annex #9): a right-to-left line is reversed, and what runs left to right in it
(Latin words, numbers with their separators) is reversed back.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise

_MIRRORED = dict(zip("()[]{}<>«»‹›", ")(][}{><»«›‹", strict=True))
_OPENING = frozenset("([{<«‹")
_STRONG_RIGHT = frozenset(("R", "AL"))
_NUMBER = frozenset(("EN", "AN"))
_BACKWARDS = 0.25
_APART = 0.15
_MARK_APART = 0.5


@dataclass(slots=True)
class PlacedGlyph:
    """A glyph of the line, or several that stand for one text: place along the line, em, text and its bidirectional class."""

    row: int
    value: int
    text: str
    start: float
    end: float
    em: float
    kind: str


Item = tuple[int, int]
"""(value, glyph row); a space that geometry adds is (32, -1)."""


def read_right_to_left(glyphs: list[PlacedGlyph], space: float) -> list[Item]:
    """Put the glyphs of a line, in the order they are drawn, into reading order, with missing spaces added.

    `space` is the least gap, in em, that is a space.
    """
    if _advances_leftwards(glyphs):
        return _with_leftward_gaps(glyphs, space)
    visual = _sorted_runs(glyphs)
    _put_marks_before_bases(visual)
    items = _with_gaps(visual, space)
    right = sum(glyph.kind in _STRONG_RIGHT for glyph in visual)
    left = sum(glyph.kind == "L" for glyph in visual)
    ordered = _invert(items, base_is_right=right >= left)
    return [(32, -1) if glyph is None else (glyph.value, glyph.row) for glyph in ordered]


def _advances_leftwards(glyphs: list[PlacedGlyph]) -> bool:
    """Whether right-to-left letters follow each other leftwards: then the stream holds them as they are read."""
    leftwards = rightwards = 0
    for before, after in pairwise(glyphs):
        if before.kind in _STRONG_RIGHT and after.kind in _STRONG_RIGHT:
            if after.start < before.start - 0.05 * before.em:
                leftwards += 1
            elif after.start > before.start + 0.05 * before.em:
                rightwards += 1
    return leftwards > rightwards


def _with_leftward_gaps(glyphs: list[PlacedGlyph], space: float) -> list[Item]:
    items: list[Item] = []
    for index, glyph in enumerate(glyphs):
        if index:
            before = glyphs[index - 1]
            gap = max(before.start - glyph.end, glyph.start - before.end)
            if gap > space * glyph.em and _may_be_parted(before, glyph):
                items.append((32, -1))
        items.append((glyph.value, glyph.row))
    return items


def _may_be_parted(before: PlacedGlyph, after: PlacedGlyph) -> bool:
    """Whether a gap between the two can be a missing space: not beside one, and not before a mark."""
    return not before.text.isspace() and not after.text.isspace() and before.kind != "NSM" and after.kind != "NSM"


def _sorted_runs(glyphs: list[PlacedGlyph]) -> list[PlacedGlyph]:
    """Cut where the pen jumps, and sort the pieces from left to right; inside a piece the order stays."""
    runs: list[list[PlacedGlyph]] = []
    for glyph in glyphs:
        if runs:
            before = runs[-1][-1]
            apart = _MARK_APART if "NSM" in (glyph.kind, before.kind) else _APART
            if before.start - _BACKWARDS * glyph.em <= glyph.start <= before.end + apart * glyph.em:
                runs[-1].append(glyph)
                continue
        runs.append([glyph])
    runs.sort(key=lambda run: run[0].start)
    return [glyph for run in runs for glyph in run]


def _put_marks_before_bases(visual: list[PlacedGlyph]) -> None:
    """A mark that is drawn after its base goes before it, so that the reversal of the line brings it behind."""
    for index in range(1, len(visual)):
        mark, base = visual[index], visual[index - 1]
        if mark.kind == "NSM" and base.kind in _STRONG_RIGHT and base.start <= 0.5 * (mark.start + mark.end) <= base.end:
            visual[index - 1], visual[index] = mark, base


def _with_gaps(visual: list[PlacedGlyph], space: float) -> list[PlacedGlyph | None]:
    """Add None for each missing space. Gaps are measured from the furthest end so far: marks stand over their bases."""
    items: list[PlacedGlyph | None] = []
    end = 0.0
    for index, glyph in enumerate(visual):
        if index and glyph.start - end > space * glyph.em and _may_be_parted(visual[index - 1], glyph):
            items.append(None)
        end = glyph.end if not index else max(end, glyph.end)
        items.append(glyph)
    return items


def _invert(items: list[PlacedGlyph | None], *, base_is_right: bool) -> list[PlacedGlyph | None]:
    """Invert the reordering of rule L2 for embedding levels 0 to 2, and the mirroring of rule L4 where it was not undone."""
    levels = _levels(items, base_is_right)
    ordered = list(items)
    highest = max(levels, default=0)
    # Undoing L2 is doing it again from the lowest level upwards; each pass reverses the stretches at or above the level.
    for level in range(1, highest + 1):
        start = None
        for index in range(len(ordered) + 1):
            inside = index < len(ordered) and levels[index] >= level
            if inside and start is None:
                start = index
            elif not inside and start is not None:
                ordered[start:index] = reversed(ordered[start:index])
                levels[start:index] = reversed(levels[start:index])
                start = None
    brackets = [
        glyph for glyph, level in zip(ordered, levels, strict=True) if glyph is not None and level % 2 and glyph.text in _MIRRORED
    ]
    # Some producers map a mirrored glyph to the character that was mirrored, others to the one it looks like: pairs tell.
    if _pairs(brackets, mirrored=True) > _pairs(brackets, mirrored=False):
        for glyph in brackets:
            glyph.value = ord(_MIRRORED[glyph.text])
    return ordered


def _pairs(brackets: list[PlacedGlyph], *, mirrored: bool) -> int:
    """How many brackets open before they close, counted for each kind by itself."""
    pairs = 0
    pending: Counter[str] = Counter()
    for glyph in brackets:
        text = _MIRRORED[glyph.text] if mirrored else glyph.text
        if text in _OPENING:
            pending[_MIRRORED[text]] += 1
        elif pending[text]:
            pending[text] -= 1
            pairs += 1
    return pairs


def _levels(items: list[PlacedGlyph | None], base_is_right: bool) -> list[int]:
    """An embedding level for each item in visual order: weak types by their neighbours, then neutrals (W4 to W7, N1, N2)."""
    kinds = ["WS" if glyph is None else glyph.kind for glyph in items]
    count = len(kinds)
    base = "R" if base_is_right else "L"
    _classify_numbers(kinds, base)
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for index in range(1, count - 1):
        joins = kinds[index] == "CS" or (kinds[index] == "ES" and kinds[index - 1] == "EN")
        if joins and kinds[index - 1] == kinds[index + 1] and kinds[index - 1] in _NUMBER:
            kinds[index] = kinds[index - 1]
    index = 0
    while index < count:
        # terminators (%, $, °) beside a number belong to it
        end = index
        while end < count and kinds[end] == "ET":
            end += 1
        if end > index and ((end < count and kinds[end] == "EN") or (index and kinds[index - 1] == "EN")):
            kinds[index:end] = ["EN"] * (end - index)
        index = max(end, index + 1)
    resolved: list[str] = []
    bases = _nearest(kinds, range(count - 1, -1, -1), lambda kind: kind != "NSM")
    for index, kind in enumerate(kinds):
        if kind == "NSM":
            resolved.append("R" if bases[index] == "R" else (resolved[-1] if resolved else base))
        elif kind in ("L", "R") or kind in _NUMBER:
            resolved.append(kind)
        else:
            resolved.append("ON")
    index = 0
    while index < count:
        if resolved[index] != "ON":
            index += 1
            continue
        end = index
        while end < count and resolved[end] == "ON":
            end += 1
        before = _side(resolved, index - 1, base)
        after = _side(resolved, end, base)
        resolved[index:end] = [before if before == after else base] * (end - index)
        index = end
    right = {"R": 1, "L": 2, "EN": 2, "AN": 2}
    left = {"R": 1, "L": 0, "EN": 0, "AN": 2}
    return [(right if base_is_right else left)[kind] for kind in resolved]


def _classify_numbers(kinds: list[str], base: str) -> None:
    """Give European numbers the class that their neighbours make of them (W2, W7), seen from the visual side.

    Behind a Latin word a number is part of it, be it with a space or a hyphen between: COVID-19. In what is read from
    right to left, the letter that comes before it stands on its right: an Arabic one makes it an Arabic number.
    """
    lefts = _nearest(kinds, range(len(kinds)), _is_letter)
    rights = _nearest(kinds, range(len(kinds) - 1, -1, -1), _is_letter)
    for index, kind in enumerate(kinds):
        if kind != "EN":
            continue
        left, right = lefts[index], rights[index]
        if left == "L":
            kinds[index] = "L"
        elif base == "R":
            kinds[index] = "AN" if right == "AL" else "EN"
        elif left in _STRONG_RIGHT and right in _STRONG_RIGHT:
            kinds[index] = "AN"


def _is_letter(kind: str) -> bool:
    return kind in ("L", "R", "AL")


def _nearest(kinds: list[str], order: Iterable[int], counts: Callable[[str], bool]) -> list[str]:
    """For each item the class of the last one before it in `order` that counts, "" where there is none."""
    nearest = [""] * len(kinds)
    last = ""
    for index in order:
        nearest[index] = last
        if counts(kinds[index]):
            last = kinds[index]
    return nearest


def _side(resolved: list[str], index: int, base: str) -> str:
    """What a neutral sees on one side (N1): Arabic numbers count as right-to-left, European ones as the line runs."""
    if not 0 <= index < len(resolved):
        return base
    kind = resolved[index]
    if kind == "EN":
        return base
    return "R" if kind == "AN" else kind


def bidirectional_kind(text: str) -> str:
    """The bidirectional class of a glyph's text: that of its first strong character, else of its first."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    for kind in kinds:
        if kind in ("L", "R", "AL"):
            return kind
    return kinds[0] if kinds else "ON"
