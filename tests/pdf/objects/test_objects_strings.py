"""Text strings, and the title of a document."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.objects.file import File
from pincite.pdf.objects.info import read_title
from pincite.pdf.objects.strings import decode_text_string
from support.pdfwriter import PdfWriter, text_string


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (b"plain", "plain"),
        (b"caf\xe9", "café"),
        (b"\x80 \x84 \x92 \xa0 \x93n", "• — ™ € ﬁn"),
        (b"\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f", "˘ˇˆ˙˝˛˚˜"),
        (b"a\x7fb\x9fc\xadd", "abcd"),
        (b"\xfe\xff\x00A\xd8\x3d\xde\x00", "A😀"),
        (b"\xfe\xff\x00A\x00", "A\ufffd"),
        (b"\xfe\xff\xd8\x00\x00A", "\ufffdA"),
        (b"\xff\xfeA\x00", "A"),
        (b"\xef\xbb\xbf\xea\xb0\x80", "가"),
        (b"\xef\xbb\xbf\xff", "\ufffd"),
        (b"\xfe\xff\x00\x1b\x00e\x00n\x00\x1b\x00A", "A"),
        (b"\xfe\xff\x00\x1b\x00e\x00n\x00U\x00S\x00\x1b\x00A", "A"),
        (b"\xef\xbb\xbf\x1bde-DE\x1bA", "A"),
        (b"  a \t\r\n b\x00\x01  ", "a   b"),
        (b"\xfe\xff", ""),
        (b"\xfe", "þ"),
    ],
)
def test_text_strings(data: bytes, text: str) -> None:
    assert decode_text_string(data) == text


@given(st.binary() | st.binary().map(lambda data: b"\xfe\xff" + data) | st.binary().map(lambda data: b"\xef\xbb\xbf" + data))
def test_any_bytes_give_clean_text(data: bytes) -> None:
    text = decode_text_string(data)
    assert text == text.strip()
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in text)
    text.encode("utf-8")


def _title(info: bytes | None = None, xmp: bytes | None = None) -> str | None:
    writer = PdfWriter()
    writer.add_page()
    if info is not None:
        writer.set_title(info)
    if xmp is not None:
        writer.catalog["Metadata"] = writer.add_stream(xmp, {"Type": "/Metadata", "Subtype": "/XML"}, compress=True)
    with File.open(writer.write()) as file:
        return read_title(file)


def _xmp(title: str) -> bytes:
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>'
        f"<rdf:Description><dc:title>{title}</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


ALT = (
    "<rdf:Alt><rdf:li xml:lang='de'>Titel</rdf:li>\n"
    '<rdf:li xml:lang="x-default">Q &amp; A &#x2014; &#44032;\n가</rdf:li></rdf:Alt>'
)


@pytest.mark.parametrize(
    ("info", "xmp", "title"),
    [
        (None, None, None),
        (b" A title ", None, "A title"),
        (text_string("제목"), None, "제목"),
        (b"Info", _xmp(ALT), "Info"),
        (b"", _xmp(ALT), "Q & A — 가 가"),
        (b" \x00", _xmp(ALT), "Q & A — 가 가"),
        (None, _xmp("<rdf:Alt><rdf:li xml:lang='de'>Titel</rdf:li></rdf:Alt>"), "Titel"),
        (None, _xmp("bare"), "bare"),
        (None, _xmp(ALT).decode().encode("utf-16"), "Q & A — 가 가"),
        (None, _xmp("<rdf:Alt><rdf:li/></rdf:Alt>"), None),
        (None, _xmp("  "), None),
        (None, b"<dc:title>never closed", None),
        (None, b"\xff\xfe\x00", None),
        (None, b"", None),
    ],
)
def test_titles(info: bytes | None, xmp: bytes | None, title: str | None) -> None:
    assert _title(info, xmp) == title


def test_a_title_that_is_no_string_is_none() -> None:
    writer = PdfWriter()
    writer.add_page()
    writer.info["Title"] = ["/Not", "/A", "/String"]
    writer.catalog["Metadata"] = {"No": "/Stream"}
    with File.open(writer.write()) as file:
        assert read_title(file) is None


def test_entities_do_not_expand() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    xmp = f'<!DOCTYPE x [<!ENTITY e0 "lol">{entities}]>'.encode() + _xmp("&e9;")
    assert _title(None, xmp) == "&e9;"


@pytest.mark.parametrize(
    "xmp", [b"<dc:title>" * 100_000, b"<dc:title " * 100_000, _xmp("<rdf:li " * 2000), b"<dc:title>" + b"x" * 4_000_000]
)
def test_hostile_metadata_costs_little(xmp: bytes) -> None:
    start = time.process_time()
    _title(None, xmp)
    assert time.process_time() - start < 5


def test_a_long_title_is_cut() -> None:
    assert len(_title(b"x" * 100_000) or "") == 2000
