"""Documents: opening them, their pages, and what they say of themselves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import pincite
from pincite import EncryptedError, UnreadableError
from pincite.model.geometry import Rect
from pincite.model.text import DocumentMeta, OutlineItem
from support.pdfvariants import (
    encrypted,
    junk_prefix,
    junk_suffix,
    truncated,
    with_object_streams,
    wrong_offsets,
    wrong_startxref,
)
from support.pdfwriter import OutlineEntry, PdfWriter, korean_pdf, simple_pdf
from support.sheet import Sheet

THREE = simple_pdf(["page one", None, "page three\nsecond line"], title="Three")


def test_from_bytes_a_path_and_a_descriptor(tmp_path: Path) -> None:
    path = tmp_path / "three.pdf"
    path.write_bytes(THREE)
    with path.open("rb") as stream:
        for source in (THREE, path, str(path), stream.fileno()):
            with pincite.open(source) as document:
                assert [page.text() for page in document] == ["page one", "", "page three\nsecond line"]
        assert os.fstat(stream.fileno()).st_size == len(THREE)  # a descriptor stays open: it is the caller's


def test_pages_are_numbered_from_one() -> None:
    with pincite.open(THREE) as document:
        assert len(document) == 3
        assert [page.number for page in document] == [1, 2, 3]
        assert document.page(1).text() == "page one"
        assert document.page(3).text() == "page three\nsecond line"


@pytest.mark.parametrize("number", [0, -1, 4, 10**9])
def test_there_is_no_page_nought_and_none_behind_the_last(number: int) -> None:
    with pincite.open(THREE) as document, pytest.raises(IndexError):
        document.page(number)


def test_a_file_of_one_page() -> None:
    with pincite.open(simple_pdf(["only"])) as document:
        assert len(document) == 1
        assert document.page(1).text() == "only"
        with pytest.raises(IndexError):
            document.page(2)


def test_text_is_the_same_however_often_and_in_whatever_order_it_is_asked_for() -> None:
    pdf = korean_pdf([f"쪽 {number}\n둘째 줄" for number in range(5)])
    with pincite.open(pdf) as document:
        forwards = [page.text() for page in document]
        backwards = [document.page(number).text() for number in range(5, 0, -1)]
        page = document.page(2)
        assert page.text() == page.text() == forwards[1]
    assert forwards == backwards[::-1] == [f"쪽 {number}\n둘째 줄" for number in range(5)]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"%PDF-1.7\n", id="a header alone"),
        pytest.param(b"not a PDF at all" * 100, id="garbage"),
        pytest.param(bytes(range(256)) * 50, id="every byte"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(1000), id="a picture"),
        pytest.param(b"<html><body>Not found</body></html>", id="a web page"),
        pytest.param(b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>", id="no page tree"),
        pytest.param(PdfWriter().write(), id="no pages"),
        pytest.param(THREE[:40], id="its first bytes"),
    ],
)
def test_what_has_no_pages_is_unreadable(source: bytes) -> None:
    with pytest.raises(UnreadableError) as caught:
        pincite.open(source)
    assert caught.value.slug == "unreadable"
    assert caught.value.message


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        pincite.open(tmp_path / "missing.pdf")


@pytest.mark.parametrize("revision", [3, 4, 6])
def test_an_encrypted_file(revision: int) -> None:
    open_to_all = encrypted(THREE, revision=revision)
    with pincite.open(open_to_all) as document:
        assert document.page(1).text() == "page one"
        assert document.title == "Three"
    locked = encrypted(THREE, user="sesame", owner="owner", revision=revision)
    with pytest.raises(EncryptedError):
        pincite.open(locked)
    with pytest.raises(EncryptedError):
        pincite.open(locked, password="wrong")
    for password in ("sesame", "owner"):
        with pincite.open(locked, password=password) as document:
            assert document.page(3).text() == "page three\nsecond line"


@pytest.mark.parametrize(
    "damage",
    [wrong_offsets, wrong_startxref, junk_prefix, junk_suffix, with_object_streams, lambda pdf: truncated(pdf, 0.95)],
)
def test_damaged_files_give_the_same_text(damage: object) -> None:
    with pincite.open(damage(THREE)) as document:  # type: ignore[operator]
        assert [page.text() for page in document] == ["page one", "", "page three\nsecond line"]


def test_title() -> None:
    with pincite.open(THREE) as document:
        assert document.title == "Three"
    with pincite.open(simple_pdf(["x"])) as document:
        assert document.title is None
    with pincite.open(korean_pdf(["x"], title="  제목 🙂 ")) as document:
        assert document.title == "제목 🙂"


def test_outline() -> None:
    writer = PdfWriter()
    for _ in range(3):
        writer.add_page()
    chapters = [
        OutlineEntry("One", 1, [OutlineEntry("One point one", 2, via="action"), OutlineEntry("Nowhere")]),
        OutlineEntry("둘", 3),
    ]
    writer.set_outline(chapters)
    with pincite.open(writer.write()) as document:
        assert document.outline == (OutlineItem("One", 1, 1), OutlineItem("One point one", 2, 2), OutlineItem("둘", 3, 1))
        assert document.meta == DocumentMeta(pages=3, title=None, outline=document.outline)


def test_no_outline() -> None:
    with pincite.open(THREE) as document:
        assert document.outline == ()
        assert document.meta == DocumentMeta(pages=3, title="Three", data=document.meta.data)
        assert document.meta.data.info == (("Title", "Three"),)


def test_labels() -> None:
    writer = PdfWriter()
    for _ in range(5):
        writer.add_page()
    with pincite.open(writer.write()) as document:
        assert [page.label for page in document] == [None] * 5
    writer.set_page_labels({0: {"S": "/r"}, 2: {"S": "/D", "St": 7}, 4: {"P": b"A-", "S": "/D"}})
    with pincite.open(writer.write()) as document:
        assert [page.label for page in document] == ["i", "ii", "7", "8", "A-1"]


def test_how_a_page_is_shown() -> None:
    writer = PdfWriter()
    writer.pages |= {"MediaBox": [0, 0, 300, 400], "Rotate": 90}
    writer.add_page(media_box=None)
    writer.add_page(rotate=-90, user_unit=2.5, crop_box=(10, 20, 30, 40))
    with pincite.open(writer.write()) as document:
        first, second = document
        assert (first.visible_box, first.rotate, first.user_unit) == (Rect(0, 0, 300, 400), 90, 1.0)
        assert (second.visible_box, second.rotate, second.user_unit) == (Rect(10, 20, 30, 40), 270, 2.5)


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_turning_a_page_does_not_change_its_text(rotate: int) -> None:
    writer = PdfWriter()
    font = writer.add_font()
    writer.add_page(font.text(72, 700, "first line") + font.text(72, 680, "second"), rotate=rotate)
    with pincite.open(writer.write()) as document:
        assert document.page(1).text() == "first line\nsecond"


def test_a_broken_page_costs_itself_alone() -> None:
    writer = PdfWriter()
    font = writer.add_font()
    writer.add_page(font.text(72, 700, "first"))
    broken = writer.add_stream(b"\x00garbage", {"Filter": "/NoSuchDecode"})
    writer.add_page([broken])
    writer.add_page(font.text(72, 700, "third"))
    with pincite.open(writer.write()) as document:
        assert document.page(1).text() == "first"
        with pytest.raises(UnreadableError):
            document.page(2).text()
        assert document.page(3).text() == "third"
        assert document.warnings


def test_sound_pages_have_no_warnings() -> None:
    with pincite.open(THREE) as document:
        assert "page one" in [page.text() for page in document]
        assert [page.warnings for page in document] == [(), (), ()]
        assert document.warnings == []


def test_a_page_outlives_the_loop_it_came_from() -> None:
    with pincite.open(THREE) as document:
        pages = list(document)
        assert [page.text() for page in reversed(pages)] == ["page three\nsecond line", "", "page one"]


def test_two_documents_at_once() -> None:
    with pincite.open(simple_pdf(["one"])) as first, pincite.open(korean_pdf(["둘"])) as second:
        assert (first.page(1).text(), second.page(1).text()) == ("one", "둘")


def test_what_a_page_leaves_open_does_not_reach_the_next() -> None:
    sheet = Sheet()
    sheet.add(
        "q 2 0 0 2 50 50 cm /Artifact BMC /P <</MCID 3>> BDC /Span <</ActualText (x)>> BDC BT /F1 10 Tf 3 Tr 9 Tc (one) Tj (cut"
    )
    sheet.add("BT 100 700 Td (no font yet) Tj /F1 10 Tf (two) Tj ET")
    with pincite.open(sheet.writer.write()) as document:
        first, second = document
        assert first.text() == "x"
        assert second.text() == "two"
        glyphs = second.glyphs()
        assert list(zip(glyphs.x, glyphs.y, strict=True)) == [(100, 700), (105, 700), (110, 700)]
        assert list(glyphs.flags) == list(glyphs.rendering_mode) == [0, 0, 0]
        assert list(glyphs.mcid) == [-1, -1, -1]


def test_pages_read_one_after_the_other_keep_their_own_glyphs() -> None:
    with pincite.open(simple_pdf(["one", "a longer page\nof two lines", "3"])) as document:
        pages = list(document)
        glyphs = [page.glyphs() for page in pages]
        assert ["".join(columns.text(row) for row in range(len(columns))) for columns in glyphs] == [
            "one",
            "a longer pageof two lines",
            "3",
        ]
        assert [page.text() for page in pages] == ["one", "a longer page\nof two lines", "3"]


def test_a_page_with_too_many_glyphs_costs_itself_alone() -> None:
    sheet = Sheet()
    sheet.add("BT /F1 10 Tf 100 700 Td (before) Tj ET")
    form = sheet.form("/P <</MCID 1>> BDC q 2 0 0 2 0 0 cm BT /F1 1 Tf (" + "x" * 50_000 + ") Tj ET")
    for _ in range(2):
        form = sheet.form("/Fm1 Do " * 10, xobjects={"Fm1": form})
    sheet.add("q 3 0 0 3 0 0 cm /Artifact BMC /Fm1 Do", xobjects={"Fm1": form})
    sheet.add("BT /F1 10 Tf 100 700 Td (after) Tj ET")
    with pincite.open(sheet.writer.write()) as document:
        before, broken, after = document
        assert before.text() == "before"
        with pytest.raises(pincite.LimitError):
            broken.text()
        assert after.text() == "after"
        assert list(after.glyphs().x) == [100, 105, 110, 115, 120]
        assert list(after.glyphs().flags) == [0] * 5
        assert before.text() == "before"
