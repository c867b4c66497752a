"""Citations back to words: the very ones, or a reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import CitationError, LibraryError, QueryError
from pincite.library import Library
from pincite.model.citation import Citation
from pincite.search.cite.naming import name_candidates, name_fits
from pincite.search.index.rows import NewDocument
from pincite.search.index.store import Store
from support.library import ScriptReader, write_script


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        yield opened


def verdict(library: Library, citation: str) -> tuple[str, str]:
    quote = library.resolve(citation)
    assert (quote.text is None) == (quote.verdict != "exact")
    if quote.text is None:
        with pytest.raises(CitationError) as caught:
            library.show(citation)
        assert caught.value.slug == quote.verdict
    return quote.verdict, quote.reason or ""


def test_a_span_counts_code_points(library: Library, tmp_path: Path) -> None:
    text = "𝒳 ist ein é und 한국어"
    library.ingest([write_script(tmp_path / "a.pdf", [text])])
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            assert library.show(f"a.pdf:p1:span={start}-{end}").text == text[start:end]
    assert verdict(library, f"a.pdf:p1:span=0-{len(text) + 1}")[0] == "absent"


def test_what_is_not_there_is_absent(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["text"])])
    assert verdict(library, "a.pdf:p2") == ("absent", "a.pdf has 1 pages, and no page 2")
    assert verdict(library, "b.pdf:p1")[0] == "absent"
    assert verdict(library, "a.pdf:p1:section=Nowhere")[0] == "absent"
    with pytest.raises(CitationError) as caught:
        library.resolve("a.pdf, page 1")
    assert caught.value.slug == "bad_citation"


def test_a_file_that_changed_makes_its_citations_stale(library: Library, tmp_path: Path) -> None:
    path = write_script(tmp_path / "in" / "a.pdf", ["old words"])
    library.ingest([path])
    old = library.document("a.pdf")
    bound = f"a.pdf:p1@{old.id[:12]}"
    assert verdict(library, bound) == ("exact", "")
    write_script(path, ["new words"])
    library.ingest([path])
    for citation in ("a.pdf:p1", bound):
        quote = library.resolve(citation)
        assert (quote.verdict, quote.candidates) == ("stale", ("in/a.pdf",))
        assert "in/a.pdf" in (quote.reason or "")
    assert [str(hit.citation) for hit in library.search("words")] == ["in/a.pdf:p1:span=0-9"]
    assert library.show("in/a.pdf:p1").text == "new words"
    assert library.document("a.pdf").superseded_by == "in/a.pdf"
    write_script(path, ["newest words"])
    library.ingest([path])
    assert library.resolve("a.pdf:p1").candidates == library.resolve("in/a.pdf:p1").candidates
    write_script(path, ["old words"])
    library.ingest([path])
    assert verdict(library, bound) == ("exact", "")


def test_a_hash_of_other_bytes_is_stale(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["text"])])
    assert verdict(library, "a.pdf:p1@0123456789ab")[0] == "stale"


def test_a_hash_finds_the_bytes_under_another_name(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["text"])])
    document = library.document("a.pdf").id[:12]
    assert library.show(f"elsewhere.pdf:p1@{document}").text == "text"
    assert verdict(library, "elsewhere.pdf:p1@0123456789ab")[0] == "absent"


def test_two_files_of_one_name_get_two_names(library: Library, tmp_path: Path) -> None:
    for folder in ("2023", "2024"):
        write_script(tmp_path / folder / "report.pdf", [f"the report of {folder}"])
    library.ingest([tmp_path])
    assert [document.name for document in library.documents()] == ["2024/report.pdf", "report.pdf"]
    assert library.show("report.pdf:p1").text == "the report of 2023"
    assert library.show("2024/report.pdf:p1").text == "the report of 2024"
    assert library.show("2023/report.pdf:p1").text == "the report of 2023"


def test_a_name_that_nobody_has_but_several_end_in_is_ambiguous(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "other.pdf", ["text"])])
    with Store.open(library.path) as store:
        for folder in ("x", "y"):
            # As it is once the document that had the short name has left.
            store.put_document(NewDocument(folder * 64, 1, "text-1"), [], [f"{folder}/paper.pdf"])
    quote = library.resolve("paper.pdf:p1")
    assert (quote.verdict, quote.candidates) == ("ambiguous", ("x/paper.pdf", "y/paper.pdf"))
    assert "x/paper.pdf, y/paper.pdf" in verdict(library, "paper.pdf:p1")[1]


def test_a_section_is_quoted_as_far_as_it_goes_on_the_page(library: Library, tmp_path: Path) -> None:
    outline = [("Intro", 1, 1), ("Methods", 2, 1), ("Data", 2, 2), ("Data", 4, 1), ("Data", 4, 1)]
    library.ingest([write_script(tmp_path / "a.pdf", ["one", "two", "three", "four"], outline=outline)])
    assert library.show("a.pdf:p1:section=Intro").text == "one"
    assert library.show("a.pdf:p2:section=Methods").text == "two"
    assert library.show("a.pdf:p3:section=data").text == "three"
    assert library.show("a.pdf:p3:span=0-2:section=Data").text == "th"
    assert verdict(library, "a.pdf:p1:section=Data")[0] == "absent"
    assert verdict(library, "a.pdf:p4:section=Data")[0] == "ambiguous"
    assert library.show("a.pdf:p4:span=0-2:section=Data").text == "fo"


NAMES = [
    "a b.pdf", "100%.pdf", "a:p3.pdf", "me@home.pdf", "보고서.pdf", "two\nlines.pdf", "it's.pdf", "no ending", ":p1",
    "caf\udce9.pdf", " .pdf", "x@0123456789ab", "a:p1:span=0-2", "esc\x1b[31m.pdf", "%41.pdf",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_file_name_is_found_again_by_its_citation(library: Library, tmp_path: Path, name: str) -> None:
    write_script(tmp_path / "in" / name, ["the words"])
    library.ingest([tmp_path / "in" / name])
    (hit,) = library.search("words")
    written = str(hit.citation)
    assert written.isprintable()
    assert library.show(written).text == "the words"
    assert library.resolve(Citation.parse(written)).citation == hit.citation


def test_a_name_is_found_however_its_accents_are_written(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "e\u0301.pdf", ["text"])])
    assert library.show("\u00e9.pdf:p1").text == library.show("e\u0301.pdf:p1").text == "text"


parts = st.lists(
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=8), min_size=1, max_size=5
)


@given(parts)
def test_candidate_names_are_distinct_and_end_in_one_that_is_always_free(names: list[str]) -> None:
    document = "0123456789abcdef" * 4
    candidates = list(name_candidates("/" + "/".join(names), document))
    assert len(set(candidates)) == len(candidates)
    assert candidates[-1].endswith(document)
    assert all(Citation.parse(str(Citation(name, 1))).name == name for name in candidates)


def test_a_document_is_meant_by_its_name_its_end_and_its_globs() -> None:
    assert all(
        name_fits(pattern, "2024/Report One.pdf")
        for pattern in ("report one", "REPORT*", "2024/*", "*.pdf", "2024/report one.pdf")
    )
    assert not any(name_fits(pattern, "2024/Report One.pdf") for pattern in ("one.pdf", "2024", "report"))


def test_search_is_narrowed_by_the_query_and_by_arguments(library: Library, tmp_path: Path) -> None:
    write_script(tmp_path / "in" / "a.pdf", ["words", "words"])
    write_script(tmp_path / "in" / "b.pdf", ["words"])
    library.ingest([tmp_path / "in"])

    def places(query: str, **narrowing: object) -> list[str]:
        return [f"{hit.citation.name}:p{hit.citation.page}" for hit in library.search(query, **narrowing)]  # type: ignore[arg-type]

    assert places("words doc:a") == places("words", documents=["a.pdf"]) == ["a.pdf:p1", "a.pdf:p2"]
    assert places("words -doc:a") == ["b.pdf:p1"]
    assert places("words page:2-") == places("words", pages=[(2, 5)]) == ["a.pdf:p2"]
    assert places("words", limit=1) == ["a.pdf:p1"]
    for wrong in ("words doc:c", "words doc:a doc:c"):
        with pytest.raises(QueryError, match="named like c"):
            places(wrong)
    for nowhere in ([(0, 0)], [(3, 1)], [(-1, 2)], [(2 * page, 2 * page) for page in range(1, 100_000)]):
        with pytest.raises(QueryError, match="page"):
            places("words", pages=nowhere)
    assert places("words", pages=[(page, page) for page in range(1, 100_000)]) == ["a.pdf:p1", "a.pdf:p2", "b.pdf:p1"]


def test_arguments_of_any_kind_are_answered_or_refused_by_name(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["words of a page"])])
    assert library.search("words", 2**63)[0].citation == library.search("words \ud800", 2**70, context=2**70)[0].citation
    assert library.search("words", pages=[(2**70, 2**71)]) == []
    document = library.document("a.pdf")
    for page in (0, -(2**70), 2**70):
        assert library.page(document, page) is None
        assert library.chunks(document, page) == library.old_pages(document, page) == []
    for limit in (0, -1, -(2**70)):
        with pytest.raises(QueryError, match="one or more"):
            library.search("words", limit)
    for name in ("\ud800", "[a" * 50_000):
        with pytest.raises(QueryError):
            library.search("words", documents=[name])
    with pytest.raises(CitationError):
        library.document("\ud800.pdf")
    with pytest.raises(CitationError):
        library.resolve("\ud800.pdf:p1")
    assert library.check("words of \ud800 a page", "a.pdf:p1").grade != "exact"


def test_a_name_may_be_written_as_in_a_citation(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a:p3 50%.pdf", ["words"])])
    (hit,) = library.search("words", documents=["a%3Ap3 50%25.pdf"])
    assert str(hit.citation) == "a%3Ap3 50%25.pdf:p1:span=0-5"
    assert library.document("a%3Ap3 50%25.pdf").name == "a:p3 50%.pdf"
    assert library.search("words", documents=["a:p3 50%.pdf"]) == [hit]


def test_a_closed_library_says_so(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["words"])])
    library.close()
    library.close()
    for ask in (lambda: library.search("words"), library.documents, lambda: library.ingest([tmp_path])):
        with pytest.raises(LibraryError) as caught:
            ask()
        assert caught.value.slug == "closed"


def test_a_hits_matches_count_on_the_page(library: Library, tmp_path: Path) -> None:
    text = "lead in. " * 250 + "The needle is here. " + "lead out. " * 250
    library.ingest([write_script(tmp_path / "a.pdf", [text], outline=[("Part", 1, 1)])])
    (hit,) = library.search("needle")
    ((start, end),) = hit.matches
    assert text[start:end] == "needle"
    ((start, end),) = hit.snippet.matches
    assert hit.snippet.text[start:end] == "needle"
    assert hit.chunk.section == "Part"
    assert library.show(hit.citation).text == hit.chunk.text


def test_korean_is_found_by_its_stem(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "한글.pdf", ["이 실험에서 자연어 처리를 분석했다."])])
    for query in ("실험", "실험을", "자연어처리", "처리"):
        (hit,) = library.search(query)
        assert library.show(str(hit.citation)).text == "이 실험에서 자연어 처리를 분석했다."


def test_a_document_is_found_by_name_suffix_or_hash(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "in" / "a.pdf", ["text"])])
    document = library.document("a.pdf")
    assert library.document("in/a.pdf") == library.document(document.id[:8].upper()) == library.document(document.id) == document
    with pytest.raises(CitationError) as caught:
        library.document("0" * 12)
    assert caught.value.slug == "absent"
