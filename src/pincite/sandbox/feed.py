"""The thread that writes the PDF to a child's standard input."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import threading
from typing import BinaryIO

from pincite.errors import PinciteError, UnreadableError
from pincite.sandbox.source import OpenSource

PATIENCE_S = 1.0
"""For the thread to notice that it is to end: all that it waits for by itself ends at once."""


class Feeder(threading.Thread):
    """Writes `head` and a source to the child's standard input and closes it, unless `stop` comes first.

    `done_descriptor` becomes readable when the thread has finished; `error` then says what went wrong with the
    *source*. In that case standard input stays open, so that the child does not take half a file for the whole.
    A child that closes its end early is no error: it has its reasons and will say so.
    """

    def __init__(self, source: OpenSource, stdin: BinaryIO, head: bytes = b"") -> None:
        super().__init__(name="pincite-feed", daemon=True)
        self.error: PinciteError | None = None
        self._head = head
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
        """End the thread wherever it is and close its descriptors; call it once.

        A thread that waits for a file system that does not answer can't be ended. It is left alone, and ends without another
        read or write when the answer comes, since standard input is closed by then.
        """
        os.close(self._stop_writer)
        if self.ident is None:  # it never came to start
            os.close(self._done_writer)
        else:
            self.join(PATIENCE_S)
        os.close(self._stop_reader)
        os.close(self.done_descriptor)

    def _feed(self) -> None:
        incoming = self._source.descriptor_to_wait_for
        more = self._write(self._head)
        while more:
            if incoming is not None and not self._wait(incoming, select.POLLIN):
                return
            piece = self._source.read()
            if piece is not None:
                more = bool(piece) and self._write(piece)

    def _write(self, piece: bytes | memoryview) -> bool:
        """Write all of it; False when `stop` was called or nobody reads."""
        target = self._stdin.fileno()
        rest = memoryview(piece)
        while rest:
            if not self._wait(target, select.POLLOUT):
                return False
            try:
                rest = rest[os.write(target, rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                if error.errno == errno.EPIPE:
                    return False
                raise
        return True

    def _wait(self, descriptor: int, event: int) -> bool:
        """Wait until `descriptor` is ready; False when `stop` was called."""
        poll = select.poll()
        poll.register(descriptor, event)
        poll.register(self._stop_reader, select.POLLIN)
        return all(ready != self._stop_reader for ready, _ in poll.poll())
