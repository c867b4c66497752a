"""Loops over whole arrays, on both kernels, held against what plain Python makes of the same."""

from __future__ import annotations

from array import array
from types import ModuleType

from hypothesis import given
from hypothesis import strategies as st

from pincite._kernel.columns import UNMAPPED
from support.kernel import Kind, Twin

values = st.sampled_from((UNMAPPED, 65, 66, -3))


def arrays(twins: dict[Kind, Twin]) -> list[ModuleType]:
    return [twin.module("pincite._kernel.arrays") for twin in twins.values()]


@given(st.lists(st.integers(-9, 9), max_size=30), st.integers(1, 5), st.data())
def test_a_field_of_each_row(twins: dict[Kind, Twin], numbers: list[int], fields: int, data: st.DataObject) -> None:
    numbers = numbers[: len(numbers) // fields * fields]
    field = data.draw(st.integers(0, fields - 1))
    for module in arrays(twins):
        assert module.int_field(array("i", numbers), fields, field) == array("i", numbers[field::fields])
        assert module.double_field(array("d", numbers), fields, field) == array("d", numbers[field::fields])


@given(st.lists(values, max_size=9), st.lists(st.sampled_from((0.0, 0.25, 0.5)), max_size=9))
def test_a_code_with_a_width_and_no_meaning_is_a_hole(twins: dict[Kind, Twin], codes: list[int], widths: list[float]) -> None:
    expected = any(value == UNMAPPED and width == 0.5 for value, width in zip(codes, widths, strict=False))
    for module in arrays(twins):
        assert module.has_hole(array("i", codes), array("d", widths), 0.25) is expected


@given(st.lists(st.tuples(values, values), max_size=9), st.lists(values, max_size=3))
def test_two_columns_in_one(twins: dict[Kind, Twin], pairs: list[tuple[int, int]], rest: list[int]) -> None:
    column = [first for first, _ in pairs] + rest
    other = array("i", [second for _, second in pairs])
    for module in arrays(twins):
        filled, overlaid = array("i", column), array("i", column)
        module.fill_holes(filled, other)
        assert filled.tolist() == [first if first != UNMAPPED else second for first, second in pairs] + rest
        assert module.lay_over(overlaid, other) == sum(second != UNMAPPED for _, second in pairs)
        assert overlaid.tolist() == [second if second != UNMAPPED else first for first, second in pairs] + rest
        assert module.agrees(other, array("i", column)) is all(second in (UNMAPPED, first) for first, second in pairs)
