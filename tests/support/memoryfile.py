"""A file whose objects are given as values: for tests that need a `File` and no PDF."""

from __future__ import annotations

from collections.abc import Mapping

from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value

__all__ = ["MemoryFile", "MemoryStream"]


class MemoryStream(Stream):
    """A stream of the given bytes; an exception in their place is raised."""

    __slots__ = ("_data", "_dictionary")

    def __init__(self, data: bytes | Exception, dictionary: Mapping[str, Value] | None = None) -> None:
        self.reference = None
        self._data = data
        self._dictionary = dict(dictionary or {})

    @property
    def dictionary(self) -> Dictionary:
        return self._dictionary

    def data(self) -> bytes:
        if isinstance(self._data, Exception):
            raise self._data
        return self._data


class MemoryFile(File):
    """Objects by number; a number that is not there is null."""

    def __init__(self, objects: Mapping[int, Value] | None = None) -> None:
        self._objects = dict(objects or {})
        self._cache = {}
        self._warnings = []
        self._closed = True
        self.trailer = {}
        self.root = {}

    def _load(self, reference: Reference) -> Value:
        return self._objects.get(reference.number)
