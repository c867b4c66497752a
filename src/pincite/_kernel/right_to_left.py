# cython: language_level=3
"""Lines with right-to-left letters: from the order they are drawn in to the order they are read in.

Content streams hold such lines mostly in visual order, left to right. Reading order is found by inverting the
bidirectional algorithm (Unicode Standard Annex #9): a right-to-left line is reversed, and what runs left to right in it
(Latin words, numbers with their separators) is reversed back.

A *class* is one number: the bidirectional class of a glyph's text (`KINDS`), BLANK more where the text is white space, and
BRACKET times one more than the position in `BRACKETS` where it is a bracket.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel.arrays import doubles, ints

if cython.compiled:
    from cython.cimports.libc.math import sqrt
    from cython.cimports.pincite._kernel.columns import FACT_FIELDS as FACTS
    from cython.cimports.pincite._kernel.columns import JOINED
    from cython.cimports.pincite._kernel.columns import PLACE_FIELDS as PLACES
    from cython.cimports.pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
else:
    from math import sqrt

    from pincite._kernel.columns import FACT_FIELDS as FACTS
    from pincite._kernel.columns import JOINED
    from pincite._kernel.columns import PLACE_FIELDS as PLACES
    from pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS

KINDS = ("ON", "L", "R", "AL", "EN", "AN", "ES", "ET", "CS", "NSM")
"""What classes count from: any other is as ON."""
KIND_MASK = 15
BLANK = 16
BRACKET = 32
BRACKETS = "()[]{}<>«»‹›"
"""Each opening one before the one that closes it."""

ON = cython.declare(cython.int, 0)
L = cython.declare(cython.int, 1)
R = cython.declare(cython.int, 2)
AL = cython.declare(cython.int, 3)
EN = cython.declare(cython.int, 4)
AN = cython.declare(cython.int, 5)
ES = cython.declare(cython.int, 6)
ET = cython.declare(cython.int, 7)
CS = cython.declare(cython.int, 8)
NSM = cython.declare(cython.int, 9)
MIRRORED = cython.declare(cython.int[::1], array("i", [ord(BRACKETS[_i ^ 1]) for _i in range(len(BRACKETS))]))
PAIRS = cython.declare(cython.int, len(BRACKETS) // 2)

# A move back by less than this (em) is kerning, a gap up to that is none, and more beside a mark.
BACKWARDS = cython.declare(cython.double, 0.25)
APART = cython.declare(cython.double, 0.15)
MARK_APART = cython.declare(cython.double, 0.5)


@cython.cclass
class LineReader:
    """Reads the lines of one page; the columns are those of `LineBuilder`.

    `classes` has the class of each value met so far, and `classify(value)` tells that of another.
    """

    places: cython.double[::1]
    facts: cython.int[::1]
    run_numbers: cython.double[::1]
    values: cython.int[::1]
    space: cython.double
    classes: dict
    classify: Any
    # glyphs of the line, or several that stand for one text: place along the line and em; row, value, class
    count: cython.Py_ssize_t
    start: cython.double[::1]
    end: cython.double[::1]
    em: cython.double[::1]
    row: cython.int[::1]
    value: cython.int[::1]
    glyph_class: cython.int[::1]
    capacity: cython.Py_ssize_t
    # the order so far: glyphs, -1 for a missing space; and what is found of each of these items
    length: cython.Py_ssize_t
    items: cython.int[::1]
    kinds: cython.int[::1]
    lefts: cython.int[::1]
    rights: cython.int[::1]
    levels: cython.int[::1]

    def __init__(
        self, places: Any, facts: Any, run_numbers: Any, values: Any, space: float, classes: dict[int, int], classify: Any
    ) -> None:
        """`space` is the least gap, in em, that is a space."""
        self.places = places
        self.facts = facts
        self.run_numbers = run_numbers
        self.values = values
        self.space = space
        self.classes = classes
        self.classify = classify
        self.capacity = 0
        self.make_room(1)

    def read(self, rows: Any) -> tuple[Any, Any]:
        """The values of a line in reading order, and the glyph row of each; a space that geometry adds is 32 and has row -1.

        `rows` are its glyph rows in the order they are drawn.
        """
        self.place(rows)
        if self.advances_leftwards():
            self.add_leftward_gaps()
        else:
            right: cython.Py_ssize_t = 0
            left: cython.Py_ssize_t = 0
            i: cython.Py_ssize_t
            for i in range(self.count):
                right += self.is_strong_right(i)
                left += self.kind(i) == L
            self.sort_runs()
            self.put_marks_before_bases()
            self.add_gaps()
            self.invert(R if right >= left else L)
        values_object = ints(self.length)
        rows_object = ints(self.length)
        values: cython.int[::1] = values_object
        sources: cython.int[::1] = rows_object
        glyph: cython.Py_ssize_t
        for i in range(self.length):
            glyph = self.items[i]
            values[i] = 32 if glyph < 0 else self.value[glyph]
            sources[i] = -1 if glyph < 0 else self.row[glyph]
        return values_object, rows_object

    @cython.cfunc
    def make_room(self, capacity: cython.Py_ssize_t):
        self.capacity = capacity
        self.start = doubles(capacity)
        self.end = doubles(capacity)
        self.em = doubles(capacity)
        self.row = ints(capacity)
        self.value = ints(capacity)
        self.glyph_class = ints(capacity)
        # a space may be missing before each glyph
        self.items = ints(2 * capacity)
        self.kinds = ints(2 * capacity)
        self.lefts = ints(2 * capacity)
        self.rights = ints(2 * capacity)
        self.levels = ints(2 * capacity)

    @cython.cfunc
    def place(self, rows_: Any):
        """Measure the glyphs along the line; one that stands under another's text makes that one longer."""
        rows: cython.int[::1] = rows_
        n: cython.Py_ssize_t = len(rows_)
        if n > self.capacity:
            self.make_room(max(n, 256))
        ax: cython.double = 1.0
        ay: cython.double = 0.0
        start: cython.double
        end: cython.double
        length: cython.double
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t
        run: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        value: cython.int
        for i in range(n):
            row = rows[i]
            run = RUN_NUMBERS * self.facts[FACTS * row + 2]
            if i == 0:
                ax = self.run_numbers[run]
                ay = self.run_numbers[run + 1]
                length = sqrt(ax * ax + ay * ay)
                if length == 0.0:
                    length = 1.0
                ax = ax / length
                ay = ay / length
            start = self.places[PLACES * row] * ax + self.places[PLACES * row + 1] * ay
            end = start + self.places[PLACES * row + 2] * (self.run_numbers[run] * ax + self.run_numbers[run + 1] * ay)
            value = self.values[row]
            if value == JOINED:
                if count:
                    self.start[count - 1] = min(self.start[count - 1], start)
                    self.end[count - 1] = max(self.end[count - 1], end)
                continue
            self.start[count] = start
            self.end[count] = end
            self.em[count] = self.run_numbers[run + 4]
            self.row[count] = cython.cast(cython.int, row)
            self.value[count] = value
            found = self.classes.get(value)
            if found is None:
                found = self.classes[value] = self.classify(value)
            self.glyph_class[count] = found
            count += 1
        self.count = count

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def kind(self, glyph: cython.Py_ssize_t) -> cython.int:
        return self.glyph_class[glyph] & 15

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def is_strong_right(self, glyph: cython.Py_ssize_t) -> cython.bint:
        kind: cython.int = self.glyph_class[glyph] & 15
        return kind in (R, AL)

    @cython.cfunc
    def advances_leftwards(self) -> cython.bint:
        """Whether right-to-left letters follow each other leftwards: then the stream holds them as they are read."""
        leftwards: cython.Py_ssize_t = 0
        rightwards: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(self.count - 1):
            if self.is_strong_right(i) and self.is_strong_right(i + 1):
                if self.start[i + 1] < self.start[i] - 0.05 * self.em[i]:
                    leftwards += 1
                elif self.start[i + 1] > self.start[i] + 0.05 * self.em[i]:
                    rightwards += 1
        return leftwards > rightwards

    @cython.cfunc
    def may_be_parted(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t) -> cython.bint:
        """Whether a gap between the two can be a missing space: not beside one, and not before a mark."""
        if (self.glyph_class[before] | self.glyph_class[after]) & 16:
            return False
        return self.kind(before) != NSM and self.kind(after) != NSM

    @cython.cfunc
    def add_leftward_gaps(self):
        """The glyphs as they are drawn, with the spaces that are missing between them."""
        n: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        for i in range(self.count):
            if (
                i
                and max(self.start[i - 1] - self.end[i], self.start[i] - self.end[i - 1]) > self.space * self.em[i]
                and self.may_be_parted(i - 1, i)
            ):
                self.items[n] = -1
                n += 1
            self.items[n] = cython.cast(cython.int, i)
            n += 1
        self.length = n

    @cython.cfunc
    def sort_runs(self):
        """Cut where the pen jumps, and sort the pieces from left to right; inside a piece the order stays."""
        runs: list = []
        in_order: cython.bint = True
        apart: cython.double
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = 0
        for i in range(self.count):
            if i:
                apart = MARK_APART if self.kind(i) == NSM or self.kind(i - 1) == NSM else APART
                if (
                    self.start[i - 1] - BACKWARDS * self.em[i] <= self.start[i]
                    and self.start[i] <= self.end[i - 1] + apart * self.em[i]
                ):
                    continue
                if self.start[i] < self.start[first]:
                    in_order = False
                runs.append((self.start[first], first, i))
                first = i
        runs.append((self.start[first], first, self.count))
        if in_order:
            for i in range(self.count):
                self.items[i] = cython.cast(cython.int, i)
        else:
            for _, first, j in sorted(runs):
                for i in range(first, j):
                    self.items[n] = cython.cast(cython.int, i)
                    n += 1
        self.length = self.count

    @cython.cfunc
    def put_marks_before_bases(self):
        """A mark that is drawn after its base goes before it, so that the reversal of the line brings it behind."""
        i: cython.Py_ssize_t
        mark: cython.Py_ssize_t
        base: cython.Py_ssize_t
        middle: cython.double
        for i in range(1, self.length):
            mark = self.items[i]
            base = self.items[i - 1]
            if self.kind(mark) == NSM and self.is_strong_right(base):
                middle = 0.5 * (self.start[mark] + self.end[mark])
                if self.start[base] <= middle <= self.end[base]:
                    self.items[i - 1] = cython.cast(cython.int, mark)
                    self.items[i] = cython.cast(cython.int, base)

    @cython.cfunc
    def add_gaps(self):
        """Add the missing spaces. Gaps are measured from the furthest end so far: marks stand over their bases."""
        visual: cython.int[::1] = self.kinds
        end: cython.double = 0.0
        i: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        glyph: cython.Py_ssize_t
        for i in range(self.length):
            visual[i] = self.items[i]
        for i in range(self.length):
            glyph = visual[i]
            if i and self.start[glyph] - end > self.space * self.em[glyph] and self.may_be_parted(visual[i - 1], glyph):
                self.items[n] = -1
                n += 1
            end = self.end[glyph] if i == 0 else max(end, self.end[glyph])
            self.items[n] = cython.cast(cython.int, glyph)
            n += 1
        self.length = n

    @cython.cfunc
    def invert(self, base: cython.int):
        """Invert the reordering of rule L2 for embedding levels 0 to 2, and the mirroring of rule L4 where it was not undone."""
        self.find_levels(base)
        level: cython.int
        first: cython.Py_ssize_t
        i: cython.Py_ssize_t
        # Undoing L2 is doing it again from the lowest level upwards; each pass reverses the stretches at or above the level.
        for level in range(1, 3):
            i = 0
            while i < self.length:
                first = i
                while i < self.length and self.levels[i] >= level:
                    i += 1
                if i > first:
                    self.turn(first, i)
                i += 1
        # Some producers map a mirrored glyph to the character that was mirrored, others to the one it looks like: pairs tell.
        if self.pairs(1) > self.pairs(0):
            glyph: cython.Py_ssize_t
            bracket: cython.Py_ssize_t
            for i in range(self.length):
                glyph = self.items[i]
                if glyph >= 0 and self.levels[i] & 1:
                    bracket = self.glyph_class[glyph] >> 5
                    if bracket:
                        self.value[glyph] = MIRRORED[bracket - 1]

    @cython.cfunc
    def turn(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t):
        """Turn a stretch of items round."""
        while first < end - 1:
            end -= 1
            self.items[first], self.items[end] = self.items[end], self.items[first]
            self.levels[first], self.levels[end] = self.levels[end], self.levels[first]
            first += 1

    @cython.cfunc
    def pairs(self, mirrored: cython.int) -> cython.Py_ssize_t:
        """How many brackets in right-to-left text open before they close, counted for each kind by itself."""
        pending: list = [0] * PAIRS
        pairs: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        bracket: cython.Py_ssize_t
        for i in range(self.length):
            if self.items[i] < 0 or not self.levels[i] & 1:
                continue
            bracket = self.glyph_class[self.items[i]] >> 5
            if bracket == 0:
                continue
            bracket -= 1
            if (bracket & 1) == mirrored:
                pending[bracket >> 1] += 1
            elif pending[bracket >> 1]:
                pending[bracket >> 1] -= 1
                pairs += 1
        return pairs

    @cython.cfunc
    def find_levels(self, base: cython.int):
        """An embedding level for each item in visual order: weak types by their neighbours, then neutrals (W4 to W7, N1, N2)."""
        n: cython.Py_ssize_t = self.length
        kinds: cython.int[::1] = self.kinds
        levels: cython.int[::1] = self.levels
        i: cython.Py_ssize_t
        end: cython.Py_ssize_t
        kind: cython.int
        before: cython.int
        after: cython.int
        for i in range(n):
            kinds[i] = ON if self.items[i] < 0 else self.kind(self.items[i])
        self.classify_numbers(base)
        for i in range(n):
            if kinds[i] == AL:
                kinds[i] = R
        for i in range(1, n - 1):
            if (
                (kinds[i] == CS or (kinds[i] == ES and kinds[i - 1] == EN))
                and kinds[i - 1] == kinds[i + 1]
                and (kinds[i - 1] == EN or kinds[i - 1] == AN)
            ):
                kinds[i] = kinds[i - 1]
        i = 0
        while i < n:
            # terminators (%, $, °) beside a number belong to it
            end = i
            while end < n and kinds[end] == ET:
                end += 1
            if end > i and ((end < n and kinds[end] == EN) or (i and kinds[i - 1] == EN)):
                while i < end:
                    kinds[i] = EN
                    i += 1
            i = max(end, i + 1)
        after = ON
        for i in range(n - 1, -1, -1):
            self.rights[i] = after
            if kinds[i] != NSM:
                after = kinds[i]
        for i in range(n):
            kind = kinds[i]
            if kind == NSM:
                levels[i] = R if self.rights[i] == R else (levels[i - 1] if i else base)
            elif kind in (L, R, EN, AN):
                levels[i] = kind
            else:
                levels[i] = ON
        i = 0
        while i < n:
            if levels[i] != ON:
                i += 1
                continue
            end = i
            while end < n and levels[end] == ON:
                end += 1
            before = base if i == 0 else _side(levels[i - 1], base)
            after = base if end == n else _side(levels[end], base)
            kind = before if before == after else base
            while i < end:
                levels[i] = kind
                i += 1
        for i in range(n):
            kind = levels[i]
            if base == R:
                levels[i] = 1 if kind == R else 2
            else:
                levels[i] = 1 if kind == R else 2 if kind == AN else 0

    @cython.cfunc
    def classify_numbers(self, base: cython.int):
        """Give European numbers the class that their neighbours make of them (W2, W7), seen from the visual side.

        Behind a Latin word a number is part of it, be it with a space or a hyphen between: COVID-19. In what is read from
        right to left, the letter that comes before it stands on its right: an Arabic one makes it an Arabic number.
        """
        n: cython.Py_ssize_t = self.length
        kinds: cython.int[::1] = self.kinds
        i: cython.Py_ssize_t
        last: cython.int = ON
        for i in range(n):
            self.lefts[i] = last
            if L <= kinds[i] <= AL:
                last = kinds[i]
        last = ON
        for i in range(n - 1, -1, -1):
            self.rights[i] = last
            if L <= kinds[i] <= AL:
                last = kinds[i]
        for i in range(n):
            if kinds[i] != EN:
                continue
            if self.lefts[i] == L:
                kinds[i] = L
            elif base == R:
                kinds[i] = AN if self.rights[i] == AL else EN
            elif R <= self.lefts[i] <= AL and R <= self.rights[i] <= AL:
                kinds[i] = AN


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _side(kind: cython.int, base: cython.int) -> cython.int:
    """What a neutral sees on one side (N1): Arabic numbers count as right-to-left, European ones as the line runs."""
    if kind == EN:
        return base
    return R if kind == AN else kind
