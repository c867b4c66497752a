"""`pincite text`: the text of one file, through the sandbox, without a library."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption
from pincite.errors import NoTextError
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, PageFailure, PageText

if TYPE_CHECKING:
    from pincite.sandbox.source import Source

STANDARD_INPUT = "-"


def text(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A PDF file, or - for standard input.")],
    first: Annotated[int, typer.Option("--first", "-f", metavar="N", min=1, help="The first page to print.")] = 1,
    last: Annotated[int | None, typer.Option("--last", "-l", metavar="N", min=1, help="The last page to print.")] = None,
    json: JsonOption = False,
) -> None:
    """Print the text of a PDF file, without a library.

    A form feed stands between pages. The file is read in a confined process.

    \b
    Example:
      pincite text paper.pdf -f 3 -l 5
      curl -s https://example.org/paper.pdf | pincite text -
    """
    if last is not None and last < first:
        raise typer.BadParameter(f"the last page, {last}, comes before the first, {first}", param_hint="--last")
    limits = Limits() if last is None else replace(Limits(), max_pages=last)
    source: Source = sys.stdin.fileno() if file == STANDARD_INPUT else file
    with contextlib.closing(_read(source, limits)) as items:
        meta = next(items)
        assert isinstance(meta, DocumentMeta)  # the protocol's first line
        if first > meta.pages:
            raise typer.BadParameter(f"the document has {output.plural(meta.pages, 'page')}", param_hint="--first")
        pages = (item for item in items if not isinstance(item, DocumentMeta) and item.page >= first)
        found = _write_as_json(file, meta, pages) if json else _write_as_text(pages)
    if last is None and meta.pages > limits.max_pages:
        output.note(f"pages {limits.max_pages + 1} to {meta.pages} were left out: ask for them with --last")
    if not found:
        raise NoTextError(f"no text in {file}: it is probably scanned; ingest it to have its pages recognised")


def _read(source: Source, limits: Limits) -> Generator[DocumentMeta | PageText | PageFailure, None, None]:
    from pincite.sandbox.runner import Runner

    return Runner.from_limits(limits).stream(source)


def _write_as_text(pages: Iterator[PageText | PageFailure]) -> bool:
    """Write pages as they come; returns whether any had text."""
    terminal = output.is_terminal(sys.stdout)
    found = False
    for count, page in enumerate(pages):
        if count:
            output.write("\f")
        if isinstance(page, PageFailure):
            output.note(f"page {page.page} can't be read: {page.error}")
            continue
        found = found or bool(page.text.strip())
        shown = output.printable_text(page.text) if terminal else page.text
        output.write(shown if not shown or shown.endswith("\n") else shown + "\n")
    return found


def _write_as_json(file: str, meta: DocumentMeta, pages: Iterator[PageText | PageFailure]) -> bool:
    read = list(pages)
    output.write_json(
        {
            "file": file,
            "title": meta.title,
            "pages_total": meta.pages,
            "outline": [asdict(item) for item in meta.outline],
            "warnings": list(meta.warnings),
            "pages": [_page_as_json(page) for page in read],
        }
    )
    return any(isinstance(page, PageText) and page.text.strip() for page in read)


def _page_as_json(page: PageText | PageFailure) -> dict[str, Any]:
    if isinstance(page, PageFailure):
        return {"page": page.page, "error": page.error}
    return {
        "page": page.page,
        "label": page.label,
        "text": page.text,
        "quality": None if page.quality is None else asdict(page.quality),
        "warnings": list(page.warnings),
    }
