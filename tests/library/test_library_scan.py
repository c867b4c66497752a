"""Regular expressions: found in the verbatim text of every page, by name and page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import QueryError
from pincite.library import Library
from pincite.model.hit import Hit
from support.library import ScriptReader, write_script

LONG = "A sentence with words in it. " * 120


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Library]:
    outline = [("Intro", 1, 1), ("Methods", 2, 1)]
    write_script(tmp_path / "in" / "b.pdf", ["p < 0.05 and p<0.01", "none"], outline=outline)
    write_script(tmp_path / "in" / "a.pdf", ["first\nline 7", f"p < 0.001\n{LONG}\nP = 0.5"], outline=outline)
    write_script(tmp_path / "in" / "c.pdf", ["실험을 분석한다"])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as library:
        library.ingest([tmp_path / "in"])
        yield library


def found(hits: list[Hit]) -> list[tuple[str, int, list[str]]]:
    """Name, page and matched words of each hit, which the matches of its snippet have to be, too."""
    for hit in hits:
        chunk = hit.chunk
        words = [chunk.text[start - chunk.start : end - chunk.start] for start, end in hit.matches]
        assert [hit.snippet.text[slice(*span)] for span in hit.snippet.matches][:1] == words[:1]
    return [
        (hit.citation.name, hit.chunk.page, [hit.chunk.text[a - hit.chunk.start : b - hit.chunk.start] for a, b in hit.matches])
        for hit in hits
    ]


def test_matches_come_by_name_and_page(filled: Library) -> None:
    assert found(filled.search(r"[pP] ?[<=] ?0\.\d+", regex=True)) == [
        ("a.pdf", 2, ["p < 0.001"]),
        ("a.pdf", 2, ["P = 0.5"]),
        ("b.pdf", 1, ["p < 0.05", "p<0.01"]),
    ]
    assert found(filled.search(r"^line \d$", regex=True)) == [("a.pdf", 1, ["line 7"])]
    assert found(filled.search("분석.", regex=True)) == [("c.pdf", 1, ["분석한"])]
    assert found(filled.search("x*", regex=True)) == []
    assert found(filled.search("(?i)FIRST", regex=True)) == [("a.pdf", 1, ["first"])]


def test_a_match_over_lines_ends_with_its_chunk(filled: Library) -> None:
    (hit,) = filled.search(r"p < 0\.001[\s\S]*", regex=True)
    assert hit.matches == ((hit.chunk.start, hit.chunk.end),)
    assert hit.chunk.end < len(LONG)


def test_it_is_narrowed_grouped_and_limited(filled: Library) -> None:
    expression = r"[pP] ?[<=]"
    assert [hit.citation.name for hit in filled.search(expression, 2, regex=True)] == ["a.pdf", "a.pdf"]
    assert found(filled.search(expression, regex=True, documents="b*")) == [("b.pdf", 1, ["p <", "p<"])]
    assert found(filled.search(expression, regex=True, pages=[(1, 1)])) == [("b.pdf", 1, ["p <", "p<"])]
    assert [hit.chunk.page for hit in filled.search(expression, regex=True, sections="methods")] == [2, 2]
    assert [(hit.citation.name, hit.more) for hit in filled.search(expression, 1, regex=True, group=True)] == [("a.pdf", 1)]
    (hit, _) = filled.search("p <", regex=True, context=3)
    assert hit.passage is not None
    assert hit.passage.text == "p < 0."


@pytest.mark.parametrize("expression", ["(", "a{2,1}", "*", "(" * 500, "x" * 1001, "[a", "(?P<n"])
def test_what_is_no_expression_is_an_error(filled: Library, expression: str) -> None:
    with pytest.raises(QueryError):
        filled.search(expression, regex=True)


@pytest.mark.parametrize("expression", [r"((?:a|aa)+)\1!x", r"(?:(a|aa)+)+\1[!]b"])
def test_what_takes_without_end_is_ended(
    filled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    monkeypatch.setattr("pincite.search.cite.scan.MOST_SECONDS", 0.2)
    filled.ingest([write_script(tmp_path / "long.pdf", ["a" * 5000 + "!"])])
    with pytest.raises(QueryError, match="took longer"):
        filled.search(expression, regex=True, documents="long.pdf")


def test_older_versions_of_a_file_are_left_out(filled: Library, tmp_path: Path) -> None:
    write_script(tmp_path / "in" / "b.pdf", ["p = 1"])
    filled.ingest([tmp_path / "in"])
    assert [words for _, _, words in found(filled.search("p.*", regex=True, documents="b*"))] == [["p = 1"]]
