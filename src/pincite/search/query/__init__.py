"""Queries: what a user types, as an expression for the full-text table, and what of a text answers it."""

from __future__ import annotations

from pincite.search.query.expression import has_spacing, phrases_of, sought
from pincite.search.query.matching import answers, match_spans
from pincite.search.query.snippets import snippet
from pincite.search.query.syntax import EVERYWHERE, PageRange, Query, Wanted, merge_pages, parse_query
from pincite.search.query.words import TermPhrase

__all__ = [
    "EVERYWHERE",
    "PageRange",
    "Query",
    "TermPhrase",
    "Wanted",
    "answers",
    "has_spacing",
    "match_spans",
    "merge_pages",
    "parse_query",
    "phrases_of",
    "snippet",
    "sought",
]
