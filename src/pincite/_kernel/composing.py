# cython: language_level=3
"""From lines of glyphs to text: the characters of each glyph, and the spaces that are missing between them.

The columns are those of `pincite._kernel.content`, the lines those of `pincite._kernel.lines`.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel.arrays import ints

if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
    from cython.cimports.pincite._kernel.characters import is_han_or_kana, is_white
    from cython.cimports.pincite._kernel.columns import EMPTY, JOINED
    from cython.cimports.pincite._kernel.columns import FACT_FIELDS as FACTS
    from cython.cimports.pincite._kernel.columns import PLACE_FIELDS as PLACES
    from cython.cimports.pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
else:
    from math import fabs, sqrt

    from pincite._kernel.characters import is_han_or_kana, is_white
    from pincite._kernel.columns import EMPTY, JOINED
    from pincite._kernel.columns import FACT_FIELDS as FACTS
    from pincite._kernel.columns import PLACE_FIELDS as PLACES
    from pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS

# A glyph narrower than this (em) is a mark that stands on another.
NO_WIDTH = cython.declare(cython.double, 0.05)
# So many letters make a tracked word; fewer may be figures that stand apart.
MIN_TRACKED = cython.declare(cython.Py_ssize_t, 4)
# How far a run is looked at on either side of a gap: keeps the work linear on a page that is one line.
MAX_TRACKED = cython.declare(cython.Py_ssize_t, 200)


@cython.cclass
class TextComposer:
    """Composes the text of one page; the arguments are as for `LineBuilder`. `helper` answers what needs Unicode's tables:

    is_mark(value) -> bool     a combining mark, before which no space is added
    """

    places: cython.double[::1]
    facts: cython.int[::1]
    run_numbers: cython.double[::1]
    values: cython.int[::1]
    boxes: cython.double[::1]
    count: cython.Py_ssize_t
    helper: Any
    space: cython.double
    # the run that is_tracked looked at last as a whole, and its answer
    judged_run: cython.Py_ssize_t
    judged_tracked: cython.bint

    def __init__(self, places: Any, facts: Any, run_numbers: Any, values: Any, boxes: Any, helper: Any, space: float) -> None:
        self.places = places
        self.facts = facts
        self.run_numbers = run_numbers
        self.values = values
        self.boxes = boxes
        self.count = len(values)
        self.helper = helper
        self.space = space
        self.judged_run = -1
        self.judged_tracked = False

    def compose(self, rows: Any, lines: Any, right_to_left: bytes, strings: list[str], reorder: Any) -> tuple[Any, Any, Any]:
        """The text: (characters as array("i") of code points, the glyph row of each or -1, the position where each line starts).

        `rows`, `lines` and `right_to_left` are the lines (see `LineBuilder.line_rows`). A line with right-to-left letters goes
        through `reorder(rows)`, which returns the values in reading order and the row of each, -1 for a space.
        """
        length: cython.Py_ssize_t = len(rows)
        line_count: cython.Py_ssize_t = len(lines)
        capacity: cython.Py_ssize_t = 2 * length + line_count + 16
        characters_object = ints(capacity)
        sources_object = ints(capacity)
        starts_object = ints(line_count + 1)
        characters: cython.int[::1] = characters_object
        sources: cython.int[::1] = sources_object
        starts: cython.int[::1] = starts_object
        # views of this function's own stay in registers where those of the object are looked up for each glyph
        places: cython.double[::1] = self.places
        facts: cython.int[::1] = self.facts
        run_numbers: cython.double[::1] = self.run_numbers
        values: cython.int[::1] = self.values
        boxes: cython.double[::1] = self.boxes
        order: cython.int[::1] = rows
        line_starts: cython.int[::1] = lines
        n: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        i: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        row: cython.Py_ssize_t
        need: cython.Py_ssize_t
        value: cython.int
        spaced: cython.bint
        over: cython.bint
        # the glyph that gaps are measured from: the last one that does not stand over another
        base: cython.Py_ssize_t
        base_x: cython.double = 0.0
        base_y: cython.double = 0.0
        base_own: cython.double = 0.0
        base_dx: cython.double = 1.0
        base_dy: cython.double = 0.0
        base_square: cython.double = 1.0
        # what the glyphs of a run share
        run: cython.Py_ssize_t = -1
        dx: cython.double = 1.0
        dy: cython.double = 0.0
        square: cython.double = 1.0
        unit: cython.double = 1.0
        threshold: cython.double = 0.0
        narrow: cython.double = 0.0
        x: cython.double
        y: cython.double
        own: cython.double
        projection: cython.double
        for index in range(line_count):
            first = line_starts[index]
            last = line_starts[index + 1] if index + 1 < line_count else length
            if index:
                characters[n] = 10
                sources[n] = -1
                n += 1
            starts[index] = cython.cast(cython.int, n)
            if right_to_left[index]:
                read_values, read_rows = reorder(rows[first:last])
                need = n + 2 * (length - last) + line_count - index
                for value in read_values:
                    need += 1 if value >= 0 else len(_string(value, strings))
                if need > capacity:
                    capacity = 2 * need
                    characters_object = _longer(characters_object, capacity)
                    sources_object = _longer(sources_object, capacity)
                    characters = characters_object
                    sources = sources_object
                for i in range(len(read_values)):
                    value = read_values[i]
                    row = read_rows[i]
                    if value >= 0:
                        characters[n] = value
                        sources[n] = cython.cast(cython.int, row)
                        n += 1
                    else:
                        n = _put(characters, sources, n, row, _string(value, strings))
                continue
            base = -1
            for i in range(first, last):
                row = order[i]
                value = values[row]
                if facts[FACTS * row + 2] != run:
                    run = facts[FACTS * row + 2]
                    dx = run_numbers[RUN_NUMBERS * run]
                    dy = run_numbers[RUN_NUMBERS * run + 1]
                    square = dx * dx + dy * dy
                    unit = sqrt(square)
                    threshold = self.space * boxes[run]
                    threshold = threshold * threshold
                    narrow = NO_WIDTH * run_numbers[RUN_NUMBERS * run + 4]
                x = places[PLACES * row]
                y = places[PLACES * row + 1]
                own = places[PLACES * row + 2]
                spaced = False
                over = False
                if base >= 0:
                    # from the end of the base to this glyph, along the direction of the base
                    projection = (x - base_x - base_own * base_dx) * base_dx + (y - base_y - base_own * base_dy) * base_dy
                    if not (projection <= 0.0 or projection * projection <= threshold * base_square) and value != JOINED:
                        spaced = self.is_space(base, row, run)
                    # a glyph without width over the one before it: the pen is then where the base ends
                    if not own * unit > narrow:
                        over = (x - base_x) * base_dx + (y - base_y) * base_dy < base_own * base_square
                if not over:
                    base = row
                    base_x = x
                    base_y = y
                    base_own = own
                    base_dx = dx
                    base_dy = dy
                    base_square = square
                if spaced:
                    characters[n] = 32
                    sources[n] = -1
                    n += 1
                if value >= 0:
                    characters[n] = value
                    sources[n] = cython.cast(cython.int, row)
                    n += 1
                elif value > EMPTY:
                    string = strings[-1 - value]
                    # two for each glyph that is left, one for each line
                    need = n + len(string) + 2 * (length - i) + line_count - index
                    if need > capacity:
                        capacity = 2 * need
                        characters_object = _longer(characters_object, capacity)
                        sources_object = _longer(sources_object, capacity)
                        characters = characters_object
                        sources = sources_object
                    n = _put(characters, sources, n, row, string)
        return characters_object[:n], sources_object[:n], starts_object[:line_count]

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_space(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t, run: cython.Py_ssize_t) -> cython.int:
        """Whether a gap between two glyphs that is wide enough is a missing space; `run` is that of the second."""
        value: cython.int = self.values[before]
        next_value: cython.int = self.values[after]
        if is_white(value) or is_white(next_value):
            return 0
        if is_han_or_kana(value) and is_han_or_kana(next_value):
            return 0
        if next_value >= 0x300 and self.helper.is_mark(next_value):
            return 0
        if after == before + 1 and self.facts[FACTS * before + 2] == run and self.is_tracked(before, run):
            return 0
        return 1

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def is_tracked(self, row: cython.Py_ssize_t, run: cython.Py_ssize_t) -> cython.int:
        """Whether character spacing alone parts the letters of a run, all of them alike: a heading set wide.

        Text whose producer hands the spacing back inside words through TJ has gaps of other widths as well.
        """
        if run == self.judged_run:
            return self.judged_tracked
        first: cython.Py_ssize_t = row
        last: cython.Py_ssize_t = row
        letters: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        em: cython.double = self.run_numbers[RUN_NUMBERS * run + 4]
        unit: cython.double = sqrt(dx * dx + dy * dy)
        mx: cython.double
        my: cython.double
        alike: cython.bint = True
        while first > 0 and self.facts[FACTS * (first - 1) + 2] == run and row - first < MAX_TRACKED:
            first -= 1
        while last + 1 < self.count and self.facts[FACTS * (last + 1) + 2] == run and last - row < MAX_TRACKED:
            last += 1
        for i in range(first, last):
            mx = self.places[PLACES * (i + 1)] - self.places[PLACES * i]
            my = self.places[PLACES * (i + 1) + 1] - self.places[PLACES * i + 1]
            # how far the next origin is from where the advance, spacing included, has brought the pen
            if fabs((mx * dx + my * dy) / unit - self.places[PLACES * i + 3] * unit) > 0.02 * em:
                alike = False
                break
            letters += not is_white(self.values[i])
        alike = alike and letters >= MIN_TRACKED - 1
        if row - first < MAX_TRACKED and last - row < MAX_TRACKED:
            # the whole run was looked at: the answer is that of all its gaps
            self.judged_run = run
            self.judged_tracked = alike
        return alike


@cython.cfunc
def _string(value: cython.int, strings: list) -> str:
    """The string of a negative value."""
    return "" if value <= EMPTY else strings[-1 - value]


@cython.cfunc
@cython.exceptval(-1)
def _put(
    characters: cython.int[::1], sources: cython.int[::1], n: cython.Py_ssize_t, row: cython.Py_ssize_t, string: str
) -> cython.Py_ssize_t:
    """Write a string at position `n`; returns the position behind it."""
    letter: cython.Py_UCS4
    for letter in string:
        characters[n] = cython.cast(cython.int, ord(letter))
        sources[n] = cython.cast(cython.int, row)
        n += 1
    return n


@cython.cfunc
def _longer(old: Any, length: cython.Py_ssize_t) -> Any:
    new = array("i", old)
    new.frombytes(bytes(4 * (length - len(old))))
    return new
