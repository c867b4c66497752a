# cython: language_level=3
"""Glyphs with their places, and what can be asked of two of them: whether a space is missing between, which stands on which.

The columns are those of `pincite._kernel.text_state`; all lengths are in user space.
"""

from __future__ import annotations

from typing import Any

import cython

from pincite._kernel import columns

if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
else:
    from math import fabs, sqrt

PLACES = cython.declare(cython.Py_ssize_t, columns.PLACE_FIELDS)
FACTS = cython.declare(cython.Py_ssize_t, columns.FACT_FIELDS)
RUN_NUMBERS = cython.declare(cython.Py_ssize_t, columns.RUN_NUMBER_FIELDS)
EMPTY = cython.declare(cython.int, columns.EMPTY)

# A glyph narrower than this (em) is a mark that stands on another.
NO_WIDTH = cython.declare(cython.double, 0.05)
# So many letters make a tracked word; fewer may be figures that stand apart.
MIN_TRACKED = cython.declare(cython.Py_ssize_t, 4)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_white(value: cython.int) -> cython.bint:
    if value <= 0x20:
        return value == 0x20 or 9 <= value <= 13
    return value == 0xA0 or value == 0x3000 or 0x2000 <= value <= 0x200B or value == 0x202F or value == 0x205F


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_han_or_kana(value: cython.int) -> cython.bint:
    """Scripts that are written without spaces: no gap between two of their characters is one."""
    return value >= 0x2E80 and (
        value <= 0x2FDF
        or 0x3001 <= value <= 0x30FF
        or 0x31F0 <= value <= 0x31FF
        or 0x3400 <= value <= 0x4DBF
        or 0x4E00 <= value <= 0x9FFF
        or 0xF900 <= value <= 0xFAFF
        or 0xFF01 <= value <= 0xFF9F
        or 0x20000 <= value <= 0x3FFFF
    )


@cython.cclass
class PlacedGlyphs:
    """The glyphs of one page; the attributes stand in placed.pxd.

    `values` is one unicode value a glyph, which the caller may have changed from the `facts` column: JOINED where an
    ActualText covers the glyph. `boxes` is the height of each run's box in user space. `helper.is_mark(value)` says whether a
    value is a combining mark.
    """

    def __init__(
        self,
        places: Any,
        facts: Any,
        flags: Any,
        run_numbers: Any,
        run_facts: Any,
        values: Any,
        boxes: Any,
        helper: Any,
        space: float,
    ) -> None:
        self.places = places
        self.facts = facts
        self.flags = flags
        self.run_numbers = run_numbers
        self.run_facts = run_facts
        self.values = values
        self.boxes = boxes
        self.count = len(flags)
        self.helper = helper
        self.space = space

    @cython.cfunc
    @cython.inline
    def is_seen(self, row: cython.Py_ssize_t) -> cython.bint:
        """Whether a glyph stands for something that is seen: a hole between blanks is no hole."""
        return self.values[row] > EMPTY and not _is_white(self.values[row])

    @cython.cfunc
    def is_over(self, letter: cython.Py_ssize_t, x: cython.double, y: cython.double, em: cython.double) -> cython.bint:
        """Whether (x, y) lies within the letter's own width along its line, and less than an em off it."""
        run: cython.Py_ssize_t = self.facts[FACTS * letter + 2]
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        unit: cython.double = sqrt(dx * dx + dy * dy)
        if unit == 0.0:
            return False
        mx: cython.double = x - self.places[PLACES * letter]
        my: cython.double = y - self.places[PLACES * letter + 1]
        along: cython.double = (mx * dx + my * dy) / unit
        across: cython.double = fabs(my * dx - mx * dy) / unit
        return 0.0 < along < self.places[PLACES * letter + 2] * unit and across < em

    @cython.cfunc
    def gap_is_space(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t) -> cython.bint:
        """Whether the gap between two glyphs of a line is a missing space."""
        run: cython.Py_ssize_t = self.facts[FACTS * before + 2]
        next_run: cython.Py_ssize_t = self.facts[FACTS * after + 2]
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        own: cython.double = self.places[PLACES * before + 2]
        mx: cython.double = self.places[PLACES * after] - self.places[PLACES * before] - own * dx
        my: cython.double = self.places[PLACES * after + 1] - self.places[PLACES * before + 1] - own * dy
        threshold: cython.double = self.space * self.boxes[next_run]
        projection: cython.double = mx * dx + my * dy
        if projection <= 0.0 or projection * projection <= threshold * threshold * (dx * dx + dy * dy):
            return False
        value: cython.int = self.values[before]
        next_value: cython.int = self.values[after]
        if _is_white(value) or _is_white(next_value):
            return False
        if _is_han_or_kana(value) and _is_han_or_kana(next_value):
            return False
        if next_value >= 0x300 and self.helper.is_mark(next_value):
            return False
        return not (run == next_run and after == before + 1 and self.is_tracked(before, run))

    @cython.cfunc
    def is_tracked(self, row: cython.Py_ssize_t, run: cython.Py_ssize_t) -> cython.bint:
        """Whether character spacing alone parts the letters of a run, all of them alike: a heading set wide.

        Text whose producer hands the spacing back inside words through TJ has gaps of other widths as well.
        """
        first: cython.Py_ssize_t = row
        last: cython.Py_ssize_t = row
        letters: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        em: cython.double = self.run_numbers[RUN_NUMBERS * run + 4]
        unit: cython.double = sqrt(dx * dx + dy * dy)
        while first > 0 and self.facts[FACTS * (first - 1) + 2] == run and row - first < 200:
            first -= 1
        while last + 1 < self.count and self.facts[FACTS * (last + 1) + 2] == run and last - row < 200:
            last += 1
        for i in range(first, last):
            mx: cython.double = self.places[PLACES * (i + 1)] - self.places[PLACES * i]
            my: cython.double = self.places[PLACES * (i + 1) + 1] - self.places[PLACES * i + 1]
            # how far the next origin is from where the advance, spacing included, has brought the pen
            if fabs((mx * dx + my * dy) / unit - self.places[PLACES * i + 3] * unit) > 0.02 * em:
                return False
            letters += not _is_white(self.values[i])
        return bool(letters >= MIN_TRACKED - 1)

    @cython.cfunc
    def is_mark_over(self, row: cython.Py_ssize_t, base: cython.Py_ssize_t) -> cython.bint:
        """Whether a glyph without width stands over the one before it: the pen is then where the base ends."""
        run: cython.Py_ssize_t = self.facts[FACTS * base + 2]
        own_run: cython.Py_ssize_t = self.facts[FACTS * row + 2]
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        ux: cython.double = self.run_numbers[RUN_NUMBERS * own_run]
        uy: cython.double = self.run_numbers[RUN_NUMBERS * own_run + 1]
        width: cython.double = self.places[PLACES * row + 2] * sqrt(ux * ux + uy * uy)
        if width > NO_WIDTH * self.run_numbers[RUN_NUMBERS * own_run + 4]:
            return False
        mx: cython.double = self.places[PLACES * row] - self.places[PLACES * base]
        my: cython.double = self.places[PLACES * row + 1] - self.places[PLACES * base + 1]
        return bool(mx * dx + my * dy < self.places[PLACES * base + 2] * (dx * dx + dy * dy))
