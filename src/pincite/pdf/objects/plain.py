"""Objects of a sound file, read where the cross-references say they stand (ISO 32000-2, 7.5).

Nine files of ten are sound, and reading them so takes a tenth of the time that qpdf and its binding take. Nothing is mended or
guessed: whatever is not as it should be raises `NotPlainError`, and `File` opens the file with qpdf, which repairs as
it always did. So a file never means something else here than there. Encrypted files are qpdf's from the start.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

from pincite._kernel.syntax import CrossReferences, NotPlainError, SyntaxReader
from pincite.pdf.objects.filters import unpredict
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary, new_reference

__all__ = ["NotPlainError", "PlainFile"]

_HEADER = re.compile(rb"%PDF-[12]\.[0-9](?![0-9])")
_TAIL = re.compile(rb"startxref[\0\t\n\f\r ]{1,8}([0-9]{1,10})[\0\t\n\f\r ]{1,8}%%EOF[\0\t\n\f\r ]*\Z")
_TAIL_BYTES = 1024
_SUBSECTION = re.compile(rb"[\0\t\n\f\r ]*([0-9]{1,10}) ([0-9]{1,10})[\t ]*(?:\r\n|\n|\r)")
_TRAILER = re.compile(rb"[\0\t\n\f\r ]*trailer(?=[\0\t\n\f\r <])")
_ROW_BYTES = 20
_MAX_SECTIONS = 400
_MAX_UNPACKED_BYTES = 16 << 20
_GUESSED_RATIO = 5


class PlainStream(Stream):
    """A stream of a sound file: the bytes of the file from `start` to `end`, which are decoded each time."""

    __slots__ = ("_end", "_file", "_start", "dictionary", "reference")

    def __init__(self, file: PlainFile, reference: Reference, dictionary: Dictionary, start: int, end: int) -> None:
        self.reference: Reference = reference
        self.dictionary: Dictionary = dictionary
        self._file = file
        self._start = start
        self._end = end

    def data(self) -> bytes:
        data = self.plain_data()
        return self._file.by_qpdf(self.reference).data() if data is None else data

    def plain_data(self) -> bytes | None:
        """The decoded data; None where filters or damage are such that qpdf has to be asked."""
        dictionary = self.dictionary
        data = self._file.data[self._start : self._end]
        if "F" in dictionary or len(data) < self._end - self._start:
            return None
        return decode_plainly(data, dictionary.get("Filter"), dictionary.get("DecodeParms"))


class PlainFile:
    """The objects of a sound file. Everything here raises NotPlainError where it is not sound after all."""

    def __init__(self, data: bytes, by_qpdf: Callable[[Reference], Stream]) -> None:
        """`by_qpdf` gives the streams that are not all plain, or raises UnreadableError."""
        tail = _TAIL.search(data, max(0, len(data) - _TAIL_BYTES))
        if _HEADER.match(data) is None or tail is None:
            raise NotPlainError("no header or no end")
        self.data = data
        self.by_qpdf = by_qpdf
        self._reader = SyntaxReader(data, new_reference)
        self._table = CrossReferences()
        self._unpacked: dict[int, _ObjectStream] = {}
        self._unpacked_bytes = 0
        self.trailer = self._read_sections(int(tail[1]))
        size = self.trailer.get("Size")
        if "Encrypt" in self.trailer or size != self._table.end():
            raise NotPlainError("encrypted, or of another size than it says")
        root = self.trailer.get("Root")
        catalog = self.load(root) if isinstance(root, Reference) else None
        if not isinstance(catalog, dict) or catalog.get("Type") != "Catalog":
            raise NotPlainError("no catalog")

    def close(self) -> None:
        """Let go of the bytes. Streams can't be read any more."""
        self.data = b""
        self._unpacked.clear()

    def load(self, reference: Reference) -> Value:
        """The value of an object; None where there is none."""
        number, generation = reference
        kind, place, index = self._table.find(number)
        if kind == 1:
            return self._read_at(place, number, generation) if index == generation else None
        if kind == 2 and generation == 0:
            return self._object_stream(place).value(number, index)
        return None

    # -- objects ---------------------------------------------------------------------------------

    def _read_at(self, place: int, number: int, generation: int) -> Value:
        if place > len(self.data):
            raise NotPlainError("an offset past the end")
        reader = self._reader
        value: Value = reader.indirect(place, number, generation)
        start = reader.stream_start()
        if start < 0:
            return value
        if not isinstance(value, dict):
            raise NotPlainError("a stream without a dictionary")
        length = value.get("Length")
        if isinstance(length, Reference):
            length = self._integer(length)
        if type(length) is not int or length < 0:
            raise NotPlainError("a stream without a length")
        reader.end_stream(start + length)
        return PlainStream(self, Reference(number, generation), value, start, start + length)

    def _integer(self, reference: Reference) -> Value:
        """The value of an object that is no stream, so that the lengths of two streams can't lead in a circle."""
        kind, place, index = self._table.find(reference.number)
        if kind == 1 and index == reference.generation and place <= len(self.data):
            value: Value = self._reader.indirect(place, reference.number, reference.generation)
            if self._reader.stream_start() < 0:
                return value
        elif kind == 2 and reference.generation == 0:
            return self._object_stream(place).value(reference.number, index)
        raise NotPlainError("a stream without a length")

    def _object_stream(self, number: int) -> _ObjectStream:
        """An object stream, unpacked; the last ones are kept, as the objects of a page mostly stand together."""
        stream = self._unpacked.get(number)
        if stream is None:
            kind, place, index = self._table.find(number)
            value = self._read_at(place, number, index) if kind == 1 and index == 0 else None
            data = value.plain_data() if isinstance(value, PlainStream) else None
            if data is None:
                raise NotPlainError("no object stream")
            stream = self._unpacked[number] = _ObjectStream(data, as_dictionary(value))
            self._unpacked_bytes += len(data)
            while self._unpacked_bytes > _MAX_UNPACKED_BYTES and len(self._unpacked) > 1:
                self._unpacked_bytes -= self._unpacked.pop(next(iter(self._unpacked))).size
        return stream

    # -- cross-references ------------------------------------------------------------------------

    def _read_sections(self, position: int) -> Dictionary:
        """Read the cross-references from the newest to the oldest; returns the newest trailer."""
        newest: Dictionary | None = None
        read: set[int] = set()
        while position not in read and len(read) < _MAX_SECTIONS:
            read.add(position)
            trailer = self._read_table(position) if self.data.startswith(b"xref", position) else self._read_stream(position)
            newest = trailer if newest is None else newest
            previous = trailer.get("Prev")
            if previous is None:
                return newest
            if type(previous) is not int or previous < 0:
                raise NotPlainError("no offset")
            position = previous
        raise NotPlainError("cross-references without end")

    def _read_table(self, position: int) -> Dictionary:
        """A table (7.5.4)."""
        position += len(b"xref")
        subsections: list[tuple[int, int, int]] = []
        while (match := _SUBSECTION.match(self.data, position)) is not None:
            subsections.append((match.end(), int(match[1]), int(match[2])))
            position = match.end() + _ROW_BYTES * subsections[-1][2]
        match = _TRAILER.match(self.data, position)
        trailer: Value = self._reader.value(match.end()) if match is not None else None
        if not isinstance(trailer, dict):
            raise NotPlainError("no trailer")
        hidden = trailer.get("XRefStm")
        for subsection in subsections:
            self._table.add_table(self.data, *subsection, "" if hidden is None else "n")
        if hidden is not None:
            # What old readers are told is free stands in a stream for the others (7.5.8.4).
            if type(hidden) is not int:
                raise NotPlainError("no offset")
            self._read_stream(hidden)
            for subsection in subsections:
                self._table.add_table(self.data, *subsection, "f")
        return trailer

    def _read_stream(self, position: int) -> Dictionary:
        """A stream of cross-references (7.5.8)."""
        number, generation = self._reader.naturals(position, 2)
        stream = self._read_at(position, number, generation)
        dictionary = as_dictionary(stream)
        data = stream.plain_data() if isinstance(stream, PlainStream) else None
        if data is None or dictionary.get("Type") != "XRef":
            raise NotPlainError("no cross-references")
        widths, spans = _naturals(dictionary.get("W")), _naturals(dictionary.get("Index", [0, dictionary.get("Size")]))
        row = sum(widths)
        if len(widths) != 3 or len(spans) & 1 or len(data) != row * sum(spans[1::2]):
            raise NotPlainError("cross-references of another length than they say")
        start = 0
        for first, count in zip(spans[::2], spans[1::2], strict=True):
            self._table.add_stream(data, start, widths, first, count)
            start += row * count
        return dictionary


class _ObjectStream:
    """The objects of one object stream (7.5.7)."""

    __slots__ = ("_first", "_pairs", "_reader", "size")

    def __init__(self, data: bytes, dictionary: Dictionary) -> None:
        count, first = dictionary.get("N"), dictionary.get("First")
        if dictionary.get("Type") != "ObjStm" or type(count) is not int or type(first) is not int:
            raise NotPlainError("no object stream")
        if not 0 <= 2 * count <= len(data):
            raise NotPlainError("an object stream is too short")
        self.size = len(data)
        self._first = first
        self._reader = SyntaxReader(data, new_reference)
        self._pairs = self._reader.naturals(0, 2 * count)

    def value(self, number: int, index: int) -> Value:
        """The object with a number, which stands at an index."""
        if 2 * index >= len(self._pairs) or self._pairs[2 * index] != number:
            raise NotPlainError("another object stands there")
        value: Value = self._reader.value(self._first + self._pairs[2 * index + 1])
        return value


def _naturals(value: Value) -> list[int]:
    numbers = [item for item in value if type(item) is int and item >= 0] if isinstance(value, list) else []
    if not isinstance(value, list) or len(numbers) != len(value):
        raise NotPlainError("no numbers")
    return numbers


def decode_plainly(data: bytes, filters: Value, parameters: Value) -> bytes | None:
    """The data of a stream without a filter or with Flate alone; None where there are others, or where it fails."""
    if isinstance(filters, list) and len(filters) == 1:
        filters = filters[0]
        if isinstance(parameters, list) and len(parameters) == 1:
            parameters = parameters[0]
    if filters is None:
        return data
    if filters not in ("FlateDecode", "Fl"):
        return None
    if parameters is not None and not isinstance(parameters, dict):
        return None
    if parameters and any(isinstance(value, Reference) for value in parameters.values()):
        return None
    try:
        # The first guess of the size saves copies when it is right, and nothing is lost when it is wrong.
        data = zlib.decompress(data, bufsize=min(max(_GUESSED_RATIO * len(data), 256), 1 << 20))
    except zlib.error:
        return None
    return unpredict(data, parameters) if parameters else data
