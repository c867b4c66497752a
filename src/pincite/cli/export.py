"""`pincite export`: citations in the forms that other programs read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pincite.cli import output
from pincite.cli.options import JsonOption, LibraryOption, open_library
from pincite.cli.password import PasswordFileOption, with_password


class Form(StrEnum):
    """The forms, as they are typed."""

    markdown = "markdown"
    link = "link"
    w3c = "w3c"
    csl = "csl"
    bibtex = "bibtex"
    anthropic = "anthropic"


def export(
    context: typer.Context,
    citations: Annotated[list[str], typer.Argument(metavar="CITATION", help="As a search prints them.")],
    form: Annotated[
        Form, typer.Option("--format", "-f", metavar="FORM", help="markdown, link, w3c, csl, bibtex or anthropic.")
    ] = Form.markdown,
    json: JsonOption = False,
    library: LibraryOption = None,
    password_file: PasswordFileOption = None,
) -> None:
    """Write citations with their words for other programs.

    markdown: a quotation with a link. link: file:///…/paper.pdf#page=13. w3c: Web Annotations with page, position and quotation.
    csl: a citation in CSL's JSON with its locator. bibtex: an entry with the words in its note. anthropic: search_result
    blocks for Anthropic's Messages API. The last but bibtex, markdown and link are JSON.

    \b
    Example:
      pincite export --format w3c 'paper.pdf:p13:span=0-1240'
    """
    with open_library(context, library) as opened:
        text = with_password(
            lambda password: opened.export(citations, form.value, password=password), ", ".join(citations), password_file
        )
    if json:
        output.write_json({"format": form.value, "citations": citations, "text": text})
    else:
        output.write(text)
