"""Files as qpdf reads and repairs them. Of the whole package only this module imports pikepdf."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, BinaryIO, Protocol

import pikepdf

from pincite.errors import EncryptedError, LimitError, PinciteError, UnreadableError
from pincite.model.text import Encryption
from pincite.pdf.objects.filters import UnknownFilterError, decode_best_effort
from pincite.pdf.objects.recovery import repairs, without_huge_numbers, without_idle_encryption
from pincite.pdf.objects.syntax import parse_value
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary

__all__ = ["QpdfFile", "encrypted_sample"]

# pikepdf hands some messages of qpdf to this logger, and without any handler logging prints them on standard error.
logging.getLogger("pikepdf._core").addHandler(logging.NullHandler())

_MAX_REASON_LENGTH = 300
_SOURCE_DESCRIPTION = re.compile(r"^stream <.*?>(?=[:,]| \(| object)[:,]? ?")
_NO_PASSWORD = (
    "The file is encrypted and needs a password: give the one that opens it as password= in Python, or with --password-file "
    "on the command line."
)
_WRONG_PASSWORD = "The password is wrong: the file is encrypted and opens with another one."
_UNSUPPORTED_ENCRYPTION = (
    "The file is encrypted in a way that pincite can't undo ({}). Save a copy without protection in the program that opens it."
)
_NOT_A_PDF = "The file can't be read as a PDF ({}). Check that it is one and that it was copied whole."


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


class Owner(Protocol):
    """Who has opened the file: asked for what the dictionaries of streams refer to, and told of damage."""

    def resolve(self, value: Value) -> Value: ...

    def get(self, dictionary: Dictionary, key: str, default: Value = None) -> Value: ...

    def warn(self, message: str) -> None: ...


class QpdfFile:
    """The objects of a file that qpdf has opened."""

    def __init__(self, document: pikepdf.Pdf, owner: Owner) -> None:
        """Use `QpdfFile.open`."""
        self._document = document
        self._owner = owner

    @classmethod
    def open(cls, handle: BinaryIO, password: str | None, owner: Owner) -> QpdfFile:
        """Let qpdf open a file, then try what may help it: another reading of the encryption, a trailer of our own.

        Raises EncryptedError and UnreadableError.
        """
        return cls(_open_document(handle, password), owner)

    def close(self) -> None:
        self._document.close()

    def trailer(self) -> Value:
        return self._read(self._document.trailer, None)

    def load(self, reference: Reference) -> Value:
        """The value of an object, None for a missing one. Raises UnreadableError."""
        try:
            return self._read(self._document.get_object(reference[0], reference[1]), reference)
        except MemoryError:
            raise
        except Exception as error:
            raise UnreadableError(_reason(error)) from error

    def references(self) -> Iterator[Reference]:
        """Every object of the file. Raises UnreadableError where one can't be read."""
        try:
            for entry in self._document.objects:
                if isinstance(entry, pikepdf.Object):
                    yield Reference(*entry.objgen)
        except MemoryError:
            raise
        except Exception as error:
            raise UnreadableError(_reason(error)) from error

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

    def take_warnings(self) -> list[str]:
        """What qpdf has found wrong since it was last asked."""
        return [_SOURCE_DESCRIPTION.sub("", str(message), count=1) for message in self._document.get_warnings()]

    def _read(self, thing: Any, reference: Reference | None) -> Value:
        """Turn what pikepdf gives into a plain value: an object of its own, or a Python number."""
        if not isinstance(thing, pikepdf.Object):
            if isinstance(thing, Decimal):
                return float(thing)
            return thing if isinstance(thing, bool | int | float) else None
        text = thing.unparse(resolved=True)
        # qpdf prints a stream as a reference to itself.
        if text[-1:] == b"R" and text[:1].isdigit():
            return _QpdfStream(self._owner, thing, reference)
        return parse_value(text)


class _QpdfStream(Stream):
    """A stream in a file; its dictionary is read when it is asked for, its data each time."""

    __slots__ = ("_dictionary", "_file", "_object")

    def __init__(self, file: Owner, thing: pikepdf.Object, reference: Reference | None) -> None:
        self.reference = reference
        self._file = file
        self._object = thing
        self._dictionary: Dictionary | None = None

    @property
    def dictionary(self) -> Dictionary:
        if self._dictionary is None:
            value = parse_value(self._object.stream_dict.unparse(resolved=True))
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
        except (MemoryError, LimitError):
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


def _open_document(handle: BinaryIO, password: str | None) -> pikepdf.Pdf:
    if isinstance(handle, io.BytesIO):  # what is mapped is too large to be looked through
        mended = without_huge_numbers(handle.getvalue())
        handle = handle if mended is None else io.BytesIO(mended)
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
    return (message or type(error).__name__)[:_MAX_REASON_LENGTH]
