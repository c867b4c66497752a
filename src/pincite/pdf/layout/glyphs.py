"""The glyphs of a page as columns, one row a glyph, and the boxes around them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pincite._kernel.columns import EMPTY, FACT_FIELDS, FLAG_FORM, PLACE_FIELDS, RUN_FACT_FIELDS, RUN_NUMBER_FIELDS
from pincite.model.geometry import Point, Quad
from pincite.pdf.content.interpreter import PageContent

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_COLUMNS = (
    "x", "y", "own_end_x", "own_end_y", "advance_end_x", "advance_end_y", "unicode", "code", "font", "size", "em",
    "rendering_mode", "vertical", "mcid", "operator", "string", "flags",
)  # fmt: skip


class Glyphs:
    """Columns (`array.array`) of a page's glyphs in the order they are drawn; lengths in user space of the unrotated page.

    x, y                          d  origin
    own_end_x, own_end_y          d  origin plus the glyph's own width
    advance_end_x, advance_end_y  d  origin plus the full displacement (ISO 32000-2, 9.4.4)
    unicode                       i  code point; -1 - n for `strings[n]`; U+FFFD where the code has no Unicode value
    code                          i  character code, -1 for text that stands for no glyph
    font                          i  key of `fonts`, -1 without a font
    size, em                      d  Tfs; the effective font size
    rendering_mode, vertical      i  Tr; 1 for vertical writing
    mcid                          i  marked-content identifier, -1 without one
    operator                      i  the show operator's number in the page's own stream, -1 inside forms
    string                        i  the string's number in the operator's operand
    flags                         B  the FLAG_ constants of `pincite._kernel.columns`
    """

    def __init__(self, content: PageContent, *, forms: bool = True) -> None:
        """With `forms=False` only what the page's own stream draws."""
        self._content = content
        self.fonts = content.fonts
        self.strings = content.strings
        self._rows: Sequence[int] = range(len(content.flags))
        if not forms:
            self._rows = [row for row in self._rows if not content.flags[row] & FLAG_FORM]
        self._runs = self._fact(2)

    def __len__(self) -> int:
        return len(self._rows)

    def text(self, row: int) -> str:
        """What the glyph stands for; nothing where its text is said to be empty."""
        value = self.unicode[row]
        if value <= EMPTY:
            return ""
        return chr(value) if value >= 0 else self.strings[-1 - value]

    def quad(self, row: int) -> Quad:
        """The box over the glyph's own width, from the font's descender to its ascender."""
        quad = quad_around(self._content, (self._rows[row],))
        assert quad is not None
        return quad

    def numpy(self) -> dict[str, NDArray[numpy.generic]]:
        """Views of the columns by name, without a copy. Needs numpy, which nothing else in the package does."""
        import numpy

        return {name: numpy.frombuffer(column, dtype=column.typecode) for name in _COLUMNS if len(column := getattr(self, name))}

    @cached_property
    def x(self) -> array[float]:
        return self._place(0)

    @cached_property
    def y(self) -> array[float]:
        return self._place(1)

    @cached_property
    def own_end_x(self) -> array[float]:
        return self._moved(self.x, 2, 0)

    @cached_property
    def own_end_y(self) -> array[float]:
        return self._moved(self.y, 2, 1)

    @cached_property
    def advance_end_x(self) -> array[float]:
        return self._moved(self.x, 3, 0)

    @cached_property
    def advance_end_y(self) -> array[float]:
        return self._moved(self.y, 3, 1)

    @cached_property
    def unicode(self) -> array[int]:
        return self._fact(0)

    @cached_property
    def code(self) -> array[int]:
        return self._fact(1)

    @cached_property
    def string(self) -> array[int]:
        return self._fact(3)

    @cached_property
    def font(self) -> array[int]:
        return self._run_fact(0)

    @cached_property
    def rendering_mode(self) -> array[int]:
        return self._run_fact(1)

    @cached_property
    def vertical(self) -> array[int]:
        return self._run_fact(2)

    @cached_property
    def mcid(self) -> array[int]:
        return self._run_fact(3)

    @cached_property
    def operator(self) -> array[int]:
        return self._run_fact(4)

    @cached_property
    def em(self) -> array[float]:
        return self._run_number(4)

    @cached_property
    def size(self) -> array[float]:
        return self._run_number(5)

    @cached_property
    def flags(self) -> array[int]:
        return array("B", [self._content.flags[row] for row in self._rows])

    def _place(self, field: int) -> array[float]:
        return array("d", [self._content.places[PLACE_FIELDS * row + field] for row in self._rows])

    def _fact(self, field: int) -> array[int]:
        return array("i", [self._content.facts[FACT_FIELDS * row + field] for row in self._rows])

    def _run_fact(self, field: int) -> array[int]:
        return array("i", [self._content.run_facts[RUN_FACT_FIELDS * run + field] for run in self._runs])

    def _run_number(self, field: int) -> array[float]:
        return array("d", [self._content.run_numbers[RUN_NUMBER_FIELDS * run + field] for run in self._runs])

    def _moved(self, origins: array[float], length_field: int, direction_field: int) -> array[float]:
        lengths = self._place(length_field)
        directions = self._run_number(direction_field)
        return array("d", [o + n * d for o, n, d in zip(origins, lengths, directions, strict=True)])


def quads_around(content: PageContent, rows: Iterable[int]) -> list[Quad]:
    """The quads around glyphs in reading order: one for each stretch that stands on one line."""
    pieces: list[list[int]] = []
    baseline = (0.0, 0.0, 1.0, 0.0, 0.0)
    for row in rows:
        x, y = content.places[PLACE_FIELDS * row : PLACE_FIELDS * row + 2]
        if not pieces or abs((y - baseline[1]) * baseline[2] - (x - baseline[0]) * baseline[3]) > baseline[4]:
            run = RUN_NUMBER_FIELDS * content.facts[FACT_FIELDS * row + 2]
            dx, dy, _, _, em = content.run_numbers[run : run + 5]
            length = math.hypot(dx, dy) or 1.0
            baseline = (x, y, dx / length, dy / length, em)
            pieces.append([])
        pieces[-1].append(row)
    return [quad for piece in pieces if (quad := quad_around(content, piece)) is not None]


def quad_around(content: PageContent, rows: Iterable[int]) -> Quad | None:
    """One quad around glyphs that share a line: along the first one's writing direction, from the lowest descender to the
    highest ascender across it. In vertical writing a glyph's box is one em wide around the line. None without glyphs."""
    places, numbers = content.places, content.run_numbers
    origin: Point | None = None
    ax = ay = nx = ny = 0.0
    low_along = low_across = math.inf
    high_along = high_across = -math.inf
    for row in rows:
        run = content.facts[FACT_FIELDS * row + 2]
        dx, dy, ux, uy = numbers[RUN_NUMBER_FIELDS * run : RUN_NUMBER_FIELDS * run + 4]
        x, y, own = places[PLACE_FIELDS * row : PLACE_FIELDS * row + 3]
        vertical = content.run_facts[RUN_FACT_FIELDS * run + 2]
        if vertical:
            # the pen runs down the middle of the column; across it lies the em, turned from the run's up vector
            em = numbers[RUN_NUMBER_FIELDS * run + 4]
            length = math.hypot(dx, dy) or 1.0
            ux, uy = -dy / length * em, dx / length * em
            descent, ascent = -0.5, 0.5
        else:
            font = content.fonts.get(content.run_facts[RUN_FACT_FIELDS * run])
            ascent, descent = (font.ascent, font.descent) if font is not None else (0.75, -0.25)
        if origin is None:
            origin = (x, y)
            length = math.hypot(dx, dy)
            ax, ay = (dx / length, dy / length) if length else (1.0, 0.0)
            nx, ny = -ay, ax
            if ux * nx + uy * ny < 0:
                nx, ny = -nx, -ny
        for along_share in (0.0, own):
            for up in (descent, ascent):
                px = x + along_share * dx + up * ux - origin[0]
                py = y + along_share * dy + up * uy - origin[1]
                along, across = px * ax + py * ay, px * nx + py * ny
                low_along, high_along = min(low_along, along), max(high_along, along)
                low_across, high_across = min(low_across, across), max(high_across, across)
    if origin is None:
        return None

    def corner(along: float, across: float) -> Point:
        return (origin[0] + along * ax + across * nx, origin[1] + along * ay + across * ny)

    return Quad(
        corner(low_along, low_across),
        corner(high_along, low_across),
        corner(high_along, high_across),
        corner(low_along, high_across),
    )
