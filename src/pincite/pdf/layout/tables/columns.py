"""Columns from words: the rivers of white space that run down between them."""

from __future__ import annotations

import re
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
    for x0, x1 in _uncovered([word for words in body for word in words], allowed):
        if x1 - x0 < NARROWEST * em:
            continue
        river = _supported(body, x0, x1, em, breaks)
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


def _supported(body: Sequence[Sequence[Word]], x0: float, x1: float, em: float, breaks: Sequence[float]) -> River | None:
    """The river, where enough lines have words on both sides of it and wide gaps between."""
    middle = 0.5 * (x0 + x1)
    support = wide = 0
    for words in body:
        left = max((word for word in words if word.middle_x < middle), key=lambda word: word.x1, default=None)
        right = min((word for word in words if word.middle_x > middle), key=lambda word: word.x0, default=None)
        if left is None or right is None:
            continue
        support += 1
        values = is_data(left.text) and is_data(right.text)
        wide += right.x0 - left.x1 > (WIDE_VALUES if values else WIDE) * em
    if not support:
        return None
    confirmed = any(x0 - 0.5 * em <= at <= x1 + 0.5 * em for at in breaks)
    if wide < (0.3 if confirmed else WIDE_SHARE) * support:
        return None
    if support < 2 and not (confirmed or len(body) < 3):
        return None
    return River(x0, x1, support)


def _without_marks(rivers: list[River], body: Sequence[Sequence[Word]]) -> list[River]:
    """Rivers without those that part a currency sign, a bracket or a note mark from its number."""
    kept = list(rivers)
    index = 0
    while index <= len(kept):
        low = kept[index - 1].middle if index else float("-inf")
        high = kept[index].middle if index < len(kept) else float("inf")
        texts = [word.text for words in body for word in words if low < word.middle_x < high]
        if texts and index < len(kept) and all(map(_MARK_BEFORE.match, texts)) and not all(text in "-–—" for text in texts):
            del kept[index]
        elif texts and index and all(map(_MARK_BEHIND.match, texts)):
            del kept[index - 1]
        else:
            index += 1
    return kept
