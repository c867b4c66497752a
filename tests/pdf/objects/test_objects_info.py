"""What a document says of itself: the information dictionary, XMP, dates, encryption."""

from __future__ import annotations

import time

import pytest

from pincite.model.text import DocumentData, Encryption
from pincite.pdf.objects.file import File
from pincite.pdf.objects.info import parse_date, read_data
from pincite.pdf.objects.xmp import read_properties
from support.pdfvariants import encrypted
from support.pdfwriter import PdfWriter, simple_pdf


def data_of(info: dict[str, object] | None = None, xmp: bytes | None = None) -> DocumentData:
    writer = PdfWriter()
    writer.add_page(b"")
    writer.info.update(info or {})  # type: ignore[arg-type]
    if xmp is not None:
        writer.catalog["Metadata"] = writer.add_stream(xmp, {"Type": "/Metadata", "Subtype": "/XML"})
    with File.open(writer.write()) as file:
        return read_data(file)


def test_a_document_that_says_nothing() -> None:
    assert data_of() == DocumentData()


def test_the_information_dictionary() -> None:
    data = data_of(
        {
            "Title": b"A title",
            "Author": b"\xfe\xff\xae\x40",
            "CreationDate": b"D:20200501123000+09'00'",
            "ModDate": b"yesterday",
            "Trapped": "/False",
            "Version": 3,
            "Own key": b"two\nlines",
            "Empty": b"",
            "Array": "[1 2]",
        }
    )
    assert data.author == "김"
    assert (data.created, data.modified) == ("2020-05-01T12:30:00+09:00", "yesterday")
    assert dict(data.info) == {
        "Title": "A title",
        "Author": "김",
        "CreationDate": "D:20200501123000+09'00'",
        "ModDate": "yesterday",
        "Trapped": "False",
        "Version": "3",
        "Own key": "two lines",
    }
    assert data.xmp == ()


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
  xmp:CreateDate="2021-02-03T04:05:06Z" pdf:Producer='P &amp; Q'>
  <!-- <dc:creator>nobody</dc:creator> -->
  <dc:creator><rdf:Seq><rdf:li>A. B.</rdf:li><rdf:li>C &lt;D&gt;</rdf:li></rdf:Seq></dc:creator>
  <dc:title><rdf:Alt><rdf:li xml:lang="de">Titel</rdf:li><rdf:li xml:lang="x-default">Title</rdf:li></rdf:Alt></dc:title>
  <xmp:ModifyDate>2022-01-01</xmp:ModifyDate>
  <dc:format>application/pdf</dc:format><dc:format>twice</dc:format>
  <pdf:Keywords/>
  <xmpMM:History><rdf:Seq><rdf:li rdf:parseType="Resource"><stEvt:action>saved</stEvt:action></rdf:li></rdf:Seq></xmpMM:History>
  <dc:language>
     <rdf:Bag><rdf:li>ko</rdf:li></rdf:Bag>
  </dc:language>
</rdf:Description></rdf:RDF></x:xmpmeta>"""

PROPERTIES = {
    "xmp:CreateDate": "2021-02-03T04:05:06Z",
    "pdf:Producer": "P & Q",
    "dc:creator": "A. B.; C <D>",
    "dc:title": "Title",
    "xmp:ModifyDate": "2022-01-01",
    "dc:format": "application/pdf",
    "dc:language": "ko",
}


def test_xmp() -> None:
    data = data_of(xmp=XMP.encode())
    assert dict(data.xmp) == PROPERTIES
    assert (data.author, data.created, data.modified) == ("A. B.; C <D>", "2021-02-03T04:05:06Z", "2022-01-01")
    assert dict(data_of(xmp=XMP.encode("utf-16-be")).xmp) == PROPERTIES
    assert data_of({"Author": b"own"}, XMP.encode()).author == "own"


@pytest.mark.parametrize(
    "packet",
    [
        "<dc:creator>" * 100_000,
        "<dc:creator " * 100_000,
        "<rdf:Description " + 'a:b="c" ' * 100_000 + ">",
        "<rdf:Description " + "a:b= " * 100_000 + ">",
        "<dc:a>" + "<rdf:li>" * 100_000,
        "<!--" * 100_000,
        "<" * 1_000_000,
        "<a:b>x</a:b>" * 100_000,
        "".join(f"<a:b{n}>x</a:b{n}>" for n in range(50_000)),
        "<a:b>" + "&amp;" * 1_000_000,
    ],
    ids=["open", "half", "many attributes", "no values", "items", "comments", "signs", "same", "many", "references"],
)
def test_hostile_xmp_costs_little(packet: str) -> None:
    started = time.process_time()
    found = read_properties(packet)
    assert time.process_time() - started < 5
    assert len(found) <= 200
    assert all(len(value) <= 2000 for value in found.values())


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("D:20200501123045+09'30'", "2020-05-01T12:30:45+09:30"),
        ("D:20200501123045+09'30", "2020-05-01T12:30:45+09:30"),
        ("D:20200501123045-0800", "2020-05-01T12:30:45-08:00"),
        ("D:20200501123045Z", "2020-05-01T12:30:45Z"),
        ("D:20200501123045Z'", "2020-05-01T12:30:45Z"),
        ("D:20200501123045Z00'00'", "2020-05-01T12:30:45Z"),
        ("D:20200501123045", "2020-05-01T12:30:45"),
        ("20200501123045", "2020-05-01T12:30:45"),
        ("D:202005011230", "2020-05-01T12:30"),
        ("D:2020050112", "2020-05-01T12:00"),
        ("D:20200501", "2020-05-01"),
        ("D:202005", "2020-05"),
        ("D:2020", "2020"),
        ("D:20201301", "D:20201301"),
        ("D:20200500", "D:20200500"),
        ("D:20200501250000", "D:20200501250000"),
        ("2020-05-01", "2020-05-01"),
        ("Fri May  1 2020", "Fri May  1 2020"),
        ("D:", "D:"),
        ("D:2020١١", "D:2020١١"),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert parse_date(text) == date


def test_a_flood_of_entries_is_cut() -> None:
    data = data_of({f"Key{number}": b"x" * 10_000 for number in range(1000)})
    assert len(data.info) == 100
    assert {len(value) for _, value in data.info} == {2000}


@pytest.mark.parametrize(
    ("revision", "version", "bits", "method"), [(3, 2, 128, "rc4"), (4, 4, 128, "aes"), (6, 5, 256, "aesv3")]
)
def test_encryption(revision: int, version: int, bits: int, method: str) -> None:
    pdf = encrypted(simple_pdf(["secret"]), user="user", owner="owner", revision=revision)
    with File.open(pdf, "user") as file:
        facts = file.encryption
    assert facts is not None
    assert (facts.version, facts.revision, facts.bits, facts.method) == (version, revision, bits, method)
    assert facts.opened_as == "user"
    assert {"print", "extract"} <= set(facts.permissions)
    with File.open(pdf, "owner") as file:
        assert isinstance(file.encryption, Encryption)
        assert file.encryption.opened_as == "owner"


def test_no_encryption() -> None:
    with File.open(simple_pdf(["open"])) as file:
        assert file.encryption is None
