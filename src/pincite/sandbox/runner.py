"""The parent's side: one document, one child, one answer or one typed error."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from pincite.errors import CrashError, DeadlineError, NoTextError, PinciteError
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, PageFailure, PageText
from pincite.sandbox.feed import Feeder, OpenSource, Source
from pincite.sandbox.launch import Child, ExitStatus, launch
from pincite.sandbox.output import CappedLines, KeptStderr
from pincite.sandbox.protocol import EXIT_OK, MAX_LINE_BYTES, MAX_MESSAGE, PageReader, decode_reason, one_line
from pincite.sandbox.result import RunResult

__all__ = ["DEFAULT_ARGS", "RunResult", "Runner", "Source"]

DEFAULT_ARGS = ("-I", "-m", "pincite.sandbox")
DEFAULT_LIMITS = Limits()
NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})

EXIT_POLL_S = 0.05
"""How often to ask whether the child has ended, where the system can't tell by itself."""

STDERR_READS_AT_END = 64
"""Bounds the reading of what a dead child left in standard error, should something of it live on and write."""


class Runner:
    """Reads documents in child processes, one process a document.

    The command is `exe *args -max-pages N`, with `env` as its whole environment; options for `max_input_bytes` and
    `max_memory_bytes` are added where they differ from the defaults. Sizes are bytes, times seconds. `deadline_s` plus
    `deadline_per_page_s` for each page to be read is the time for the whole document; `stall_s`, where it is given, is
    the longest time without a finished page.

    A runner holds no state between documents and may be used from several threads at once.
    """

    def __init__(
        self,
        exe: str | os.PathLike[str] = sys.executable,
        args: Sequence[str] = DEFAULT_ARGS,
        env: Mapping[str, str] = NO_ENVIRONMENT,
        deadline_s: float = DEFAULT_LIMITS.deadline_s,
        max_output_bytes: int = DEFAULT_LIMITS.max_output_bytes,
        max_pages: int = DEFAULT_LIMITS.max_pages,
        *,
        deadline_per_page_s: float = 0.0,
        stall_s: float | None = None,
        max_input_bytes: int = DEFAULT_LIMITS.max_input_bytes,
        max_memory_bytes: int = DEFAULT_LIMITS.max_memory_bytes,
        max_stderr_bytes: int = DEFAULT_LIMITS.max_stderr_bytes,
    ) -> None:
        if max_pages < 1:
            raise ValueError("max_pages must be at least 1")
        self.exe = exe
        self.args = tuple(args)
        self.env = dict(env)
        self.deadline_s = deadline_s
        self.deadline_per_page_s = deadline_per_page_s
        self.stall_s = stall_s
        self.max_output_bytes = max_output_bytes
        self.max_pages = max_pages
        self.max_input_bytes = max_input_bytes
        self.max_memory_bytes = max_memory_bytes
        self.max_stderr_bytes = max_stderr_bytes

    @classmethod
    def from_limits(cls, limits: Limits = DEFAULT_LIMITS) -> Runner:
        """A runner of the usual child under `limits`, all of them."""
        return cls(
            deadline_s=limits.deadline_s,
            max_output_bytes=limits.max_output_bytes,
            max_pages=limits.max_pages,
            deadline_per_page_s=limits.deadline_per_page_s,
            stall_s=limits.stall_s,
            max_input_bytes=limits.max_input_bytes,
            max_memory_bytes=limits.max_memory_bytes,
            max_stderr_bytes=limits.max_stderr_bytes,
        )

    @property
    def command(self) -> tuple[str, ...]:
        """The command line of a child."""
        options = ["-max-pages", str(self.max_pages)]
        if self.max_input_bytes != DEFAULT_LIMITS.max_input_bytes:
            options += ["-max-input-bytes", str(self.max_input_bytes)]
        if self.max_memory_bytes != DEFAULT_LIMITS.max_memory_bytes:
            options += ["-max-memory-bytes", str(self.max_memory_bytes)]
        return (os.fspath(self.exe), *self.args, *options)

    def run(self, source: Source) -> RunResult:
        """Read a whole document; the child is gone when this returns or raises.

        Raises `EncryptedError`, `UnreadableError` (also for a path that can't be read), `CrashError`, `ProtocolError`,
        `DeadlineError`, `LimitError`, and `NoTextError` when no page has text. An error that comes after pages were
        read carries them: `error.partial` is a `RunResult` then and None otherwise. `NoTextError` carries all of them.
        """
        started = time.monotonic()
        meta: DocumentMeta | None = None
        pages: list[PageText | PageFailure] = []
        with contextlib.closing(self.stream(source)) as items:
            try:
                for item in items:
                    if isinstance(item, DocumentMeta):
                        meta = item
                    else:
                        pages.append(item)
            except PinciteError as error:
                if meta is not None and pages:
                    error.partial = RunResult(meta, tuple(pages), time.monotonic() - started)
                raise
        assert meta is not None  # the stream raises when the child gives none
        result = RunResult(meta, tuple(pages), time.monotonic() - started)
        if not any(isinstance(page, PageText) and page.text.strip() for page in pages):
            no_text = NoTextError(_no_text_message(pages))
            no_text.partial = result
            raise no_text
        return result

    def stream(self, source: Source) -> Generator[DocumentMeta | PageText | PageFailure, None, None]:
        """Read a document page by page, without holding it: first its `DocumentMeta`, then each page as it is done.

        Raises as `run` does, except that a document without text is no error here and that errors carry no pages: the
        caller has had them. Nothing starts before the first item is asked for. Closing the generator kills and reaps
        the child. The time that the caller takes between two items does not count. A child dies with the thread that
        started it, so a thread that hands the generator on must outlive it.
        """
        with OpenSource(source, self.max_input_bytes) as opened:
            child = launch(self.command, self.env)
            try:
                yield from _Conversation(self, child, opened).items()
            finally:
                child.reap()


class Clock:
    """The two deadlines of a document; the time of whoever reads the pages is taken out."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._started = self._progress = time.monotonic()
        self.pages_expected = 0
        self.pages_read = 0

    def add_pause(self, pause_s: float) -> None:
        self._started += pause_s
        self._progress += pause_s

    def add_progress(self) -> None:
        self._progress = time.monotonic()

    def remaining_s(self) -> float:
        """Seconds until the nearer deadline; raises `DeadlineError` when it is past."""
        now = time.monotonic()
        total_s = self._runner.deadline_s + self._runner.deadline_per_page_s * self.pages_expected
        remaining = self._started + total_s - now
        if remaining <= 0:
            message = f"the document took longer than {total_s:g} s, {self.pages_read} pages were read; raise the deadline"
            raise DeadlineError(message, slug="timeout")
        if self._runner.stall_s is None:
            return remaining
        until_stalled = self._progress + self._runner.stall_s - now
        if until_stalled <= 0:
            message = f"no page was finished for {self._runner.stall_s:g} s after page {self.pages_read}; raise the limit"
            raise DeadlineError(message, slug="stalled")
        return min(remaining, until_stalled)


class _Conversation:
    """Waits on everything that can happen to one child, from its start until its last byte is read."""

    def __init__(self, runner: Runner, child: Child, source: OpenSource) -> None:
        self._child = child
        self._clock = Clock(runner)
        self._feeder = Feeder(source, child.stdin)
        self._lines = CappedLines(child.stdout.fileno(), runner.max_output_bytes, MAX_LINE_BYTES)
        self._stderr = KeptStderr(child.stderr.fileno(), runner.max_stderr_bytes)
        self._reader = PageReader(runner.max_pages)
        self._selector = selectors.DefaultSelector()
        self._exited = False

    def items(self) -> Iterator[DocumentMeta | PageText | PageFailure]:
        """Everything the child says, checked; raises its typed error at the end if it has one."""
        try:
            self._feeder.start()
            self._register()
            while (lines := self._wait_for_lines()) is not None:
                for line in lines:
                    item = self._reader.read(line)
                    self._clock.pages_expected = self._reader.pages_expected
                    self._clock.pages_read = self._reader.pages_read
                    self._clock.add_progress()
                    asked = time.monotonic()
                    yield item
                    self._clock.add_pause(time.monotonic() - asked)
        finally:
            self._child.kill()
            self._feeder.stop()
            self._selector.close()
        if self._feeder.error is not None:
            raise self._feeder.error
        for _ in range(STDERR_READS_AT_END):
            if not self._stderr.drain():
                break
        self._judge(self._child.reap())

    def _register(self) -> None:
        self._selector.register(self._child.stdout, selectors.EVENT_READ)
        self._selector.register(self._child.stderr, selectors.EVENT_READ)
        self._selector.register(self._feeder.done_descriptor, selectors.EVENT_READ)
        if self._child.exit_descriptor is not None:
            self._selector.register(self._child.exit_descriptor, selectors.EVENT_READ)

    def _wait_for_lines(self) -> list[bytes] | None:
        """The next complete lines, perhaps none; None when the child has ended and all of its output is read."""
        while True:
            # First of all, so that past the deadline nothing else is the answer.
            remaining_s = self._clock.remaining_s()
            if self._exited:
                remaining_s = 0.0
            elif self._child.exit_descriptor is None:
                remaining_s = min(remaining_s, EXIT_POLL_S)
            ready = {key.fileobj for key, _ in self._selector.select(remaining_s)}
            if self._child.stderr in ready and not self._stderr.drain():
                self._selector.unregister(self._child.stderr)
            if self._feeder.done_descriptor in ready:
                self._selector.unregister(self._feeder.done_descriptor)
                if self._feeder.error is not None:
                    raise self._feeder.error
            self._notice_exit(ready)
            if self._lines.at_end:
                if self._exited:
                    return None
            elif self._exited or self._child.stdout in ready:
                lines = self._lines.read()
                if self._lines.at_end:
                    self._selector.unregister(self._child.stdout)
                elif lines is not None:
                    return lines
                elif self._exited:
                    # The dead child's output is all read; what still holds the pipe open is not of its group.
                    return None

    def _notice_exit(self, ready: Set[object]) -> None:
        if self._exited:
            return
        descriptor = self._child.exit_descriptor
        self._exited = descriptor in ready if descriptor is not None else self._child.has_exited()
        if self._exited:
            if descriptor is not None:
                self._selector.unregister(descriptor)
            self._child.kill()  # what it started must not outlive it

    def _judge(self, status: ExitStatus) -> None:
        """Raise the error that the child's end means, if any."""
        if status.code == EXIT_OK:
            self._reader.finish(self._lines.unfinished)
            return
        if status.code is not None:
            reason = decode_reason(status.code, self._stderr.kept)
            if reason is not None:
                raise reason
        raise CrashError(_crash_message(status, self._stderr.kept, self._reader.pages_read), signal=status.signal)


def _crash_message(status: ExitStatus, untrusted_stderr: bytes, pages_read: int) -> str:
    if status.signal is None:
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


def _no_text_message(pages: Sequence[PageText | PageFailure]) -> str:
    failures = [page for page in pages if isinstance(page, PageFailure)]
    if len(failures) == len(pages):
        first = failures[0].error
        return f"none of the {len(pages)} pages can be read, the first because of: {first}; save the file anew"
    return f"no text in any of the {len(pages)} pages; they are probably scanned, so run OCR on them"
