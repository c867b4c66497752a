"""Sound files without qpdf: which ones are, that they mean what qpdf says, and that the others go over to it."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.plain import NotPlainError, PlainFile
from pincite.pdf.objects.qpdf import QpdfFile
from pincite.pdf.objects.values import Reference, Stream, Value
from support import pdfvariants
from support.corpus import corpus_parameters
from support.pdfwriter import PdfWriter, korean_pdf, simple_pdf
from support.pdfwriter import Reference as Written


def no_qpdf(reference: Reference) -> Stream:
    raise UnreadableError("not plain")


def uses_qpdf(file: File) -> bool:
    return file._qpdf is not None


def with_hidden_objects(pdf: bytes) -> bytes:
    """A hybrid file (7.5.8.4): object 3 is free in the table, and stands in a stream of cross-references beside it."""
    offset = pdf.index(b"3 0 obj")
    stream = len(pdf)
    row = b"\1" + offset.to_bytes(4, "big") + b"\0"
    pdf = re.sub(rb"%010d 00000 n" % offset, b"0000000000 00001 f", pdf)
    pdf += b"99 0 obj<</Type/XRef/W[1 4 1]/Index[3 1]/Size 4/Length 6>>stream\n" + row + b"\nendstream endobj\n"
    table = pdf.index(b"xref\n")
    size = re.search(rb"/Size (\d+)", pdf)
    assert size is not None
    root = b"<</Size %s/Root 1 0 R/Prev %d/XRefStm %d>>" % (size[1], table, stream)
    return pdf + b"xref\n0 0\ntrailer" + root + b"\nstartxref\n%d\n%%%%EOF\n" % len(pdf)


def updated(pdf: bytes) -> bytes:
    """An incremental update (7.5.6) that replaces the content of the first page."""
    with File.open(pdf) as file:
        number = PageTree(file)[0].dictionary["Contents"]
    assert isinstance(number, Reference)
    offset = len(pdf)
    body = b"%d 0 obj<</Length 3>>stream\nnew\nendstream endobj\n" % number.number
    size = re.search(rb"/Size (\d+)", pdf)
    start = re.search(rb"startxref\s+(\d+)", pdf)
    assert size is not None
    assert start is not None
    table = b"xref\n%d 1\n%010d 00000 n \ntrailer<</Size %s/Root 1 0 R/Prev %s>>\n" % (number.number, offset, size[1], start[1])
    return pdf + body + table + b"startxref\n%d\n%%%%EOF\n" % (offset + len(body))


class TestSoundFiles:
    @pytest.mark.parametrize(
        "data",
        [
            simple_pdf(["one", "two"]),
            korean_pdf(["한국어"]),
            pdfvariants.with_object_streams(simple_pdf(["one", "two"])),
            updated(simple_pdf(["one"])),
            with_hidden_objects(simple_pdf(["one"])),
        ],
    )
    def test_qpdf_is_not_needed(self, data: bytes) -> None:
        with File.open(data) as file:
            for page in PageTree(file):
                assert page.contents()
                assert page.dictionary
            assert not uses_qpdf(file)
            assert file.warnings == []

    def test_the_newest_object_counts(self) -> None:
        with File.open(updated(simple_pdf(["one"]))) as file:
            assert PageTree(file)[0].contents() == [b"new"]

    def test_the_length_of_a_stream_may_be_an_object(self) -> None:
        writer = PdfWriter()
        writer.add_page([Written(4)])
        writer.add_stream(b"content", {"Length": Written(5)})
        writer.add(7)
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"content"]
            assert not uses_qpdf(file)

    def test_predictors_are_undone(self) -> None:
        writer = PdfWriter()
        packed = zlib.compress(b"\2ab\2\1\1\1xy")
        parameters = {"Predictor": 12, "Columns": 2}
        page = writer.add_page([Written(4)])
        writer.add_stream(packed, {"Filter": "/FlateDecode", "DecodeParms": parameters})
        assert page.number == 3
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"abbcx" + bytes((ord("x") + ord("y") & 255,))]
            assert not uses_qpdf(file)

    def test_object_streams_are_let_go_when_they_take_too_much(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("pincite.pdf.objects.plain._MAX_UNPACKED_BYTES", 10)
        with File.open(pdfvariants.with_object_streams(simple_pdf([str(number) for number in range(150)]))) as file:
            assert len(PageTree(file)) == 150
            assert file._plain is not None
            assert len(file._plain._unpacked) == 1
            assert not uses_qpdf(file)


class TestOtherFiles:
    @pytest.mark.parametrize(
        "change",
        [
            pdfvariants.encrypted,
            pdfvariants.wrong_offsets,
            pdfvariants.wrong_startxref,
            pdfvariants.junk_prefix,
            pdfvariants.junk_suffix,
            lambda pdf: pdf.replace(b"%PDF-1.7", b"%PDF-x.y"),
            lambda pdf: pdf.replace(b"/Type /Catalog", b"/Typo /Catalog"),
            lambda pdf: re.sub(rb"/Size \d", b"/Size 9", pdf),
            lambda pdf: re.sub(rb"/Size \d+", b"", pdf),
            lambda pdf: pdf.replace(b"trailer", b"trailing"),
            lambda pdf: pdf.replace(b" n \n", b" n\n"),
            lambda pdf: pdf.replace(b"/Root", b"/Prev 0 /Root"),
            lambda pdf: pdf.replace(b"/Root", b"/XRefStm 0 /Root"),
        ],
    )
    def test_are_opened_by_qpdf(self, change: Callable[[bytes], bytes]) -> None:
        with File.open(change(simple_pdf(["one", "two"]))) as file:
            assert len(PageTree(file)) == 2
            assert b"two" in PageTree(file)[1].contents()[0]
            assert uses_qpdf(file)

    @pytest.mark.parametrize(
        "change",
        [
            lambda pdf: pdf.replace(b"/Type /Page\n", b"/Typ /Page\n"),
            lambda pdf: re.sub(rb"/Length \d+", b"/Length 5", pdf),
            lambda pdf: re.sub(rb"/Length \d+", b"/Lengxh 5", pdf),
            lambda pdf: pdf.replace(b"/MediaBox", b"/A 1 /A 2 /MediaBox"),
            lambda pdf: pdf.replace(b"endstream", b"endstraem"),
        ],
    )
    def test_go_over_to_qpdf_where_damage_shows(self, change: Callable[[bytes], bytes]) -> None:
        pdf = change(simple_pdf(["one", "two"]))
        with File.open(pdf) as file:
            texts = [page.contents() for page in PageTree(file)]
            assert len(texts) == 2
            assert b"one" in texts[0][0]
            assert b"two" in texts[1][0]

    def test_two_lengths_that_mean_each_other_end(self) -> None:
        writer = PdfWriter()
        writer.add_page([Written(4)])
        writer.add_stream(b"a", {"Length": Written(5)})
        writer.add_stream(b"b", {"Length": Written(4)})
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"a\n"]

    def test_streams_with_other_filters_alone_are_qpdfs(self) -> None:
        writer = PdfWriter()
        writer.add_page([Written(4)])
        writer.add_stream(b"61 62>", {"Filter": "/ASCIIHexDecode"})
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"ab"]
            assert file._plain is not None
            assert uses_qpdf(file)

    def test_nothing_is_read_after_the_end(self) -> None:
        file = File.open(simple_pdf(["one"]))
        stream = file.resolve(PageTree(file)[0].dictionary["Contents"])
        assert isinstance(stream, Stream)
        file.close()
        with pytest.raises(UnreadableError, match="closed"):
            stream.data()


class _Owner:
    def resolve(self, value: Value) -> Value:
        return value

    def get(self, dictionary: dict[str, Value], key: str, default: Value = None) -> Value:
        return dictionary.get(key, default)

    def warn(self, message: str) -> None:
        pass


@pytest.mark.corpus
@pytest.mark.parametrize("path", corpus_parameters())
def test_every_object_of_the_corpus_is_what_qpdf_says(path: Path) -> None:
    data = path.read_bytes()
    try:
        plain = PlainFile(data, no_qpdf)
    except NotPlainError:
        return
    other = QpdfFile.open(io.BytesIO(data), None, _Owner())
    known = set(other.references())
    for reference in sorted(known):
        try:
            own = plain.load(reference)
        except NotPlainError:
            return
        value = other.load(reference)
        if isinstance(own, Stream):
            assert isinstance(value, Stream)
            # qpdf gives a length as the number that it found
            dictionaries = [_without({**stream.dictionary, "Length": 0}, known) for stream in (own, value)]
            assert dictionaries[0] == dictionaries[1]
            with_data = own.plain_data() if "Image" not in own.dictionary.values() else None  # type: ignore[attr-defined]
            assert with_data is None or with_data == value.data()
        else:
            assert _without(own, known) == _without(value, known)


def _without(value: Value, known: set[Reference]) -> Value:
    """References to nothing are null, and so qpdf prints some of them."""
    if isinstance(value, Reference):
        return value if value in known else None
    if isinstance(value, list):
        return [_without(item, known) for item in value]
    if isinstance(value, dict):
        return {key: inner for key, item in value.items() if (inner := _without(item, known)) is not None}
    return value
