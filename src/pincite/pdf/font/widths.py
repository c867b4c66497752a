"""Glyph widths: /Widths of simple fonts, /W, /DW, /W2 and /DW2 of CID fonts (ISO 32000-2, 9.2.4, 9.6.2 and 9.7.4.3).

All come out in text space units, that is divided by 1000.
"""

from __future__ import annotations

from array import array

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
    if scale == 0.001:
        # A quotient of two integers is the nearest double, which a product with 0.001 is not.
        try:
            column.extend([value / 1000 for value in values])  # type: ignore[operator]  # what is no number raises
        except TypeError:
            column = column[:first]
            column.extend(sane_number(file.resolve(value), missing * 1000) / 1000 for value in values)
    else:
        column.extend(sane_number(file.resolve(value), missing / scale if scale else 0.0) * scale for value in values)
    del column[256:]
    if max(column) > _MAX_WIDTH / 1000 or min(column) < -_MAX_WIDTH / 1000:
        for code, width in enumerate(column):
            if not -_MAX_WIDTH / 1000 < width < _MAX_WIDTH / 1000:
                column[code] = missing
    return column


def _groups(file: File, values: list[Value], numbers: int) -> list[tuple[int, int, list[Value]]]:
    """The entries of /W (`numbers` = 1) or /W2 (3) as (first CID, last CID, numbers); with -1 as last CID, numbers of each in turn."""
    result: list[tuple[int, int, list[Value]]] = []
    position = 0
    end = len(values)
    resolve = file.resolve
    while position + 1 < end:
        first = values[position]
        if type(first) is not int:
            first = resolve(first)
            if isinstance(first, float):
                first = int(first)
            if not isinstance(first, int) or isinstance(first, bool):
                position += 1
                continue
        second = values[position + 1]
        if type(second) is not list:
            second = resolve(second)
        if isinstance(second, list):
            result.append((first, -1, second))
            position += 2
            continue
        last = as_number(second)
        if last is None or position + 1 + numbers >= end:
            position += 1
            continue
        result.append((first, int(last), [resolve(value) for value in values[position + 2 : position + 2 + numbers]]))
        position += 2 + numbers
    return result


def read_cid_widths(file: File, descendant: Dictionary) -> tuple[array[float], float]:
    """CID → width as far as /W goes beyond the default, and the default (/DW, 1 em where there is none)."""
    default = sane_number(file.get(descendant, "DW"), 1000.0) / 1000
    values = file.get(descendant, "W")
    column = array("d")
    if not isinstance(values, list):
        return column, default
    budget = _MAX_ASSIGNED
    for first, last, numbers in _groups(file, values, 1):
        if not 0 <= first < MAX_CID:
            continue
        if last < 0:
            count = min(len(numbers), MAX_CID - first)
            widths = _scaled(file, numbers[:count], default)
        else:
            count = min(last, MAX_CID - 1) - first + 1
            if count <= 0:
                continue
            width = sane_number(numbers[0], default * 1000) / 1000
            if first >= len(column) and width == default:
                continue  # the default already; such ranges run up to 65535
            widths = array("d", [width]) * count
        budget -= count + 1
        if budget <= 0:
            break
        _place(column, first, widths, default)
    return column, default


def _scaled(file: File, numbers: list[Value], default: float) -> array[float]:
    try:
        widths = array("d", [number / 1000 for number in numbers])  # type: ignore[operator]  # what is no number raises
    except TypeError:
        return array("d", [sane_number(file.resolve(number), default * 1000) / 1000 for number in numbers])
    if widths and (max(widths) > _MAX_WIDTH / 1000 or min(widths) < -_MAX_WIDTH / 1000):
        return array("d", [width if -_MAX_WIDTH / 1000 < width < _MAX_WIDTH / 1000 else default for width in widths])
    return widths


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
    for first, last, numbers in _groups(file, values, 3):
        if not 0 <= first < MAX_CID:
            continue
        if last < 0:
            count = min(len(numbers) // 3, MAX_CID - first)
            heights = _scaled(file, numbers[: 3 * count : 3], default)
        else:
            count = min(last, MAX_CID - 1) - first + 1
            if count <= 0:
                continue
            heights = array("d", [sane_number(numbers[0], default * 1000) / 1000]) * count
        budget -= count + 1
        if budget <= 0:
            break
        _place(column, first, heights, default)
    return column, default, origin
