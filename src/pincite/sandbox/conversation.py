"""Waiting on everything that can happen to one child, from its start until its last byte is read."""

from __future__ import annotations

import selectors
import signal
import time
from collections.abc import Iterator, Mapping, Set
from types import TracebackType

from pincite.errors import CrashError, DeadlineError, PinciteError
from pincite.sandbox.feed import Feeder
from pincite.sandbox.output import CappedPieces, KeptStderr
from pincite.sandbox.process import Child, ExitStatus
from pincite.sandbox.protocol import EXIT_OK, FAILURES, MAX_MESSAGE, decode_reason, one_line
from pincite.sandbox.watchdog import Watchdog

EXIT_POLL_S = 0.05
"""How often to ask whether the child has ended, where the system can't tell by itself."""

STDERR_READS_AT_END = 64
"""Bounds the reading of what a dead child left in standard error, should something of it live on and write."""


class Clock:
    """The two deadlines of a document, over all its children; the time of whoever reads the pages is taken out.

    The total is `deadline_s` plus `deadline_per_page_s` for each of `pages_expected`; `stall_s`, where it is given, is the
    longest time without a finished page.
    """

    def __init__(self, deadline_s: float, deadline_per_page_s: float = 0.0, stall_s: float | None = None) -> None:
        self._deadline_s = deadline_s
        self._deadline_per_page_s = deadline_per_page_s
        self._stall_s = stall_s
        self._started = self._progress = time.monotonic()
        self.pages_expected = 0
        self.pages_read = 0

    @property
    def elapsed_s(self) -> float:
        """Since the start, without the reader's time."""
        return time.monotonic() - self._started

    def add_pause(self, pause_s: float) -> None:
        self._started += pause_s
        self._progress += pause_s

    def add_progress(self) -> None:
        self._progress = time.monotonic()

    def remaining_s(self) -> float:
        """Seconds until the nearer deadline; raises `DeadlineError` when it is past."""
        now = time.monotonic()
        total_s = self._deadline_s + self._deadline_per_page_s * self.pages_expected
        remaining = self._started + total_s - now
        if remaining <= 0:
            message = f"the document took longer than {total_s:g} s, {self.pages_read} pages were read; raise the deadline"
            raise DeadlineError(message, slug="timeout")
        if self._stall_s is None:
            return remaining
        until_stalled = self._progress + self._stall_s - now
        if until_stalled <= 0:
            message = f"no page was finished for {self._stall_s:g} s after page {self.pages_read}; raise the limit"
            raise DeadlineError(message, slug="stalled")
        return min(remaining, until_stalled)


class Conversation:
    """One child and all that it says; a context manager, at whose end the child is gone.

    `output` cuts what the child writes; iterating gives that, until the child has ended and all of it is read. Raises
    `DeadlineError`, `LimitError`, and what went wrong with the source.
    """

    def __init__(
        self,
        child: Child,
        output: CappedPieces,
        clock: Clock,
        max_stderr_bytes: int,
        feeder: Feeder | None = None,
        watchdog: Watchdog | None = None,
    ) -> None:
        self._output = output
        self._child = child
        self._clock = clock
        self._feeder = feeder
        self._watchdog = watchdog
        self._stderr = KeptStderr(child.stderr.fileno(), max_stderr_bytes)
        self._selector = selectors.DefaultSelector()
        self._exited = False

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._child.kill()
            if self._feeder is not None:
                self._feeder.stop()
                self._feeder = None
            self._selector.close()
        finally:
            self._child.reap()

    def __iter__(self) -> Iterator[bytes]:
        self._register()
        while (pieces := self._wait()) is not None:
            for piece in pieces:
                asked = time.monotonic()
                yield piece
                self._clock.add_pause(time.monotonic() - asked)
        if self._feeder is not None and self._feeder.error is not None:
            raise self._feeder.error
        for _ in range(STDERR_READS_AT_END):
            if not self._stderr.drain():
                break

    def failure(self, pages_read: int = 0, slugs: Mapping[str, int] = FAILURES) -> PinciteError | None:
        """The error that the child's end means, None for a good one; once the iteration is over. `slugs` are what it may say."""
        status = self._child.reap()
        if status.code == EXIT_OK:
            return None
        if status.code is not None:
            reason = decode_reason(status.code, self._stderr.kept, slugs)
            if reason is not None:
                return reason
        elif status.signal == getattr(signal, "SIGXCPU", None):
            return DeadlineError(f"the document took too much processor time after page {pages_read}; raise the deadline")
        return CrashError(_crash_message(status, self._stderr.kept, pages_read), signal=status.signal)

    @property
    def is_lost(self) -> bool:
        """Whether the process that the child was forked from has died, so that its end says nothing of the document."""
        return self._child.reap().is_lost

    def _register(self) -> None:
        if self._feeder is not None:
            self._feeder.start()
            self._selector.register(self._feeder.done_descriptor, selectors.EVENT_READ)
        self._selector.register(self._child.stdout, selectors.EVENT_READ)
        self._selector.register(self._child.stderr, selectors.EVENT_READ)
        if self._child.exit_descriptor is not None:
            self._selector.register(self._child.exit_descriptor, selectors.EVENT_READ)

    def _wait(self) -> list[bytes] | None:
        """The next pieces, perhaps none; None when the child has ended and all of its output is read."""
        while True:
            # First of all, so that past the deadline nothing else is the answer.
            remaining_s = self._clock.remaining_s()
            if self._exited:
                remaining_s = 0.0
            elif self._child.exit_descriptor is None:
                remaining_s = min(remaining_s, EXIT_POLL_S)
            if self._watchdog is not None and not self._exited:
                remaining_s = min(remaining_s, self._watchdog.look())
            ready = {key.fileobj for key, _ in self._selector.select(remaining_s)}
            if self._child.stderr in ready and not self._stderr.drain():
                self._selector.unregister(self._child.stderr)
            self._notice_feeder(ready)
            self._notice_exit(ready)
            if self._output.at_end:
                if self._exited:
                    return None
            elif self._exited or self._child.stdout in ready:
                pieces = self._output.read()
                if self._output.at_end:
                    self._selector.unregister(self._child.stdout)
                elif pieces is not None:
                    return pieces
                elif self._exited:
                    # The dead child's output is all read; what still holds the pipe open is not of its group.
                    return None

    def _notice_feeder(self, ready: Set[object]) -> None:
        if self._feeder is not None and self._feeder.done_descriptor in ready:
            self._selector.unregister(self._feeder.done_descriptor)
            if self._feeder.error is not None:
                raise self._feeder.error

    def _notice_exit(self, ready: Set[object]) -> None:
        if self._exited:
            return
        descriptor = self._child.exit_descriptor
        self._exited = descriptor in ready if descriptor is not None else self._child.has_exited()
        if self._exited:
            if descriptor is not None:
                self._selector.unregister(descriptor)
            self._child.kill()  # what it started must not outlive it


def _crash_message(status: ExitStatus, untrusted_stderr: bytes, pages_read: int) -> str:
    if status.is_lost:
        end = "was killed when the process that had started it died,"
    elif status.signal is None:
        end = f"ended with exit code {status.code}"
    else:
        try:
            end = f"was killed by {signal.Signals(status.signal).name}"
        except ValueError:
            end = f"was killed by signal {status.signal}"
    lines = [one_line(line, MAX_MESSAGE) for line in untrusted_stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    words = ""
    if lines:
        # A traceback begins with a line that says nothing.
        words = ": " + (lines[-1] if lines[0].startswith("Traceback") else lines[0])
    advice = "read the file once more, and report it if that happens again"
    return f"the reader process {end} after {pages_read} pages{words}; {advice}"
