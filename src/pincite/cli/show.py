"""`pincite show`: from a citation to the very words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.cli.password import PasswordFileOption, with_password

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.model.hit import Quote


def show(
    context: typer.Context,
    citation: Annotated[str, typer.Argument(metavar="CITATION", help="As a search prints it; quote it for the shell.")],
    characters: Annotated[
        int, typer.Option("--context", "-C", metavar="N", min=0, help="Show N characters of the page before and after, too.")
    ] = 0,
    json: JsonOption = False,
    library: LibraryOption = None,
    password_file: PasswordFileOption = None,
) -> None:
    """Print the exact text of a citation.

    Where there is no such text any more, the reason is printed instead, and the exit code is 2. For a table the file is read
    again; the password of an encrypted one is asked for on a terminal.

    \b
    Example:
      pincite show 'paper.pdf:p13:span=0-1240'
      pincite show paper.pdf:p13
    """
    from pincite.search.cite.resolve import require_exact

    with open_library(context, library) as opened:
        quote = with_password(lambda password: opened.resolve(citation, password=password), citation, password_file)
        before, after = _context(opened, quote, characters)
    if json:
        output.write_json(_as_json(quote, before, after))
        if quote.text is None:
            raise typer.Exit(2)
        return
    require_exact(quote)
    if quote.reason is not None:
        output.note(quote.reason)
    _write_text(before, quote.text or "", after)


def _context(library: Library, quote: Quote, characters: int) -> tuple[str, str]:
    if not characters or quote.document is None or quote.page is None or quote.span is None:
        return "", ""
    page = library.page(quote.document, quote.page)
    if page is None:
        return "", ""
    start, end = quote.span
    return page.text[max(0, start - characters) : start], page.text[end : end + characters]


def _write_text(before: str, text: str, after: str) -> None:
    """To a pipe or a file go the very characters, to a terminal none that steer it."""
    if output.is_terminal(sys.stdout):
        style = output.has_style(sys.stdout)
        before, text, after = (output.printable_text(part) for part in (before, text, after))
        if before or after:
            text = output.bold(text, style=style)
    whole = before + text + after
    output.write(whole if whole.endswith("\n") else whole + "\n")


def _as_json(quote: Quote, before: str, after: str) -> dict[str, Any]:
    return {
        "citation": str(quote.citation),
        "verdict": quote.verdict,
        "document": quote.document,
        "page": quote.page,
        "label": quote.label,
        "span": None if quote.span is None else list(quote.span),
        "text": quote.text,
        "before": before,
        "after": after,
        "reason": quote.reason,
        "candidates": list(quote.candidates),
    }
