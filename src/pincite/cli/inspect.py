"""`pincite inspect`: everything that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.errors import CitationError
from pincite.model.citation import Citation

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.model.chunk import Chunk
    from pincite.search.index.rows import DocumentRow, Location, PageSummary

inspect = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@inspect.callback()
def _inspect() -> None:
    """Show everything that is known of a document, a page or a chunk.

    \b
    Example:
      pincite inspect doc paper.pdf
      pincite inspect page paper.pdf:p13
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


@inspect.command("page")
def inspect_page(
    context: typer.Context,
    citation: Annotated[str, typer.Argument(metavar="CITATION", help="Of a page, or of anything on it: paper.pdf:p13.")],
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Show a page's state, sections, warnings and chunks.

    \b
    Example:
      pincite inspect page paper.pdf:p13
    """
    with open_library(context, library) as opened:
        facts = _page_facts(opened, Citation.parse(citation))
    if json:
        output.write_json(facts)
    else:
        output.write(_facts_as_text(facts))


@inspect.command("chunk")
def inspect_chunk(
    context: typer.Context,
    citation: Annotated[str, typer.Argument(metavar="CITATION", help="As a search prints it; any span inside of the chunk.")],
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Show a chunk: its span, its section, its neighbours, and the terms that it is found by.

    \b
    Example:
      pincite inspect chunk 'paper.pdf:p13:span=0-1240'
    """
    with open_library(context, library) as opened:
        facts = _chunk_facts(opened, Citation.parse(citation))
    if json:
        output.write_json(facts)
    else:
        output.write(_facts_as_text(facts))


def _page_facts(library: Library, citation: Citation) -> dict[str, Any]:
    from pincite.search.chunk import sections_on

    document = library.document(citation.name)
    page = library.page(document, citation.page)
    if page is None:
        why = f"{document.name} has no page {citation.page} in the library: see `pincite inspect doc`"
        raise CitationError(why, slug="absent")
    summary = next(row for row in library.page_summaries(document) if row.page == citation.page)
    start = f"page {page.page}"
    warnings = [text for text in document.provenance.get("warnings", []) if text.startswith((f"{start}:", f"{start} "))]
    sections = page.sections if page.sections is not None else sections_on(library.outline(document), page.page)
    return {
        "citation": str(Citation(document.name, page.page)),
        "document": document.id,
        "page": page.page,
        "label": page.label,
        "state": page.state,
        "characters": len(page.text),
        "error": page.error,
        "recognition": summary.ocr,
        "quality": page.quality,
        "text_version": document.text_version,
        "older_texts": [old.text_version for old in library.old_pages(document, page.page)],
        "warnings": warnings,
        "sections": [{"start": section.start, "title": section.title, "level": section.level} for section in sections],
        "chunks": [
            {"citation": _cited(document, chunk), "section": chunk.section, "characters": len(chunk.text)}
            for chunk in library.chunks(document, page.page)
        ],
    }


def _chunk_facts(library: Library, citation: Citation) -> dict[str, Any]:
    from pincite.search.analysis import analyze
    from pincite.search.chunk import CHUNKER_VERSION

    document = library.document(citation.name)
    chunks = library.chunks(document, citation.page)
    wanted = citation.span or ((chunks[0].start, chunks[0].end) if len(chunks) == 1 else None)
    if wanted is None:
        raise CitationError(
            f"page {citation.page} of {document.name} has {len(chunks)} chunks: see `pincite inspect page`, and name a span",
            slug="ambiguous" if chunks else "absent",
        )
    at = next((at for at, chunk in enumerate(chunks) if chunk.start <= wanted[0] < chunk.end), None)
    if at is None:
        raise CitationError(f"no chunk of {document.name} holds {citation}: see `pincite inspect page`", slug="absent")
    chunk = chunks[at]
    return {
        "citation": _cited(document, chunk),
        "document": document.id,
        "page": chunk.page,
        "ordinal": chunk.ordinal,
        "span": [chunk.start, chunk.end],
        "section": chunk.section,
        "chunker": CHUNKER_VERSION,
        "previous": _cited(document, chunks[at - 1]) if at else None,
        "next": _cited(document, chunks[at + 1]) if at + 1 < len(chunks) else None,
        "terms": analyze(_counting(library, document, chunk.page)[chunk.start : chunk.end]),
        "text": chunk.text,
    }


def _counting(library: Library, document: DocumentRow, page: int) -> str:
    """A page's text without the running lines that count on a page before it, or nowhere."""
    from pincite.search.index.running import RunningText, running_spans

    running, text = RunningText(), ""
    for number in range(1, page + 1):
        row = library.page(document, number)
        text = "" if row is None else running.counting(row.text, running_spans(row.quality))
    return text


def _cited(document: DocumentRow, chunk: Chunk) -> str:
    return str(Citation(document.name, chunk.page, (chunk.start, chunk.end)))


def _facts_as_text(facts: dict[str, Any]) -> str:
    """One line a fact, or one for each of several."""
    lines = []
    for key, value in facts.items():
        label = key.replace("_", " ")
        if key == "terms":
            value = " ".join(value)
        if isinstance(value, dict):
            value = ", ".join(f"{name} {part:,}" if isinstance(part, int) else f"{name} {part}" for name, part in value.items())
        values = value if isinstance(value, list) and key != "span" else [value]
        for one in values:
            if isinstance(one, dict):
                one = "  ".join("-" if part is None else str(part) for part in one.values())
            shown = "-" if one is None else "-".join(map(str, one)) if isinstance(one, list) else str(one)
            if key == "text":
                shown = " ".join(shown.split())
            lines.append(f"{label:<12} {output.printable(shown)}\n")
    return "".join(lines)


def _as_text(document: DocumentRow, pages: list[PageSummary], locations: list[Location]) -> str:
    provenance = document.provenance
    reader = f"{provenance.get('extractor')} {provenance.get('version')}, {document.text_version}"
    facts = [
        ("name", document.name),
        ("title", document.title or "-"),
        ("pages", f"{document.pages:,}"),
        ("sha-256", document.id),
        *(("file" if location.missing_since is None else "missing", location.path) for location in locations),
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
        "locations": [
            {
                "path": location.path,
                "size": location.size,
                "mtime_ns": location.mtime_ns,
                "missing_since": location.missing_since,
            }
            for location in locations
        ],
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
