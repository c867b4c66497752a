# cython: language_level=3
"""Puts the pieces of a page into the order that a reader reads them in, starting from the order that they are drawn in.

A region of units is taken apart where the content itself goes along with it: what is above another thing and drawn before it,
what is beside another thing and drawn before it. A page that comes apart like this is in order as it stands, unless its lines
run across columns. Elsewhere white space decides: strips that stand apart go from top to bottom, columns that hold running
text one after the other; what is left, as the cells of a table, stays in the order of the content where that makes sense.

All thresholds are in em. Work is bounded by a budget that grows with the number of pieces; what is not reached keeps its order.
"""

from __future__ import annotations

from array import array

import cython

if cython.compiled:
    from cython.cimports.libc.math import fabs
    from cython.cimports.pincite._kernel.columns import PIECE_FACTS as FACTS
    from cython.cimports.pincite._kernel.columns import PIECE_RIGHT_TO_LEFT as RIGHT_TO_LEFT
    from cython.cimports.pincite._kernel.grids import Grids
else:
    from math import fabs

    from pincite._kernel.columns import PIECE_FACTS as FACTS
    from pincite._kernel.columns import PIECE_RIGHT_TO_LEFT as RIGHT_TO_LEFT
    from pincite._kernel.grids import Grids

# Columns whose lines are drawn across have at least so many rows.
MIN_ROWS = cython.declare(cython.Py_ssize_t, 4)
# Few cuts between rows of running text, in a region of so many strips, may be by chance.
FEW_CUTS = cython.declare(cython.Py_ssize_t, 3)
TALL = cython.declare(cython.Py_ssize_t, 20)
MAX_DEPTH = cython.declare(cython.Py_ssize_t, 60)
FAR = cython.declare(cython.double, 1e12)


@cython.cclass
class ReadingOrder(Grids):
    """Finds the order of one page's pieces."""

    def arrange(self) -> list:
        """[first piece, last piece + 1, …] of the units in reading order, or nothing where the content order stands.

        Pieces without a visible glyph are left out.
        """
        drawn: list = []
        groups: dict = {}
        i: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        weight: dict = {}
        rightward: dict = {}
        while i < self.count:
            j = i + 1
            while j < self.count and self.facts[FACTS * j + 2] == self.facts[FACTS * i + 2]:
                j += 1
            if self.facts[FACTS * i + 3] > 0:
                direction = self.facts[FACTS * i + 4]
                seen: cython.Py_ssize_t = 0
                k: cython.Py_ssize_t
                for k in range(i, j):
                    seen += self.facts[FACTS * k + 3]
                groups.setdefault(direction, []).append((i, j))
                drawn.append(i)
                drawn.append(j)
                weight[direction] = weight.get(direction, 0) + seen
                if self.facts[FACTS * i + 5] & RIGHT_TO_LEFT:
                    rightward[direction] = rightward.get(direction, 0) + seen
            i = j
        parts: list = []
        for direction in sorted(groups, key=lambda direction: -weight[direction]):
            ranges: list = groups[direction]
            if 2 * rightward.get(direction, 0) > weight[direction]:
                for i, j in ranges:
                    self.mirror(i, j)
            members: list = [self.add_unit(i, j) for i, j in ranges]
            self.trusted = self.flows(members)
            parts.append(self.order(members, 0))
        if not parts:
            return []
        result: list = parts[0]
        for part in parts[1:]:
            result = self.insert(result, part)
        flat: list = []
        for unit in result:
            i = unit
            flat.append(self.first[i])
            flat.append(self.last[i])
        return flat if flat != drawn else []

    def moved(self, order: list[int]) -> float:
        """The share of visible glyphs that would have to move for the content order to become this one."""
        n: cython.Py_ssize_t = self.count
        # heaviest run of units in content order that ends at a piece, as a tree of prefix maxima
        best: cython.longlong[::1] = array("q", bytes(8 * (n + 1)))
        total: cython.longlong = 0
        kept: cython.longlong = 0
        weight: cython.longlong
        heaviest: cython.longlong
        unit: cython.Py_ssize_t
        k: cython.Py_ssize_t
        for unit in range(len(order) // 2):
            weight = 0
            for k in range(order[2 * unit], order[2 * unit + 1]):
                weight += self.facts[FACTS * k + 3]
            total += weight
            heaviest = 0
            k = order[2 * unit]
            while k > 0:
                heaviest = max(heaviest, best[k])
                k -= k & -k
            heaviest += weight
            kept = max(kept, heaviest)
            k = order[2 * unit] + 1
            while k <= n:
                best[k] = max(best[k], heaviest)
                k += k & -k
        return 1.0 - kept / (1.0 * total) if total else 0.0

    @cython.cfunc
    def insert(self, result: list, part: list) -> list:
        """What runs in another direction, all together, behind the unit drawn before the first of it."""
        start: cython.Py_ssize_t = min([self.first[unit] for unit in part])
        at: cython.Py_ssize_t = 0
        before: cython.Py_ssize_t = -1
        position: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for position in range(len(result)):
            unit = result[position]
            if before < self.first[unit] < start:
                before = self.first[unit]
                at = position + 1
        return result[:at] + part + result[at:]

    @cython.cfunc
    def order(self, members: list, depth: cython.Py_ssize_t) -> list:
        """The units of a region in reading order, some of them parted."""
        n: cython.Py_ssize_t = len(members)
        if n < 2 or (self.trusted and self.goes_down(members, MIN_ROWS)):
            return members
        if depth > MAX_DEPTH or self.budget < 0:
            return self.in_content_order(members)
        strips: list = self.strips(members)
        cut: cython.Py_ssize_t = 0
        if self.trusted and len(strips) > 1:
            segments: list = self.cut_with_content(strips)
            if len(segments) > 1 and len(strips) >= TALL:
                segments = self.mended(segments)
            if len(segments) > 1:
                return self.order_segments(segments, depth)
            cut = self.cut_against_content(strips)
            if cut and len(strips) >= TALL and self.runs_on(strips[cut - 1], strips[cut], self.width_of(members)):
                cut = 0
        beside: list = self.cut_beside(members) if self.trusted else []
        if beside:
            if self.are_fields(members):
                return self.order_fields(members)
            return self.order_columns(beside, depth)
        if cut:
            upper: list = [unit for strip in strips[:cut] for unit in strip]
            lower: list = [unit for strip in strips[cut:] for unit in strip]
            return self.order(upper, depth + 1) + self.order(lower, depth + 1)
        return self.order_by_white(members, depth)

    @cython.cfunc
    def cut_with_content(self, strips: list) -> list:
        """The strips in segments, cut wherever everything above is drawn before everything below."""
        n: cython.Py_ssize_t = len(strips)
        lows: list = [0] * (n + 1)
        low: cython.int = 0x7FFFFFFF
        high: cython.int
        k: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for k in range(n - 1, -1, -1):
            for member in strips[k]:
                unit = member
                low = min(low, self.first[unit])
            lows[k] = low
        lows[n] = 0x7FFFFFFF
        high = -1
        segments: list = []
        segment: list = []
        for k in range(n):
            segment.append(strips[k])
            for member in strips[k]:
                unit = member
                high = max(high, self.first[unit])
            if high < lows[k + 1]:
                segments.append(segment)
                segment = []
        return segments

    @cython.cfunc
    def mended(self, segments: list) -> list:
        """The segments without the cuts that go through a column of running text, with something beside it.

        A few are by chance, or since a box is drawn in the middle of the text; many between rows make a table.
        """
        if max([len(strip) for segment in segments for strip in segment]) == 1:
            return segments
        width: cython.double = self.width_of([unit for segment in segments for strip in segment for unit in strip])
        result: list = [segments[0]]
        rows: cython.Py_ssize_t = 0
        for segment in segments[1:]:
            before: list = result[len(result) - 1]
            upper: list = before[len(before) - 1]
            lower: list = segment[0]
            if self.runs_on(upper, lower, width):
                result[len(result) - 1] = before + segment
                rows += len(upper) > 1 and len(lower) > 1
            else:
                result.append(segment)
        return result if rows <= FEW_CUTS else segments

    @cython.cfunc
    def width_of(self, members: list) -> cython.double:
        """How wide a region is."""
        left: cython.double = FAR
        right: cython.double = -FAR
        for member in members:
            unit: cython.Py_ssize_t = member
            left = min(left, self.u_left[unit])
            right = max(right, self.u_right[unit])
        return right - left

    @cython.cfunc
    def runs_on(self, upper: list, lower: list, width: cython.double) -> cython.bint:
        """Whether a text runs on from one strip to the next that takes only a part of the region's width."""
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        em: cython.double
        for above in upper:
            a = above
            for below in lower:
                b = below
                em = max(self.u_em[a], self.u_em[b])
                if (
                    fabs(self.u_left[a] - self.u_left[b]) < 2.5 * em
                    and max(self.u_right[a], self.u_right[b]) - min(self.u_left[a], self.u_left[b]) < 0.7 * width
                    and self.u_top[b] - self.u_bottom[a] < 0.6 * em
                    and fabs(self.u_em[a] - self.u_em[b]) < 0.04 * em
                ):
                    return True
        return False

    @cython.cfunc
    def cut_against_content(self, strips: list) -> cython.Py_ssize_t:
        """The first position between strips where everything above is drawn after everything below, or 0."""
        n: cython.Py_ssize_t = len(strips)
        highs: list = [0] * (n + 1)
        high: cython.int = -1
        low: cython.int = 0x7FFFFFFF
        k: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for k in range(n - 1, -1, -1):
            for member in strips[k]:
                unit = member
                high = max(high, self.first[unit])
            highs[k] = high
        for k in range(n - 1):
            for member in strips[k]:
                unit = member
                low = min(low, self.first[unit])
            if low > highs[k + 1]:
                return k + 1
        return 0

    @cython.cfunc
    def cut_beside(self, members: list) -> list:
        """The units in segments, cut wherever everything left is drawn before everything right of it; empty without a cut."""
        ordered: list = self.in_content_order(members)
        n: cython.Py_ssize_t = len(ordered)
        lows: list = [0.0] * (n + 1)
        low: cython.double = FAR
        high: cython.double = -FAR
        k: cython.Py_ssize_t
        unit: cython.Py_ssize_t
        for k in range(n - 1, -1, -1):
            unit = ordered[k]
            low = min(low, self.u_left[unit])
            lows[k] = low
        lows[n] = FAR
        segments: list = []
        segment: list = []
        for k in range(n):
            unit = ordered[k]
            segment.append(unit)
            high = max(high, self.u_right[unit])
            if high <= cython.cast(cython.double, lows[k + 1]) + 0.2 * self.u_em[unit]:
                segments.append(segment)
                segment = []
        return segments if len(segments) > 1 else []

    @cython.cfunc
    def order_columns(self, segments: list, depth: cython.Py_ssize_t) -> list:
        """Segments that stand beside each other and are drawn so; notes at the foot that are drawn before all come after all."""
        first: list = segments[0]
        foot: list = self.take_foot(first, segments[1])
        if foot and self.last_drawn(foot) > self.first_drawn(first):
            first += foot
            foot = []
        result: list = []
        for segment in segments:
            result += self.order(segment, depth + 1)
        return result + self.order(foot, depth + 1)

    @cython.cfunc
    def first_drawn(self, members: list) -> cython.int:
        low: cython.int = 0x7FFFFFFF
        for member in members:
            unit: cython.Py_ssize_t = member
            low = min(low, self.first[unit])
        return low

    @cython.cfunc
    def last_drawn(self, members: list) -> cython.int:
        high: cython.int = -1
        for member in members:
            unit: cython.Py_ssize_t = member
            high = max(high, self.first[unit])
        return high

    @cython.cfunc
    def order_segments(self, segments: list, depth: cython.Py_ssize_t) -> list:
        """Segments that stand below each other and are drawn so; rows among them may be lines drawn across columns."""
        result: list = []
        n: cython.Py_ssize_t = len(segments)
        k: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        parted: cython.Py_ssize_t
        while k < n:
            j = k
            parted = 0
            while j < n and len(segments[j]) == 1:
                strip: list = segments[j][0]
                unit: cython.Py_ssize_t = strip[0]
                if len(strip) > 1 or self.last[unit] - self.first[unit] > 1:
                    parted += 1
                j += 1
            if parted >= MIN_ROWS:
                result += self.order_rows([segment[0] for segment in segments[k:j]], depth)
            else:
                for segment in segments[k:j]:
                    result += self.order_row(segment[0], depth)
            if j < n:
                result += self.order([unit for strip in segments[j] for unit in strip], depth + 1)
            k = j + 1
        return result

    @cython.cfunc
    def order_row(self, row: list, depth: cython.Py_ssize_t) -> list:
        """One strip, as its content has it where that goes nowhere up and left."""
        if len(row) == 1:
            return row
        if self.steps_astray(row) == 0.0:
            return self.in_content_order(row)
        return self.order_leaf(row)

    @cython.cfunc
    def order_rows(self, rows: list, depth: cython.Py_ssize_t) -> list:
        """Rows in content order: lines of columns, drawn across them, or else rows of a table."""
        members: list = self.parted([unit for row in rows for unit in row])
        strips: list = self.strips(members)
        if self.find_corridor(strips, self.usual_em(members)):
            left: list = self.best_left
            right: list = self.best_right
            start: cython.Py_ssize_t = self.best_start
            end: cython.Py_ssize_t = self.best_end
            if self.rows_across(strips[start:end], self.best_x) >= MIN_ROWS and self.are_columns(left, right):
                above: list = [unit for strip in strips[:start] for unit in strip]
                below: list = [unit for strip in strips[end:] for unit in strip]
                result: list = self.order(self.joined(above), depth + 1)
                result += self.order(self.joined(left), depth + 1)
                result += self.order(self.joined(right), depth + 1)
                result += self.order(self.joined(below), depth + 1)
                return result
        result = self.wrapped_cells(members)
        if result:
            return result
        for row in rows:
            result += self.order_row(row, depth)
        return result

    @cython.cfunc
    def order_by_white(self, members: list, depth: cython.Py_ssize_t) -> list:
        """A region whose content order goes along with no cut: by the columns that its white space shows, if any."""
        pieces: list = self.parted(members)
        strips: list = self.strips(pieces)
        if self.find_corridor(strips, self.usual_em(pieces)):
            left: list = self.best_left
            right: list = self.best_right
            start: cython.Py_ssize_t = self.best_start
            end: cython.Py_ssize_t = self.best_end
            if self.are_columns(left, right):
                above: list = self.joined([unit for strip in strips[:start] for unit in strip])
                below: list = self.joined([unit for strip in strips[end:] for unit in strip])
                left = self.joined(left)
                foot: list = self.take_foot(left, right)
                result: list = self.order(above, depth + 1)
                result += self.order(left, depth + 1)
                result += self.order(self.joined(right), depth + 1)
                result += self.order(foot, depth + 1)
                result += self.order(below, depth + 1)
                return result
        return self.order_leaf(members)

    @cython.cfunc
    def take_foot(self, left: list, right: list) -> list:
        """Take notes at the foot of the left column out of it: text in a smaller size than that of both columns."""
        strips: list = self.strips(left)
        k: cython.Py_ssize_t = len(strips)
        unit: cython.Py_ssize_t
        em: cython.double = min(self.usual_em(left), self.usual_em(right))
        small: cython.bint = True
        while small and k > 0:
            for member in strips[k - 1]:
                unit = member
                small = small and self.u_em[unit] < 0.93 * em
            if small:
                k -= 1
        if k == 0 or k == len(strips) or self.gap_between(strips[k - 1], strips[k]) < 0.4 * em:
            return []
        foot: list = [unit for strip in strips[k:] for unit in strip]
        if 4 * self.weight_of(foot) > self.weight_of(left):
            return []
        left[:] = [unit for strip in strips[:k] for unit in strip]
        return foot
