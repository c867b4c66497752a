"""The unit of search: a span of one page's text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A half-open span of Unicode code points of one page, never across a page: `page_text[start:end] == text`.

    `document` is the SHA-256 of the file in hex, `page` is 1-based, `ordinal` counts the chunks of a page from 0,
    `section` is the outline's title in force at the chunk's start.
    """

    document: str
    page: int
    start: int
    end: int
    text: str
    ordinal: int
    section: str | None = None
