"""Stream data: sound, damaged, and not ours to decode."""

from __future__ import annotations

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.filters import UnknownFilterError, decode_best_effort
from pincite.pdf.objects.values import Reference, Stream
from support.pdfwriter import PdfWriter

TEXT = b"".join(b"BT /F1 12 Tf (line %d) Tj ET\n" % number for number in range(300))
PACKED = zlib.compress(TEXT)


def _stream(data: bytes, filters: object, parameters: object = None) -> tuple[File, Stream]:
    writer = PdfWriter()
    writer.add_page()
    number = writer.add_stream(data, {"Filter": filters, "DecodeParms": parameters}).number  # type: ignore[dict-item]
    file = File.open(writer.write())
    stream = file.resolve(Reference(number, 0))
    assert isinstance(stream, Stream)
    return file, stream


@pytest.mark.parametrize(
    ("data", "filters", "decoded"),
    [
        (TEXT, None, TEXT),
        (b"", "/FlateDecode", b""),
        (PACKED, "/FlateDecode", TEXT),
        (PACKED, "/Fl", TEXT),
        (TEXT.hex().encode() + b">", "/ASCIIHexDecode", TEXT),
        (base64.a85encode(TEXT) + b"~>", "/ASCII85Decode", TEXT),
        (b"\x04Hello\xffx\x80", "/RunLengthDecode", b"Helloxx"),
        (b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", "/LZWDecode", b"-----A---B"),
        (base64.a85encode(PACKED) + b"~>", ["/ASCII85Decode", "/FlateDecode"], TEXT),
        (PACKED, ["/Crypt", "/FlateDecode"], TEXT),
    ],
)
def test_sound_streams(data: bytes, filters: object, decoded: bytes) -> None:
    file, stream = _stream(data, filters)
    with file:
        assert stream.data() == decoded


@pytest.mark.parametrize(
    ("data", "filters", "share"),
    [
        (PACKED[2:-4], "/FlateDecode", 1.0),  # without the zlib header
        (b"\r\n" + PACKED, "/FlateDecode", 1.0),  # a line end too many before the data
        (b"XX" + PACKED[2:], "/FlateDecode", 1.0),  # the header overwritten
        (PACKED[:-4] + b"abcd", "/FlateDecode", 1.0),  # a wrong checksum
        (PACKED[: len(PACKED) // 2], "/FlateDecode", 0.3),  # cut off
        (TEXT.hex().encode() + b"zz>", "/ASCIIHexDecode", 1.0),  # a character that is no digit
        (PACKED.hex().encode() + b"zz>", ["/ASCIIHexDecode", "/FlateDecode"], 1.0),
        (b"\xff\xff" + base64.a85encode(TEXT) + b"~>", "/ASCII85Decode", 1.0),
    ],
)
def test_damaged_streams_give_what_can_be_decoded(data: bytes, filters: object, share: float) -> None:
    file, stream = _stream(data, filters)
    with file:
        decoded = stream.data()
        assert TEXT.startswith(decoded)
        assert len(decoded) >= share * len(TEXT)


def test_a_rescued_stream_leaves_a_warning() -> None:
    file, stream = _stream(PACKED[2:-4], "/FlateDecode")
    with file:
        stream.data()
        assert any("is damaged" in warning for warning in file.warnings)


@pytest.mark.parametrize(
    ("data", "filters"),
    [
        (b"\xff\xd8\xff", "/DCTDecode"),
        (PACKED, ["/FlateDecode", "/JPXDecode"]),
        (b"x", "/JBIG2Decode"),
        (b"x", "/CCITTFaxDecode"),
        (b"x", "/NoSuchFilter"),
        (b"no deflate data in here", "/FlateDecode"),
    ],
)
def test_pictures_and_hopeless_data_are_unreadable(data: bytes, filters: object) -> None:
    file, stream = _stream(data, filters)
    with file, pytest.raises(UnreadableError, match="can't be decoded"):
        stream.data()


def test_wrong_length_is_mended() -> None:
    writer = PdfWriter()
    writer.add_page()
    number = writer.add_stream(PACKED, {"Filter": "/FlateDecode", "Length": 5}).number
    with File.open(writer.write()) as file:
        stream = file.resolve(Reference(number, 0))
        assert isinstance(stream, Stream)
        assert stream.data() == TEXT


def test_memory_errors_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    file, stream = _stream(PACKED[2:-4], "/FlateDecode")

    def too_much(data: bytes, filters: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr("pincite.pdf.objects.qpdf.decode_best_effort", too_much)
    with file, pytest.raises(MemoryError):
        stream.data()


def _lzw(data: bytes) -> bytes:
    """Encode with literal codes alone, and a clear code before the width of codes would grow."""
    bits = ""
    for start in range(0, len(data), 200):
        bits += f"{256:09b}" + "".join(f"{byte:09b}" for byte in data[start : start + 200])
    bits += f"{257:09b}"
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[index : index + 8], 2) for index in range(0, len(bits), 8))


def _run_length(data: bytes) -> bytes:
    pieces = [data[start : start + 128] for start in range(0, len(data), 128)]
    return b"".join(bytes((len(piece) - 1,)) + piece for piece in pieces) + b"\x80"


@given(st.binary(max_size=600))
def test_the_filters_for_damage_agree_with_the_sound_encoders(data: bytes) -> None:
    assert decode_best_effort(zlib.compress(data), [("FlateDecode", {})]) == data
    assert decode_best_effort(data.hex().encode() + b">", [("ASCIIHexDecode", {})]) == data
    assert decode_best_effort(base64.a85encode(data) + b"~>", [("ASCII85Decode", {})]) == data
    assert decode_best_effort(_run_length(data), [("RunLengthDecode", {})]) == data
    assert decode_best_effort(_lzw(data), [("LZWDecode", {})]) == data


@given(
    st.binary(max_size=80), st.sampled_from(["FlateDecode", "LZWDecode", "ASCIIHexDecode", "ASCII85Decode", "RunLengthDecode"])
)
def test_the_filters_for_damage_take_any_bytes(data: bytes, name: str) -> None:
    decode_best_effort(data, [(name, {"Predictor": 12, "Columns": 3})])


def test_lzw_with_growing_codes_agrees_with_qpdf() -> None:
    # Codes of 9, 10 and 11 bits, from an encoder that builds the whole table.
    data = bytes((index * index + index // 7) & 0xFF for index in range(6000))
    table = {bytes((code,)): code for code in range(256)}
    bits, width, known, pending = f"{256:09b}", 9, 258, b""
    for byte in data:
        longer = pending + bytes((byte,))
        if longer in table:
            pending = longer
            continue
        bits += f"{table[pending]:0{width}b}"
        table[longer] = known
        known += 1
        width = 12 if known > 2047 else 11 if known > 1023 else 10 if known > 511 else 9
        if known == 4094:
            bits += f"{256:0{width}b}"
            table = {bytes((code,)): code for code in range(256)}
            known, width = 258, 9
        pending = bytes((byte,))
    bits += f"{table[pending]:0{width}b}"
    bits += "0" * (-len(bits) % 8)
    packed = bytes(int(bits[index : index + 8], 2) for index in range(0, len(bits), 8))
    file, stream = _stream(packed, "/LZWDecode")
    with file:
        assert stream.data() == data
    assert decode_best_effort(packed, [("LZWDecode", {})]) == data


def _png_rows(rows: list[bytes], kinds: list[int], step: int) -> bytes:
    """Filter rows with the PNG filter types (ISO 15948, clause 9)."""
    out = bytearray()
    above = bytes(len(rows[0]))
    for row, kind in zip(rows, kinds, strict=True):
        out.append(kind)
        for index, byte in enumerate(row):
            left = row[index - step] if index >= step else 0
            corner = above[index - step] if index >= step else 0
            up = above[index]
            estimate = left + up - corner
            paeth = min((left, up, corner), key=lambda value: abs(estimate - value))
            out.append((byte - (0, left, up, (left + up) // 2, paeth)[kind]) & 0xFF)
        above = row
    return bytes(out)


@given(st.lists(st.tuples(st.binary(min_size=6, max_size=6), st.integers(0, 4)), min_size=1, max_size=8))
def test_png_predictors_are_undone(rows: list[tuple[bytes, int]]) -> None:
    plain = b"".join(row for row, _ in rows)
    packed = zlib.compress(_png_rows([row for row, _ in rows], [kind for _, kind in rows], 2))
    parameters = {"Predictor": 15, "Columns": 3, "Colors": 2}
    assert decode_best_effort(packed, [("FlateDecode", dict(parameters))]) == plain
    file, stream = _stream(packed, "/FlateDecode", parameters)
    with file:
        assert stream.data() == plain


def test_picture_filters_are_not_attempted() -> None:
    with pytest.raises(UnknownFilterError):
        decode_best_effort(b"x", [("DCTDecode", {})])
