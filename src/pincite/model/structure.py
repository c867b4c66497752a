"""Structure elements: what a tagged file says that its text is, with the places of that text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.model.text import PageSpan


@dataclass(frozen=True, slots=True)
class StructureElement:
    """An element of the structure tree (ISO 32000-2, 14.7.2), with those in it.

    `type` is the standard structure type that the file's role map leads to (P, H1, Table, …: 14.8.4), `tag` the name that the
    file uses. `title`, `alt`, `actual_text` and `language` are what it says of itself, None where it does not. `spans` are the
    places of its own text, without that of its `children`, in the order of the tree.
    """

    type: str
    tag: str
    title: str | None = None
    alt: str | None = None
    actual_text: str | None = None
    language: str | None = None
    spans: tuple[PageSpan, ...] = ()
    children: tuple[StructureElement, ...] = ()

    def walk(self) -> Iterator[StructureElement]:
        """This element and all in it, each before those within it."""
        yield self
        for child in self.children:
            yield from child.walk()
