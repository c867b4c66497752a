# cython: language_level=3
"""What the pieces of a page are put in order as: units, with boxes, and what can be asked of a set of them.

Pieces are those of `pincite._kernel.pieces`. A *unit* is what is read in one go: consecutive pieces of a line, which part only
where columns run on both sides of a gap. Sets of units are lists of their numbers.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel.arrays import doubles, ints

if cython.compiled:
    from cython.cimports.libc.math import fabs, floor
    from cython.cimports.pincite._kernel.columns import PIECE_FACTS as FACTS
    from cython.cimports.pincite._kernel.columns import PIECE_NUMBERS as NUMBERS
    from cython.cimports.pincite._kernel.columns import PIECE_VERTICAL as VERTICAL
else:
    from math import fabs, floor

    from pincite._kernel.columns import PIECE_FACTS as FACTS
    from pincite._kernel.columns import PIECE_NUMBERS as NUMBERS
    from pincite._kernel.columns import PIECE_VERTICAL as VERTICAL

# Sizes are rounded to a tenth; a smaller one counts as this.
LEAST_EM = cython.declare(cython.double, 0.05)
# Two baselines nearer than this share of the larger em are one row.
SAME_ROW = cython.declare(cython.double, 0.5)
OVERLAP = cython.declare(cython.double, 0.05)
FAR = cython.declare(cython.double, 1e12)


@cython.cclass
class Units:
    """The pieces of one page, and the units made of them so far."""

    def __init__(self, numbers: Any, facts: Any) -> None:
        """Take what `pieces.cut_lines` gives."""
        n: cython.Py_ssize_t = len(facts) // FACTS
        given: cython.double[::1] = numbers
        self.facts = facts
        self.count = n
        self.left = doubles(n + 1)
        self.right = doubles(n + 1)
        self.down = doubles(n + 1)
        self.em = doubles(n + 1)
        self.top = doubles(n + 1)
        self.bottom = doubles(n + 1)
        i: cython.Py_ssize_t
        for i in range(n):
            self.left[i] = given[NUMBERS * i]
            self.right[i] = given[NUMBERS * i + 1]
            self.down[i] = given[NUMBERS * i + 2]
            self.em[i] = given[NUMBERS * i + 3]
            if self.facts[FACTS * i + 5] & VERTICAL:
                self.top[i] = self.down[i] - 0.5 * self.em[i]
                self.bottom[i] = self.down[i] + 0.5 * self.em[i]
            else:
                # less than the box of a line, so that lines set solid stay apart
                self.top[i] = self.down[i] - 0.65 * self.em[i]
                self.bottom[i] = self.down[i] + 0.15 * self.em[i]
        self.capacity = 0
        self.grow_units(2 * n + 16)
        self.units = 0
        self.budget = 400_000 + 4000 * n
        self.trusted = True

    @cython.cfunc
    def grow_units(self, capacity: cython.Py_ssize_t):
        if self.capacity == 0:
            self.first_object = array("i")
            self.left_object = array("d")
            self.right_object = array("d")
            self.top_object = array("d")
            self.bottom_object = array("d")
            self.down_object = array("d")
            self.em_object = array("d")
            self.weight_object = array("i")
            self.size_object = array("d")
            self.last_object = array("i")
        self.capacity = capacity
        self.first_object = _grown(self.first_object, capacity)
        self.last_object = _grown(self.last_object, capacity)
        self.left_object = _grown(self.left_object, capacity)
        self.right_object = _grown(self.right_object, capacity)
        self.top_object = _grown(self.top_object, capacity)
        self.bottom_object = _grown(self.bottom_object, capacity)
        self.down_object = _grown(self.down_object, capacity)
        self.em_object = _grown(self.em_object, capacity)
        self.weight_object = _grown(self.weight_object, capacity)
        self.size_object = _grown(self.size_object, capacity)
        self.first = self.first_object
        self.last = self.last_object
        self.u_left = self.left_object
        self.u_right = self.right_object
        self.u_top = self.top_object
        self.u_bottom = self.bottom_object
        self.u_down = self.down_object
        self.u_em = self.em_object
        self.u_weight = self.weight_object
        self.u_size = self.size_object
        self.keys = doubles(capacity)
        self.places = ints(capacity)
        self.merged = ints(capacity)
        self.run_ends = ints(capacity)

    @cython.cfunc
    def add_unit(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        unit: cython.Py_ssize_t = self.units
        if unit == self.capacity:
            self.grow_units(2 * self.capacity)
        self.budget -= j - i
        self.units += 1
        self.first[unit] = cython.cast(cython.int, i)
        self.last[unit] = cython.cast(cython.int, j)
        widest: cython.Py_ssize_t = i
        k: cython.Py_ssize_t
        self.u_left[unit] = self.left[i]
        self.u_right[unit] = self.right[i]
        self.u_top[unit] = self.top[i]
        self.u_bottom[unit] = self.bottom[i]
        for k in range(i + 1, j):
            self.u_left[unit] = min(self.u_left[unit], self.left[k])
            self.u_right[unit] = max(self.u_right[unit], self.right[k])
            self.u_top[unit] = min(self.u_top[unit], self.top[k])
            self.u_bottom[unit] = max(self.u_bottom[unit], self.bottom[k])
            if self.right[k] - self.left[k] > self.right[widest] - self.left[widest]:
                widest = k
        self.u_down[unit] = self.down[widest]
        self.u_em[unit] = self.em[widest]
        self.u_size[unit] = _tenths(self.em[widest])
        weight: cython.int = 0
        for k in range(i, j):
            weight += self.facts[FACTS * k + 3]
        self.u_weight[unit] = weight
        return unit

    @cython.cfunc
    def mirror(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t):
        k: cython.Py_ssize_t
        for k in range(i, j):
            self.left[k], self.right[k] = -self.right[k], -self.left[k]

    @cython.cfunc
    def parted(self, members: list) -> list:
        """The same with a unit for each piece."""
        result: list = []
        for member in members:
            unit: cython.Py_ssize_t = member
            if self.last[unit] - self.first[unit] == 1:
                result.append(unit)
            else:
                result += [self.add_unit(k, k + 1) for k in range(self.first[unit], self.last[unit])]
        return result

    @cython.cfunc
    def joined(self, members: list) -> list:
        """The same in content order, with consecutive pieces of a line in one unit."""
        result: list = []
        ordered: list = self.in_content_order(members)
        n: cython.Py_ssize_t = len(ordered)
        i: cython.Py_ssize_t = 0
        while i < n:
            unit: cython.Py_ssize_t = ordered[i]
            a: cython.Py_ssize_t = self.first[unit]
            b: cython.Py_ssize_t = self.last[unit]
            j: cython.Py_ssize_t = i + 1
            while j < n:
                following: cython.Py_ssize_t = ordered[j]
                if self.first[following] != b or self.facts[FACTS * b + 2] != self.facts[FACTS * a + 2]:
                    break
                b = self.last[following]
                j += 1
            result.append(unit if j == i + 1 else self.add_unit(a, b))
            i = j
        return result

    @cython.cfunc
    def in_content_order(self, members: list) -> list:
        """By the first piece."""
        k: cython.Py_ssize_t
        for k in range(len(members)):
            self.keys[k] = self.first[cython.cast(cython.Py_ssize_t, members[k])]
        return self.by_keys(members)

    @cython.cfunc
    def by_top(self, members: list) -> list:
        """From top to bottom."""
        k: cython.Py_ssize_t
        for k in range(len(members)):
            self.keys[k] = self.u_top[cython.cast(cython.Py_ssize_t, members[k])]
        return self.by_keys(members)

    @cython.cfunc
    def by_down(self, members: list) -> list:
        """By the baseline, from top to bottom."""
        k: cython.Py_ssize_t
        for k in range(len(members)):
            self.keys[k] = self.u_down[cython.cast(cython.Py_ssize_t, members[k])]
        return self.by_keys(members)

    @cython.cfunc
    def by_left(self, members: list) -> list:
        """From left to right."""
        k: cython.Py_ssize_t
        for k in range(len(members)):
            self.keys[k] = self.u_left[cython.cast(cython.Py_ssize_t, members[k])]
        return self.by_keys(members)

    @cython.cfunc
    def by_keys(self, members: list) -> list:
        """The members by `keys`, which has one for each of them."""
        n: cython.Py_ssize_t = len(members)
        if self.sort(n):
            return members[:]
        return [members[self.places[k]] for k in range(n)]

    @cython.cfunc
    def sort(self, n: cython.Py_ssize_t) -> cython.bint:
        """Put the numbers 0..n-1 into `places` by their `keys`; whether they stood in order. Equal keys stay as they are.

        What is sorted here is drawn column by column or row by row, so it is made of few runs in order, which are merged.
        """
        runs: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(n):
            self.places[k] = cython.cast(cython.int, k)
            if k and self.keys[k] < self.keys[k - 1]:
                self.run_ends[runs] = cython.cast(cython.int, k)
                runs += 1
        if runs == 0:
            return True
        self.run_ends[runs] = cython.cast(cython.int, n)
        runs += 1
        while runs > 1:
            self.merge_runs(runs)
            runs = (runs + 1) // 2
        return False

    @cython.cfunc
    def merge_runs(self, runs: cython.Py_ssize_t):
        """Merge each two neighbouring runs of `places`, and halve their number in `run_ends`."""
        start: cython.Py_ssize_t = 0
        run: cython.Py_ssize_t = 0
        written: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        middle: cython.Py_ssize_t
        end: cython.Py_ssize_t = 0
        while run < runs:
            middle = self.run_ends[run]
            end = self.run_ends[run + 1] if run + 1 < runs else middle
            i = start
            j = middle
            while i < middle or j < end:
                if j == end or (i < middle and self.keys[self.places[i]] <= self.keys[self.places[j]]):
                    self.merged[written] = self.places[i]
                    i += 1
                else:
                    self.merged[written] = self.places[j]
                    j += 1
                written += 1
            self.run_ends[run // 2] = cython.cast(cython.int, end)
            start = end
            run += 2
        self.places, self.merged = self.merged, self.places

    @cython.cfunc
    def usual_em(self, members: list) -> cython.double:
        """The em that most glyphs have, rounded; never 0, by which white is divided."""
        weights: dict = {}
        size: cython.double = 0.0
        weight: cython.longlong = -1
        # neighbours mostly have the same size, so that there is little to look up
        for member in members:
            unit: cython.Py_ssize_t = member
            if weight < 0 or self.u_size[unit] != size:
                if weight >= 0:
                    weights[size] = weights.get(size, 0) + weight
                size = self.u_size[unit]
                weight = 0
            weight += self.u_weight[unit]
        weights[size] = weights.get(size, 0) + weight
        usual: cython.double = max(weights, key=weights.__getitem__)
        return max(usual, LEAST_EM)

    @cython.cfunc
    def weight_of(self, members: list) -> cython.longlong:
        """The number of visible glyphs."""
        weight: cython.longlong = 0
        for member in members:
            unit: cython.Py_ssize_t = member
            weight += self.u_weight[unit]
        return weight

    @cython.cfunc
    def strips(self, members: list) -> list:
        """From top to bottom, what stands beside each other together."""
        self.budget -= 4 * len(members)
        result: list = []
        strip: list = []
        bottom: cython.double = 0.0
        for member in self.by_top(members):
            unit: cython.Py_ssize_t = member
            if strip and self.u_top[unit] < bottom - OVERLAP * self.u_em[unit]:
                strip.append(unit)
                if self.u_bottom[unit] > bottom:
                    bottom = self.u_bottom[unit]
            else:
                strip = [unit]
                result.append(strip)
                bottom = self.u_bottom[unit]
        return result

    @cython.cfunc
    def rows(self, members: list) -> list:
        """From top to bottom, what shares a baseline together, from left to right."""
        result: list = []
        row: list = []
        down: cython.double = 0.0
        em: cython.double = 0.0
        for member in self.by_down(members):
            unit: cython.Py_ssize_t = member
            if row and self.u_down[unit] - down < SAME_ROW * max(em, self.u_em[unit]):
                row.append(unit)
                if self.u_em[unit] > em:
                    em = self.u_em[unit]
                    down = self.u_down[unit]
            else:
                row = [unit]
                result.append(row)
                down = self.u_down[unit]
                em = self.u_em[unit]
        for row in result:
            if len(row) > 1:
                row[:] = self.by_left(row)
        return result

    @cython.cfunc
    def gap_between(self, upper: list, lower: list) -> cython.double:
        bottom: cython.double = -FAR
        top: cython.double = FAR
        unit: cython.Py_ssize_t
        for member in upper:
            unit = member
            bottom = max(bottom, self.u_bottom[unit])
        for member in lower:
            unit = member
            top = min(top, self.u_top[unit])
        return top - bottom

    @cython.cfunc
    def steps_astray(self, members: list) -> cython.double:
        """The share of steps in content order that go up and to the left: nobody writes like this."""
        ordered: list = self.in_content_order(members)
        n: cython.Py_ssize_t = len(ordered)
        astray: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        em: cython.double
        for k in range(n - 1):
            a = ordered[k]
            b = ordered[k + 1]
            em = max(self.u_em[a], self.u_em[b])
            if self.u_down[b] < self.u_down[a] - 0.6 * em and self.u_right[b] < self.u_left[a] + 0.3 * em:
                astray += 1
        return astray / max(1.0, n - 1.0)

    @cython.cfunc
    def goes_down(self, members: list, rows: cython.Py_ssize_t) -> cython.bint:
        """Whether units that are drawn one after the other stand one below the other, fewer than `rows` of them with a wide gap.

        Such a region comes apart between any two, and its order is that of the content.
        """
        parted: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t = -1
        top: cython.double = -FAR
        bottom: cython.double = -FAR
        for member in members:
            unit: cython.Py_ssize_t = member
            if self.first[unit] <= before or self.u_top[unit] < max(top, bottom - OVERLAP * self.u_em[unit]):
                return False
            parted += self.last[unit] - self.first[unit] > 1
            if parted >= rows:
                return False
            before = self.first[unit]
            top = self.u_top[unit]
            bottom = self.u_bottom[unit]
        return True

    @cython.cfunc
    def changes_between(self, first: list, second: list) -> cython.Py_ssize_t:
        """How often the content goes over from one set of units to the other."""
        n: cython.Py_ssize_t = len(first)
        total: cython.Py_ssize_t = n + cython.cast(cython.Py_ssize_t, len(second))
        k: cython.Py_ssize_t
        for k in range(n):
            self.keys[k] = self.first[cython.cast(cython.Py_ssize_t, first[k])]
        for k in range(n, total):
            self.keys[k] = self.first[cython.cast(cython.Py_ssize_t, second[k - n])]
        self.sort(total)
        changes: cython.Py_ssize_t = 0
        for k in range(total - 1):
            changes += (self.places[k] < n) != (self.places[k + 1] < n)
        return changes

    @cython.cfunc
    def flows(self, members: list) -> cython.bint:
        """Whether the content order is one at all: often goes on to the next line or along the row, or seldom goes astray."""
        n: cython.Py_ssize_t = len(members)
        if n < 8:
            return True
        flowing: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        em: cython.double
        step: cython.double
        for k in range(n - 1):
            a = members[k]
            b = members[k + 1]
            em = max(self.u_em[a], self.u_em[b])
            step = self.u_down[b] - self.u_down[a]
            if step >= 0.5 * em:
                if step < 3.0 * em and self.u_left[b] < self.u_right[a] and self.u_right[b] > self.u_left[a]:
                    flowing += 1
            elif step > -0.5 * em and self.u_right[b] > self.u_left[a]:
                flowing += 1
        return flowing > 0.25 * (n - 1) or self.steps_astray(members) < 0.1


@cython.cfunc
def _tenths(em: cython.double) -> cython.double:
    """An em to one decimal, as `round` gives it, which takes long."""
    if fabs(em) < 1e6:
        tenths: cython.double = floor(10.0 * em + 0.5)
        # not where the product may have been rounded over the middle between two
        if fabs(10.0 * em - tenths) < 0.499:
            return tenths / 10.0
    result: cython.double = round(em, 1)
    return result


@cython.cfunc
def _grown(old: Any, length: cython.Py_ssize_t) -> Any:
    new = array(old.typecode, old)
    new.frombytes(bytes(old.itemsize * (length - len(old))))
    return new
