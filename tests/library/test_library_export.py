"""Citations in other programs' forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import CitationError
from pincite.library import Library
from pincite.search.cite.export import FORMS
from support.library import ScriptReader, write_script

TEXT = "Before it. The 50 % rule_of *thumb* {for} C&A\nis <here>. After it."
SPAN = (11, 56)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        pages = ["one", {"text": TEXT, "label": "ii"}]
        opened.ingest([write_script(tmp_path / "in" / "a b#1.pdf", pages, title="On $rules_")])
        yield opened


CITATION = f"a b#1.pdf:p2:span={SPAN[0]}-{SPAN[1]}"


def exported(library: Library, form: str, *citations: str) -> Any:
    return json.loads(library.export(citations or [CITATION], form))


def test_a_web_annotation_has_page_position_and_quotation(library: Library) -> None:
    annotation = exported(library, "w3c")
    assert annotation["@context"] == "http://www.w3.org/ns/anno.jsonld"
    fragment, quotation = annotation["target"]["selector"]
    assert fragment["value"] == "page=2"
    position = fragment["refinedBy"]
    assert TEXT[position["start"] : position["end"]] == quotation["exact"] == TEXT[slice(*SPAN)]
    assert quotation["prefix"] + quotation["exact"] + quotation["suffix"] == TEXT
    assert annotation["target"]["source"]["via"].endswith("/in/a%20b%231.pdf")
    assert len(exported(library, "w3c", CITATION, "a b#1.pdf:p1")) == 2


def test_csl_has_the_printed_page_as_its_locator(library: Library) -> None:
    cluster = exported(library, "csl", CITATION)
    assert [(item["locator"], item["label"]) for item in cluster["citationItems"]] == [("ii", "page")]
    assert cluster["citationItems"][0]["itemData"]["title"] == "On $rules_"


def test_a_page_without_a_printed_number_is_one_of_the_file(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "plain.pdf", ["first page", "words on the second"])])
    cited = "plain.pdf:p2:span=0-5"
    (item,) = exported(library, "csl", cited)["citationItems"]
    assert "locator" not in item
    assert "label" not in item
    assert item["itemData"]["note"] == f"page 2 of the file; {cited}"
    assert "note = {PDF p.~2: ``words''}" in library.export([cited], "bibtex")
    assert ", PDF p. 2](" in library.export([cited], "markdown")


def test_search_results_for_a_language_model(library: Library) -> None:
    (block,) = exported(library, "anthropic")
    assert block == {
        "type": "search_result",
        "source": CITATION,
        "title": "On $rules_",
        "content": [{"type": "text", "text": TEXT[slice(*SPAN)]}],
        "citations": {"enabled": True},
    }


def test_bibtex_is_escaped(library: Library) -> None:
    text = library.export([CITATION], "bibtex")
    assert text.startswith("@misc{a-b-1-p2,\n  title = {On \\$rules\\_},\n")
    assert "note = {p.~ii: ``The 50 \\% rule\\_of *thumb* \\{for\\} C\\&A is <here>.''}" in text
    assert text.count("{") == text.count("}")


def test_markdown_is_escaped_and_links_to_the_page(library: Library, tmp_path: Path) -> None:
    text = library.export([CITATION], "markdown")
    assert text.splitlines()[:2] == ["> The 50 % rule\\_of \\*thumb\\* \\{for\\} C&A", "> is \\<here\\>."]
    assert f"[On $rules\\_, p. ii](<file://{tmp_path}/in/a%20b%231.pdf#page=2>), `{CITATION}`" in text


def test_a_link_opens_the_page(library: Library, tmp_path: Path) -> None:
    assert library.export([CITATION], "link") == f"file://{tmp_path}/in/a%20b%231.pdf#page=2\n"
    (tmp_path / "in" / "a b#1.pdf").unlink()
    library.ingest([tmp_path / "in"])
    assert library.link(library.document("a b#1.pdf").id, 2) is None
    assert library.export([CITATION], "link").endswith("#page=2\n")


def test_what_leads_nowhere_is_not_exported(library: Library) -> None:
    for form in FORMS:
        with pytest.raises(CitationError):
            library.export(["a b#1.pdf:p9"], form)
    with pytest.raises(ValueError, match="choose one of"):
        library.export([CITATION], "word")
