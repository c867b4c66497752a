"""The structure tree of a tagged file: its elements in order, and what of each page belongs to them (ISO 32000-2, 14.7)."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Dictionary, Reference, Value

__all__ = ["MAX_DEPTH", "MAX_NODES", "OBJECT", "Element", "Item", "StructureTree", "read_structure"]

MAX_NODES = 500_000
"""Elements and pieces of content together; what a tree has over that is left out, with a warning."""

MAX_DEPTH = 100
"""What is nested deeper hangs on the element at this depth."""

_MAX_ROLES = 32
_MAX_TEXT = 100_000
OBJECT = -1
"""The MCID of an item that is an object."""
_NOTHING = -2


class Item(NamedTuple):
    """A piece of a page's content that belongs to an element: marked content, or an object (a form, an annotation).

    `stream` is the form that holds the marked content, None for the page's own content; of an object it is the object itself,
    and `mcid` is -1 then. An element with a text for what it shows, but without content, has one item with `mcid` -2.
    """

    element: int
    stream: Reference | None
    mcid: int


@dataclass(frozen=True, slots=True)
class Element:
    """A structure element. `parent` is the number of the one that it is in, -1 at the top.

    `type` is the standard type that the role map leads to, `tag` what the file says. `replaced_by` is the number of the outermost
    element around it (itself included) with an ActualText, which stands for all content below, or -1.
    """

    parent: int
    type: str
    tag: str
    title: str | None = None
    alt: str | None = None
    actual_text: str | None = None
    language: str | None = None
    replaced_by: int = -1


@dataclass(slots=True)
class StructureTree:
    """The elements, each before those in it, and for each page (0-based) the items of its content, both in the tree's order."""

    elements: list[Element] = field(default_factory=list)
    _items: dict[int, array[int]] = field(default_factory=dict)
    _streams: list[Reference | None] = field(default_factory=lambda: [None])
    _numbers: dict[Reference, int] = field(default_factory=dict)
    _begun: dict[int, list[int]] = field(default_factory=dict)
    _replacing: set[int] = field(default_factory=set)

    def items(self, page: int) -> list[Item]:
        """The items of one page (0-based)."""
        packed = self._items.get(page, array("i"))
        return [Item(packed[at], self._streams[packed[at + 1]], packed[at + 2]) for at in range(0, len(packed), 3)]

    def texts(self, page: int) -> dict[int, str]:
        """The ActualTexts of the elements whose content begins on one page (0-based), by the numbers of the elements."""
        return {number: self.elements[number].actual_text or "" for number in self._begun.get(page, ())}

    def add_item(self, page: int, item: Item) -> None:
        """Take the next item, of an element that is here."""
        stream = 0
        if item.stream is not None:
            stream = self._numbers.setdefault(item.stream, len(self._streams))
            if stream == len(self._streams):
                self._streams.append(item.stream)
        self._items.setdefault(page, array("i")).extend((item.element, stream, item.mcid))
        replaced_by = self.elements[item.element].replaced_by
        if replaced_by >= 0 and replaced_by not in self._replacing:
            self._replacing.add(replaced_by)
            self._begun.setdefault(page, []).append(replaced_by)


class _Node(NamedTuple):
    """What is to be read yet: a value of some /K, the element that it belongs to, the page that one is on, and the depth."""

    value: Value
    parent: int
    page: Value
    depth: int


def read_structure(file: File, pages: PageTree) -> StructureTree:
    """Read the tree, without recursion, each element once; empty for a file that is not tagged."""
    tree = StructureTree()
    root = file.get_dictionary(file.root, "StructTreeRoot")
    if not root:
        return tree
    roles = file.get_dictionary(root, "RoleMap")
    seen: set[Reference] = set()
    pending: list[_Node] = []
    room = _push_kids(file, root, _Node(None, -1, None, 0), pending, MAX_NODES)
    while pending:
        value, parent, page, depth = pending.pop()
        node = file.resolve(value)
        if isinstance(node, int) and not isinstance(node, bool):
            _add(tree, pages, page, parent, None, node)
            continue
        if not isinstance(node, dict):
            continue
        kind = file.get(node, "Type")
        own_page = node.get("Pg") or page
        if kind == "MCR" or (kind is None and "MCID" in node):
            stream = node.get("Stm")
            mcid = file.get(node, "MCID")
            if isinstance(mcid, int):
                _add(tree, pages, own_page, parent, stream if isinstance(stream, Reference) else None, mcid)
        elif kind == "OBJR" or (kind is None and "Obj" in node):
            target = node.get("Obj")
            if isinstance(target, Reference):
                _add(tree, pages, own_page, parent, target, OBJECT)
        else:
            if isinstance(value, Reference):
                if value in seen:
                    continue
                seen.add(value)
            number = len(tree.elements)
            element = _read_element(file, node, parent, roles, tree.elements)
            tree.elements.append(element)
            inside = _Node(None, number if depth < MAX_DEPTH else parent, own_page, min(depth + 1, MAX_DEPTH))
            before = len(pending)
            room = _push_kids(file, node, inside, pending, room)
            if len(pending) == before and element.replaced_by in (-1, number) and (element.alt or element.actual_text):
                _add(tree, pages, own_page, number, None, _NOTHING)
    if room < 0:
        file.warn(f"the structure tree has over {MAX_NODES} nodes; the rest is left out")
    return tree


def _add(tree: StructureTree, pages: PageTree, page: Value, element: int, stream: Reference | None, mcid: int) -> None:
    index = pages.index(page)
    if index is not None and element >= 0 and _NOTHING <= mcid < 1 << 31:
        tree.add_item(index, Item(element, stream, mcid))


def _push_kids(file: File, node: Dictionary, inside: _Node, pending: list[_Node], room: int) -> int:
    """Put the values of /K on top of `pending`, the first one uppermost; returns for how many more there is room, less
    than 0 where some were left out."""
    kids = file.get(node, "K")
    values = kids if isinstance(kids, list) else [node["K"]] if kids is not None else []
    pending.extend(inside._replace(value=value) for value in reversed(values[: max(0, room)]))
    return room - len(values)


def _read_element(file: File, node: Dictionary, parent: int, roles: Dictionary, elements: list[Element]) -> Element:
    tag = file.get(node, "S")
    tag = tag if isinstance(tag, str) else ""
    actual = _text(file, node, "ActualText")
    replaced_by = elements[parent].replaced_by if parent >= 0 else -1
    if replaced_by < 0 and actual is not None:
        replaced_by = len(elements)
    return Element(
        parent,
        _standard_type(file, node, tag, roles),
        tag,
        _text(file, node, "T"),
        _text(file, node, "Alt"),
        actual,
        _text(file, node, "Lang"),
        replaced_by,
    )


def _text(file: File, node: Dictionary, key: str) -> str | None:
    value = file.get(node, key)
    return decode_text_string(value[:_MAX_TEXT], trim=False) if isinstance(value, bytes) else None


def _standard_type(file: File, node: Dictionary, tag: str, roles: Dictionary) -> str:
    """Where the role map leads (14.7.3), or that of the element's namespace (14.7.4.2); the tag itself without either."""
    space = file.get(node, "NS")
    for _ in range(_MAX_ROLES):
        own = file.get_dictionary(space, "RoleMapNS") if isinstance(space, dict) else roles
        role = file.get(own, tag)
        if isinstance(role, list) and len(role) == 2:
            space = file.resolve(role[1])
            role = file.resolve(role[0])
        if not isinstance(role, str) or role == tag:
            break
        tag = role
    return tag
