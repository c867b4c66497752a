"""What comes out of a child: standard output to a cap, in pieces or lines, and the little that is kept of standard error."""

from __future__ import annotations

import fcntl
import os
import select
import sys
import termios

from pincite.errors import LimitError, ProtocolError

CHUNK = 1 << 16


class CappedPieces:
    """Gives the bytes of a non-blocking pipe in pieces of `CHUNK` at most, and never reads more than `max_bytes` in all."""

    def __init__(self, descriptor: int, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes_read = 0
        self.at_end = False
        self._descriptor = descriptor

    def read(self) -> list[bytes] | None:
        """One read: the pieces that it completed, or None when there is nothing to read now.

        Sets `at_end` when the pipe has ended. Raises `LimitError` (`too_much_text`) when `max_bytes` were read and
        more is there.
        """
        left = self.max_bytes - self.bytes_read
        if left == 0:
            return self._look_past_the_cap()
        try:
            piece = os.read(self._descriptor, min(CHUNK, left))
        except BlockingIOError:
            return None
        if not piece:
            self.at_end = True
            return []
        self.bytes_read += len(piece)
        return self._split(piece)

    def _look_past_the_cap(self) -> list[bytes] | None:
        """Tell the end of the pipe from more data without reading any. The order matters: a closed pipe fills no more."""
        closed = _is_closed(self._descriptor)
        if _bytes_waiting(self._descriptor):
            message = f"the document gives more than {self.max_bytes} bytes of text; raise the limit to read all of it"
            raise LimitError(message, slug="too_much_text")
        self.at_end = closed
        return [] if closed else None

    def _split(self, piece: bytes) -> list[bytes]:
        return [piece]


class CappedLines(CappedPieces):
    """The same cut into lines, without their line feeds.

    The memory it holds is one unfinished line, of `max_line_bytes` at most, and one piece. A longer one raises
    `ProtocolError`.
    """

    def __init__(self, descriptor: int, max_bytes: int, max_line_bytes: int) -> None:
        super().__init__(descriptor, max_bytes)
        self.max_line_bytes = max_line_bytes
        self._unfinished = bytearray()

    @property
    def unfinished(self) -> bytes:
        """What came after the last line feed."""
        return bytes(self._unfinished)

    def _split(self, piece: bytes) -> list[bytes]:
        first, line_feed, rest = piece.partition(b"\n")
        self._unfinished += first
        lines = []
        if line_feed:
            *complete, last = rest.split(b"\n")
            lines = [bytes(self._unfinished), *complete]
            self._unfinished = bytearray(last)
        if len(self._unfinished) > self.max_line_bytes:
            raise ProtocolError(f"the reader process broke its protocol: a line of more than {self.max_line_bytes} bytes")
        return lines


class KeptStderr:
    """Drains a non-blocking pipe and keeps `max_bytes` of it: the first part, which tells of a crash, and the last
    part, which holds the child's own reason; whatever is between is dropped."""

    def __init__(self, descriptor: int, max_bytes: int) -> None:
        self._descriptor = descriptor
        self._max_head = max_bytes // 4
        self._max_tail = max_bytes - self._max_head
        self._head = bytearray()
        self._tail = bytearray()

    def drain(self) -> bool:
        """Read what is there now, a bounded amount; False when the pipe has ended."""
        try:
            piece = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return True
        room = self._max_head - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:]
        del self._tail[: max(0, len(self._tail) - self._max_tail)]
        return bool(piece)

    @property
    def kept(self) -> bytes:
        """At most `max_bytes` of what was written."""
        return bytes(self._head + self._tail)


def _is_closed(descriptor: int) -> bool:
    """Whether nobody holds the writing end of a pipe; bytes may still wait in it."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return any(event & select.POLLHUP for _, event in poll.poll(0))


def _bytes_waiting(descriptor: int) -> int:
    """How many bytes can be read from a pipe, without reading one."""
    return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)
