"""An open PDF: its objects by reference, its streams, its warnings. Of the whole package only this module imports pikepdf."""

from __future__ import annotations

import io
import logging
import os
import re
from decimal import Decimal
from types import TracebackType
from typing import Any, BinaryIO

import pikepdf

from pincite.errors import EncryptedError, PinciteError, UnreadableError
from pincite.model.text import Encryption
from pincite.pdf.objects.filters import UnknownFilterError, decode_best_effort
from pincite.pdf.objects.recovery import repairs, without_idle_encryption
from pincite.pdf.objects.syntax import parse_canonical
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary

__all__ = ["File", "Reference", "Stream", "Value", "encrypted_sample"]

# pikepdf hands some messages of qpdf to this logger, and without any handler logging prints them on standard error.
logging.getLogger("pikepdf._core").addHandler(logging.NullHandler())

Source = bytes | bytearray | memoryview | str | os.PathLike[str] | int

_PERMISSIONS = {
    "print_lowres": "print",
    "print_highres": "print_high_resolution",
    "extract": "extract",
    "modify_other": "modify",
    "modify_annotation": "annotate",
    "modify_form": "fill_forms",
    "modify_assembly": "assemble",
    "accessibility": "accessibility",
}

_MAX_CACHED = 4096
_MAX_CHAIN = 32
_MAX_WARNINGS = 100
_MAX_WARNING_LENGTH = 300
_IN_MEMORY_BYTES = 32 * 1024 * 1024
"""Files up to this size are read whole, which qpdf reads from fastest; greater ones are mapped."""

_TAIL_BYTES = 2048
_MISSING_END = b"\nendstream\nendobj\n%%EOF\n"
"""Ends the object in which a file was cut off; without it qpdf drops that object, which may be a page that is there whole."""

_SOURCE_DESCRIPTION = re.compile(r"^stream <.*?>(?=[:,]| \()[:,]? ?")
_NO_PASSWORD = "The file is encrypted and needs a password: give the one that opens it."
_WRONG_PASSWORD = "The password is wrong: the file is encrypted and opens with another one."
_UNSUPPORTED_ENCRYPTION = (
    "The file is encrypted in a way that pincite can't undo ({}). Save a copy without protection in the program that opens it."
)
_NOT_A_PDF = "The file can't be read as a PDF ({}). Check that it is one and that it was copied whole."


class File:
    """A PDF that is open. Close it, or use it as a context manager.

    Resolved objects are cached in bounded number: the identity of a dictionary means nothing, its Reference does.
    """

    def __init__(self, document: pikepdf.Pdf, handle: BinaryIO) -> None:
        """Use `File.open`."""
        self._document = document
        self._handle = handle
        self._cache: dict[Reference, Value] = {}
        self._warnings: list[str] = []
        self._closed = False
        trailer = self._read(document.trailer, None)
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
            document = _open_document(handle, password)
            return cls(document, handle)
        except BaseException:
            handle.close()
            raise

    def close(self) -> None:
        """Let go of the file. Streams can't be read any more."""
        if not self._closed:
            self._closed = True
            self._collect_warnings()
            self._cache.clear()
            self._document.close()
            self._handle.close()

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
        document = self._document
        if not document.is_encrypted:
            return None
        facts = document.encryption
        return Encryption(
            facts.V,
            facts.R,
            facts.bits,
            facts.stream_method.name if facts.V >= 4 else "rc4",  # crypt filters name it; before them there was one
            "owner" if document.owner_password_matched else "user",
            tuple(name for permission, name in _PERMISSIONS.items() if getattr(document.allow, permission, False)),
        )

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
        cached = self._cache.get(value)
        if cached is not None:
            return cached
        result: Value = value
        for _ in range(_MAX_CHAIN):
            if type(result) is not Reference:
                break
            result = self._load(result)
        if isinstance(result, Reference):
            result = None
        if len(self._cache) >= _MAX_CACHED:
            del self._cache[next(iter(self._cache))]
        self._cache[value] = result
        return result

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
        """The name at a key of a dictionary, which is not read whole where it stands behind a reference; None for no name.

        For picking a few out of many: annotations are mostly links.
        """
        if type(value) is not Reference or value in self._cache:
            resolved = self.resolve(value)
            name = self.get(resolved, key) if isinstance(resolved, dict) else None
            return name if isinstance(name, str) else None
        try:
            entry = self._document.get_object(value[0], value[1]).get("/" + key)
            return str(entry)[1:] if isinstance(entry, pikepdf.Name) else None
        except MemoryError:
            raise
        except Exception:
            return None

    def references(self) -> list[Reference]:
        """Every object of the file. Reads all of them: only for files whose structure is lost."""
        found: list[Reference] = []
        try:
            objects = self._document.objects
            found.extend(Reference(*entry.objgen) for entry in objects if isinstance(entry, pikepdf.Object))
        except MemoryError:
            raise
        except Exception as error:
            self.warn(f"not every object could be read: {_reason(error)}")
        return found

    def _load(self, reference: Reference) -> Value:
        try:
            return self._read(self._document.get_object(reference[0], reference[1]), reference)
        except MemoryError:
            raise
        except Exception as error:
            self.warn(f"object {reference.number} {reference.generation} can't be read: {_reason(error)}")
            return None

    def _read(self, thing: Any, reference: Reference | None) -> Value:
        """Turn what pikepdf gives into a plain value: an object of its own, or a Python number."""
        if not isinstance(thing, pikepdf.Object):
            if isinstance(thing, Decimal):
                return float(thing)
            return thing if isinstance(thing, bool | int | float) else None
        text = thing.unparse(resolved=True)
        # qpdf prints a stream as a reference to itself.
        if text[-1:] == b"R" and text[:1].isdigit():
            return _FileStream(self, thing, reference)
        return parse_canonical(text)

    def _collect_warnings(self) -> None:
        for message in self._document.get_warnings():
            self.warn(_SOURCE_DESCRIPTION.sub("", str(message), count=1))


class _FileStream(Stream):
    """A stream in a file; its dictionary is read when it is asked for, its data each time."""

    __slots__ = ("_dictionary", "_file", "_object")

    def __init__(self, file: File, thing: pikepdf.Object, reference: Reference | None) -> None:
        self.reference = reference
        self._file = file
        self._object = thing
        self._dictionary: Dictionary | None = None

    @property
    def dictionary(self) -> Dictionary:
        if self._dictionary is None:
            value = parse_canonical(self._object.stream_dict.unparse(resolved=True))
            self._dictionary = value if isinstance(value, dict) else {}
        return self._dictionary

    def data(self) -> bytes:
        try:
            return self._object.read_bytes(pikepdf.StreamDecodeLevel.specialized)
        except MemoryError:
            raise
        except Exception as error:
            return self._damaged_data(error)

    def _damaged_data(self, cause: Exception) -> bytes:
        name = "a stream" if self.reference is None else f"stream {self.reference.number} {self.reference.generation}"
        try:
            raw = self._object.read_raw_bytes()
            data = decode_best_effort(raw, self._filters())
        except MemoryError:
            raise
        except UnknownFilterError as error:
            raise UnreadableError(f"{name} can't be decoded: its filter {error} holds no text.") from cause
        except Exception:
            raise UnreadableError(f"{name} can't be read: {_reason(cause)}. Try another copy of the file.") from cause
        if raw and not data:
            raise UnreadableError(f"{name} can't be decoded: {_reason(cause)}. Try another copy of the file.")
        self._file.warn(f"{name} is damaged; {len(data)} bytes of it were decoded")
        return data

    def _filters(self) -> list[tuple[str, Dictionary]]:
        """The filters with their parameters, which may each be alone or in arrays (ISO 32000-2, table 5)."""
        file = self._file
        dictionary = self.dictionary
        filters = file.get(dictionary, "Filter", file.get(dictionary, "F"))
        parameters = file.get(dictionary, "DecodeParms", file.get(dictionary, "DP"))
        names = filters if isinstance(filters, list) else [filters]
        options = parameters if isinstance(parameters, list) else [parameters]
        result: list[tuple[str, Dictionary]] = []
        for index, name in enumerate(names):
            resolved = file.resolve(name)
            if isinstance(resolved, str):
                option = as_dictionary(file.resolve(options[index])) if index < len(options) else {}
                result.append((resolved, {key: file.resolve(value) for key, value in option.items()}))
        return result


def encrypted_sample(user: str) -> bytes:
    """An empty page, encrypted with AES-256 (revision 6) for a user password. Making it takes random numbers."""
    out = io.BytesIO()
    with pikepdf.new() as document:
        document.add_blank_page()
        document.save(out, encryption=pikepdf.Encryption(owner="owner", user=user, R=6, aes=True))
    return out.getvalue()


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


def _open_document(handle: BinaryIO, password: str | None) -> pikepdf.Pdf:
    """Let qpdf open the file, then try what may help it: another reading of the encryption, a trailer of our own."""
    try:
        return _try_passwords(handle, password)
    except MemoryError:
        raise
    except EncryptedError:
        readable = without_idle_encryption(_all_bytes(handle))
        if readable is None:
            raise
        candidates = iter((readable,))
        failure: PinciteError = EncryptedError(_WRONG_PASSWORD if password else _NO_PASSWORD)
    except Exception as error:
        if "ncrypt" in _reason(error):
            raise EncryptedError(_UNSUPPORTED_ENCRYPTION.format(_reason(error))) from error
        candidates = repairs(_all_bytes(handle))
        failure = UnreadableError(_NOT_A_PDF.format(_reason(error)))
    for candidate in candidates:
        try:
            return _try_passwords(io.BytesIO(candidate), password)
        except (MemoryError, EncryptedError):
            raise
        except Exception:
            continue
    raise failure


def _all_bytes(handle: BinaryIO) -> bytes:
    handle.seek(0)
    return handle.read()


def _try_passwords(handle: BinaryIO, password: str | None) -> pikepdf.Pdf:
    candidates: list[str | bytes] = [""]
    if password:
        # Before AES-256 a password was PDFDocEncoding; pikepdf encodes a str as UTF-8 (ISO 32000-2, 7.6.4.3).
        candidates.insert(0, password)
        if not password.isascii():
            candidates.insert(1, password.encode("latin-1", "replace"))
    for candidate in candidates:
        handle.seek(0)
        try:
            # Not pushing inherited attributes down into the pages is what keeps opening cheap.
            return pikepdf.Pdf.open(handle, password=candidate, inherit_page_attributes=False, suppress_warnings=True)
        except pikepdf.PasswordError:
            continue
    raise EncryptedError(_WRONG_PASSWORD if password else _NO_PASSWORD)


def _reason(error: BaseException) -> str:
    """The message of qpdf without its description of the source, which holds paths and addresses in memory."""
    message = _SOURCE_DESCRIPTION.sub("", str(error), count=1).strip()
    return (message or type(error).__name__)[:_MAX_WARNING_LENGTH]
