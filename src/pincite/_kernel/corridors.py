# cython: language_level=3
"""White corridors between units, and whether what stands on their two sides are columns of text."""

from __future__ import annotations

from array import array

import cython

from pincite._kernel.arrays import doubles, ints

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.pincite._kernel.columns import PIECE_FACTS as FACTS
    from cython.cimports.pincite._kernel.units import Units
else:
    from math import fabs

    from pincite._kernel.columns import PIECE_FACTS as FACTS
    from pincite._kernel.units import Units

# The least width of the white between two columns.
GUTTER = cython.declare(cython.double, 0.6)
# Columns whose lines are drawn across have at least so many rows.
MIN_ROWS = cython.declare(cython.Py_ssize_t, 4)
# The least number of glyphs in a column of text.
MIN_GLYPHS = cython.declare(cython.longlong, 30)
FAR = cython.declare(cython.double, 1e12)


@cython.cclass
class Corridors(Units):
    """Finds the best corridor of a region; its answers stand in attributes, see corridors.pxd."""

    @cython.cfunc
    def find_corridor(self, strips: list, em: cython.double) -> cython.bint:
        """Find the white corridor through consecutive strips with the most text on its lesser side.

        Sets best_start, best_end, best_x, best_left and best_right. GUTTER is the least width of a corridor.
        """
        k: cython.Py_ssize_t = len(strips)
        flat_object = array("i", [unit for strip in strips for unit in strip])
        flat: cython.int[::1] = flat_object
        starts: cython.int[::1] = ints(k + 1)
        low: cython.double[::1] = doubles(k + 1)
        high: cython.double[::1] = doubles(k + 1)
        s: cython.Py_ssize_t
        p: cython.Py_ssize_t
        position: cython.Py_ssize_t = 0
        unit: cython.Py_ssize_t
        for s in range(k):
            starts[s] = cython.cast(cython.int, position)
            low[s] = FAR
            high[s] = -FAR
            for p in range(position, position + cython.cast(cython.Py_ssize_t, len(strips[s]))):
                unit = flat[p]
                low[s] = min(low[s], self.u_left[unit])
                high[s] = max(high[s], self.u_right[unit])
            position += len(strips[s])
        starts[k] = cython.cast(cython.int, position)
        self.best_start = self.best_end = 0
        best: cython.double = 0.0
        score: cython.double
        previous: cython.double = -FAR
        x: cython.double
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        free: cython.bint
        tolerance: cython.double = 0.1 * em
        far: cython.double = GUTTER * em
        for candidate in sorted([self.u_right[cython.cast(cython.Py_ssize_t, member)] for member in flat_object]):
            x = candidate
            if x < previous + tolerance:
                continue
            previous = x
            x += tolerance
            self.budget -= k
            if self.budget < 0:
                break
            i = 0
            while i < k:
                j = i
                while j < k:
                    free = True
                    if low[j] < x + far and high[j] > x:
                        for p in range(starts[j], starts[j + 1]):
                            unit = flat[p]
                            if self.u_right[unit] > x and self.u_left[unit] < x + far:
                                free = False
                                break
                    if not free:
                        break
                    j += 1
                if j > i and self.worth(flat, starts[i], starts[j], x, em) > best:
                    self.trim(strips, i, j, x, em)
                    score = self.worth(flat, starts[self.trim_start], starts[self.trim_end], x, em)
                    if score > best:
                        best = score
                        self.best_start = self.trim_start
                        self.best_end = self.trim_end
                        self.best_x = x
                i = j + 1
        if self.best_end == 0:
            return False
        self.best_left = []
        self.best_right = []
        for strip in strips[self.best_start : self.best_end]:
            for member in strip:
                unit = member
                if self.u_right[unit] <= self.best_x:
                    self.best_left.append(unit)
                else:
                    self.best_right.append(unit)
        return True

    @cython.cfunc
    def worth(
        self, flat: cython.int[::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t, x: cython.double, em: cython.double
    ) -> cython.double:
        """What a corridor at x is worth: the glyphs of flat[start:end] on its sides, mostly the lesser one, and its width."""
        left: cython.longlong = 0
        right: cython.longlong = 0
        low: cython.double = FAR
        high: cython.double = -FAR
        p: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for p in range(start, end):
            unit = flat[p]
            if self.u_right[unit] <= x:
                left += self.u_weight[unit]
                if self.u_right[unit] > high:
                    high = self.u_right[unit]
            else:
                right += self.u_weight[unit]
                if self.u_left[unit] < low:
                    low = self.u_left[unit]
        self.budget -= (end - start) // 8
        if min(left, right) <= MIN_GLYPHS:
            return 0.0
        return min(left, right) * (4.0 + min(1.0, (low - high) / (1.5 * em))) + 0.3 * max(left, right)

    @cython.cfunc
    def trim(self, strips: list, start: cython.Py_ssize_t, end: cython.Py_ssize_t, x: cython.double, em: cython.double):
        """Leave out at both ends of a corridor what stands apart from its columns: heads, feet, headings across.

        Sets trim_start and trim_end.
        """
        k: cython.Py_ssize_t = end - start
        sides: cython.double[::1] = doubles(4 * (k + 1))
        s: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        side: cython.Py_ssize_t
        self.budget -= 4 * k
        for s in range(k):
            sides[4 * s] = sides[4 * s + 2] = FAR
            sides[4 * s + 1] = sides[4 * s + 3] = -FAR
            for member in strips[start + s]:
                unit = member
                side = 4 * s if self.u_right[unit] <= x else 4 * s + 2
                sides[side] = min(sides[side], self.u_top[unit])
                sides[side + 1] = max(sides[side + 1], self.u_bottom[unit])
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t = k
        has_left: cython.bint
        has_right: cython.bint
        gap: cython.double
        most: cython.double
        size: cython.double
        while j - i > 1:
            s = j - 1
            has_left = sides[4 * s] < FAR
            has_right = sides[4 * s + 2] < FAR
            if has_left and not has_right:
                gap = self.end_gap(sides, i, j, 0)
                most = self.most_gap(sides, i, j - 1, 0)
                unit = strips[start + s][0]
                size = fabs(self.u_em[unit] - em)
                if gap > max(1.3 * em, 1.2 * most) or (size > 0.12 * em and gap > 0.6 * em):
                    j -= 1
                    continue
            elif has_left and j - i > 3:
                gap = min(self.end_gap(sides, i, j, 0), self.end_gap(sides, i, j, 2))
                most = max(self.most_gap(sides, i, j - 1, 0), self.most_gap(sides, i, j - 1, 2))
                if gap < FAR and gap > max(1.3 * em, 1.2 * most):
                    j -= 1
                    continue
            s = i
            has_left = sides[4 * s] < FAR
            has_right = sides[4 * s + 2] < FAR
            if has_right and not has_left:
                gap = self.start_gap(sides, i, j, 2)
                most = self.most_gap(sides, i + 1, j, 2)
                if gap > max(1.3 * em, 1.2 * most):
                    i += 1
                    continue
            elif has_right and j - i > 3:
                gap = min(self.start_gap(sides, i, j, 0), self.start_gap(sides, i, j, 2))
                most = max(self.most_gap(sides, i + 1, j, 0), self.most_gap(sides, i + 1, j, 2))
                if gap < FAR and gap > max(1.3 * em, 1.2 * most):
                    i += 1
                    continue
            break
        self.trim_start = self.nearer_above(strips, start, start + i, start + j)
        self.trim_end = self.nearer_below(strips, end, self.trim_start, start + j)

    @cython.cfunc
    def nearer_below(
        self, strips: list, cut: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The end of a corridor without the last few strips that belong to what crosses it below."""
        if end != cut or end >= len(strips):
            return end
        after: cython.double = max(0.0, self.gap_between(strips[end - 1], strips[end]))
        k: cython.Py_ssize_t = end - 1
        gap: cython.double
        while k > start + 1 and k > end - 6:
            gap = self.gap_between(strips[k - 1], strips[k])
            unit: cython.Py_ssize_t = strips[k][0]
            if gap > 1.2 * self.u_em[unit] and gap > 2.0 * after:
                return k
            after = max(after, gap)
            k -= 1
        return end

    @cython.cfunc
    def nearer_above(
        self, strips: list, cut: cython.Py_ssize_t, start: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The start of a corridor without the first few strips that belong to what crosses it above."""
        if start != cut or start == 0:
            return start
        before: cython.double = max(0.0, self.gap_between(strips[start - 1], strips[start]))
        k: cython.Py_ssize_t = start
        gap: cython.double
        while k < end - 2 and k < start + 5:
            gap = self.gap_between(strips[k], strips[k + 1])
            unit: cython.Py_ssize_t = strips[k][0]
            if gap > 1.2 * self.u_em[unit] and gap > 2.0 * before:
                return k + 1
            before = max(before, gap)
            k += 1
        return start

    @cython.cfunc
    def end_gap(
        self, sides: cython.double[::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, side: cython.Py_ssize_t
    ) -> cython.double:
        """The white above the last strip on one side; FAR where it stands alone there."""
        s: cython.Py_ssize_t = j - 2
        while s >= i:
            if sides[4 * s + side] < FAR:
                return sides[4 * (j - 1) + side] - sides[4 * s + side + 1]
            s -= 1
        return FAR

    @cython.cfunc
    def start_gap(
        self, sides: cython.double[::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, side: cython.Py_ssize_t
    ) -> cython.double:
        """The white below the first strip on one side; FAR where it stands alone there."""
        s: cython.Py_ssize_t = i + 1
        while s < j:
            if sides[4 * s + side] < FAR:
                return sides[4 * s + side] - sides[4 * i + side + 1]
            s += 1
        return FAR

    @cython.cfunc
    def most_gap(
        self, sides: cython.double[::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t, side: cython.Py_ssize_t
    ) -> cython.double:
        """The most white between two lines on one side."""
        s: cython.Py_ssize_t
        most: cython.double = 0.0
        bottom: cython.double = FAR
        self.budget -= j - i
        for s in range(i, j):
            if sides[4 * s + side] < FAR:
                if bottom < FAR:
                    most = max(most, sides[4 * s + side] - bottom)
                bottom = sides[4 * s + side + 1]
        return most

    @cython.cfunc
    def rows_across(self, strips: list, x: cython.double) -> cython.Py_ssize_t:
        """The number of strips with something on both sides of x."""
        count: cython.Py_ssize_t = 0
        for strip in strips:
            sides: cython.int = 0
            for member in strip:
                unit: cython.Py_ssize_t = member
                sides |= 1 if self.u_left[unit] < x else 2
            count += sides == 3
        return count

    @cython.cfunc
    def are_columns(self, left: list, right: list) -> cython.bint:
        """Whether what stands on the two sides of a corridor are columns of text, to be read one after the other."""
        unit: cython.Py_ssize_t
        if not self.parts_together(left, right):
            return False
        # drawn one after the other
        last: cython.int = -1
        for member in left:
            unit = member
            last = max(last, self.first[unit])
        if self.trusted:
            for member in right:
                unit = member
                if self.first[unit] <= last:
                    break
            else:
                return True
        left_rows: list = self.rows(left)
        right_rows: list = self.rows(right)
        if min(len(left_rows), len(right_rows)) < 2:
            return False
        self.measure(left_rows)
        width: cython.double = self.line_width
        filled: cython.double = self.line_filled
        inked: cython.double = self.line_inked
        em: cython.double = self.usual_em(left)
        self.measure(right_rows)
        if min(width, self.line_width) < 6.0 or self.share_gaps(left, right, em):
            return False
        filled = min(filled, self.line_filled)
        inked = min(inked, self.line_inked)
        if min(len(left_rows), len(right_rows)) >= 3 and filled > 0.6 and inked > 0.75:
            return True
        aligned: cython.Py_ssize_t = 0
        for row in right_rows:
            unit = row[0]
            for other in left_rows:
                if fabs(self.u_down[cython.cast(cython.Py_ssize_t, other[0])] - self.u_down[unit]) < 0.25 * em:
                    aligned += 1
                    break
        return aligned < 0.6 * len(right_rows)

    @cython.cfunc
    def parts_together(self, left: list, right: list) -> cython.bint:
        """Whether the lines that a corridor parts, if they are many, go on at one place behind it: else it is a river in text."""
        ends: dict = {}
        unit: cython.Py_ssize_t
        lines: set = set()
        for member in left:
            unit = member
            lines.add(self.facts[FACTS * self.first[unit] + 2])
        others: set = set()
        for member in right:
            unit = member
            line = self.facts[FACTS * self.first[unit] + 2]
            others.add(line)
            if line in lines:
                ends[line] = min(ends.get(line, FAR), self.u_left[unit])
        if 2 * len(ends) < len(lines) or 2 * len(ends) < len(others):
            return True
        places: list = sorted(ends.values())
        n: cython.Py_ssize_t = len(places)
        if n < MIN_ROWS:
            return False
        unit = right[0]
        reach: cython.double = 0.2 * self.u_em[unit]
        most: cython.Py_ssize_t = 0
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t = 0
        for i in range(n):
            while cython.cast(cython.double, places[j]) < cython.cast(cython.double, places[i]) - reach:
                j += 1
            most = max(most, i - j + 1)
        return most >= 0.7 * n

    @cython.cfunc
    def measure(self, rows: list):
        """Set line_width (the median, em), line_filled (share of the column's width), line_inked (share of the lines' own)."""
        low: cython.double = FAR
        high: cython.double = -FAR
        ink: cython.double = 0.0
        total: cython.double = 0.0
        widths: list = []
        sizes: list = []
        unit: cython.Py_ssize_t
        for row in rows:
            start: cython.double = FAR
            end: cython.double = -FAR
            for member in row:
                unit = member
                start = min(start, self.u_left[unit])
                end = max(end, self.u_right[unit])
                ink += self.u_right[unit] - self.u_left[unit]
            unit = row[0]
            sizes.append(self.u_em[unit])
            widths.append(end - start)
            total += end - start
            low = min(low, start)
            high = max(high, end)
        widths.sort()
        sizes.sort()
        em: cython.double = sizes[len(sizes) // 2]
        self.line_width = cython.cast(cython.double, widths[len(widths) // 2]) / em if em > 0.0 else 0.0
        self.line_filled = total / ((high - low) * len(rows)) if high > low else 1.0
        self.line_inked = ink / total if total > 0.0 else 1.0

    @cython.cfunc
    def share_gaps(self, left: list, right: list, em: cython.double) -> cython.bint:
        """Whether the lines after wide gaps start at one height in both columns: rows of a table."""
        starts: list = self.after_gaps(left, em)
        others: list = self.after_gaps(right, em)
        common: cython.Py_ssize_t = 0
        reach: cython.double = 0.25 * em
        for top in starts:
            for other in others:
                if fabs(cython.cast(cython.double, top) - cython.cast(cython.double, other)) < reach:
                    common += 1
                    break
        return common >= 2 and common >= 0.7 * max(len(starts), len(others))

    @cython.cfunc
    def after_gaps(self, members: list, em: cython.double) -> list:
        """The tops of the strips that stand below more white than usual."""
        strips: list = self.strips(members)
        gaps: list = [self.gap_between(strips[k], strips[k + 1]) for k in range(len(strips) - 1)]
        if not gaps:
            return []
        usual: cython.double = sorted(gaps)[len(gaps) // 4]
        limit: cython.double = max(usual, 0.0) + 0.3 * em
        wide: list = [strips[k + 1] for k in range(len(gaps)) if cython.cast(cython.double, gaps[k]) > limit]
        return [min([self.u_top[cython.cast(cython.Py_ssize_t, unit)] for unit in strip]) for strip in wide]
