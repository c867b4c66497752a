"""`pincite check` and `pincite cite`: from quotations to where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library, page_range
from pincite.cli.password import PasswordFileOption, with_password
from pincite.errors import CitationError

if TYPE_CHECKING:
    from pincite.model.check import Check

NOT_THE_WORDS = 1


def check(
    context: typer.Context,
    quotation: Annotated[str, typer.Argument(metavar="QUOTE", help="The words, as somebody quotes them.")],
    citation: Annotated[str, typer.Argument(metavar="CITATION", help="Where they are said to stand.")],
    json: JsonOption = False,
    library: LibraryOption = None,
    password_file: PasswordFileOption = None,
) -> None:
    """Grade a quotation: do these words stand where it says?

    exact: letter by letter. folded: the same words, set otherwise (white space, hyphens, ligatures, quotation marks). near:
    something very like it. wrong_page: on another page. absent: nowhere in the document. The exit code is 0 for the first
    two, where the words stand in the span, section or cell that is cited, and 1 otherwise. Dots in brackets, [...], stand
    for words left out.

    \b
    Example:
      pincite check 'the structure of proteins' paper.pdf:p13
    """
    with open_library(context, library) as opened:
        result = with_password(lambda password: opened.check(quotation, citation, password=password), citation, password_file)
    if json:
        output.write_json(_as_json(result))
    else:
        output.write(_as_text(result))
    if not result.is_faithful:
        raise typer.Exit(NOT_THE_WORDS)


def _as_text(result: Check) -> str:
    head: str = result.grade
    if result.differences:
        head += f" ({', '.join(result.differences)})"
    if result.likeness and result.likeness < 100:
        head += f" ({result.likeness:g} % alike)"
    lines = [head + (f": {output.printable(result.reason)}" if result.reason else "")]
    lines += [output.printable(str(place)) for place in result.places]
    if result.text is not None:
        lines.append("  " + output.printable(" ".join(result.text.split())))
    for edit in result.edits:
        lines.append(f"  stands there: {output.printable(edit.standing) or '-'}")
        lines.append(f"  is quoted as: {output.printable(edit.quoted) or '-'}")
    return "\n".join(lines) + "\n"


def _as_json(result: Check) -> dict[str, Any]:
    return {
        "citation": str(result.citation),
        "grade": result.grade,
        "places": [str(place) for place in result.places],
        "text": result.text,
        "likeness": result.likeness,
        "differences": list(result.differences),
        "edits": [{"standing": edit.standing, "quoted": edit.quoted} for edit in result.edits],
        "within_span": result.within,
        "reason": result.reason,
    }


def cite(
    context: typer.Context,
    quotation: Annotated[
        str | None, typer.Argument(metavar="QUOTE", help="The words; left out, the citation is that of --page of --doc.")
    ] = None,
    documents: Annotated[
        list[str] | None, typer.Option("--doc", metavar="GLOB", help="Only documents of such a name; may be repeated.")
    ] = None,
    pages: Annotated[
        list[str] | None, typer.Option("--page", metavar="N[-M]", help="Only these physical pages; may be repeated.")
    ] = None,
    section: Annotated[
        str | None, typer.Option("--section", metavar="TITLE", help="Without QUOTE: this section of the page.")
    ] = None,
    with_hash: Annotated[bool, typer.Option("--hash", help="Bind the citation to the very bytes of the file.")] = False,
    json: JsonOption = False,
    library: LibraryOption = None,
) -> None:
    """Make the citation of a quotation, or of a page.

    Where the words stand more than once, there is a line for each place, those that are the same letter by letter first. The
    exit code is 1 where they stand nowhere.

    \b
    Example:
      pincite cite 'the structure of proteins'
      pincite cite --doc paper.pdf --page 13
    """
    ranges = [page_range(value) for value in pages or ()]
    with open_library(context, library) as opened:
        if quotation is not None:
            if section is not None:
                raise typer.BadParameter("a quotation has its place already", param_hint="--section")
            try:
                found = opened.cite(quotation, documents=documents or (), pages=ranges, with_hash=with_hash)
            except CitationError as error:
                if error.slug == "absent":
                    error.exit_code = NOT_THE_WORDS
                raise
        else:
            if len(documents or ()) != 1 or len(ranges) != 1 or ranges[0][0] != ranges[0][1]:
                raise typer.BadParameter("without a quotation, name one document with --doc and one page with --page")
            found = [opened.cite_page((documents or [""])[0], ranges[0][0], section, with_hash=with_hash)]
    if json:
        output.write_json({"citations": [str(citation) for citation in found]})
    else:
        output.write("".join(f"{output.printable(str(citation))}\n" for citation in found))
