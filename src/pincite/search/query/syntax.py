"""The query language: words, "phrases", -exclusions, OR, and the filters doc: and page:.

    query     = clause { clause }                  all of the clauses must hold
    clause    = item { "OR" item }                 any of the items
    item      = word | '"' words '"' | "-" word | "-" '"' words '"' | "doc:" name | "-doc:" name | "page:" pages
    pages     = range { "," range }                range = N | N "-" N | N "-" | "-" N

Whatever else does not fit is read as words, so every string is a query but one without a word in it, or with pages that are
none. A word may end in `*`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.errors import QueryError
from pincite.search.query.words import TermPhrase, phrases_of_quotation, phrases_of_word, spaced_phrases_of_word

__all__ = ["LAST_PAGE", "PageRange", "Query", "Wanted", "merge_pages", "parse_query"]

PageRange = tuple[int, int]
"""First and last physical page, both included, 1-based."""
LAST_PAGE = 2**31 - 1
"""The end of an open page range."""
MOST_ITEMS = 200
"""A query of more words and quotations than this is cut: what a passage of such length finds, its first words decide."""
MOST_PAGE_RANGES = 100

_QUOTES = '"“”„‟＂'
_ITEM = re.compile(
    f"(?P<minus>-)?(?:(?P<filter>doc|page):)?(?:[{_QUOTES}](?P<quoted>[^{_QUOTES}]*)[{_QUOTES}]|(?P<word>[^\\s{_QUOTES}]+))",
    re.IGNORECASE,
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_PAGES = re.compile(r"(?:[0-9]{1,9}(?:-[0-9]{0,9})?|-[0-9]{1,9})(?:,(?:[0-9]{1,9}(?:-[0-9]{0,9})?|-[0-9]{1,9}))*\Z")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One word or quotation of a query: it is there where any of its phrases is. `text` is as the user typed it.

    `spaced` are the phrases that it has where the writer set spaces that the user did not.
    """

    text: str
    quoted: bool
    phrases: tuple[TermPhrase, ...]
    spaced: tuple[TermPhrase, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    A chunk answers it when of every clause in `required` one item is there, and none of `excluded`. `documents` are names
    or globs of which one must fit where there are any, `excluded_documents` must not; a page must lie in one of `pages` where
    there are any: first and last page, in order, apart from each other.
    """

    text: str
    required: tuple[tuple[Wanted, ...], ...]
    excluded: tuple[Wanted, ...] = ()
    documents: tuple[str, ...] = ()
    excluded_documents: tuple[str, ...] = ()
    pages: tuple[PageRange, ...] = ()


EVERYWHERE = Query("", ())
"""Asks for no word, and narrows nothing."""


def parse_query(text: str) -> Query:
    """Read a query. Raises QueryError (`bad_query`) where there is nothing to look for, and as `merge_pages` does."""
    text = _SURROGATES.sub("\ufffd", text)
    required: list[list[Wanted]] = []
    excluded: list[Wanted] = []
    documents: list[str] = []
    excluded_documents: list[str] = []
    pages: list[PageRange] = []
    pending_or = False
    items = 0
    for found in _ITEM.finditer(text):
        kind = (found["filter"] or "").lower()
        value = found["quoted"] if found["quoted"] is not None else found["word"]
        if kind == "doc" and value.strip():
            (excluded_documents if found["minus"] else documents).append(value.strip())
            continue
        if kind == "page" and value.strip():
            pages.extend(_page_ranges(found[0], value))
            continue
        if found[0] in ("OR", "AND"):
            pending_or = found[0] == "OR" and bool(required)
            continue
        wanted = _wanted(found)
        if wanted is None:
            continue
        items += 1
        if items > MOST_ITEMS:
            break
        if found["minus"]:
            excluded.append(wanted)
        elif pending_or:
            required[-1].append(wanted)
        else:
            required.append([wanted])
        pending_or = False
    if not required:
        if excluded:
            raise QueryError("the query only says what to leave out: add a word to look for")
        if documents or excluded_documents or pages:
            raise QueryError("the query only says where to look: add a word to look for")
        raise QueryError("the query holds no word: type one or more words, or a phrase in double quotes")
    merged = merge_pages(pages)
    clauses = tuple(tuple(alternatives) for alternatives in required)
    return Query(text, clauses, tuple(excluded), tuple(documents), tuple(excluded_documents), merged)


def _wanted(found: re.Match[str]) -> Wanted | None:
    """What an item asks for; None where it holds no word."""
    quoted = found["quoted"] is not None and not found["filter"]
    text = found[0].removeprefix("-") if found["minus"] else found[0]
    phrases = phrases_of_quotation(text) if quoted else phrases_of_word(text)
    if not phrases:
        return None
    return Wanted(text, quoted, phrases, () if quoted else spaced_phrases_of_word(text))


def _page_ranges(item: str, value: str) -> list[PageRange]:
    """The ranges of a page filter. Raises QueryError where it is none: taken for words it would find nothing, and not say why."""
    if item.startswith("-") or not _PAGES.match(value):
        raise QueryError(f"{item} names no pages: write page:7, page:3-10 or page:3-, or put it in quotes to look for it")
    ranges = []
    for part in value.split(","):
        first, dash, last = part.partition("-")
        low = int(first or 1)
        ranges.append((low, int(last) if last else LAST_PAGE if dash else low))
    return ranges


def merge_pages(ranges: Iterable[PageRange]) -> tuple[PageRange, ...]:
    """The ranges in order, those that overlap or follow on one another put together.

    Raises QueryError for one that holds no page, and where more than a hundred are left.
    """
    merged: list[PageRange] = []
    for low, high in sorted(ranges):
        if not 1 <= low <= high:
            raise QueryError(f"the pages {low} to {high} are none: pages count from 1, and ranges upwards")
        low, high = min(low, LAST_PAGE), min(high, LAST_PAGE)
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    if len(merged) > MOST_PAGE_RANGES:
        raise QueryError(f"the query names {len(merged):,} page ranges: name at most {MOST_PAGE_RANGES}, or search all pages")
    return tuple(merged)
