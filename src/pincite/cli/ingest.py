"""`pincite ingest`: files and folders into the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.limits import with_limits
from pincite.cli.options import LibraryOption, open_library
from pincite.cli.password import PasswordFileOption, ask_password, read_password
from pincite.model.limits import Limits

if TYPE_CHECKING:
    from pincite.ingest.report import Report

QUARANTINED = 3
INTERRUPTED = 130
STANDARD_INPUT = "-"


@with_limits
def ingest(
    context: typer.Context,
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="PDF files, folders to look for *.pdf in, and - for a list of them.")
    ],
    include: Annotated[
        list[str] | None, typer.Option("--include", metavar="GLOB", help="In folders, take files of such a name or path instead.")
    ] = None,
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="GLOB", help="In folders, leave such files and folders out.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, max=256, help="Documents read at a time (default: one a processor).")
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Try files again that failed before and have not changed since.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write each event as a line of JSON, with a schema_version.")] = False,
    library: LibraryOption = None,
    password_file: PasswordFileOption = None,
    *,
    limits: Limits,
) -> None:
    """Take PDF files and folders into the library.

    What is there already is left alone, so running it again after an interruption goes on. A file that can't be read does not
    stop the others: it is listed with its reason, and the exit code is 3. With - for a path, paths are read from standard
    input, each ended by a line feed or a NUL. The password of encrypted files is asked for on a terminal, once for all.

    \b
    Example:
      pincite ingest ~/papers report.pdf
      pincite ingest ~/papers --exclude 'drafts' --exclude '*-old.pdf'
      find . -name '*.pdf' -mtime -7 -print0 | pincite ingest -
    """
    from pincite.cli.progress import shown

    named = [found for path in paths for found in (_listed() if path == STANDARD_INPUT else [path])]
    with open_library(context, library, limits) as opened:

        def take_in(paths: Sequence[str], password: str | None, *, retry_failed: bool) -> Report:
            with shown(json=json) as progress:
                return opened.ingest(
                    paths,
                    jobs=jobs,
                    retry_failed=retry_failed,
                    include=include or (),
                    exclude=exclude or (),
                    password=password,
                    progress=progress,
                    on_interrupt=_on_interrupt,
                )

        report = take_in(named, read_password(password_file), retry_failed=retry_failed)
        locked = [outcome.path for outcome in report.outcomes if outcome.slug == "encrypted" and not outcome.repeated]
        if locked and password_file is None and not json and not report.interrupted:
            answer = ask_password(output.plural(len(locked), "encrypted file"))
            if answer is not None:
                report.update(take_in(locked, answer, retry_failed=True))
    for folder in () if report.interrupted else _without_files(named, report):
        output.note(f"no {' or '.join(include or ['*.pdf'])} in {folder}")
    if json:
        output.write_json_line(_as_json(report))
    else:
        output.write_line(_summary(report))
    if report.interrupted:
        output.note("interrupted; what was taken in is safe, and the same command goes on from here")
        raise typer.Exit(INTERRUPTED)
    if report.quarantined:
        raise typer.Exit(QUARANTINED)


def _without_files(named: list[str], report: Report) -> list[str]:
    """The folders in which nothing was found that is meant."""
    folders = [path for path in named if os.path.isdir(path)]
    if not folders:
        return []
    # A folder may be named twice, by a link, and its files then come once.
    seen = {os.path.realpath(outcome.path) for outcome in report.outcomes} | {outcome.path for outcome in report.outcomes}
    full = {above for path in seen for above in (Path(path), *Path(path).parents)}
    return [path for path in folders if not full & {Path(os.path.abspath(path)), Path(os.path.realpath(path))}]


def _listed() -> list[str]:
    from pincite.ingest.walk import parse_path_list

    return parse_path_list(sys.stdin.buffer.read())


def _on_interrupt() -> None:
    output.note("interrupted: finishing the documents at work; Ctrl-C once more drops them")


def _summary(report: Report) -> str:
    counts = report.counts
    pages = sum(outcome.pages_read for outcome in report.outcomes)
    waiting = sum(outcome.waiting_for_ocr for outcome in report.outcomes)
    parts = [f"{counts['added']:,} added ({output.plural(pages, 'page')})", f"{counts['unchanged']:,} unchanged"]
    if counts["updated"]:
        parts.insert(1, f"{counts['updated']:,} updated")
    if counts["partial"]:
        parts.append(f"{counts['partial']:,} only in part")
    if counts["failed"]:
        parts.append(f"{counts['failed']:,} failed")
    text = f"{output.plural(len(report.outcomes), 'file')}: {', '.join(parts)}, in {report.duration_s:.1f} s"
    if waiting:
        text += f"\n{output.plural(waiting, 'page')} without text but with a picture: probably scanned, and not searchable"
    if report.missing:
        text += f"\n{output.plural(len(report.missing), 'file')} missing since: see pincite list --missing, pincite prune"
    return text


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "event": "ended",
        "counts": report.counts,
        "missing": report.missing,
        "interrupted": report.interrupted,
        "duration_s": round(report.duration_s, 3),
    }
