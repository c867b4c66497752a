"""Running heads, feet and page numbers in a library: told, left in the text, and left out of ranking and of page turns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.library import Library
from support.cli import Cli
from support.layouts import Line, column, draw, prose
from support.library import ScriptReader, write_script
from support.sheet import Sheet

HEAD = "Annals of the Western Light"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        yield opened


def pages_with(*bodies: str, head: str = HEAD, foot: str = "keepers quarterly, issue {}") -> list[dict[str, Any]]:
    """Pages with a head and a foot, which are seen to run from the second page on."""
    pages: list[dict[str, Any]] = []
    for number, body in enumerate(bodies, 1):
        below = foot.format(number)
        text = f"{head}\n{body}\n{below}"
        spans = [(number, 0, len(head)), (number, len(text) - len(below), len(text))]
        if number == 2:
            before = len(str(pages[0]["text"]))
            spans += [(1, 0, len(head)), (1, before - len(foot.format(1)), before)]
        pages.append({"text": text, "running": spans if number > 1 else []})
    return pages


def places(library: Library, query: str) -> list[int]:
    return [hit.citation.page for hit in library.search(query)]


def test_a_head_counts_where_it_stands_first(library: Library, tmp_path: Path) -> None:
    bodies = ["words of the first page", "the annals were kept in a chest", "more words", "and more"]
    library.ingest([write_script(tmp_path / "a.pdf", pages_with(*bodies))])
    assert sorted(places(library, "annals")) == [1, 2]
    assert places(library, "western") == [1]
    assert places(library, "quarterly") == [1]
    assert sorted(places(library, "words")) == [1, 3]


def test_matches_are_shown_in_the_text_and_not_in_its_head(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", pages_with("one", "the annals were kept in a chest", "three"))])
    first, second = sorted(library.search("annals"), key=lambda hit: hit.citation.page)
    assert second.matches == ((len(HEAD) + 5, len(HEAD) + 11),)
    assert first.matches == ((0, 6),)


def test_the_text_and_its_citations_keep_it(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", pages_with("one", "two", "three"))])
    assert library.resolve("a.pdf:p2:span=0-6").text == "Annals"
    assert library.check(HEAD, "a.pdf:p3").grade == "exact"
    page = library.page(library.document("a.pdf"), 2)
    assert page is not None
    assert page.quality is not None
    assert page.quality["running"] == [[0, len(HEAD)], [len(page.text) - 26, len(page.text)]]


@pytest.mark.parametrize("foot", ["keepers quarterly, issue {}", "{}", "© the keepers of the western light and their heirs " * 3])
def test_a_sentence_goes_on_over_the_page_turn(library: Library, tmp_path: Path, foot: str) -> None:
    body = "Some more of the text. " * 10
    bodies = [f"{body}a sentence that goes", f"over the turn of it. {body}", body]
    library.ingest([write_script(tmp_path / "a.pdf", pages_with(*bodies, foot=foot))])
    first, second = library.search('"that goes over the turn"')
    assert (first.citation.page, second.citation.page) == (1, 2)
    for hit, words in ((first, "that goes"), (second, "over the turn")):
        ((start, end),) = hit.matches
        assert hit.chunk.text[start - hit.chunk.start : end - hit.chunk.start] == words
    library.reindex()
    assert len(library.search('"that goes over the turn"')) == 2


def test_an_index_that_is_built_again_is_the_same(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", pages_with("one", "the annals of two", "three", "four"))])
    before = {word: places(library, word) for word in ("annals", "western", "issue", "three", '"the western"')}
    library.reindex()
    assert {word: places(library, word) for word in before} == before


def test_a_page_that_fails_between_keeps_its_place(library: Library, tmp_path: Path) -> None:
    pages = pages_with("one", "two", "three", "four", "five", "six", "seven")
    pages[3] = {"error": "broken"}
    library.ingest([write_script(tmp_path / "a.pdf", pages)])
    states = [page.state for page in library.page_summaries(library.document("a.pdf"))]
    assert states == ["text", "text", "text", "failed", "text", "text", "text"]
    assert [places(library, word) for word in ("one", "three", "five", "seven")] == [[1], [3], [5], [7]]


def test_inspecting_a_chunk_shows_what_it_is_found_by(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", pages_with("one", "two", "three"))])
    library.close()
    monkeypatch.setenv("PINCITE_LIBRARY", str(tmp_path / "library.sqlite"))
    cli = Cli(capsys)
    assert cli.json("inspect", "chunk", "a.pdf:p3")["terms"] == ["three"]
    assert cli.json("inspect", "chunk", "a.pdf:p1")["terms"][:4] == ["annals", "of", "the", "western"]
    assert cli.json("inspect", "page", "a.pdf:p3")["quality"]["running"][0] == [0, len(HEAD)]


def test_real_pages(tmp_path: Path) -> None:
    sheet = Sheet()
    for number in range(3):
        body = column(72, 700, [*prose(30, 60, start=20 * number), f"page with word{number}"])
        sheet.add(draw([Line(72, 760, HEAD), *body, Line(300, 30, str(number + 17))]))
    path = tmp_path / "real.pdf"
    path.write_bytes(sheet.writer.write())
    with Library(tmp_path / "library.sqlite") as library:
        library.ingest([path])
        assert places(library, "annals") == [1]
        assert places(library, "18") == []
        assert places(library, "word1") == [2]
        page = library.page(library.document("real.pdf"), 3)
        assert page is not None
        assert [page.text[start:end] for start, end in (page.quality or {})["running"]] == [HEAD, "19"]


def test_a_quotation_over_a_page_turn_is_faithful(library: Library, tmp_path: Path) -> None:
    pages = pages_with("the keeper wrote that the lamp", "had burned all night", "and so on")
    library.ingest([write_script(tmp_path / "a.pdf", pages)])
    check = library.check("wrote that the lamp had burned all night", "a.pdf:p1")
    assert check.grade in ("exact", "folded")
    assert [citation.page for citation in check.places] == [1, 2]
    assert [library.resolve(citation).text for citation in check.places] == ["wrote that the lamp", "had burned all night"]
