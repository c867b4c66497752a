"""The PNG predictors, on both kernels, held against a plain reading of the PNG specification."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.kernel import Kind, Twin


def predict(rows: list[tuple[int, bytes]], step: int) -> bytes:
    """Encode rows, each with the predictor of a number."""
    output = bytearray()
    above = bytes(max((len(row) for _, row in rows), default=0))
    for kind, row in rows:
        output.append(kind)
        for index, byte in enumerate(row):
            left = row[index - step] if index >= step else 0
            corner = above[index - step] if index >= step else 0
            up = above[index]
            nearest = min((left, up, corner), key=lambda guess: abs(left + up - corner - guess))
            output.append((byte - (0, left, up, (left + up) // 2, nearest)[kind]) & 255)
        above = row
    return bytes(output)


@given(st.integers(1, 9), st.integers(1, 4), st.data())
def test_what_was_predicted_comes_back(twins: dict[Kind, Twin], width: int, step: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(st.integers(0, 4), st.binary(min_size=width, max_size=width)), max_size=6))
    for twin in twins.values():
        undo = twin.module("pincite._kernel.filters").undo_png_predictor
        assert undo(predict(rows, step), width, step) == b"".join(row for _, row in rows)


@pytest.mark.parametrize(
    ("data", "plain"), [(b"", b""), (b"\2", b""), (b"\2ab\2\1", b"abb"), (b"\x09ab\x02\1\1", b"abbc"), (b"\2ab\2", b"ab")]
)
def test_short_rows_and_unknown_numbers(twin: Twin, data: bytes, plain: bytes) -> None:
    assert twin.module("pincite._kernel.filters").undo_png_predictor(data, 2, 1) == plain


@pytest.mark.parametrize(("width", "step"), [(0, 1), (-1, 1), (1, 0)])
def test_rows_of_nothing_are_refused(twin: Twin, width: int, step: int) -> None:
    with pytest.raises(ValueError, match="at least one byte"):
        twin.module("pincite._kernel.filters").undo_png_predictor(b"abc", width, step)
