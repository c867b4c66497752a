"""The lines between the child and its parent.

Standard output of the child is JSON Lines in UTF-8, each line ended by a line feed:

    {"meta": {"pages": 3, "title": "…" | null, "outline": [{"title": "…", "page": 1, "level": 1}],
              "warnings": ["…"], "confinement": ["rlimit_as"], "author": "…", "created": "2020-05-01", "modified": "…",
              "info": {"Producer": "…"}, "xmp": {"dc:creator": "…"},
              "encryption": {"version": 5, "revision": 6, "bits": 256, "method": "aesv3", "opened_as": "user",
                             "permissions": ["print"]}}}                                   first, exactly once
    {"page": 1, "text": "…", "label": "i", "quality": {"glyphs": 9}, "warnings": ["…"],
     "running": [[1, 0, 12]]}                                                              then pages 1, 2, 3, …
    {"page": 2, "error": "…"}                                                              a page that can't be read
    {"findings": {"sections": [{"title": "…", "level": 1, "page": 1, "span": [0, 9] | null}]}}   last, where they are asked for

`pages` counts the document; at most `max_pages` page lines follow, in order, without a hole. `running` has the page, the start
and the end of lines that are seen to run, on the page and on up to `RUNNING_WINDOW` before it. `label`, `quality`, `warnings`
and `running` of a page are left out where there is nothing to say, and a reader passes over keys that it does not know.

The child exits with 0 when every page line is written, 3 when the file needs a password, 4 when it is unreadable
and 1 otherwise. Before it exits with anything but 0 it writes `slug: message` as the last line of standard error, of
`MAX_FAILURE_BYTES` at most. The slugs are those of `FAILURES`.

The parent believes nothing: `PageReader` checks the size of a line, then its UTF-8, then its shape and ranges, then
whether the line may come now. Strings on the wire hold no C0 control characters, save tab, line feed and carriage
return in a page's text, so that what a document says can't steer a terminal.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec

from pincite.errors import PinciteError, ProtocolError, error_from_slug
from pincite.model.section import Section
from pincite.model.text import (
    RUNNING_WINDOW,
    DocumentData,
    DocumentFindings,
    DocumentMeta,
    Encryption,
    OutlineItem,
    PageFailure,
    PageQuality,
    PageSpan,
    PageText,
)

EXIT_OK = 0
EXIT_FAILURE = 1
EXIT_ENCRYPTED = 3
EXIT_UNREADABLE = 4

FAILURES = {
    "encrypted": EXIT_ENCRYPTED,
    "unreadable": EXIT_UNREADABLE,
    "too_large": EXIT_FAILURE,
    "memory": EXIT_FAILURE,
    "crash": EXIT_FAILURE,
}
"""What a child can die of in its own words, and the exit code that goes with each slug."""

ABSENT = {"absent": EXIT_FAILURE}
"""The same for one that was asked for a page or a span that the document does not have."""

DEFAULT_MESSAGES = {
    EXIT_ENCRYPTED: "the file needs a password; remove the password from it and try again",
    EXIT_UNREADABLE: "the file is not a PDF that can be read; open it in a viewer and save it anew",
}

MAX_LINE_BYTES = 16 << 20
MAX_FAILURE_BYTES = 2048
MAX_PAGES = 10_000_000
MAX_OUTLINE_ITEMS = 10_000
MAX_OUTLINE_LEVEL = 100
MAX_SECTIONS = 10_000
MAX_OFFSET = MAX_LINE_BYTES
MAX_TITLE = 4096
MAX_OUTLINE_TITLE = 1024
MAX_LABEL = 256
MAX_MESSAGE = 1024
MAX_WARNINGS = 100
MAX_CONFINEMENT = 32
MAX_COUNT = 1 << 40
MAX_ENTRIES = 300
MAX_ENTRY_NAME = 128
MAX_ENTRY = 2048
MAX_RUNNING = 200

_Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]
_Offset = Annotated[int, msgspec.Meta(ge=0, le=MAX_OFFSET)]
_PageNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGES)]
_Entry = Annotated[str, msgspec.Meta(max_length=MAX_ENTRY)]
_EntryName = Annotated[str, msgspec.Meta(max_length=MAX_ENTRY_NAME)]
_Entries = Annotated[dict[_EntryName, _Entry], msgspec.Meta(max_length=MAX_ENTRIES)]
_Word = Annotated[str, msgspec.Meta(max_length=64)]
_Words = Annotated[list[_Word], msgspec.Meta(max_length=MAX_CONFINEMENT)]
_Span = tuple[_PageNumber, _Count, _Count]
_Running = Annotated[list[_Span], msgspec.Meta(max_length=MAX_RUNNING)]
_Warnings = Annotated[list[Annotated[str, msgspec.Meta(max_length=MAX_MESSAGE)]], msgspec.Meta(max_length=MAX_WARNINGS)]

_NOT_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_NOT_IN_A_LINE = re.compile("[\x00-\x1f]")
_BREAKS = re.compile("[\x00-\x20\x7f]+")
_SURROGATES = re.compile("[\ud800-\udfff]")


class _OutlineItem(msgspec.Struct, frozen=True):
    title: Annotated[str, msgspec.Meta(max_length=MAX_OUTLINE_TITLE)]
    page: _PageNumber
    level: Annotated[int, msgspec.Meta(ge=1, le=MAX_OUTLINE_LEVEL)]


class _Section(msgspec.Struct, frozen=True):
    title: Annotated[str, msgspec.Meta(max_length=MAX_OUTLINE_TITLE)]
    level: Annotated[int, msgspec.Meta(ge=1, le=MAX_OUTLINE_LEVEL)]
    page: _PageNumber
    span: tuple[_Offset, _Offset] | None = None


class _Findings(msgspec.Struct, frozen=True):
    sections: Annotated[list[_Section], msgspec.Meta(max_length=MAX_SECTIONS)] = []


class _Quality(msgspec.Struct, frozen=True):
    glyphs: _Count = 0
    unmapped: _Count = 0
    invisible: _Count = 0
    images: _Count = 0
    order: Literal["content", "reordered", "structure"] = "content"
    moved: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0


class _Encryption(msgspec.Struct, frozen=True):
    version: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    revision: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    bits: Annotated[int, msgspec.Meta(ge=0, le=1 << 20)]
    method: _Word
    opened_as: _Word
    permissions: _Words = []


class _Meta(msgspec.Struct, frozen=True):
    pages: _PageNumber
    title: Annotated[str, msgspec.Meta(max_length=MAX_TITLE)] | None = None
    outline: Annotated[list[_OutlineItem], msgspec.Meta(max_length=MAX_OUTLINE_ITEMS)] = []
    warnings: _Warnings = []
    confinement: _Words = []
    author: _Entry | None = None
    created: _Entry | None = None
    modified: _Entry | None = None
    info: _Entries = {}
    xmp: _Entries = {}
    encryption: _Encryption | None = None


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    meta: _Meta | None = None
    findings: _Findings | None = None
    page: _PageNumber | None = None
    text: str | None = None
    error: Annotated[str, msgspec.Meta(max_length=MAX_MESSAGE)] | None = None
    label: Annotated[str, msgspec.Meta(max_length=MAX_LABEL)] | None = None
    quality: _Quality | None = None
    warnings: _Warnings = []
    running: _Running = []


_Shape = TypeVar("_Shape")

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Line)


# The child's side


def encode_meta(meta: DocumentMeta) -> bytes:
    """The first line, with whatever is over a limit cut or left out: a long title, an outline item that leads nowhere.

    Raises `ValueError` when `meta.pages` is not in 1 to `MAX_PAGES`.
    """
    if not 1 <= meta.pages <= MAX_PAGES:
        raise ValueError(f"a document of {meta.pages} pages has no meta line")
    outline = [
        _OutlineItem(one_line(item.title, MAX_OUTLINE_TITLE), item.page, item.level)
        for item in meta.outline
        if 1 <= item.page <= meta.pages and 1 <= item.level <= MAX_OUTLINE_LEVEL
    ][:MAX_OUTLINE_ITEMS]
    title = None if meta.title is None else one_line(meta.title, MAX_TITLE)
    data = meta.data
    confinement, encryption = list(meta.confinement[:MAX_CONFINEMENT]), None
    if (facts := meta.encryption) is not None:
        words = [one_line(word, 64) for word in facts.permissions[:MAX_CONFINEMENT]]
        encryption = _Encryption(facts.version, facts.revision, facts.bits, facts.method, facts.opened_as, words)
    while True:
        wire = _Meta(
            meta.pages,
            title,
            outline,
            _warnings(meta.warnings),
            confinement,
            _entry(data.author),
            _entry(data.created),
            _entry(data.modified),
            _entries(data.info),
            _entries(data.xmp),
            encryption,
        )
        line = _encoder.encode(_Line(meta=wire)) + b"\n"
        if len(line) <= MAX_LINE_BYTES:
            return line
        outline = outline[: len(outline) // 2]


def encode_page(page: PageText) -> bytes:
    """One page's line; a character that may not cross the wire becomes U+FFFD, so that spans stay what they are."""
    quality, label = None, None
    if page.quality is not None:
        found = page.quality
        quality = _Quality(found.glyphs, found.unmapped, found.invisible, found.images, found.order, found.moved)
    if page.label is not None:
        label = _NOT_IN_A_LINE.sub(" ", _SURROGATES.sub("\ufffd", page.label[:MAX_LABEL]))
    text = _NOT_IN_TEXT.sub("\ufffd", page.text)
    running = [(span.page, span.start, span.end) for span in page.running[:MAX_RUNNING]]
    wire = _Line(page=page.page, text=text, label=label, quality=quality, warnings=_warnings(page.warnings), running=running)
    line = _encoder.encode(wire) + b"\n"
    if len(line) > MAX_LINE_BYTES:
        return encode_failure(PageFailure(page.page, f"the page has more than {MAX_LINE_BYTES >> 20} MiB of text"))
    return line


def encode_failure(failure: PageFailure) -> bytes:
    """The line of a page that could not be read."""
    return _encoder.encode(_Line(page=failure.page, error=one_line(failure.error, MAX_MESSAGE) or "unknown error")) + b"\n"


def encode_findings(findings: DocumentFindings) -> bytes:
    """The last line, with the first `MAX_SECTIONS` sections and the beginnings of long titles."""
    sections = [
        _Section(one_line(section.title, MAX_OUTLINE_TITLE), section.level, section.page, section.span)
        for section in findings.sections
        if 1 <= section.level <= MAX_OUTLINE_LEVEL and (section.span is None or section.span[1] <= MAX_OFFSET)
    ][:MAX_SECTIONS]
    while True:
        line = _encoder.encode(_Line(findings=_Findings(sections))) + b"\n"
        if len(line) <= MAX_LINE_BYTES:
            return line
        sections = sections[: len(sections) // 2]


def encode_reason(slug: str, message: str) -> bytes:
    """The last line of standard error, which says why the child exits with another code than 0."""
    text = f"{slug}: {one_line(message, MAX_MESSAGE)}"
    return text.encode("utf-8")[:MAX_FAILURE_BYTES] + b"\n"


def one_line(text: str, limit: int) -> str:
    """`text` on one line of at most `limit` code points, without control characters and lone surrogates."""
    return _SURROGATES.sub("\ufffd", _BREAKS.sub(" ", text[: 2 * limit])).strip()[:limit]


def _entry(value: str | None) -> str | None:
    return None if value is None else one_line(value, MAX_ENTRY)


def _entries(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {one_line(name, MAX_ENTRY_NAME): one_line(value, MAX_ENTRY) for name, value in list(pairs)[:MAX_ENTRIES]}


def _warnings(warnings: Iterable[str]) -> list[str]:
    return [one_line(warning, MAX_MESSAGE) for warning in list(warnings)[:MAX_WARNINGS]]


# The parent's side


class PageReader:
    """Checks the child's lines one by one and turns them into the model's dataclasses.

    `max_pages` is what the child was told; it may not say more. Behind a page at which a child died (`fail`) the lines of
    a fresh one follow: its own meta line, which must agree, and the pages that are still due. `findings` says whether a
    line with what the whole document shows is due at the end.
    """

    def __init__(self, max_pages: int, *, max_line_bytes: int = MAX_LINE_BYTES, findings: bool = False) -> None:
        self.max_pages = max_pages
        self.max_line_bytes = max_line_bytes
        self.meta: DocumentMeta | None = None
        self.pages_read = 0
        self._meta_is_due = True
        self._findings_are_due = findings
        self._lengths: deque[tuple[int, int]] = deque(maxlen=RUNNING_WINDOW + 1)
        """The last pages that were read, and how many characters each has."""

    @property
    def pages_expected(self) -> int:
        """The number of pages that are read in all, 0 before the first meta line."""
        return 0 if self.meta is None else min(self.meta.pages, self.max_pages)

    @property
    def is_under_way(self) -> bool:
        """Whether the child's next line is that of a page."""
        return not self._meta_is_due and self.pages_read < self.pages_expected

    def read(self, untrusted_line: bytes | bytearray) -> DocumentMeta | PageText | PageFailure | DocumentFindings:
        """Decode the next line, without its line feed; raise `ProtocolError` when the contract does not allow it here."""
        if len(untrusted_line) > self.max_line_bytes:
            raise violation(f"a line of more than {self.max_line_bytes} bytes")
        all_read = not self._meta_is_due and self.pages_read == self.pages_expected
        if all_read and not self._findings_are_due:
            raise violation("data after the last page")
        untrusted = decode_line(_decoder, untrusted_line)
        if all_read:
            if untrusted.findings is None or untrusted.meta is not None or untrusted.page is not None:
                raise violation("another line after the last page than one of findings")
            self._findings_are_due = False
            return _checked_findings(untrusted.findings, self.pages_expected)
        if untrusted.findings is not None:
            raise violation("findings before the last page")
        if untrusted.meta is not None:
            if not self._meta_is_due:
                raise violation("a second meta line")
            if untrusted.page is not None:
                raise violation("a line that is both meta and page")
            meta = _checked_meta(untrusted.meta)
            if self.meta is not None and meta.pages != self.meta.pages:
                raise violation(f"{meta.pages} pages where another child counted {self.meta.pages}")
            self.meta, self._meta_is_due = meta, False
            return meta
        if self._meta_is_due:
            raise violation("a first line without meta")
        page = _checked_page(untrusted, self.pages_read + 1)
        self.pages_read += 1
        if isinstance(page, PageText):
            self._lengths.append((page.page, len(page.text)))
            self._check_running(page)
        return page

    def _check_running(self, page: PageText) -> None:
        lengths = {number: length for number, length in self._lengths if number >= page.page - RUNNING_WINDOW}
        for span in page.running:
            if not span.start < span.end <= lengths.get(span.page, 0):
                raise violation(f"a running line at {span.start}-{span.end} of page {span.page}")

    def fail(self, reason: str) -> PageFailure:
        """Take the page that was due as failed; a fresh child's lines come next."""
        self.pages_read += 1
        self._meta_is_due = True
        return PageFailure(self.pages_read, one_line(reason, MAX_MESSAGE))

    def finish(self, untrusted_rest: bytes | bytearray = b"") -> None:
        """Check at the end of the data, after an exit with 0, that nothing is missing or left over."""
        if untrusted_rest:
            raise violation("data after the last page" if self.pages_read == self.pages_expected > 0 else "an unfinished line")
        if self.meta is None:
            raise violation("no meta line")
        if self.pages_read < self.pages_expected:
            raise violation(f"the end after {self.pages_read} of {self.pages_expected} pages")
        if self._findings_are_due:
            raise violation("the end without findings")


def decode_reason(code: int, untrusted_stderr: bytes, slugs: Mapping[str, int] = FAILURES) -> PinciteError | None:
    """The error that a child means which exited with `code`; None when code and words do not fit the contract.

    A slug counts only beside its own exit code. Codes 3 and 4 speak for themselves when the words are missing.
    """
    last = untrusted_stderr.rstrip().rpartition(b"\n")[2].decode("utf-8", "replace")
    untrusted_slug, separator, untrusted_message = last.partition(": ")
    if separator and slugs.get(untrusted_slug) == code:
        return error_from_slug(untrusted_slug, one_line(untrusted_message, MAX_MESSAGE))
    if code == EXIT_ENCRYPTED:
        return error_from_slug("encrypted", DEFAULT_MESSAGES[code])
    if code == EXIT_UNREADABLE:
        return error_from_slug("unreadable", DEFAULT_MESSAGES[code])
    return None


def decode_line(decoder: msgspec.json.Decoder[_Shape], untrusted_line: bytes | bytearray) -> _Shape:
    """A line of JSON in the shape of `decoder`. Raises `ProtocolError` for what is not UTF-8, and for any other shape."""
    try:
        # The decoder skips the values of unknown keys without a look at their UTF-8.
        untrusted_line.decode("utf-8")
        return decoder.decode(untrusted_line)
    except UnicodeDecodeError as error:
        raise violation("a line that is not UTF-8") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise violation(f"a line that does not fit: {one_line(str(error), 200)}") from error


def _checked_meta(untrusted: _Meta) -> DocumentMeta:
    for item in untrusted.outline:
        _check_one_line(item.title)
        if item.page > untrusted.pages:
            raise violation(f"an outline item on page {item.page} of {untrusted.pages}")
    strings = [untrusted.title, untrusted.author, untrusted.created, untrusted.modified]
    strings += *untrusted.warnings, *untrusted.confinement
    strings += *untrusted.info, *untrusted.info.values(), *untrusted.xmp, *untrusted.xmp.values()
    for string in filter(None, strings):
        _check_one_line(string)
    outline = tuple(OutlineItem(item.title, item.page, item.level) for item in untrusted.outline)
    data = DocumentData(
        untrusted.author, untrusted.created, untrusted.modified, tuple(untrusted.info.items()), tuple(untrusted.xmp.items())
    )
    encryption = None
    if (facts := untrusted.encryption) is not None:
        for string in (facts.method, facts.opened_as, *facts.permissions):
            _check_one_line(string)
        words = tuple(facts.permissions)
        encryption = Encryption(facts.version, facts.revision, facts.bits, facts.method, facts.opened_as, words)
    told = tuple(untrusted.warnings), tuple(untrusted.confinement)
    return DocumentMeta(untrusted.pages, untrusted.title, outline, *told, data, encryption)


def _checked_page(untrusted: _Line, expected: int) -> PageText | PageFailure:
    if untrusted.page is None:
        raise violation("a line that is neither meta nor page")
    if untrusted.page != expected:
        raise violation(f"page {untrusted.page} where page {expected} was due")
    if (untrusted.text is None) == (untrusted.error is None):
        raise violation(f"page {untrusted.page} must have either text or an error")
    for string in (untrusted.error or "", untrusted.label or "", *untrusted.warnings):
        _check_one_line(string)
    if untrusted.error is not None:
        return PageFailure(expected, untrusted.error)
    text = untrusted.text or ""
    if _NOT_IN_TEXT.search(text):
        raise violation(f"a control character in the text of page {expected}")
    quality = None
    if (counts := untrusted.quality) is not None:
        quality = PageQuality(counts.glyphs, counts.unmapped, counts.invisible, counts.images, counts.order, counts.moved)
    running = tuple(PageSpan(*span) for span in untrusted.running)
    return PageText(expected, text, untrusted.label, quality, tuple(untrusted.warnings), running)


def _checked_findings(untrusted: _Findings, pages: int) -> DocumentFindings:
    sections = []
    for section in untrusted.sections:
        _check_one_line(section.title)
        if section.page > pages:
            raise violation(f"a section on page {section.page} of {pages}")
        if section.span is not None and section.span[0] > section.span[1]:
            raise violation("a section that ends before its start")
        sections.append(Section(section.title, section.level, section.page, section.span))
    return DocumentFindings(tuple(sections))


def _check_one_line(untrusted: str) -> None:
    if _NOT_IN_A_LINE.search(untrusted):
        raise violation("a control character in a string")


def violation(what: str) -> ProtocolError:
    """The error for a child that breaks its contract."""
    return ProtocolError(f"the reader process broke its protocol: {what}; the file may be hostile, so do not trust it")
