"""What keeps a library: `remove`, `prune`, `verify`, `stats`, `backup`, `reindex`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.errors import LibraryError

if TYPE_CHECKING:
    from pincite.ingest.keep import Verification

UNSOUND = 1


def remove(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Names from `pincite list`.")],
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Delete documents from the library; their files stay where they are.

    Older versions of a file, which citations of them still name, go with the newest.

    \b
    Example:
      pincite remove paper.pdf
    """
    with open_library(context, library) as opened:
        # All names first, so that a mistake in one removes nothing.
        documents = [opened.document(name) for name in names]
        removed = [gone for document in documents for gone in opened.remove(document.id)]
    if json:
        output.write_json({"removed": removed})
    else:
        output.write("".join(f"removed {output.printable(name)}\n" for name in removed))


def prune(
    context: typer.Context,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Delete the older versions of changed files as well; their citations end.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Only say what would be deleted.")] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Delete the documents whose files are gone.

    A document of which one file is left stays. Until it is pruned, a document without a file is searched and cited as before.

    \b
    Example:
      pincite prune --dry-run
      pincite prune
    """
    with open_library(context, library) as opened:
        pruned = opened.prune(superseded=superseded, dry_run=dry_run)
    if json:
        output.write_json({"dry_run": dry_run, "files": list(pruned.paths), "documents": list(pruned.documents)})
        return
    word = "would remove" if dry_run else "removed"
    output.write("".join(f"{word} {output.printable(name)}\n" for name in pruned.documents))
    documents = output.plural(len(pruned.documents), "document")
    output.write_line(f"{output.plural(len(pruned.paths), 'file')} gone, {documents} {'would be ' if dry_run else ''}removed")


def verify(
    context: typer.Context,
    repair: Annotated[bool, typer.Option("--repair", help="Make again what can be: chunks, and the full-text index.")] = False,
    no_files: Annotated[bool, typer.Option("--no-files", help="Do not read the files again.")] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Check the library for damage, and its files for changes.

    Looks at SQLite's structures, the full-text index, chunks against their pages, and files against their hashes. The exit
    code is 1 where the library is damaged. Files that have changed or gone are listed; they are no damage.

    \b
    Example:
      pincite verify
      pincite verify --repair
    """
    try:
        with open_library(context, library) as opened, _progress("checking") as progress:
            found = opened.verify(files=not no_files, repair=repair, progress=progress)
    except LibraryError as error:
        if error.slug == "corrupt":
            error.exit_code = UNSOUND  # damage so great that it can't be looked through is damage found, too
        raise
    if json:
        output.write_json(_verification_as_json(found))
    else:
        output.write(_verification_as_text(found))
    if not found.is_sound:
        raise typer.Exit(UNSOUND)


def _verification_as_text(found: Verification) -> str:
    lines = [f"damaged: {output.printable(flaw.message)} [{flaw.part}]" for flaw in found.flaws]
    lines += [f"{file.state}: {output.printable(file.path)} ({output.printable(file.document)})" for file in found.files]
    if found.repaired:
        lines.append("repaired" if found.is_sound else f"{output.plural(len(found.remaining), 'flaw')} left after the repair")
    elif found.flaws:
        left = {flaw.part for flaw in found.flaws if not flaw.can_be_made_again}
        advice = "restore a backup, or move it away and ingest again"
        if not left:
            advice = "pincite verify --repair makes it right"
        elif left == {"text"}:
            advice = "pincite ingest reads the files of the pages that are named anew"
        lines.append(f"the library is damaged: {advice}")
    else:
        lines.append("the library is sound")
    if found.files_checked:
        lines.append(f"{output.plural(found.files_checked, 'file')} read again, {len(found.files):,} gone or changed")
    if any(file.state == "changed" for file in found.files):
        lines.append("pincite ingest takes in what has changed")
    return "\n".join(lines) + "\n"


def _verification_as_json(found: Verification) -> dict[str, Any]:
    return {
        "sound": found.is_sound,
        "repaired": found.repaired,
        "flaws": [flaw._asdict() for flaw in found.flaws],
        "remaining": [flaw._asdict() for flaw in found.remaining],
        "files_checked": found.files_checked,
        "files": [file._asdict() for file in found.files],
    }


def stats(context: typer.Context, json: JsonOption = False, library: LibraryOption = None) -> None:
    """Say how much the library holds.

    \b
    Example:
      pincite stats
    """
    with open_library(context, library) as opened:
        figures = opened.stats()
    if json:
        output.write_json(figures)
        return
    rows = []
    for key, value in figures.items():
        label = key.replace("_", " ")
        if isinstance(value, dict):
            value = ", ".join(f"{count:,} {output.printable(str(kind))}" for kind, count in value.items()) or "-"
        elif key == "bytes":
            value = f"{value / 1e6:,.1f} MB"
        elif isinstance(value, int):
            value = f"{value:,}"
        rows.append(f"{label:<14} {output.printable(str(value))}\n")
    output.write("".join(rows))


def backup(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the copy.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Copy the library to a file, as it stands at this moment, also while an ingest is writing.

    The copy is a library: name it with --library.

    \b
    Example:
      pincite backup ~/backups/library.sqlite
    """
    with open_library(context, library) as opened:
        opened.backup(file, replace=force)
    size = file.stat().st_size
    if json:
        output.write_json({"file": str(file), "bytes": size})
    else:
        output.write_line(f"{output.printable(str(file))}: {size / 1e6:,.1f} MB")


def reindex(context: typer.Context, json: JsonOption = False, library: LibraryOption = None) -> None:
    """Build the full-text index again from the pages.

    Never needed in ordinary use: an update of pincite that needs it does it by itself.

    \b
    Example:
      pincite reindex
    """
    with open_library(context, library) as opened, _progress("indexing") as progress:
        opened.reindex(progress)
        figures = opened.stats()
    if json:
        output.write_json({"documents": figures["documents"], "chunks": figures["chunks"]})
    else:
        output.write_line(
            f"{output.plural(figures['chunks'], 'chunk')} of {output.plural(figures['documents'], 'document')} indexed"
        )


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal for things that are counted."""
    if not output.is_terminal(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
