"""Citations in the forms that other programs read."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any, NamedTuple
from urllib.parse import quote as percent_quote

from pincite.model.citation import Citation
from pincite.model.hit import Span
from pincite.model.titles import telling_title
from pincite.search.cite.anchor import Quotation
from pincite.search.cite.cells import TablesOf
from pincite.search.cite.resolve import require_exact, resolve
from pincite.search.index.store import Store

_LATEX = {character: f"\\{character}" for character in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")


class Passage(NamedTuple):
    """What a citation leads to, with what an export says of it. `path` is where the file was seen last."""

    citation: Citation
    document: str
    title: str
    page: int
    label: str | None
    span: Span
    quotation: Quotation
    path: str | None


def passage(store: Store, citation: Citation | str, find_tables: TablesOf | None = None) -> Passage:
    """Resolve a citation for an export, as `resolve` does. Raises `CitationError` where it does not lead to words."""
    found = require_exact(resolve(store, citation, find_tables))
    assert found.document is not None
    assert found.page is not None
    assert found.span is not None
    (document,) = store.documents_by_hash(found.document)
    page = store.page(found.document, found.page)
    assert page is not None
    locations = store.locations(found.document)
    present = [location for location in locations if location.missing_since is None] or locations
    span = None if found.citation.span is None else found.span
    cited = replace(found.citation, name=document.name, page=found.page, span=span)
    quotation = Quotation.of(page.text, found.span)
    if found.pieces and found.text is not None:
        quotation = replace(quotation, text=found.text)  # without the words that stand between
    return Passage(
        cited,
        found.document,
        telling_title(document.title) or PurePath(document.name).stem,
        found.page,
        found.label,
        found.span,
        quotation,
        present[0].path if present else None,
    )


def file_link(path: str, page: int) -> str:
    """A link that opens a file at a page, where the program that shows PDFs heeds `#page=` (RFC 8118)."""
    return f"file://{percent_quote(path.encode('utf-8', 'surrogateescape'))}#page={page}"


def as_w3c(passages: list[Passage]) -> Any:
    """W3C Web Annotations: the page as a fragment, the span on it as a position, the words as a quotation."""
    annotations = [_annotation(found) for found in passages]
    return annotations[0] if len(annotations) == 1 else annotations


def _annotation(found: Passage) -> dict[str, Any]:
    # A URI of the very bytes (RFC 6920), which holds wherever the file is.
    digest = base64.urlsafe_b64encode(bytes.fromhex(found.document)).decode().rstrip("=")
    start, end = found.span
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": f"urn:pincite:{percent_quote(str(found.citation))}",
        "type": "Annotation",
        "motivation": "highlighting",
        "target": {
            "source": {
                "id": f"ni:///sha-256;{digest}?ct=application/pdf",
                "type": "Text",
                "format": "application/pdf",
                **({} if found.path is None else {"via": file_link(found.path, found.page).partition("#")[0]}),
            },
            "selector": [
                {
                    "type": "FragmentSelector",
                    "conformsTo": "http://tools.ietf.org/rfc/rfc3778",
                    "value": f"page={found.page}",
                    "refinedBy": {"type": "TextPositionSelector", "start": start, "end": end},
                },
                {
                    "type": "TextQuoteSelector",
                    "exact": found.quotation.text,
                    "prefix": found.quotation.prefix,
                    "suffix": found.quotation.suffix,
                },
            ],
        },
    }


def as_csl(passages: list[Passage]) -> Any:
    """A citation with its items, as CSL's JSON has it. The locator is the printed page number; where the file has none, the
    note says which page of the file it is, and there is no locator, which would be read as a printed number."""
    return {
        "citationID": str(passages[0].citation),
        "citationItems": [_csl_item(found) for found in passages],
        "properties": {"noteIndex": 0},
    }


def _csl_item(found: Passage) -> dict[str, Any]:
    identifier = found.document[:12]
    note = str(found.citation) if found.label else f"page {found.page} of the file; {found.citation}"
    return {
        "id": identifier,
        "itemData": {"id": identifier, "type": "document", "title": found.title, "note": note},
        **({"locator": found.label, "label": "page"} if found.label else {}),
    }


def as_anthropic(passages: list[Passage]) -> Any:
    """`search_result` blocks of Anthropic's Messages API; `source` is the citation."""
    return [
        {
            "type": "search_result",
            "source": str(found.citation),
            "title": found.title,
            "content": [{"type": "text", "text": found.quotation.text}],
            "citations": {"enabled": True},
        }
        for found in passages
    ]


def as_bibtex(passages: list[Passage]) -> str:
    """One `@misc` entry a passage, with the words in its note."""
    return "\n\n".join(_entry(found, number) for number, found in enumerate(passages)) + "\n"


def _entry(found: Passage, number: int) -> str:
    key = re.sub(r"[^a-z0-9]+", "-", PurePath(found.citation.name).stem.lower()).strip("-") or found.document[:12]
    words = " ".join(found.quotation.text.split())
    page = f"p.~{_latex(found.label)}" if found.label else f"PDF p.~{found.page}"
    fields = {
        "title": _latex(found.title),
        "note": f"{page}: ``{_latex(words)}''",
        "pincite": _latex(str(found.citation)),
    }
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@misc{{{key}-p{found.page}{f'-{number + 1}' if number else ''},\n{lines}\n}}"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def as_markdown(passages: list[Passage]) -> str:
    """A quotation a passage, with a link to the page below."""
    return "\n".join(_block(found) for found in passages)


def _block(found: Passage) -> str:
    lines = [_MARKDOWN.sub(r"\\\1", line) for line in found.quotation.text.strip().splitlines()]
    words = "\n".join(f"> {line}".rstrip() for line in lines)
    page = f"p. {found.label}" if found.label else f"PDF p. {found.page}"
    name = _MARKDOWN.sub(r"\\\1", f"{found.title}, {page}")
    link = name if found.path is None else f"[{name}](<{file_link(found.path, found.page)}>)"
    # A citation may hold a backtick, which a longer fence keeps from ending the code.
    fence = "``" if "`" in str(found.citation) else "`"
    return f"{words}\n>\n> — {link}, {fence}{found.citation}{fence}\n"


def as_links(passages: list[Passage]) -> str:
    """One link a passage, `file:///…/paper.pdf#page=13`; where no file is known, the name and the page."""
    return "".join(
        f"{file_link(found.path, found.page) if found.path else percent_quote(found.citation.name) + f'#page={found.page}'}\n"
        for found in passages
    )


def as_json_text(build: Callable[[list[Passage]], Any]) -> Callable[[list[Passage]], str]:
    """A form whose writing is JSON, as text."""
    return lambda passages: json.dumps(build(passages), ensure_ascii=False, indent=2) + "\n"


FORMS: dict[str, Callable[[list[Passage]], str]] = {
    "markdown": as_markdown,
    "link": as_links,
    "w3c": as_json_text(as_w3c),
    "csl": as_json_text(as_csl),
    "bibtex": as_bibtex,
    "anthropic": as_json_text(as_anthropic),
}
"""How each form is written."""
