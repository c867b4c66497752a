# cython: language_level=3
"""Content streams: the tokeniser and the text-state machine (ISO 32000-2, 7.8.2, 8.4 and 9.4).

A `ContentMachine` runs the operators of a page and of the forms that it paints and appends one row a glyph to
columns, all in user space:

    places   4 doubles a glyph: x, y of the origin; own width and advance, as multiples of the run's direction
    facts    4 ints a glyph: unicode value, code, run number, string number within the operator
    flags    1 byte a glyph: the FLAG_ constants of `columns`

A *run* is what one show operator draws; what its glyphs share stands once, in

    run_numbers  6 doubles: direction x, y; up x, y (one em long); em; font size (Tfs)
    run_facts    5 ints: font index, rendering mode, writing mode, MCID or -1, operator number or -1 inside forms

A unicode value is a code point, or -1 - n for string n of the document's string table.

The direction points where the glyphs' own boxes extend, so own widths are positive whatever the signs of the font
size and of the scaling; for vertical writing it points down the column. Everything that needs the document is asked of
the `handler`: see `ContentMachine.__init__`.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel import columns

if cython.compiled:
    from cython.cimports.libc.math import sqrt
else:
    from math import sqrt

# Character classes of ISO 32000-2, 7.2.3: 0 regular, 1 white space, 2 delimiter.
_classes = bytearray(256)
for _c in (0, 9, 10, 12, 13, 32):
    _classes[_c] = 1
for _c in (40, 41, 60, 62, 91, 93, 123, 125, 47, 37):
    _classes[_c] = 2
_hex_values = bytearray(b"\xff" * 256)
for _i in range(10):
    _hex_values[48 + _i] = _i
for _i in range(6):
    _hex_values[65 + _i] = _hex_values[97 + _i] = 10 + _i

CLASSES = cython.declare(cython.const[cython.uchar][::1], bytes(_classes))
HEX_VALUES = cython.declare(cython.const[cython.uchar][::1], bytes(_hex_values))
POWERS_OF_TEN = cython.declare(cython.double[::1], array("d", [10.0**k for k in range(23)]))

# Kinds of operands.
NUMBER = cython.declare(cython.int, 0)
STRING = cython.declare(cython.int, 1)
NAME = cython.declare(cython.int, 2)
DICTIONARY = cython.declare(cython.int, 3)
MARK = cython.declare(cython.int, 4)
OTHER = cython.declare(cython.int, 5)

# Typed copies of the shared constants: the module's plain globals would be Python objects in the hot loops.
PLACES = cython.declare(cython.Py_ssize_t, columns.PLACE_FIELDS)
FACTS = cython.declare(cython.Py_ssize_t, columns.FACT_FIELDS)
RUN_NUMBERS = cython.declare(cython.Py_ssize_t, columns.RUN_NUMBER_FIELDS)
RUN_FACTS = cython.declare(cython.Py_ssize_t, columns.RUN_FACT_FIELDS)
FLAG_UNMAPPED = cython.declare(cython.int, columns.FLAG_UNMAPPED)
FLAG_CLIPPED = cython.declare(cython.int, columns.FLAG_CLIPPED)
FLAG_INVISIBLE = cython.declare(cython.int, columns.FLAG_INVISIBLE)
FLAG_FORM = cython.declare(cython.int, columns.FLAG_FORM)
UNMAPPED = cython.declare(cython.int, columns.UNMAPPED)
STATE_FIELDS = cython.declare(cython.Py_ssize_t, 13)


def _grown(old: Any, length: int) -> Any:
    """A longer copy of an array: the old one can't grow while a view of it lives."""
    new = array(old.typecode, old)
    new.frombytes(bytes((length - len(old)) * old.itemsize))
    return new


@cython.cclass
class DecodingTable:
    """What the machine needs of a font: code → unicode value and displacement.

    `unicode` ("i") and `width`, `height` ("d") are indexed by the code, or, where `code_bytes` is 0, by the row that
    `decoder(data)` gives: an array("i") of (code, row, length in bytes) triples. Widths and heights are in text space
    units (glyph space / 1000; through FontMatrix for Type3); a height is the vertical displacement w1y, negative downwards
    (ISO 32000-2, 9.7.4.3). A code past the end of an array is unmapped or has the default. `em` is the length of one em in text space
    units, 1 except in Type3 fonts.
    """

    index: cython.Py_ssize_t
    code_bytes: cython.int
    vertical: cython.bint
    default_width: cython.double
    default_height: cython.double
    em: cython.double
    unicode: cython.int[::1]
    width: cython.double[::1]
    height: cython.double[::1]
    decoder: object
    columns: object

    def __init__(
        self,
        index: int,
        unicode: Any,
        width: Any,
        *,
        code_bytes: int,
        default_width: float,
        vertical: bool = False,
        height: Any = None,
        default_height: float = -1.0,
        decoder: Any = None,
        em: float = 1.0,
    ) -> None:
        if code_bytes not in (0, 1, 2) or (code_bytes == 0 and decoder is None):
            raise ValueError("code_bytes is 1 or 2, or 0 with a decoder")
        height = array("d") if height is None else height
        self.index = index
        self.code_bytes = code_bytes
        self.vertical = vertical
        self.default_width = default_width
        self.default_height = default_height
        self.em = em
        self.unicode = unicode
        self.width = width
        self.height = height
        self.decoder = decoder
        self.columns = (unicode, width, height)

    def unicode_column(self) -> Any:
        """The array of unicode values, as it was given."""
        return self.columns[0]

    def width_column(self) -> Any:
        """The array of widths, as it was given."""
        return self.columns[1]

    def font_index(self) -> int:
        return self.index


@cython.cclass
class ContentMachine:
    """Runs content streams and collects glyphs; see the module's docstring for the columns."""

    # current transformation matrix, text matrix, text line matrix (ISO 32000-2, 8.3.4 and 9.4.2)
    ca: cython.double
    cb: cython.double
    cc: cython.double
    cd: cython.double
    ce: cython.double
    cf: cython.double
    ta: cython.double
    tb: cython.double
    tc: cython.double
    td: cython.double
    te: cython.double
    tf: cython.double
    la: cython.double
    lb: cython.double
    lc: cython.double
    ld: cython.double
    le: cython.double
    lf: cython.double
    # text state
    char_spacing: cython.double
    word_spacing: cython.double
    horizontal_scaling: cython.double
    leading: cython.double
    font_size: cython.double
    rendering_mode: cython.int
    rise: cython.double
    table: DecodingTable | None
    # graphics state stack: numbers, and the fonts beside them
    stack: cython.double[::1]
    stack_object: object
    stack_fonts: list
    depth: cython.Py_ssize_t
    floor: cython.Py_ssize_t
    # what the handler sets
    handler: object
    mcid: cython.Py_ssize_t
    flags_now: cython.int
    # operands
    kind: cython.uchar[::1]
    value: cython.double[::1]
    start: cython.Py_ssize_t[::1]
    end: cython.Py_ssize_t[::1]
    operands: cython.Py_ssize_t
    operand_capacity: cython.Py_ssize_t
    data: bytes
    strings: cython.uchar[::1]
    in_form: cython.bint
    operator_number: cython.Py_ssize_t
    inline_images: cython.Py_ssize_t
    max_glyphs: cython.Py_ssize_t
    # output
    places: cython.double[::1]
    places_object: object
    facts: cython.int[::1]
    facts_object: object
    flags: cython.uchar[::1]
    flags_object: object
    count: cython.Py_ssize_t
    capacity: cython.Py_ssize_t
    run_numbers: cython.double[::1]
    run_numbers_object: object
    run_facts: cython.int[::1]
    run_facts_object: object
    runs: cython.Py_ssize_t
    run_capacity: cython.Py_ssize_t

    def __init__(self, handler: Any, max_glyphs: int = 2_000_000) -> None:
        """`handler` has these methods; names are raw bytes without the slash:

        set_font(name) -> DecodingTable | None     for Tf
        paint(name)                                for Do; may call `run_form`
        set_graphics_state(name)                   for gs; may call `set_font`
        begin_marked_content(tag, properties)      for BMC (None) and BDC (bytes: `/name` or the `<<…>>` source)
        end_marked_content()

        More than `max_glyphs` glyphs raise OverflowError: a page that paints a form a million times is no page.
        """
        self.handler = handler
        self.max_glyphs = max_glyphs
        self.ca = self.cd = self.horizontal_scaling = 1.0
        self.cb = self.cc = self.ce = self.cf = 0.0
        self.char_spacing = self.word_spacing = self.leading = self.font_size = self.rise = 0.0
        self.rendering_mode = 0
        self.table = None
        self.begin_text()
        self.mcid = -1
        self.flags_now = 0
        self.in_form = False
        self.operator_number = 0
        self.inline_images = 0
        self.operands = self.operand_capacity = 0
        self.grow_operands()
        self.stack_object = array("d", bytes(8 * STATE_FIELDS * 32))
        self.stack = self.stack_object
        self.stack_fonts = []
        self.depth = self.floor = 0
        self.count = self.runs = 0
        self.capacity = 2048
        self.places_object = array("d", bytes(8 * PLACES * self.capacity))
        self.places = self.places_object
        self.facts_object = array("i", bytes(4 * FACTS * self.capacity))
        self.facts = self.facts_object
        self.flags_object = array("B", bytes(self.capacity))
        self.flags = self.flags_object
        self.run_capacity = 512
        self.run_numbers_object = array("d", bytes(8 * RUN_NUMBERS * self.run_capacity))
        self.run_numbers = self.run_numbers_object
        self.run_facts_object = array("i", bytes(4 * RUN_FACTS * self.run_capacity))
        self.run_facts = self.run_facts_object

    # -- for the handler ------------------------------------------------------------------------

    def glyph_count(self) -> int:
        """The number of glyphs so far."""
        return self.count

    def run_count(self) -> int:
        return self.runs

    def inline_image_count(self) -> int:
        return self.inline_images

    def ctm(self) -> tuple[float, float, float, float, float, float]:
        """The current transformation matrix."""
        return (self.ca, self.cb, self.cc, self.cd, self.ce, self.cf)

    def set_font(self, table: DecodingTable | None, font_size: float) -> None:
        """What Tf does; also for the /Font entry of a graphics state parameter dictionary."""
        self.table = table
        self.font_size = font_size

    def set_mcid(self, mcid: int) -> None:
        """The marked-content identifier of what is drawn from now on, -1 for none."""
        self.mcid = mcid

    def set_flags(self, flags: int) -> None:
        """FLAG_ARTIFACT, FLAG_HIDDEN and FLAG_ANNOTATION for what is drawn from now on."""
        self.flags_now = flags

    def run_form(self, data: bytes, matrix: Any, bbox: Any) -> None:
        """Run a form's stream under `matrix` (6 numbers) and clip its glyphs to `bbox` (4 numbers, or None).

        The state is as before when it returns, whatever the stream did to it (ISO 32000-2, 8.10.1).
        """
        self.save()
        depth: cython.Py_ssize_t = self.depth
        text: tuple[float, ...] = (
            self.ta, self.tb, self.tc, self.td, self.te, self.tf, self.la, self.lb, self.lc, self.ld, self.le, self.lf,
        )  # fmt: skip
        outer_data: bytes = self.data
        strings: cython.uchar[::1] = self.strings
        in_form: cython.bint = self.in_form
        floor: cython.Py_ssize_t = self.floor
        mcid: cython.Py_ssize_t = self.mcid
        self.concatenate(matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5])
        frame = (self.ca, self.cb, self.cc, self.cd, self.ce, self.cf)
        first: cython.Py_ssize_t = self.count
        self.in_form = True
        self.floor = depth
        try:
            self.interpret(data)
        finally:
            self.data = outer_data
            self.strings = strings
            self.in_form = in_form
            self.floor = floor
            self.mcid = mcid
            self.depth = depth
            self.restore()
            self.ta, self.tb, self.tc, self.td, self.te, self.tf, self.la, self.lb, self.lc, self.ld, self.le, self.lf = text
        if bbox is not None:
            self.clip(first, frame, bbox)

    def run(self, data: bytes) -> None:
        """Run a page's own stream."""
        self.interpret(data)

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
    def clip(self, first: cython.Py_ssize_t, frame: tuple[float, ...], bbox: Any):
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
            y: cython.double = self.places[4 * row + 1] + half * self.run_numbers[n + 1] + lift * self.run_numbers[n + 3] - frame[5]
            u: cython.double = (x * d - y * c) / determinant
            v: cython.double = (y * a - x * b) / determinant
            if u < x0 or u > x1 or v < y0 or v > y1:
                self.flags[row] |= FLAG_CLIPPED

    # -- buffers --------------------------------------------------------------------------------

    @cython.cfunc
    def grow_operands(self):
        n: cython.Py_ssize_t = 2 * self.operand_capacity + 512
        i: cython.Py_ssize_t
        kind: cython.uchar[::1] = array("B", bytes(n))
        value: cython.double[::1] = array("d", bytes(8 * n))
        start: cython.Py_ssize_t[::1] = array("q", bytes(8 * n))
        end: cython.Py_ssize_t[::1] = array("q", bytes(8 * n))
        for i in range(self.operands):
            kind[i] = self.kind[i]
            value[i] = self.value[i]
            start[i] = self.start[i]
            end[i] = self.end[i]
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.operand_capacity = n

    @cython.cfunc
    def grow_glyphs(self, need: cython.Py_ssize_t):
        if need > self.max_glyphs:
            raise OverflowError(f"more than {self.max_glyphs} glyphs")
        while self.capacity < need:
            self.capacity *= 2
        self.places_object = _grown(self.places_object, PLACES * self.capacity)
        self.places = self.places_object
        self.facts_object = _grown(self.facts_object, FACTS * self.capacity)
        self.facts = self.facts_object
        self.flags_object = _grown(self.flags_object, self.capacity)
        self.flags = self.flags_object

    @cython.cfunc
    @cython.inline
    def push(self, kind: cython.int, value: cython.double, start: cython.Py_ssize_t, end: cython.Py_ssize_t):
        n: cython.Py_ssize_t = self.operands
        if n == self.operand_capacity:
            self.grow_operands()
        self.kind[n] = kind
        self.value[n] = value
        self.start[n] = start
        self.end[n] = end
        self.operands = n + 1

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
    def show(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t):
        """Show the operands first..last-1: strings, and numbers between them that move the pen (ISO 32000-2, 9.4.3 and 9.4.4)."""
        table: DecodingTable | None = self.table
        if table is None:
            return
        run: cython.Py_ssize_t = self.start_run()
        shown: cython.Py_ssize_t = self.count
        vertical: cython.bint = table.vertical
        scaling: cython.double = 1.0 if vertical else self.horizontal_scaling
        size: cython.double = self.font_size * scaling
        # `sign` turns displacements along the axis into lengths along the run's direction, see start_run
        axis: cython.double = -1.0 if vertical else 1.0
        sign: cython.double = -axis if size < 0.0 else axis
        char_spacing: cython.double = self.char_spacing * scaling
        word_spacing: cython.double = self.word_spacing * scaling
        ax: cython.double
        ay: cython.double
        if vertical:
            ax = self.tc * self.ca + self.td * self.cc
            ay = self.tc * self.cb + self.td * self.cd
        else:
            ax = self.ta * self.ca + self.tb * self.cc
            ay = self.ta * self.cb + self.tb * self.cd
        x0: cython.double = (
            self.te * self.ca + self.tf * self.cc + self.ce + self.rise * (self.tc * self.ca + self.td * self.cc)
        )
        y0: cython.double = (
            self.te * self.cb + self.tf * self.cd + self.cf + self.rise * (self.tc * self.cb + self.td * self.cd)
        )
        pen: cython.double = 0.0
        flags: cython.int = self.flags_now
        if self.in_form:
            flags |= FLAG_FORM
        if self.rendering_mode == 3 or self.rendering_mode == 7:
            flags |= FLAG_INVISIBLE
        code_bytes: cython.int = table.code_bytes
        mapped: cython.Py_ssize_t = table.unicode.shape[0] if cython.compiled else len(table.unicode)
        measured: cython.Py_ssize_t = table.width.shape[0] if cython.compiled else len(table.width)
        raised: cython.Py_ssize_t = table.height.shape[0] if cython.compiled else len(table.height)
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        end: cython.Py_ssize_t
        row: cython.Py_ssize_t
        need: cython.Py_ssize_t
        code: cython.Py_ssize_t
        entry: cython.Py_ssize_t
        own: cython.double
        advance: cython.double
        spaced: cython.bint
        value: cython.int
        number: cython.int = 0
        triple: cython.Py_ssize_t
        triples: cython.int[::1]
        strings: cython.uchar[::1] = self.strings
        for i in range(first, last):
            if self.kind[i] == NUMBER:
                pen -= self.value[i] * 0.001 * size
                continue
            if self.kind[i] != STRING:
                continue
            j = self.start[i]
            end = self.end[i]
            triple = 0
            if code_bytes == 0:
                triples = table.decoder(bytes(strings[j:end]))
                mapped = table.unicode.shape[0] if cython.compiled else len(table.unicode)
                measured = table.width.shape[0] if cython.compiled else len(table.width)
                need = self.count + (triples.shape[0] if cython.compiled else len(triples)) // 3
                end = triples.shape[0] if cython.compiled else len(triples)
                end = end // 3
                j = 0
            else:
                need = self.count + (end - j)
            if need > self.capacity:
                self.grow_glyphs(need)
            row = self.count
            while j < end:
                if code_bytes == 1:
                    code = entry = strings[j]
                    spaced = code == 32
                    j += 1
                elif code_bytes == 2:
                    # an odd last byte is a code's high byte with nothing behind it
                    code = entry = strings[j] * 256 + (strings[j + 1] if j + 1 < end else 0)
                    spaced = False
                    j += 2
                else:
                    code = triples[triple]
                    entry = triples[triple + 1]
                    spaced = code == 32 and triples[triple + 2] == 1
                    triple += 3
                    j += 1
                value = table.unicode[entry] if entry < mapped else UNMAPPED
                if vertical:
                    own = (table.height[entry] if entry < raised else table.default_height) * size
                else:
                    own = (table.width[entry] if entry < measured else table.default_width) * size
                advance = own + char_spacing
                if spaced:
                    advance += word_spacing
                self.places[4 * row] = ax * pen + x0
                self.places[4 * row + 1] = ay * pen + y0
                self.places[4 * row + 2] = sign * own
                self.places[4 * row + 3] = sign * advance
                self.facts[4 * row] = value
                self.facts[4 * row + 1] = cython.cast(cython.int, code)
                self.facts[4 * row + 2] = cython.cast(cython.int, run)
                self.facts[4 * row + 3] = number
                self.flags[row] = flags | FLAG_UNMAPPED if value == UNMAPPED else flags
                row += 1
                pen += advance
            self.count = row
            number += 1
        if self.count == shown:
            self.runs = run
        if vertical:
            self.te += pen * self.tc
            self.tf += pen * self.td
        else:
            self.te += pen * self.ta
            self.tf += pen * self.tb

    @cython.cfunc
    def name(self, i: cython.Py_ssize_t) -> bytes:
        return self.data[self.start[i] : self.end[i]]

    @cython.cfunc
    def execute(self, op: cython.uint):
        """Run the operator whose letters are the bytes of `op`, first letter lowest; the rest of the standard's operators draw no text."""
        n: cython.Py_ssize_t = self.operands
        i: cython.Py_ssize_t
        last: cython.int = self.kind[n - 1] if n else -1
        if op == 0x4A54:  # TJ
            i = n
            while i > 0 and self.kind[i - 1] != MARK:
                i -= 1
            self.show(i, n)
        elif op == 0x6A54:  # Tj
            if last == STRING:
                self.show(n - 1, n)
        elif op == 0x6454 or op == 0x4454:  # Td TD
            if n >= 2 and last == NUMBER and self.kind[n - 2] == NUMBER:
                if op == 0x4454:
                    self.leading = -self.value[n - 1]
                self.move_line(self.value[n - 2], self.value[n - 1])
        elif op == 0x6D54:  # Tm
            if n >= 6:
                self.la = self.ta = self.value[n - 6]
                self.lb = self.tb = self.value[n - 5]
                self.lc = self.tc = self.value[n - 4]
                self.ld = self.td = self.value[n - 3]
                self.le = self.te = self.value[n - 2]
                self.lf = self.tf = self.value[n - 1]
        elif op == 0x2A54:  # T*
            self.move_line(0.0, -self.leading)
        elif op == 0x27 or op == 0x22:  # ' "
            if op == 0x22 and n >= 3:
                self.word_spacing = self.value[n - 3]
                self.char_spacing = self.value[n - 2]
            self.move_line(0.0, -self.leading)
            if last == STRING:
                self.show(n - 1, n)
        elif op == 0x71:  # q
            self.save()
        elif op == 0x51:  # Q
            self.restore()
        elif op == 0x6D63:  # cm
            if n >= 6:
                self.concatenate(
                    self.value[n - 6], self.value[n - 5], self.value[n - 4], self.value[n - 3], self.value[n - 2], self.value[n - 1]
                )
        elif op == 0x5442:  # BT
            self.begin_text()
        elif op == 0x6654:  # Tf
            if n >= 2 and self.kind[n - 2] == NAME:
                if last == NUMBER:
                    self.font_size = self.value[n - 1]
                self.table = self.handler.set_font(self.name(n - 2))
        elif op == 0x6F44:  # Do
            if last == NAME:
                self.handler.paint(self.name(n - 1))
        elif op == 0x7367:  # gs
            if last == NAME:
                self.handler.set_graphics_state(self.name(n - 1))
        elif op == 0x434442:  # BDC
            if last == NAME:
                self.handler.begin_marked_content(self.name(n - 2) if n >= 2 else b"", b"/" + self.name(n - 1))
            else:
                self.handler.begin_marked_content(
                    self.name(n - 2) if n >= 2 and self.kind[n - 2] == NAME else b"",
                    self.name(n - 1) if last == DICTIONARY else None,
                )
        elif op == 0x434D42:  # BMC
            self.handler.begin_marked_content(self.name(n - 1) if last == NAME else b"", None)
        elif op == 0x434D45:  # EMC
            self.handler.end_marked_content()
        elif last == NUMBER:
            value: cython.double = self.value[n - 1]
            if op == 0x6354:  # Tc
                self.char_spacing = value
            elif op == 0x7754:  # Tw
                self.word_spacing = value
            elif op == 0x7A54:  # Tz
                self.horizontal_scaling = 0.01 * value
            elif op == 0x4C54:  # TL
                self.leading = value
            elif op == 0x7354:  # Ts
                self.rise = value
            elif op == 0x7254:  # Tr
                self.rendering_mode = cython.cast(cython.int, value) if 0.0 <= value < 8.0 else 0

    # -- tokens ---------------------------------------------------------------------------------

    @cython.cfunc
    def interpret(self, data: bytes):
        """Split a stream into operands and operators (ISO 32000-2, 7.2 and 7.8.2) and run them.

        What the syntax forbids is read as other readers do: `--5` is -5, `1.2.3` is 1.2, an operator with too few
        operands does nothing, a string that never ends is cut at the end of the stream.
        """
        n: cython.Py_ssize_t = len(data)
        if n == 0:
            return
        self.data = data
        strings: cython.uchar[::1] = bytearray(n + 1)
        self.strings = strings
        self.operands = 0
        p: cython.const[cython.uchar][::1] = data
        classes: cython.const[cython.uchar][::1] = CLASSES
        hex_values: cython.const[cython.uchar][::1] = HEX_VALUES
        powers: cython.double[::1] = POWERS_OF_TEN
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        first: cython.Py_ssize_t
        written: cython.Py_ssize_t = 0
        nesting: cython.Py_ssize_t
        letters: cython.Py_ssize_t
        digits: cython.Py_ssize_t
        c: cython.int
        high: cython.int
        negative: cython.bint
        dictionaries_end: cython.bint = True
        op: cython.uint
        mantissa: cython.ulonglong
        number: cython.double
        while i < n:
            c = p[i]
            if classes[c] == 1:
                i += 1
                continue
            if 48 <= c <= 57 or c == 45 or c == 46 or c == 43:  # a number
                negative = False
                mantissa = 0
                digits = 0
                while i < n and (p[i] == 45 or p[i] == 43):
                    if p[i] == 45:
                        negative = True
                    i += 1
                while i < n:
                    c = p[i]
                    if c < 48 or c > 57:
                        break
                    if mantissa < 100000000000000000:
                        mantissa = mantissa * 10 + (c - 48)
                    else:
                        digits -= 1
                    i += 1
                if i < n and p[i] == 46:
                    i += 1
                    while i < n:
                        c = p[i]
                        if c < 48 or c > 57:
                            break
                        if mantissa < 100000000000000000:
                            mantissa = mantissa * 10 + (c - 48)
                            digits += 1
                        i += 1
                    # a second point or a sign inside: the rest of the number is dropped
                    while i < n and (48 <= p[i] <= 57 or p[i] == 46 or p[i] == 45):
                        i += 1
                number = cython.cast(cython.double, mantissa)
                if digits > 0:
                    number = number / powers[digits if digits < 22 else 22]
                elif digits < 0:
                    number = number * powers[-digits if digits > -22 else 22]
                self.push(NUMBER, -number if negative else number, 0, 0)
                continue
            if classes[c] == 0:  # an operator
                letters = 0
                op = 0
                while i < n and classes[p[i]] == 0:
                    if letters < 4:
                        op |= cython.cast(cython.uint, p[i]) << cython.cast(cython.uint, 8 * letters)
                    letters += 1
                    i += 1
                if letters == 2 and op == 0x4449:  # ID
                    i = self.inline_image_end(data, i)
                    self.inline_images += 1
                elif letters <= 3:
                    self.operator_number += not self.in_form
                    self.execute(op)
                self.operands = 0
                written = 0
                continue
            i += 1
            if c == 40:  # ( a literal string, 7.3.4.2
                first = written
                nesting = 1
                while i < n:
                    c = p[i]
                    i += 1
                    if c == 92:
                        if i >= n:
                            break
                        c = p[i]
                        i += 1
                        if 48 <= c <= 55:
                            c -= 48
                            letters = 1
                            while letters < 3 and i < n and 48 <= p[i] <= 55:
                                c = c * 8 + p[i] - 48
                                i += 1
                                letters += 1
                            c &= 255
                        elif c == 110:
                            c = 10
                        elif c == 114:
                            c = 13
                        elif c == 116:
                            c = 9
                        elif c == 98:
                            c = 8
                        elif c == 102:
                            c = 12
                        elif c == 13:
                            if i < n and p[i] == 10:
                                i += 1
                            continue
                        elif c == 10:
                            continue
                    elif c == 40:
                        nesting += 1
                    elif c == 41:
                        nesting -= 1
                        if nesting == 0:
                            break
                    elif c == 13:
                        c = 10
                        if i < n and p[i] == 10:
                            i += 1
                    strings[written] = c
                    written += 1
                self.push(STRING, 0.0, first, written)
            elif c == 60:  # <
                if i < n and p[i] == 60:
                    j = self.dictionary_end(data, i + 1) if dictionaries_end else -1
                    if j < 0:
                        dictionaries_end = False
                        i += 1
                        self.push(OTHER, 0.0, 0, 0)
                    else:
                        self.push(DICTIONARY, 0.0, i - 1, j)
                        i = j
                    continue
                first = written  # a hexadecimal string, 7.3.4.3
                high = -1
                while i < n:
                    c = p[i]
                    i += 1
                    if c == 62:
                        break
                    c = hex_values[c]
                    if c == 255:
                        continue
                    if high < 0:
                        high = c
                    else:
                        strings[written] = high * 16 + c
                        written += 1
                        high = -1
                if high >= 0:
                    strings[written] = high * 16
                    written += 1
                self.push(STRING, 0.0, first, written)
            elif c == 47:  # / a name
                first = i
                while i < n and classes[p[i]] == 0:
                    i += 1
                self.push(NAME, 0.0, first, i)
            elif c == 91:  # [
                self.push(MARK, 0.0, 0, 0)
            elif c == 37:  # %
                while i < n and p[i] != 10 and p[i] != 13:
                    i += 1
        self.operands = 0

    @cython.cfunc
    def dictionary_end(self, data: bytes, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The position behind the `>>` that closes the dictionary whose content starts at `i`, or -1."""
        p: cython.const[cython.uchar][::1] = data
        n: cython.Py_ssize_t = len(data)
        nesting: cython.Py_ssize_t = 1
        parentheses: cython.Py_ssize_t
        c: cython.int
        while i < n:
            c = p[i]
            i += 1
            if c == 40:
                parentheses = 1
                while i < n and parentheses:
                    c = p[i]
                    i += 1
                    if c == 92:
                        i += 1
                    elif c == 40:
                        parentheses += 1
                    elif c == 41:
                        parentheses -= 1
            elif c == 60 and i < n:
                if p[i] == 60:
                    nesting += 1
                    i += 1
                else:
                    while i < n and p[i] != 62:
                        i += 1
                    i += 1
            elif c == 62 and i < n and p[i] == 62:
                nesting -= 1
                i += 1
                if nesting == 0:
                    return i
            elif c == 37:
                while i < n and p[i] != 10 and p[i] != 13:
                    i += 1
        return -1

    @cython.cfunc
    def inline_image_end(self, data: bytes, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The position behind the EI of the image whose ID ended at `i` (ISO 32000-2, 8.9.7).

        Unfiltered data has a length that the operands tell. Else EI counts where white space stands before it and
        what follows looks like content rather than image data.
        """
        p: cython.const[cython.uchar][::1] = data
        n: cython.Py_ssize_t = len(data)
        classes: cython.const[cython.uchar][::1] = CLASSES
        length: cython.Py_ssize_t = self.inline_image_length()
        j: cython.Py_ssize_t
        k: cython.Py_ssize_t
        if length >= 0 and i + 1 + length < n:
            j = i + 1 + length
            k = j
            while k < n and k < j + 4 and classes[p[k]] == 1:
                k += 1
            if k + 1 < n and p[k] == 69 and p[k + 1] == 73 and (k + 2 == n or classes[p[k + 2]] != 0):
                return k + 2
        j = i + 1
        while True:
            j = data.find(b"EI", j)
            if j < 0:
                return n
            if classes[p[j - 1]] == 1 and (j + 2 >= n or classes[p[j + 2]] == 1):
                k = j + 2
                while k < n and k < j + 22 and (32 <= p[k] < 127 or classes[p[k]] == 1):
                    k += 1
                if k == n or k == j + 22:
                    return j + 2
            j += 1

    @cython.cfunc
    def inline_image_length(self) -> cython.Py_ssize_t:
        """The number of data bytes of an inline image without filters, from the operands between BI and ID; else -1."""
        width: cython.double = -1.0
        height: cython.double = -1.0
        bits: cython.double = 8.0
        components: cython.double = -1.0
        i: cython.Py_ssize_t
        for i in range(self.operands - 1):
            if self.kind[i] != NAME:
                continue
            key = self.name(i)
            if key == b"W" or key == b"Width":
                width = self.value[i + 1]
            elif key == b"H" or key == b"Height":
                height = self.value[i + 1]
            elif key == b"BPC" or key == b"BitsPerComponent":
                bits = self.value[i + 1]
            elif key == b"F" or key == b"Filter":
                return -1
            elif key == b"IM" or key == b"ImageMask":
                bits = 1.0
                components = 1.0
            elif (key == b"CS" or key == b"ColorSpace") and self.kind[i + 1] == NAME:
                space = self.name(i + 1)
                if space == b"G" or space == b"DeviceGray" or space == b"CalGray":
                    components = 1.0
                elif space == b"RGB" or space == b"DeviceRGB":
                    components = 3.0
                elif space == b"CMYK" or space == b"DeviceCMYK":
                    components = 4.0
            elif (key == b"CS" or key == b"ColorSpace") and self.kind[i + 1] == MARK:
                components = 1.0
        if width < 0.0 or height < 0.0 or components < 0.0 or width > 1e6 or height > 1e6 or bits > 16.0:
            return -1
        row_bytes: cython.Py_ssize_t = int((width * bits * components + 7.0) // 8.0)
        return row_bytes * int(height)
