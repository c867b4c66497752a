"""`pincite search`: passages with their citations."""

from __future__ import annotations

import re
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library, page_range

if TYPE_CHECKING:
    from pincite.model.hit import Hit, Snippet

NOTHING_FOUND = 1


class Sort(StrEnum):
    """The orders, as they are typed."""

    score = "score"
    document = "document"


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
    sections: Annotated[
        list[str] | None, typer.Option("--section", metavar="TITLE", help="Only sections of such a title; may be repeated.")
    ] = None,
    characters: Annotated[
        int | None, typer.Option("--context", "-C", metavar="N", min=0, help="Show N characters before and after the matches.")
    ] = None,
    group: Annotated[bool, typer.Option("--group", help="One hit a document, its best; --limit counts documents.")] = False,
    regex: Annotated[
        bool, typer.Option("--regex", "-E", help="QUERY is a regular expression; every page is read, by name and page.")
    ] = False,
    sort: Annotated[
        Sort, typer.Option("--sort", metavar="ORDER", help="score, the best first, or document: by name and page.")
    ] = Sort.score,
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
      pincite search enzyme --section methods --group
      pincite search --regex 'p ?[<=] ?0[.][0-9]+'
    """
    words = " ".join(query)
    for word in query:
        # A word may begin with one hyphen, so the framework lets options through that it does not know; one letter after
        # the hyphen is no word that anybody would leave out.
        if not regex and re.match(r"--|-[A-Za-z]\Z", word):
            raise typer.BadParameter(f"no such option: {word}", param_hint="QUERY")
    ranges = [page_range(value) for value in pages or ()]
    with open_library(context, library) as opened:
        hits = opened.search(
            words,
            limit,
            documents=documents or (),
            pages=ranges,
            sections=sections or (),
            order="document" if sort is Sort.document else "score",
            group=group,
            context=characters,
            regex=regex,
        )
        linked = not json and output.has_links(sys.stdout)
        incomplete = [] if hits else opened.incomplete()
        links = [opened.link(hit.chunk.document, hit.chunk.page) if linked else None for hit in hits]
    if json:
        output.write_json({"query": words, "hits": [_as_json(hit) for hit in hits]})
    else:
        style = output.has_style(sys.stdout)
        output.write("\n".join(_as_text(hit, link, style=style) for hit, link in zip(hits, links, strict=True)))
    if not hits:
        filters = [("--doc", documents), ("--page", pages), ("--section", sections)]
        narrowed = ", ".join(f"{option} {value}" for option, values in filters for value in values or ())
        within, without = (f" with {narrowed}", ", or a search without that") if narrowed else ("", "")
        output.note(
            f"nothing found for {words}{within}: no passage has all of it; try fewer or other words, or OR between them{without}"
        )
        if incomplete:
            unread = output.plural(len(incomplete), "document")
            output.note(f"some pages of {unread} could not be read: see pincite list, and pincite list --failed")
        raise typer.Exit(NOTHING_FOUND)


def _as_text(hit: Hit, link: str | None, *, style: bool) -> str:
    """The citation on a line of its own, so that it can be taken whole; then where that is, and the passage."""
    lines = [output.linked(output.bold(output.printable(str(hit.citation)), style=style), link)]
    where = []
    if hit.section is not None:
        where.append(output.printable(hit.section))
    if hit.label is not None and hit.label != str(hit.chunk.page):
        where.append(f"printed page {output.printable(hit.label)}")
    if hit.continues is not None:
        where.append(f"goes on in {output.printable(str(hit.continues))}")
    if hit.more:
        where.append(f"{hit.more:,} more in this document")
    if where:
        lines.append("  " + output.dim(" · ".join(where), style=style))
    shown = hit.passage or hit.snippet
    # A passage may go past its chunk, so only a snippet says where that begins and ends.
    whole = hit.passage is None
    before = "… " if shown.start > 0 else ""
    after = " …" if not whole or shown.start + len(shown.text) < len(hit.chunk.text) else ""
    lines.append(f"  {before}{output.mark(shown.text, shown.matches, style=style)}{after}")
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
        "section": hit.section,
        "span": [chunk.start, chunk.end],
        "matches": [list(span) for span in hit.matches],
        "text": chunk.text,
        "snippet": _snippet_as_json(hit.snippet),
        "passage": None if hit.passage is None else _snippet_as_json(hit.passage),
        "more": hit.more,
        "continues": None if hit.continues is None else str(hit.continues),
    }


def _snippet_as_json(snippet: Snippet) -> dict[str, Any]:
    return {"text": snippet.text, "start": snippet.start, "matches": [list(span) for span in snippet.matches]}
