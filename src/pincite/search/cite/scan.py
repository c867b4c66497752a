"""From a regular expression to hits: every page is read, in order of documents' names and pages; nothing is ranked."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from pincite.errors import QueryError
from pincite.model.chunk import Chunk
from pincite.model.hit import Hit, Span
from pincite.search.cite.find import LONGEST_PATTERN, MOST_ROWS, shown
from pincite.search.index.rows import DocumentRow, PageRow, SearchFilter, SearchRow
from pincite.search.index.store import Store


def scan(
    store: Store, pattern: str, narrowing: SearchFilter, limit: int, *, group: bool = False, context: int | None = None
) -> list[Hit]:
    """The first `limit` chunks in which a match of a regular expression begins, as `find` gives its hits.

    The expression is Python's, and is looked for in each page's verbatim text; `^` and `$` are the ends of lines too. A match
    of no characters is none; one that goes on over the chunk's end is shown as far as that. Superseded documents are left out.
    With `group` it is the first hit of each document. Raises `QueryError` for what is no regular expression, and for a limit
    below 1.
    """
    if limit < 1:
        raise QueryError(f"{limit} hits can't be looked for: ask for one or more")
    if len(pattern) > LONGEST_PATTERN:
        raise QueryError(f"the regular expression has {len(pattern):,} characters: write {LONGEST_PATTERN} at most")
    try:
        expression = re.compile(pattern, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise QueryError(f"{pattern} is no regular expression: {error}") from error
    context = None if context is None else max(0, min(context, MOST_ROWS))
    hits: list[Hit] = []
    for document in store.documents():
        if document.superseded_by is not None or not (narrowing.documents is None or document.id in narrowing.documents):
            continue
        found = _in_document(store, document, expression, narrowing, context)
        if group:
            first = next(found, None)
            if first is not None:
                hits.append(replace(first, more=sum(1 for _ in found)))
        else:
            hits += (hit for hit, _ in zip(found, range(limit - len(hits)), strict=False))
        if len(hits) >= limit:
            break
    return hits


def _in_document(
    store: Store, document: DocumentRow, expression: re.Pattern[str], narrowing: SearchFilter, context: int | None
) -> Iterator[Hit]:
    for page in store.pages(document.id):
        if narrowing.pages is not None and not any(first <= page.page <= last for first, last in narrowing.pages):
            continue
        matches = [found.span() for found in expression.finditer(page.text) if found.end() > found.start()]
        if not matches:
            continue
        for chunk in store.chunks(document.id, page.page):
            here = matches[bisect_left(matches, (chunk.start,)) : bisect_left(matches, (chunk.end,))]
            if here and (narrowing.sections is None or chunk.section in narrowing.sections):
                yield _hit(document, page, chunk, here, context)


def _hit(document: DocumentRow, page: PageRow, chunk: Chunk, matches: list[Span], context: int | None) -> Hit:
    spans = tuple((start - chunk.start, min(end, chunk.end) - chunk.start) for start, end in matches)
    return shown(SearchRow(0.0, document.name, page.label, page.text, chunk, 0), spans, context)
