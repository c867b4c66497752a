"""Chunker `pdf-page-v1`: a page's text cut into the units of search, and the sections that they stand in."""

from __future__ import annotations

from pincite.search.chunk.overlaps import overlaps
from pincite.search.chunk.pages import CHUNKER_VERSION, chunk_page
from pincite.search.chunk.sections import (
    SectionMap,
    SectionsByPage,
    SectionStart,
    inner_titles,
    section_at,
    section_in_force,
    section_spans,
    sections_on,
)

__all__ = [
    "CHUNKER_VERSION",
    "SectionMap",
    "SectionStart",
    "SectionsByPage",
    "chunk_page",
    "inner_titles",
    "overlaps",
    "section_at",
    "section_in_force",
    "section_spans",
    "sections_on",
]
