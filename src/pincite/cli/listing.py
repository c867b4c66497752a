"""`pincite list`: what is in the library, and what did not get in."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.model.titles import telling_title

if TYPE_CHECKING:
    from pincite.search.index.rows import DocumentRow, FailureRow

WIDEST_NAME = 50


def list_documents(
    context: typer.Context,
    failed: Annotated[bool, typer.Option("--failed", help="List the files that were not, or not wholly, taken in.")] = False,
    missing: Annotated[bool, typer.Option("--missing", help="List only the documents whose files are gone.")] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """List the documents, or the files that failed.

    \b
    Example:
      pincite list
      pincite list --failed
      pincite list --missing
    """
    with open_library(context, library) as opened:
        if failed:
            failures = opened.failures()
        else:
            documents, states, gone = opened.documents(), opened.page_states(), opened.missing()
            files = opened.file_counts()
            if missing:
                documents = [document for document in documents if document.name in gone]
    if failed:
        if json:
            output.write_json({"failures": [asdict(failure) for failure in failures]})
        else:
            output.write("".join(_failure_line(failure) for failure in failures))
        return
    rows = [_as_json(row, states.get(row.id, {}), files.get(row.id, 0), is_missing=row.name in gone) for row in documents]
    if json:
        output.write_json({"documents": rows})
    else:
        width = min(WIDEST_NAME, max((output.columns(output.printable(row["name"])) for row in rows), default=0))
        widest = max((len(_pages(row)) for row in rows), default=0)
        output.write("".join(_line(row, width, max(12, widest)) for row in rows))


def _pages(row: dict[str, Any]) -> str:
    """How many pages a document has, and how many of them were read where these are not all."""
    total, read = row["pages_total"], sum(count for state, count in row["states"].items() if state != "failed")
    return f"{read:,} of {output.plural(total, 'page')}" if read < total else output.plural(total, "page")


def _line(row: dict[str, Any], width: int, pages_width: int) -> str:
    remarks = [f"{count:,} {state}" for state, count in sorted(row["states"].items()) if state != "text"]
    if row["superseded_by"] is not None:
        remarks.append(f"replaced by {output.printable(row['superseded_by'])}")
    if row["files"] > 1:
        remarks.append(f"in {row['files']:,} files")
    if row["missing"]:
        remarks.append("missing")
    name = output.printable(row["name"])
    padding = " " * (width - output.columns(name))
    title = output.printable(telling_title(row["title"]) or "")
    line = f"{name}{padding}  {_pages(row):>{pages_width}}  {title}"
    return line.rstrip() + (f"  [{', '.join(remarks)}]" if remarks else "") + "\n"


def _failure_line(failure: FailureRow) -> str:
    part = "only in part: " if failure.partial else ""
    page = f", after page {failure.last_page}" if failure.last_page is not None else ""
    return output.printable(f"{failure.path}: {part}{failure.message} [{failure.slug}{page}, {failure.failed_at}]") + "\n"


def _as_json(document: DocumentRow, states: dict[str, int], files: int, *, is_missing: bool) -> dict[str, Any]:
    return {
        "name": document.name,
        "document": document.id,
        "title": document.title,
        "pages_total": document.pages,
        "states": states,
        "superseded_by": document.superseded_by,
        "files": files,
        "missing": is_missing,
    }
