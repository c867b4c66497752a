"""`pincite inspect`: everything that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library

if TYPE_CHECKING:
    from pincite.search.index.rows import DocumentRow, Location, PageSummary

inspect = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@inspect.callback()
def _inspect() -> None:
    """Show everything that is known of a document.

    \b
    Example:
      pincite inspect doc paper.pdf
    """


@inspect.command("doc")
def inspect_document(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name from `pincite list`, or the beginning of a SHA-256.")],
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Show a document's origin, warnings and pages.

    \b
    Example:
      pincite inspect doc paper.pdf
    """
    with open_library(context, library) as opened:
        document = opened.document(name)
        pages = opened.page_summaries(document)
        locations = opened.locations(document)
    if json:
        output.write_json(_as_json(document, pages, locations))
    else:
        output.write(_as_text(document, pages, locations))


def _as_text(document: DocumentRow, pages: list[PageSummary], locations: list[Location]) -> str:
    provenance = document.provenance
    reader = f"{provenance.get('extractor')} {provenance.get('version')}, {document.text_version}"
    facts = [
        ("name", document.name),
        ("title", document.title or "-"),
        ("pages", f"{document.pages:,}"),
        ("sha-256", document.id),
        *(("file", location.path) for location in locations),
        ("read by", f"{reader}, {provenance.get('extracted_at')}, in {provenance.get('duration_s')} s"),
        ("confined", ", ".join(provenance.get("confinement", [])) or "-"),
    ]
    if document.superseded_by is not None:
        facts.append(("replaced", f"the file has changed since; it is {document.superseded_by} now"))
    facts += [("warning", warning) for warning in provenance.get("warnings", [])]
    lines = [f"{key:<9} {output.printable(str(value))}" for key, value in facts]
    lines += ["", f"{'page':>6}  {'printed':<8} {'state':<8} {'characters':>10} {'chunks':>6}"]
    lines += [_page_line(page) for page in pages]
    if document.pages > len(pages):
        lines.append(f"pages {len(pages) + 1:,} to {document.pages:,} were not extracted")
    return "\n".join(lines) + "\n"


def _page_line(page: PageSummary) -> str:
    label = output.printable(page.label or "")[:8]
    line = f"{page.page:>6}  {label:<8} {page.state:<8} {page.characters:>10,} {page.chunks:>6}"
    if page.error is not None:
        line += f"  {output.printable(page.error)}"
    if page.ocr is not None:
        line += f"  recognition: {page.ocr}"
    return line.rstrip()


def _as_json(document: DocumentRow, pages: list[PageSummary], locations: list[Location]) -> dict[str, Any]:
    return {
        "name": document.name,
        "document": document.id,
        "title": document.title,
        "pages_total": document.pages,
        "text_version": document.text_version,
        "superseded_by": document.superseded_by,
        "provenance": document.provenance,
        "locations": [{"path": location.path, "size": location.size, "mtime_ns": location.mtime_ns} for location in locations],
        "pages": [
            {
                "page": page.page,
                "label": page.label,
                "state": page.state,
                "characters": page.characters,
                "chunks": page.chunks,
                "error": page.error,
                "ocr": page.ocr,
            }
            for page in pages
        ],
    }
