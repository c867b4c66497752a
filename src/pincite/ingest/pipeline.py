"""Ingest: several files are read at once, one after the other is written, always in the order of the walk."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from functools import partial
from itertools import islice, takewhile

from pincite.errors import UnreadableError
from pincite.ingest.extract import Reader
from pincite.ingest.prepare import Extracted, Known, Prepared, Preparer, Rejected, default_jobs, is_settled
from pincite.ingest.report import Outcome, Report
from pincite.ingest.source import locate
from pincite.ingest.walk import WalkProblem, walk
from pincite.ingest.workers import Workers
from pincite.model.limits import Limits
from pincite.search.cite.naming import name_candidates
from pincite.search.index.rows import FailureRow, Location
from pincite.search.index.store import Store

WINDOW_PER_JOB = 8
"""Files ahead of the one to be written next, for each job: so much may be done while that one is slow."""

BATCH = 32
"""Documents written in one commit, at most."""

Progress = Callable[[Outcome, int, int], None]
"""Called after each file is acknowledged, with its outcome, how many are done, and how many there are."""

_Pending = Future[Prepared] | Outcome


class Ingest:
    """One run over files and folders into `store`.

    `reader` reads documents under `limits`; `jobs` of them at a time. With `retry_failed`, files that failed in an
    earlier run and have not changed since are tried again instead of being reported again. `progress` is called after each
    file, `on_interrupt` when Ctrl-C is met.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        *,
        limits: Limits | None = None,
        jobs: int | None = None,
        retry_failed: bool = False,
        progress: Progress | None = None,
        on_interrupt: Callable[[], None] | None = None,
    ) -> None:
        self._store = store
        self._jobs = jobs or default_jobs()
        self._retry_failed = retry_failed
        self._progress = progress
        self._on_interrupt = on_interrupt
        self._preparer = Preparer(reader, limits or Limits(), store.has_document)
        self._pending: deque[_Pending] = deque()
        self._report = Report()
        self._total = 0

    def run(self, paths: Iterable[str | os.PathLike[str]]) -> Report:
        """Take in everything that `paths` stand for and say what became of each file.

        Raises `FileNotFoundError`, before anything is done, where one of them does not exist, and `LibraryError`; no error
        of a single file is raised. Ctrl-C ends the run early: documents at work are finished and written, the report
        says `interrupted`. A second Ctrl-C drops those and is raised. What is written is written whole, always.
        """
        started = time.monotonic()
        targets = list(walk(paths))
        self._total = len(targets)
        workers: Workers[Prepared] = Workers(max(1, min(self._jobs, self._total)))
        try:
            for target in targets:
                self._pending.append(self._begin(target, workers))
                self._write_ready(leave=self._jobs * WINDOW_PER_JOB)
            self._write_ready(leave=0)
        except KeyboardInterrupt:
            self._report.interrupted = True
            if self._on_interrupt is not None:
                self._on_interrupt()
            self._finish_interrupted()
        finally:
            self._cancel()
            workers.close()
        self._report.duration_s = time.monotonic() - started
        return self._report

    def _begin(self, target: str | WalkProblem, workers: Workers[Prepared]) -> _Pending:
        """Decide from the file's size and time alone, or have it read."""
        if isinstance(target, WalkProblem):
            return Outcome(target.path, "failed", slug=UnreadableError.slugs[0], stage="walk", message=target.message)
        try:
            location = locate(target)
        except OSError as error:
            message = f"can't be read: {error.strerror or error}; check the path, and try again"
            return Outcome(target, "failed", slug=UnreadableError.slugs[0], stage="read", message=message)
        failure = self._store.failure(target)
        if failure is not None and is_settled(failure, location) and not self._retry_failed:
            return _failed(failure, repeated=True)
        again = failure is not None and failure.partial
        if not again:
            document = self._store.document_at(location)
            if document is not None:
                return Outcome(target, "unchanged", document.name, document.id, document.pages)
        return workers.submit(partial(self._preparer.prepare, location, again=again))

    def _write_ready(self, leave: int) -> None:
        """Write what is ready at the front of the queue, waiting for it only while more than `leave` are in it."""
        while self._pending:
            front = self._pending[0]
            if isinstance(front, Future) and not front.done():
                if len(self._pending) <= leave:
                    return
                wait([front])
            self._write(list(takewhile(_is_ready, islice(self._pending, BATCH))))

    def _write(self, batch: list[_Pending]) -> None:
        if any(isinstance(item, Future) for item in batch):
            # Nothing leaves the queue before the commit: an interrupt in between writes it once more, as unchanged.
            with self._store.transaction():
                outcomes = [self._write_one(item) for item in batch]
        else:
            outcomes = [item for item in batch if isinstance(item, Outcome)]
        for outcome in outcomes:
            self._pending.popleft()
            self._report.outcomes.append(outcome)
            if self._progress is not None:
                self._progress(outcome, len(self._report.outcomes), self._total)

    def _write_one(self, item: _Pending) -> Outcome:
        if isinstance(item, Outcome):
            return item
        prepared = item.result()
        if isinstance(prepared, Rejected):
            self._store.put_failure(prepared.failure)
            return _failed(prepared.failure)
        if isinstance(prepared, Known):
            self._store.place(prepared.location, prepared.document_id)
            return self._unchanged(prepared.location, prepared.document_id)
        return self._write_document(prepared)

    def _unchanged(self, location: Location, document_id: str) -> Outcome:
        self._store.clear_failure(location.path)
        (document,) = self._store.documents_by_hash(document_id)
        return Outcome(location.path, "unchanged", document.name, document.id, document.pages)

    def _write_document(self, prepared: Extracted) -> Outcome:
        location, extraction, failure = prepared.location, prepared.extraction, prepared.failure
        document = extraction.document()
        names = name_candidates(location.path, document.id)
        result = self._store.put_document(document, extraction.pages, names, location, replace=prepared.again)
        if result.status == "unchanged":
            return self._unchanged(location, document.id)
        if failure is None:
            self._store.clear_failure(location.path)
        else:
            self._store.put_failure(failure)
        return Outcome(
            location.path,
            "added" if failure is None else "partial",
            result.name,
            document.id,
            document.pages,
            None if failure is None else failure.slug,
            None if failure is None else failure.stage,
            None if failure is None else failure.message,
            warnings=tuple(extraction.warnings),
            problems=tuple(extraction.problems),
            waiting_for_ocr=extraction.waiting_for_ocr,
        )

    def _finish_interrupted(self) -> None:
        """Write the documents at work as they come to their end; forget those that had not begun."""
        begun = [item for item in self._pending if isinstance(item, Future) and not item.cancel()]
        self._pending.clear()
        for item in begun:
            wait([item])
            # What failed now may have failed because of the interrupt: the next run will tell.
            if item.exception() is None and not isinstance(item.result(), Rejected):
                self._pending.append(item)
                self._write([item])

    def _cancel(self) -> None:
        for item in self._pending:
            if isinstance(item, Future):
                item.cancel()


def _is_ready(item: _Pending) -> bool:
    return not isinstance(item, Future) or item.done()


def _failed(failure: FailureRow, *, repeated: bool = False) -> Outcome:
    return Outcome(
        failure.path,
        "partial" if failure.partial else "failed",
        document=failure.document,
        slug=failure.slug,
        stage=failure.stage,
        message=failure.message,
        repeated=repeated,
    )
