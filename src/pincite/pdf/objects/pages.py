"""The page tree: every page in order, with the attributes it inherits (ISO 32000-2, 7.7.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, overload

from pincite.errors import LimitError, UnreadableError
from pincite.model.geometry import Rect
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary, as_number

__all__ = ["PageNode", "PageTree"]

_INHERITABLE = ("Resources", "MediaBox", "CropBox", "Rotate")
_LETTER = Rect(0.0, 0.0, 612.0, 792.0)
_MAX_NODES = 1_000_000
_MAX_CONTENT_BYTES = 256 << 20


class _Entry(NamedTuple):
    """A page: a reference (or the page itself, where it is a direct object) and what it inherits."""

    page: Value
    inherited: Dictionary


class PageTree:
    """The pages of a file, 0-based here and only here.

    One walk over the tree when it is made; it keeps references and inherited attributes alone, so memory stays flat. A page that
    stands in the tree twice counts twice; an inner node counts once, so no tree is endless. Nulls in /Kids are no pages.
    """

    def __init__(self, file: File) -> None:
        self._file = file
        self._entries = _walk(file)
        if not self._entries:
            self._entries = _search(file)
            if self._entries:
                file.warn("the page tree is damaged; the pages are in the order of their object numbers")
        self._indexes: dict[Reference, int] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> PageNode: ...
    @overload
    def __getitem__(self, index: slice) -> list[PageNode]: ...
    def __getitem__(self, index: int | slice) -> PageNode | list[PageNode]:
        if isinstance(index, slice):
            return [PageNode(self._file, *entry) for entry in self._entries[index]]
        return PageNode(self._file, *self._entries[index])

    def __iter__(self) -> Iterator[PageNode]:
        for entry in self._entries:
            yield PageNode(self._file, *entry)

    def index(self, page: Value) -> int | None:
        """The 0-based index of the page that a reference leads to, the first one where it stands in the tree twice."""
        if not isinstance(page, Reference):
            return None
        if self._indexes is None:
            self._indexes = {}
            for position, entry in enumerate(self._entries):
                if isinstance(entry.page, Reference):
                    self._indexes.setdefault(entry.page, position)
        return self._indexes.get(page)


class PageNode:
    """One page with its attributes, inherited ones included (ISO 32000-2, 7.7.3.3 and 7.7.3.4)."""

    __slots__ = ("_file", "_inherited", "dictionary", "reference")

    def __init__(self, file: File, page: Value, inherited: Dictionary) -> None:
        self._file = file
        self._inherited = inherited
        self.reference: Reference | None = page if isinstance(page, Reference) else None
        self.dictionary: Dictionary = as_dictionary(file.resolve(page))

    @property
    def media_box(self) -> Rect:
        """MediaBox in points, normalised; US Letter where it is missing or no rectangle."""
        return self._box("MediaBox") or _LETTER

    @property
    def crop_box(self) -> Rect:
        """CropBox in points, normalised; the MediaBox where it is missing or no rectangle. It may reach past the MediaBox."""
        return self._box("CropBox") or self.media_box

    @property
    def rotate(self) -> int:
        """How far the page is turned clockwise to be shown: 0, 90, 180 or 270."""
        angle = as_number(self._attribute("Rotate"))
        return 0 if angle is None else int(angle / 90) % 4 * 90

    @property
    def user_unit(self) -> float:
        """The length of one unit of user space in points (1/72 inch); 1 where it is missing or not positive."""
        unit = as_number(self._file.get(self.dictionary, "UserUnit"))
        return 1.0 if unit is None or unit <= 0 else float(unit)

    @property
    def resources(self) -> Dictionary:
        """The resource dictionary, empty where there is none."""
        return as_dictionary(self._attribute("Resources"))

    def contents(self) -> list[bytes]:
        """The decoded content streams in order. One that can't be decoded is left out, with a warning in `file.warnings`.

        Raises UnreadableError where none of them can be, LimitError where they are too large together.
        """
        parts: list[bytes] = []
        size = 0
        failure: UnreadableError | None = None
        for stream in self._content_streams():
            try:
                parts.append(stream.data())
            except UnreadableError as error:
                failure = error
                self._file.warn(f"part of a page's content is missing: {error.message}")
                continue
            size += len(parts[-1])
            if size > _MAX_CONTENT_BYTES:
                raise LimitError(f"a page has over {_MAX_CONTENT_BYTES >> 20} MiB of content; it is left out", slug="memory")
        if failure is not None and not parts:
            raise failure
        return parts

    def _content_streams(self) -> list[Stream]:
        contents = self._file.get(self.dictionary, "Contents")
        if isinstance(contents, Stream):
            return [contents]
        if not isinstance(contents, list):
            return []
        resolved = [self._file.resolve(item) for item in contents]
        return [item for item in resolved if isinstance(item, Stream)]

    def _attribute(self, key: str) -> Value:
        value = self._file.get(self.dictionary, key)
        return self._file.get(self._inherited, key) if value is None else value

    def _box(self, key: str) -> Rect | None:
        value = self._attribute(key)
        if not isinstance(value, list) or len(value) < 4:
            return None
        numbers = [as_number(self._file.resolve(item)) for item in value[:4]]
        corners = [float(number) for number in numbers if number is not None]
        if len(corners) < 4:
            return None
        box = Rect.from_corners(*corners)
        return box if box.width > 0 and box.height > 0 else None


def _walk(file: File) -> list[_Entry]:
    """Walk the tree from the catalog, without recursion, each inner node and each array of /Kids once: so no file makes more
    steps than it has entries."""
    entries: list[_Entry] = []
    seen: set[Reference] = set()
    pending: list[_Entry] = [_Entry(file.root.get("Pages"), {})]
    while pending and len(entries) < _MAX_NODES:
        entry = pending.pop()
        node = file.resolve(entry.page)
        if not isinstance(node, dict):
            continue
        kids = file.get(node, "Kids")
        if isinstance(kids, list) and file.get(node, "Type") != "Page":
            references = [value for value in (entry.page, node["Kids"]) if isinstance(value, Reference)]
            if not seen.isdisjoint(references):
                continue
            seen.update(references)
            inherited = entry.inherited
            own = {key: node[key] for key in _INHERITABLE if node.get(key) is not None}
            if own:
                inherited = inherited | own
            pending.extend(_Entry(kid, inherited) for kid in reversed(kids))
        elif _is_page(file, node):
            entries.append(entry)
    return entries


def _is_page(file: File, node: Dictionary) -> bool:
    """Whether a leaf of the tree is a page: its /Type says so, or it has what only pages have."""
    kind = file.get(node, "Type")
    if kind == "Page":
        return True
    return kind != "Pages" and ("Contents" in node or "MediaBox" in node or "Resources" in node or "Parent" in node)


def _search(file: File) -> list[_Entry]:
    """Every object of /Type /Page, with what its /Parent chain hands down."""
    entries: list[_Entry] = []
    for reference in sorted(file.references()):
        page = file.resolve(reference)
        if isinstance(page, dict) and file.get(page, "Type") == "Page":
            entries.append(_Entry(reference, _inherited_from_parents(file, page)))
    return entries


def _inherited_from_parents(file: File, page: Dictionary) -> Dictionary:
    inherited: Dictionary = {}
    parent = file.get(page, "Parent")
    for _ in range(32):
        if not isinstance(parent, dict):
            break
        for key in _INHERITABLE:
            if key not in inherited and parent.get(key) is not None:
                inherited[key] = parent[key]
        parent = file.get(parent, "Parent")
    return inherited
