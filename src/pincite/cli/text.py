"""`pincite text`: the text of one file, through the sandbox, without a library."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.limits import with_limits
from pincite.cli.options import JsonOption
from pincite.cli.password import PasswordFileOption, with_password
from pincite.errors import NoTextError, UnreadableError
from pincite.model.limits import Limits
from pincite.model.page_ranges import page_list
from pincite.model.text import DocumentMeta, Order, PageFailure, PageText

if TYPE_CHECKING:
    from pincite.sandbox.source import Source

    Items = Generator[DocumentMeta | PageText | PageFailure, None, None]

STANDARD_INPUT = "-"
IN_PART = 3


@with_limits
def text(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A PDF file, or - for standard input.")],
    first: Annotated[int, typer.Option("--first", "-f", metavar="N", min=1, help="The first page to print.")] = 1,
    last: Annotated[int | None, typer.Option("--last", "-l", metavar="N", min=1, help="The last page to print.")] = None,
    order: Annotated[Order, typer.Option(help="As read, as the page draws it, or as its structure tree has it.")] = "reading",
    layout: Annotated[bool, typer.Option("--layout", help="Print pages as they look: columns beside each other.")] = False,
    json: JsonOption = False,
    password_file: PasswordFileOption = None,
    *,
    limits: Limits,
) -> None:
    """Print the text of a PDF file, without a library.

    A form feed stands between pages. The file is read in a confined process. The password of an encrypted file is asked for
    on a terminal.

    \b
    Example:
      pincite text paper.pdf -f 3 -l 5
      pincite text report.pdf --layout
      curl -s https://example.org/paper.pdf | pincite text -
    """
    if last is not None and last < first:
        raise typer.BadParameter(f"the last page, {last}, comes before the first, {first}", param_hint="--last")
    if last is not None:
        limits = replace(limits, max_pages=last if limits.max_pages == Limits().max_pages else min(last, limits.max_pages))
    if layout and order != "reading":
        raise typer.BadParameter("a page as it looks has no order; leave out one of the two", param_hint="--layout")
    meta, following = _open(file, limits, password_file, order, layout)
    with contextlib.closing(following) as items:
        if first > meta.pages:
            raise typer.BadParameter(f"the document has {output.plural(meta.pages, 'page')}", param_hint="--first")
        pages = (item for item in items if not isinstance(item, DocumentMeta) and item.page >= first)
        count = _Count()
        if json:
            _write_as_json(file, meta, count.over(pages))
        else:
            _write_as_text(count.over(pages), order)
    if last is None and meta.pages > limits.max_pages:
        output.note(f"pages {limits.max_pages + 1} to {meta.pages} were left out: ask for them with --last or --max-pages")
    if count.failed:
        output.note(f"the text of {file} is not whole: {page_list(count.failed)} can't be read")
        raise typer.Exit(IN_PART if len(count.failed) < count.pages else UnreadableError.exit_code)
    if not count.with_text:
        where = f"on {page_list(range(first, first + count.pages))} of" if first > 1 or count.pages < meta.pages else "in"
        output.note(
            f"no text {where} {file}: it is blank, or a picture of a page; pincite does not recognise the letters on pictures, "
            "so run a program for that over the file first"
        )
        raise typer.Exit(NoTextError.exit_code)


@dataclass(slots=True)
class _Count:
    """What became of the pages that went by."""

    pages: int = 0
    with_text: int = 0
    failed: list[int] = field(default_factory=list)

    def over(self, pages: Iterator[PageText | PageFailure]) -> Iterator[PageText | PageFailure]:
        for page in pages:
            self.pages += 1
            if isinstance(page, PageFailure):
                self.failed.append(page.page)
            elif page.text.strip():
                self.with_text += 1
            yield page


def _open(file: str, limits: Limits, password_file: Path | None, order: Order, layout: bool) -> tuple[DocumentMeta, Items]:
    """The document's own data, and the stream of its pages; asks for a password where one is needed and somebody is there."""
    from pincite.sandbox.runner import Runner

    source: Source = sys.stdin.fileno() if file == STANDARD_INPUT else file
    runner = Runner.from_limits(limits)

    def begin(password: str | None) -> tuple[DocumentMeta, Items]:
        items = runner.stream(source, password=password, order=order, layout=layout)
        meta = next(items)
        assert isinstance(meta, DocumentMeta)  # the protocol's first line
        return meta, items

    return with_password(begin, file, password_file)


def _write_as_text(pages: Iterator[PageText | PageFailure], order: Order) -> None:
    """Write pages as they come. What a page lacks of a structure is said."""
    terminal = output.is_terminal(sys.stdout)
    for count, page in enumerate(pages):
        if count:
            output.write("\f")
        if isinstance(page, PageFailure):
            output.note(f"page {page.page} can't be read: {page.error}")
            continue
        if order == "structure":
            for warning in page.warnings:
                if "structure tree" in warning:
                    output.note(f"page {page.page}: {warning}")
        shown = output.printable_text(page.text) if terminal else page.text
        output.write(shown if not shown or shown.endswith("\n") else shown + "\n")


def _write_as_json(file: str, meta: DocumentMeta, pages: Iterator[PageText | PageFailure]) -> None:
    read = list(pages)
    running: dict[int, list[tuple[int, int]]] = {}
    for page in read:
        for span in page.running if isinstance(page, PageText) else ():
            running.setdefault(span.page, []).append((span.start, span.end))
    output.write_json(
        {
            "file": file,
            "title": meta.title,
            "pages_total": meta.pages,
            "outline": [asdict(item) for item in meta.outline],
            "author": meta.data.author,
            "created": meta.data.created,
            "modified": meta.data.modified,
            "info": dict(meta.data.info),
            "xmp": dict(meta.data.xmp),
            "encryption": None if meta.encryption is None else asdict(meta.encryption),
            "confinement": list(meta.confinement),
            "warnings": list(meta.warnings),
            "pages": [_page_as_json(page, running.get(page.page, [])) for page in read],
        }
    )


def _page_as_json(page: PageText | PageFailure, running: list[tuple[int, int]]) -> dict[str, Any]:
    if isinstance(page, PageFailure):
        return {"page": page.page, "error": page.error}
    return {
        "page": page.page,
        "label": page.label,
        "text": page.text,
        "quality": None if page.quality is None else asdict(page.quality),
        "running": sorted(running),
        "warnings": list(page.warnings),
    }
