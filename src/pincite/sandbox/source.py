"""Where the bytes of the PDF come from: read in pieces, or as one descriptor that a child can be given."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Callable
from types import TracebackType

from pincite.errors import LimitError, UnreadableError

try:
    import fcntl
except ImportError as error:  # Windows
    raise ImportError("the sandbox needs a Unix system; pincite.open reads files that you trust without it") from error

Source = bytes | bytearray | memoryview | str | os.PathLike[str] | int
"""A PDF: its bytes, a path, or a file descriptor. An ordinary file behind a descriptor is read from its first byte
whatever its position, which stays where it is; a pipe is read to its end. The descriptor is not closed."""

CHUNK = 1 << 20

MFD_NOEXEC_SEAL = 8
"""For a memory file that can never be executed (Linux 6.3); an older kernel refuses the flag."""


class OpenSource:
    """A source ready to be read in pieces without holding the whole; a context manager.

    Raises `UnreadableError` for a path or descriptor that can't be read and `LimitError` (`too_large`) for one that
    is known to be over `max_bytes`, both before anything is read.
    """

    def __init__(self, source: Source, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._data: memoryview | None = None
        self._descriptor = -1
        self._owned = False
        self._seekable = False
        self._position = 0
        self._copy = -1
        self.name = "the document"
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._data = memoryview(source).cast("B")
            self._refuse_over(len(self._data))
            return
        if isinstance(source, int):
            self._descriptor = source
            self.name = f"file descriptor {source}"
        else:
            self.name = os.fsdecode(source)
            self._descriptor = _open(self.name)
            self._owned = True
        try:
            self._examine()
        except BaseException:
            self.close()
            raise

    def _examine(self) -> None:
        try:
            status = os.fstat(self._descriptor)
        except OSError as error:
            raise _unreadable(self.name, error) from error
        if stat.S_ISDIR(status.st_mode):
            raise UnreadableError(f"{self.name} is a folder; name the PDF files in it")
        self._seekable = stat.S_ISREG(status.st_mode)
        if self._seekable:
            if self._owned:
                os.set_blocking(self._descriptor, True)  # a few special files would have nothing to say at first
            self._refuse_over(status.st_size)

    def _refuse_over(self, size: int) -> None:
        if size > self.max_bytes:
            message = f"{self.name} is larger than the {self.max_bytes} bytes that are read; raise the limit"
            raise LimitError(message, slug="too_large")

    @property
    def descriptor_to_wait_for(self) -> int | None:
        """The descriptor on which a read may have to wait, None when reads come from memory or an ordinary file."""
        return None if self._data is not None or self._seekable or self._copy >= 0 else self._descriptor

    def read(self) -> bytes | memoryview | None:
        """The next piece, empty at the end, None when there is nothing yet.

        Raises `UnreadableError`, and `LimitError` once it is over `max_bytes`.
        """
        if self._data is not None:
            piece: bytes | memoryview = self._data[self._position : self._position + CHUNK]
        else:
            # One byte over the limit is enough to know.
            count = min(CHUNK, self.max_bytes + 1 - self._position)
            try:
                if self._seekable or self._copy >= 0:
                    piece = os.pread(self._descriptor if self._copy < 0 else self._copy, count, self._position)
                else:
                    piece = os.read(self._descriptor, count)
            except BlockingIOError:
                return None
            except OSError as error:
                raise _unreadable(self.name, error) from error
        self._position += len(piece)
        self._refuse_over(self._position)
        return piece

    @property
    def can_repeat(self) -> bool:
        """Whether the source can be read once more from its start: all but a pipe of which no copy was made."""
        return self.descriptor_to_wait_for is None

    def rewind(self) -> None:
        """Let `read` begin again; only where it `can_repeat`."""
        self._position = 0

    def descriptor(self, remaining_s: Callable[[], float]) -> int:
        """A descriptor with the whole PDF for a child, read-only and with a position that is nobody else's.

        The file itself where it can be opened anew, else a sealed copy in memory; that of a pipe is waited for, until
        `remaining_s` raises. It is closed with the source. Raises as `read` does.
        """
        if self._copy < 0:
            if self._owned and self._seekable:
                return self._descriptor
            self._copy = self._opened_anew() if self._seekable else -1
            if self._copy < 0:
                self._copy = self._copied(remaining_s)
        return self._copy

    def _opened_anew(self) -> int:
        try:
            return os.open(f"/proc/self/fd/{self._descriptor}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # no such folder, or a file that this user may not open any more
            return -1

    def _copied(self, remaining_s: Callable[[], float]) -> int:
        copy = _memory_file()
        try:
            waiting = self.descriptor_to_wait_for
            poll = select.poll()
            if waiting is not None:
                poll.register(waiting, select.POLLIN)
            while True:
                if waiting is not None and not poll.poll(1000 * remaining_s()):
                    continue
                piece = self.read()
                if piece is None:
                    continue
                if not piece:
                    break
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(copy, rest) :]
            fcntl.fcntl(copy, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE)
            os.lseek(copy, 0, os.SEEK_SET)
        except BaseException:
            os.close(copy)
            raise
        return copy

    def close(self) -> None:
        if self._owned:
            self._owned = False
            os.close(self._descriptor)
        if self._copy >= 0:
            os.close(self._copy)
            self._copy = -1

    def __enter__(self) -> OpenSource:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _memory_file() -> int:
    flags = os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING
    try:
        return os.memfd_create("pincite", flags | MFD_NOEXEC_SEAL)
    except OSError:
        return os.memfd_create("pincite", flags)


def _open(path: str) -> int:
    try:
        # Non-blocking: opening a named pipe to which nobody writes would hang for ever.
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error


def _unreadable(name: str, error: OSError | ValueError) -> UnreadableError:
    if isinstance(error, FileNotFoundError):
        return UnreadableError(f"{name} does not exist; check the path")
    if isinstance(error, PermissionError):
        return UnreadableError(f"{name} may not be read by this user; change its permissions")
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnreadableError(f"{name} can't be read: {reason}; check the file and try again")
