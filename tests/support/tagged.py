"""Tagged files (ISO 32000-2, 14.8): a structure tree over the pages of a `Sheet`, written as nested tuples.

    tagged(sheet, ("Document", [("H1", [0]), ("P", [1, ("Link", [Object(annotation)]), 2])]))

A number is an MCID of the page that the element is on: the first one, or the one that `page=n` (1-based) in a third part of the
tuple says; it goes over to the elements within. Other keys of that part go into the element's dictionary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pincite
from pincite.pdf.document import Document
from support.pdfsyntax import Reference, name
from support.sheet import Sheet


class Object(NamedTuple):
    """An object as a piece of content."""

    reference: Reference
    page: int | None = None


class Marked(NamedTuple):
    """Marked content of another stream, or of a page of its own."""

    mcid: int
    stream: Reference | None = None
    page: int | None = None


def tagged(sheet: Sheet, *elements: tuple[Any, ...], roles: Mapping[str, str] | None = None) -> Document:
    """Give the sheet's file a tree, write it, and open it."""
    root: dict[str, Any] = {"Type": "/StructTreeRoot"}
    sheet.writer.catalog["StructTreeRoot"] = sheet.writer.add(root)
    root["K"] = [_element(sheet, element, 1) for element in elements]
    root["RoleMap"] = {key: name(value) for key, value in (roles or {}).items()} or None
    return pincite.open(sheet.writer.write())


def mark(mcid: int, content: str, tag: str = "Span") -> str:
    """Content in a sequence of its own (14.6)."""
    return f"/{tag} <</MCID {mcid}>> BDC\n{content}EMC\n"


def artifact(content: str) -> str:
    """Content that is no part of the document proper."""
    return f"/Artifact BMC\n{content}EMC\n"


def _element(sheet: Sheet, element: tuple[Any, ...], page: int) -> Reference:
    tag, kids, *rest = element
    extra = dict(rest[0]) if rest else {}
    page = extra.pop("page", page)
    dictionary: dict[str, Any] = {"Type": "/StructElem", "S": name(tag), "Pg": sheet.writer.page_references[page - 1]}
    dictionary["K"] = _kids(sheet, kids, page)
    return sheet.writer.add(dictionary | extra)


def _kids(sheet: Sheet, kids: Sequence[Any], page: int) -> list[Any]:
    result: list[Any] = []
    for kid in kids:
        own = getattr(kid, "page", None)
        reference = None if own is None else sheet.writer.page_references[own - 1]
        if isinstance(kid, Object):
            result.append({"Type": "/OBJR", "Obj": kid.reference, "Pg": reference})
        elif isinstance(kid, Marked):
            result.append({"Type": "/MCR", "MCID": kid.mcid, "Stm": kid.stream, "Pg": reference})
        elif isinstance(kid, tuple):
            result.append(_element(sheet, kid, page))
        else:
            result.append(kid)
    return result
