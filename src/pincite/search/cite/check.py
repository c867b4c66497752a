"""Grading a quotation: are these the words that stand there?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property

from pincite.errors import CitationError
from pincite.model.check import Check, Edit, Grade
from pincite.model.citation import Citation
from pincite.model.hit import Quote, Span
from pincite.search.cite.cells import TablesOf
from pincite.search.cite.lookup import look_up
from pincite.search.cite.resolve import resolve
from pincite.search.cite.wording import Wording, differences, literal_occurrences, occurrences, parts, skim, unquoted, wording
from pincite.search.index.rows import DocumentRow
from pincite.search.index.running import part_of_page, running_spans
from pincite.search.index.store import Store

SHORTEST_QUOTATION = 12
"""Characters; anything shorter stands everywhere by chance."""
NEAR = 85.0
"""The likeness in percent from which on a passage counts as the one that was meant."""
MOST_STEPS = 12
LONGEST_OMISSION = 2000
"""Characters that dots in a quotation may stand for."""
_WORD = re.compile(r"\S+")


def check(store: Store, quotation: str, citation: Citation | str, find_tables: TablesOf | None = None) -> Check:
    """Grade a quotation against the page that a citation names. `find_tables` is as for `resolve`.

    Raises `CitationError`: `too_short`, or as `resolve` says where the citation leads to no document.
    """
    if isinstance(citation, str):
        citation = Citation.parse(citation)
    wanted = Wanted(quotation)
    lookup = look_up(store, citation.name, citation.document_hash)
    document = lookup.document
    if document is None:
        raise CitationError(lookup.reason or lookup.verdict, slug=lookup.verdict)
    quote = resolve(store, citation, find_tables)
    page = store.page(document.id, citation.page)
    cited = wanted.found_in(page.text, quote.span) if page is not None else None
    if cited is None and quote.pieces and quote.text is not None and quote.span is not None:
        # the words of a cell that others stand between
        cited = wanted.found_in(quote.text)
        cited = None if cited is None else replace(cited, span=quote.span)
    if cited is None and page is not None:
        cited = _over_the_page_turn(store, document, wanted, citation.page)
    if cited is not None:
        return _result(cited.grade, wanted, document, citation.page, cited, quote)
    elsewhere = next(wanted.find_in(store, document, without=citation.page), None)
    if elsewhere is not None:
        number, found = elsewhere
        return _result("wrong_page", wanted, document, number, found, quote)
    likeness = [(citation.page, page.text)] if page is not None else []
    near = wanted.nearest(likeness)
    if near is not None:
        return _result("near", wanted, document, *near, quote)
    others = ((row.page, row.text) for row in store.pages(document.id) if row.page != citation.page)
    near = wanted.nearest(others)
    if near is not None:
        return _result("wrong_page", wanted, document, *near, quote)
    return Check("absent", citation, reason=_why_absent(document, citation, quote))


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quotation stands on a page, and how well."""

    grade: Grade
    text: str
    span: Span
    likeness: float = 100.0
    differences: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    turn: Span | None = None
    """Where it goes on over the page turn: the span on the next page."""


class Wanted:
    """A quotation to be found. Raises `CitationError` (`too_short`)."""

    def __init__(self, quotation: str) -> None:
        self.text = unquoted(quotation)
        if len(" ".join(self.text.split())) < SHORTEST_QUOTATION:
            raise CitationError(
                f"the quotation has fewer than {SHORTEST_QUOTATION} characters, and so few stand anywhere: quote more words",
                slug="too_short",
            )
        self._parts = parts(self.text) or [self.text]
        self._wordings = [wording(part).text for part in self._parts]

    @cached_property
    def _skims(self) -> list[str]:
        return [skim(part) for part in self._parts]

    def may_be_in(self, text: str) -> bool:
        """False where a text can't hold the quotation."""
        skimmed = skim(text)
        return all(part in skimmed for part in self._skims)

    def found_in(self, text: str, near: Span | None = None) -> Found | None:
        """The place of the quotation in a page's text, `exact` or `folded`: the one inside `near` before others."""
        literal = literal_occurrences(self.text, text)
        spans = literal
        if not literal:
            if not self.may_be_in(text):
                return None
            spans = self._spans(wording(text))
            if not spans:
                return None
        span = min(spans, key=lambda span: near is None or not _is_inside(span, near))
        passage = text[slice(*span)]
        if literal:
            return Found("exact", passage, span)
        if len(self._parts) > 1:
            return Found("folded", passage, span, differences=("ellipsis",))
        return Found("folded", passage, span, differences=differences(self.text, passage))

    def _spans(self, page: Wording) -> list[Span]:
        places = [occurrences(needle, page) for needle in self._wordings]
        found = []
        for first in places[0]:
            end = first[1]
            for following in places[1:]:
                at = bisect_left(following, (end, 0))
                if at == len(following) or following[at][0] - end > LONGEST_OMISSION:
                    break
                end = following[at][1]
            else:
                found.append((first[0], end))
        return found

    def find_in(self, store: Store, document: DocumentRow, without: int | None = None) -> Iterator[tuple[int, Found]]:
        """The pages of a document where the quotation stands, `exact` or `folded`."""
        for row in store.pages(document.id):
            if row.page != without:
                found = self.found_in(row.text)
                if found is not None:
                    yield row.page, found

    def nearest(self, pages: Iterator[tuple[int, str]] | list[tuple[int, str]]) -> tuple[int, Found] | None:
        """The passage that is most like the quotation, if any is like enough; one contiguous run of a page."""
        from rapidfuzz import fuzz

        needle = wording(self.text).text
        best: tuple[int, Found] | None = None
        least = NEAR
        for number, text in pages:
            page = wording(text)
            if len(page.text) * 2 < len(needle):
                continue
            aligned = fuzz.partial_ratio_alignment(needle, page.text, score_cutoff=least)
            if aligned is None or aligned.dest_end <= aligned.dest_start:
                continue
            start, end = self._fitted(text, _whole_words(text, page.span(aligned.dest_start, aligned.dest_end)))
            passage = text[start:end]
            likeness = _likeness(needle, text, (start, end))
            if likeness >= least:
                edits = _edits(self.text, passage)
                best, least = (number, Found("near", passage, (start, end), round(likeness, 1), edits=edits)), likeness
        return best


    def _fitted(self, text: str, span: Span) -> Span:
        """A span with a word more or less at either end, as long as that makes it more like the quotation."""
        needle = wording(self.text).text
        best = _likeness(needle, text, span)
        for _ in range(MOST_STEPS):
            steps = [(_likeness(needle, text, step), step) for step in _neighbours(text, span)]
            score, step = max(steps, default=(0.0, span))
            if score <= best:
                break
            best, span = score, step
        start, end = span
        # Of the passage's last word only what the quotation has of it, too.
        while end - start > 1 and not text[end - 1].isalnum() and text[end - 1] != self.text[-1]:
            end -= 1
        return start, end


def _likeness(needle: str, text: str, span: Span) -> float:
    """How like a passage of a text is to a wording, in percent."""
    from rapidfuzz import fuzz

    return fuzz.ratio(needle, wording(text[slice(*span)]).text)


def _neighbours(text: str, span: Span) -> list[Span]:
    """The spans with one word more or less at one end."""
    start, end = span
    starts = [found.start() for found in _WORD.finditer(text, max(0, start - 100), end)]
    ends = [found.end() for found in _WORD.finditer(text, start, min(len(text), end + 100))]
    before, after = [at for at in starts if at < start][-1:], [at for at in starts if at > start][:1]
    shorter, longer = [at for at in ends if at < end][-1:], [at for at in ends if at > end][:1]
    return [(at, end) for at in (*before, *after) if at < end] + [(start, at) for at in (*shorter, *longer) if at > start]


def _over_the_page_turn(store: Store, document: DocumentRow, wanted: Wanted, number: int) -> Found | None:
    """A quotation that begins on a page and ends on the next; running feet and heads may stand between."""
    page, after = store.page(document.id, number), store.page(document.id, number + 1)
    if page is None or after is None or not page.text or not after.text:
        return None
    body = part_of_page(page.text, 0, len(page.text), running_spans(page.quality))
    following = part_of_page(after.text, 0, len(after.text), running_spans(after.quality))
    for last, first in dict.fromkeys(((len(page.text), 0), (body.body_end, following.body_start))):
        found = wanted.found_in(f"{page.text[:last]}\n{after.text[first:]}")
        if found is not None and found.span[0] <= last < found.span[1] - 1:
            start, end = found.span
            turn = (first, first + end - last - 1)
            return Found(found.grade, found.text, (start, last), differences=found.differences, turn=turn)
    return None


def _whole_words(text: str, span: Span) -> Span:
    """A span widened to whole words; a word of which less than half is inside is left out."""
    start, end = span
    low, high = start, start
    while low > 0 and text[low - 1].isalnum():
        low -= 1
    while high < end and text[high].isalnum():
        high += 1
    start = low if start - low <= high - start else high
    while start < end and text[start].isspace():
        start += 1
    low, high = end, end
    while high < len(text) and text[high].isalnum():
        high += 1
    while low > start and text[low - 1].isalnum():
        low -= 1
    return start, max(start + 1, high if high - end <= end - low else low)


def _edits(quotation: str, passage: str) -> tuple[Edit, ...]:
    """What was made of the passage's words in the quotation, word by word."""
    quoted, standing = quotation.split(), passage.split()
    plain, plain_quoted = ([wording(word).text for word in words] for words in (standing, quoted))
    found = SequenceMatcher(None, plain, plain_quoted, autojunk=False).get_opcodes()
    return tuple(Edit(" ".join(standing[a:b]), " ".join(quoted[c:d])) for kind, a, b, c, d in found if kind != "equal")


def _is_inside(span: Span, outer: Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]


def _result(grade: Grade, wanted: Wanted, document: DocumentRow, page: int, found: Found, quote: Quote) -> Check:
    at = Citation(document.name, page, found.span, document_hash=quote.citation.document_hash)
    places = [at]
    if found.turn is not None:
        places.append(Citation(document.name, page + 1, found.turn, document_hash=quote.citation.document_hash))
    within = None
    if quote.span is not None and quote.citation.page == page:
        within = _is_inside(found.span, quote.span) and found.turn is None
    return Check(
        grade,
        quote.citation,
        tuple(places),
        found.text,
        found.likeness,
        found.differences,
        found.edits,
        within,
        _reason(grade, quote, page, within),
    )


def _reason(grade: Grade, quote: Quote, page: int, within: bool | None) -> str | None:
    cited = quote.citation
    if grade == "wrong_page":
        return f"not on page {cited.page}, but on page {page}"
    if within is False and cited.span is not None:
        return "on the page, but not, or not wholly, in the span that is cited"
    return None


def _why_absent(document: DocumentRow, citation: Citation, quote: Quote) -> str:
    if quote.text is None and quote.reason is not None:
        return f"the words are nowhere in {document.name}, and {quote.reason}"
    if not (quote.text or "").strip():
        return f"page {citation.page} of {document.name} has no text; it may be scanned"
    return f"neither on page {citation.page} of {document.name} nor anywhere else in it"
