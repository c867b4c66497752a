"""Glyph widths: /Widths of simple fonts, /W, /DW, /W2 and /DW2 of CID fonts (ISO 32000-2, 9.2.4, 9.6.2 and 9.7.4.3).

All come out in text space units, that is divided by 1000.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Value, as_number

__all__ = ["MAX_CID", "read_cid_heights", "read_cid_widths", "read_simple_widths", "sane_number"]

MAX_CID = 65536
_MAX_ASSIGNED = 1 << 20
_MAX_WIDTH = 1e5


def sane_number(value: Value, default: float = 0.0) -> float:
    """A finite number of a size that a font can mean, else the default."""
    number = as_number(value)
    return number if number is not None and -_MAX_WIDTH < number < _MAX_WIDTH else default


def read_simple_widths(file: File, dictionary: Dictionary, missing: float, scale: float = 0.001) -> array[float] | None:
    """Code → width of a simple font, from code 0; None where the font has no /Widths.

    `missing` is the width (already scaled) of codes below /FirstChar and of entries that are no number.
    """
    values = file.get(dictionary, "Widths")
    if not isinstance(values, list) or not values:
        return None
    values = values[:256]
    first = file.get(dictionary, "FirstChar")
    if type(first) is not int:
        last = file.get(dictionary, "LastChar")
        first = last - len(values) + 1 if type(last) is int else 0
    if not 0 <= first < 256:
        first = 0
    column = array("d", [missing]) * first
    # A quotient of two integers is the nearest double, which a product with 0.001 is not.
    column.extend(_scaled(file, values, missing) if scale == 0.001 else _through_matrix(file, values, scale))
    del column[256:]
    return column


def _entries(file: File, values: list[Value], numbers: int) -> Iterator[tuple[int, int, list[Value]]]:
    """The entries of /W (`numbers` = 1) or /W2 (3) as (first CID, count, numbers); count 0: numbers of each CID in turn."""
    position = 0
    end = len(values) - 1
    resolve = file.resolve
    while position < end:
        first = values[position]
        second = values[position + 1]
        if type(first) is not int:
            number = as_number(resolve(first))
            if number is None:
                position += 1
                continue
            first = int(number)
        if type(second) is not list and type(second) is not int:
            second = resolve(second)
        if type(second) is list:
            if 0 <= first < MAX_CID:
                yield first, 0, second
            position += 2
            continue
        last = as_number(second)
        if last is None or position + numbers >= end:
            position += 1
            continue
        count = min(int(last), MAX_CID - 1) - first + 1
        if first >= 0 and count > 0:
            yield first, count, values[position + 2 : position + 2 + numbers]
        position += 2 + numbers


def read_cid_widths(file: File, descendant: Dictionary) -> tuple[array[float], float]:
    """CID → width as far as /W goes beyond the default, and the default (/DW, 1 em where there is none)."""
    default = sane_number(file.get(descendant, "DW"), 1000.0) / 1000
    values = file.get(descendant, "W")
    column = array("d")
    if not isinstance(values, list):
        return column, default
    budget = _MAX_ASSIGNED
    for first, count, numbers in _entries(file, values, 1):
        known = len(column)
        if count == 0:
            widths = _scaled(file, numbers, default)
        else:
            width = sane_number(file.resolve(numbers[0]), default * 1000) / 1000
            if first >= known and width == default:
                continue  # the default already; such ranges run up to 65535
            widths = array("d", [width]) if count == 1 else array("d", [width]) * count
        budget -= len(widths) + 1
        if budget <= 0:
            break
        if first == known:
            column.extend(widths)
        else:
            _place(column, first, widths, default)
    del column[MAX_CID:]
    return column, default


def _scaled(file: File, numbers: list[Value], default: float) -> array[float]:
    try:
        widths = array("d", [number / 1000 for number in numbers])  # type: ignore[operator]  # what is no number raises
        if not widths or (max(widths) < _MAX_WIDTH / 1000 and min(widths) > -_MAX_WIDTH / 1000):
            return widths
    except TypeError:
        pass
    return array("d", [sane_number(file.resolve(number), default * 1000) / 1000 for number in numbers])


def _through_matrix(file: File, numbers: list[Value], scale: float) -> array[float]:
    try:
        widths = array("d", [number * scale for number in numbers])  # type: ignore[operator]  # what is no number raises
        if max(widths) < _MAX_WIDTH and min(widths) > -_MAX_WIDTH:
            return widths
    except TypeError:
        pass
    return array("d", [sane_number(file.resolve(number)) * scale for number in numbers])


def _place(column: array[float], first: int, values: array[float], default: float) -> None:
    if first > len(column):
        column.extend(array("d", [default]) * (first - len(column)))
    column[first : first + len(values)] = values


def read_cid_heights(file: File, descendant: Dictionary) -> tuple[array[float], float, float]:
    """CID → vertical displacement w1y as far as /W2 goes, its default, and the default height of the vertical origin.

    Displacements are negative downwards. The defaults are /DW2's, or -1 em and 0.88 em.
    """
    pair = file.get_array(descendant, "DW2")
    origin = sane_number(pair[0], 880.0) / 1000 if pair else 0.88
    default = sane_number(pair[1], -1000.0) / 1000 if len(pair) > 1 else -1.0
    column = array("d")
    values = file.get(descendant, "W2")
    if not isinstance(values, list):
        return column, default, origin
    budget = _MAX_ASSIGNED
    for first, count, numbers in _entries(file, values, 3):
        heights = _scaled(file, numbers[: len(numbers) // 3 * 3 : 3], default)
        if count:
            heights = heights[:1] * count
        budget -= len(heights) + 1
        if budget <= 0:
            break
        _place(column, first, heights, default)
    del column[MAX_CID:]
    return column, default, origin
