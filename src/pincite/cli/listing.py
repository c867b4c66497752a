"""`pincite list`: what is in the library, and what did not get in."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library

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
            if missing:
                documents = [document for document in documents if document.name in gone]
    if failed:
        if json:
            output.write_json({"failures": [asdict(failure) for failure in failures]})
        else:
            output.write("".join(_failure_line(failure) for failure in failures))
    elif json:
        rows = [
            _as_json(document, states.get(document.id, {}), is_missing=document.name in gone)
            for document in documents
        ]
        output.write_json({"documents": rows})
    else:
        width = min(WIDEST_NAME, max((len(output.printable(document.name)) for document in documents), default=0))
        output.write(
            "".join(
                _line(document, states.get(document.id, {}), width, is_missing=document.name in gone) for document in documents
            )
        )


def _line(document: DocumentRow, states: dict[str, int], width: int, *, is_missing: bool) -> str:
    remarks = [f"{count:,} {state}" for state, count in sorted(states.items()) if state != "text"]
    if document.superseded_by is not None:
        remarks.append(f"replaced by {output.printable(document.superseded_by)}")
    if is_missing:
        remarks.append("missing")
    title = output.printable(document.title or "")
    line = f"{output.printable(document.name):<{width}}  {output.plural(document.pages, 'page'):>12}  {title}"
    return line.rstrip() + (f"  [{', '.join(remarks)}]" if remarks else "") + "\n"


def _failure_line(failure: FailureRow) -> str:
    part = "only in part: " if failure.partial else ""
    page = f", after page {failure.last_page}" if failure.last_page is not None else ""
    return output.printable(f"{failure.path}: {part}{failure.message} [{failure.slug}{page}, {failure.failed_at}]") + "\n"


def _as_json(document: DocumentRow, states: dict[str, int], *, is_missing: bool) -> dict[str, Any]:
    return {
        "name": document.name,
        "document": document.id,
        "title": document.title,
        "pages_total": document.pages,
        "states": states,
        "superseded_by": document.superseded_by,
        "missing": is_missing,
    }
