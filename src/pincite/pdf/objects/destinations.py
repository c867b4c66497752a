"""Where links and outline items lead: destinations to pages (ISO 32000-2, 12.3.2)."""

from __future__ import annotations

from typing import NamedTuple

from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.values import Dictionary, Reference, Value, as_dictionary

__all__ = ["Destinations", "Place"]

_MAX_NODES = 20_000
_MAX_NAMES = 200_000
_MAX_COORDINATE = 1e9
_CORNERS = {"XYZ": (2, 3), "FitH": (0, 2), "FitBH": (0, 2), "FitR": (2, 5), "FitV": (2, 0), "FitBV": (2, 0)}
"""Where in the array of a kind of destination left and top stand, 0 for one that it does not have."""


class Place(NamedTuple):
    """A 1-based page and the left and the top of what is to be shown of it, in its user space; None where that is not said."""

    page: int
    left: float | None = None
    top: float | None = None


class Destinations:
    """Finds the place of a destination. The names of a document are read once, and only when one is asked for."""

    def __init__(self, file: File, pages: PageTree) -> None:
        self._file = file
        self._pages = pages
        self._names: dict[bytes, Value] | None = None

    def place_of_item(self, item: Dictionary) -> Place | None:
        """Where an outline item or link leads: its /Dest, else its /A of type GoTo (12.6.4.2). None where it has none."""
        place = self.place(item.get("Dest"))
        if place is None and "A" in item:
            action = self._file.get_dictionary(item, "A")
            if self._file.get(action, "S") == "GoTo":
                place = self.place(action.get("D"))
        return place

    def place(self, destination: Value) -> Place | None:
        """Where a destination leads: an array, a dictionary with /D, or a name of either. None where there is no page."""
        target = self._file.resolve(destination)
        if isinstance(target, str | bytes):
            target = self._named(target)
        if isinstance(target, dict):
            target = self._file.get(target, "D")
        if not isinstance(target, list) or not target:
            return None
        page = self._page_of_array(target)
        return None if page is None else Place(page, *self._corner(target))

    def _corner(self, array: list[Value]) -> tuple[float | None, float | None]:
        """Left and top of a destination (table 149): of those kinds that have them."""
        kind = self._file.resolve(array[1]) if len(array) > 1 else None
        left, top = _CORNERS.get(kind, (0, 0)) if isinstance(kind, str) else (0, 0)
        return self._number(array, left), self._number(array, top)

    def _number(self, array: list[Value], index: int) -> float | None:
        value = self._file.resolve(array[index]) if 0 < index < len(array) else None
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _MAX_COORDINATE
        return float(value) if is_number else None  # type: ignore[arg-type]

    def _page_of_array(self, array: list[Value]) -> int | None:
        first = array[0]
        index = self._pages.index(first)
        if index is None:
            # A page number is meant for other files (12.6.4.3), but is written for the same one, and readers follow it.
            number = self._file.resolve(first)
            if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(self._pages):
                index = number
        return None if index is None else index + 1

    def _named(self, name: str | bytes) -> Value:
        """Look a name up (12.3.2.4): in the name tree and in the catalog's /Dests, whichever kind of object the name is."""
        key = name.encode("latin-1") if isinstance(name, str) else name
        if self._names is None:
            self._names = self._read_names()
        return self._file.resolve(self._names.get(key))

    def _read_names(self) -> dict[bytes, Value]:
        file = self._file
        names: dict[bytes, Value] = {}
        for name, value in file.get_dictionary(file.root, "Dests").items():
            names[name.encode("latin-1")] = value
        seen: set[Reference] = set()
        pending: list[Value] = [file.get_dictionary(file.root, "Names").get("Dests")]
        for _ in range(_MAX_NODES):
            if not pending or len(names) > _MAX_NAMES:
                break
            value = pending.pop()
            if isinstance(value, Reference):
                if value in seen:
                    continue
                seen.add(value)
            node = as_dictionary(file.resolve(value))
            entries = file.get(node, "Names")
            if isinstance(entries, list):
                for key, target in zip(entries[::2], entries[1::2], strict=False):
                    resolved = file.resolve(key)
                    if isinstance(resolved, bytes):
                        names.setdefault(resolved, target)
            kids = file.get(node, "Kids")
            if isinstance(kids, list):
                pending.extend(reversed(kids))
        return names
