"""The outline, also called bookmarks (ISO 32000-2, 12.3.3)."""

from __future__ import annotations

from typing import NamedTuple

from pincite.model.text import OutlineItem
from pincite.pdf.objects.destinations import Destinations, Place
from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Reference, Value

__all__ = ["MAX_ITEMS", "OutlineTarget", "read_outline"]

MAX_ITEMS = 10_000
_MAX_VISITED = 100_000
_MAX_TITLE_LENGTH = 1024
"""Characters of a title: what is longer is none, and each item may have the same."""


class OutlineTarget(NamedTuple):
    """An outline item with the place on its page that it leads to."""

    item: OutlineItem
    place: Place


def read_outline(file: File, pages: PageTree) -> tuple[OutlineTarget, ...]:
    """The outline's items in reading order, an item before those below it; level 1 is the outermost.

    An item without a page of this document is left out, those below and after it are not. No object is visited twice, and at
    most `MAX_ITEMS` items are returned.
    """
    destinations = Destinations(file, pages)
    items: list[OutlineTarget] = []
    titles: dict[bytes, str] = {}
    seen: set[Reference] = set()
    pending: list[tuple[Value, int]] = [(file.get_dictionary(file.root, "Outlines").get("First"), 1)]
    for _ in range(_MAX_VISITED):
        if not pending or len(items) == MAX_ITEMS:
            break
        value, level = pending.pop()
        if isinstance(value, Reference):
            if value in seen:
                continue
            seen.add(value)
        item = file.resolve(value)
        if not isinstance(item, dict):
            continue
        place = destinations.place_of_item(item)
        if place is not None:
            title = file.get(item, "Title")
            text = _decode(title, titles) if isinstance(title, bytes) else ""
            items.append(OutlineTarget(OutlineItem(text, place.page, level), place))
        pending.append((item.get("Next"), level))
        pending.append((item.get("First"), level + 1))
    return tuple(items)


def _decode(title: bytes, titles: dict[bytes, str]) -> str:
    """A title as text, decoded once though many items share it."""
    text = titles.get(title)
    if text is None:
        text = titles[title] = decode_text_string(title)[:_MAX_TITLE_LENGTH]
    return text
