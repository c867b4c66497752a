# cython: language_level=3
"""Objects as a sound file spells them (ISO 32000-2, 7.2 and 7.3): bytes in, plain values out.

Nothing is mended here. What is misspelt, doubtful or merely rare raises `NotPlainError`, and the caller turns to a reader
that knows what other readers make of it. So this one can be short and fast: it reads an object in a thirtieth of the time
that qpdf, its binding and a parser of what they print take together.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

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

MAX_DEPTH = cython.declare(cython.int, 100)
# More digits than these are left to others: 10**15 is exact as a double, and quotients of exact numbers are rounded once.
MAX_DIGITS = cython.declare(cython.int, 15)
POWERS_OF_TEN = (1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15)
END = cython.declare(cython.int, -1)
UNKNOWN = cython.declare(cython.int, 255)
ROW_BYTES = cython.declare(cython.Py_ssize_t, 20)
# ISO 32000-2, table C.1: the greatest object number
MAX_NUMBER = cython.declare(cython.Py_ssize_t, 8_388_607)
# rows without an object that a file may have besides as many as it has others
MAX_EMPTY = cython.declare(cython.Py_ssize_t, 100_000)


class NotPlainError(ValueError):
    """The bytes are no object as a sound file spells it."""


def string_nesting(data: bytes, nesting: int) -> int:
    """How many parentheses of a literal string are open behind a part of a content stream, of `nesting` that were before it."""
    p: cython.const[cython.uchar][::1] = data
    n: cython.Py_ssize_t = len(data)
    i: cython.Py_ssize_t = 0
    open_parentheses: cython.Py_ssize_t = nesting
    c: cython.int
    while i < n:
        c = p[i]
        i += 1
        if c == 92:
            i += 1
        elif c == 40:
            open_parentheses += 1
        elif c == 41:
            open_parentheses -= open_parentheses > 0
        elif c == 37 and open_parentheses == 0:  # inside a string it begins no comment
            while i < n and p[i] != 10 and p[i] != 13:
                i += 1
    return open_parentheses


@cython.cclass
class CrossReferences:
    """Where the objects of a file stand (7.5.4 and 7.5.8), in arrays by their numbers. What is added first counts.

    The kinds are those of a stream of cross-references, and one more: 0 free, 1 at an offset, 2 in an object stream, 255 unknown.
    """

    kinds: cython.uchar[::1]
    places: cython.longlong[::1]
    indexes: cython.longlong[::1]
    size: cython.Py_ssize_t
    rows: cython.Py_ssize_t

    def __init__(self) -> None:
        self.size = self.rows = 0
        self.kinds = bytearray(1)
        self.places = self.indexes = array("q", (0,))

    def end(self) -> int:
        """One more than the greatest number that has a row."""
        return self.size

    def find(self, number: int) -> tuple[int, int, int]:
        """The row of an object: 0; 1, offset, generation; or 2, object stream, index. Any number may be asked for."""
        if not 0 <= number < self.size:
            return (0, 0, 0)
        row: cython.Py_ssize_t = number
        if self.kinds[row] == UNKNOWN:
            return (0, 0, 0)
        return (self.kinds[row], self.places[row], self.indexes[row])

    def add_table(
        self, data: bytes, position: cython.Py_ssize_t, first: cython.Py_ssize_t, count: cython.Py_ssize_t, kind: str
    ) -> None:
        """Add the rows of a table that stand at `position`; of `kind` "n" or "f" alone where it is not ""."""
        wanted: cython.int = ord(kind) if kind else 0
        p: cython.const[cython.uchar][::1] = data
        i: cython.Py_ssize_t
        number: cython.Py_ssize_t
        place: cython.longlong
        generation: cython.longlong
        letter: cython.int
        if position < 0 or count < 0 or position + ROW_BYTES * count > len(data):
            raise NotPlainError("a table is longer than the file")
        self.make_room(first, count)
        for number in range(first, first + count):
            place = _digits(p, position, 10)
            generation = _digits(p, position + 11, 5)
            letter = p[position + 17]
            i = position + 18
            # an end of line takes two bytes: a space and CR or LF, or CR and LF
            if (
                place < 0
                or generation < 0
                or p[position + 10] != 32
                or p[position + 16] != 32
                or (letter != 110 and letter != 102)
                or not (p[i] == 32 or p[i] == 13)
                or not (p[i + 1] == 10 or (p[i + 1] == 13 and p[i] == 32))
            ):
                raise NotPlainError("no row of a table")
            if self.kinds[number] == UNKNOWN and (wanted == 0 or wanted == letter):
                self.kinds[number] = 1 if letter == 110 else 0
                self.places[number] = place
                self.indexes[number] = generation
            position += ROW_BYTES

    def add_stream(
        self, data: bytes, position: cython.Py_ssize_t, widths: list[int], first: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> None:
        """Add rows of a stream, whose three fields have so many bytes; the first field is 1 where it has none."""
        p: cython.const[cython.uchar][::1] = data
        a: cython.Py_ssize_t = widths[0]
        b: cython.Py_ssize_t = widths[1]
        c: cython.Py_ssize_t = widths[2]
        number: cython.Py_ssize_t
        kind: cython.longlong
        row: cython.Py_ssize_t = a + b + c
        if not (0 <= a <= 7 and 0 <= b <= 7 and 0 <= c <= 7 and row > 0):
            raise NotPlainError("fields are too wide")
        if position < 0 or count < 0 or position + row * count > len(data):
            raise NotPlainError("a stream of cross-references is too short")
        self.make_room(first, count)
        for number in range(first, first + count):
            kind = _big_endian(p, position, a) if a else 1
            if kind > 2:
                raise NotPlainError("an unknown kind of row")
            if self.kinds[number] == UNKNOWN:
                self.kinds[number] = kind
                self.places[number] = _big_endian(p, position + a, b)
                self.indexes[number] = _big_endian(p, position + a + b, c)
            position += row

    @cython.cfunc
    def make_room(self, first: cython.Py_ssize_t, count: cython.Py_ssize_t):
        self.rows += count
        size: cython.Py_ssize_t = first + count
        # Numbers are dense in sound files; memory for a million rows is not given to one that claims number 999,999.
        if first < 0 or size > MAX_NUMBER or size > MAX_EMPTY + 2 * self.rows:
            raise NotPlainError("no object has such a number")
        if count == 0 or size <= self.size:
            return
        kinds = bytearray(b"\xff" * size)
        places = array("q", bytes(8 * size))
        indexes = array("q", bytes(8 * size))
        kinds[: self.size] = self.kinds[: self.size]
        new_places: cython.longlong[::1] = places
        new_indexes: cython.longlong[::1] = indexes
        i: cython.Py_ssize_t
        for i in range(self.size):
            new_places[i] = self.places[i]
            new_indexes[i] = self.indexes[i]
        self.kinds = kinds
        self.places = places
        self.indexes = indexes
        self.size = size


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _digits(p: cython.const[cython.uchar][::1], position: cython.Py_ssize_t, count: cython.int) -> cython.longlong:
    """The number that so many digits make, or -1."""
    value: cython.longlong = 0
    i: cython.int
    c: cython.int
    for i in range(count):
        c = p[position + i]
        if not 48 <= c <= 57:
            return -1
        value = value * 10 + (c - 48)
    return value


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _big_endian(p: cython.const[cython.uchar][::1], position: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.longlong:
    value: cython.longlong = 0
    i: cython.Py_ssize_t
    for i in range(count):
        value = value * 256 + p[position + i]
    return value


@cython.cclass
class SyntaxReader:
    """Reads objects out of one buffer.

    null -> None, boolean -> bool, numbers -> int and float, name -> str (its bytes as Latin-1), string -> bytes, array -> list,
    dictionary -> dict without the keys whose value is null, reference -> `reference((number, generation))`.
    """

    data: bytes
    p: cython.const[cython.uchar][::1]
    size: cython.Py_ssize_t
    position: cython.Py_ssize_t
    reference: Any

    def __init__(self, data: bytes, reference: Any) -> None:
        self.data = data
        self.p = data
        self.size = len(data)
        self.position = 0
        self.reference = reference

    def value(self, position: cython.Py_ssize_t) -> Any:
        """The object that starts at `position`, white space before it allowed."""
        self.go_to(position)
        return self.read(0)

    def indirect(self, position: cython.Py_ssize_t, number: cython.longlong, generation: cython.longlong) -> Any:
        """The value of the indirect object whose `number generation obj` stands at `position`.

        Behind it stands `endobj`, or the data of a stream, whose dictionary the value is: see `stream_start`.
        """
        self.go_to(position)
        if self.natural() != number or self.natural() != generation:
            raise NotPlainError("another object stands there")
        self.keyword(b"obj")
        return self.read(0)

    def stream_start(self) -> int:
        """Behind the value of an indirect object: where the data of its stream begin, or -1 where it is none."""
        self.skip_white()
        if self.position < self.size and self.p[self.position] == 115:  # s
            self.keyword(b"stream")
            if self.next_is(13):
                self.position += 1
            if not self.next_is(10):
                raise NotPlainError("no line end where a stream begins")
            return self.position + 1
        self.keyword(b"endobj")
        return -1

    def end_stream(self, position: cython.Py_ssize_t) -> None:
        """Raise unless the data of a stream end at `position`."""
        self.go_to(position)
        self.keyword(b"endstream")
        self.keyword(b"endobj")

    def naturals(self, position: cython.Py_ssize_t, count: cython.Py_ssize_t) -> list[int]:
        """So many integers without a sign, in a row."""
        self.go_to(position)
        return [self.natural() for _ in range(count)]

    # -- tokens ---------------------------------------------------------------------------------

    @cython.cfunc
    @cython.exceptval(-1)
    def go_to(self, position: cython.Py_ssize_t) -> cython.int:
        if position < 0 or position > self.size:
            raise NotPlainError("outside of the file")
        self.position = position
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def next_is(self, character: cython.int) -> cython.bint:
        return bool(self.position < self.size and self.p[self.position] == character)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def at_end_of_token(self) -> cython.bint:
        return bool(self.position >= self.size or CLASSES[self.p[self.position]] != 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def skip_white(self) -> cython.int:
        """Go to the next character that is neither white space nor in a comment, and return it; END where there is none."""
        i: cython.Py_ssize_t = self.position
        n: cython.Py_ssize_t = self.size
        c: cython.int
        while i < n:
            c = self.p[i]
            if c == 37:
                while i < n and self.p[i] != 10 and self.p[i] != 13:
                    i += 1
            elif CLASSES[c] != 1:
                self.position = i
                return c
            else:
                i += 1
        self.position = n
        return END

    @cython.cfunc
    @cython.exceptval(-1)
    def keyword(self, word: bytes) -> cython.int:
        """Read one word, white space before it allowed."""
        letter: cython.uchar
        self.skip_white()
        for letter in word:
            if not self.next_is(letter):
                raise NotPlainError("another word stands there")
            self.position += 1
        if not self.at_end_of_token():
            raise NotPlainError("another word stands there")
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def natural(self) -> cython.longlong:
        """Read an integer without a sign, white space before it allowed."""
        value: cython.longlong = 0
        digits: cython.int = 0
        c: cython.int = self.skip_white()
        while 48 <= c <= 57:
            value = value * 10 + (c - 48)
            digits += 1
            self.position += 1
            c = self.p[self.position] if self.position < self.size else END
        if digits == 0 or digits > MAX_DIGITS or not self.at_end_of_token():
            raise NotPlainError("no integer")
        return value

    @cython.cfunc
    def read(self, depth: cython.int) -> object:
        c: cython.int = self.skip_white()
        if c == 47:
            self.position += 1
            return self.name()
        if 48 <= c <= 57 or c == 45 or c == 46 or c == 43:
            return self.number(c)
        if c == 60:
            self.position += 1
            if self.next_is(60):
                self.position += 1
                return self.dictionary(depth + 1)
            return self.hexadecimal()
        if c == 91:
            self.position += 1
            return self.array(depth + 1)
        if c == 40:
            self.position += 1
            return self.literal()
        if c == 116:
            self.keyword(b"true")
            return True
        if c == 102:
            self.keyword(b"false")
            return False
        self.keyword(b"null")
        return None

    @cython.cfunc
    def dictionary(self, depth: cython.int) -> dict:
        result: dict = {}
        c: cython.int
        if depth > MAX_DEPTH:
            raise NotPlainError("nested too deep")
        while True:
            c = self.skip_white()
            if c == 47:
                self.position += 1
                key = self.name()
                value = self.read(depth)
                # of two equal keys the second counts, as it does for qpdf
                if value is not None:
                    result[key] = value
                elif key in result:
                    del result[key]
                continue
            self.position += 1
            if c != 62 or not self.next_is(62):
                raise NotPlainError("no key in a dictionary")
            self.position += 1
            return result

    @cython.cfunc
    def array(self, depth: cython.int) -> list:
        result: list = []
        if depth > MAX_DEPTH:
            raise NotPlainError("nested too deep")
        while self.skip_white() != 93:
            result.append(self.read(depth))
        self.position += 1
        return result

    @cython.cfunc
    def name(self) -> object:
        start: cython.Py_ssize_t = self.position
        i: cython.Py_ssize_t = start
        n: cython.Py_ssize_t = self.size
        c: cython.int
        escaped: cython.bint = False
        while i < n:
            c = self.p[i]
            if CLASSES[c] != 0:
                break
            if c == 35:
                escaped = True
            i += 1
        self.position = i
        if escaped:
            return self.escaped_name(start)
        return self.data[start:i].decode("latin-1")

    @cython.cfunc
    def escaped_name(self, start: cython.Py_ssize_t) -> object:
        """A name with #xx in it (7.3.5)."""
        letters = bytearray()
        i: cython.Py_ssize_t = start
        c: cython.int
        while i < self.position:
            c = self.p[i]
            i += 1
            if c == 35:
                if i + 2 > self.position or HEX_VALUES[self.p[i]] == 255 or HEX_VALUES[self.p[i + 1]] == 255:
                    raise NotPlainError("no digits behind # in a name")
                c = HEX_VALUES[self.p[i]] * 16 + HEX_VALUES[self.p[i + 1]]
                if c == 0:
                    raise NotPlainError("a NUL in a name")
                i += 2
            letters.append(c)
        return letters.decode("latin-1")

    @cython.cfunc
    def number(self, c: cython.int) -> object:
        """A number, or the reference that it begins (7.3.3 and 7.3.10)."""
        signed: cython.bint = c == 45 or c == 43
        negative: cython.bint = c == 45
        mantissa: cython.longlong = 0
        digits: cython.int = 0
        decimals: cython.int = -1
        i: cython.Py_ssize_t = self.position
        n: cython.Py_ssize_t = self.size
        if signed:
            i += 1
        while i < n:
            c = self.p[i]
            if 48 <= c <= 57:
                if digits == MAX_DIGITS:
                    raise NotPlainError("a number of many digits")
                mantissa = mantissa * 10 + (c - 48)
                digits += 1
                if decimals >= 0:
                    decimals += 1
            elif c == 46 and decimals < 0:
                decimals = 0
            else:
                break
            i += 1
        self.position = i
        if digits == 0 or not self.at_end_of_token():
            raise NotPlainError("no number")
        if decimals >= 0:
            quotient: cython.double = cython.cast(cython.double, mantissa)
            scale: cython.double = POWERS_OF_TEN[decimals]
            quotient = quotient / scale
            return -quotient if negative else quotient
        if not signed and i < n and CLASSES[self.p[i]] == 1:
            generation: cython.longlong = self.rest_of_reference(i)
            if generation >= 0:
                return self.reference((mantissa, generation))
        return -mantissa if negative else mantissa

    @cython.cfunc
    @cython.exceptval(check=False)
    def rest_of_reference(self, i: cython.Py_ssize_t) -> cython.longlong:
        """The generation, and the position behind the R, where ` generation R` stands at `i`; -1 where it does not."""
        generation: cython.longlong = 0
        digits: cython.int = 0
        n: cython.Py_ssize_t = self.size
        while i < n and CLASSES[self.p[i]] == 1:
            i += 1
        while i < n and 48 <= self.p[i] <= 57 and digits < 6:
            generation = generation * 10 + (self.p[i] - 48)
            digits += 1
            i += 1
        if digits == 0 or digits == 6 or i == n or CLASSES[self.p[i]] != 1:
            return -1
        while i < n and CLASSES[self.p[i]] == 1:
            i += 1
        if i == n or self.p[i] != 82 or (i + 1 < n and CLASSES[self.p[i + 1]] == 0):
            return -1
        self.position = i + 1
        return generation

    @cython.cfunc
    def hexadecimal(self) -> bytes:
        """A hexadecimal string from behind its `<` (7.3.4.3)."""
        result = bytearray()
        high: cython.int = -1
        c: cython.int
        while self.position < self.size:
            c = self.p[self.position]
            self.position += 1
            if c == 62:
                if high >= 0:
                    result.append(high * 16)
                return bytes(result)
            if CLASSES[c] == 1:
                continue
            c = HEX_VALUES[c]
            if c == 255:
                break
            if high < 0:
                high = c
            else:
                result.append(high * 16 + c)
                high = -1
        raise NotPlainError("a hexadecimal string does not end")

    @cython.cfunc
    def literal(self) -> bytes:
        """A literal string from behind its parenthesis (7.3.4.2)."""
        start: cython.Py_ssize_t = self.position
        i: cython.Py_ssize_t = start
        n: cython.Py_ssize_t = self.size
        c: cython.int
        while i < n:
            c = self.p[i]
            if c == 41:
                self.position = i + 1
                return self.data[start:i]
            if c == 40 or c == 92 or c == 13:
                return self.escaped_literal(start)
            i += 1
        raise NotPlainError("a string does not end")

    @cython.cfunc
    def escaped_literal(self, start: cython.Py_ssize_t) -> bytes:
        """A literal string with escapes, parentheses or line ends in it."""
        result = bytearray()
        nesting: cython.int = 1
        i: cython.Py_ssize_t = start
        n: cython.Py_ssize_t = self.size
        c: cython.int
        digits: cython.int
        while i < n:
            c = self.p[i]
            i += 1
            if c == 40:
                nesting += 1
            elif c == 41:
                nesting -= 1
                if nesting == 0:
                    self.position = i
                    return bytes(result)
            elif c == 13:
                c = 10  # any end of line within a string counts as one line feed
                if i < n and self.p[i] == 10:
                    i += 1
            elif c == 92 and i < n:
                c = self.p[i]
                i += 1
                if 48 <= c <= 55:
                    c -= 48
                    digits = 1
                    while digits < 3 and i < n and 48 <= self.p[i] <= 55:
                        c = c * 8 + self.p[i] - 48
                        digits += 1
                        i += 1
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
                elif c == 10:
                    continue
                elif c == 13:
                    if i < n and self.p[i] == 10:
                        i += 1
                    continue
            result.append(c)
        raise NotPlainError("a string does not end")
