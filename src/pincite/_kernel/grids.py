# cython: language_level=3
"""What has no columns of text: lines below each other, tables, lettering."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.pincite._kernel.columns import PIECE_FACTS as FACTS
    from cython.cimports.pincite._kernel.corridors import Corridors
else:
    from pincite._kernel.columns import PIECE_FACTS as FACTS
    from pincite._kernel.corridors import Corridors

# Share of steps up and to the left in content order over which a table's own order is no order.
ASTRAY = cython.declare(cython.double, 0.08)
FAR = cython.declare(cython.double, 1e12)


@cython.cclass
class Grids(Corridors):
    """Puts regions without columns in order."""

    @cython.cfunc
    def order_leaf(self, members: list) -> list:
        """A region without columns: from top to bottom, and inside what its content takes together in the order of that."""
        blocks: list = []
        upper: list
        lower: list
        if not self.trusted:
            return self.order_untrusted(members)
        for strip in self.strips(members):
            blocks.append(strip)
            while len(blocks) > 1:
                upper = blocks[len(blocks) - 2]
                lower = blocks[len(blocks) - 1]
                self.budget -= 4 * (len(upper) + len(lower))
                changes: cython.Py_ssize_t = self.changes_between(upper, lower)
                unit: cython.Py_ssize_t = lower[0]
                if changes < 2 or self.budget < 0 or (changes == 2 and self.gap_between(upper, lower) > 1.2 * self.u_em[unit]):
                    break
                blocks.pop()
                blocks[len(blocks) - 1] = upper + lower
        result: list = []
        for block in blocks:
            result += self.order_block(block)
        return result

    @cython.cfunc
    def order_untrusted(self, members: list) -> list:
        """The same where the content says nothing: lines from top to bottom, grids cell by cell."""
        result: list = []
        grid: list = []
        left: cython.double = 0.0
        right: cython.double = 0.0
        bottom: cython.double = 0.0
        for strip in self.strips(members):
            unit: cython.Py_ssize_t = strip[0]
            if len(strip) == 1 and not (
                grid
                and self.u_top[unit] < bottom + 0.8 * self.u_em[unit]
                and self.u_right[unit] - self.u_left[unit] < 0.6 * (right - left)
            ):
                if grid:
                    result += self.cell_by_cell(grid)
                    grid = []
                result.append(unit)
                continue
            if not grid:
                left = bottom = FAR
                right = bottom = -FAR
            for member in strip:
                unit = member
                left = min(left, self.u_left[unit])
                right = max(right, self.u_right[unit])
                bottom = max(bottom, self.u_bottom[unit])
                grid.append(unit)
        if grid:
            result += self.cell_by_cell(grid)
        return result

    @cython.cfunc
    def order_block(self, members: list) -> list:
        rows: list = self.rows(members)
        if len(rows) == len(members):
            return [row[0] for row in rows]
        if self.are_fields(members):
            return self.order_fields(members)
        if self.steps_astray(members) < ASTRAY:
            return self.in_content_order(members)
        pieces: list = self.parted(members)
        across: list = [unit for row in self.rows(pieces) for unit in row]
        best: list = across
        agreement: cython.Py_ssize_t = -1
        cells: list = self.cell_by_cell(pieces)
        for attempt in (cells, across, [unit for group in self.side_by_side(pieces) for row in self.rows(group) for unit in row]):
            agreeing: cython.Py_ssize_t = self.agreement(attempt)
            if agreeing > agreement:
                agreement = agreeing
                best = attempt
        return best

    @cython.cfunc
    def are_fields(self, members: list) -> cython.bint:
        """Whether rows of two or more stand so far apart that no text goes on from one to the next: a form, a table."""
        rows: list = self.rows(members)
        n: cython.Py_ssize_t = len(rows)
        if n < 3:
            return False
        several: cython.Py_ssize_t = 0
        loose: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        a: cython.Py_ssize_t
        b: cython.Py_ssize_t
        for k in range(n):
            several += len(rows[k]) > 1
            if k + 1 < n:
                a = rows[k][0]
                b = rows[k + 1][0]
                loose += self.u_down[b] - self.u_down[a] > 1.5 * max(self.u_em[a], self.u_em[b])
        return several >= 0.6 * n and loose >= 0.9 * (n - 1)

    @cython.cfunc
    def order_fields(self, members: list) -> list:
        """Row by row."""
        return [unit for row in self.rows(members) for unit in row]

    @cython.cfunc
    def agreement(self, members: list) -> cython.Py_ssize_t:
        """How many neighbours follow each other in the content too."""
        ranks: dict = {member: rank for rank, member in enumerate(self.in_content_order(members))}
        count: cython.Py_ssize_t = 0
        k: cython.Py_ssize_t
        for k in range(len(members) - 1):
            count += ranks[members[k + 1]] == ranks[members[k]] + 1
        return count

    @cython.cfunc
    def side_by_side(self, members: list) -> list:
        """Groups from left to right, with white between them over their whole height."""
        result: list = []
        group: list = []
        end: cython.double = 0.0
        for member in self.by_left(members):
            unit: cython.Py_ssize_t = member
            if group and self.u_left[unit] < end + 0.3 * self.u_em[unit]:
                group.append(unit)
                end = max(end, self.u_right[unit])
            else:
                group = [unit]
                result.append(group)
                end = self.u_right[unit]
        return result

    @cython.cfunc
    def cell_by_cell(self, members: list) -> list:
        """The rows of a table, told by their wider gaps, each from left to right and its cells from top to bottom."""
        result: list = []
        for band in self.bands(members):
            for group in self.side_by_side(band):
                for row in self.rows(group):
                    result += row
        return result

    @cython.cfunc
    def bands(self, members: list) -> list:
        """Rows of cells: the strips, with those that gaps of the lesser kind part together where there are two kinds."""
        strips: list = self.strips(members)
        n: cython.Py_ssize_t = len(strips)
        if n < 3:
            return strips
        k: cython.Py_ssize_t
        gaps: list = [self.gap_between(strips[k], strips[k + 1]) for k in range(n - 1)]
        ordered: list = sorted(gaps)
        em: cython.double = self.usual_em(members)
        widest: cython.double = 0.2 * em
        step: cython.double
        for k in range(n - 2):
            step = cython.cast(cython.double, ordered[k + 1]) - cython.cast(cython.double, ordered[k])
            widest = max(widest, step)
        if widest <= 0.2 * em:
            return strips
        limit: cython.double = 0.0
        for k in range(n - 2):
            step = cython.cast(cython.double, ordered[k + 1]) - cython.cast(cython.double, ordered[k])
            if step > 0.2 * em and step > 0.5 * widest:
                limit = 0.5 * (cython.cast(cython.double, ordered[k + 1]) + cython.cast(cython.double, ordered[k]))
                break
        result: list = [strips[0]]
        for k in range(n - 1):
            if cython.cast(cython.double, gaps[k]) > limit:
                result.append(strips[k + 1])
            else:
                result[len(result) - 1] = result[len(result) - 1] + strips[k + 1]
        return result

    @cython.cfunc
    def wrapped_cells(self, pieces: list) -> list:
        """The cells one by one of a table that is drawn row by row though its cells have several lines; empty for any other.

        It has rows of lines that wider gaps part, of which each starts in several columns; and the cells of a row differ in
        their numbers of lines, which lines of figures that spacing groups do not.
        """
        strips: list = self.strips(pieces)
        bands: list = self.bands(pieces)
        if len(bands) < 3 or len(bands) == len(strips):
            return []
        started: cython.Py_ssize_t = 0
        wrapped: cython.Py_ssize_t = 0
        uneven: cython.Py_ssize_t = 0
        strip: cython.Py_ssize_t = 0
        result: list = []
        for band in bands:
            first: list = strips[strip]
            height: cython.Py_ssize_t = 0
            seen: cython.Py_ssize_t = 0
            while seen < len(band):
                seen += len(strips[strip])
                strip += 1
                height += 1
            started += len(first) > 1
            least: cython.Py_ssize_t = height
            most: cython.Py_ssize_t = 0
            widest: cython.double = 0.0
            groups: list = self.side_by_side(band)
            for group in groups:
                rows: list = self.rows(group)
                least = min(least, len(rows))
                most = max(most, len(rows))
                if len(rows) > 1:
                    self.measure(rows)
                    widest = max(widest, self.line_width)
                for row in rows:
                    result += row
            if height > 1:
                wrapped += widest > 12.0
                uneven += least < most
        if wrapped < 2 or 2 * uneven < wrapped or started < 0.7 * len(bands):
            return []
        return self.joined_in_order(result)

    @cython.cfunc
    def joined_in_order(self, members: list) -> list:
        """The same with pieces of a line in one unit where they still follow each other."""
        result: list = []
        for member in members:
            unit: cython.Py_ssize_t = member
            if result:
                before: cython.Py_ssize_t = result[len(result) - 1]
                a: cython.Py_ssize_t = self.first[before]
                b: cython.Py_ssize_t = self.first[unit]
                if self.last[before] == b and self.facts[FACTS * a + 2] == self.facts[FACTS * b + 2]:
                    result[len(result) - 1] = self.add_unit(a, self.last[unit])
                    continue
            result.append(unit)
        return result
