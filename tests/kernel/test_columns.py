"""The layout of the columns: the numbers that Cython compiles in are those that Python sees."""

from __future__ import annotations

import re

from pincite._kernel import columns
from support.kernel import KERNEL


def test_the_declarations_are_those_of_the_module() -> None:
    declared = dict(re.findall(r"^    ([A-Z_]+) = (\S+)$", (KERNEL / "columns.pxd").read_text(), re.MULTILINE))
    assert {name: int(number, 0) for name, number in declared.items()} == {
        name: value for name, value in vars(columns).items() if name.isupper()
    }
