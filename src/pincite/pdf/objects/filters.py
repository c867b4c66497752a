"""Stream filters for damaged data: decode as much as can be decoded (ISO 32000-2, 7.4).

qpdf decodes the sound streams, which is nearly all of them, and faster. It refuses a stream whole when a filter's
data are wrong from the start; here each filter keeps what came before the fault.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence

from pincite._kernel.filters import undo_png_predictor
from pincite.errors import LimitError
from pincite.pdf.objects.values import Dictionary, as_number

__all__ = ["UnknownFilterError", "decode_best_effort", "unpredict"]


_MAX_DECODED = 32 << 20
"""Bytes that a filter here makes at most: no text is as long, and a bomb would go on without end."""


class UnknownFilterError(Exception):
    """A filter that makes pictures, or one that nobody knows."""


def decode_best_effort(data: bytes, filters: Sequence[tuple[str, Dictionary]]) -> bytes:
    """Undo `filters`, given as (name, decode parameters), in order. Raises UnknownFilterError, and LimitError past 32 MiB."""
    for name, parameters in filters:
        decode = _DECODERS.get(name)
        if decode is None:
            raise UnknownFilterError(name)
        data = decode(data, parameters)
    return data


def _too_long() -> LimitError:
    return LimitError(f"a damaged stream decodes to over {_MAX_DECODED >> 20} MiB; it is left out", slug="memory")


def _identity(data: bytes, parameters: Dictionary) -> bytes:
    return data


def _flate(data: bytes, parameters: Dictionary) -> bytes:
    # Line ends before the data and a missing zlib header are the faults that cost all of a stream.
    decoded = _inflate(data, zlib.MAX_WBITS)
    if not decoded:
        decoded = _inflate(data.lstrip(b"\r\n"), zlib.MAX_WBITS) or _inflate(data[2:], -zlib.MAX_WBITS)
    if not decoded:
        decoded = _inflate(data, -zlib.MAX_WBITS)
    return unpredict(decoded, parameters)


def _inflate(data: bytes, window_bits: int) -> bytes:
    decoder = zlib.decompressobj(window_bits)
    output = bytearray()
    try:
        for start in range(0, len(data), 256):
            output += decoder.decompress(data[start : start + 256])
            if len(output) > _MAX_DECODED:
                raise _too_long()
        output += decoder.flush()
    except zlib.error:
        pass
    return bytes(output)


def _lzw(data: bytes, parameters: Dictionary) -> bytes:
    early = 0 if as_number(parameters.get("EarlyChange")) == 0 else 1
    table: list[bytes] = [bytes((code,)) for code in range(256)] + [b"", b""]
    output: list[bytes] = []
    width, pending, bits, size = 9, 0, 0, 0
    previous = b""
    for byte in data:
        pending = pending << 8 | byte
        bits += 8
        if bits < width:
            continue
        bits -= width
        code = pending >> bits
        pending &= (1 << bits) - 1
        if code == 256:
            del table[258:]
            width, previous = 9, b""
            continue
        if code == 257:
            break
        if code < len(table):
            entry = table[code]
        elif code == len(table) and previous:
            entry = previous + previous[:1]
        else:
            break
        output.append(entry)
        size += len(entry)
        if size > _MAX_DECODED:
            raise _too_long()
        if previous and len(table) < 4096:
            table.append(previous + entry[:1])
        previous = entry
        if len(table) + early >= 1 << width and width < 12:
            width += 1
    return unpredict(b"".join(output), parameters)


def _ascii_hex(data: bytes, parameters: Dictionary) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]+", b"", data.partition(b">")[0])
    return bytes.fromhex((digits + b"0" if len(digits) & 1 else digits).decode("ascii"))


def _ascii_85(data: bytes, parameters: Dictionary) -> bytes:
    body = data.removeprefix(b"<~").partition(b"~")[0]
    output = bytearray()
    group: list[int] = []
    for byte in body:
        if byte == 0x7A and not group:  # z
            output += b"\0\0\0\0"
        elif 0x21 <= byte <= 0x75:
            group.append(byte - 0x21)
            if len(group) == 5:
                output += _base_85(group)
                group.clear()
    if len(group) > 1:
        output += _base_85(group + [84] * (5 - len(group)))[: len(group) - 1]
    return bytes(output)


def _base_85(group: Sequence[int]) -> bytes:
    value = 0
    for digit in group:
        value = value * 85 + digit
    return (value & 0xFFFFFFFF).to_bytes(4, "big")


def _run_length(data: bytes, parameters: Dictionary) -> bytes:
    output = bytearray()
    position = 0
    while position < len(data):
        length = data[position]
        if length == 128:
            break
        if length < 128:
            output += data[position + 1 : position + 2 + length]
            position += 2 + length
        else:
            output += data[position + 1 : position + 2] * (257 - length)
            position += 2
    return bytes(output)


def unpredict(data: bytes, parameters: Dictionary) -> bytes:
    """Undo a PNG predictor (7.4.4.4); data with a TIFF predictor, which only images use, stay as they are."""
    predictor = _parameter(parameters, "Predictor", 1)
    if predictor < 10:
        return data
    bits = _parameter(parameters, "Colors", 1) * _parameter(parameters, "BitsPerComponent", 8)
    step = max(1, (bits + 7) // 8)
    row_bytes = (bits * _parameter(parameters, "Columns", 1) + 7) // 8
    if not 0 < row_bytes <= 1 << 24 or step > row_bytes:
        return data
    return undo_png_predictor(data, row_bytes, step)


def _parameter(parameters: Dictionary, key: str, default: int) -> int:
    value = as_number(parameters.get(key))
    return default if value is None else int(value)


_DECODERS: dict[str, Callable[[bytes, Dictionary], bytes]] = {
    "FlateDecode": _flate,
    "Fl": _flate,
    "LZWDecode": _lzw,
    "LZW": _lzw,
    "ASCIIHexDecode": _ascii_hex,
    "AHx": _ascii_hex,
    "ASCII85Decode": _ascii_85,
    "A85": _ascii_85,
    "RunLengthDecode": _run_length,
    "RL": _run_length,
    "Crypt": _identity,
}
