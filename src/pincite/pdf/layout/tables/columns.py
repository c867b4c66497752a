"""Columns from words: the rivers of white space that run down between them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.pdf.layout.tables.lines import Line, is_data
from pincite.pdf.layout.tables.words import Word

NARROWEST = 0.28
"""A river is at least so wide, in em."""
WIDE = 0.55
"""A gap over this, in em, is no word space."""
WIDE_VALUES = 0.38
"""The same between two values, which are not words of one text."""
WIDE_SHARE = 0.6
"""So many of the gaps in which a river lies must be wide."""
CROSSED_SHARE = 0.06
"""So many of the lines may cross a river: heads over several columns, and words that stick out of theirs."""

_MARK_BEFORE = re.compile(r"[$€£¥₩<>≤≥±+(–—-]{1,2}\Z|(?:US|A|C)\$\Z")
_MARK_BEHIND = re.compile(r"[%)*†‡§¶#°!]{1,3}\Z|\(?[a-z\d]\)\Z")


@dataclass(frozen=True, slots=True)
class River:
    """White space from x0 to x1 between two columns; `support` lines have words on both of its sides."""

    x0: float
    x1: float
    support: int

    @property
    def middle(self) -> float:
        return 0.5 * (self.x0 + self.x1)


def find_rivers(lines: Sequence[Line], em: float, breaks: Sequence[float] = ()) -> list[River]:
    """The rivers of lines, from left to right. `breaks` are places where rules have been seen to end a column."""
    body = [line.words for line in lines if len(line.words) > 1]
    if not body:
        return []
    allowed = int(CROSSED_SHARE * len(body))
    rivers = []
    rows = [_Row(words) for words in body]
    for x0, x1 in _uncovered([word for words in body for word in words], allowed):
        if x1 - x0 < NARROWEST * em:
            continue
        river = _supported(rows, x0, x1, em, breaks)
        if river is not None:
            rivers.append(river)
    return _without_marks(rivers, body)


def _uncovered(words: Sequence[Word], allowed: int) -> list[tuple[float, float]]:
    """The stretches inside the words' extent that no more than `allowed` of them cover."""
    events = sorted([(word.x0, 1) for word in words] + [(word.x1, -1) for word in words])
    stretches = []
    covered = 0
    start: float | None = None
    seen = False
    for x, step in events:
        before = covered
        covered += step
        if before > allowed >= covered:
            start, seen = x, True
        elif before <= allowed < covered and seen and start is not None:
            stretches.append((start, x))
            start = None
    return stretches


class _Row:
    """The words of a line by their middles, so that what is nearest to a place on either side is found without a look at each."""

    def __init__(self, words: Sequence[Word]) -> None:
        ordered = sorted(words, key=lambda word: word.middle_x)
        self.middles = [word.middle_x for word in ordered]
        self.lefts = ordered[:]
        self.rights = ordered[:]
        for index in range(1, len(ordered)):
            if ordered[index].x1 <= self.lefts[index - 1].x1:
                self.lefts[index] = self.lefts[index - 1]
            if ordered[-index - 1].x0 > self.rights[-index].x0:
                self.rights[-index - 1] = self.rights[-index]

    def beside(self, middle: float) -> tuple[Word, Word] | None:
        """The word that reaches furthest to the right of those left of a place, and the reverse; None without both."""
        left, right = bisect_left(self.middles, middle), bisect_right(self.middles, middle)
        return (self.lefts[left - 1], self.rights[right]) if left and right < len(self.rights) else None


def _supported(rows: Sequence[_Row], x0: float, x1: float, em: float, breaks: Sequence[float]) -> River | None:
    """The river, where enough lines have words on both sides of it and wide gaps between."""
    middle = 0.5 * (x0 + x1)
    support = wide = 0
    for row in rows:
        beside = row.beside(middle)
        if beside is None:
            continue
        left, right = beside
        support += 1
        values = is_data(left.text) and is_data(right.text)
        wide += right.x0 - left.x1 > (WIDE_VALUES if values else WIDE) * em
    if not support:
        return None
    confirmed = any(x0 - 0.5 * em <= at <= x1 + 0.5 * em for at in breaks)
    if wide < (0.3 if confirmed else WIDE_SHARE) * support:
        return None
    if support < 2 and not (confirmed or len(rows) < 3):
        return None
    return River(x0, x1, support)


def _without_marks(rivers: list[River], body: Sequence[Sequence[Word]]) -> list[River]:
    """Rivers without those that part a currency sign, a bracket or a note mark from its number."""
    kept = list(rivers)
    words = sorted((word for words in body for word in words), key=lambda word: word.middle_x)
    middles = [word.middle_x for word in words]
    index = 0
    while index <= len(kept):
        low = kept[index - 1].middle if index else float("-inf")
        high = kept[index].middle if index < len(kept) else float("inf")
        texts = [word.text for word in words[bisect_right(middles, low) : bisect_left(middles, high)]]
        if texts and index < len(kept) and all(map(_MARK_BEFORE.match, texts)) and not all(text in "-–—" for text in texts):
            del kept[index]
        elif texts and index and all(map(_MARK_BEHIND.match, texts)):
            del kept[index - 1]
        else:
            index += 1
    return kept
