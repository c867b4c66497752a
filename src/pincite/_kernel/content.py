# cython: language_level=3
"""Content streams: the tokeniser, and the operators that concern text (ISO 32000-2, 7.8.2, 8.4 and 9.4).

A `ContentMachine` runs the operators of a page and of the forms that it paints on a `TextState`, whose columns are the
result. Everything that needs the document is asked of the `handler`: see `ContentMachine.__init__`.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.pincite._kernel.marks import MarkedContent
    from cython.cimports.pincite._kernel.paths import PathRecorder
else:
    from pincite._kernel.marks import MarkedContent
    from pincite._kernel.paths import PathRecorder

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

# Digits past these are counted, not kept: a double holds no more of them.
MANTISSA_LIMIT = cython.declare(cython.longlong, 10**17)


# Kinds of operands.
NUMBER = cython.declare(cython.int, 0)
STRING = cython.declare(cython.int, 1)
NAME = cython.declare(cython.int, 2)
DICTIONARY = cython.declare(cython.int, 3)
MARK = cython.declare(cython.int, 4)
OTHER = cython.declare(cython.int, 5)


@cython.cclass
class ContentMachine(MarkedContent):
    """Runs content streams; the columns are those of `TextState`."""

    kind: cython.uchar[::1]
    value: cython.double[::1]
    start: cython.Py_ssize_t[::1]
    end: cython.Py_ssize_t[::1]
    operands: cython.Py_ssize_t
    operand_capacity: cython.Py_ssize_t
    inline_images: cython.Py_ssize_t
    # the decoding tables of the resources in force, by the names that content has for them
    tables: dict
    # records lines and rectangles where a caller asks for them
    recorder: PathRecorder

    def __init__(self, max_glyphs: int = 2_000_000) -> None:
        """More than `max_glyphs` glyphs on a page raise OverflowError: one that paints a form a million times is no page."""
        super().__init__(max_glyphs)
        self.inline_images = 0
        self.operands = self.operand_capacity = 0
        self.grow_operands()
        self.tables = {}
        self.recorder = None

    def begin_page(
        self,
        handler: Any,
        tables: dict[bytes, Any],
        recorder: PathRecorder | None = None,
        known: dict[bytes, tuple[int, str | None]] | None = None,
        texts: list[Any] | None = None,
    ) -> None:
        """Start a page, with nothing of the one before but the room for it.

        `tables` are the decoding tables that are known by the names of font resources; a name that is not in it is asked
        for. `handler` has these methods; names are raw bytes without the slash:

        set_font(name) -> DecodingTable | None     for Tf
        paint(name)                                for Do; may call `run_form`
        set_graphics_state(name)                   for gs; may call `set_font`
        begin_marked_content(tag, properties)      for BMC (None) and BDC (bytes: `/name` or the `<<…>>` source)
        end_marked_content()                       for the EMC of such a one

        number_of(text)                            the value of a text that stands for no glyph

        Marked content that only carries an MCID, or nothing, stays in the machine, and so does what has a property list that is
        in `known`: MCID, -1 without one, and ActualText. `texts` gets (first row, last row + 1, text) of each ActualText.
        `recorder` gets what is painted besides text.
        """
        self.clear()
        self.reset_state()
        self.handler = handler
        self.tables = tables
        self.inline_images = 0
        self.operands = 0
        self.recorder = recorder
        self.clear_marks({} if known is None else known, [] if texts is None else texts)

    def end_page(self) -> None:
        """Let go of the handler."""
        self.handler = None
        self.recorder = None

    def inline_image_count(self) -> int:
        """The number of inline images so far."""
        return self.inline_images

    def run_form(self, data: bytes, matrix: Any, bbox: Any, tables: dict[bytes, Any]) -> None:
        """Run a form's stream under `matrix` (6 numbers) and clip its glyphs to `bbox` (4 numbers, or None).

        `tables` are those of its resources, as in `begin_page`.

        The state is as before when it returns, whatever the stream did to it (ISO 32000-2, 8.10.1).
        """
        self.save()
        text_matrices = self.text_matrices()
        outer_data: bytes = self.data
        outer_source: cython.const[cython.uchar][::1] = self.source
        outer_strings: cython.uchar[::1] = self.strings
        outer_tables = self.tables
        marks_floor: cython.Py_ssize_t = self.marks_floor
        outer = self.enter_form()
        self.tables = tables
        self.marks_floor = len(self.marks)
        self.concatenate(matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5])
        frame = self.ctm()
        first: cython.Py_ssize_t = self.count
        first_path: cython.Py_ssize_t = 0
        if self.recorder is not None:
            first_path = self.recorder.count
            self.recorder.enter(self.depth)
        try:
            self.interpret(data)
        finally:
            self.data = outer_data
            self.source = outer_source
            self.strings = outer_strings
            self.tables = outer_tables
            # marked content never reaches past its stream, nor ends what another began (14.6.1)
            self.end_marks(self.marks_floor)
            self.marks_floor = marks_floor
            self.leave_form(outer)
            self.set_text_matrices(text_matrices)
        if bbox is not None:
            self.clip(first, frame, bbox)
            if self.recorder is not None:
                self.recorder.clip(first_path, frame, bbox)

    def run(self, data: bytes) -> None:
        """Run a page's own stream, and end what it left open."""
        self.interpret(data)
        self.end_marks(0)

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
    def show(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t):
        """Show the operands first..last-1: strings, and numbers between them that move the pen (ISO 32000-2, 9.4.3)."""
        if self.table is None:
            return
        i: cython.Py_ssize_t
        number: cython.int = 0
        self.begin_show()
        for i in range(first, last):
            if self.kind[i] == NUMBER:
                self.pen -= self.value[i] * 0.001 * self.scaled_size
            elif self.kind[i] == STRING:
                self.show_string(self.start[i], self.end[i], number)
                number += 1
        self.end_show()

    @cython.cfunc
    def name(self, i: cython.Py_ssize_t) -> bytes:
        return self.data[self.start[i] : self.end[i]]

    @cython.cfunc
    def record(self, op: cython.uint):
        self.recorder.operate(
            op, self.value, self.operands, self.depth, self.ca, self.cb, self.cc, self.cd, self.ce, self.cf, self.flags_now
        )

    @cython.cfunc
    def execute(self, op: cython.uint):
        """Run the operator whose letters are the bytes of `op`, first letter lowest; operators not here draw no text."""
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
                    self.value[n - 6],
                    self.value[n - 5],
                    self.value[n - 4],
                    self.value[n - 3],
                    self.value[n - 2],
                    self.value[n - 1],
                )
        elif op == 0x5442:  # BT
            self.begin_text()
        elif op == 0x6654:  # Tf
            if n >= 2 and self.kind[n - 2] == NAME:
                if last == NUMBER:
                    self.font_size = self.value[n - 1]
                name = self.name(n - 2)
                if name in self.tables:
                    self.table = self.tables[name]
                else:
                    self.table = self.handler.set_font(name)
        elif op == 0x6F44:  # Do
            if last == NAME:
                self.handler.paint(self.name(n - 1))
        elif op == 0x7367:  # gs
            if last == NAME:
                self.handler.set_graphics_state(self.name(n - 1))
        elif op == 0x434442:  # BDC
            i = n - 2 if n >= 2 and self.kind[n - 2] == NAME else -1
            name = self.name(i) if i >= 0 else b""
            if last in (NAME, DICTIONARY):
                self.begin_mark(name, self.start[n - 1], self.end[n - 1], last == NAME)
            else:
                self.begin_mark(name, -1, -1, False)
        elif op == 0x434D42:  # BMC
            self.begin_mark(self.name(n - 1) if last == NAME else b"", -1, -1, False)
        elif op == 0x434D45:  # EMC
            if len(self.marks) > self.marks_floor:
                self.end_marks(len(self.marks) - 1)
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
        self.source = data
        strings: cython.uchar[::1] = bytearray(n + 1)
        self.strings = strings
        self.operands = 0
        p: cython.const[cython.uchar][::1] = self.source
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
        mantissa: cython.longlong
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
                    if mantissa < MANTISSA_LIMIT:
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
                        if mantissa < MANTISSA_LIMIT:
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
                self.operator_number += not self.in_form
                if letters == 2 and op == 0x4449:  # ID
                    i = self.inline_image_end(data, i)
                    self.inline_images += 1
                elif letters <= 3:
                    if self.recorder is not None:
                        self.record(op)
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
                            if i < n and p[i] == 13:  # the other way round than the standard has it, but written
                                i += 1
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
                    j = self.dictionary_end(i + 1) if dictionaries_end else -1
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
    def dictionary_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The position behind the `>>` that closes the dictionary whose content starts at `i`, or -1."""
        p: cython.const[cython.uchar][::1] = self.source
        n: cython.Py_ssize_t = len(self.data)
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
