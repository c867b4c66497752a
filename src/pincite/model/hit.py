"""What a search finds and what a citation resolves to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.model.chunk import Chunk
from pincite.model.citation import Citation

Span = tuple[int, int]
"""A half-open range of Unicode code points."""

Verdict = Literal["exact", "moved", "stale", "absent", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A short piece of a chunk's verbatim text, from its character `start` on; `matches` are spans of `text` itself."""

    text: str
    matches: tuple[Span, ...]
    start: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk that answers a query. `matches` are spans of the page's text; a higher `score` is better.

    `passage` is what stands around the matches, as wide as it was asked for; its `start` counts on the page. `more` counts the
    other chunks of the document that answer, where hits are grouped. A phrase that goes on over the end of the chunk
    `continues` in the chunk cited so, whose hit follows. `section` is the title in force where the first match stands (of
    those in the sections that were asked for), while `chunk.section` is the one that the chunk begins in.
    """

    score: float
    chunk: Chunk
    matches: tuple[Span, ...]
    snippet: Snippet
    citation: Citation
    label: str | None = None
    passage: Snippet | None = None
    more: int = 0
    continues: Citation | None = None
    section: str | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    """What a citation leads to: `text` is the page's text at `span`, or None when the verdict is not `exact` or `moved`.

    `reason` says why there is none and what to do; `candidates` are names of documents that may be meant instead.
    A cell of a table may stand in several `pieces` of the text; `span` then goes from the first to the last, over other words.
    """

    citation: Citation
    verdict: Verdict
    text: str | None = None
    document: str | None = None
    page: int | None = None
    span: Span | None = None
    label: str | None = None
    reason: str | None = None
    candidates: tuple[str, ...] = ()
    pieces: tuple[Span, ...] = ()
