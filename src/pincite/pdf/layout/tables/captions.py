"""Lines around a table that are not in it, and what they say of what they stand at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pincite.pdf.layout.tables.prose import Paragraph
from pincite.pdf.layout.tables.words import Word

_NUMBER = r"\s*\.?\s*(?:\d|[A-Z]{1,3}[-.]?\d|[A-Z]\b|[IVXL]+\b)"
_TABLE = re.compile(
    r"(?:table|tab\.|exhibit|panel|box|tableau|tabelle|tabla|tabella|tabel|tabela|quadro|taulukko|표|表)" + _NUMBER, re.IGNORECASE
)
_FIGURE = re.compile(
    r"(?:figure|fig\.?|chart|graph|map|plate|scheme|abbildung|abb\.|figura|gráfico|graphique|그림|図|圖|图)" + _NUMBER,
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:notes?|sources?|source\(s\)|abbreviations?|key|legend|exhibit reads|how to read|quellen?|anmerkung(?:en)?"
    r"|fuentes?|fonte|n\.?b\.?)\s*[:.]|(?:source|note|abbreviations)s?\b|[*†‡§¹²³⁴]+\s?\w",
    re.IGNORECASE,
)
LONG_NOTE = 90
"""A text of so many characters across all columns at the foot of a table is a note, whatever it begins with."""
OVER = 8.0
"""The caption of a table is at most so far over it, in em;"""
UNDER = 40.0
"""that of a figure at most so far under any part of it."""


def is_caption(text: str) -> bool:
    """Whether a text is the caption of a table or a figure."""
    return _TABLE.match(text) is not None or _FIGURE.match(text) is not None


def is_note(text: str) -> bool:
    """Whether a text across a table's foot is a note rather than a row."""
    return _NOTE.match(text) is not None or len(text) >= LONG_NOTE


@dataclass(frozen=True, slots=True)
class _Mark:
    """A caption, or a paragraph, from x0 to x1 at the height y."""

    kind: Literal["table", "figure", "prose"]
    x0: float
    x1: float
    y: float
    text: str = ""


class Surroundings:
    """The captions and the paragraphs of a page."""

    def __init__(self, words: Sequence[Word], paragraphs: Sequence[Paragraph]) -> None:
        self.paragraphs = paragraphs
        self._marks = [_Mark("prose", paragraph.x0, paragraph.x1, paragraph.y1) for paragraph in paragraphs]
        self._bottoms = [_Mark("prose", paragraph.x0, paragraph.x1, paragraph.y0) for paragraph in paragraphs]
        line = -1
        for number, word in enumerate(words):
            if word.line == line:
                continue
            line = word.line
            last = number
            while last + 1 < len(words) and words[last + 1].line == line:
                last += 1
            text = " ".join(each.text for each in words[number : number + 3])
            kind: Literal["table", "figure"] | None = "table" if _TABLE.match(text) else "figure" if _FIGURE.match(text) else None
            if kind is not None:
                mark = _Mark(
                    kind, word.x0, words[last].x1, word.middle_y, " ".join(each.text for each in words[number : last + 1])
                )
                self._marks.append(mark)
                self._bottoms.append(mark)

    def caption_over(self, box: tuple[float, float, float, float], em: float) -> str | None:
        """The first line of the caption that stands over a table, or right under it."""
        x0, y0, x1, y1 = box
        named = [mark for mark in self._bottoms if mark.kind == "table" and _beside(mark, x0, x1, em)]
        over = [mark for mark in named if -em < mark.y - y1 < OVER * em]
        under = [mark for mark in named if 0.0 < y0 - mark.y < 3.0 * em]
        nearest = min(over, key=lambda mark: mark.y, default=None) or max(under, key=lambda mark: mark.y, default=None)
        return nearest.text if nearest is not None else None

    def is_figure(self, box: tuple[float, float, float, float], em: float) -> bool:
        """Whether what stands in a box is said to be a figure: by the nearest caption over it, or by one under it."""
        x0, y0, x1, y1 = box
        over = min(
            (
                mark
                for mark in self._bottoms
                if mark.kind != "prose" and -em < mark.y - y1 < OVER * em and _beside(mark, x0, x1, em)
            ),
            key=lambda mark: mark.y,
            default=None,
        )
        if over is not None:
            return over.kind == "figure"
        under = max(
            (mark for mark in self._marks if -em < y0 - mark.y < UNDER * em and _beside(mark, x0, x1, em)),
            key=lambda mark: mark.y,
            default=None,
        )
        return under is not None and under.kind == "figure"


def _beside(mark: _Mark, x0: float, x1: float, em: float) -> bool:
    """Whether a caption is over or under a box, or starts a little to the left of it."""
    return min(mark.x1 + 2.0 * em, x1) > max(mark.x0, x0)
