"""Words in lines across the page, and lines in segments."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.pdf.layout.tables.rules import Rule
from pincite.pdf.layout.tables.words import Word

SEGMENT_GAP = 0.8
"""Words further apart than this, in em, are in two segments."""
_NO_DIGITS = re.compile(r"(?:[-–—‒−‑.…*†‡§¶·•x×✓✔✗●○■□+/]+|n/?\.?[ad]\.?|nil|none|yes|no|ref\.?|total)\Z", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_COUNT = re.compile(r"[(\[]?n\s?=")
LONGEST_DATA = 32


@dataclass(slots=True, eq=False)
class Segment:
    """Words of one line with nothing but spaces between."""

    words: list[Word]

    @property
    def x0(self) -> float:
        return self.words[0].x0

    @property
    def x1(self) -> float:
        return self.words[-1].x1

    @property
    def em(self) -> float:
        return max(word.em for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


@dataclass(slots=True, eq=False)
class Line:
    """A line across the page, or across a part of it: segments from left to right."""

    segments: list[Segment]
    y0: float
    y1: float

    @property
    def middle(self) -> float:
        return 0.5 * (self.y0 + self.y1)

    @property
    def words(self) -> list[Word]:
        return [word for segment in self.segments for word in segment.words]

    @property
    def em(self) -> float:
        ems = sorted(word.em for segment in self.segments for word in segment.words)
        return ems[len(ems) // 2]

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        return self.segments[-1].x1


def is_data(text: str) -> bool:
    """Whether a cell's text looks like a value rather than words: it has digits and no word beside, or is a sign for none."""
    if len(text) > LONGEST_DATA:
        return False
    if any(character.isdigit() for character in text):
        return _WORD.search(text) is None and _COUNT.match(text) is None
    return _NO_DIGITS.match(text.strip("$€£¥%()[] ")) is not None


def lines_across(words: Sequence[Word], upright: Sequence[Rule] = ()) -> list[Line]:
    """Lines from the top down. A vertical rule between two words parts their segments."""
    rows: list[list[Word]] = []
    for word in sorted((word for word in words if not word.turned), key=lambda word: -word.middle_y):
        for row in reversed(rows[-4:]):
            other = row[0]
            overlap = min(word.y1, other.y1) - max(word.y0, other.y0)
            if overlap > 0.55 * min(word.y1 - word.y0, other.y1 - other.y0):
                row.append(word)
                break
        else:
            rows.append([word])
    lines = []
    for row in rows:
        row.sort(key=lambda word: word.x0)
        y0, y1 = _extent(row)
        walls = sorted(rule.at for rule in upright if rule.low < 0.5 * (y0 + y1) < rule.high)
        segments: list[Segment] = []
        for word in row:
            if segments:
                before = segments[-1].words[-1]
                em = max(word.em, before.em)
                at = bisect_left(walls, before.middle_x)
                walled = at < len(walls) and walls[at] < word.middle_x
                if word.x0 - before.x1 <= SEGMENT_GAP * em and not walled:
                    segments[-1].words.append(word)
                    continue
            segments.append(Segment([word]))
        lines.append(Line(segments, y0, y1))
    lines.sort(key=lambda line: -line.middle)
    return lines


def _extent(row: Sequence[Word]) -> tuple[float, float]:
    """The extent of the words of the common size: a raised note mark does not make a line taller."""
    ems = sorted(word.em for word in row)
    em = ems[len(ems) // 2]
    common = [word for word in row if abs(word.em - em) < 0.2 * em]
    return min(word.y0 for word in common), max(word.y1 for word in common)
