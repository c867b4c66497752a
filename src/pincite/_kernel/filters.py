# cython: language_level=3
"""Stream filters that would be too slow byte by byte in plain Python (ISO 32000-2, 7.4)."""

from __future__ import annotations

import cython


def undo_png_predictor(data: bytes, row_bytes: int, step: int) -> bytes:
    """Undo the PNG predictors (7.4.4.4) of rows that each begin with the number of theirs; the last one may be short.

    `row_bytes` is the length of a row without that number, `step` the distance of the byte to the left that counts. A row
    with an unknown number stays as it is.
    """
    width: cython.Py_ssize_t = row_bytes
    back: cython.Py_ssize_t = step
    if width < 1 or back < 1:
        raise ValueError("rows and steps have at least one byte")
    n: cython.Py_ssize_t = len(data)
    result = bytearray(n - (n + width) // (width + 1))
    source: cython.const[cython.uchar][::1] = data
    target: cython.uchar[::1] = result
    i: cython.Py_ssize_t = 0
    # where the row and the one above it begin in the target
    row: cython.Py_ssize_t = 0
    above: cython.Py_ssize_t = -1
    k: cython.Py_ssize_t
    end: cython.Py_ssize_t
    kind: cython.int
    left: cython.int
    up: cython.int
    corner: cython.int
    guess: cython.int
    while i < n:
        kind = source[i]
        i += 1
        end = min(width, n - i)
        for k in range(end):
            left = target[row + k - back] if k >= back else 0
            up = target[above + k] if above >= 0 else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up
            elif kind == 3:
                guess = (left + up) // 2
            elif kind == 4:
                corner = target[above + k - back] if k >= back and above >= 0 else 0
                guess = _paeth(left, up, corner)
            else:
                guess = 0
            target[row + k] = (source[i + k] + guess) & 255
        i += end
        above = row
        row += end
    return bytes(result)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _paeth(left: cython.int, up: cython.int, corner: cython.int) -> cython.int:
    estimate: cython.int = left + up - corner
    from_left: cython.int = abs(estimate - left)
    from_up: cython.int = abs(estimate - up)
    from_corner: cython.int = abs(estimate - corner)
    if from_left <= from_up and from_left <= from_corner:
        return left
    return up if from_up <= from_corner else corner
