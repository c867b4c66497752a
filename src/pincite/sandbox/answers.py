"""The answers of a child to what is no text: a picture, or the place of a span.

    {"picture": {"page": 3, "width": 1224, "height": 1584, "dpi": 144.0, "bytes": 51234}}     and the PNG, to the end
    {"place": {"page": 3, "quads": [[x, y, x, y, x, y, x, y]], "visible_box": [x0, y0, x1, y1], "rotate": 0, "user_unit": 1.0}}

A quad's corners begin at the lower left and go round as its reader sees it counter-clockwise. Exit codes and reasons are as
for text (`protocol`), and `absent` where the document has no such page or span.

The parent believes nothing here either. Of a PNG it takes only what this sandbox writes: one header, image data, an end,
each with its check sum, of the size that was promised and no larger than was asked for, so that nothing but compressed pixels
reaches whatever shows it.
"""

from __future__ import annotations

import struct
import zlib
from typing import Annotated, Literal

import msgspec

from pincite.model.geometry import Point, Quad, Rect
from pincite.model.picture import PagePicture
from pincite.sandbox.protocol import MAX_LINE_BYTES, MAX_PAGES, decode_line, violation
from pincite.sandbox.result import SpanPlace

MAX_QUADS = 50_000
MAX_COORDINATE = 1e9
MAX_USER_UNIT = 1e6
MAX_HEAD_BYTES = 1024

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_HEADER = struct.Struct(">IIBBBBB")
PNG_GREY, PNG_RGB = 0, 2

_PageNumber = Annotated[int, msgspec.Meta(ge=1, le=MAX_PAGES)]
_Size = Annotated[int, msgspec.Meta(ge=1, le=1 << 31)]
_Coordinate = Annotated[float, msgspec.Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
_Box = tuple[_Coordinate, _Coordinate, _Coordinate, _Coordinate]
_Quad = tuple[
    _Coordinate, _Coordinate, _Coordinate, _Coordinate, _Coordinate, _Coordinate, _Coordinate, _Coordinate
]  # fmt: skip


class _Picture(msgspec.Struct, frozen=True):
    page: _PageNumber
    width: _Size
    height: _Size
    dpi: Annotated[float, msgspec.Meta(gt=0, le=1e6)]
    bytes: _Size


class _Place(msgspec.Struct, frozen=True):
    page: _PageNumber
    quads: Annotated[list[_Quad], msgspec.Meta(max_length=MAX_QUADS)]
    visible_box: _Box
    rotate: Literal[0, 90, 180, 270]
    user_unit: Annotated[float, msgspec.Meta(gt=0, le=MAX_USER_UNIT)]


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    picture: _Picture | None = None
    place: _Place | None = None


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Answer)


# The child's side


def encode_picture(picture: PagePicture) -> bytes:
    """The head line; the PNG follows it."""
    head = _Picture(picture.page, picture.width, picture.height, picture.dpi, len(picture.png))
    return _encoder.encode(_Answer(picture=head)) + b"\n"


def encode_place(place: SpanPlace) -> bytes:
    """The one line; coordinates past all reason are brought back to the limit, quads past theirs are left out."""
    corners = ((quad.lower_left, quad.lower_right, quad.upper_right, quad.upper_left) for quad in place.quads[:MAX_QUADS])
    quads = [[_sane(number) for point in points for number in point] for points in corners]
    box = place.visible_box
    wire = {
        "page": place.page,
        "quads": quads,
        "visible_box": [_sane(number) for number in (box.x0, box.y0, box.x1, box.y1)],
        "rotate": place.rotate,
        "user_unit": min(max(place.user_unit, 1e-6), MAX_USER_UNIT),
    }
    return _encoder.encode({"place": wire}) + b"\n"


def png_of(width: int, height: int, colour: int, compressed: bytes) -> bytes:
    """A PNG (ISO 15948) of 8 bits a sample from its deflated rows, in one piece of image data."""
    header = PNG_HEADER.pack(width, height, 8, colour, 0, 0, 0)
    return b"".join((PNG_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", compressed), _chunk(b"IEND", b"")))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))


def _sane(number: float) -> float:
    """NaN becomes 0: no comparison holds for it."""
    return max(-MAX_COORDINATE, min(MAX_COORDINATE, number)) if number == number else 0.0


# The parent's side


def read_picture(untrusted: bytes, page: int, max_pixels: int) -> PagePicture:
    """The picture that was asked for; raises `ProtocolError`."""
    untrusted_line, line_feed, untrusted_png = untrusted[:MAX_HEAD_BYTES].partition(b"\n")
    if not line_feed:
        raise violation("a picture without its head line")
    head = decode_line(_decoder, untrusted_line).picture
    if head is None:
        raise violation("a line that is not a picture's")
    untrusted_png = untrusted[len(untrusted_line) + 1 :]
    if head.page != page:
        raise violation(f"a picture of page {head.page} where page {page} was due")
    if head.width * head.height > max_pixels:
        raise violation(f"a picture of more than {max_pixels} pixels")
    if head.bytes != len(untrusted_png):
        raise violation(f"a picture of {len(untrusted_png)} bytes where {head.bytes} were promised")
    _check_png(untrusted_png, head.width, head.height)
    return PagePicture(head.page, head.width, head.height, head.dpi, untrusted_png)


def read_place(untrusted: bytes, page: int) -> SpanPlace:
    """The place that was asked for; raises `ProtocolError`."""
    if len(untrusted) > MAX_LINE_BYTES:
        raise violation(f"a line of more than {MAX_LINE_BYTES} bytes")
    if not untrusted.endswith(b"\n") or untrusted.count(b"\n") != 1:
        raise violation("an answer that is not one line")
    place = decode_line(_decoder, untrusted).place
    if place is None:
        raise violation("a line that is not a place's")
    if place.page != page:
        raise violation(f"a place on page {place.page} where page {page} was due")
    box = Rect(*place.visible_box)
    if box.x0 > box.x1 or box.y0 > box.y1:
        raise violation("a box that is inside out")
    return SpanPlace(place.page, tuple(_quad(quad) for quad in place.quads), box, place.rotate, place.user_unit)


def _quad(numbers: _Quad) -> Quad:
    points: list[Point] = list(zip(numbers[::2], numbers[1::2], strict=True))
    return Quad(*points)


def _check_png(untrusted: bytes, width: int, height: int) -> None:
    """Raise unless these are a header with these sizes, image data and an end, and not a byte more."""
    if not untrusted.startswith(PNG_SIGNATURE):
        raise violation("a picture that is no PNG")
    position = len(PNG_SIGNATURE)
    for kind in (b"IHDR", b"IDAT", b"IEND"):
        (length,) = struct.unpack(">I", untrusted[position : position + 4].rjust(4, b"\xff"))
        end = position + 12 + length
        chunk = untrusted[position:end]
        if len(chunk) != 12 + length or chunk[4:8] != kind or chunk[-4:] != struct.pack(">I", zlib.crc32(chunk[4:-4])):
            raise violation("a PNG that is damaged, or holds more than pixels")
        if kind == b"IHDR":
            _check_header(chunk[8:-4], width, height)
        position = end
    if position != len(untrusted):
        raise violation("data after the end of the PNG")


def _check_header(untrusted: bytes, width: int, height: int) -> None:
    if untrusted not in {PNG_HEADER.pack(width, height, 8, colour, 0, 0, 0) for colour in (PNG_GREY, PNG_RGB)}:
        raise violation("a PNG of another size or kind than was promised")
