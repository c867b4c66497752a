"""Ingest: several files are read at once, one after the other is written, always in the order of the walk."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from functools import partial
from itertools import islice, takewhile
from pathlib import Path

from pincite.errors import UnreadableError
from pincite.ingest.extract import Reader
from pincite.ingest.prepare import Extracted, Known, Prepared, Preparer, Rejected, default_jobs, is_settled
from pincite.ingest.report import Event, Finished, Outcome, Reading, Report, Started
from pincite.ingest.source import is_gone, locate
from pincite.ingest.walk import EVERY_PDF, Selection, WalkProblem, may_be_path, walk
from pincite.ingest.workers import Workers
from pincite.model.limits import Limits
from pincite.model.text import TEXT_VERSION
from pincite.search.cite.naming import name_candidates
from pincite.search.index.rows import ALTERED, FailureRow, Location
from pincite.search.index.store import Store

WINDOW_PER_JOB = 8
"""Files ahead of the one to be written next, for each job: so much may be done while that one is slow."""

BATCH = 32
"""Documents written in one commit, at most."""

COMMIT_EVERY_S = 0.2
"""Commits of less than `BATCH` documents are no closer than this."""

Progress = Callable[[Event], None]
"""Called with what happens, also from the threads that read."""

_Pending = Future[Prepared] | Outcome


class Ingest:
    """One run over files and folders into `store`.

    `reader` reads documents under `limits`; `jobs` of them at a time. With `retry_failed`, files that failed in an
    earlier run and have not changed since are tried again instead of being reported again; where the reader `has_password`,
    those that needed one are. `selection` says what of a folder
    is meant; files that the library knew in the folders and that are gone are noted as missing. `progress` is called with
    each event, `on_interrupt` when Ctrl-C is met. Long documents are spooled in `folder`.
    """

    def __init__(
        self,
        store: Store,
        reader: Reader,
        *,
        limits: Limits | None = None,
        jobs: int | None = None,
        retry_failed: bool = False,
        has_password: bool = False,
        selection: Selection = EVERY_PDF,
        progress: Progress | None = None,
        on_interrupt: Callable[[], None] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._store = store
        self._jobs = jobs or default_jobs()
        self._retry_failed = retry_failed
        self._has_password = has_password
        self._selection = selection
        self._progress = progress
        self._on_interrupt = on_interrupt
        on_page = None if progress is None else lambda path, done, total: progress(Reading(path, done, total))
        # Asking the library from the threads that read would make them wait for the commits.
        self._text_versions = store.text_versions()
        self._committed_at = 0.0
        self._preparer = Preparer(reader, limits or Limits(), self._text_versions.get, folder, on_page)
        self._pending: deque[_Pending] = deque()
        self._report = Report()
        self._total = 0

    def run(self, paths: Iterable[str | os.PathLike[str]]) -> Report:
        """Take in everything that `paths` stand for and say what became of each file.

        Raises `LibraryError`; no error of a single file or path is raised, one that does not exist is `failed`. Ctrl-C ends the
        run early: documents at work are finished and written, the report says `interrupted`. A second Ctrl-C drops those and is
        raised. What is written is written whole, always.
        """
        started = time.monotonic()
        named = [os.fsdecode(path) for path in paths]
        targets = list(walk(named, self._selection))
        self._total = len(targets)
        if self._progress is not None:
            self._progress(Started(self._total))
        workers: Workers[Prepared] = Workers(max(1, min(self._jobs, self._total)))
        try:
            for target in targets:
                self._pending.append(self._begin(target, workers))
                self._write_ready(leave=self._jobs * WINDOW_PER_JOB)
            self._write_ready(leave=0)
            self._note_missing([os.path.abspath(path) for path in named if may_be_path(path)], targets)
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
        altered = failure is not None and self._text_versions.get(failure.document or "") == ALTERED
        retry = self._retry_failed or altered
        if failure is not None and not retry and is_settled(failure, location, has_password=self._has_password):
            return _failed(failure, repeated=True)
        again = failure is not None and failure.partial
        if not again:
            document = self._store.document_at(location)
            if document is not None and document.text_version == TEXT_VERSION:
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
            self._wait_for_company()
            self._write(list(takewhile(_is_ready, islice(self._pending, BATCH))))

    def _wait_for_company(self) -> None:
        """Let more documents come to be written in one commit, as long as the last one is not long ago: a commit costs as much as
        the reading of several small documents."""
        left_s = self._committed_at + COMMIT_EVERY_S - time.monotonic()
        begun = [item for item in islice(self._pending, BATCH) if isinstance(item, Future)]
        if left_s > 0 and begun:
            wait(begun, timeout=left_s)

    def _write(self, batch: list[_Pending]) -> None:
        if any(isinstance(item, Future) for item in batch):
            # Nothing leaves the queue before the commit: an interrupt in between writes it once more, as unchanged.
            with self._store.transaction():
                outcomes = [self._write_one(item) for item in batch]
            self._committed_at = time.monotonic()
        else:
            outcomes = [item for item in batch if isinstance(item, Outcome)]
        for outcome in outcomes:
            item = self._pending.popleft()
            if isinstance(item, Future):
                _close(item)
            if outcome.document is not None and outcome.status != "failed":
                self._text_versions[outcome.document] = TEXT_VERSION
            self._report.outcomes.append(outcome)
            if self._progress is not None:
                self._progress(Finished(outcome, len(self._report.outcomes), self._total))

    def _write_one(self, item: _Pending) -> Outcome:
        if isinstance(item, Outcome):
            return item
        prepared = item.result()
        if isinstance(prepared, Rejected):
            self._store.put_failure(prepared.failure)
            return _failed(prepared.failure)
        if isinstance(prepared, Known):
            instead_of = self._other_at(prepared.location.path, prepared.document_id)
            self._store.place(prepared.location, prepared.document_id)
            return self._unchanged(prepared.location, prepared.document_id, instead_of)
        return self._write_document(prepared)

    def _unchanged(self, location: Location, document_id: str, instead_of: str | None) -> Outcome:
        self._store.clear_failure(location.path)
        (document,) = self._store.documents_by_hash(document_id)
        return Outcome(location.path, "unchanged", document.name, document.id, document.pages, instead_of=instead_of)

    def _other_at(self, path: str, document_id: str) -> str | None:
        """The name of another document than this one that the library has seen at a path."""
        before = self._store.document_of(path)
        return before.name if before is not None and before.id != document_id else None

    def _write_document(self, prepared: Extracted) -> Outcome:
        location, extraction, failure = prepared.location, prepared.extraction, prepared.failure
        document = extraction.document()
        before = self._store.failure(location.path)
        was_partial = before is not None and before.partial
        instead_of = self._other_at(location.path, document.id)
        names = name_candidates(location.path, document.id)
        result = self._store.put_document(document, extraction.pages(), names, location, replace=prepared.again)
        if result.status == "unchanged":
            return self._unchanged(location, document.id, instead_of)
        if failure is None:
            self._store.clear_failure(location.path)
        else:
            self._store.put_failure(failure)
        return Outcome(
            location.path,
            "partial" if failure is not None else "updated" if result.status == "replaced" and not was_partial else "added",
            result.name,
            document.id,
            document.pages,
            None if failure is None else failure.slug,
            None if failure is None else failure.stage,
            None if failure is None else failure.message,
            warnings=tuple(extraction.warnings),
            waiting_for_ocr=extraction.waiting_for_ocr,
            pages_read=extraction.pages_read,
            instead_of=instead_of,
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

    def _note_missing(self, named: list[str], targets: list[str | WalkProblem]) -> None:
        """Record which files of the folders are gone. One that is there after all was looked at, or is left out now."""
        seen = {target for target in targets if isinstance(target, str)}
        gone, back = [], []
        for location in self._store.paths(named):
            if is_gone(location.path):
                gone.append(location.path)
            elif location.missing_since is not None and location.path in seen:
                back.append(location.path)
        if gone or back:
            self._store.note_missing(gone, back)
        self._report.missing = gone

    def _cancel(self) -> None:
        for item in self._pending:
            if isinstance(item, Future) and not item.cancel():
                item.add_done_callback(_close)


def _close(item: Future[Prepared]) -> None:
    """Let go of what a document was spooled to."""
    if not item.cancelled() and item.exception() is None:
        prepared = item.result()
        if isinstance(prepared, Extracted):
            prepared.close()


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
