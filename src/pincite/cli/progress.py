"""How an ingest shows itself while it runs: a bar on a terminal, troubles as they come, or JSON Lines."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.cli import output
from pincite.ingest.report import Event, Finished, Outcome, Reading, Started

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

WIDEST_NAME = 20


@contextmanager
def shown(*, json: bool) -> Iterator[Callable[[Event], None]]:
    """What to call with each event: troubles go to standard error, above a bar there on a terminal, and with `json` every event
    that is not of a single page to standard output, a line each."""

    def tell(event: Event) -> None:
        if json and not isinstance(event, Reading):
            output.write_json_line(event_as_json(event))
        if isinstance(event, Finished):
            _tell(event.outcome)

    if not output.is_terminal(sys.stderr):
        yield tell
        return
    with _bar() as bar:
        line = _Line(bar)

        def show(event: Event) -> None:
            line.update(event)
            tell(event)

        yield show


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files  {task.fields[pages]:,} pages  {task.fields[speed]:.0f} pages/s"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[file]}", markup=False),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


class _Line:
    """The bar's one task. The file that is shown is the one that was begun first of those at work."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=None, pages=0, speed=0.0, file="")
        self._lock = threading.Lock()
        self._at_work: dict[str, tuple[int, int]] = {}
        self._pages = 0
        self._finished: set[str] = set()

    def update(self, event: Event) -> None:
        with self._lock:
            if isinstance(event, Started):
                self._bar.update(self._task, total=event.files)
            elif isinstance(event, Reading):
                if event.done:
                    self._pages += 1
                if event.path not in self._finished:
                    self._at_work[event.path] = event.done, event.total
                    if event.done == event.total > 0:
                        self._at_work.pop(event.path)
                        self._finished.add(event.path)
            else:
                self._at_work.pop(event.outcome.path, None)
                self._bar.update(self._task, completed=event.done, total=event.total)
            elapsed = self._bar.tasks[0].elapsed or 0
            self._bar.update(
                self._task, pages=self._pages, speed=self._pages / elapsed if elapsed else 0.0, file=self._file_at_work()
            )

    def _file_at_work(self) -> str:
        for path, (done, total) in self._at_work.items():
            name = output.printable(Path(path).name)
            name = name if len(name) <= WIDEST_NAME else name[: WIDEST_NAME - 1] + "…"
            return f"{name} {done:,}/{total:,}" if total > 1 else name
        return ""


def _tell(outcome: Outcome) -> None:
    if outcome.status == "failed":
        again = " (failed before; --retry-failed tries again)" if outcome.repeated else ""
        output.note(f"failed: {outcome.path}: {outcome.message} [{outcome.slug}]{again}")
    elif outcome.status == "partial":
        again = " (as before; --retry-failed tries again)" if outcome.repeated else ""
        output.note(f"only in part: {outcome.path}: {outcome.message} [{outcome.slug}]{again}")
    elif outcome.status == "unchanged" and outcome.instead_of is not None:
        # Nothing new came in, and yet citations may end.
        output.note(f"{outcome.path}: holds {outcome.name} now, which was in the library, instead of {outcome.instead_of}")


def event_as_json(event: Event) -> dict[str, Any]:
    """An event as it stands on its line."""
    if isinstance(event, Started):
        return {"event": "started", "files": event.files}
    if isinstance(event, Reading):
        return {"event": "reading", "path": event.path, "done": event.done, "total": event.total}
    outcome = event.outcome
    return {
        "event": "file",
        "done": event.done,
        "total": event.total,
        "path": outcome.path,
        "status": outcome.status,
        "name": outcome.name,
        "document": outcome.document,
        "pages": outcome.pages,
        "pages_read": outcome.pages_read,
        "instead_of": outcome.instead_of,
        "waiting_for_ocr": outcome.waiting_for_ocr,
        "warnings": list(outcome.warnings),
        "error": None
        if outcome.slug is None
        else {"slug": outcome.slug, "stage": outcome.stage, "message": outcome.message, "repeated": outcome.repeated},
    }
