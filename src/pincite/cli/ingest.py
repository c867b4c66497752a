"""`pincite ingest`: files and folders into the library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library

if TYPE_CHECKING:
    from pincite.ingest.pipeline import Progress
    from pincite.ingest.report import Outcome, Report

QUARANTINED = 3
INTERRUPTED = 130
MAX_PROBLEMS_SHOWN = 3
WIDEST_NAME = 20


def ingest(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="PDF files, and folders to look for *.pdf in.")],
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, max=256, help="Documents read at a time (default: one a processor).")
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try files again that failed before and have not changed since.")
    ] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Take PDF files and folders into the library.

    What is there already is left alone, so running it again after an interruption goes on. A file that can't be read does not
    stop the others: it is listed with its reason, and the exit code is 3.

    \b
    Example:
      pincite ingest ~/papers report.pdf
    """
    with open_library(context, library) as opened, _progress() as progress:
        report = opened.ingest(paths, jobs=jobs, retry_failed=retry_failed, progress=progress, on_interrupt=_on_interrupt)
    if json:
        output.write_json(_as_json(report))
    else:
        output.write_line(_summary(report))
    if report.interrupted:
        output.note("interrupted; what was taken in is safe, and the same command goes on from here")
        raise typer.Exit(INTERRUPTED)
    if report.quarantined:
        raise typer.Exit(QUARANTINED)


def _on_interrupt() -> None:
    output.note("interrupted: finishing the documents at work; Ctrl-C once more drops them")


@contextmanager
def _progress() -> Iterator[Progress]:
    """Troubles as they come on standard error, and a bar below them on a terminal."""
    if not output.is_terminal(sys.stderr):
        yield lambda outcome, done, total: _tell(outcome)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files  {task.fields[pages]:,} pages  {task.fields[speed]:.0f} pages/s"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[file]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=None, pages=0, speed=0.0, file="")
        pages = 0

        def advance(outcome: Outcome, done: int, total: int) -> None:
            nonlocal pages
            if outcome.status in ("added", "partial"):
                pages += outcome.pages or 0
            elapsed = bar.tasks[0].elapsed or 0
            file = output.printable(Path(outcome.path).name)[:WIDEST_NAME]
            bar.update(task, completed=done, total=total, pages=pages, speed=pages / elapsed if elapsed else 0.0, file=file)
            _tell(outcome)

        yield advance


def _tell(outcome: Outcome) -> None:
    if outcome.status == "failed":
        again = " (failed before; --retry-failed tries again)" if outcome.repeated else ""
        output.note(f"failed: {outcome.path}: {outcome.message} [{outcome.slug}]{again}")
    elif outcome.status == "partial":
        again = " (as before; --retry-failed tries again)" if outcome.repeated else ""
        output.note(f"only in part: {outcome.path}: {outcome.message} [{outcome.slug}]{again}")
    elif outcome.problems:
        shown = "; ".join(outcome.problems[:MAX_PROBLEMS_SHOWN])
        more = len(outcome.problems) - MAX_PROBLEMS_SHOWN
        output.note(f"warning: {outcome.path}: {shown}" + (f"; and {more} more: see pincite inspect doc" if more > 0 else ""))


def _summary(report: Report) -> str:
    counts = report.counts
    pages = sum(outcome.pages or 0 for outcome in report.outcomes if outcome.status in ("added", "partial"))
    waiting = sum(outcome.waiting_for_ocr for outcome in report.outcomes)
    parts = [f"{counts['added']:,} added ({output.plural(pages, 'page')})", f"{counts['unchanged']:,} unchanged"]
    if counts["partial"]:
        parts.append(f"{counts['partial']:,} only in part")
    if counts["failed"]:
        parts.append(f"{counts['failed']:,} failed")
    text = f"{output.plural(len(report.outcomes), 'file')}: {', '.join(parts)}, in {report.duration_s:.1f} s"
    if waiting:
        text += f"\n{output.plural(waiting, 'page')} without text: scanned, to be recognised"
    return text


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "counts": report.counts,
        "interrupted": report.interrupted,
        "duration_s": round(report.duration_s, 3),
        "files": [_outcome_as_json(outcome) for outcome in report.outcomes],
    }


def _outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "path": outcome.path,
        "status": outcome.status,
        "name": outcome.name,
        "document": outcome.document,
        "pages": outcome.pages,
        "waiting_for_ocr": outcome.waiting_for_ocr,
        "warnings": list(outcome.warnings),
        "error": None
        if outcome.slug is None
        else {"slug": outcome.slug, "stage": outcome.stage, "message": outcome.message, "repeated": outcome.repeated},
    }
