# cython: language_level=3
"""From glyph columns to lines of text: which glyphs share a line, in which order, and where spaces are missing.

The columns are those of `pincite._kernel.content`. All lengths are in user space, thresholds in em of the glyphs
concerned. Work is bounded by a constant times the number of glyphs, whatever the page holds.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel import columns

if cython.compiled:
    from cython.cimports.libc.math import fabs, floor, sqrt
    from cython.cimports.pincite._kernel.placed import PlacedGlyphs
else:
    from math import fabs, floor, sqrt

    from pincite._kernel.placed import PlacedGlyphs

PLACES = cython.declare(cython.Py_ssize_t, columns.PLACE_FIELDS)
FACTS = cython.declare(cython.Py_ssize_t, columns.FACT_FIELDS)
RUN_NUMBERS = cython.declare(cython.Py_ssize_t, columns.RUN_NUMBER_FIELDS)
RUN_FACTS = cython.declare(cython.Py_ssize_t, columns.RUN_FACT_FIELDS)
SKIPPED_FLAGS = cython.declare(cython.int, columns.FLAG_CLIPPED | columns.FLAG_HIDDEN)
JOINED = cython.declare(cython.int, columns.JOINED)
EMPTY = cython.declare(cython.int, columns.EMPTY)

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
def _is_right_to_left(value: cython.int) -> cython.bint:
    return value >= 0x590 and (
        value <= 0x8FF or 0xFB1D <= value <= 0xFDFF or 0xFE70 <= value <= 0xFEFC or 0x10800 <= value <= 0x10FFF
        or 0x1E800 <= value <= 0x1EFFF
    )  # fmt: skip


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_accent(value: cython.int) -> cython.bint:
    """Spacing accents that a producer may draw over a letter, and combining ones that may come before theirs."""
    if value < 0x300:
        return (
            value == 0x60 or value == 0x5E or value == 0x7E or value == 0xA8 or value == 0xAF or value == 0xB4 or value == 0xB8
            or 0x2C6 <= value <= 0x2C7 or value == 0x2C9 or 0x2D8 <= value <= 0x2DD
        )  # fmt: skip
    return value <= 0x36F


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _cell(em: cython.double) -> cython.double:
    """The width of the cells that glyphs of this size are hashed in: at least twice what counts as the same place."""
    cell: cython.double = 4.0
    while cell < 2.0 * SAME_PLACE * em and cell < FAR:
        cell *= 2.0
    return cell


@cython.cclass
class LineBuilder(PlacedGlyphs):
    """Arranges the glyphs of one page.

    `values` is one unicode value a glyph, which the caller may have changed from the `facts` column: JOINED where an ActualText
    covers the glyph. `helper` answers what needs Unicode's tables:

        compose(accent, letter) -> value or -1     the letter with the accent on it
        is_mark(value) -> bool                     a combining mark, before which no space is added
        starts_right_to_left(value) -> bool        for a string of the string table
    """

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
    # chained hash of placed glyphs by value and place, made when first needed
    heads: cython.int[::1]
    chain: cython.int[::1]
    mask: cython.Py_ssize_t
    hashed: cython.Py_ssize_t
    # extent of the origins so far
    low_x: cython.double
    high_x: cython.double
    low_y: cython.double
    high_y: cython.double

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
        line: float,
    ) -> None:
        super().__init__(places, facts, flags, run_numbers, run_facts, values, boxes, helper, space)
        self.line = line
        self.rows_object = array("i", bytes(4 * (self.count + 1)))
        self.rows = self.rows_object
        self.length = 0
        self.line_capacity = 256
        self.lines_object = array("i", bytes(4 * self.line_capacity))
        self.lines = self.lines_object
        self.right_to_left_object = bytearray(self.line_capacity)
        self.right_to_left = self.right_to_left_object
        self.line_count = 0
        self.mask = 0
        self.hashed = 0

    # -- lines ----------------------------------------------------------------------------------

    @cython.cfunc
    def open_line(self):
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
        self.lines[n] = cython.cast(cython.int, self.length)
        self.right_to_left[n] = 0
        self.line_count = n + 1

    def arrange(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Put every glyph whose box centre lies in the rectangle on a line."""
        left: cython.double = x0
        bottom: cython.double = y0
        right: cython.double = x1
        top: cython.double = y1
        row: cython.Py_ssize_t = 0
        run: cython.Py_ssize_t = -1
        current: cython.Py_ssize_t = -1
        value: cython.int
        x: cython.double
        y: cython.double
        own: cython.double
        dx: cython.double = 0.0
        dy: cython.double = 0.0
        ux: cython.double = 0.0
        uy: cython.double = 0.0
        em: cython.double = 0.0
        box: cython.double = 0.0
        unit: cython.double = 0.0
        # of the previous glyph
        any_before: cython.bint = False
        px: cython.double = 0.0
        py: cython.double = 0.0
        pbox: cython.double = 0.0
        pex: cython.double = 1.0
        pey: cython.double = 0.0
        prun: cython.Py_ssize_t = -1
        pvalue: cython.int = 0
        pown: cython.double = 0.0
        # of the last glyph of the line that is no script
        rx: cython.double = 0.0
        ry: cython.double = 0.0
        rex: cython.double = 1.0
        rey: cython.double = 0.0
        rbox: cython.double = 0.0
        ex: cython.double = 1.0
        ey: cython.double = 0.0
        lift: cython.double = 0.25
        along: cython.double
        across: cython.double
        high: cython.double
        end: cython.Py_ssize_t
        rtl: cython.bint
        self.low_x = self.low_y = FAR
        self.high_x = self.high_y = -FAR
        while row < self.count:
            if self.flags[row] & SKIPPED_FLAGS:
                row += 1
                continue
            current = self.facts[FACTS * row + 2]
            if current != run:
                run = current
                dx = self.run_numbers[RUN_NUMBERS * run]
                dy = self.run_numbers[RUN_NUMBERS * run + 1]
                ux = self.run_numbers[RUN_NUMBERS * run + 2]
                uy = self.run_numbers[RUN_NUMBERS * run + 3]
                em = self.run_numbers[RUN_NUMBERS * run + 4]
                box = self.boxes[run]
                unit = sqrt(dx * dx + dy * dy)
                if unit > 0.0:
                    ex = dx / unit
                    ey = dy / unit
                else:
                    ex = 1.0
                    ey = 0.0
                lift = 0.0 if self.run_facts[RUN_FACTS * run + 2] else 0.25
            x = self.places[PLACES * row]
            y = self.places[PLACES * row + 1]
            own = self.places[PLACES * row + 2]
            if not (left <= x + 0.5 * own * dx + lift * ux <= right and bottom <= y + 0.5 * own * dy + lift * uy <= top):
                row += 1
                continue
            value = self.values[row]
            if value == JOINED and any_before:
                # stands under the text of an ActualText: on the line whatever its place, and the pen after it
                self.rows[self.length] = cython.cast(cython.int, row)
                self.length += 1
                px = x
                py = y
                pex = ex
                pey = ey
                pbox = box
                prun = run
                row += 1
                continue
            if _is_accent(value) and self.place_accent(row, value, em, ex, ey):
                row += 1
                continue
            value = self.values[row]
            if (
                EMPTY < value < 0
                and own * own * (dx * dx + dy * dy) <= NO_WIDTH * NO_WIDTH * em * em
                and ((any_before and value == pvalue) or (row + 1 < self.count and self.values[row + 1] == value))
            ):
                # a mark that says the whole cluster, which its base says too
                row += 1
                continue
            if any_before:
                along = (x - px) * pex + (y - py) * pey
                across = fabs((y - py) * pex - (x - px) * pey)
                high = box if box > pbox else pbox
                if across > self.line * high and not (
                    # back from a script to the line that it stands on
                    (
                        along >= -BACKWARDS * em
                        and fabs((y - ry) * rex - (x - rx) * rey) <= self.line * (box if box > rbox else rbox)
                    )
                    # up or down to a script that touches what it belongs to
                    or (
                        box < SCRIPT_SIZE * pbox
                        and across <= SCRIPT_SIZE * pbox
                        and fabs(along - pown - 0.5 * SCRIPT_GAP * pbox) <= SCRIPT_GAP * pbox
                    )
                ):
                    if self.seen(row, value, x, y, em, run):
                        row += 1
                        continue
                    self.open_line()
                    rbox = 0.0
                elif along < -BACKWARDS * em:
                    if self.seen(row, value, x, y, em, run):
                        row += 1
                        continue
                    rtl = self.right_to_left[self.line_count - 1] != 0 or self.is_rtl(value) or self.is_rtl(pvalue)
                    if not rtl:
                        end = self.fill_hole(row, left, bottom, right, top)
                        if end > row:
                            row = end
                            continue
                        self.open_line()
                        rbox = 0.0
                elif run != prun and value == pvalue and fabs(along) < SAME_PLACE * em and across < SAME_PLACE * em:
                    row += 1
                    continue
            else:
                any_before = True
                self.open_line()
            if self.is_rtl(value):
                self.right_to_left[self.line_count - 1] = 1
            self.rows[self.length] = cython.cast(cython.int, row)
            self.length += 1
            if x < self.low_x:
                self.low_x = x
            if x > self.high_x:
                self.high_x = x
            if y < self.low_y:
                self.low_y = y
            if y > self.high_y:
                self.high_y = y
            px = x
            py = y
            pex = ex
            pey = ey
            pbox = box
            pown = own * unit
            prun = run
            pvalue = value
            if box >= SCRIPT_SIZE * rbox:
                rx = x
                ry = y
                rex = ex
                rey = ey
                rbox = box
            row += 1

    @cython.cfunc
    @cython.inline
    def is_rtl(self, value: cython.int) -> cython.bint:
        if value >= 0:
            return _is_right_to_left(value)
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
                if following >= end_along - slack and self.is_seen(other):
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
    def bucket(self, value: cython.int, x: cython.double, y: cython.double, cell: cython.double) -> cython.Py_ssize_t:
        column: cython.longlong = cython.cast(cython.longlong, floor(x / cell))
        row: cython.longlong = cython.cast(cython.longlong, floor(y / cell))
        # places are below FAR and the factors below 2**27, so nothing overflows
        return ((column * 73856093) ^ (row * 19349663) ^ (cython.cast(cython.longlong, value) * 83492791)) & self.mask

    @cython.cfunc
    def seen(
        self,
        row: cython.Py_ssize_t,
        value: cython.int,
        x: cython.double,
        y: cython.double,
        em: cython.double,
        run: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether another operator has drawn the same value at the same place: fake bold, a shadow, a word struck thrice."""
        reach: cython.double = SAME_PLACE * em
        if not (self.low_x - reach <= x <= self.high_x + reach and self.low_y - reach <= y <= self.high_y + reach) or not (
            1e-3 < reach < 1e4
        ):
            return False
        if self.mask == 0:
            self.mask = 1024
            while self.mask < 2 * self.count:
                self.mask *= 2
            self.heads = array("i", b"\xff\xff\xff\xff" * self.mask)
            self.chain = array("i", b"\xfe\xff\xff\xff" * (self.count + 1))
            self.mask -= 1
        other: cython.Py_ssize_t
        slot: cython.Py_ssize_t
        steps: cython.Py_ssize_t
        ox: cython.double
        oy: cython.double
        while self.hashed < self.length:
            other = self.rows[self.hashed]
            self.hashed += 1
            if self.chain[other] != -2:
                continue
            ox = self.places[PLACES * other]
            oy = self.places[PLACES * other + 1]
            slot = self.bucket(
                self.values[other], ox, oy, _cell(self.run_numbers[RUN_NUMBERS * self.facts[FACTS * other + 2] + 4])
            )
            self.chain[other] = self.heads[slot]
            self.heads[slot] = cython.cast(cython.int, other)
        cell: cython.double = _cell(em)
        ix: cython.int
        iy: cython.int
        for ix in range(2):
            for iy in range(2):
                slot = self.bucket(value, x + (reach if ix else -reach), y + (reach if iy else -reach), cell)
                other = self.heads[slot]
                steps = 0
                while other >= 0 and steps < 64:
                    if (
                        self.values[other] == value
                        and fabs(self.places[PLACES * other] - x) < reach
                        and fabs(self.places[PLACES * other + 1] - y) < reach
                        and self.facts[FACTS * other + 2] != run
                    ):
                        return True
                    other = self.chain[other]
                    steps += 1
        return False

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
                if letter >= self.count or self.flags[letter] & SKIPPED_FLAGS:
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

    # -- text -----------------------------------------------------------------------------------

    def compose_text(self, strings: list[str], reorder: Any) -> tuple[Any, Any, Any]:
        """The text: (characters as array("i") of code points, the glyph row of each or -1, the position where each line starts).

        A line with right-to-left letters goes through `reorder(rows)`, which returns its (value, row) pairs, spaces with row -1.
        """
        capacity: cython.Py_ssize_t = 2 * self.length + self.line_count + 16
        characters_object = array("i", bytes(4 * capacity))
        sources_object = array("i", bytes(4 * capacity))
        starts_object = array("i", bytes(4 * (self.line_count + 1)))
        characters: cython.int[::1] = characters_object
        sources: cython.int[::1] = sources_object
        starts: cython.int[::1] = starts_object
        n: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        i: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        row: cython.Py_ssize_t
        previous: cython.Py_ssize_t
        need: cython.Py_ssize_t
        value: cython.int
        letter: cython.Py_UCS4
        spaced: cython.bint
        string: str
        for index in range(self.line_count):
            first = self.lines[index]
            last = self.lines[index + 1] if index + 1 < self.line_count else self.length
            if index:
                characters[n] = 10
                sources[n] = -1
                n += 1
            starts[index] = cython.cast(cython.int, n)
            pairs = None
            if self.right_to_left[index]:
                pairs = reorder(self.rows_object[first:last])
                last = first + len(pairs)
            previous = -1
            for i in range(first, last):
                spaced = False
                if pairs is not None:
                    value = pairs[i - first][0]
                    row = pairs[i - first][1]
                else:
                    row = self.rows[i]
                    value = self.values[row]
                    spaced = value != JOINED and previous >= 0 and self.gap_is_space(previous, row)
                    if previous < 0 or not self.is_mark_over(row, previous):
                        previous = row
                string = "" if value >= 0 or value <= EMPTY else strings[-1 - value]
                need = n + 2 + len(string) + self.line_count - index
                if need > capacity:
                    capacity = 2 * need
                    characters_object = _longer(characters_object, capacity)
                    sources_object = _longer(sources_object, capacity)
                    characters = characters_object
                    sources = sources_object
                if spaced:
                    characters[n] = 32
                    sources[n] = -1
                    n += 1
                if value >= 0:
                    characters[n] = value
                    sources[n] = cython.cast(cython.int, row)
                    n += 1
                for letter in string:
                    characters[n] = cython.cast(cython.int, ord(letter))
                    sources[n] = cython.cast(cython.int, row)
                    n += 1
        return characters_object[:n], sources_object[:n], starts_object[: self.line_count]

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
def _longer(old: Any, length: cython.Py_ssize_t) -> Any:
    new = array("i", old)
    new.frombytes(bytes(4 * (length - len(old))))
    return new
