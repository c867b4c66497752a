"""Where the bytes of the PDF come from, and the thread that writes them to the child."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
import threading
from types import TracebackType
from typing import BinaryIO

from pincite.errors import LimitError, PinciteError, UnreadableError

Source = bytes | bytearray | memoryview | str | os.PathLike[str] | int
"""A PDF: its bytes, a path, or a file descriptor. An ordinary file behind a descriptor is read from its first byte
whatever its position, which stays where it is; a pipe is read to its end. The descriptor is not closed."""

CHUNK = 1 << 20


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
            self._refuse_over(status.st_size)

    def _refuse_over(self, size: int) -> None:
        if size > self.max_bytes:
            message = f"{self.name} is larger than the {self.max_bytes} bytes that are read; raise the limit"
            raise LimitError(message, slug="too_large")

    @property
    def descriptor_to_wait_for(self) -> int | None:
        """The descriptor on which a read may have to wait, None when reads come from memory or an ordinary file."""
        return None if self._data is not None or self._seekable else self._descriptor

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
                piece = os.pread(self._descriptor, count, self._position) if self._seekable else os.read(self._descriptor, count)
            except BlockingIOError:
                return None
            except OSError as error:
                raise _unreadable(self.name, error) from error
        self._position += len(piece)
        self._refuse_over(self._position)
        return piece

    def close(self) -> None:
        if self._owned:
            self._owned = False
            os.close(self._descriptor)

    def __enter__(self) -> OpenSource:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Feeder(threading.Thread):
    """Writes a source to the child's standard input and closes it, unless `stop` comes first.

    `done_descriptor` becomes readable when the thread has finished; `error` then says what went wrong with the
    *source*. In that case standard input stays open, so that the child does not take half a file for the whole.
    A child that closes its end early is no error: it has its reasons and will say so.
    """

    def __init__(self, source: OpenSource, stdin: BinaryIO) -> None:
        super().__init__(name="pincite-feed", daemon=True)
        self.error: PinciteError | None = None
        self._source = source
        self._stdin = stdin
        self._stop_reader, self._stop_writer = os.pipe()
        self.done_descriptor, self._done_writer = os.pipe()

    def run(self) -> None:
        try:
            self._feed()
        except PinciteError as error:
            self.error = error
        except Exception as error:  # must reach the caller: a thread's own exception would be lost
            self.error = UnreadableError(f"{self._source.name} can't be read: {error}; check the file and try again")
        else:
            with contextlib.suppress(OSError):
                self._stdin.close()
        finally:
            os.close(self._done_writer)

    def stop(self) -> None:
        """End the thread wherever it is and close its descriptors; call it once."""
        os.close(self._stop_writer)
        if self.ident is None:  # it never came to start
            os.close(self._done_writer)
        else:
            self.join()
        os.close(self._stop_reader)
        os.close(self.done_descriptor)

    def _feed(self) -> None:
        incoming = self._source.descriptor_to_wait_for
        target = self._stdin.fileno()
        while True:
            if incoming is not None and not self._wait(incoming, select.POLLIN):
                return
            piece = self._source.read()
            if piece is None:
                continue
            if not piece:
                return
            rest = memoryview(piece)
            while rest:
                if not self._wait(target, select.POLLOUT):
                    return
                try:
                    rest = rest[os.write(target, rest) :]
                except BlockingIOError:
                    continue
                except OSError as error:
                    if error.errno == errno.EPIPE:
                        return
                    raise

    def _wait(self, descriptor: int, event: int) -> bool:
        """Wait until `descriptor` is ready; False when `stop` was called."""
        poll = select.poll()
        poll.register(descriptor, event)
        poll.register(self._stop_reader, select.POLLIN)
        return all(ready != self._stop_reader for ready, _ in poll.poll())


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
