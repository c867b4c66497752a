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
_WORDS = re.compile(r"[^\W_]{2,}")


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
    asked = None if len(chosen) <= MOST_READ else _candidates(store, wanted, narrowing)
    for identifier, row in rows.items():
        if identifier not in chosen:
            continue
        if asked is None:
            readable = ((page.page, page.text) for page in store.pages(identifier))
        else:
            texts = ((page, store.page(identifier, page)) for page in sorted(asked.get(identifier, ())))
            readable = ((number, page.text) for number, page in texts if page is not None)
        for number, text in readable:
            if pages and not any(first <= number <= last for first, last in pages):
                continue
            place = wanted.found_in(text)
            if place is not None:
                yield row, number, place


def _candidates(store: Store, wanted: Wanted, narrowing: SearchFilter) -> dict[str, set[int]]:
    """The pages of each document on which some words of the quotation stand together, by the index."""
    words = sorted(set(_WORDS.findall(wanted.text)), key=len, reverse=True)[:4]
    asked: dict[str, set[int]] = {}
    for count in range(len(words), 0, -1):
        query = parse_query(" ".join(f'"{word}"' for word in words[:count]))
        clauses = tuple(
            tuple(Phrase(phrase.terms, phrase.prefix) for item in clause for phrase in item.phrases) for clause in query.required
        )
        # Words of a quotation that a line end breaks, or that go over the end of a chunk, are not found: fewer words then.
        for row in store.search(Sought(clauses), narrowing, MOST_CANDIDATES):
            asked.setdefault(row.chunk.document, set()).add(row.chunk.page)
        if len(asked) >= 1 and count <= 2:
            break
    return asked
