"""Pages whose text is drawn in an order that nobody reads it in, as producers do it; each knows how it is read.

A `Draft` places lines and keeps them; `draw` writes them in any order. Text is in a font whose glyphs are half an em wide
(`support.sheet`), so widths are the numbers of characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from support.sheet import turned

_TEXT = (
    "the harbour lies open to the west and in winter the swell runs straight into it so the older keepers moored "
    "their boats behind the ridge where a spring gives sweet water all year round and grass enough for two goats they "
    "counted ships by day and lamps by night wrote down wind and fog and every Sunday one of them rowed to the village "
    "for bread letters and the news of other lights along that coast"
)
_WORDS = _TEXT.split()


class Line(NamedTuple):
    """One line: its place in points, its text, and the size of its font."""

    x: float
    y: float
    text: str
    size: float = 10

    def content(self) -> str:
        return f"BT /F2 {self.size:g} Tf {self.x:g} {self.y:g} Td {{{self.text}}} Tj ET\n"


def prose(lines: int, width: int = 40, start: int = 0) -> list[str]:
    """Lines of running text, filled with words up to `width` characters; `start` chooses where in the text it begins."""
    result: list[str] = []
    at = start
    while len(result) < lines:
        line = _WORDS[at % len(_WORDS)]
        at += 1
        while len(line) + 1 + len(word := _WORDS[at % len(_WORDS)]) <= width:
            line += " " + word
            at += 1
        result.append(line)
    return result


def column(x: float, y: float, texts: Iterable[str], size: float = 10, leading: float = 12) -> list[Line]:
    """Lines below each other, the first one at (x, y)."""
    return [Line(x, y - leading * at, text, size) for at, text in enumerate(texts)]


def draw(lines: Iterable[Line]) -> str:
    """Content that draws the lines in this order."""
    return "".join(line.content() for line in lines)


def draw_turned(lines: Iterable[Line], angle: int, width: float = 612) -> str:
    """The same on a page that is turned by `angle` when it is shown: the text runs upwards for 90."""
    parts = []
    for line in lines:
        if angle == 90:
            matrix = turned(90, width - line.y, line.x)
        elif angle == 180:
            matrix = turned(180, width - line.x, 792 - line.y)
        else:
            matrix = turned(270, line.y, 792 - line.x)
        parts.append(f"BT /F2 {line.size:g} Tf {matrix} {{{line.text}}} Tj ET\n")
    return "".join(parts)


def draw_across(*columns: list[Line]) -> str:
    """Row by row across the columns, as a producer does that knows no columns."""
    rows = [row for column_rows in zip(*columns, strict=True) for row in column_rows]
    return draw(rows)


def texts(*parts: Iterable[Line]) -> str:
    """What the lines say, in the order given: the text that is expected."""
    return "\n".join(line.text for part in parts for line in part)
