"""From a citation to the very words, or to the reason why not; never to other words."""

from __future__ import annotations

import re
from dataclasses import replace

from pincite.errors import CitationError
from pincite.model.citation import Citation
from pincite.model.hit import Quote, Span
from pincite.search.chunk import section_spans, sections_on
from pincite.search.cite.anchor import Quotation, find_again, readings
from pincite.search.cite.cells import TablesOf, resolve_cell
from pincite.search.cite.lookup import look_up
from pincite.search.index.rows import DocumentRow, PageRow
from pincite.search.index.store import Store

_NUMBER = re.compile(r"\s*(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.:)]?\s+")
"""What a printed title may have before the words that somebody cites it by."""


def resolve(store: Store, citation: Citation | str, find_tables: TablesOf | None = None) -> Quote:
    """What a citation leads to. A page without a span is quoted whole, a section as far as it goes on that page.

    `find_tables` gives the tables of a page of a file, for citations that name one.
    Raises `CitationError` (`bad_citation`) for a string that is no citation; every other trouble is a verdict.
    """
    if isinstance(citation, str):
        citation = Citation.parse(citation)
    lookup = look_up(store, citation.name, citation.document_hash)
    document = lookup.document
    if document is None:
        return Quote(citation, lookup.verdict, reason=lookup.reason, candidates=lookup.candidates)
    if citation.page > document.pages:
        return _absent(citation, document, f"{document.name} has {document.pages} pages, and no page {citation.page}")
    page = store.page(document.id, citation.page)
    if page is None:
        why = "was not extracted, since the document is over the limit of pages"
        return _absent(citation, document, f"page {citation.page} of {document.name} {why}")
    if page.state == "failed":
        why = f"could not be read ({page.error}): see `pincite inspect doc`"
        return _absent(citation, document, f"page {citation.page} of {document.name} {why}")
    if citation.table is not None:
        return resolve_cell(citation, document, page, find_tables)
    return _resolve_on(store, citation, document, page)


def require_exact(quote: Quote) -> Quote:
    """The quote itself where it has text; else its verdict as a `CitationError`."""
    if quote.text is None:
        raise CitationError(quote.reason or quote.verdict, slug=quote.verdict)
    return quote


def _resolve_on(store: Store, citation: Citation, document: DocumentRow, page: PageRow) -> Quote:
    span: Span = (0, len(page.text))
    where = f"page {page.page} of {document.name}"
    if citation.section is not None:
        found = _section_spans(store, document, page, citation.section)
        if not found:
            return _absent(
                citation, document, f"no section {citation.section!r} on {where}: cite the page, or search for the passage"
            )
        if len(found) > 1 and citation.span is None:
            quote = _absent(citation, document, f"{len(found)} sections {citation.section!r} on {where}: cite a span instead")
            return replace(quote, verdict="ambiguous")
        span = found[0]
    if citation.span is not None:
        return _resolve_span(store, citation, document, page, citation.span)
    start, end = span
    reason = f"{where} has no text; it may be scanned" if page.state == "empty" else None
    return Quote(citation, "exact", page.text[start:end], document.id, page.page, span, page.label, reason)


def _resolve_span(store: Store, citation: Citation, document: DocumentRow, page: PageRow, span: Span) -> Quote:
    """The words at a span, which may have been counted in a text that the page had once."""
    where = f"page {page.page} of {document.name}"
    start, end = span
    older = store.old_pages(document.id, page.page)
    found = readings(page.text, older, span)
    if not found:
        why = f"{where} has {len(page.text)} characters, and span {start}-{end} goes past them: search for the passage"
        return _absent(citation, document, why)
    quote = Quote(citation, "exact", page.text[start:end], document.id, page.page, span, page.label)
    if found == [None]:
        return quote
    words = [excerpt(page.text if old is None else old.text, span) for old in found]
    if len(found) > 1:
        why = (
            f"the text of {where} was made anew since, and {start}-{end} may mean {' or '.join(words)}: search for the passage, "
            "and cite it anew"
        )
        return replace(_absent(citation, document, why), verdict="ambiguous")
    (old,) = found
    assert old is not None  # the other case is above
    places = find_again(Quotation.of(old.text, span), page.text)
    if not places:
        why = f"the text of {where} was made anew since, and {words[0]}, which was cited, is not in it: look at the page"
        return _absent(citation, document, why)
    if len(places) > 1:
        why = f"the text of {where} was made anew since, and {words[0]}, which was cited, stands there {len(places)} times now"
        return replace(_absent(citation, document, f"{why}: cite one place anew"), verdict="ambiguous")
    start, end = places[0]
    reason = f"the text of {where} was made anew since: what was {span[0]}-{span[1]} is {start}-{end} now"
    return replace(quote, verdict="moved", text=page.text[start:end], span=(start, end), reason=reason)


def excerpt(text: str, span: Span) -> str:
    words = " ".join(text[slice(*span)].split())
    return repr(words if len(words) <= 60 else words[:57] + "…")


def _section_spans(store: Store, document: DocumentRow, page: PageRow, title: str) -> list[Span]:
    """Where on the page sections of this title go; an outline item whose place on its page is not known takes the page."""
    outline = store.outline(document.id)
    starts = sections_on(outline, page.page) if page.sections is None else page.sections
    wanted = _plain(title)
    spans = [
        (section.start, end)
        for section, end in section_spans(starts, len(page.text))
        if wanted in (_plain(section.title), _plain(_NUMBER.sub("", section.title, count=1)))
    ]
    items = sum(item.page == page.page and _plain(item.title) == wanted for item in outline)
    return spans + [(0, len(page.text))] * (items - len(spans))


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def _absent(citation: Citation, document: DocumentRow, reason: str) -> Quote:
    return Quote(citation, "absent", document=document.id, page=citation.page, reason=reason)
