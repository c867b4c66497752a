"""An open PDF: its objects by reference, its streams, its warnings."""

from __future__ import annotations

import io
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from pincite.errors import PinciteError, UnreadableError
from pincite.model.text import Encryption
from pincite.pdf.objects.plain import NotPlainError, PlainFile
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary

if TYPE_CHECKING:
    from pincite.pdf.objects.qpdf import QpdfFile

__all__ = ["File", "Reference", "Stream", "Value"]

Source = bytes | bytearray | memoryview | str | os.PathLike[str] | int

_UNKNOWN: Any = object()
"""What the cache has for an object that was not read yet: None is that of a missing one."""
_MAX_CACHED = 4096
_MAX_CHAIN = 32
_MAX_WARNINGS = 100
_MAX_WARNING_LENGTH = 300
_IN_MEMORY_BYTES = 32 * 1024 * 1024
"""Files up to this size are read whole; greater ones are qpdf's, which maps them."""

_TAIL_BYTES = 2048
_MISSING_END = b"\nendstream\nendobj\n%%EOF\n"
"""Ends the object in which a file was cut off; without it qpdf drops that object, which may be a page that is there whole."""


class File:
    """A PDF that is open. Close it, or use it as a context manager.

    A sound file is read by `PlainFile`, any other by qpdf; one that turns out to be damaged goes over to qpdf for all
    objects that have not been read yet. Resolved objects are cached in bounded number: the identity of a dictionary means
    nothing, its Reference does.
    """

    def __init__(self, handle: BinaryIO, password: str | None) -> None:
        """Use `File.open`."""
        self._handle = handle
        self._password = password
        self._plain = self._open_plainly()
        self._qpdf: QpdfFile | None = None
        self._cache: dict[Reference, Any] = {}
        self._warnings: list[str] = []
        self._closed = False
        trailer = self._open_qpdf().trailer() if self._plain is None else self._plain.trailer
        self.trailer: Dictionary = trailer if isinstance(trailer, dict) else {}
        self.root: Dictionary = as_dictionary(self.get(self.trailer, "Root"))

    @classmethod
    def open(cls, source: Source, password: str | None = None) -> File:
        """Open a file from its bytes, its path or a file descriptor, which is read through and not closed.

        Without a password the empty one is tried, with which most encrypted files open. Raises EncryptedError where the
        password is missing or wrong, UnreadableError where the bytes are no PDF, and OSError where they can't be read.
        Costs no walk over the objects, unless the cross-reference table is damaged.
        """
        handle = _open_handle(source)
        try:
            return cls(handle, password)
        except BaseException:
            handle.close()
            raise

    def close(self) -> None:
        """Let go of the file. Streams can't be read any more."""
        if not self._closed:
            self._closed = True
            self._cache.clear()
            if self._plain is not None:
                self._plain.close()
                self._plain = None
            if self._qpdf is not None:
                self._collect_warnings()
                self._qpdf.close()
            self._handle.close()

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def warnings(self) -> list[str]:
        """What was wrong with the file so far, in order, cut to a sane number."""
        if not self._closed:
            self._collect_warnings()
        return self._warnings

    @property
    def encryption(self) -> Encryption | None:
        """How the file is encrypted; None where it is not."""
        return None if self._plain is not None else self._open_qpdf().encryption()

    def warn(self, message: str) -> None:
        """Add a warning; past the limit it is dropped, with one note that there were more."""
        if len(self._warnings) < _MAX_WARNINGS:
            self._warnings.append(message[:_MAX_WARNING_LENGTH])
        elif len(self._warnings) == _MAX_WARNINGS:
            self._warnings.append("more warnings were left out")

    def resolve(self, value: Value) -> Value:
        """Follow a reference to its object; anything else is returned as it is. A missing object is None (7.3.10)."""
        if type(value) is not Reference:
            return value
        cached: Value = self._cache.get(value, _UNKNOWN)
        if cached is not _UNKNOWN:
            return cached
        result = self._load(value)
        if type(result) is Reference:
            result = self._follow(result)
        if len(self._cache) >= _MAX_CACHED:
            del self._cache[next(iter(self._cache))]
        self._cache[value] = result
        return result

    def _follow(self, reference: Reference) -> Value:
        """The end of a chain of references, None where it has none."""
        result: Value = reference
        for _ in range(_MAX_CHAIN):
            if type(result) is not Reference:
                return result
            result = self._load(result)
        return None

    def get(self, dictionary: Dictionary, key: str, default: Value = None) -> Value:
        """The resolved value of a key; `default` where it is missing or null, which mean the same (7.3.7)."""
        value = dictionary.get(key)
        if type(value) is Reference:
            value = self.resolve(value)
        return default if value is None else value

    def get_dictionary(self, dictionary: Dictionary, key: str) -> Dictionary:
        """The resolved dictionary at a key, or an empty one; of a stream its dictionary."""
        return as_dictionary(self.get(dictionary, key))

    def get_array(self, dictionary: Dictionary, key: str) -> list[Value]:
        """The resolved array at a key with each of its elements resolved, or an empty one."""
        value = self.get(dictionary, key)
        return [self.resolve(item) for item in value] if isinstance(value, list) else []

    def peek_name(self, value: Value, key: str) -> str | None:
        """The name at a key of a dictionary, which is not kept where it stands behind a reference; None for no name.

        For picking a few out of many: annotations are mostly links.
        """
        if type(value) is Reference and value not in self._cache:
            dictionary = self._load(value)
        else:
            dictionary = self.resolve(value)
        name = self.get(dictionary, key) if isinstance(dictionary, dict) else None
        return name if isinstance(name, str) else None

    def references(self) -> list[Reference]:
        """Every object of the file. Reads all of them: only for files whose structure is lost."""
        found: list[Reference] = []
        try:
            found.extend(self._open_qpdf().references())
        except PinciteError as error:
            self.warn(f"not every object could be read: {error.message}")
        return found

    def _load(self, reference: Reference) -> Value:
        try:
            if self._plain is not None:
                return self._plain.load(reference)
        except NotPlainError:
            self._plain = None
        try:
            return self._open_qpdf().load(reference)
        except PinciteError as error:
            self.warn(f"object {reference.number} {reference.generation} can't be read: {error.message}")
            return None

    def _open_plainly(self) -> PlainFile | None:
        """The file as `PlainFile` reads it; None where it is not sound, or too large to be held."""
        if not isinstance(self._handle, io.BytesIO):
            return None
        try:
            return PlainFile(self._handle.getvalue(), self._stream_of_qpdf)
        except NotPlainError:
            return None

    def _open_qpdf(self) -> QpdfFile:
        """The file as qpdf reads it, opened when it is first needed."""
        if self._qpdf is None:
            if self._closed:
                raise UnreadableError("The file has been closed.")
            from pincite.pdf.objects.qpdf import QpdfFile

            self._qpdf = QpdfFile.open(self._handle, self._password, self)
        return self._qpdf

    def _stream_of_qpdf(self, reference: Reference) -> Stream:
        """A stream whose filters or damage `PlainFile` leaves to qpdf. Raises UnreadableError where qpdf finds none."""
        stream = self._open_qpdf().load(reference)
        if not isinstance(stream, Stream):
            name = f"stream {reference.number} {reference.generation}"
            raise UnreadableError(f"{name} can't be read. Try another copy of the file.")
        return stream

    def _collect_warnings(self) -> None:
        if self._qpdf is not None:
            for message in self._qpdf.take_warnings():
                self.warn(message)


def _open_handle(source: Source) -> BinaryIO:
    """A seekable binary file over the source. A descriptor is read from its start, whatever its offset is."""
    if isinstance(source, bytes | bytearray | memoryview):
        return _in_memory(bytes(source))
    if isinstance(source, int):
        file = os.fdopen(os.dup(source), "rb")
        if not file.seekable():
            with file:
                return _in_memory(file.read())
    else:
        file = open(source, "rb")  # noqa: SIM115  # closed by File.close
    try:
        # Not os.fstat: a C library may ask by path where a descriptor is meant, which a confined process is refused.
        if file.seek(0, os.SEEK_END) > _IN_MEMORY_BYTES:
            file.seek(0)
            return file
        file.seek(0)
        with file:
            return _in_memory(file.read())
    except BaseException:
        file.close()
        raise


def _in_memory(data: bytes) -> BinaryIO:
    if not data:
        raise UnreadableError("The file is empty. Check that it was copied whole.")
    if b"startxref" not in data[-_TAIL_BYTES:]:
        data += _MISSING_END
    return io.BytesIO(data)
