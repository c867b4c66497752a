"""Where links and outline items lead: destinations to pages (ISO 32000-2, 12.3.2)."""

from __future__ import annotations

from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.values import Dictionary, Reference, Value, as_dictionary

__all__ = ["Destinations"]

_MAX_NODES = 20_000
_MAX_NAMES = 200_000


class Destinations:
    """Finds the page of a destination. The names of a document are read once, and only when one is asked for."""

    def __init__(self, file: File, pages: PageTree) -> None:
        self._file = file
        self._pages = pages
        self._names: dict[bytes, Value] | None = None

    def page_of_item(self, item: Dictionary) -> int | None:
        """The 1-based page of an outline item or link: its /Dest, else its /A of type GoTo (12.6.4.2). None where it has none."""
        page = self.page(item.get("Dest"))
        if page is None and "A" in item:
            action = self._file.get_dictionary(item, "A")
            if self._file.get(action, "S") == "GoTo":
                page = self.page(action.get("D"))
        return page

    def page(self, destination: Value) -> int | None:
        """The 1-based page of a destination: an array, a dictionary with /D, or a name of either. None where there is none."""
        target = self._file.resolve(destination)
        if isinstance(target, str | bytes):
            target = self._named(target)
        if isinstance(target, dict):
            target = self._file.get(target, "D")
        return self._page_of_array(target) if isinstance(target, list) and target else None

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
