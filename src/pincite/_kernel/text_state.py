# cython: language_level=3
"""The text state, the graphics state stack around it, and the glyphs that it places (ISO 32000-2, 8.4 and 9.4).

A `TextState` appends one row a glyph to columns, all in user space:

    places   4 doubles a glyph: x, y of the origin; own width and advance, as multiples of the run's direction
    facts    4 ints a glyph: unicode value, code, run number, string number within the operator
    flags    1 byte a glyph: the FLAG_ constants of `columns`

A *run* is what one show operator draws; what its glyphs share stands once, in

    run_numbers  6 doubles: direction x, y; up x, y (one em long); em; font size (Tfs)
    run_facts    5 ints: font index, rendering mode, writing mode, MCID or -1, operator number or -1 inside forms

A unicode value is a code point, or -1 - n for string n of the document's string table.

The direction points where the glyphs' own boxes extend, so own widths are positive whatever the signs of the font
size and of the scaling; for vertical writing it points down the column.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.libc.math import sqrt
    from cython.cimports.pincite._kernel.columns import FACT_FIELDS as FACTS
    from cython.cimports.pincite._kernel.columns import FLAG_CLIPPED, FLAG_FORM, FLAG_INVISIBLE, FLAG_UNMAPPED, UNMAPPED
    from cython.cimports.pincite._kernel.columns import PLACE_FIELDS as PLACES
    from cython.cimports.pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from cython.cimports.pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
    from cython.cimports.pincite._kernel.decoding import DecodingTable
else:
    from math import sqrt

    from pincite._kernel.columns import FACT_FIELDS as FACTS
    from pincite._kernel.columns import FLAG_CLIPPED, FLAG_FORM, FLAG_INVISIBLE, FLAG_UNMAPPED, UNMAPPED
    from pincite._kernel.columns import PLACE_FIELDS as PLACES
    from pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
    from pincite._kernel.decoding import DecodingTable

STATE_FIELDS = cython.declare(cython.Py_ssize_t, 13)
# A million graphics states are 100 MB; content that forgets its Q on every line has some thousands.
MAX_DEPTH = cython.declare(cython.Py_ssize_t, 1_000_000)


def _grown(old: Any, length: int) -> Any:
    """A longer copy of an array: the old one can't grow while a view of it lives."""
    new = array(old.typecode, old)
    new.frombytes(bytes((length - len(old)) * old.itemsize))
    return new


@cython.cclass
class TextState:
    """Matrices, text state and glyph columns; the attributes stand in text_state.pxd."""

    def __init__(self, max_glyphs: int) -> None:
        """More than `max_glyphs` glyphs raise OverflowError: a page that paints a form a million times is no page."""
        self.max_glyphs = max_glyphs
        self.stack_object = array("d", bytes(8 * STATE_FIELDS * 32))
        self.stack = self.stack_object
        self.stack_fonts: list[DecodingTable | None] = []
        self.reset_state()
        self.strings = bytearray(1)
        self.clear()
        self.capacity = min(1000, max_glyphs)
        self.places_object = array("d", bytes(8 * PLACES * self.capacity))
        self.places = self.places_object
        self.facts_object = array("i", bytes(4 * FACTS * self.capacity))
        self.facts = self.facts_object
        self.flags_object = array("B", bytes(self.capacity))
        self.flags = self.flags_object
        self.run_capacity = 256
        self.run_numbers_object = array("d", bytes(8 * RUN_NUMBERS * self.run_capacity))
        self.run_numbers = self.run_numbers_object
        self.run_facts_object = array("i", bytes(4 * RUN_FACTS * self.run_capacity))
        self.run_facts = self.run_facts_object

    # -- what is asked from outside ------------------------------------------------------------------------

    @cython.cfunc
    def clear(self):
        """Forget the glyphs of a page, and what they were marked with."""
        self.mcid = -1
        self.flags_now = 0
        self.in_form = False
        self.operator_number = 0
        self.count = self.runs = 0

    def reset_state(self) -> None:
        """Back to the graphics state that a page begins with (ISO 32000-2, table 51)."""
        self.ca = self.cd = self.horizontal_scaling = 1.0
        self.cb = self.cc = self.ce = self.cf = 0.0
        self.char_spacing = self.word_spacing = self.leading = self.font_size = self.rise = 0.0
        self.rendering_mode = 0
        self.table = None
        self.begin_text()
        self.depth = self.floor = 0

    def glyph_count(self) -> int:
        """The number of glyphs so far."""
        return self.count

    def ctm(self) -> tuple[float, float, float, float, float, float]:
        """The current transformation matrix."""
        return (self.ca, self.cb, self.cc, self.cd, self.ce, self.cf)

    def set_font(self, table: DecodingTable | None, font_size: float) -> None:
        """What Tf does; also for the /Font entry of a graphics state parameter dictionary."""
        self.table = table
        self.font_size = font_size

    def current_mcid(self) -> int:
        """The marked-content identifier of what is drawn now, -1 for none."""
        return self.mcid

    def set_mcid(self, mcid: int) -> None:
        """The marked-content identifier of what is drawn from now on, -1 for none."""
        self.mcid = mcid

    def set_flags(self, flags: int) -> None:
        """FLAG_ARTIFACT, FLAG_HIDDEN and FLAG_ANNOTATION for what is drawn from now on."""
        self.flags_now = flags

    def add_text(self, value: int) -> None:
        """Add a glyph of no width at the pen: text that stands for no glyph, as an ActualText on an empty span."""
        run: cython.Py_ssize_t = self.start_run()
        row: cython.Py_ssize_t = self.count
        if row == self.capacity:
            self.grow_glyphs(row + 1)
        self.places[4 * row] = self.te * self.ca + self.tf * self.cc + self.ce
        self.places[4 * row + 1] = self.te * self.cb + self.tf * self.cd + self.cf
        self.places[4 * row + 2] = self.places[4 * row + 3] = 0.0
        self.facts[4 * row] = value
        self.facts[4 * row + 1] = -1
        self.facts[4 * row + 2] = cython.cast(cython.int, run)
        self.facts[4 * row + 3] = 0
        self.flags[row] = self.flags_now
        self.count = row + 1

    def columns(self) -> tuple[Any, Any, Any, Any, Any]:
        """(places, facts, flags, run_numbers, run_facts) as arrays cut to length: copies, which no view pins."""
        return (
            self.places_object[: self.count * PLACES],
            self.facts_object[: self.count * FACTS],
            self.flags_object[: self.count],
            self.run_numbers_object[: self.runs * RUN_NUMBERS],
            self.run_facts_object[: self.runs * RUN_FACTS],
        )

    # -- state ----------------------------------------------------------------------------------

    @cython.cfunc
    def begin_text(self):
        self.ta = self.td = self.la = self.ld = 1.0
        self.tb = self.tc = self.te = self.tf = self.lb = self.lc = self.le = self.lf = 0.0

    @cython.cfunc
    def concatenate(
        self, a: cython.double, b: cython.double, c: cython.double, d: cython.double, e: cython.double, f: cython.double
    ):
        """CTM := matrix × CTM (ISO 32000-2, 8.3.4)."""
        na: cython.double = a * self.ca + b * self.cc
        nb: cython.double = a * self.cb + b * self.cd
        nc: cython.double = c * self.ca + d * self.cc
        nd: cython.double = c * self.cb + d * self.cd
        ne: cython.double = e * self.ca + f * self.cc + self.ce
        nf: cython.double = e * self.cb + f * self.cd + self.cf
        self.ca = na
        self.cb = nb
        self.cc = nc
        self.cd = nd
        self.ce = ne
        self.cf = nf

    @cython.cfunc
    def save(self):
        """q: the whole text state is part of the graphics state (ISO 32000-2, 8.4.1), font included."""
        if self.depth >= MAX_DEPTH:
            raise OverflowError("graphics states are nested without end")
        n: cython.Py_ssize_t = self.depth * STATE_FIELDS
        if n + STATE_FIELDS > len(self.stack_object):
            self.stack_object = _grown(self.stack_object, 2 * len(self.stack_object))
            self.stack = self.stack_object
        s: cython.double[::1] = self.stack
        s[n] = self.ca
        s[n + 1] = self.cb
        s[n + 2] = self.cc
        s[n + 3] = self.cd
        s[n + 4] = self.ce
        s[n + 5] = self.cf
        s[n + 6] = self.font_size
        s[n + 7] = self.char_spacing
        s[n + 8] = self.word_spacing
        s[n + 9] = self.leading
        s[n + 10] = self.rise
        s[n + 11] = self.horizontal_scaling
        s[n + 12] = self.rendering_mode
        del self.stack_fonts[self.depth :]
        self.stack_fonts.append(self.table)
        self.depth += 1

    @cython.cfunc
    def restore(self):
        """Q; without its q it does nothing, and inside a form it never reaches past the form's own q."""
        if self.depth <= self.floor:
            return
        self.depth -= 1
        n: cython.Py_ssize_t = self.depth * STATE_FIELDS
        s: cython.double[::1] = self.stack
        self.ca = s[n]
        self.cb = s[n + 1]
        self.cc = s[n + 2]
        self.cd = s[n + 3]
        self.ce = s[n + 4]
        self.cf = s[n + 5]
        self.font_size = s[n + 6]
        self.char_spacing = s[n + 7]
        self.word_spacing = s[n + 8]
        self.leading = s[n + 9]
        self.rise = s[n + 10]
        self.horizontal_scaling = s[n + 11]
        self.rendering_mode = cython.cast(cython.int, s[n + 12])
        self.table = self.stack_fonts[self.depth]

    @cython.cfunc
    def enter_form(self) -> tuple:
        """Begin a form after its q: its Q reach no further, and its operators have no number. Returns what `leave_form` takes."""
        outer = (self.depth, self.in_form, self.floor, self.mcid)
        self.in_form = True
        self.floor = self.depth
        return outer

    @cython.cfunc
    def leave_form(self, outer: tuple):
        """End a form with its Q, whatever its stream left on the stack."""
        self.in_form = outer[1]
        self.floor = outer[2]
        self.mcid = outer[3]
        self.depth = outer[0]
        self.restore()

    @cython.cfunc
    def text_matrices(self) -> tuple:
        return (self.ta, self.tb, self.tc, self.td, self.te, self.tf, self.la, self.lb, self.lc, self.ld, self.le, self.lf)

    @cython.cfunc
    def set_text_matrices(self, matrices: tuple):
        self.ta, self.tb, self.tc, self.td, self.te, self.tf = matrices[:6]
        self.la, self.lb, self.lc, self.ld, self.le, self.lf = matrices[6:]

    @cython.cfunc
    def clip(self, first: cython.Py_ssize_t, frame: tuple, bbox: object):
        """Flag the glyphs from row `first` on whose box centre lies outside `bbox` in the space of `frame`."""
        a: cython.double = frame[0]
        b: cython.double = frame[1]
        c: cython.double = frame[2]
        d: cython.double = frame[3]
        determinant: cython.double = a * d - b * c
        if determinant == 0.0:
            return
        x0: cython.double = min(bbox[0], bbox[2])
        x1: cython.double = max(bbox[0], bbox[2])
        y0: cython.double = min(bbox[1], bbox[3])
        y1: cython.double = max(bbox[1], bbox[3])
        row: cython.Py_ssize_t
        n: cython.Py_ssize_t
        for row in range(first, self.count):
            n = RUN_NUMBERS * self.facts[FACTS * row + 2]
            half: cython.double = 0.5 * self.places[4 * row + 2]
            lift: cython.double = 0.0 if self.run_facts[RUN_FACTS * self.facts[FACTS * row + 2] + 2] else 0.25
            x: cython.double = self.places[4 * row] + half * self.run_numbers[n] + lift * self.run_numbers[n + 2] - frame[4]
            y: cython.double = (
                self.places[4 * row + 1] + half * self.run_numbers[n + 1] + lift * self.run_numbers[n + 3] - frame[5]
            )
            u: cython.double = (x * d - y * c) / determinant
            v: cython.double = (y * a - x * b) / determinant
            if u < x0 or u > x1 or v < y0 or v > y1:
                self.flags[row] |= FLAG_CLIPPED

    @cython.cfunc
    def grow_glyphs(self, need: cython.Py_ssize_t):
        if need > self.max_glyphs:
            raise OverflowError(f"more than {self.max_glyphs} glyphs")
        while self.capacity < need:
            self.capacity *= 2
        self.capacity = min(self.capacity, self.max_glyphs)
        self.places_object = _grown(self.places_object, PLACES * self.capacity)
        self.places = self.places_object
        self.facts_object = _grown(self.facts_object, FACTS * self.capacity)
        self.facts = self.facts_object
        self.flags_object = _grown(self.flags_object, self.capacity)
        self.flags = self.flags_object

    @cython.cfunc
    # -- operators ------------------------------------------------------------------------------

    @cython.cfunc
    def move_line(self, x: cython.double, y: cython.double):
        """Td: the text line matrix moves by (x, y) and the text matrix becomes it (ISO 32000-2, 9.4.2)."""
        e: cython.double = x * self.la + y * self.lc + self.le
        f: cython.double = x * self.lb + y * self.ld + self.lf
        self.le = e
        self.lf = f
        self.ta = self.la
        self.tb = self.lb
        self.tc = self.lc
        self.td = self.ld
        self.te = e
        self.tf = f

    @cython.cfunc
    def start_run(self) -> cython.Py_ssize_t:
        """Append the row of what the next glyphs share and return its number."""
        run: cython.Py_ssize_t = self.runs
        if run == self.run_capacity:
            self.run_capacity *= 2
            self.run_numbers_object = _grown(self.run_numbers_object, RUN_NUMBERS * self.run_capacity)
            self.run_numbers = self.run_numbers_object
            self.run_facts_object = _grown(self.run_facts_object, RUN_FACTS * self.run_capacity)
            self.run_facts = self.run_facts_object
        vertical: cython.bint = self.table is not None and self.table.vertical
        em: cython.double = 1.0 if self.table is None else self.table.em
        ax: cython.double = self.ta * self.ca + self.tb * self.cc
        ay: cython.double = self.ta * self.cb + self.tb * self.cd
        ux: cython.double = self.tc * self.ca + self.td * self.cc
        uy: cython.double = self.tc * self.cb + self.td * self.cd
        sign: cython.double = -1.0 if self.font_size * (1.0 if vertical else self.horizontal_scaling) < 0.0 else 1.0
        n: cython.Py_ssize_t = RUN_NUMBERS * run
        if vertical:
            self.run_numbers[n] = -sign * ux
            self.run_numbers[n + 1] = -sign * uy
        else:
            self.run_numbers[n] = sign * ax
            self.run_numbers[n + 1] = sign * ay
        size: cython.double = self.font_size * em
        self.run_numbers[n + 2] = size * ux
        self.run_numbers[n + 3] = size * uy
        self.run_numbers[n + 4] = abs(size) * sqrt(ux * ux + uy * uy)
        self.run_numbers[n + 5] = self.font_size
        n = RUN_FACTS * run
        self.run_facts[n] = -1 if self.table is None else cython.cast(cython.int, self.table.index)
        self.run_facts[n + 1] = self.rendering_mode
        self.run_facts[n + 2] = 1 if vertical else 0
        self.run_facts[n + 3] = cython.cast(cython.int, self.mcid)
        self.run_facts[n + 4] = -1 if self.in_form else cython.cast(cython.int, self.operator_number)
        self.runs = run + 1
        return run

    @cython.cfunc
    def begin_show(self):
        """Start what one show operator draws: the pen at the text matrix, and what its strings share (9.4.4)."""
        table: DecodingTable = self.table
        self.show_run = self.start_run()
        self.shown_before = self.count
        scaling: cython.double = 1.0 if table.vertical else self.horizontal_scaling
        self.scaled_size = self.font_size * scaling
        # turns displacements along the axis into lengths along the run's direction, see start_run
        axis: cython.double = -1.0 if table.vertical else 1.0
        self.show_sign = -axis if self.scaled_size < 0.0 else axis
        self.scaled_char_spacing = self.char_spacing * scaling
        self.scaled_word_spacing = self.word_spacing * scaling
        if table.vertical:
            self.axis_x = self.tc * self.ca + self.td * self.cc
            self.axis_y = self.tc * self.cb + self.td * self.cd
        else:
            self.axis_x = self.ta * self.ca + self.tb * self.cc
            self.axis_y = self.ta * self.cb + self.tb * self.cd
        self.origin_x = self.te * self.ca + self.tf * self.cc + self.ce + self.rise * (self.tc * self.ca + self.td * self.cc)
        self.origin_y = self.te * self.cb + self.tf * self.cd + self.cf + self.rise * (self.tc * self.cb + self.td * self.cd)
        self.pen = 0.0

    @cython.cfunc
    def end_show(self):
        """The text matrix moves to the pen; a run without glyphs is dropped."""
        table: DecodingTable = self.table
        if self.count == self.shown_before:
            self.runs = self.show_run
        if table.vertical:
            self.te += self.pen * self.tc
            self.tf += self.pen * self.td
        else:
            self.te += self.pen * self.ta
            self.tf += self.pen * self.tb

    @cython.cfunc
    def show_string(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, number: cython.int):
        """Append the glyphs of one string, string `number` of its operator."""
        table: DecodingTable = self.table
        code_bytes: cython.int = table.code_bytes
        position: cython.Py_ssize_t = start
        stop: cython.Py_ssize_t = end
        if code_bytes == 0:
            triples = table.decoder(bytes(self.strings[start:end]))
            self.triples = triples
            position = 0
            stop = len(triples) // 3
        row: cython.Py_ssize_t = self.count
        if row + stop - position > self.capacity:
            self.grow_glyphs(row + stop - position)
        flags: cython.int = self.flags_now
        if self.in_form:
            flags |= FLAG_FORM
        if self.rendering_mode == 3 or self.rendering_mode == 7:
            flags |= FLAG_INVISIBLE
        run: cython.int = cython.cast(cython.int, self.show_run)
        pen: cython.double = self.pen
        size: cython.double = self.scaled_size
        own: cython.double
        advance: cython.double
        code: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        spaced: cython.bint
        value: cython.int
        while position < stop:
            if code_bytes == 1:
                code = entry = self.strings[position]
                spaced = code == 32
                position += 1
            elif code_bytes == 2:
                # an odd last byte is a code's high byte with nothing behind it
                code = entry = self.strings[position] * 256 + (self.strings[position + 1] if position + 1 < stop else 0)
                spaced = False
                position += 2
            else:
                code = self.triples[3 * position]
                entry = self.triples[3 * position + 1]
                spaced = code == 32 and self.triples[3 * position + 2] == 1
                position += 1
            value = table.unicode[entry] if 0 <= entry < table.unicode_length else UNMAPPED
            if table.vertical:
                own = (table.height[entry] if 0 <= entry < table.height_length else table.default_height) * size
            else:
                own = (table.width[entry] if 0 <= entry < table.width_length else table.default_width) * size
            advance = own + self.scaled_char_spacing
            if spaced:
                advance += self.scaled_word_spacing
            self.places[PLACES * row] = self.axis_x * pen + self.origin_x
            self.places[PLACES * row + 1] = self.axis_y * pen + self.origin_y
            self.places[PLACES * row + 2] = self.show_sign * own
            self.places[PLACES * row + 3] = self.show_sign * advance
            self.facts[FACTS * row] = value
            self.facts[FACTS * row + 1] = cython.cast(cython.int, code)
            self.facts[FACTS * row + 2] = run
            self.facts[FACTS * row + 3] = number
            self.flags[row] = flags | FLAG_UNMAPPED if value == UNMAPPED else flags
            row += 1
            pen += advance
        self.count = row
        self.pen = pen
