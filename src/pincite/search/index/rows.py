"""What the library on disk holds, as plain data: one class for each kind of row."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.model.chunk import Chunk
from pincite.model.hit import Span
from pincite.model.text import OutlineItem
from pincite.search.chunk import SectionStart, section_in_force

PageState = Literal["text", "empty", "failed", "garbled", "ocr"]
"""What stands behind a page's text: the text layer (`text`, or `garbled` where most glyphs have no Unicode value),
nothing (`empty`: blank or scanned; `failed`: could not be read), or recognition (`ocr`)."""

ALTERED = "altered"
"""Stands instead of a document's text version where its stored text was found to be another than what was read."""

Provenance = dict[str, Any]
"""How a document's text came about: JSON values only."""


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document about to be stored. `id` is the SHA-256 of its bytes in hex, `pages` the full count of its pages."""

    id: str
    pages: int
    text_version: str
    title: str | None = None
    outline: tuple[OutlineItem, ...] = ()
    provenance: Provenance = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A stored document. `superseded_by` names the document that took its place when the file at its path changed."""

    id: str
    name: str
    pages: int
    title: str | None
    text_version: str
    provenance: Provenance
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True)
class PageRow:
    """One page of a document, 1-based. `text` is verbatim and never changes under one text version. `sections` say where on the
    page sections start, where that is known."""

    page: int
    text: str
    state: PageState
    label: str | None = None
    error: str | None = None
    quality: dict[str, Any] | None = None
    sections: tuple[SectionStart, ...] | None = None


@dataclass(frozen=True, slots=True)
class OldPage:
    """The text that a page had under an older text version, where it was another one."""

    text_version: str
    text: str


@dataclass(frozen=True, slots=True)
class PageSummary:
    """A page without its text: `characters` are code points, `ocr` is the state of its recognition job."""

    page: int
    label: str | None
    state: PageState
    characters: int
    chunks: int
    error: str | None
    ocr: str | None


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk with its analysed terms in one string, which is what the full-text table takes in. `body` is the part of its text
    without what runs at its beginning and its end, None for all of it."""

    chunk: Chunk
    terms: str
    body: Span | None = None


@dataclass(frozen=True, slots=True)
class NewPage:
    """A page with its chunks; `ocr` marks a page without text whose picture may hold some."""

    row: PageRow
    chunks: tuple[IndexedChunk, ...] = ()
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Location:
    """Where the bytes of a document were seen. `path` is absolute, with surrogate escapes where it is not UTF-8;
    `size` in bytes and `mtime_ns` tell cheaply that a file has not changed since. `missing_since` is when it was found gone."""

    path: str
    size: int
    mtime_ns: int
    missing_since: str | None = None


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A file that could not be taken in, or not wholly. `document` is its SHA-256 where it was read that far,
    `last_page` the last page that was finished, `partial` says that the finished pages are in the library."""

    path: str
    size: int
    mtime_ns: int
    slug: str
    stage: str
    message: str
    extractor: str
    failed_at: str
    document: str | None = None
    signal: int | None = None
    last_page: int | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search is narrowed to. `documents` are SHA-256s, of which one must be the chunk's; `pages` are ranges of
    physical pages, both ends included, of which one must hold the chunk's; `sections` are titles, of which one must be of a
    section that the chunk begins in or that begins in it. None asks nothing."""

    documents: tuple[str, ...] | None = None
    pages: tuple[tuple[int, int], ...] | None = None
    sections: tuple[str, ...] | None = None


EVERYTHING = SearchFilter()


@dataclass(frozen=True, slots=True)
class SearchRow:
    """One chunk that the full-text table found, with its number; a higher `score` is better. `running` are the spans of its page
    that run, `sections` say where on the page sections start, where that is known."""

    score: float
    name: str
    label: str | None
    page_text: str
    chunk: Chunk
    number: int
    running: tuple[Span, ...] = ()
    sections: tuple[SectionStart, ...] | None = None

    def section_at(self, offset: int) -> str | None:
        """The title of the section in force at a code point of the page's text, from the chunk's start on."""
        return self.chunk.section if self.sections is None else section_in_force(self.sections, offset)


def encode_name(name: str) -> bytes:
    """A cite name as it is stored: UTF-8, with surrogate escapes as the bytes that they stand for."""
    return name.encode("utf-8", "surrogateescape")


def decode_name(stored: bytes) -> str:
    """The inverse of `encode_name`."""
    return stored.decode("utf-8", "surrogateescape")


def decode_sections(stored: str | None) -> tuple[SectionStart, ...] | None:
    """Where sections start on a page, as it is stored with the page; None where the outline alone says it."""
    return None if stored is None else tuple(SectionStart(*start) for start in json.loads(stored))
