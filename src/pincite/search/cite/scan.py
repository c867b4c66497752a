"""From a regular expression to hits: every page is read, in order of documents' names and pages; nothing is ranked."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import regex

from pincite.errors import QueryError
from pincite.model.hit import Hit, Span
from pincite.search.cite.find import LONGEST_PATTERN, MOST_ROWS, shown, stands_in
from pincite.search.index.rows import DocumentRow, SearchFilter, SearchRow
from pincite.search.index.store import Store

MOST_SECONDS = 30.0
"""For all pages together: what an expression costs on a text that somebody made for it has no bound."""


def scan(
    store: Store, pattern: str, narrowing: SearchFilter, limit: int, *, group: bool = False, context: int | None = None
) -> list[Hit]:
    """The first `limit` chunks in which a match of a regular expression begins, as `find` gives its hits.

    The expression is as Python's are, and is looked for in each page's verbatim text; `^` and `$` are the ends of lines too. A
    match of no characters is none; one that goes on over the chunk's end is shown as far as that. Superseded documents are left
    out. With `group` it is the first hit of each document. Raises `QueryError` for what is no regular expression, for a limit
    below 1, and after `MOST_SECONDS`.
    """
    if limit < 1:
        raise QueryError(f"{limit} hits can't be looked for: ask for one or more")
    if len(pattern) > LONGEST_PATTERN:
        raise QueryError(f"the regular expression has {len(pattern):,} characters: write {LONGEST_PATTERN} at most")
    try:
        expression = regex.compile(pattern, regex.MULTILINE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise QueryError(f"{pattern} is no regular expression: {error}") from error
    clock = _Clock()
    context = None if context is None else max(0, min(context, MOST_ROWS))
    hits: list[Hit] = []
    for document in store.documents():
        if document.superseded_by is not None or not (narrowing.documents is None or document.id in narrowing.documents):
            continue
        found = _in_document(store, document, expression, clock, narrowing, context)
        if group:
            first = next(found, None)
            if first is not None:
                hits.append(replace(first, more=sum(1 for _ in found)))
        else:
            hits += (hit for hit, _ in zip(found, range(limit - len(hits)), strict=False))
        if len(hits) >= limit:
            break
    return hits


class _Clock:
    """The time that is left for the pages; raises `QueryError` when there is none."""

    def __init__(self) -> None:
        self._end = time.monotonic() + MOST_SECONDS

    def matches(self, expression: regex.Pattern[str], text: str) -> list[Span]:
        """Where an expression matches some characters."""
        left = self._end - time.monotonic()
        try:
            if left > 0:
                return [found.span() for found in expression.finditer(text, timeout=left) if found.end() > found.start()]
        except TimeoutError:
            pass
        raise QueryError(
            f"the regular expression took longer than {MOST_SECONDS:g} s: make it simpler, or name documents and pages"
        )


def _in_document(
    store: Store,
    document: DocumentRow,
    expression: regex.Pattern[str],
    clock: _Clock,
    narrowing: SearchFilter,
    context: int | None,
) -> Iterator[Hit]:
    for page in store.pages(document.id):
        if narrowing.pages is not None and not any(first <= page.page <= last for first, last in narrowing.pages):
            continue
        matches = clock.matches(expression, page.text)
        if not matches:
            continue
        for chunk in store.chunks(document.id, page.page):
            here = matches[bisect_left(matches, (chunk.start,)) : bisect_left(matches, (chunk.end,))]
            if not here:
                continue
            row = SearchRow(0.0, document.name, page.label, page.text, chunk, 0, sections=page.sections)
            spans = tuple((start - chunk.start, min(end, chunk.end) - chunk.start) for start, end in here)
            if narrowing.sections is None or stands_in(row, spans, narrowing.sections):
                yield shown(row, spans, context, narrowing.sections)
