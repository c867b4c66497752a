"""Counting the work of a piece of Python, which a busy machine does not change as it changes time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(call: Callable[[], object]) -> int:
    """The lines that pincite's own Python runs through in a call, each as often as it is run."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if "pincite" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(make: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times the steps become when the size is four times as great: about 4 where they go with it, 16 with its square.

    `make` prepares a call for a size.
    """
    return steps(make(4 * size)) / steps(make(size))
