"""What runs on pages, heads, feet and page numbers: where it counts in a search, and where a page begins and ends without it.

A head stands on every page, so that its words say nothing of any of them: it is left out of the full-text tables. But a document
is to be found by it, and so it counts where it stands first. A page number counts nowhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from pincite.model.hit import Span

MOST_KNOWN = 10_000
"""So many different running lines of one document count once; more are no heads."""

_NO_LETTERS = re.compile(r"[\W\d_]+")
_ROMAN = re.compile(r"[ivxl]+")


class ChunkText(NamedTuple):
    """A chunk's text, and the part of it between what runs at its beginning and its end."""

    text: str
    body_start: int
    body_end: int


def whole(text: str) -> ChunkText:
    """A text in which nothing runs."""
    return ChunkText(text, 0, len(text))


def running_spans(quality: dict[str, Any] | None) -> tuple[Span, ...]:
    """The spans of a page's running lines, in order, as its quality holds them."""
    return () if quality is None else tuple((start, end) for start, end in quality.get("running", ()))


class RunningText:
    """Takes the pages of one document in order and gives the text of each that counts."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def counting(self, text: str, running: Sequence[Span]) -> str:
        """The text of the next page with blanks for the running lines that don't count; its length is the same."""
        return blanked(text, [span for span in running if not self._is_first(text[slice(*span)])])

    def _is_first(self, line: str) -> bool:
        key = _NO_LETTERS.sub("", line.casefold())
        if not key or _ROMAN.fullmatch(key) or key in self._known or len(self._known) == MOST_KNOWN:
            return False
        self._known.add(key)
        return True


def blanked(text: str, spans: Sequence[Span]) -> str:
    """The text with blanks in place of the spans."""
    if not spans:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += text[position:start], " " * (end - max(start, position))
        position = max(position, end)
    return "".join([*pieces, text[position:]])


def part_of_page(text: str, start: int, end: int, running: Sequence[Span]) -> ChunkText:
    """A chunk of a page, with the part of it that does not run at the page's beginning or end."""
    first, last = _body(text, running) if running else (0, len(text))
    return ChunkText(text[start:end], min(max(0, first - start), end - start), max(0, min(last, end) - start))


def _body(text: str, running: Sequence[Span]) -> Span:
    """Where the text begins and ends between the running lines at its beginning and its end; all of it where nothing else is."""
    start, end = 0, len(text)
    for low, high in running:
        if not text[start:low].isspace() and low > start:
            break
        start = max(start, high)
    for low, high in reversed(running):
        if not text[high:end].isspace() and high < end:
            break
        end = min(end, low)
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else (0, len(text))
