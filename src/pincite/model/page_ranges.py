"""Page ranges as people write them: `1-3,7,10-`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_RANGE = re.compile(r"(?P<first>\d{1,9})?(?P<dash>-)?(?P<last>\d{1,9})?")


def parse_page_ranges(text: str, count: int) -> list[int]:
    """The 1-based pages of a document of `count` pages, in the order written; `10-` goes to the end, `-3` starts at 1.

    Pages past the end are left out. Raises ValueError for anything else.
    """
    pages: list[int] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None or not (match["first"] or match["last"]):
            raise ValueError(f"{part.strip()!r} is no page range: write for example 1-3,7,10-")
        first = int(match["first"] or 1)
        last = int(match["last"] or (count if match["dash"] else first))
        if first < 1 or (last < first and match["last"]):
            raise ValueError(f"{part.strip()!r} is no page range: pages count from 1, and ranges upwards")
        pages.extend(range(first, min(last, count) + 1))
    return pages


MOST_SHOWN = 20


def page_list(numbers: Iterable[int]) -> str:
    """Pages in order as people write them: `pages 1-3, 7`; of very many ranges the first ones and how many there are more."""
    numbers = list(numbers)
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans[:MOST_SHOWN]]
    more = [f"and {len(spans) - MOST_SHOWN:,} more ranges"] if len(spans) > MOST_SHOWN else []
    return f"{'page' if len(numbers) == 1 else 'pages'} {', '.join([*shown, *more])}"
