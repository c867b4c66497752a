"""Citations: the name of a document, a page, and a span, a table, a cell of one, or a section of it.

    citation = name ":p" page [place] [":section=" title] ["@" hash]
    place    = ":span=" start "-" end | ":table=" number [":cell=" row "," column]

    paper.pdf:p13
    paper.pdf:p13:span=0-1240
    paper.pdf:p13:table=2:cell=3,4
    paper.pdf:p13:section=Experiment Setup@0123456789ab

A value that is written never holds a raw `%`, `:`, `@`, control character or line end, nor white space at its ends: those
are percent-encoded as UTF-8 (and bytes of a file name that are not UTF-8 as themselves). So the written form is one line,
survives being copied, and has one reading.

Read from the right, with raw characters accepted where they leave one reading: a trailing `@` and 12 to 64 hex digits are
the hash; the first `:p7:section=` opens a title that takes the rest of the line; else the page is the last part but the span,
and all before it is the name. A `%` that no two hex digits follow stands for itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.errors import CitationError

__all__ = ["HASH_DIGITS", "Citation"]

HASH_DIGITS = 12
"""How many hex digits of the file's SHA-256 a citation carries."""

FORM = "NAME:pPAGE[:span=START-END|:table=N[:cell=ROW,COLUMN]][:section=TITLE][@HASH], as in paper.pdf:p13:span=0-1240"
# 18 digits are a 64-bit integer, which is what the library's rows hold.
NUMBER_LIMIT = 10**18

_HASH = re.compile(r"@([0-9A-Fa-f]{12,64})\Z")
_PARTS = re.compile(
    r"(?P<name>.+?):p(?P<page>[0-9]+)"
    r"(?::span=(?P<start>[0-9]+)-(?P<end>[0-9]+)|:table=(?P<table>[0-9]+)(?::cell=(?P<row>[0-9]+),(?P<column>[0-9]+))?)?"
    r"(?::section=(?P<section>.*))?\Z",
    re.DOTALL,
)
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
# Controls, the two separators that break lines, and the marks that reorder what a reader sees.
_RESERVED = re.compile(r"[%:@\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_BLANK_ENDS = re.compile(r"\A\s+|\s+\Z")


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a document: `str(citation)` writes it and `Citation.parse` reads it back.

    `name` is the document's name in the library, `page` its 1-based physical page, `span` a half-open range of Unicode code
    points of that page's text (never empty), `section` the title of an outline item, `document_hash` the first 12 hex digits
    of the file's SHA-256 (a longer hash is cut to them). `table` is the number of a table on that page, in the order of its
    text, and `cell` the row and the column of one of its cells; all of them count from 1. A citation has no span beside a
    table. Raises CitationError (`bad_citation`) where a value can't be cited.
    """

    name: str
    page: int
    span: tuple[int, int] | None = None
    section: str | None = None
    document_hash: str | None = None
    table: int | None = None
    cell: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _checked_value(self.name, "name"))
        if not 1 <= self.page < NUMBER_LIMIT:
            raise _bad(f"page {_shown(self.page)} can't be: pages count from 1")
        if self.span is not None:
            start, end = self.span
            if start < 0:
                raise _bad(f"span {_shown(start)}-{_shown(end)} starts before the page: spans count from 0")
            if end <= start:
                raise _bad(f"span {_shown(start)}-{_shown(end)} is empty or backwards: its end comes after its start")
            if end >= NUMBER_LIMIT:
                raise _bad("the span ends past any page")
        if self.table is not None:
            if self.span is not None:
                raise _bad("a span and a table are two places: cite one of them")
            if not all(1 <= number < NUMBER_LIMIT for number in (self.table, *(self.cell or ()))):
                raise _bad("tables, rows and columns count from 1")
        elif self.cell is not None:
            raise _bad("a cell is one of a table, which is not named")
        if self.section is not None:
            object.__setattr__(self, "section", _checked_value(self.section, "section"))
        if self.document_hash is not None:
            if not re.fullmatch("[0-9A-Fa-f]{12,64}", self.document_hash):
                raise _bad(f"hash {self.document_hash[:70]!r} is not {HASH_DIGITS} or more hex digits of the file's SHA-256")
            object.__setattr__(self, "document_hash", self.document_hash[:HASH_DIGITS].lower())

    def __str__(self) -> str:
        parts = [_quote(self.name), f":p{self.page}"]
        if self.span is not None:
            parts.append(f":span={self.span[0]}-{self.span[1]}")
        if self.table is not None:
            parts.append(f":table={self.table}")
        if self.cell is not None:
            parts.append(f":cell={self.cell[0]},{self.cell[1]}")
        if self.section is not None:
            parts.append(f":section={_quote(self.section)}")
        if self.document_hash is not None:
            parts.append(f"@{self.document_hash}")
        return "".join(parts)

    def format(self) -> str:
        """Write the citation in its canonical form, the same as `str(citation)`."""
        return str(self)

    @classmethod
    def parse(cls, text: str) -> Citation:
        """Read a citation. Raises CitationError (`bad_citation`) with what is wrong and the form it should have."""
        rest = text.strip()
        document_hash = None
        if found := _HASH.search(rest):
            document_hash = found[1]
            rest = rest[: found.start()]
        parts = _PARTS.match(rest)
        if parts is None:
            raise _bad(_why_not(rest))
        section = parts["section"]
        if section is not None:
            if "\n" in section or "\r" in section:
                raise _bad("the section's title runs over a line end: a citation is one line; write a line end in a title as %0A")
            section = percent_decode(section)
        span = None
        if parts["start"] is not None:
            span = (_number(parts["start"], "span"), _number(parts["end"], "span"))
        table = None if parts["table"] is None else _number(parts["table"], "table")
        cell = None if parts["row"] is None else (_number(parts["row"], "row"), _number(parts["column"], "column"))
        return cls(percent_decode(parts["name"]), _number(parts["page"], "page"), span, section, document_hash, table, cell)


def _bad(what: str) -> CitationError:
    return CitationError(f"not a citation: {what}. Write {FORM}")


def _shown(number: int) -> str:
    return str(number) if -NUMBER_LIMIT < number < NUMBER_LIMIT else "with so many digits"


def _checked_value(value: str, what: str) -> str:
    """The value with its escaped bytes in the one form that reading gives, so that equal values are equal strings."""
    if not value:
        raise _bad(f"the {what} is empty")
    if value.isascii():
        return value
    try:
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise _bad(f"the {what} holds half of a surrogate pair, which is no character") from None


def _quote_found(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogateescape"))


def _quote(value: str) -> str:
    # The reserved characters first: the percent signs that this writes are not quoted again.
    return _BLANK_ENDS.sub(_quote_found, _RESERVED.sub(_quote_found, value))


def percent_decode(value: str) -> str:
    """A name or a title as it is, from how it is written in a citation."""
    if "%" not in value:
        return value
    try:
        raw = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value  # the constructor says what is wrong with it
    return _ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), raw).decode("utf-8", "surrogateescape")


def _number(digits: str, what: str) -> int:
    stripped = digits.lstrip("0") or "0"
    if len(stripped) > 18:
        raise _bad(f"the {what} has a number of {len(digits)} digits")
    return int(stripped)


def _why_not(rest: str) -> str:
    """Say what keeps `rest`, a citation without its hash, from being read."""
    if not rest:
        return "it is empty"
    shown = repr(rest if len(rest) <= 80 else rest[:77] + "...")
    if re.match(r":p[0-9]", rest):
        return f"{shown} has no name before the page"
    page = re.search(r":p([0-9]+)", rest)
    if page is None:
        other = re.search(r":(?:p(?:age|\.)?[ =]*|page=?)-?[0-9]", rest, re.IGNORECASE)
        if other is not None:
            return f"{shown} does not say the page as :p and a number"
        return f"{shown} has no page"
    tail = rest[page.end() :]
    if tail.startswith(":span="):
        return f"{tail[1:40]!r} is not a span of two whole numbers, START-END"
    if tail.startswith((":table=", ":cell=")):
        return f"{tail[1:40]!r} is not a table's number, nor that with a cell's row and column, table=2:cell=3,4"
    if tail.startswith("@"):
        return f"{tail[:40]!r} is not @ and {HASH_DIGITS} hex digits"
    return f"{tail[:40]!r} after the page is neither a span, a table, a section nor a hash"
