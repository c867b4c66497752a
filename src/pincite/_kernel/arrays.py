# cython: language_level=3
"""Loops over whole arrays that take long in Python: one field of columns, and columns of Unicode values by code."""

from __future__ import annotations

from array import array
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.pincite._kernel.columns import UNMAPPED as MISSING
else:
    from pincite._kernel.columns import UNMAPPED as MISSING

_INTS = array("i", [0])
_DOUBLES = array("d", [0.0])


def ints(count: int) -> Any:
    """An array("i") of so many zeros."""
    return _INTS * count


def doubles(count: int) -> Any:
    """An array("d") of so many zeros."""
    return _DOUBLES * count


def int_field(rows_: Any, fields: int, field: int) -> Any:
    """One field of each row, as an array("i"): what `rows[field::fields]` gives, which copies element by element."""
    rows: cython.int[::1] = rows_
    width: cython.Py_ssize_t = fields
    place: cython.Py_ssize_t = field
    count: cython.Py_ssize_t = len(rows_) // width
    result_object = _INTS * count
    result: cython.int[::1] = result_object
    row: cython.Py_ssize_t
    for row in range(count):
        result[row] = rows[place]
        place += width
    return result_object


def double_field(rows_: Any, fields: int, field: int) -> Any:
    """The same of an array("d")."""
    rows: cython.double[::1] = rows_
    width: cython.Py_ssize_t = fields
    place: cython.Py_ssize_t = field
    count: cython.Py_ssize_t = len(rows_) // width
    result_object = _DOUBLES * count
    result: cython.double[::1] = result_object
    row: cython.Py_ssize_t
    for row in range(count):
        result[row] = rows[place]
        place += width
    return result_object


def has_hole(column_: Any, widths_: Any, missing_width: float) -> bool:
    """Whether a code has a width, not that of missing glyphs, and yet no Unicode value."""
    column: cython.int[::1] = column_
    widths: cython.double[::1] = widths_
    missing: cython.double = missing_width
    code: cython.Py_ssize_t
    for code in range(min(len(column_), len(widths_))):
        if column[code] == MISSING and widths[code] != 0.0 and widths[code] != missing:
            return True
    return False


def fill_holes(column_: Any, other_: Any) -> None:
    """Give the codes without a Unicode value those of another column, which is no longer than this one."""
    column: cython.int[::1] = column_
    other: cython.int[::1] = other_
    code: cython.Py_ssize_t
    for code in range(len(other_)):
        if column[code] == MISSING:
            column[code] = other[code]


def lay_over(column_: Any, other_: Any) -> int:
    """Write the Unicode values of another column, no longer than this one, over this one's; returns how many it has."""
    column: cython.int[::1] = column_
    other: cython.int[::1] = other_
    code: cython.Py_ssize_t
    written: cython.Py_ssize_t = 0
    for code in range(len(other_)):
        if other[code] != MISSING:
            column[code] = other[code]
            written += 1
    return written


def agrees(column_: Any, standard_: Any) -> bool:
    """Whether each code that has a Unicode value has the one that it has in a standard encoding, no shorter than this one."""
    column: cython.int[::1] = column_
    standard: cython.int[::1] = standard_
    code: cython.Py_ssize_t
    others: cython.Py_ssize_t = 0
    for code in range(len(column_)):
        others += column[code] != MISSING and column[code] != standard[code]
    return others == 0
