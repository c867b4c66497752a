"""The parent's side: one document, one child (a fresh one behind a page that crashes), one answer or one typed error."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, overload

from pincite.errors import CrashError, NoTextError, PinciteError
from pincite.model.limits import Limits
from pincite.model.picture import PagePicture
from pincite.model.text import DocumentFindings, DocumentMeta, Order, PageFailure, PageText
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.answers import read_picture, read_place
from pincite.sandbox.conversation import Clock, Conversation
from pincite.sandbox.job import CPU_MARGIN_S, DEFAULT_LIMITS, Job, QuadsTask, RenderTask, TablesTask, Task, TextTask
from pincite.sandbox.launch import Program, Started, launch
from pincite.sandbox.output import CappedLines, CappedPieces
from pincite.sandbox.protocol import ABSENT, FAILURES, MAX_LINE_BYTES, PageReader
from pincite.sandbox.result import RunResult, SpanPlace, TablesResult
from pincite.sandbox.source import OpenSource, Source
from pincite.sandbox.table_answers import TableReader
from pincite.sandbox.zygote import Zygote

__all__ = ["DEFAULT_ARGS", "DEFAULT_LIMITS", "RunResult", "Runner", "Source"]

DEFAULT_ARGS = ("-I", "-m", "pincite.sandbox")
StreamItem = DocumentMeta | PageText | PageFailure | DocumentFindings
NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})

MAX_PIXELS = 25_000_000
"""An A4 page at 500 dpi."""

MAX_DPI = 2400.0

FRESH_CHILDREN = 3
"""Children that may follow the first of a document, each behind a page at which the one before it crashed."""


class Runner:
    """Reads documents in child processes.

    Children of pincite's own program are forked from a zygote where the system can, else executed; `zygote=False` executes
    each, and a `Zygote` is one to use instead of the one that the process shares. The command to execute is
    `exe *args -max-pages N`, with `env` as its whole environment; options for `max_input_bytes` and `max_memory_bytes` are
    added where they differ from the defaults.

    Sizes are bytes, times seconds. `deadline_s` plus `deadline_per_page_s` for each page to be read is the time for the
    whole document (a `deadline_s` of one's own is all of it, unless the other is given, too); `stall_s`, where it is not
    None, is the longest time without a finished page. `password` is for encrypted documents that come without one of their
    own. `fresh_children` may follow one that crashes, each behind the page
    that it was at; by default three of pincite's own program, and none of another, which may not know how.

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
        deadline_per_page_s: float | None = None,
        stall_s: float | None = DEFAULT_LIMITS.stall_s,
        max_input_bytes: int = DEFAULT_LIMITS.max_input_bytes,
        max_memory_bytes: int = DEFAULT_LIMITS.max_memory_bytes,
        max_stderr_bytes: int = DEFAULT_LIMITS.max_stderr_bytes,
        zygote: bool | Zygote | None = None,
        fresh_children: int | None = None,
        password: str | None = None,
    ) -> None:
        if max_pages < 1:
            raise ValueError("max_pages must be at least 1")
        if deadline_per_page_s is None:
            deadline_per_page_s = DEFAULT_LIMITS.deadline_per_page_s if deadline_s == DEFAULT_LIMITS.deadline_s else 0.0
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
        self.fresh_children = fresh_children
        self.zygote = zygote
        self.password = password

    @classmethod
    def from_limits(
        cls, limits: Limits = DEFAULT_LIMITS, *, zygote: bool | Zygote | None = None, password: str | None = None
    ) -> Runner:
        """A runner of pincite's child under `limits`, all of them."""
        return cls(
            deadline_s=limits.deadline_s,
            max_output_bytes=limits.max_output_bytes,
            max_pages=limits.max_pages,
            deadline_per_page_s=limits.deadline_per_page_s,
            stall_s=limits.stall_s,
            max_input_bytes=limits.max_input_bytes,
            max_memory_bytes=limits.max_memory_bytes,
            max_stderr_bytes=limits.max_stderr_bytes,
            zygote=zygote,
            password=password,
        )

    def run(self, source: Source, *, password: str | None = None) -> RunResult:
        """Read a whole document; the child is gone when this returns or raises.

        Raises `EncryptedError`, `UnreadableError` (also for a path that can't be read), `CrashError`, `ProtocolError`,
        `DeadlineError`, `LimitError`, and `NoTextError` when no page has text. An error that comes after pages were
        read carries them: `error.partial` is a `RunResult` then and None otherwise. `NoTextError` carries all of them.
        """
        started = time.monotonic()
        meta: DocumentMeta | None = None
        pages: list[PageText | PageFailure] = []
        with contextlib.closing(self.stream(source, password=password)) as items:
            try:
                for item in items:
                    if isinstance(item, DocumentMeta):
                        meta = item
                    else:
                        pages.append(item)
            except PinciteError as error:
                if meta is not None and pages:
                    signal = error.signal if isinstance(error, CrashError) else None
                    error.partial = RunResult(meta, tuple(pages), time.monotonic() - started, error.slug, signal)
                raise
        assert meta is not None  # the stream raises when the child gives none
        result = RunResult(meta, tuple(pages), time.monotonic() - started)
        if not any(isinstance(page, PageText) and page.text.strip() for page in pages):
            no_text = NoTextError(_no_text_message(pages))
            no_text.partial = result
            raise no_text
        return result

    @overload
    def stream(
        self,
        source: Source,
        *,
        password: str | None = None,
        order: Order = "reading",
        layout: bool = False,
        findings: Literal[False] = False,
    ) -> Generator[DocumentMeta | PageText | PageFailure, None, None]: ...

    @overload
    def stream(
        self,
        source: Source,
        *,
        password: str | None = None,
        order: Order = "reading",
        layout: bool = False,
        findings: bool,
    ) -> Generator[StreamItem, None, None]: ...

    def stream(
        self,
        source: Source,
        *,
        password: str | None = None,
        order: Order = "reading",
        layout: bool = False,
        findings: bool = False,
    ) -> Generator[StreamItem, None, None]:
        """Read a document page by page, without holding it: first its `DocumentMeta`, then each page as it is done.

        The text is in `order` (see `Page.text`), or with `layout` as it looks on the page (see `Page.layout_text`). With
        `findings` come `DocumentFindings` last, where the last child lives to tell them: of the pages that it has read.


        Raises as `run` does, except that a document without text is no error here and that errors carry no pages: the
        caller has had them. Nothing starts before the first item is asked for. Closing the generator kills and reaps
        the child. The time that the caller takes between two items does not count. A child that was executed dies with
        the thread that started it, so a thread that hands the generator on must outlive it.
        """
        with OpenSource(source, self.max_input_bytes) as opened:
            yield from self._read_pages(opened, TextTask(1, self.max_pages, order, layout, findings), password)

    def render(
        self,
        source: Source,
        page: int,
        dpi: float = 144.0,
        *,
        max_pixels: int = MAX_PIXELS,
        grey: bool = False,
        password: str | None = None,
    ) -> PagePicture:
        """A picture of one page (1-based) as a viewer shows it, at `dpi`, or at what keeps it under `max_pixels`.

        Raises as `run` does, and `CitationError` (`absent`) where there is no such page.
        """
        if not 0 < dpi <= MAX_DPI or max_pixels < 1 or page < 1:
            raise ValueError(f"pages count from 1, dpi are up to {MAX_DPI:g}, and a picture has a pixel at least")
        task = RenderTask(page, float(dpi), max_pixels, grey)
        return read_picture(self._answer(task, source, password), page, max_pixels)

    def quads(self, source: Source, page: int, start: int, end: int, *, password: str | None = None) -> SpanPlace:
        """Where the characters start..end-1 of one page's text stand (1-based page).

        Raises as `run` does, and `CitationError` (`absent`) where there is no such page or span.
        """
        if page < 1 or not 0 <= start <= end:
            raise ValueError("pages count from 1, and a span does not end before its start")
        return read_place(self._answer(QuadsTask(page, start, end), source, password), page)

    def tables(
        self,
        source: Source,
        first_page: int = 1,
        last_page: int | None = None,
        *,
        whole: bool = True,
        password: str | None = None,
    ) -> TablesResult:
        """The tables of some pages (1-based; up to `max_pages` without a last one).

        With `whole` a table that goes on over a page break is one, as by `Document.tables`. Raises as `run` does, and
        `CitationError` (`absent`) where there is no first page.
        """
        last_page = self.max_pages if last_page is None else last_page
        if not 1 <= first_page <= last_page:
            raise ValueError("pages count from 1, and the last does not come before the first")
        with OpenSource(source, self.max_input_bytes) as opened:
            clock = self._clock()
            child, feeder, watchdog = self._launch(self._job(TablesTask(first_page, last_page, whole), password), opened, clock)
            output = CappedLines(child.stdout.fileno(), self.max_output_bytes, MAX_LINE_BYTES)
            reader = TableReader(first_page, last_page)
            with Conversation(child, output, clock, self.max_stderr_bytes, feeder, watchdog) as conversation:
                for untrusted_line in conversation:
                    reader.read(untrusted_line)
                    clock.pages_expected, clock.pages_read = reader.pages_expected, reader.pages_read
                    clock.add_progress()
                error = conversation.failure(reader.pages_read, slugs=FAILURES | ABSENT)
        if error is not None:
            raise error
        reader.finish(output.unfinished)
        return TablesResult(tuple(reader.tables), tuple(reader.failures))

    def _answer(self, task: Task, source: Source, password: str | None) -> bytes:
        """All that a child writes for a task that is one page's, unchecked; within the output's cap."""
        with OpenSource(source, self.max_input_bytes) as opened:
            clock = self._clock()
            child, feeder, watchdog = self._launch(self._job(task, password), opened, clock)
            output = CappedPieces(child.stdout.fileno(), self.max_output_bytes)
            with Conversation(child, output, clock, self.max_stderr_bytes, feeder, watchdog) as conversation:
                untrusted = b"".join(conversation)
                error = conversation.failure(slugs=FAILURES | ABSENT)
        if error is not None:
            raise error
        return untrusted

    def _read_pages(
        self, source: OpenSource, task: TextTask, password: str | None
    ) -> Generator[StreamItem, None, None]:
        clock = self._clock()
        reader = PageReader(self.max_pages, findings=task.findings)
        bytes_left = self.max_output_bytes
        fresh_children = self.fresh_children
        if fresh_children is None:
            fresh_children = FRESH_CHILDREN if self._is_ours or isinstance(self.zygote, Zygote) else 0
        for fresh_children_left in range(fresh_children, -1, -1):
            job = self._job(replace(task, first_page=reader.pages_read + 1), password)
            child, feeder, watchdog = self._launch(job, source, clock)
            output = CappedLines(child.stdout.fileno(), bytes_left, MAX_LINE_BYTES)
            with Conversation(child, output, clock, self.max_stderr_bytes, feeder, watchdog) as conversation:
                yield from _items(conversation, reader, clock)
                error = conversation.failure(reader.pages_read)
                bytes_left -= output.bytes_read
                if error is None:
                    reader.finish(output.unfinished)
                    return
                at_a_page = isinstance(error, CrashError) and not conversation.is_lost and reader.is_under_way
            if not (at_a_page and fresh_children_left and source.can_repeat):
                raise error
            # One page crashes the child: that page fails, and a fresh child begins behind it.
            yield reader.fail(f"{error.slug}: {error.message}")
            clock.pages_read = reader.pages_read
            clock.add_progress()
            if reader.pages_read == reader.pages_expected:
                return

    @property
    def _is_ours(self) -> bool:
        """Whether what is executed is pincite's own child."""
        return self.args == DEFAULT_ARGS and self.exe == sys.executable and not self.env

    def _chosen_zygote(self) -> Zygote | None:
        if isinstance(self.zygote, Zygote):
            return self.zygote
        if self.zygote is False or not self._is_ours or not zygotes.is_supported():
            return None
        return zygotes.shared()

    def _clock(self) -> Clock:
        return Clock(self.deadline_s, self.deadline_per_page_s, self.stall_s)

    def _job(self, task: Task, password: str | None) -> Job:
        return Job(
            task,
            self.password if password is None else password,
            self.max_input_bytes,
            self.max_output_bytes,
            self.max_memory_bytes,
            CPU_MARGIN_S + math.ceil(self.deadline_s + self.deadline_per_page_s * self.max_pages),
        )

    def _launch(self, job: Job, source: OpenSource, clock: Clock) -> Started:
        program = Program(self.exe, self.args, self.env, self._is_ours)
        return launch(job, source, clock, program, self._chosen_zygote())


def _items(conversation: Conversation, reader: PageReader, clock: Clock) -> Iterator[StreamItem]:
    """Everything that a child says, checked; a fresh child's meta line is not said again."""
    is_first = reader.meta is None
    for line in conversation:
        item = reader.read(line)
        clock.pages_expected = reader.pages_expected
        clock.pages_read = reader.pages_read
        clock.add_progress()
        if is_first or not isinstance(item, DocumentMeta):
            yield item


def _no_text_message(pages: Sequence[PageText | PageFailure]) -> str:
    failures = [page for page in pages if isinstance(page, PageFailure)]
    if len(failures) == len(pages):
        first = failures[0].error
        return f"none of the {len(pages)} pages can be read, the first because of: {first}; save the file anew"
    return f"no text in any of the {len(pages)} pages; they are probably scanned, so run OCR on them"
