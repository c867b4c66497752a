# cython: language_level=3
"""From glyph columns to lines of text: which glyphs share a line, in which order, and where spaces are missing.

The columns are those of `pincite._kernel.content`. All lengths are in user space, thresholds in em of the glyphs
concerned. Work is bounded by a constant times the number of glyphs, whatever the page holds.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel.arrays import ints

if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
    from cython.cimports.pincite._kernel.characters import is_accent, is_right_to_left, is_white
    from cython.cimports.pincite._kernel.columns import EMPTY, FLAG_CLIPPED, FLAG_HIDDEN, JOINED
    from cython.cimports.pincite._kernel.columns import FACT_FIELDS as FACTS
    from cython.cimports.pincite._kernel.columns import PLACE_FIELDS as PLACES
    from cython.cimports.pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from cython.cimports.pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
else:
    from math import fabs, sqrt

    from pincite._kernel.characters import is_accent, is_right_to_left, is_white
    from pincite._kernel.columns import EMPTY, FLAG_CLIPPED, FLAG_HIDDEN, JOINED
    from pincite._kernel.columns import FACT_FIELDS as FACTS
    from pincite._kernel.columns import PLACE_FIELDS as PLACES
    from pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS


# How far back a hole or a letter under an accent is looked for: keeps the work linear on a page that is one line.
MAX_LOOK_BACK = cython.declare(cython.Py_ssize_t, 2000)
# Two glyphs of one value count once when they stand this near (em): fake bold, shadows.
SAME_PLACE = cython.declare(cython.double, 0.1)
# A move back along the line by less than this (em) is kerning or a mark, not a run of its own.
BACKWARDS = cython.declare(cython.double, 0.25)
# A run fits a hole when it sticks out of it by less than this (em) on either side.
HOLE_SLACK = cython.declare(cython.double, 0.15)
# A superscript or subscript is smaller than this share of what it belongs to, raised or lowered by no more than that
# share of it, and starts within SCRIPT_GAP of its end.
SCRIPT_SIZE = cython.declare(cython.double, 0.8)
SCRIPT_GAP = cython.declare(cython.double, 0.3)
# A glyph narrower than this (em) is a mark that stands on another.
NO_WIDTH = cython.declare(cython.double, 0.05)
FAR = cython.declare(cython.double, 1e9)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _cell(em: cython.double) -> cython.double:
    """The width of the cells that glyphs of this size are hashed in: at least twice what counts as the same place."""
    cell: cython.double = 4.0
    while cell < 2.0 * SAME_PLACE * em and cell < FAR:
        cell *= 2.0
    return cell


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _floor(number: cython.double) -> cython.longlong:
    whole: cython.longlong = cython.cast(cython.longlong, number)
    return whole - 1 if whole > number else whole


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_near(
    x: cython.double, y: cython.double, reach: cython.double,
    low_x: cython.double, low_y: cython.double, high_x: cython.double, high_y: cython.double,
) -> cython.bint:  # fmt: skip
    """Whether a place is within reach of the extent of others."""
    return low_x - reach <= x <= high_x + reach and low_y - reach <= y <= high_y + reach


@cython.cclass
class LineBuilder:
    """Arranges the glyphs of one page.

    `values` is one unicode value a glyph, which the caller may have changed from the `facts` column: JOINED where an ActualText
    covers the glyph. `helper` answers what needs Unicode's tables:

        compose(accent, letter) -> value or -1     the letter with the accent on it
        starts_right_to_left(value) -> bool        for a string of the string table
    """

    places: cython.double[::1]
    facts: cython.int[::1]
    flags: cython.uchar[::1]
    run_numbers: cython.double[::1]
    run_facts: cython.int[::1]
    values: cython.int[::1]
    count: cython.Py_ssize_t
    helper: Any
    line: cython.double
    # the order: glyph rows, and where lines start in it
    rows: cython.int[::1]
    rows_object: Any
    length: cython.Py_ssize_t
    lines: cython.int[::1]
    lines_object: Any
    line_count: cython.Py_ssize_t
    line_capacity: cython.Py_ssize_t
    right_to_left: cython.uchar[::1]
    right_to_left_object: Any
    # box height of each run, above and below the baseline together, in user space
    boxes: cython.double[::1]
    # chained hash of placed glyphs by value and place, made when first needed
    heads: cython.int[::1]
    chain: cython.int[::1]
    mask: cython.Py_ssize_t
    hashed: cython.Py_ssize_t

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
        line: float,
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
        self.line = line
        self.rows_object = ints(self.count + 1)
        self.rows = self.rows_object
        self.length = 0
        self.line_capacity = 256
        self.lines_object = ints(self.line_capacity)
        self.lines = self.lines_object
        self.right_to_left_object = bytearray(self.line_capacity)
        self.right_to_left = self.right_to_left_object
        self.line_count = 0
        self.mask = 0
        self.hashed = 0

    # -- lines ----------------------------------------------------------------------------------

    @cython.cfunc
    def open_line(self, length: cython.Py_ssize_t):
        """Start a line behind the first `length` rows."""
        n: cython.Py_ssize_t = self.line_count
        if n == self.line_capacity:
            self.line_capacity *= 2
            lines = array("i", self.lines_object)
            lines.frombytes(bytes(4 * n))
            self.lines_object = lines
            self.lines = lines
            marks = bytearray(self.line_capacity)
            marks[:n] = self.right_to_left_object
            self.right_to_left_object = marks
            self.right_to_left = marks
        self.lines[n] = cython.cast(cython.int, length)
        self.right_to_left[n] = 0
        self.line_count = n + 1

    def arrange(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Put every glyph whose box centre lies in the rectangle on a line."""
        left: cython.double = x0
        bottom: cython.double = y0
        right: cython.double = x1
        top: cython.double = y1
        # views of this method's own stay in registers where those of the object are looked up for each glyph
        places: cython.double[::1] = self.places
        facts: cython.int[::1] = self.facts
        flags: cython.uchar[::1] = self.flags
        run_numbers: cython.double[::1] = self.run_numbers
        values: cython.int[::1] = self.values
        rows: cython.int[::1] = self.rows
        # unsigned, so that only the upper bound has to be checked
        row: cython.size_t = 0
        end: cython.size_t
        count: cython.size_t = self.count
        length: cython.Py_ssize_t = 0
        value: cython.int
        x: cython.double
        y: cython.double
        own: cython.double
        # of the glyph's run: half of its direction, from the baseline to the middle of the box, and limits of moves
        run: cython.Py_ssize_t = -1
        half_x: cython.double = 0.0
        half_y: cython.double = 0.0
        lift_x: cython.double = 0.0
        lift_y: cython.double = 0.0
        em: cython.double = 0.0
        box: cython.double = 0.0
        square: cython.double = 0.0
        unit: cython.double = 0.0
        ex: cython.double = 1.0
        ey: cython.double = 0.0
        back: cython.double = 0.0
        off_line: cython.double = 0.0
        # of the previous glyph
        px: cython.double = 0.0
        py: cython.double = 0.0
        pown: cython.double = 0.0
        pvalue: cython.int = 0
        # and of its run; -1 before the first one
        prun: cython.Py_ssize_t = -1
        pbox: cython.double = 0.0
        pex: cython.double = 1.0
        pey: cython.double = 0.0
        # the last glyph of the line that is no script
        base: cython.Py_ssize_t = 0
        base_box: cython.double = 0.0
        along: cython.double
        across: cython.double
        limit: cython.double
        low_x: cython.double = FAR
        low_y: cython.double = FAR
        high_x: cython.double = -FAR
        high_y: cython.double = -FAR
        while row < count:
            if flags[row] & (FLAG_CLIPPED | FLAG_HIDDEN):
                row += 1
                continue
            if facts[FACTS * row + 2] != run:
                run = facts[FACTS * row + 2]
                half_x = run_numbers[RUN_NUMBERS * run]
                half_y = run_numbers[RUN_NUMBERS * run + 1]
                em = run_numbers[RUN_NUMBERS * run + 4]
                box = self.boxes[run]
                square = half_x * half_x + half_y * half_y
                unit = sqrt(square)
                ex = 1.0
                ey = 0.0
                if unit > 0.0:
                    ex = half_x / unit
                    ey = half_y / unit
                half_x *= 0.5
                half_y *= 0.5
                lift_y = 0.0 if self.run_facts[RUN_FACTS * run + 2] else 0.25
                lift_x = lift_y * run_numbers[RUN_NUMBERS * run + 2]
                lift_y = lift_y * run_numbers[RUN_NUMBERS * run + 3]
                back = -BACKWARDS * em
                off_line = self.line * box
            x = places[PLACES * row]
            y = places[PLACES * row + 1]
            own = places[PLACES * row + 2]
            if not (left <= x + own * half_x + lift_x <= right and bottom <= y + own * half_y + lift_y <= top):
                row += 1
                continue
            value = values[row]
            if value < 0x61 or value > 0x7A:  # not one of the letters that most of a text is
                if value == JOINED and prun >= 0:
                    # stands under the text of an ActualText: on the line whatever its place, and the pen after it
                    rows[length] = cython.cast(cython.int, row)
                    length += 1
                    px = x
                    py = y
                    if run != prun:
                        prun = run
                        pbox = box
                        pex = ex
                        pey = ey
                    row += 1
                    continue
                if 0x5E <= value <= 0x36F and is_accent(value):
                    self.length = length
                    if self.place_accent(row, value, em, ex, ey):
                        row += 1
                        continue
                if (
                    EMPTY < value < 0
                    and own * own * square <= NO_WIDTH * NO_WIDTH * em * em
                    and ((prun >= 0 and value == pvalue) or (row + 1 < count and values[row + 1] == value))
                ):
                    # a mark that says the whole cluster, which its base says too
                    row += 1
                    continue
            if prun < 0:
                self.open_line(length)
            else:
                along = (x - px) * pex + (y - py) * pey
                across = fabs((y - py) * pex - (x - px) * pey)
                limit = off_line if box > pbox else self.line * pbox
                if across > limit and not (
                    # back from a script to the line that it stands on
                    (along >= back and self.stands_on(x, y, base, box if box > base_box else base_box))
                    # up or down to a script that touches what it belongs to
                    or (
                        box < SCRIPT_SIZE * pbox
                        and across <= SCRIPT_SIZE * pbox
                        and fabs(along - pown - 0.5 * SCRIPT_GAP * pbox) <= SCRIPT_GAP * pbox
                    )
                ):
                    self.length = length
                    if _is_near(x, y, SAME_PLACE * em, low_x, low_y, high_x, high_y) and self.seen(value, x, y, em, run):
                        row += 1
                        continue
                    self.open_line(length)
                    base_box = 0.0
                elif along < back:
                    self.length = length
                    if _is_near(x, y, SAME_PLACE * em, low_x, low_y, high_x, high_y) and self.seen(value, x, y, em, run):
                        row += 1
                        continue
                    if not (self.right_to_left[self.line_count - 1] or self.is_rtl(value) or self.is_rtl(pvalue)):
                        end = self.fill_hole(row, left, bottom, right, top)
                        if end > row:
                            length = self.length
                            row = end
                            continue
                        self.open_line(length)
                        base_box = 0.0
                elif run != prun and value == pvalue and fabs(along) < SAME_PLACE * em and across < SAME_PLACE * em:
                    row += 1
                    continue
            if (value < 0 or value >= 0x590) and self.is_rtl(value):
                self.right_to_left[self.line_count - 1] = 1
            rows[length] = cython.cast(cython.int, row)
            length += 1
            low_x = min(low_x, x)
            high_x = max(high_x, x)
            low_y = min(low_y, y)
            high_y = max(high_y, y)
            px = x
            py = y
            pown = own * unit
            pvalue = value
            if run != prun:
                prun = run
                pbox = box
                pex = ex
                pey = ey
            if box >= SCRIPT_SIZE * base_box:
                base = row
                base_box = box
            row += 1
        self.length = length

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def stands_on(
        self, x: cython.double, y: cython.double, base: cython.Py_ssize_t, box: cython.double
    ) -> cython.int:
        """Whether a place is on the line of the glyph `base`, where the taller of the two boxes is `box` high."""
        run: cython.Py_ssize_t = self.facts[FACTS * base + 2]
        ex: cython.double = self.run_numbers[RUN_NUMBERS * run]
        ey: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        unit: cython.double = sqrt(ex * ex + ey * ey)
        if unit > 0.0:
            ex = ex / unit
            ey = ey / unit
        else:
            ex = 1.0
            ey = 0.0
        x = x - self.places[PLACES * base]
        y = y - self.places[PLACES * base + 1]
        return fabs(y * ex - x * ey) <= self.line * box

    @cython.cfunc
    @cython.inline
    def is_rtl(self, value: cython.int) -> cython.bint:
        if value >= 0:
            return is_right_to_left(value)
        if value <= EMPTY:
            return False
        return bool(self.helper.starts_right_to_left(value))

    @cython.cfunc
    def fill_hole(
        self, row: cython.Py_ssize_t, left: cython.double, bottom: cython.double, right: cython.double, top: cython.double
    ) -> cython.Py_ssize_t:
        """Put the contiguous run of glyphs that starts at `row` into a hole of the current line.

        Returns the row behind the run, or `row` where there is no hole for it.
        """
        run: cython.Py_ssize_t = self.facts[FACTS * row + 2]
        em: cython.double = self.run_numbers[RUN_NUMBERS * run + 4]
        dx: cython.double = self.run_numbers[RUN_NUMBERS * run]
        dy: cython.double = self.run_numbers[RUN_NUMBERS * run + 1]
        unit: cython.double = sqrt(dx * dx + dy * dy)
        if unit == 0.0 or em == 0.0:
            return row
        ex: cython.double = dx / unit
        ey: cython.double = dy / unit
        slack: cython.double = HOLE_SLACK * em
        x: cython.double = self.places[PLACES * row]
        y: cython.double = self.places[PLACES * row + 1]
        start: cython.double = x * ex + y * ey
        # the run: glyphs of the same operator that follow each other without a gap or a change of direction
        end_along: cython.double = start + self.places[PLACES * row + 2] * unit
        end: cython.Py_ssize_t = row + 1
        along: cython.double
        while end < self.count and end < row + MAX_LOOK_BACK and self.facts[FACTS * end + 2] == run:
            along = self.places[PLACES * end] * ex + self.places[PLACES * end + 1] * ey
            if fabs(along - end_along) > 2.0 * em:
                break
            end_along = along + self.places[PLACES * end + 2] * unit
            end += 1
        first: cython.Py_ssize_t = self.lines[self.line_count - 1]
        i: cython.Py_ssize_t = self.length - 1
        stop: cython.Py_ssize_t = max(first, self.length - MAX_LOOK_BACK)
        other: cython.Py_ssize_t
        other_run: cython.Py_ssize_t
        following: cython.double = self.places[PLACES * self.rows[i]] * ex + self.places[PLACES * self.rows[i] + 1] * ey
        other_end: cython.double
        while i > stop:
            i -= 1
            other = self.rows[i]
            other_run = self.facts[FACTS * other + 2]
            along = self.places[PLACES * other] * ex + self.places[PLACES * other + 1] * ey
            other_end = along + self.places[PLACES * other + 2] * (
                self.run_numbers[RUN_NUMBERS * other_run] * ex + self.run_numbers[RUN_NUMBERS * other_run + 1] * ey
            )
            if other_end <= start + slack:
                if following >= end_along - slack and _covers(self.values[other]):
                    return self.insert(i + 1, row, end)
                return row
            following = along
        return row

    @cython.cfunc
    def insert(self, position: cython.Py_ssize_t, row: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        size: cython.Py_ssize_t = end - row
        i: cython.Py_ssize_t
        for i in range(self.length - 1, position - 1, -1):
            self.rows[i + size] = self.rows[i]
        for i in range(size):
            self.rows[position + i] = cython.cast(cython.int, row + i)
        self.length += size
        return end

    # -- what is drawn twice, and accents --------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def bucket(self, value: cython.int, x: cython.double, y: cython.double) -> cython.Py_ssize_t:
        """The slot of a value in the cell at (x, y), counted in cells."""
        column: cython.longlong = _floor(x)
        row: cython.longlong = _floor(y)
        # places are below FAR and the factors below 2**27, so nothing overflows
        return ((column * 73856093) ^ (row * 19349663) ^ (cython.cast(cython.longlong, value) * 83492791)) & self.mask

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def seen(
        self, value: cython.int, x: cython.double, y: cython.double, em: cython.double, run: cython.Py_ssize_t
    ) -> cython.int:
        """Whether another operator has drawn the same value at the same place: fake bold, a shadow, a word struck thrice."""
        reach: cython.double = SAME_PLACE * em
        if not 1e-3 < reach < 1e4:
            return 0
        if self.hashed < self.length:
            self.hash_rows()
        places: cython.double[::1] = self.places
        facts: cython.int[::1] = self.facts
        values: cython.int[::1] = self.values
        other: cython.Py_ssize_t
        steps: cython.Py_ssize_t
        scale: cython.double = 1.0 / _cell(em)
        corner: cython.int
        for corner in range(4):
            other = self.heads[
                self.bucket(
                    value, (x + (reach if corner & 2 else -reach)) * scale, (y + (reach if corner & 1 else -reach)) * scale
                )
            ]
            steps = 0
            while other >= 0 and steps < 64:
                if (
                    values[other] == value
                    and fabs(places[PLACES * other] - x) < reach
                    and fabs(places[PLACES * other + 1] - y) < reach
                    and facts[FACTS * other + 2] != run
                ):
                    return 1
                other = self.chain[other]
                steps += 1
        return 0

    @cython.cfunc
    def hash_rows(self):
        """Enter the glyphs that were placed since the last time: only where lines begin beside others is this ever asked for."""
        if self.mask == 0:
            self.mask = 1024
            while self.mask < 2 * self.count:
                self.mask *= 2
            self.heads = array("i", b"\xff\xff\xff\xff" * self.mask)
            self.chain = array("i", b"\xfe\xff\xff\xff" * (self.count + 1))
            self.mask -= 1
        places: cython.double[::1] = self.places
        facts: cython.int[::1] = self.facts
        values: cython.int[::1] = self.values
        rows: cython.int[::1] = self.rows
        heads: cython.int[::1] = self.heads
        chain: cython.int[::1] = self.chain
        i: cython.Py_ssize_t
        row: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        run: cython.Py_ssize_t = -1
        # cells have a power of two for their width, so that a product is as exact as the quotient
        scale: cython.double = 0.0
        for i in range(self.hashed, self.length):
            row = rows[i]
            if chain[row] != -2:
                continue
            if facts[FACTS * row + 2] != run:
                run = facts[FACTS * row + 2]
                scale = 1.0 / _cell(self.run_numbers[RUN_NUMBERS * run + 4])
            slot = self.bucket(values[row], places[PLACES * row] * scale, places[PLACES * row + 1] * scale)
            chain[row] = heads[slot]
            heads[slot] = cython.cast(cython.int, row)
        self.hashed = self.length

    @cython.cfunc
    def place_accent(
        self, row: cython.Py_ssize_t, accent: cython.int, em: cython.double, ex: cython.double, ey: cython.double
    ) -> cython.bint:
        """Compose an accent with the letter whose advance holds its centre: the next glyph, else the previous."""
        run: cython.Py_ssize_t = self.facts[FACTS * row + 2]
        half: cython.double = 0.5 * self.places[PLACES * row + 2]
        x: cython.double = self.places[PLACES * row] + half * self.run_numbers[RUN_NUMBERS * run]
        y: cython.double = self.places[PLACES * row + 1] + half * self.run_numbers[RUN_NUMBERS * run + 1]
        letter: cython.Py_ssize_t
        composed: cython.int
        attempt: cython.int
        for attempt in range(2):
            if attempt == 0:
                letter = row + 1
                if letter >= self.count or self.flags[letter] & (FLAG_CLIPPED | FLAG_HIDDEN):
                    continue
            else:
                if self.length == 0:
                    continue
                letter = self.rows[self.length - 1]
            if self.values[letter] < 0x41 or not self.is_over(letter, x, y, em):
                continue
            composed = cython.cast(cython.int, self.helper.compose(accent, self.values[letter]))
            if composed > 0:
                self.values[letter] = composed
                return True
        return False

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

    def line_rows(self) -> tuple[Any, Any, Any]:
        """(glyph rows in order, where each line starts in them, whether it has right-to-left letters)."""
        return (
            self.rows_object[: self.length],
            self.lines_object[: self.line_count],
            bytes(self.right_to_left_object[: self.line_count]),
        )

    def set_lines(self, rows: Any, lines: Any, right_to_left: bytes) -> None:
        """Put the glyph rows on other lines, in the form of `line_rows`: some of the rows or all, each once at most."""
        self.rows_object = rows
        self.rows = rows
        self.length = len(rows)
        self.lines_object = lines
        self.lines = lines
        self.line_count = self.line_capacity = len(lines)
        self.right_to_left_object = bytearray(right_to_left)
        self.right_to_left = self.right_to_left_object


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _covers(value: cython.int) -> cython.bint:
    """Whether a glyph of this value is seen: a hole between blanks is no hole."""
    return value > EMPTY and not is_white(value)
