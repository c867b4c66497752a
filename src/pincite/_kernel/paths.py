# cython: language_level=3
"""What a page paints besides text: its straight lines and rectangles, from the path operators (ISO 32000-2, 8.5).

A `PathRecorder` stands beside a `ContentMachine` where a caller asks for paths, and gets every operator before the machine
does. It appends one row to columns, in user space, for each line or rectangle that is painted:

    places  5 doubles a row: x0, y0, x1, y1; line width
    facts   3 ints a row: kind (the KIND_ constants), colour as 0xRRGGBB or -1 where it can't be told, flags

A line goes from (x0, y0) to (x1, y1), along an axis. A rectangle has x0 <= x1 and y0 <= y1. Of a path with curves or lines at
other angles only the box is kept, besides its straight parts. The width is 0 for all but stroked lines.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel import columns

if cython.compiled:
    from cython.cimports.libc.math import fabs, sqrt
else:
    from math import fabs, sqrt

PLACES = cython.declare(cython.Py_ssize_t, columns.PATH_PLACE_FIELDS)
FACTS = cython.declare(cython.Py_ssize_t, columns.PATH_FACT_FIELDS)
KIND_LINE = cython.declare(cython.int, columns.KIND_LINE)
KIND_RECTANGLE = cython.declare(cython.int, columns.KIND_RECTANGLE)
KIND_EDGE = cython.declare(cython.int, columns.KIND_EDGE)
KIND_IMAGE = cython.declare(cython.int, columns.KIND_IMAGE)
KIND_CURVE = cython.declare(cython.int, columns.KIND_CURVE)
STATE = cython.declare(cython.Py_ssize_t, 3)

# A point this near to an axis-parallel line through its neighbour is on it.
ON_AXIS = cython.declare(cython.double, 0.05)
# A filled shape of straight axis-parallel sides with more corners than this is lettering or a picture.
MOST_CORNERS = cython.declare(cython.Py_ssize_t, 64)
MOST_POINTS = cython.declare(cython.Py_ssize_t, 100_000)


def _grown(old: Any, length: int) -> Any:
    """A longer copy of an array: the old one can't grow while a view of it lives."""
    new = array(old.typecode, old)
    new.frombytes(bytes((length - len(old)) * old.itemsize))
    return new


@cython.cfunc
@cython.exceptval(check=False)
def _channel(value: cython.double) -> cython.int:
    return cython.cast(cython.int, 255.0 * min(max(value, 0.0), 1.0) + 0.5)


@cython.cfunc
@cython.exceptval(check=False)
def _packed(red: cython.double, green: cython.double, blue: cython.double) -> cython.int:
    return _channel(red) * 65536 + _channel(green) * 256 + _channel(blue)


@cython.cclass
class PathRecorder:
    """Records lines and rectangles; the attributes stand in paths.pxd."""

    def __init__(self, max_rows: int = 100_000) -> None:
        """Rows over `max_rows` are dropped: a map or a chart has them, no table."""
        self.max_rows = max_rows
        self.points_object = array("d", bytes(16 * 64))
        self.points = self.points_object
        self.starts_object = array("q", bytes(8 * 16))
        self.starts = self.starts_object
        self.state_object = array("d", bytes(8 * STATE * 8))
        self.state = self.state_object
        self.capacity = 256
        self.places_object = array("d", bytes(8 * PLACES * self.capacity))
        self.places = self.places_object
        self.facts_object = array("i", bytes(4 * FACTS * self.capacity))
        self.facts = self.facts_object
        self.count = 0
        self.flags_now = 0
        self.reset()

    def reset(self) -> None:
        """The graphics state that a page begins with: black lines of one unit, and no path (ISO 32000-2, table 51)."""
        self.point_count = self.subpaths = 0
        self.curved = False
        self.state[0] = 1.0
        self.state[1] = self.state[2] = 0.0

    def columns(self) -> tuple[Any, Any]:
        """(places, facts) as arrays cut to length."""
        return self.places_object[: self.count * PLACES], self.facts_object[: self.count * FACTS]

    def add_image(self, matrix: Any, flags: int) -> None:
        """An image in the unit square under a matrix (8.9.3), where that is an upright rectangle."""
        a: cython.double = matrix[0]
        b: cython.double = matrix[1]
        c: cython.double = matrix[2]
        d: cython.double = matrix[3]
        e: cython.double = matrix[4]
        f: cython.double = matrix[5]
        if fabs(b) + fabs(c) > ON_AXIS and fabs(a) + fabs(d) > ON_AXIS:
            return
        self.flags_now = flags
        self.add(
            e + min(a + c, 0.0), f + min(b + d, 0.0), e + max(a + c, 0.0), f + max(b + d, 0.0), 0.0, KIND_IMAGE, -1
        )

    # -- called by the machine --------------------------------------------------------------------

    @cython.cfunc
    def operate(
        self,
        op: cython.uint,
        values: cython.double[::1],
        n: cython.Py_ssize_t,
        depth: cython.Py_ssize_t,
        a: cython.double,
        b: cython.double,
        c: cython.double,
        d: cython.double,
        e: cython.double,
        f: cython.double,
        flags: cython.int,
    ):
        """One operator with its letters in the bytes of `op`, the first `n` operands in `values`, under a matrix."""
        x: cython.double
        y: cython.double
        w: cython.double
        h: cython.double
        s: cython.Py_ssize_t = STATE * depth
        color: cython.int
        if op == 0x6D or op == 0x6C:  # m l
            if n >= 2:
                x = values[n - 2]
                y = values[n - 1]
                if op == 0x6D or self.subpaths == 0:
                    self.begin_subpath()
                self.point(x * a + y * c + e, x * b + y * d + f)
        elif op == 0x6572:  # re
            if n >= 4:
                x = values[n - 4]
                y = values[n - 3]
                w = values[n - 2]
                h = values[n - 1]
                self.begin_subpath()
                self.point(x * a + y * c + e, x * b + y * d + f)
                self.point((x + w) * a + y * c + e, (x + w) * b + y * d + f)
                self.point((x + w) * a + (y + h) * c + e, (x + w) * b + (y + h) * d + f)
                self.point(x * a + (y + h) * c + e, x * b + (y + h) * d + f)
                self.close()
        elif op == 0x68:  # h
            self.close()
        elif op == 0x63 or op == 0x76 or op == 0x79:  # c v y
            self.curved = True
            if n >= 2 and self.subpaths:
                # the curve itself is no line: what follows starts anew from its end
                x = values[n - 2]
                y = values[n - 1]
                self.begin_subpath()
                self.point(x * a + y * c + e, x * b + y * d + f)
        elif op == 0x71:  # q
            self.enter(depth + 1)
        elif (
            op == 0x53 or op == 0x73 or op == 0x66 or op == 0x46 or op == 0x2A66
            or op == 0x42 or op == 0x2A42 or op == 0x62 or op == 0x2A62
        ):  # S s f F f* B B* b b*  # fmt: skip
            self.flags_now = flags
            self.reach(depth)
            if op == 0x73 or op == 0x62 or op == 0x2A62:
                self.close()
            if op != 0x53 and op != 0x73 and not self.curved:
                self.fill(cython.cast(cython.int, self.state[s + 2]))
            if op != 0x66 and op != 0x46 and op != 0x2A66:
                self.stroke(self.state[s] * sqrt(fabs(a * d - b * c)), cython.cast(cython.int, self.state[s + 1]))
            self.bound()
            self.point_count = self.subpaths = 0
            self.curved = False
        elif op == 0x6E:  # n
            self.point_count = self.subpaths = 0
            self.curved = False
        elif op == 0x77:  # w
            if n >= 1:
                self.reach(depth)
                self.state[s] = fabs(values[n - 1])
        elif op == 0x67 or op == 0x47 or op == 0x6772 or op == 0x4752 or op == 0x6B or op == 0x4B:  # g G rg RG k K
            color = -1
            if (op == 0x67 or op == 0x47) and n >= 1:
                color = _packed(values[n - 1], values[n - 1], values[n - 1])
            elif (op == 0x6772 or op == 0x4752) and n >= 3:
                color = _packed(values[n - 3], values[n - 2], values[n - 1])
            elif n >= 4:
                w = 1.0 - values[n - 1]
                color = _packed((1.0 - values[n - 4]) * w, (1.0 - values[n - 3]) * w, (1.0 - values[n - 2]) * w)
            self.reach(depth)
            self.state[s + (1 if op == 0x47 or op == 0x4752 or op == 0x4B else 2)] = color
        elif op == 0x6373 or op == 0x6E6373 or op == 0x4353 or op == 0x4E4353:  # sc scn SC SCN
            # what one number means depends on the colour space; three and four are nearly always RGB and CMYK
            color = -1
            if n == 3:
                color = _packed(values[0], values[1], values[2])
            elif n == 4:
                w = 1.0 - values[3]
                color = _packed((1.0 - values[0]) * w, (1.0 - values[1]) * w, (1.0 - values[2]) * w)
            self.reach(depth)
            self.state[s + (1 if op == 0x4353 or op == 0x4E4353 else 2)] = color
        elif op == 0x7363 or op == 0x5343:  # cs CS
            self.reach(depth)
            self.state[s + (1 if op == 0x5343 else 2)] = 0.0

    @cython.cfunc
    def enter(self, depth: cython.Py_ssize_t):
        """The graphics state stack has grown to `depth`: the state there is that of below."""
        i: cython.Py_ssize_t
        self.reach(depth)
        for i in range(STATE * depth, STATE * depth + STATE):
            self.state[i] = self.state[i - STATE]

    @cython.cfunc
    def clip(self, first: cython.Py_ssize_t, frame: tuple, bbox: object):
        """Cut the rows from `first` on to `bbox` in the space of `frame`, where that is an upright rectangle."""
        a: cython.double = frame[0]
        b: cython.double = frame[1]
        c: cython.double = frame[2]
        d: cython.double = frame[3]
        if fabs(b) + fabs(c) > 1e-6 and fabs(a) + fabs(d) > 1e-6:
            return
        x0: cython.double = bbox[0] * a + bbox[1] * c + frame[4]
        y0: cython.double = bbox[0] * b + bbox[1] * d + frame[5]
        x1: cython.double = bbox[2] * a + bbox[3] * c + frame[4]
        y1: cython.double = bbox[2] * b + bbox[3] * d + frame[5]
        left: cython.double = min(x0, x1) - ON_AXIS
        right: cython.double = max(x0, x1) + ON_AXIS
        bottom: cython.double = min(y0, y1) - ON_AXIS
        top: cython.double = max(y0, y1) + ON_AXIS
        row: cython.Py_ssize_t
        kept: cython.Py_ssize_t = first
        p: cython.Py_ssize_t
        i: cython.Py_ssize_t
        for row in range(first, self.count):
            p = PLACES * row
            x0 = min(max(self.places[p], left), right)
            y0 = min(max(self.places[p + 1], bottom), top)
            x1 = min(max(self.places[p + 2], left), right)
            y1 = min(max(self.places[p + 3], bottom), top)
            # outside, whole or in its length
            if (x0 == x1 and self.places[p] != self.places[p + 2]) or (y0 == y1 and self.places[p + 1] != self.places[p + 3]):
                continue
            if (x0 == x1 and x0 != self.places[p]) or (y0 == y1 and y0 != self.places[p + 1]):
                continue
            i = PLACES * kept
            self.places[i] = x0
            self.places[i + 1] = y0
            self.places[i + 2] = x1
            self.places[i + 3] = y1
            self.places[i + 4] = self.places[p + 4]
            for i in range(FACTS):
                self.facts[FACTS * kept + i] = self.facts[FACTS * row + i]
            kept += 1
        self.count = kept

    # -- paths ------------------------------------------------------------------------------------

    @cython.cfunc
    def reach(self, depth: cython.Py_ssize_t):
        need: cython.Py_ssize_t = STATE * (depth + 1)
        if need > len(self.state_object):
            self.state_object = _grown(self.state_object, 2 * need)
            self.state = self.state_object

    @cython.cfunc
    def point(self, x: cython.double, y: cython.double):
        n: cython.Py_ssize_t = 2 * self.point_count
        if self.point_count >= MOST_POINTS:
            return
        if n + 2 > len(self.points_object):
            self.points_object = _grown(self.points_object, 2 * n)
            self.points = self.points_object
        self.points[n] = x
        self.points[n + 1] = y
        self.point_count += 1

    @cython.cfunc
    def begin_subpath(self):
        if self.subpaths == len(self.starts_object):
            self.starts_object = _grown(self.starts_object, 2 * self.subpaths)
            self.starts = self.starts_object
        self.starts[self.subpaths] = self.point_count
        self.subpaths += 1

    @cython.cfunc
    def close(self):
        """h: back to the subpath's first point, from which a new one may go on."""
        if self.subpaths == 0:
            return
        first: cython.Py_ssize_t = 2 * self.starts[self.subpaths - 1]
        if 2 * self.point_count <= first + 2 or self.point_count >= MOST_POINTS:
            return
        x: cython.double = self.points[first]
        y: cython.double = self.points[first + 1]
        self.point(x, y)
        self.begin_subpath()
        self.point(x, y)

    @cython.cfunc
    def fill(self, color: cython.int):
        """Rectangles as such; of another shape with a few axis-parallel sides, these sides."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        for i in range(self.subpaths):
            first = self.starts[i]
            last = self.starts[i + 1] if i + 1 < self.subpaths else self.point_count
            if last - first < 2:
                continue
            if self.is_rectangle(first, last):
                self.add(
                    min(self.points[2 * first], self.points[2 * first + 4]),
                    min(self.points[2 * first + 1], self.points[2 * first + 5]),
                    max(self.points[2 * first], self.points[2 * first + 4]),
                    max(self.points[2 * first + 1], self.points[2 * first + 5]),
                    0.0,
                    KIND_RECTANGLE,
                    color,
                )
            elif 4 < last - first <= MOST_CORNERS:
                for k in range(first, last - 1):
                    self.line(k, k + 1, 0.0, KIND_EDGE, color)

    @cython.cfunc
    def bound(self):
        """Add the box of a path that has curves or lines at an angle."""
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        last: cython.Py_ssize_t
        p: cython.double[::1] = self.points
        slanted: cython.bint = self.curved
        if self.point_count < 2:
            return
        x0: cython.double = p[0]
        x1: cython.double = p[0]
        y0: cython.double = p[1]
        y1: cython.double = p[1]
        for i in range(self.subpaths):
            last = self.starts[i + 1] if i + 1 < self.subpaths else self.point_count
            for k in range(self.starts[i], last):
                if k > self.starts[i]:
                    slanted = slanted or min(fabs(p[2 * k] - p[2 * k - 2]), fabs(p[2 * k + 1] - p[2 * k - 1])) > 1.0
                x0 = min(x0, p[2 * k])
                x1 = max(x1, p[2 * k])
                y0 = min(y0, p[2 * k + 1])
                y1 = max(y1, p[2 * k + 1])
        if slanted:
            self.add(x0, y0, x1, y1, 0.0, KIND_CURVE, -1)

    @cython.cfunc
    def is_rectangle(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.bint:
        """Four corners, a fifth that is the first again, and sides along the axes."""
        p: cython.double[::1] = self.points
        n: cython.Py_ssize_t = 2 * first
        upright: cython.bint
        if last - first == 5:
            if fabs(p[n] - p[n + 8]) > ON_AXIS or fabs(p[n + 1] - p[n + 9]) > ON_AXIS:
                return False
        elif last - first != 4:
            return False
        if fabs(p[n] - p[n + 2]) <= ON_AXIS:
            upright = (
                fabs(p[n + 3] - p[n + 5]) <= ON_AXIS and fabs(p[n + 4] - p[n + 6]) <= ON_AXIS
                and fabs(p[n + 7] - p[n + 1]) <= ON_AXIS
            )  # fmt: skip
        else:
            upright = (
                fabs(p[n + 1] - p[n + 3]) <= ON_AXIS and fabs(p[n + 2] - p[n + 4]) <= ON_AXIS
                and fabs(p[n + 5] - p[n + 7]) <= ON_AXIS and fabs(p[n + 6] - p[n]) <= ON_AXIS
            )  # fmt: skip
        return upright

    @cython.cfunc
    def stroke(self, width: cython.double, color: cython.int):
        i: cython.Py_ssize_t
        k: cython.Py_ssize_t
        last: cython.Py_ssize_t
        for i in range(self.subpaths):
            last = self.starts[i + 1] if i + 1 < self.subpaths else self.point_count
            for k in range(self.starts[i], last - 1):
                self.line(k, k + 1, width, KIND_LINE, color)

    @cython.cfunc
    def line(
        self,
        first: cython.Py_ssize_t,
        second: cython.Py_ssize_t,
        width: cython.double,
        kind: cython.int,
        color: cython.int,
    ):
        """Add the line between two points, where it goes along an axis."""
        x0: cython.double = self.points[2 * first]
        y0: cython.double = self.points[2 * first + 1]
        x1: cython.double = self.points[2 * second]
        y1: cython.double = self.points[2 * second + 1]
        across: cython.double = fabs(x1 - x0)
        up: cython.double = fabs(y1 - y0)
        if min(across, up) <= ON_AXIS + 0.005 * max(across, up):
            self.add(x0, y0, x1, y1, width, kind, color)

    @cython.cfunc
    def add(
        self,
        x0: cython.double,
        y0: cython.double,
        x1: cython.double,
        y1: cython.double,
        width: cython.double,
        kind: cython.int,
        color: cython.int,
    ):
        n: cython.Py_ssize_t = self.count
        if n >= self.max_rows:
            return
        if n == self.capacity:
            self.capacity *= 2
            self.places_object = _grown(self.places_object, PLACES * self.capacity)
            self.places = self.places_object
            self.facts_object = _grown(self.facts_object, FACTS * self.capacity)
            self.facts = self.facts_object
        self.places[PLACES * n] = x0
        self.places[PLACES * n + 1] = y0
        self.places[PLACES * n + 2] = x1
        self.places[PLACES * n + 3] = y1
        self.places[PLACES * n + 4] = width
        self.facts[FACTS * n] = kind
        self.facts[FACTS * n + 1] = color
        self.facts[FACTS * n + 2] = self.flags_now
        self.count = n + 1
