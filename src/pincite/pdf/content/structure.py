"""ActualText that stands in the structure tree instead of the content (ISO 32000-2, 14.7.5.4 and 14.9.4)."""

from __future__ import annotations

from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Dictionary, Reference, Value

_MAX_TREE_NODES = 1000
_MAX_LOOK_UPS = 500


class StructureText:
    """Finds the structure element of a marked-content sequence of one page, and the text that it gives."""

    def __init__(self, file: File, page: Dictionary) -> None:
        self._file = file
        self._page = page
        self._elements: list[Value] | None = None
        self._look_ups = 0

    def actual_text(self, mcid: int) -> str | None:
        """The ActualText of the element that owns a sequence, or None."""
        if self._elements is None:
            self._elements = self._read_elements()
        self._look_ups += 1
        if not 0 <= mcid < len(self._elements) or self._look_ups > _MAX_LOOK_UPS:
            return None
        element = self._file.resolve(self._elements[mcid])
        text = self._file.get(element, "ActualText") if isinstance(element, dict) else None
        return decode_text_string(text, trim=False) or None if isinstance(text, bytes) else None

    def _read_elements(self) -> list[Value]:
        """The page's entry in the parent tree: an element for each MCID."""
        key = self._file.get(self._page, "StructParents")
        if not isinstance(key, int):
            return []
        tree = self._file.get(self._file.get_dictionary(self._file.root, "StructTreeRoot"), "ParentTree")
        pending = [tree]
        seen: set[Reference] = set()
        for _ in range(_MAX_TREE_NODES):
            if not pending:
                break
            entry = pending.pop()
            node = self._file.resolve(entry)
            if not isinstance(node, dict) or (isinstance(entry, Reference) and entry in seen):
                continue
            if isinstance(entry, Reference):
                seen.add(entry)
            limits = self._file.get_array(node, "Limits")
            if len(limits) == 2 and all(isinstance(limit, int) for limit in limits) and not limits[0] <= key <= limits[1]:  # type: ignore[operator]
                continue
            numbers = self._file.get(node, "Nums")
            if isinstance(numbers, list):
                for index in range(0, len(numbers) - 1, 2):
                    if numbers[index] == key:
                        elements = self._file.resolve(numbers[index + 1])
                        return elements if isinstance(elements, list) else []
            kids = self._file.get(node, "Kids")
            if isinstance(kids, list):
                pending.extend(kids[:_MAX_TREE_NODES])
        return []
