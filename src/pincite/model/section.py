"""Sections: the headings of a document with their places."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading. `title` is as printed, its number included, on one line; `level` is 1 for the outermost.

    `span` is where it stands in the default text of `page` (1-based), as a half-open range of code points. For an outline item
    whose words are not on its page it is empty where the item leads to a place on the page, and None where it leads to the
    page alone: the section then begins with the page. A section goes on to the next heading.
    """

    title: str
    level: int
    page: int
    span: Span | None = None
