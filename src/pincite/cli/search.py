"""`pincite search`: passages with their citations."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library

if TYPE_CHECKING:
    from pincite.model.hit import Hit

NOTHING_FOUND = 1
LAST_PAGE = 2**31 - 1


def search(
    context: typer.Context,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help='Words, "phrases", -exclusions, OR, doc:NAME, page:10-20.')],
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="Hits at most.")] = 10,
    documents: Annotated[
        list[str] | None, typer.Option("--doc", metavar="GLOB", help="Only documents of such a name; may be repeated.")
    ] = None,
    pages: Annotated[
        list[str] | None, typer.Option("--page", metavar="N[-M]", help="Only these physical pages; may be repeated.")
    ] = None,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Find passages, each with its citation.

    `pincite show` takes a citation as it is printed. The exit code is 0 where there are hits, 1 where there are none, and 2
    after an error.

    \b
    Example:
      pincite search protein structure
      pincite search '"gradient descent" doc:paper* page:3-'
    """
    words = " ".join(query)
    for word in query:
        # A word may begin with one hyphen, so the framework lets options through that it does not know; one letter after
        # the hyphen is no word that anybody would leave out.
        if re.match(r"--|-[A-Za-z]\Z", word):
            raise typer.BadParameter(f"no such option: {word}", param_hint="QUERY")
    ranges = [_page_range(value) for value in pages or ()]
    with open_library(context, library) as opened:
        hits = opened.search(words, limit, documents=documents or (), pages=ranges)
    if json:
        output.write_json({"query": words, "hits": [_as_json(hit) for hit in hits]})
    else:
        style = output.has_style(sys.stdout)
        output.write("\n".join(_as_text(hit, style=style) for hit in hits))
    if not hits:
        output.note(f"nothing found for {words}: try fewer or other words")
        raise typer.Exit(NOTHING_FOUND)


def _page_range(value: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9})(-)?([0-9]{1,9})?", value)
    if found is None or (found[3] and not found[2]):
        raise typer.BadParameter(f"{value} is neither a page (7) nor a range of pages (7-12, 7-)", param_hint="--page")
    first = int(found[1])
    return first, int(found[3]) if found[3] else LAST_PAGE if found[2] else first


def _as_text(hit: Hit, *, style: bool) -> str:
    """The citation on a line of its own, so that it can be taken whole; then where that is, and the passage."""
    lines = [output.bold(output.printable(str(hit.citation)), style=style)]
    where = []
    if hit.chunk.section is not None:
        where.append(output.printable(hit.chunk.section))
    if hit.label is not None and hit.label != str(hit.chunk.page):
        where.append(f"printed page {output.printable(hit.label)}")
    if where:
        lines.append("  " + output.dim(" · ".join(where), style=style))
    snippet = hit.snippet
    before = "… " if snippet.start > 0 else ""
    after = " …" if snippet.start + len(snippet.text) < len(hit.chunk.text) else ""
    lines.append(f"  {before}{output.mark(snippet.text, snippet.matches, style=style)}{after}")
    return "\n".join(lines) + "\n"


def _as_json(hit: Hit) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "citation": str(hit.citation),
        "score": round(hit.score, 6),
        "name": hit.citation.name,
        "document": chunk.document,
        "page": chunk.page,
        "label": hit.label,
        "section": chunk.section,
        "span": [chunk.start, chunk.end],
        "matches": [list(span) for span in hit.matches],
        "text": chunk.text,
        "snippet": {"text": hit.snippet.text, "matches": [list(span) for span in hit.snippet.matches]},
    }
