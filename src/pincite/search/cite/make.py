"""From a quotation, or a page, to its citation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.errors import CitationError
from pincite.model.citation import Citation
from pincite.search.cite.check import Found, Wanted
from pincite.search.cite.find import narrowed
from pincite.search.cite.lookup import look_up
from pincite.search.cite.resolve import require_exact, resolve
from pincite.search.index.rows import DocumentRow, SearchFilter
from pincite.search.index.sought import Phrase, Sought
from pincite.search.index.store import Store
from pincite.search.query import parse_query

MOST_PLACES = 100
MOST_READ = 20
"""Documents of up to this many are read page by page; of more, the index says which pages may hold a quotation."""
MOST_CANDIDATES = 2000
MOST_WORDS = 8
_WORDS = re.compile(r"\S{2,}")


def cite_page(store: Store, name: str, page: int, section: str | None = None, *, with_hash: bool = False) -> Citation:
    """The citation of a page, or of a section on it. Raises `CitationError` where the library has none."""
    lookup = look_up(store, name)
    if lookup.document is None:
        raise CitationError(lookup.reason or lookup.verdict, slug=lookup.verdict)
    document = lookup.document
    citation = Citation(document.name, page, section=section, document_hash=document.id if with_hash else None)
    require_exact(resolve(store, citation))
    return citation


def cite_quotation(
    store: Store,
    quotation: str,
    *,
    documents: Sequence[str] = (),
    pages: Sequence[tuple[int, int]] = (),
    with_hash: bool = False,
) -> list[Citation]:
    """The places where a quotation stands, those where it stands letter by letter first; at most `MOST_PLACES`.

    Raises `CitationError`: `too_short`, or `absent` where it stands nowhere.
    """
    wanted = Wanted(quotation)
    found = list(_places(store, wanted, documents, pages))
    if not found:
        raise CitationError(
            "the quotation stands nowhere in the library: look for its words with `pincite search`",
            slug="absent",
        )
    found.sort(key=lambda place: place[2].grade != "exact")
    return [
        Citation(document.name, page, place.span, document_hash=document.id if with_hash else None)
        for document, page, place in found[:MOST_PLACES]
    ]


def _places(
    store: Store, wanted: Wanted, names: Sequence[str], pages: Sequence[tuple[int, int]]
) -> Iterator[tuple[DocumentRow, int, Found]]:
    rows = {row.id: row for row in store.documents() if row.superseded_by is None}
    # Any word will do to have the filter read.
    narrowing = narrowed(store, parse_query("x"), names, pages, ())
    chosen = set(rows) if narrowing.documents is None else set(rows) & set(narrowing.documents)
    if len(chosen) <= MOST_READ:
        yield from _places_on(store, wanted, rows, pages, dict.fromkeys(chosen))
        return
    seen: set[tuple[str, int]] = set()
    for words in _word_sets(wanted.text):
        asked: dict[str, set[int] | None] = {}
        for identifier, page in _pages_with(store, words, narrowing):
            if (identifier, page) not in seen and identifier in rows:
                seen.add((identifier, page))
                numbers = asked.setdefault(identifier, set())
                assert numbers is not None
                numbers.add(page)
        found = list(_places_on(store, wanted, rows, pages, asked))
        yield from found
        if found:
            return


def _places_on(
    store: Store,
    wanted: Wanted,
    rows: dict[str, DocumentRow],
    pages: Sequence[tuple[int, int]],
    asked: dict[str, set[int] | None],
) -> Iterator[tuple[DocumentRow, int, Found]]:
    """The places on certain pages of some documents; None stands for all pages."""
    for identifier in sorted(asked, key=lambda identifier: rows[identifier].name):
        numbers = asked[identifier]
        if numbers is None:
            readable = ((page.page, page.text) for page in store.pages(identifier))
        else:
            stored = ((number, store.page(identifier, number)) for number in sorted(numbers))
            readable = ((number, page.text) for number, page in stored if page is not None)
        for number, text in readable:
            if not pages or any(first <= number <= last for first, last in pages):
                place = wanted.found_in(text)
                if place is not None:
                    yield rows[identifier], number, place


def _word_sets(text: str) -> Iterator[list[str]]:
    """Words of a quotation to ask the index for: several together first, then one alone, since what a line end breaks, or
    the end of a chunk parts, is not found together."""
    words = sorted(dict.fromkeys(_WORDS.findall(text)), key=len, reverse=True)[:MOST_WORDS]
    for count in (4, 2):
        if len(words) > count:
            yield words[:count]
    for word in words:
        yield [word]


def _pages_with(store: Store, words: list[str], narrowing: SearchFilter) -> Iterator[tuple[str, int]]:
    """The pages that have a chunk with all of these words."""
    query = parse_query(" ".join(f'"{word}"' for word in words))
    clauses = tuple(
        tuple(Phrase(phrase.terms, phrase.prefix) for item in clause for phrase in item.phrases) for clause in query.required
    )
    for row in store.search(Sought(clauses), narrowing, MOST_CANDIDATES):
        yield row.chunk.document, row.chunk.page
