"""Grading a quotation: are these the words that stand there?"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
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
from pincite.search.cite.resolve import excerpt, require_exact, resolve
from pincite.search.cite.wording import (
    OTHER_CASE,
    SAME_CASE,
    Wording,
    differences,
    literal_occurrences,
    occurrences,
    parts,
    skim,
    unquoted,
    weight,
    whole_words_in,
    wording,
)
from pincite.search.index.rows import DocumentRow, PageRow
from pincite.search.index.running import part_of_page, running_spans
from pincite.search.index.store import Store

SHORTEST_QUOTATION = 12
"""Characters, of Chinese, Japanese and Korean half as many; anything shorter stands everywhere by chance."""
NEAR = 85.0
"""The likeness in percent from which on a passage counts as the one that was meant."""
CUT_WORD = "the middle of a word"
"""How a quotation differs that begins or ends there, in a word or a number."""
MOST_STEPS = 12
LONGEST_WORD = 100
LONGEST_OMISSION = 2000
"""Characters that dots in a quotation may stand for."""
_WORD = re.compile(r"\S+")


def check(store: Store, quotation: str, citation: Citation | str, find_tables: TablesOf | None = None) -> Check:
    """Grade a quotation against the page that a citation names. `find_tables` is as for `resolve`.

    A quotation that is too short to be looked for is compared with the cited span or cell itself. Raises `CitationError`:
    `too_short`, or as `resolve` says where the citation leads to no document, or to no such section, span or table on its page.
    """
    if isinstance(citation, str):
        citation = Citation.parse(citation)
    compared = citation.span is not None or citation.cell is not None
    wanted = Wanted(quotation, may_be_short=compared)
    lookup = look_up(store, citation.name, citation.document_hash)
    document = lookup.document
    if document is None:
        raise CitationError(lookup.reason or lookup.verdict, slug=lookup.verdict)
    quote = resolve(store, citation, find_tables)
    page = store.page(document.id, citation.page)
    if page is not None and page.state != "failed" and _is_part(citation):
        require_exact(quote)
    if wanted.is_short:
        return _compared(wanted, document, page, require_exact(quote))
    cited = _found_on(page, wanted, quote) if page is not None else None
    if cited is None and page is not None:
        cited = _over_the_page_turn(store, document, wanted, citation.page)
    if cited is not None:
        return _result(cited.grade, wanted, document, citation.page, cited, quote)
    elsewhere = next(wanted.find_in(store, document, without=citation.page), None)
    if elsewhere is not None:
        number, found = elsewhere
        return _result("wrong_page", wanted, document, number, found, quote)
    like = wanted.like_in(page.text) if page is not None else None
    if like is not None:
        return _result("near", wanted, document, citation.page, like, quote)
    return _elsewhere(store, document, wanted, quote)


def _is_part(citation: Citation) -> bool:
    """True of a citation of less than a page."""
    return citation.span is not None or citation.section is not None or citation.table is not None


def _found_on(page: PageRow, wanted: Wanted, quote: Quote) -> Found | None:
    """The quotation on the cited page, inside what is cited before elsewhere."""
    if quote.pieces and quote.text is not None:
        # the words of a cell that others stand between
        inner = wanted.found_in(quote.text)
        if inner is not None:
            return replace(inner, span=quote.span or (0, 0))
    return wanted.found_in(page.text, quote.span)


def _compared(wanted: Wanted, document: DocumentRow, page: PageRow | None, quote: Quote) -> Check:
    """A few words against the very words that are cited: a cell as a whole, a span or words in it."""
    assert page is not None
    assert quote.text is not None
    assert quote.span is not None
    number = quote.citation.page
    if quote.citation.cell is None:
        found = wanted.found_in(page.text, quote.span)
        found = None if found is None or not _is_inside(found.span, quote.span) else found
    else:
        same = wording(wanted.text).text == wording(quote.text).text
        found = wanted.found_in(quote.text) if same else None
        found = None if found is None else replace(found, span=quote.span)
    if found is not None:
        return _result(found.grade, wanted, document, number, found, quote)
    likeness = _likeness(wording(wanted.text).text, quote.text, (0, len(quote.text)))
    how: tuple[str, ...] = ()
    if wording(wanted.text).text == wording(quote.text).text:
        how = (CUT_WORD,)  # the span itself begins or ends there
    elif wording(wanted.text, OTHER_CASE).text == wording(quote.text, OTHER_CASE).text:
        how = differences(wanted.text, quote.text, OTHER_CASE)
    if likeness >= NEAR or how:
        edits = () if how else _edits(wanted.text, quote.text)
        near = Found("near", quote.text, quote.span, 100.0 if how else round(likeness, 1), how, edits)
        return _result("near", wanted, document, number, near, quote)
    cited = excerpt(quote.text, (0, len(quote.text)))
    return Check("absent", quote.citation, reason=f"what is cited is {cited}, and so few words are looked for nowhere else")


def _elsewhere(store: Store, document: DocumentRow, wanted: Wanted, quote: Quote) -> Check:
    """What to say of a quotation that is not on the cited page, nor anything like it."""
    almost = ((row.page, wanted.almost_in(row.text)) for row in store.pages(document.id) if row.page != quote.citation.page)
    found = next(((number, like) for number, like in almost if like is not None), None)
    if found is None:
        others = ((row.page, row.text) for row in store.pages(document.id) if row.page != quote.citation.page)
        found = wanted.nearest(others)
    if found is not None:
        return _result("wrong_page", wanted, document, *found, quote)
    return Check("absent", quote.citation, reason=_why_absent(store, document, quote))


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
    """A quotation to be found. Raises `CitationError` (`too_short`) where it is empty, or `is_short` and not `may_be_short`."""

    def __init__(self, quotation: str, *, may_be_short: bool = False) -> None:
        self.text = unquoted(quotation)
        self.is_short = weight(self.text) < SHORTEST_QUOTATION
        if self.is_short and not (may_be_short and self.text):
            raise CitationError(
                f"the quotation has fewer than {SHORTEST_QUOTATION} characters ({SHORTEST_QUOTATION // 2} of Chinese, Japanese "
                "or Korean), and so few stand anywhere: quote more words, or check them against a span or a cell",
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
        if not any(near is None or _is_inside(span, near) for span in literal):
            spans = literal + (self._spans(wording(text)) if self.may_be_in(text) else [])
            if not spans:
                return None
        span = min(spans, key=lambda span: near is None or not _is_inside(span, near))
        passage = text[slice(*span)]
        if span in literal:
            return Found("exact", passage, span)
        if len(self._parts) > 1:
            return Found("folded", passage, span, differences=("ellipsis",))
        return Found("folded", passage, span, differences=differences(self.text, passage))

    def like_in(self, text: str) -> Found | None:
        """The passage of a page that is most like the quotation, if any is like enough."""
        nearest = None if (almost := self.almost_in(text)) is not None else self.nearest([(0, text)])
        return almost if nearest is None else nearest[1]

    def almost_in(self, text: str) -> Found | None:
        """The place of the same letters where they are in another case, or begin or end in the middle of a word: `near`."""
        skimmed = skim(text).lower()
        if not all(part.lower() in skimmed for part in self._skims):
            return None
        other_case = wording(text, OTHER_CASE)
        in_other_case = [wording(part, OTHER_CASE).text for part in self._parts]
        for needles, folded, whole_words in (
            (in_other_case, OTHER_CASE, True),
            (self._wordings, SAME_CASE, False),
            (in_other_case, OTHER_CASE, False),
        ):
            page = other_case if folded is OTHER_CASE else wording(text)
            spans = self._spans(page, needles, whole_words=whole_words)
            if not spans:
                continue
            start, end = spans[0]
            passage = text[start:end]
            how = differences(self.text, passage, folded) if len(self._parts) == 1 else ("ellipsis",)
            if len(self._parts) > 1 and folded is OTHER_CASE:
                how = (*how, "case")
            if whole_words:
                return Found("near", passage, (start, end), differences=how)
            start, end = _widened(text, (start, end))
            likeness = round(_likeness(wording(self.text, folded).text, text, (start, end), folded), 1)
            return Found("near", text[start:end], (start, end), likeness, (*how, CUT_WORD))
        return None

    def _spans(self, page: Wording, needles: list[str] | None = None, *, whole_words: bool = True) -> list[Span]:
        places = [occurrences(needle, page, whole_words=whole_words) for needle in needles or self._wordings]
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


def _likeness(needle: str, text: str, span: Span, folded: frozenset[str] = SAME_CASE) -> float:
    """How like a passage of a text is to a wording, in percent."""
    from rapidfuzz import fuzz

    return fuzz.ratio(needle, wording(text[slice(*span)], folded).text)


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


def _widened(text: str, span: Span) -> Span:
    """A span with the whole of the words that it begins and ends in, also over a hyphen at a line's end."""
    start, end = span
    for found in whole_words_in(text, max(0, start - LONGEST_WORD), min(len(text), end + LONGEST_WORD)):
        if found[0] < span[0] < found[1]:
            start = found[0]
        if found[0] < span[1] < found[1]:
            end = found[1]
    while end > span[1] and not text[end - 1].isalnum():
        end -= 1
    while start < span[0] and not text[start].isalnum():
        start += 1
    return start, end


def _edits(quotation: str, passage: str) -> tuple[Edit, ...]:
    """What was made of the passage's words in the quotation, word by word, without what is a matter of setting."""
    quoted, standing = ([text[start:end] for start, end in whole_words_in(text)] for text in (quotation, passage))
    plain, plain_quoted = ([wording(word).text for word in words] for words in (standing, quoted))
    found = SequenceMatcher(None, plain, plain_quoted, autojunk=False).get_opcodes()
    return tuple(
        Edit(" ".join(" ".join(standing[a:b]).split()), " ".join(" ".join(quoted[c:d]).split()))
        for kind, a, b, c, d in found
        if kind != "equal" and wording(" ".join(standing[a:b])).text != wording(" ".join(quoted[c:d])).text
    )


def _is_inside(span: Span, outer: Span) -> bool:
    return outer[0] <= span[0] and span[1] <= outer[1]


def _result(grade: Grade, wanted: Wanted, document: DocumentRow, page: int, found: Found, quote: Quote) -> Check:
    at = Citation(document.name, page, found.span, document_hash=quote.citation.document_hash)
    places = [at]
    if found.turn is not None:
        places.append(Citation(document.name, page + 1, found.turn, document_hash=quote.citation.document_hash))
    within = None
    if quote.span is not None and quote.citation.page == page and _is_part(quote.citation):
        within = _is_inside(found.span, quote.span)
        if quote.pieces:
            within = within and (found.span == quote.span or _is_covered(found, quote.pieces))
        # A section goes on where the page does.
        within = within and (found.turn is None or quote.citation.section is not None)
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
    if within is False:
        what = "section" if cited.section is not None else "cell" if cited.cell is not None else "table"
        return f"on the page, but not, or not wholly, in the {'span' if cited.span is not None else what} that is cited"
    return None


def _is_covered(found: Found, pieces: tuple[Span, ...]) -> bool:
    """True of a passage of which every word stands in a piece."""
    offset = found.span[0]
    ordered = sorted(pieces)
    for start, end in whole_words_in(found.text):
        at = bisect_right(ordered, (offset + start, sys.maxsize)) - 1
        if at < 0 or ordered[at][1] < offset + end:
            return False
    return True


def _why_absent(store: Store, document: DocumentRow, quote: Quote) -> str:
    citation = quote.citation
    stored = failed = blank = 0
    for row in store.pages(document.id):
        stored += 1
        failed += row.state == "failed"
        blank += row.state != "failed" and not row.text.strip()
    unread = failed + document.pages - stored
    told = _why_not_on(document, citation, quote)
    if not unread + blank:
        return told
    why = ", ".join([f"{unread} could not be read"] * bool(unread) + [f"{blank} without text"] * bool(blank))
    return f"{told}; {unread + blank} of its {document.pages} pages could not be searched ({why})"


def _why_not_on(document: DocumentRow, citation: Citation, quote: Quote) -> str:
    if quote.text is None and quote.reason is not None:
        return f"the words are nowhere in {document.name}, and {quote.reason}"
    if not (quote.text or "").strip():
        return f"page {citation.page} of {document.name} has no text; it may be scanned"
    return f"neither on page {citation.page} of {document.name} nor anywhere else in it"
