"""The wire: what the child writes the parent reads back, and nothing that the contract does not allow gets through."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import EncryptedError, LimitError, ProtocolError, UnreadableError
from pincite.model.section import Section
from pincite.model.text import DocumentFindings, DocumentMeta, OutlineItem, PageFailure, PageQuality, PageSpan, PageText
from pincite.sandbox import protocol
from pincite.sandbox.protocol import (
    PageReader,
    decode_reason,
    encode_failure,
    encode_findings,
    encode_meta,
    encode_page,
    encode_reason,
)

ONE_PAGE = b'{"meta":{"pages":1,"title":null,"outline":[]}}'
META = b'{"meta":{"pages":3,"title":null,"outline":[]}}'


def reader_after(*lines: bytes, max_pages: int = 2000) -> PageReader:
    reader = PageReader(max_pages)
    for line in lines:
        reader.read(line)
    return reader


def test_meta_line_has_all_keys_of_the_contract() -> None:
    line = encode_meta(DocumentMeta(1))
    assert line.endswith(b"\n")
    wire = json.loads(line)["meta"]
    assert (wire["pages"], wire["title"], wire["outline"]) == (1, None, [])


def test_page_lines_have_no_keys_without_a_value() -> None:
    assert json.loads(encode_page(PageText(1, ""))) == {"page": 1, "text": ""}
    assert json.loads(encode_failure(PageFailure(2, "why"))) == {"page": 2, "error": "why"}


def test_everything_comes_back() -> None:
    meta = DocumentMeta(3, "Über Zeilen", (OutlineItem("1 Anfang", 2, 1), OutlineItem("1.1", 3, 2)), ("odd",), ("rlimit_as",))
    pages: list[PageText | PageFailure] = [
        PageText(1, "eins\nzwei\t한국어 \U0001f600", "i", PageQuality(9, 1, 2, 3), ("a warning",), (PageSpan(1, 0, 4),)),
        PageFailure(2, "ValueError: no"),
        PageText(3, ""),
    ]
    reader = PageReader(2000)
    assert reader.read(encode_meta(meta)[:-1]) == meta
    for page in pages:
        line = encode_failure(page) if isinstance(page, PageFailure) else encode_page(page)
        assert reader.read(line[:-1]) == page
    reader.finish()


@given(st.text(st.characters(exclude_categories=()), max_size=200), st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_string_crosses_with_its_length(text: str, label: str) -> None:
    line = encode_page(PageText(1, text, label=label, warnings=(label,)))
    assert line.count(b"\n") == 1
    page = reader_after(META).read(line[:-1])
    assert isinstance(page, PageText)
    assert len(page.text) == len(text)
    assert all(here == there or there == "\ufffd" for here, there in zip(text, page.text, strict=True))


@given(st.text(st.characters(exclude_categories=()), max_size=200), st.text(st.characters(exclude_categories=()), max_size=300))
def test_any_title_and_error_cross(title: str, error: str) -> None:
    meta = DocumentMeta(3, title, (OutlineItem(title, 1, 1),), (error,))
    reader = reader_after(encode_meta(meta)[:-1])
    assert isinstance(reader.read(encode_failure(PageFailure(1, error))[:-1]), PageFailure)


def test_lone_surrogate_becomes_a_replacement_character() -> None:
    page = reader_after(META).read(encode_page(PageText(1, "a\ud800b\udfff\x1b\x00c"))[:-1])
    assert page == PageText(1, "a\ufffdb\ufffd\ufffd\ufffdc")


def test_what_is_over_a_limit_is_cut_by_the_child() -> None:
    outline = (
        OutlineItem("x" * 5000, 1, 1),
        OutlineItem("page 0", 0, 1),
        OutlineItem("past the end", 4, 1),
        OutlineItem("deep", 1, 5000),
        *(OutlineItem("y", 1, 1),) * 20000,
    )
    meta = PageReader(9).read(encode_meta(DocumentMeta(3, "t" * 9999, outline, ("w" * 9999,) * 999, ("c",) * 99))[:-1])
    assert isinstance(meta, DocumentMeta)
    assert len(meta.outline) == protocol.MAX_OUTLINE_ITEMS
    assert [item.title for item in meta.outline[:2]] == ["x" * protocol.MAX_OUTLINE_TITLE, "y"]
    page = reader_after(META).read(encode_page(PageText(1, "x", "l" * 9999, warnings=("w" * 9999,) * 999))[:-1])
    assert isinstance(page, PageText)
    assert len(page.warnings) == protocol.MAX_WARNINGS


def test_a_huge_outline_fits_into_a_line() -> None:
    outline = tuple(OutlineItem("\U0001f600" * 1024, 1, 1) for _ in range(10_000))
    line = encode_meta(DocumentMeta(3, None, outline))
    assert len(line) <= protocol.MAX_LINE_BYTES
    PageReader(9).read(line[:-1])


def test_a_page_over_the_line_cap_costs_itself() -> None:
    page = reader_after(META).read(encode_page(PageText(1, "x" * protocol.MAX_LINE_BYTES))[:-1])
    assert isinstance(page, PageFailure)


def deep(depth: int) -> str:
    return "[" * depth + "]" * depth


BAD_FIRST_LINES: dict[str, bytes] = {
    "empty": b"",
    "no json": b"hello",
    "array": b"[]",
    "null": b"null",
    "no kind": b"{}",
    "page first": b'{"page":1,"text":"x"}',
    "meta null": b'{"meta":null}',
    "no pages": b'{"meta":{"title":null,"outline":[]}}',
    "zero pages": b'{"meta":{"pages":0,"title":null,"outline":[]}}',
    "negative pages": b'{"meta":{"pages":-1,"title":null,"outline":[]}}',
    "too many pages": b'{"meta":{"pages":10000001,"title":null,"outline":[]}}',
    "10^4000 pages": b'{"meta":{"pages":1' + b"0" * 4000 + b',"title":null,"outline":[]}}',
    "pages as a float": b'{"meta":{"pages":1.0,"title":null,"outline":[]}}',
    "pages as a string": b'{"meta":{"pages":"1","title":null,"outline":[]}}',
    "pages as a truth": b'{"meta":{"pages":true,"title":null,"outline":[]}}',
    "pages not a number": b'{"meta":{"pages":NaN,"title":null,"outline":[]}}',
    "nan in an unknown key": b'{"meta":{"pages":1,"title":null,"outline":[]},"x":NaN}',
    "infinity": b'{"meta":{"pages":1,"title":null,"outline":[]},"x":-Infinity}',
    "title as a number": b'{"meta":{"pages":1,"title":1,"outline":[]}}',
    "long title": b'{"meta":{"pages":1,"title":"' + b"x" * 5000 + b'","outline":[]}}',
    "escape in the title": b'{"meta":{"pages":1,"title":"\\u001b[2J","outline":[]}}',
    "line feed in the title": b'{"meta":{"pages":1,"title":"a\\nb","outline":[]}}',
    "meta and page": b'{"meta":{"pages":1,"title":null,"outline":[]},"page":1,"text":"x"}',
    "trailing data": META + b" {}",
    "byte order mark": b"\xef\xbb\xbf" + META,
    "invalid UTF-8 in the title": b'{"meta":{"pages":1,"title":"\xff","outline":[]}}',
    "invalid UTF-8 in an unknown key": b'{"meta":{"pages":1,"title":null,"outline":[]},"x":"\xff"}',
    "surrogates in UTF-8": b'{"meta":{"pages":1,"title":"\xed\xa0\x80","outline":[]}}',
    "lone surrogate, escaped": b'{"meta":{"pages":1,"title":"\\ud800","outline":[]}}',
    "over-deep": f'{{"meta":{{"pages":1,"title":null,"outline":{deep(100_000)}}}}}'.encode(),
    "over-deep in an unknown key": f'{{"meta":{{"pages":1,"title":null,"outline":[]}},"x":{deep(100_000)}}}'.encode(),
    "over-deep outline": b'{"meta":{"pages":1,"title":null,"outline":[{"title":"x","page":1,"level":101}]}}',
    "outline level 0": b'{"meta":{"pages":1,"title":null,"outline":[{"title":"x","page":1,"level":0}]}}',
    "outline past the end": b'{"meta":{"pages":1,"title":null,"outline":[{"title":"x","page":2,"level":1}]}}',
    "outline without a page": b'{"meta":{"pages":1,"title":null,"outline":[{"title":"x","level":1}]}}',
    "escape in the outline": b'{"meta":{"pages":1,"title":null,"outline":[{"title":"\\u001b","page":1,"level":1}]}}',
    "long outline": json.dumps(
        {"meta": {"pages": 1, "title": None, "outline": [{"title": "x", "page": 1, "level": 1}] * 10_001}}
    ).encode(),
    "many warnings": json.dumps({"meta": {"pages": 1, "title": None, "outline": [], "warnings": ["x"] * 101}}).encode(),
}


@pytest.mark.parametrize("line", BAD_FIRST_LINES.values(), ids=BAD_FIRST_LINES.keys())
def test_a_bad_first_line_is_a_protocol_error(line: bytes) -> None:
    with pytest.raises(ProtocolError) as caught:
        PageReader(2000).read(line)
    assert len(caught.value.message) < 500


BAD_PAGE_LINES: dict[str, bytes] = {
    "second meta": META,
    "page 0": b'{"page":0,"text":"x"}',
    "page 1 again": b'{"page":1,"text":"x"}',
    "page 3 before 2": b'{"page":3,"text":"x"}',
    "page out of range": b'{"page":4,"text":"x"}',
    "negative": b'{"page":-2,"text":"x"}',
    "no page": b'{"text":"x"}',
    "neither text nor error": b'{"page":2}',
    "text and error": b'{"page":2,"text":"x","error":"y"}',
    "text null": b'{"page":2,"text":null}',
    "text as a number": b'{"page":2,"text":7}',
    "NUL in the text": b'{"page":2,"text":"\\u0000"}',
    "escape in the text": b'{"page":2,"text":"\\u001b[31m"}',
    "form feed in the text": b'{"page":2,"text":"a\\fb"}',
    "line feed in the label": b'{"page":2,"text":"x","label":"i\\nv"}',
    "escape in the error": b'{"page":2,"error":"\\u001b"}',
    "long error": json.dumps({"page": 2, "error": "x" * 1025}).encode(),
    "invalid UTF-8": b'{"page":2,"text":"\xc3"}',
    "negative quality": b'{"page":2,"text":"x","quality":{"glyphs":-1}}',
    "huge quality": b'{"page":2,"text":"x","quality":{"glyphs":99999999999999999999}}',
    "quality as nan": b'{"page":2,"text":"x","quality":{"glyphs":NaN}}',
    "a running line past the text": b'{"page":2,"text":"x","running":[[2,0,2]]}',
    "a running line past an earlier text": b'{"page":2,"text":"xyz","running":[[1,0,2]]}',
    "a running line that ends before it starts": b'{"page":2,"text":"xyz","running":[[2,2,1]]}',
    "a running line on a page to come": b'{"page":2,"text":"x","running":[[3,0,1]]}',
    "a running line of two numbers": b'{"page":2,"text":"x","running":[[2,0]]}',
}


@pytest.mark.parametrize("line", BAD_PAGE_LINES.values(), ids=BAD_PAGE_LINES.keys())
def test_a_bad_second_page_is_a_protocol_error(line: bytes) -> None:
    reader = reader_after(META, b'{"page":1,"text":"x"}')
    with pytest.raises(ProtocolError):
        reader.read(line)


def test_unknown_keys_are_passed_over() -> None:
    reader = PageReader(9)
    reader.read(b'{"meta":{"pages":1,"title":null,"outline":[],"producer":{"name":["x"]}},"later":1.5}')
    assert reader.read(b'{"page":1,"text":"x","coverage":0.5,"sections":[[1]]}') == PageText(1, "x")


def test_nothing_may_follow_the_last_page() -> None:
    page = b'{"page":1,"text":"x"}'
    with pytest.raises(ProtocolError, match="after the last page"):
        reader_after(META, page, max_pages=1).read(b'{"page":2,"text":"x"}')
    with pytest.raises(ProtocolError, match="after the last page"):
        reader_after(META, page, max_pages=1).finish(b"x")


FINDINGS = DocumentFindings((Section("1 Intro", 1, 1, (0, 7)), Section("Rats", 2, 1)))


def reader_with_findings() -> PageReader:
    reader = PageReader(9, findings=True)
    for line in (ONE_PAGE, b'{"page":1,"text":"x"}'):
        reader.read(line)
    return reader


def test_findings_come_last_where_they_are_asked_for() -> None:
    reader = reader_with_findings()
    assert reader.read(encode_findings(FINDINGS)[:-1]) == FINDINGS
    reader.finish()
    with pytest.raises(ProtocolError, match="after the last page"):
        reader.read(encode_findings(FINDINGS)[:-1])
    with pytest.raises(ProtocolError, match="without findings"):
        reader_with_findings().finish()
    with pytest.raises(ProtocolError, match="after the last page"):
        reader_after(ONE_PAGE, b'{"page":1,"text":"x"}').read(encode_findings(FINDINGS)[:-1])


def test_findings_are_cut_by_the_child() -> None:
    many = [Section("t\n" * 5000, 1, 1, (0, 1))] * 20_000 + [Section("deep", 101, 1), Section("far", 1, 1, (0, 1 << 40))]
    found = reader_with_findings().read(encode_findings(DocumentFindings(tuple(many)))[:-1])
    assert isinstance(found, DocumentFindings)
    assert 5_000 <= len(found.sections) <= protocol.MAX_SECTIONS
    assert {len(section.title) for section in found.sections} == {protocol.MAX_OUTLINE_TITLE}


BAD_FINDINGS: dict[str, str] = {
    "another page": '{"page":2,"text":"x"}',
    "another meta": '{"meta":{"pages":1,"title":null,"outline":[]}}',
    "findings and page": '{"page":2,"text":"x","findings":{"sections":[]}}',
    "nothing": "{}",
    "null": '{"findings":null}',
    "a section past the end": '{"findings":{"sections":[{"title":"x","level":1,"page":2}]}}',
    "a section on page 0": '{"findings":{"sections":[{"title":"x","level":1,"page":0}]}}',
    "level 0": '{"findings":{"sections":[{"title":"x","level":0,"page":1}]}}',
    "level 10^9": '{"findings":{"sections":[{"title":"x","level":1000000000,"page":1}]}}',
    "a span backwards": '{"findings":{"sections":[{"title":"x","level":1,"page":1,"span":[5,4]}]}}',
    "a negative span": '{"findings":{"sections":[{"title":"x","level":1,"page":1,"span":[-1,4]}]}}',
    "a span of one": '{"findings":{"sections":[{"title":"x","level":1,"page":1,"span":[1]}]}}',
    "a span of NaN": '{"findings":{"sections":[{"title":"x","level":1,"page":1,"span":[NaN,NaN]}]}}',
    "an escape": '{"findings":{"sections":[{"title":"\\u001b","level":1,"page":1}]}}',
    "a long title": '{"findings":{"sections":[{"title":"%s","level":1,"page":1}]}}' % ("x" * 1025),
    "many sections": json.dumps({"findings": {"sections": [{"title": "x", "level": 1, "page": 1}] * 10_001}}),
}


@pytest.mark.parametrize("line", BAD_FINDINGS.values(), ids=BAD_FINDINGS.keys())
def test_bad_findings_are_a_protocol_error(line: str) -> None:
    with pytest.raises(ProtocolError):
        reader_with_findings().read(line.encode())


def test_findings_may_not_come_early() -> None:
    reader = PageReader(9, findings=True)
    reader.read(META)
    with pytest.raises(ProtocolError, match="before the last page"):
        reader.read(encode_findings(FINDINGS)[:-1])


def test_the_end_may_not_come_early() -> None:
    with pytest.raises(ProtocolError, match="no meta"):
        PageReader(9).finish()
    with pytest.raises(ProtocolError, match="1 of 3"):
        reader_after(META, b'{"page":1,"text":"x"}').finish()
    with pytest.raises(ProtocolError, match="unfinished"):
        reader_after(META).finish(b'{"page":1')


def test_size_comes_before_everything() -> None:
    with pytest.raises(ProtocolError, match="more than 10 bytes"):
        PageReader(9, max_line_bytes=10).read(META)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(line: bytes) -> None:
    for reader in (PageReader(9), reader_after(META)):
        with contextlib.suppress(ProtocolError):
            reader.read(line)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["pages", "title", "outline", "page"]), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(["meta", "page", "text", "error", "label", "quality", "warnings"]), json_values))
def test_any_shape_is_read_or_refused(value: dict[str, Any]) -> None:
    for reader in (PageReader(9), reader_after(META)):
        with contextlib.suppress(ProtocolError):
            reader.read(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("code", "stderr", "kind", "slug"),
    [
        (3, b"encrypted: needs a password\n", EncryptedError, "encrypted"),
        (3, b"", EncryptedError, "encrypted"),
        (3, b"noise", EncryptedError, "encrypted"),
        (4, b"noise\nunreadable: no pages", UnreadableError, "unreadable"),
        (4, b"memory: a lie", UnreadableError, "unreadable"),
        (1, b"memory: over 768 MiB\n\n", LimitError, "memory"),
        (1, b"too_large: over 200 MiB", LimitError, "too_large"),
    ],
)
def test_reason(code: int, stderr: bytes, kind: type[Exception], slug: str) -> None:
    error = decode_reason(code, stderr)
    assert type(error) is kind
    assert error is not None
    assert error.slug == slug


@pytest.mark.parametrize(
    ("code", "stderr"),
    [(1, b""), (1, b"what"), (1, b"encrypted: not with this code"), (1, b"locked: not a child's"), (2, b"memory: x"), (70, b"")],
)
def test_no_reason(code: int, stderr: bytes) -> None:
    assert decode_reason(code, stderr) is None


def test_the_reason_is_one_short_clean_line() -> None:
    line = encode_reason("memory", "two\nlines \x1b[31m\ud800" + "한" * 5000)
    assert line.count(b"\n") == 1
    assert len(line) <= protocol.MAX_FAILURE_BYTES + 1
    error = decode_reason(1, line)
    assert error is not None
    assert error.message.startswith("two lines [31m\ufffd한")
    hostile = decode_reason(1, b"memory: \x1b]0;title\x07\xff" + b"x" * 9999)
    assert hostile is not None
    assert "\x1b" not in hostile.message
    assert len(hostile.message) <= protocol.MAX_MESSAGE
