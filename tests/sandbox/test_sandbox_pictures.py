"""Pictures of pages and places of spans, through the confined child, and what the parent believes of them."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite
from pincite.errors import CitationError, EncryptedError, LimitError, PinciteError, ProtocolError, UnreadableError
from pincite.model.geometry import Quad, Rect
from pincite.model.picture import PagePicture
from pincite.sandbox.answers import (
    PNG_GREY,
    PNG_RGB,
    PNG_SIGNATURE,
    encode_picture,
    encode_place,
    png_of,
    read_picture,
    read_place,
)
from pincite.sandbox.result import SpanPlace
from pincite.sandbox.runner import Runner
from support.children import close_zygotes, engine_runner
from support.pdfvariants import encrypted
from support.pdfwriter import PdfWriter, simple_pdf


@pytest.fixture(params=["forked", "executed"])
def runner(request: pytest.FixtureRequest) -> Iterator[Runner]:
    yield Runner(zygote=request.param == "forked")
    close_zygotes()


def rows_of(picture: PagePicture) -> tuple[int, list[bytes]]:
    """Channels and rows of a PNG as this sandbox writes them, decoded by the standard (ISO 15948) and nothing of ours."""
    png = picture.png
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height, depth, colour = struct.unpack_from(">IIBB", png, 16)
    assert (width, height, depth) == (picture.width, picture.height, 8)
    channels = {0: 1, 2: 3}[colour]
    (size,) = struct.unpack_from(">I", png, 33)
    data = zlib.decompress(png[41 : 41 + size])
    stride = 1 + width * channels
    assert len(data) == height * stride
    rows = [data[start : start + stride] for start in range(0, len(data), stride)]
    assert {row[0] for row in rows} == {0}
    return channels, [row[1:] for row in rows]


def coloured_pdf(**page: object) -> bytes:
    """A page of 100 by 50 points: its left half red, a black square at the lower right."""
    writer = PdfWriter()
    writer.add_page(b"1 0 0 rg 0 0 50 50 re f 0 g 90 0 10 10 re f", media_box=(0, 0, 100, 50), **page)  # type: ignore[arg-type]
    writer.add_page(b"", media_box=(0, 0, 10, 10))
    return writer.write()


def test_a_picture(runner: Runner) -> None:
    picture = runner.render(coloured_pdf(), 1, dpi=72)
    assert (picture.page, picture.width, picture.height, picture.dpi) == (1, 100, 50, 72)
    channels, rows = rows_of(picture)
    assert channels == 3
    assert rows[10][3 * 10 : 3 * 11] == b"\xff\x00\x00"
    assert rows[10][3 * 70 : 3 * 71] == b"\xff\xff\xff"
    assert rows[45][3 * 95 : 3 * 96] == b"\x00\x00\x00"
    assert runner.render(coloured_pdf(), 2, dpi=144).width == 20


def test_an_open_document_draws_its_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(coloured_pdf())
    for source in (path, coloured_pdf()):
        with pincite.open(source) as document:
            picture = document.page(1).render(72)
            assert picture == Runner().render(coloured_pdf(), 1, 72)
            assert rows_of(document.page(2).render(grey=True))[0] == 1
            with pytest.raises(ValueError, match="dpi"):
                document.page(1).render(0)
    with pincite.open(encrypted(coloured_pdf(), user="secret"), "secret") as document:
        assert document.page(1).render(72).width == 100


def test_a_grey_picture_and_a_turned_one(runner: Runner) -> None:
    channels, rows = rows_of(runner.render(coloured_pdf(), 1, dpi=72, grey=True))
    assert channels == 1
    assert rows[45][95] == 0
    assert 0 < rows[10][10] < 255
    turned = runner.render(coloured_pdf(rotate=90), 1, dpi=72)
    assert (turned.width, turned.height) == (50, 100)
    cropped = runner.render(coloured_pdf(crop_box=(50, 0, 100, 50)), 1, dpi=72)
    assert (cropped.width, cropped.height) == (50, 50)
    assert rows_of(cropped)[1][10][:3] == b"\xff\xff\xff"


def test_the_cap_on_pixels(runner: Runner) -> None:
    picture = runner.render(coloured_pdf(), 1, dpi=2400, max_pixels=20_000)
    assert picture.width * picture.height <= 20_000
    assert picture.width == pytest.approx(200, abs=4)
    assert picture.dpi == pytest.approx(144, abs=4)
    writer = PdfWriter()
    writer.add_page(b"", media_box=(0, 0, 1, 100_000))
    picture = runner.render(writer.write(), 1, dpi=2400, max_pixels=1000)
    assert 1 <= picture.width * picture.height <= 1000


def test_text_of_a_font_that_is_not_there_is_drawn() -> None:
    plain = Runner().render(simple_pdf([""]), 1, dpi=36, grey=True)
    written = Runner().render(simple_pdf(["MMMMMMMM"]), 1, dpi=36, grey=True)
    assert rows_of(plain)[1] != rows_of(written)[1]


def test_a_form_field_is_drawn() -> None:
    writer = PdfWriter()
    look = writer.add_form(b"0 0 1 rg 0 0 20 20 re f", bbox=(0, 0, 20, 20))
    field = {"FT": "/Tx", "T": b"field", "V": b"x"}
    widget = writer.add_annotation("Widget", (10, 10, 30, 30), appearance=look, extra=field)
    writer.catalog["AcroForm"] = {"Fields": [widget]}
    writer.add_page(b"", media_box=(0, 0, 100, 50), annotations=[widget])
    _, rows = rows_of(Runner().render(writer.write(), 1, dpi=72))
    assert rows[30][3 * 20 : 3 * 21] != b"\xff\xff\xff"


def test_errors_of_pictures(runner: Runner) -> None:
    secret = encrypted(coloured_pdf(), user="user", revision=6)
    with pytest.raises(EncryptedError):
        runner.render(secret, 1)
    assert runner.render(secret, 1, dpi=72, password="user").width == 100
    with pytest.raises(UnreadableError):
        runner.render(b"no PDF", 1)
    with pytest.raises(CitationError) as caught:
        runner.render(coloured_pdf(), 3)
    assert caught.value.slug == "absent"
    with pytest.raises(LimitError):
        Runner(zygote=runner.zygote, max_output_bytes=200).render(coloured_pdf(), 1)
    for wrong in ({"page": 0}, {"page": 1, "dpi": 0}, {"page": 1, "dpi": float("nan")}, {"page": 1, "max_pixels": 0}):
        with pytest.raises(ValueError, match="pages count from 1"):
            runner.render(coloured_pdf(), **wrong)  # type: ignore[arg-type]


# Places


def test_places_are_those_of_the_engine(runner: Runner) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    content = font.text(72, 700, "first line") + font.text(72, 680, "second")
    writer.add_page(content, rotate=90, user_unit=2, crop_box=(10, 10, 600, 780))
    pdf = writer.write()
    with pincite.open(pdf) as document:
        page = document.page(1)
        text, quads = page.text(), tuple(page.quads(6, 13))
    assert text[6:13] == "line\nse"
    place = runner.quads(pdf, 1, 6, 13)
    assert len(place.quads) == 2
    for found, expected in zip(place.quads, quads, strict=True):
        assert found.lower_left == pytest.approx(expected.lower_left)
        assert found.upper_right == pytest.approx(expected.upper_right)
    assert (place.page, place.rotate, place.user_unit) == (1, 90, 2)
    assert place.visible_box == Rect(10, 10, 600, 780)
    assert runner.quads(pdf, 1, 0, 0).quads == ()


def test_errors_of_places(runner: Runner) -> None:
    pdf = simple_pdf(["text"])
    for page, start, end in ((1, 0, 5), (1, 5, 6), (2, 0, 1)):
        with pytest.raises(CitationError) as caught:
            runner.quads(pdf, page, start, end)
        assert caught.value.slug == "absent"
    for page, start, end in ((0, 0, 1), (1, -1, 1), (1, 2, 1)):
        with pytest.raises(ValueError, match="pages count from 1"):
            runner.quads(pdf, page, start, end)
    assert runner.quads(encrypted(pdf, user="u"), 1, 0, 4, password="u").quads


def test_a_child_may_not_say_absent_of_a_text() -> None:
    script = "from pincite.errors import CitationError\ndef open_document(data): raise CitationError('x', slug='absent')"
    with pytest.raises(UnreadableError):
        engine_runner(script).run(b"")


# What the parent believes

PIXELS = zlib.compress(b"\0\0\0" * 2)
PNG = png_of(2, 2, PNG_GREY, PIXELS)


def picture_answer(png: bytes = PNG, **changes: object) -> bytes:
    head = {"page": 3, "width": 2, "height": 2, "dpi": 72.0, "bytes": len(png), **changes}
    return json.dumps({"picture": head}).encode() + b"\n" + png


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_good_picture_round_trips() -> None:
    for colour in (PNG_GREY, PNG_RGB):
        picture = PagePicture(3, 2, 2, 72.0, png_of(2, 2, colour, PIXELS))
        assert read_picture(encode_picture(picture) + picture.png, 3, 4) == picture


HEADER = struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)
BAD_PICTURES = {
    "nothing": b"",
    "no line": PNG,
    "a place": b'{"place": {}}\n' + PNG,
    "neither": b"{}\n" + PNG,
    "no JSON": b"x\n" + PNG,
    "no UTF-8": b"\xff\n" + PNG,
    "a long head": b'{"picture": "' + b"x" * 2000 + b'"}\n',
    "another page": picture_answer(page=4),
    "page 0": picture_answer(page=0),
    "no width": picture_answer(width=0),
    "too wide": picture_answer(width=1 << 40),
    "too many pixels": picture_answer(width=3),
    "NaN": picture_answer(dpi=float("nan")),
    "no resolution": picture_answer(dpi=0),
    "another size": picture_answer(width=1, height=4),
    "more bytes": picture_answer() + b"x",
    "fewer bytes": picture_answer()[:-1],
    "more bytes as promised": picture_answer(PNG + b"x"),
    "no PNG": picture_answer(b"GIF89a" + PNG),
    "cut off": picture_answer(PNG[:-12]),
    "cut in a chunk": picture_answer(PNG[:40]),
    "only a signature": picture_answer(PNG_SIGNATURE),
    "a wrong sum": picture_answer(PNG[:30] + b"\0" + PNG[31:]),
    "a comment": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", HEADER) + chunk(b"tEXt", b"a\0b") + chunk(b"IEND", b"")),
    "a profile": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", HEADER) + chunk(b"iCCP", b"x") + PNG[33:]),
    "two headers": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", HEADER) * 2 + PNG[33:]),
    "16 bits": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 16, 0, 0, 0, 0)) + PNG[33:]),
    "palette": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 3, 0, 0, 0)) + PNG[33:]),
    "interlaced": picture_answer(PNG_SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 1)) + PNG[33:]),
    "a length past the end": picture_answer(PNG[:33] + b"\xff\xff\xff\xff" + PNG[37:]),
}


@pytest.mark.parametrize("answer", BAD_PICTURES.values(), ids=BAD_PICTURES.keys())
def test_bad_pictures(answer: bytes) -> None:
    with pytest.raises(ProtocolError):
        read_picture(answer, 3, 4)


def place_answer(**changes: object) -> bytes:
    place = {"page": 3, "quads": [[0, 0, 1, 0, 1, 1, 0, 1]], "visible_box": [0, 0, 9, 9], "rotate": 0, "user_unit": 1, **changes}
    return json.dumps({"place": place}).encode() + b"\n"


def test_a_good_place_round_trips() -> None:
    place = SpanPlace(3, (Quad((0.0, 0.5), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),), Rect(0.0, 0.0, 9.0, 9.0), 270, 2.5)
    assert read_place(encode_place(place), 3) == place


def test_places_past_all_reason_are_brought_back() -> None:
    quad = Quad((float("nan"), float("inf")), (1e300, 0.0), (1.0, -1e300), (0.0, 1.0))
    place = read_place(encode_place(SpanPlace(1, (quad,) * 60_000, Rect(0.0, 0.0, 1e300, 1e300), 0, float("inf"))), 1)
    assert len(place.quads) == 50_000
    assert place.quads[0] == Quad((0.0, 1e9), (1e9, 0.0), (1.0, -1e9), (0.0, 1.0))
    assert place.user_unit == 1e6


BAD_PLACES = {
    "nothing": b"",
    "no line feed": place_answer()[:-1],
    "two lines": place_answer() * 2,
    "a picture": picture_answer(),
    "neither": b"{}\n",
    "another page": place_answer(page=4),
    "NaN": place_answer(quads=[[float("nan")] * 8]),
    "infinity": place_answer(user_unit=float("inf")),
    "too far": place_answer(quads=[[1e10] * 8]),
    "seven numbers": place_answer(quads=[[0] * 7]),
    "nine numbers": place_answer(quads=[[0] * 9]),
    "words": place_answer(quads=[["0"] * 8]),
    "a box inside out": place_answer(visible_box=[9, 0, 0, 9]),
    "45 degrees": place_answer(rotate=45),
    "no unit": place_answer(user_unit=0),
    "too many": place_answer(quads=[[0] * 8] * 50_001),
    "nested": b'{"place": ' + b"[" * 100_000 + b"\n",
    "no UTF-8": b'{"x": "\xff"}\n',
}


@pytest.mark.parametrize("answer", BAD_PLACES.values(), ids=BAD_PLACES.keys())
def test_bad_places(answer: bytes) -> None:
    with pytest.raises(ProtocolError):
        read_place(answer, 3)


def test_a_child_that_answers_something_else() -> None:
    script = """
        import os
        from pincite.sandbox.child import work
        work.write_place = lambda document, output, task: os.write(output, b'{"place": {"page": 1}}\\n')
        def open_document(data): return Document("x")
    """
    with pytest.raises(PinciteError) as caught:
        engine_runner(script).quads(b"%PDF", 1, 0, 1)
    assert isinstance(caught.value, ProtocolError)
