# cython: language_level=3
"""Cuts lines of glyphs where they have wide gaps, into pieces that each stand in one column, and puts lines together of pieces.

A piece has PIECE_NUMBERS doubles and PIECE_FACTS ints:

    numbers  start, end along the writing direction; how far down the page its baseline is (across, growing the way lines follow
             each other); em
    facts    first and last + 1 of its entries in the rows that come with it; number of its line; glyphs that are seen;
             direction: quarter turns anticlockwise, or 4 + degrees where it is none, and MIRRORED more for mirror writing;
             PIECE_ flags

Along and across are measured in the frame of the direction, so pieces of different directions can't be compared.
"""

from __future__ import annotations

from array import array
from typing import Any

import cython

from pincite._kernel.arrays import doubles, ints

if cython.compiled:
    from cython.cimports.libc.math import atan2, fabs, floor, sqrt
    from cython.cimports.pincite._kernel.columns import EMPTY, PIECE_FACTS
    from cython.cimports.pincite._kernel.columns import FACT_FIELDS as FACTS
    from cython.cimports.pincite._kernel.columns import PIECE_NUMBERS as NUMBERS
    from cython.cimports.pincite._kernel.columns import PIECE_RIGHT_TO_LEFT as RIGHT_TO_LEFT
    from cython.cimports.pincite._kernel.columns import PIECE_VERTICAL as VERTICAL
    from cython.cimports.pincite._kernel.columns import PLACE_FIELDS as PLACES
    from cython.cimports.pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from cython.cimports.pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS
else:
    from math import atan2, fabs, floor, sqrt

    from pincite._kernel.columns import EMPTY, PIECE_FACTS
    from pincite._kernel.columns import FACT_FIELDS as FACTS
    from pincite._kernel.columns import PIECE_NUMBERS as NUMBERS
    from pincite._kernel.columns import PIECE_RIGHT_TO_LEFT as RIGHT_TO_LEFT
    from pincite._kernel.columns import PIECE_VERTICAL as VERTICAL
    from pincite._kernel.columns import PLACE_FIELDS as PLACES
    from pincite._kernel.columns import RUN_FACT_FIELDS as RUN_FACTS
    from pincite._kernel.columns import RUN_NUMBER_FIELDS as RUN_NUMBERS

MIRRORED = cython.declare(cython.int, 1000)
# A direction this near to a quarter turn (sine) is one.
NEARLY = cython.declare(cython.double, 0.05)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_white(value: cython.int) -> cython.bint:
    if value <= 0x20:
        return value == 0x20 or 9 <= value <= 13
    return value == 0xA0 or value == 0x3000 or 0x2000 <= value <= 0x200B or value == 0x202F or value == 0x205F


def cut_lines(
    places_: Any,
    facts_: Any,
    run_numbers_: Any,
    run_facts_: Any,
    values_: Any,
    rows_: Any,
    lines_: Any,
    right_to_left: bytes,
    gap: float,
) -> tuple[Any, Any, Any]:
    """(numbers, facts, rows): the pieces of lines as `LineBuilder.line_rows` gives them, cut at gaps over `gap` em.

    `rows` are the same glyph rows with those of a piece together: on a line with right-to-left letters they need not have been.
    """
    places: cython.double[::1] = places_
    facts: cython.int[::1] = facts_
    run_numbers: cython.double[::1] = run_numbers_
    run_facts: cython.int[::1] = run_facts_
    values: cython.int[::1] = values_
    rows_object = array("i", rows_)
    rows: cython.int[::1] = rows_object
    lines: cython.int[::1] = lines_
    marks: cython.const[cython.uchar][::1] = right_to_left
    line_count: cython.Py_ssize_t = len(lines_)
    length: cython.Py_ssize_t = len(rows_)
    capacity: cython.Py_ssize_t = 2 * line_count + 64
    numbers_object = doubles(NUMBERS * capacity)
    numbers: cython.double[::1] = numbers_object
    pieces_object = ints(PIECE_FACTS * capacity)
    pieces: cython.int[::1] = pieces_object
    count: cython.Py_ssize_t = 0
    index: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    run: cython.Py_ssize_t
    current: cython.Py_ssize_t
    n: cython.Py_ssize_t
    value: cython.int
    seen: cython.int
    direction: cython.int
    flags: cython.int
    ex: cython.double
    ey: cython.double
    dx: cython.double
    dy: cython.double
    em: cython.double
    unit: cython.double
    turn: cython.double
    widest: cython.double
    run_width: cython.double
    start: cython.double
    end: cython.double
    down: cython.double
    s: cython.double
    e: cython.double
    limit: cython.double = gap
    for index in range(line_count):
        first = lines[index]
        last = lines[index + 1] if index + 1 < line_count else length
        if first == last:
            continue
        run = facts[FACTS * rows[first] + 2]
        dx = run_numbers[RUN_NUMBERS * run]
        dy = run_numbers[RUN_NUMBERS * run + 1]
        unit = sqrt(dx * dx + dy * dy)
        ex = dx / unit if unit > 0.0 else 1.0
        ey = dy / unit if unit > 0.0 else 0.0
        direction = _direction(ex, ey)
        turn = 1.0
        if direction < 4:
            ex = 1.0 if direction == 0 else -1.0 if direction == 2 else 0.0
            ey = 1.0 if direction == 1 else -1.0 if direction == 3 else 0.0
        if not run_facts[RUN_FACTS * run + 2] and (
            ex * run_numbers[RUN_NUMBERS * run + 3] < ey * run_numbers[RUN_NUMBERS * run + 2]
        ):
            turn = -1.0
            direction += MIRRORED
        flags = VERTICAL if run_facts[RUN_FACTS * run + 2] else 0
        if marks[index]:
            flags |= RIGHT_TO_LEFT
            rows_object[first:last] = array(
                "i", _sorted_runs(rows_object[first:last], places_, facts_, run_numbers_, ex, ey, gap)
            )
        run = -1
        seen = 0
        start = end = down = em = widest = run_width = 0.0
        n = first
        for i in range(first, last):
            row = rows[i]
            current = facts[FACTS * row + 2]
            if current != run:
                run = current
                dx = run_numbers[RUN_NUMBERS * run]
                dy = run_numbers[RUN_NUMBERS * run + 1]
                unit = dx * ex + dy * ey
                run_width = 0.0
            value = values[row]
            if _is_white(value):
                continue
            s = places[PLACES * row] * ex + places[PLACES * row + 1] * ey
            e = s + places[PLACES * row + 2] * unit
            if e < s:
                s, e = e, s
            if seen and value > EMPTY and s > end + limit * run_numbers[RUN_NUMBERS * run + 4]:
                if count == capacity:
                    capacity *= 2
                    numbers_object = _longer(numbers_object, NUMBERS * capacity)
                    numbers = numbers_object
                    pieces_object = _longer(pieces_object, PIECE_FACTS * capacity)
                    pieces = pieces_object
                numbers[NUMBERS * count] = start
                numbers[NUMBERS * count + 1] = end
                numbers[NUMBERS * count + 2] = down
                numbers[NUMBERS * count + 3] = em
                pieces[PIECE_FACTS * count] = cython.cast(cython.int, n)
                pieces[PIECE_FACTS * count + 1] = cython.cast(cython.int, i)
                pieces[PIECE_FACTS * count + 2] = cython.cast(cython.int, index)
                pieces[PIECE_FACTS * count + 3] = seen
                pieces[PIECE_FACTS * count + 4] = direction
                pieces[PIECE_FACTS * count + 5] = flags
                count += 1
                n = i
                seen = 0
            if seen == 0:
                start = s
                end = e
                widest = -1.0
                run_width = 0.0
            else:
                if s < start:
                    start = s
                if e > end:
                    end = e
            seen += 1
            # the piece's em and baseline are those of the widest of its runs
            run_width += e - s
            if run_width > widest:
                widest = run_width
                em = run_numbers[RUN_NUMBERS * run + 4]
                down = turn * (places[PLACES * row] * ey - places[PLACES * row + 1] * ex)
        if count == capacity:
            capacity *= 2
            numbers_object = _longer(numbers_object, NUMBERS * capacity)
            numbers = numbers_object
            pieces_object = _longer(pieces_object, PIECE_FACTS * capacity)
            pieces = pieces_object
        numbers[NUMBERS * count] = start
        numbers[NUMBERS * count + 1] = end
        numbers[NUMBERS * count + 2] = down
        numbers[NUMBERS * count + 3] = em
        pieces[PIECE_FACTS * count] = cython.cast(cython.int, n)
        pieces[PIECE_FACTS * count + 1] = cython.cast(cython.int, last)
        pieces[PIECE_FACTS * count + 2] = cython.cast(cython.int, index)
        pieces[PIECE_FACTS * count + 3] = seen
        pieces[PIECE_FACTS * count + 4] = direction
        pieces[PIECE_FACTS * count + 5] = flags
        count += 1
    return numbers_object[: NUMBERS * count], pieces_object[: PIECE_FACTS * count], rows_object


def arranged_lines(order_: list[int], numbers_: Any, pieces_: Any, rows_: Any) -> tuple[Any, Any, bytes]:
    """(glyph rows, where each line starts in them, whether it has right-to-left letters) of units in an order of their own.

    `order_` is what `ReadingOrder.arrange` gives. A unit is a line; two that are drawn apart and follow each other on one
    baseline are one. What holds no visible glyph stays behind what it was drawn after.
    """
    numbers: cython.double[::1] = numbers_
    pieces: cython.int[::1] = pieces_
    count: cython.Py_ssize_t = len(pieces_) // PIECE_FACTS
    rows: cython.int[::1] = rows_
    result_object = ints(len(rows_))
    result: cython.int[::1] = result_object
    written: cython.Py_ssize_t = 0
    starts = array("i")
    marks = bytearray()
    unit: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t = -1
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for unit in range(-1, len(order_) // 2):
        if unit >= 0:
            first = order_[2 * unit]
            k = last
            last = order_[2 * unit + 1]
            if before < 0 or first == k or not _are_neighbours(numbers, pieces, before, first):
                starts.append(written)
                marks.append(0)
            if pieces[PIECE_FACTS * first + 5] & RIGHT_TO_LEFT:
                marks[len(marks) - 1] = 1
            for row in range(pieces[PIECE_FACTS * first], pieces[PIECE_FACTS * (last - 1) + 1]):
                result[written] = rows[row]
                written += 1
            before = last - 1
        k = last
        while k < count and pieces[PIECE_FACTS * k + 3] == 0:
            starts.append(written)
            marks.append(0)
            for row in range(pieces[PIECE_FACTS * k], pieces[PIECE_FACTS * k + 1]):
                result[written] = rows[row]
                written += 1
            k += 1
            before = -1
    return result_object[:written], starts, bytes(marks)


@cython.cfunc
def _are_neighbours(
    numbers: cython.double[::1], pieces: cython.int[::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t
) -> cython.bint:
    """Whether two pieces share a baseline and the second stands behind the first."""
    if pieces[PIECE_FACTS * a + 4] != pieces[PIECE_FACTS * b + 4]:
        return False
    em: cython.double = max(numbers[NUMBERS * a + 3], numbers[NUMBERS * b + 3])
    if fabs(numbers[NUMBERS * a + 2] - numbers[NUMBERS * b + 2]) > 0.5 * em:
        return False
    if (pieces[PIECE_FACTS * a + 5] | pieces[PIECE_FACTS * b + 5]) & RIGHT_TO_LEFT:
        return numbers[NUMBERS * a] - numbers[NUMBERS * b + 1] > -0.3 * em
    return numbers[NUMBERS * b] - numbers[NUMBERS * a + 1] > -0.3 * em


@cython.cfunc
def _direction(ex: cython.double, ey: cython.double) -> cython.int:
    """Quarter turns anticlockwise, or 4 + whole degrees where the direction is none."""
    if fabs(ey) < NEARLY:
        return 0 if ex > 0.0 else 2
    if fabs(ex) < NEARLY:
        return 1 if ey > 0.0 else 3
    degrees: cython.double = floor(atan2(ey, ex) * 57.29577951308232 + 0.5)
    return cython.cast(cython.int, degrees + 364.0 if degrees < 0.0 else degrees + 4.0)


@cython.cfunc
def _sorted_runs(
    rows: Any, places: Any, facts: Any, run_numbers: Any, ex: cython.double, ey: cython.double, gap: cython.double
) -> list:
    """The rows of a line that is not drawn from left to right, with what stands between two wide gaps together.

    The pieces go from left to right; the rows of each stay in the order that they are drawn in.
    """
    spans: list = []
    for position, row in enumerate(rows):
        at = RUN_NUMBERS * facts[FACTS * row + 2]
        unit: cython.double = run_numbers[at] * ex + run_numbers[at + 1] * ey
        s: cython.double = places[PLACES * row] * ex + places[PLACES * row + 1] * ey
        e: cython.double = s + places[PLACES * row + 2] * unit
        spans.append((min(s, e), max(s, e), run_numbers[at + 4], position, row))
    spans.sort()
    ordered: list = []
    group: list = []
    end: cython.double = 0.0
    for span in spans:
        if group and span[0] > end + gap * span[2]:
            ordered += [row for _, row in sorted(group)]
            group = []
        end = max(end, span[1]) if group else span[1]
        group.append((span[3], span[4]))
    ordered += [row for _, row in sorted(group)]
    return ordered


@cython.cfunc
def _longer(old: Any, length: cython.Py_ssize_t) -> Any:
    new = array(old.typecode, old)
    new.frombytes(bytes(old.itemsize * (length - len(old))))
    return new
