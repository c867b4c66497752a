"""From a query to hits, each with its citation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Literal

from pincite.errors import QueryError
from pincite.model.citation import Citation
from pincite.model.hit import Hit, Snippet, Span
from pincite.search.chunk import inner_titles
from pincite.search.cite.naming import name_fits
from pincite.search.index.rows import SearchFilter, SearchRow
from pincite.search.index.running import blanked, part_of_page
from pincite.search.index.store import Store
from pincite.search.index.terms import seam_readings
from pincite.search.query import Query, answers, has_spacing, match_spans, merge_pages, phrases_of, snippet, sought

Order = Literal["score", "document"]

MOST_SEAMS = 100
"""Page turns looked at for one query."""
MOST_COUNTED = 1000
"""Further hits of one document, counted where hits are grouped."""
MOST_ROWS = 1_000_000
LONGEST_PATTERN = 1000
"""Characters of a name, a title or a glob; reading a glob takes a time that grows with the square of its length."""


def find(
    store: Store,
    query: Query,
    narrowing: SearchFilter,
    limit: int,
    *,
    order: Order = "score",
    group: bool = False,
    context: int | None = None,
) -> list[Hit]:
    """The best `limit` hits, best first, or by document and page.

    With `group` they are the best hits of `limit` documents, one each, and `more` says how many others there are. `context`
    is how many characters of the page `passage` shows before and after the matches. Raises `QueryError` for a limit below 1.
    """
    if limit < 1:
        raise QueryError(f"{limit} hits can't be looked for: ask for one or more")
    limit = min(limit, MOST_ROWS)
    context = None if context is None else max(0, min(context, MOST_ROWS))
    search = _Search(store, query, narrowing, limit)
    rows = search.best_of_documents() if group else search.in_order() if order == "document" else search.best()
    if group and order == "document":
        rows.sort(key=lambda row: row.name.encode("utf-8", "surrogateescape"))
    hits = [shown(row, _matches(query, row), context, narrowing.sections) for row in rows]
    if group:
        return [replace(hit, more=search.more_in(hit.chunk.document)) for hit in hits]
    if len(hits) < limit:
        hits += search.over_seams({row.number for row in rows}, limit - len(hits), context)
    return hits


def narrowed(
    store: Store, query: Query, documents: Sequence[str], pages: Sequence[Span], sections: Sequence[str]
) -> SearchFilter:
    """The filters of a query together with further ones: names or globs, first and last pages, parts of titles or globs.

    Raises `QueryError` for a name or a title that nothing has, and for what holds no page: nothing would be found, and the words
    would seem to be missing.
    """
    wanted, unwanted = (*query.documents, *documents), query.excluded_documents
    chosen = None
    if wanted or unwanted:
        names = store.names()
        fitting = {pattern: _fitting(pattern, "name", names, name_fits) for pattern in (*wanted, *unwanted)}
        for pattern in wanted:
            if not fitting[pattern]:
                raise QueryError(f"no document is named like {pattern}: see `pincite list`")
        kept = set[str]().union(*(fitting[pattern] for pattern in wanted)) if wanted else {document for document, _ in names}
        left_out = set[str]().union(*(fitting[pattern] for pattern in unwanted))
        chosen = tuple(document for document, _ in names if document in kept and document not in left_out)
    titles = None
    if sections:
        known = [(title, title) for title in store.sections()]
        found = {pattern: _fitting(pattern, "title", known, _title_fits) for pattern in sections}
        for pattern in sections:
            if not found[pattern]:
                raise QueryError(f"no section has a title like {pattern}: see `pincite inspect doc NAME`")
        titles = tuple(set[str]().union(*found.values()))
    return SearchFilter(chosen, merge_pages((*query.pages, *pages)) or None, titles)


def _fitting(pattern: str, kind: str, named: Iterable[tuple[str, str]], fits: Callable[[str, str], bool]) -> set[str]:
    """The first of each pair whose second a pattern fits."""
    if len(pattern) > LONGEST_PATTERN:
        raise QueryError(f"a {kind} to look for has {len(pattern):,} characters: write {LONGEST_PATTERN} at most")
    return {identifier for identifier, name in named if fits(pattern, name)}


def _title_fits(pattern: str, title: str) -> bool:
    """Whether a title is meant: any part of it, or the whole where the pattern is a glob; case and spaces do not matter."""
    wanted, shown = " ".join(pattern.split()).casefold(), " ".join(title.split()).casefold()
    return fnmatchcase(shown, wanted) if any(sign in wanted for sign in "*?[") else wanted in shown


class _Search:
    def __init__(self, store: Store, query: Query, narrowing: SearchFilter, limit: int) -> None:
        self._store = store
        self._query = query
        self._narrowing = narrowing
        self._limit = limit
        self._sought = sought(query, spacing=False)

    def best(self) -> list[SearchRow]:
        """The best rows; what a word is with spaces set in it costs many phrases, and is asked for where there are too few."""
        rows = self._best(self._limit)
        if len(rows) < self._limit and has_spacing(self._query):
            self._sought = sought(self._query, spacing=True)
            rows = self._best(self._limit)
        return rows

    def _best(self, limit: int) -> list[SearchRow]:
        return self._in_sections(lambda asked: self._store.search(self._sought, self._narrowing, asked), limit)

    def in_order(self) -> list[SearchRow]:
        self._sought = sought(self._query, spacing=True)
        return self._in_sections(lambda asked: self._store.in_order(self._sought, self._narrowing, asked), self._limit)

    def _in_sections(self, ask: Callable[[int], list[SearchRow]], limit: int) -> list[SearchRow]:
        """The first `limit` rows with a match in one of the sections that are asked for: a chunk may be in several."""
        titles = self._narrowing.sections
        if titles is None:
            return ask(limit)
        asked, known = 2 * limit, dict[int, bool]()
        while True:
            rows, kept = ask(asked), list[SearchRow]()
            for row in rows:
                if row.number not in known:
                    known[row.number] = _is_all_in(row, titles) or stands_in(row, _matches(self._query, row), titles)
                if known[row.number]:
                    kept.append(row)
                if len(kept) == limit:
                    return kept
            if len(rows) < asked or asked >= MOST_ROWS:
                return kept
            asked = min(4 * asked, MOST_ROWS)

    def best_of_documents(self) -> list[SearchRow]:
        """The best row of each of the `limit` documents that have the best rows."""
        self._sought = sought(self._query, spacing=True)
        asked = 4 * self._limit
        while True:
            rows = self._best(asked)
            best: dict[str, SearchRow] = {}
            for row in rows:
                best.setdefault(row.chunk.document, row)
            if len(best) >= self._limit or len(rows) < asked or asked >= MOST_ROWS:
                return list(best.values())[: self._limit]
            asked *= 10

    def more_in(self, document: str) -> int:
        """How many chunks of a document answer beside the one that is shown."""
        narrowing = SearchFilter((document,), self._narrowing.pages, self._narrowing.sections)
        if narrowing.sections is None:
            return self._store.count(self._sought, narrowing, MOST_COUNTED + 1) - 1
        ask = self._store.in_order
        return len(self._in_sections(lambda asked: ask(self._sought, narrowing, asked), MOST_COUNTED + 1)) - 1

    def over_seams(self, known: set[int], limit: int, context: int | None) -> list[Hit]:
        """Two hits for each place where a quotation of the query goes on from one chunk to the next."""
        quoted = [item for clause in self._query.required for item in clause if item.quoted]
        phrases = tuple(phrase for item in quoted for phrase in phrases_of(item, spacing=False) if len(phrase.terms) > 1)
        hits: list[Hit] = []
        if not phrases:
            return hits
        for first, second in self._store.over_seams(phrases, self._narrowing, MOST_SEAMS):
            if len(hits) >= limit:
                break
            if first.number in known or second.number in known:
                continue
            hits += self._over_seam(first, second, context)
        return hits

    def _over_seam(self, first: SearchRow, second: SearchRow, context: int | None) -> list[Hit]:
        before, after = first.chunk, second.chunk
        parts = [part_of_page(row.page_text, row.chunk.start, row.chunk.end, row.running) for row in (first, second)]
        for seam in seam_readings(*parts):
            head, tail = before.text[: seam.before[1]], after.text[seam.after[0] :]
            if not answers(self._query, f"{head}\n{tail}"):
                continue
            spans = match_spans(self._query, seam.text(before.text, after.text))
            meeting = seam.before[1] - seam.before[0]
            for start, end in spans:
                if start < meeting and end > meeting + 1:
                    here = (seam.before[0] + start, len(before.text[: seam.before[1]].rstrip()))
                    there = (seam.after[0], seam.after[0] + end - meeting - 1)
                    titles = self._narrowing.sections
                    if titles is not None and not stands_in(first, (here,), titles):
                        return []
                    return [
                        replace(shown(first, (here,), context, titles), continues=_citation(second)),
                        shown(second, (there,), context),
                    ]
        return []


def _matches(query: Query, row: SearchRow) -> tuple[Span, ...]:
    """Where in a chunk's text the query matches."""
    chunk = row.chunk
    counting = blanked(row.page_text, row.running)[chunk.start : chunk.end] if row.running else chunk.text
    # what is found in a running head alone is shown there
    return match_spans(query, counting) or match_spans(query, chunk.text)


def _is_all_in(row: SearchRow, titles: Sequence[str]) -> bool:
    """Whether a chunk has no part outside of the sections of these titles, so that no match need be looked for."""
    chunk = row.chunk
    inner = inner_titles(row.sections or (), chunk.start, chunk.end)
    return row.section_at(chunk.start) in titles and all(title in titles for title in inner)


def stands_in(row: SearchRow, spans: Iterable[Span], titles: Sequence[str]) -> bool:
    """Whether a match, a span of the chunk's text, stands in a section of one of these titles, as far as spans tell."""
    return any(row.section_at(row.chunk.start + start) in titles for start, _ in spans) or not spans


def shown(row: SearchRow, spans: tuple[Span, ...], context: int | None, titles: Sequence[str] | None = None) -> Hit:
    """A hit for a row whose chunk's text has the matches `spans`; with `titles` the first in such a section counts."""
    chunk = row.chunk
    matches = tuple((start + chunk.start, end + chunk.start) for start, end in spans)
    passage = None if context is None else _passage(row.page_text, matches, context)
    named = [row.section_at(start) for start, _ in matches] or [chunk.section]
    section = next((title for title in named if titles is not None and title in titles), named[0])
    return Hit(row.score, chunk, matches, snippet(chunk.text, spans), _citation(row), row.label, passage, section=section)


def _citation(row: SearchRow) -> Citation:
    return Citation(row.name, row.chunk.page, (row.chunk.start, row.chunk.end))


def _passage(text: str, matches: tuple[Span, ...], context: int) -> Snippet:
    """What of a page stands from `context` characters before the densest matches to as many after them."""
    dense = snippet(text, matches)
    if not dense.matches:
        return Snippet(text[: 2 * context], ())
    first, last = dense.start + dense.matches[0][0], dense.start + dense.matches[-1][1]
    start, end = max(0, first - context), min(len(text), last + context)
    shown = tuple((max(low, start) - start, min(high, end) - start) for low, high in matches if low < end and high > start)
    return Snippet(text[start:end], shown, start)
