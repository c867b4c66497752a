"""The writer's files are read back with pikepdf, which shares nothing with it."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest

from support.pdfvariants import (
    encrypted,
    junk_prefix,
    junk_suffix,
    truncated,
    with_object_streams,
    wrong_offsets,
    wrong_startxref,
)
from support.pdfwriter import OutlineEntry, PdfWriter, korean_pdf, serialise, simple_pdf


def rich_pdf() -> bytes:
    """A file with everything the writer can write."""
    writer = PdfWriter()
    simple = writer.add_font(widths=500, differences={65: "B", 66: "C", 70: "A"})
    composite = writer.add_composite_font()
    writer.add_type3_font({97: "1000 0 d0 0 0 750 750 re f"}, to_unicode={97: "a"})
    form = writer.add_form(simple.text(10, 10, "head"), matrix=(1, 0, 0, 1, 5, 5))
    layer = writer.add_layer("Off", visible=False)
    stamp = writer.add_annotation("FreeText", (0, 0, 10, 10), appearance=form)
    writer.add_page(
        [simple.text(72, 700, "Hello (x)"), composite.text(72, 600, "한국어 abc")],
        xobjects={"Fm1": form},
        properties={"MC0": layer},
        annotations=[stamp],
        rotate=90,
        crop_box=(10, 10, 500, 500),
        user_unit=2.0,
    )
    writer.add_image_page()
    writer.set_outline([OutlineEntry("One", 1, [OutlineEntry("둘", 2, via="action")]), OutlineEntry("Nowhere")])
    writer.set_page_labels({0: {"S": "/r"}, 1: {"S": "/D", "St": 7}})
    writer.set_title("제목")
    first = writer.write()
    assert writer.write() == first
    return first


def test_same_calls_same_bytes() -> None:
    assert rich_pdf() == rich_pdf()


def test_read_back() -> None:
    with pikepdf.open(io.BytesIO(rich_pdf())) as document:
        assert not document.check_pdf_syntax()
        assert str(document.docinfo["/Title"]) == "제목"
        first, second = document.pages
        assert [len(page.get_images()) for page in (first, second)] == [0, 1]
        assert (first.Rotate, float(first.UserUnit)) == (90, 2.0)
        assert [page.label for page in document.pages] == ["i", "7"]
        assert b"(Hello \\(x\\)) Tj" in first.Contents[0].read_bytes()
        assert first.Resources.Font["/F1"].Encoding.Differences[0] == 65
        with document.open_outline() as outline:
            assert [item.title for item in outline.root] == ["One", "Nowhere"]
            assert [item.title for item in outline.root[0].children] == ["둘"]


def test_composite_font_maps_what_it_encoded() -> None:
    with pikepdf.open(io.BytesIO(korean_pdf(["한국"]))) as document:
        font = document.pages[0].Resources.Font["/F1"]
        cmap = font.ToUnicode.read_bytes()
        assert "<0001> <{}>".format("한".encode("utf-16-be").hex().upper()).encode() in cmap
        assert list(font.DescendantFonts[0].W.as_list()[1].as_list()) == [1000]


def test_a_page_without_text_is_a_picture() -> None:
    with pikepdf.open(io.BytesIO(simple_pdf(["one", None, "three"]))) as document:
        assert [len(page.get_images()) for page in document.pages] == [0, 1, 0]


@pytest.mark.parametrize(
    ("value", "syntax"),
    [
        (None, b"null"),
        (True, b"true"),
        (1e-9, b"0"),
        (-0.5, b"-0.5"),
        (100, b"100"),
        ("/Name", b"/Name"),
        (b"a(b)\\", b"(a\\(b\\)\\\\)"),
        (b"\xff\x00", b"<ff00>"),
        ({"A B": [1, None], "Gone": None}, b"<< /A#20B [1 null] >>"),
    ],
)
def test_syntax(value: object, syntax: bytes) -> None:
    assert serialise(value) == syntax


@pytest.mark.parametrize("revision", [3, 4, 6])
def test_encrypted_with_and_without_a_user_password(revision: int) -> None:
    pdf = simple_pdf(["secret"])
    with pikepdf.open(io.BytesIO(encrypted(pdf, revision=revision))) as document:
        assert document.is_encrypted
        assert int(document.encryption.R) == revision
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(encrypted(pdf, user="user", revision=revision)))


@pytest.mark.parametrize(
    "damage", [wrong_offsets, wrong_startxref, junk_prefix, junk_suffix, with_object_streams, lambda pdf: truncated(pdf, 0.9)]
)
def test_damaged_files_are_repairable(damage: Callable[[bytes], bytes]) -> None:
    pdf = simple_pdf(["one", "two"])
    assert damage(pdf) != pdf
    assert damage(pdf) == damage(pdf)
    with pikepdf.open(io.BytesIO(damage(pdf))) as document:
        assert len(document.pages) == 2
