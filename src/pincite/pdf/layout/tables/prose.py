"""Running text: paragraphs stand beside tables and between them, and are no part of any."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.pdf.layout.tables.lines import is_data
from pincite.pdf.layout.tables.words import Word

WORDS = 5
"""A line of running text has so many words,"""
WIDTH = 12.0
"""and is so wide, in em;"""
FILL = 0.8
"""all lines but the last fill so much of the widest,"""
LINES = 3
"""and there are so many of them."""
WIDE_GAP = 0.8
"""Words of a line are no further apart, in em, unless all of its gaps are as wide, as in justified text."""
UNEVEN = 1.6
WIDEST_GAP = 1.5


@dataclass(slots=True, eq=False)
class TextLine:
    """A line as it is drawn."""

    words: list[Word]
    x0: float
    x1: float
    middle: float
    em: float
    long: bool

    @property
    def width(self) -> float:
        return self.x1 - self.x0


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The box of some lines of running text."""

    x0: float
    y0: float
    x1: float
    y1: float

    def holds(self, word: Word) -> bool:
        return self.x0 - 1.0 <= word.middle_x <= self.x1 + 1.0 and self.y0 <= word.middle_y <= self.y1


def part_prose(words: Sequence[Word]) -> tuple[list[Word], list[Paragraph]]:
    """The words that are no running text, and the boxes of the paragraphs."""
    stacks: list[list[TextLine]] = []
    for line in sorted(_lines(words), key=lambda line: -line.middle):
        stack = next((stack for stack in reversed(stacks[-40:]) if _goes_on(stack, line)), None)
        if stack is not None:
            stack.append(line)
        elif line.long:
            stacks.append([line])
    paragraphs = [paragraph for stack in stacks for paragraph in _paragraphs(stack)]
    if not paragraphs:
        return list(words), []
    return [word for word in words if not any(paragraph.holds(word) for paragraph in paragraphs)], paragraphs


def _lines(words: Sequence[Word]) -> Iterable[TextLine]:
    """The lines of the text, as its order has them: those of two columns side by side are apart."""
    line: list[Word] = []
    for word in words:
        if word.turned:
            continue
        if line and (word.line != line[-1].line or word.x0 < line[-1].x0):
            yield _line(line)
            line = []
        line.append(word)
    if line:
        yield _line(line)


def _line(words: list[Word]) -> TextLine:
    ems = sorted(word.em for word in words)
    em = ems[len(ems) // 2]
    x0, x1 = words[0].x0, words[-1].x1
    gaps = sorted(after.x0 - before.x1 for before, after in itertools.pairwise(words))
    even = not gaps or gaps[-1] <= min(max(WIDE_GAP * em, UNEVEN * gaps[len(gaps) // 2]), WIDEST_GAP * em)
    said = sum(not is_data(word.text) for word in words)
    long = len(words) >= WORDS and x1 - x0 >= WIDTH * em and even and 5 * said >= 3 * len(words)
    return TextLine(words, x0, x1, sorted(word.middle_y for word in words)[len(words) // 2], em, long)


def _goes_on(stack: Sequence[TextLine], line: TextLine) -> bool:
    last = stack[-1]
    if not 0.8 * line.em < last.middle - line.middle < 2.3 * line.em or abs(last.em - line.em) > 0.15 * line.em:
        return False
    if not line.long and not (len(stack) >= 2 and line.x1 < last.x1 + line.em):
        return False
    at_left = min(abs(last.x0 - line.x0), abs(stack[0].x0 - line.x0)) < 0.3 * line.em
    # a first line that is set in or out
    at_right = abs(last.x1 - line.x1) < 0.5 * line.em and abs(last.x0 - line.x0) < 4.0 * line.em
    first = len(stack) == 1 and abs(last.x0 - line.x0) < 4.0 * line.em and line.x1 < last.x1 + line.em
    return at_left or at_right or first


def _paragraphs(stack: Sequence[TextLine]) -> Iterable[Paragraph]:
    """The stretches of a stack whose lines fill its width, each with the short line that ends it."""
    right = max(line.x1 for line in stack)
    width = max(line.width for line in stack)
    full = [line.long and line.width >= FILL * width for line in stack]
    start = 0
    while start < len(stack):
        end = start
        while end < len(stack) and (full[end] or (end > start and end + 1 < len(stack) and full[end - 1] and full[end + 1])):
            end += 1
        count = end - start
        if count >= LINES or (count >= LINES - 1 and end >= len(stack) - 1 and start == 0):
            lines = stack[start : end + 1]
            em = lines[0].em
            x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
            yield Paragraph(x0, lines[-1].middle - 0.5 * em, min(x1, right), lines[0].middle + 0.5 * em)
        start = max(end, start + 1)
