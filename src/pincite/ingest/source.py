"""Reading a file whole, once: what is hashed is what the reader process gets."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass

from pincite.errors import LimitError, UnreadableError
from pincite.model.limits import MIB
from pincite.search.index.rows import Location


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file, their SHA-256 in hex, and where and when they were read."""

    data: bytes
    id: str
    location: Location


def locate(path: str) -> Location:
    """The size and time of the file at an absolute path. Raises `OSError`."""
    return _location(path, os.stat(path))


def is_gone(path: str) -> bool:
    """Whether nothing is at a path any more: no file, or a link to none. Of one that may not be looked at nobody knows."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def read_source(path: str, max_bytes: int) -> Source:
    """Read the file at an absolute path.

    Raises `UnreadableError` where it is no ordinary file or the system refuses, and `LimitError` (`too_large`), before
    anything is read, where it is over `max_bytes`.
    """
    # Non-blocking: opening a named pipe to which nobody writes would hang for ever.
    flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableError("not an ordinary file; name a PDF file, or a folder of them")
            data = file.read(max_bytes + 1) if status.st_size <= max_bytes else None
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnreadableError(f"can't be read: {reason}; check the path and its permissions, and try again") from error
    if data is None or len(data) > max_bytes:
        raise LimitError(
            f"the file is over the limit of {max_bytes // MIB} MiB; split it into smaller files, and ingest those",
            slug="too_large",
        )
    # Times and size from before the read: a file that changes meanwhile is looked at again next time.
    return Source(data, hashlib.sha256(data).hexdigest(), _location(path, status))


def _location(path: str, status: os.stat_result) -> Location:
    return Location(path, status.st_size, status.st_mtime_ns)
