"""Sections: the headings of a document with their places."""

from __future__ import annotations

from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading. `title` is as printed, its number included, on one line; `level` is 1 for the outermost.

    `span` is where it stands in the default text of `page` (1-based), as a half-open range of code points. It is None for an
    outline item whose words are not on its page: the section then begins with the page. A section goes on to the next heading.
    """

    title: str
    level: int
    page: int
    span: Span | None = None
