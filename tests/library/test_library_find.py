"""Searching: filters, orders, groups, phrases over a page turn, and ranking in a library too large to rank it all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import QueryError
from pincite.library import Library
from pincite.search.index import search as searching
from support.library import ScriptReader, write_script


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        yield opened


def places(library: Library, query: str, limit: int = 10, **arguments: object) -> list[str]:
    hits = library.search(query, limit, **arguments)  # type: ignore[arg-type]
    return [f"{hit.citation.name}:p{hit.citation.page}" for hit in hits]


def test_sections_narrow_a_search(library: Library, tmp_path: Path) -> None:
    outline = [("Introduction", 1, 1), ("Materials and  Methods", 2, 1), ("Results", 3, 1)]
    library.ingest([write_script(tmp_path / "a.pdf", ["words one", "words two", "words three"], outline=outline)])
    assert places(library, "words", sections=["methods"]) == ["a.pdf:p2"]
    assert places(library, "words", sections=["RESULTS", "intro*"]) == ["a.pdf:p1", "a.pdf:p3"]
    assert places(library, "words", sections=["materials and methods"]) == ["a.pdf:p2"]
    assert places(library, "words", sections="intro") == ["a.pdf:p1"]
    with pytest.raises(QueryError, match="title like discussion"):
        places(library, "words", sections=["discussion"])


def test_a_section_begins_where_its_title_stands(library: Library, tmp_path: Path) -> None:
    body = "A sentence of the section with some words in it. " * 20
    text = f"Journal 7\n{body}\n2. Methods and\nMaterials\n{body}\n2.1 Data\n{body}"
    methods, data = text.index("2. Methods"), text.index("2.1 Data")
    outline = [("Intro", 1, 1), ("Methods and Materials", 2, 1), ("2.1 Data", 2, 2)]
    sections = [
        ("Intro", 1, 1, None),
        ("2. Methods and Materials", 1, 2, (methods, methods + 25)),
        ("2.1 Data", 2, 2, (data, data + 8)),
    ]
    library.ingest([write_script(tmp_path / "a.pdf", ["one", text, "three"], outline=outline, sections=sections)])
    for title in ("methods and materials", "2. Methods and Materials"):
        shown = library.show(f"a.pdf:p2:section={title}").text or ""
        assert shown.startswith("2. Methods and\nMaterials\nA sentence")
        assert "\n2.1 Data\n" in shown  # what is below it is part of it
    assert (library.show("a.pdf:p2:section=Data").text or "").startswith("2.1 Data\nA sentence")
    assert (library.show("a.pdf:p2:section=Intro").text or "").startswith("Journal 7")
    assert library.show("a.pdf:p3:section=Data").text == "three"
    document = library.document("a.pdf")
    chunks = [*library.chunks(document, 2), *library.chunks(document, 3)]
    assert [chunk.section for chunk in chunks] == ["Intro", "2. Methods and Materials", "2.1 Data"]
    page = library.page(document, 2)
    assert page is not None
    assert [section.start for section in page.sections or ()] == [0, methods, data]
    assert library.verify().is_sound


def _in_sections(tmp_path: Path) -> Path:
    """A page of one chunk in which two sections begin."""
    head = "Methods\nOf cells and words" + " that are said of a method" * 5
    text = f"{head}\nResults\nAnother line of words, grown\nBiochemical Parameters\nSerum, words, grown"
    titles = ("Methods", "Results", "Biochemical Parameters")
    sections = [(title, 1, 1, (text.index(title), text.index(title) + len(title))) for title in titles]
    more = [("Results", 1, 2, (0, 7))]
    return write_script(tmp_path / "a.pdf", [text, "Results\nLast words of cells"], sections=sections + more)


TWO_INSIDE = "Xenon\n" + "what is said of the first of them " * 9 + "\nYttrium\nof the second\nZinc\nof the last"
TWO_SECTIONS = [(title, 1, 1, (TWO_INSIDE.index(title), TWO_INSIDE.index(title) + 4)) for title in ("Xenon", "Yttrium", "Zinc")]


@pytest.mark.parametrize("regex", [False, True])
def test_a_hit_says_the_section_where_its_match_stands(library: Library, tmp_path: Path, regex: bool) -> None:
    library.ingest([_in_sections(tmp_path)])

    def found(query: str, *sections: str) -> list[tuple[int, str | None]]:
        hits = library.search(query, sections=sections, order="document", regex=regex)
        return [(hit.citation.page, hit.section) for hit in hits]

    assert [chunk.section for chunk in library.chunks(library.document("a.pdf"))] == ["Methods", "Results"]
    assert found("serum" if not regex else "Serum") == [(1, "Biochemical Parameters")]
    assert found("cells") == [(1, "Methods"), (2, "Results")]
    assert found("words", "biochemical parameters") == [(1, "Biochemical Parameters")]
    assert found("words", "results") == [(1, "Results"), (2, "Results")]
    # the chunk begins in the section, but what matches stands behind it
    assert found("grown", "methods") == []
    assert found("cells", "results") == [(2, "Results")]
    assert found("cells", "biochemical parameters") == []


def test_what_is_left_out_for_its_section_makes_room_for_others(library: Library, tmp_path: Path) -> None:
    text = "Methods\n" + "measured " * 20 + "\nResults\n" + "so it was seen that this and that " * 9
    sections = [("Methods", 1, page, (0, 7)) for page in range(1, 9)]
    sections += [("Results", 1, page, (text.index("Results"), text.index("Results") + 7)) for page in range(1, 9)]
    last = "Results\n" + "so it was seen that this and that " * 9 + "was measured"
    sections += [("Results", 1, page, (0, 7)) for page in (9, 10)]
    library.ingest([write_script(tmp_path / "a.pdf", [text] * 8 + [last] * 2, sections=sections)])
    assert places(library, "measured", 2) == ["a.pdf:p1", "a.pdf:p2"]
    assert places(library, "measured", 2, sections=["results"]) == ["a.pdf:p9", "a.pdf:p10"]
    assert places(library, "measured", 1, sections=["results"], order="document") == ["a.pdf:p9"]
    (hit,) = library.search("measured", sections=["results"], group=True)
    assert (hit.citation.page, hit.more) == (9, 1)


def test_sections_that_begin_inside_chunks_live_as_long_as_these(library: Library, tmp_path: Path) -> None:
    def titles() -> list[tuple[str]]:
        return library._open()._database.execute("SELECT title FROM inner_sections ORDER BY title")

    path = _in_sections(tmp_path)
    library.ingest([path])
    assert titles() == [("Biochemical Parameters",), ("Results",)]
    assert library._open().sections() == ["Biochemical Parameters", "Methods", "Results"]
    library.ingest([write_script(tmp_path / "b.pdf", [TWO_INSIDE], sections=TWO_SECTIONS)])
    assert library._open().sections() == ["Biochemical Parameters", "Methods", "Results", "Xenon", "Yttrium", "Zinc"]
    library.remove("b.pdf")
    library.reindex()
    assert titles() == [("Biochemical Parameters",), ("Results",)]
    database = library._open()._database
    database.execute("DELETE FROM inner_sections WHERE title = 'Results'")
    assert [flaw.part for flaw in library.verify().flaws] == ["chunks"]
    assert library.verify(repair=True).is_sound
    assert titles() == [("Biochemical Parameters",), ("Results",)]
    library.remove("a.pdf")
    assert titles() == []


def test_what_ended_early_has_the_sections_of_its_outline(library: Library, tmp_path: Path) -> None:
    outline = [("Intro", 1, 1), ("Methods", 2, 1)]
    library.ingest([write_script(tmp_path / "a.pdf", ["one", "Head\nMethods"], outline=outline, total=3, ends_with="timeout")])
    assert library.show("a.pdf:p2:section=Methods").text == "Head\nMethods"
    assert [chunk.section for chunk in library.chunks(library.document("a.pdf"), 2)] == ["Methods"]


def test_hits_by_document_and_page(library: Library, tmp_path: Path) -> None:
    for name in "bca":
        library.ingest([write_script(tmp_path / f"{name}.pdf", ["words", f"words words words {name}", "other"])])
    assert places(library, "words", order="document") == [f"{name}.pdf:p{page}" for name in "abc" for page in (1, 2)]
    assert places(library, "words", 3, order="document") == ["a.pdf:p1", "a.pdf:p2", "b.pdf:p1"]
    assert places(library, "words", order="document", documents=["c"]) == ["c.pdf:p1", "c.pdf:p2"]


def test_one_hit_a_document(library: Library, tmp_path: Path) -> None:
    write_script(tmp_path / "in" / "a.pdf", ["words here", "words words words words", "words here"])
    write_script(tmp_path / "in" / "b.pdf", ["words once in a longer text of other things"])
    library.ingest([tmp_path / "in"])
    hits = library.search("words", group=True)
    assert [(hit.citation.name, hit.citation.page, hit.more) for hit in hits] == [("a.pdf", 2, 2), ("b.pdf", 1, 0)]
    assert places(library, "words", 1, group=True) == ["a.pdf:p2"]


def test_context_comes_from_the_page(library: Library, tmp_path: Path) -> None:
    text = "lead in. " * 300 + "The needle is here. " + "lead out. " * 300
    library.ingest([write_script(tmp_path / "a.pdf", [text])])
    (hit,) = library.search("needle", context=30)
    assert hit.passage is not None
    assert len(hit.passage.text) == len("needle") + 60
    assert text[hit.passage.start :].startswith(hit.passage.text)
    ((start, end),) = hit.passage.matches
    assert hit.passage.text[start:end] == "needle"
    assert library.search("needle")[0].passage is None


TURNS = [
    ("a phrase that goes", "over the turn of it"),
    ("a phrase that goes\n12", "Journal of Things 13\nover the turn of it"),
    ("a phrase that goes\n\n- 12 -", "13\nover the turn of it"),
    ("a phrase that goes", "Vol. 3 (2019)\nover the turn of it"),
]


@pytest.mark.parametrize(("before", "after"), TURNS)
def test_a_phrase_over_a_page_turn_has_two_citations(library: Library, tmp_path: Path, before: str, after: str) -> None:
    body = "Some more of the text. " * 10
    library.ingest([write_script(tmp_path / "a.pdf", [body + before, f"{after}. {body}", "goes over"])])
    first, second = library.search('"that goes over the turn"')
    assert (first.citation.page, second.citation.page) == (1, 2)
    assert (first.continues, second.continues) == (second.citation, None)
    for hit, words in ((first, "that goes"), (second, "over the turn")):
        ((start, end),) = hit.matches
        assert hit.chunk.text[start - hit.chunk.start : end - hit.chunk.start] == words
    assert library.search('"that goes under the turn"') == []
    assert places(library, '"that goes over the turn" phrase') == ["a.pdf:p1", "a.pdf:p2"]
    assert places(library, '"that goes over the turn" -phrase') == []


def test_a_phrase_over_the_end_of_a_chunk_is_found(library: Library, tmp_path: Path) -> None:
    text = " ".join(f"w{number}" for number in range(900))
    library.ingest([write_script(tmp_path / "a.pdf", [text])])
    for number in range(897):
        hits = library.search(f'"w{number} w{number + 1} w{number + 2}"')
        assert 1 <= len(hits) <= 2, number


def test_seams_go_with_their_document(library: Library, tmp_path: Path) -> None:
    path = write_script(tmp_path / "a.pdf", ["that goes", "over the turn"])
    library.ingest([path])
    assert len(library.search('"goes over"')) == 2
    library.reindex()
    assert len(library.search('"goes over"')) == 2
    write_script(path, ["other", "words"])
    library.ingest([path])
    assert library.search('"goes over"') == []


def test_one_character_of_korean_finds_every_word_that_has_it(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "a.pdf", ["실험을 했다", "그 일은 실", "다른 것"])])
    assert sorted(places(library, "실")) == ["a.pdf:p1", "a.pdf:p2"]
    assert places(library, "험") == ["a.pdf:p1"]


@pytest.fixture
def crowded(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """A library that is large beside its limits: `common` is everywhere, `often` in every second chunk, four times in some."""
    for name, value in {"MOST_WEIGHED": 20, "LEAST_POOL": 10, "EXACT_COUNT": 10, "SAMPLE_ROWS": 20, "MOST_IN_ORDER": 20}.items():
        monkeypatch.setattr(searching, name, value)
    for document in range(8):
        pages = []
        for page in range(20):
            words = ["common", f"only{document}x{page}", "filler"]
            if page % 2:
                words += ["often"] * (5 if page == 7 else 1)
            if page % 3 == 0:
                words += ["third"] * (3 if page == 9 else 1)
            pages.append(" ".join(words))
        write_script(tmp_path / "in" / f"{document}.pdf", list(pages))
    library.ingest([tmp_path / "in"])
    return library


def test_who_has_a_frequent_word_most_often_comes_first(crowded: Library) -> None:
    assert places(crowded, "often", 8) == [f"{document}.pdf:p8" for document in range(8)]
    assert places(crowded, "third", 8) == [f"{document}.pdf:p10" for document in range(8)]


def test_common_words_come_in_order_and_leave_the_ranking_to_others(crowded: Library) -> None:
    assert places(crowded, "common", 3) == ["0.pdf:p1", "0.pdf:p2", "0.pdf:p3"]
    assert places(crowded, "common filler", 2) == ["0.pdf:p1", "0.pdf:p2"]
    assert places(crowded, '"common only3x4 filler"') == ["3.pdf:p5"]
    assert places(crowded, "common often", 8) == [f"{document}.pdf:p8" for document in range(8)]
    assert places(crowded, "common only3x4") == ["3.pdf:p5"]


def test_every_one_is_found_whatever_the_limits(crowded: Library) -> None:
    assert len(crowded.search("often third", 100)) == 8 * 3
    assert len(crowded.search("only1x1 OR only2x2 OR only3x3")) == 3
    assert places(crowded, "often", 3, pages=[(4, 4)]) == ["0.pdf:p4", "1.pdf:p4", "2.pdf:p4"]
    assert places(crowded, "often", 3, documents=["5.pdf"])[0] == "5.pdf:p8"
    assert len(crowded.search("common", 20, documents=["5.pdf"])) == 20
    assert len(crowded.search("often -third", 20)) == 20
    assert places(crowded, "common", 22, order="document")[-2:] == ["1.pdf:p1", "1.pdf:p2"]
    assert len(crowded.search("common", 8, group=True)) == 8
    assert crowded.search("common nothing") == []


def test_chunks_with_an_overlap_come_with_extra_ones_around_the_cuts(library: Library, tmp_path: Path) -> None:
    text = "A sentence with words of its own. " * 100
    library.ingest([write_script(tmp_path / "a.pdf", [text, "short", text])])
    document = library.document("a.pdf")
    plain = library.chunks(document)
    more = library.chunks(document, overlap=100)
    assert [chunk for chunk in more if chunk in plain] == plain
    extra = [chunk for chunk in more if chunk not in plain]
    assert {chunk.page for chunk in extra} == {1, 3}
    for chunk in extra:
        page = library.page(document, chunk.page)
        assert page is not None
        assert page.text[chunk.start : chunk.end] == chunk.text
        assert 100 < len(chunk.text) <= 201
    with pytest.raises(ValueError, match="overlap"):
        library.chunks(document, overlap=1001)
