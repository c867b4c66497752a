"""Grades of quotations: faithful ones pass however they are set, false ones never do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.errors import CitationError
from pincite.library import Library
from pincite.search.cite.check import Wanted
from pincite.search.cite.wording import DIFFERENCES, differences, occurrences, wording
from support.library import ScriptReader, write_script

PAGE = (
    "Running head 12\nThe efficient structure of the pro-\nteins was found in 2019.\nThere were 112 patients, 0.5 mg each, "
    "and 10² controls.\nShe said “it was not significant” — and left. A state-of-the-art method,\nsmo\u00adoth café, ﬁrst."
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        pages = [PAGE, "The second page begins a sentence that goes", "on here, on the third page of it.", ""]
        opened.ingest([write_script(tmp_path / "a.pdf", pages)])
        yield opened


FAITHFUL = [
    ("There were 112 patients, 0.5 mg each", ()),
    ("structure of the proteins was found in 2019", ("white space", "hyphens")),
    ("proteins was found in 2019. There were 112", ("white space", "hyphens")),
    ("The e\ufb03cient structure of the", ("ligatures",)),
    ('She said "it was not significant"', ("quotation marks",)),
    ("“There were 112 patients”", ()),
    ("it was not significant” - and left", ("dashes",)),
    ("A state\u2010of\u2010the\u2010art method", ("dashes",)),
    ("A state of the art method", ("white space", "hyphens")),
    ("method, smooth cafe\u0301", ("white space", "composed letters", "invisible characters")),
    ("The efficient structure [...] was found in 2019", ("ellipsis",)),
    ("The efficient structure […] 112 patients", ("ellipsis",)),
    ("The efficient structure (...) 112 patients", ("ellipsis",)),
    ("smooth café, first.", ("ligatures", "invisible characters")),
]


@pytest.mark.parametrize(("quotation", "how"), FAITHFUL)
def test_a_faithful_quotation_passes_and_says_how_it_differs(library: Library, quotation: str, how: tuple[str, ...]) -> None:
    result = library.check(quotation, "a.pdf:p1")
    assert (result.grade, result.differences) == ("folded" if how else "exact", how)
    (place,) = result.places
    assert library.show(place).text == result.text


FALSE = [
    "There were 12 patients, 0.5 mg each",
    "There were 113 patients, 0.5 mg each",
    "There were 112 patients, 5 mg each",
    "There were 112 patients, 0.55 mg each",
    "0.5 mg each, and 102 controls",
    "0.5 mg each, and 10 controls",
    "found in 20 19. There were 112",
    "the efficient structure of the proteins",
    "She said “it was significant” — and left",
    "method, smooth cafe, first.",
    "structure [...] The efficient [...] patients",
]


@pytest.mark.parametrize("quotation", FALSE)
def test_other_words_are_never_the_same(library: Library, quotation: str) -> None:
    assert library.check(quotation, "a.pdf:p1").grade in ("near", "absent")


def test_the_middle_of_a_word_is_no_beginning(library: Library) -> None:
    assert library.check("fficient structure of the", "a.pdf:p1").grade == "near"
    assert library.check("teins was found in 2019", "a.pdf:p1").grade == "near"


def test_near_says_what_is_different(library: Library) -> None:
    result = library.check("There were 120 patients, 0.5 mg each", "a.pdf:p1")
    assert (result.grade, result.text) == ("near", "There were 112 patients, 0.5 mg each")
    assert [(edit.standing, edit.quoted) for edit in result.edits] == [("112", "120")]
    assert 85 <= result.likeness < 100


def test_the_wrong_page_is_named(library: Library) -> None:
    result = library.check("The second page begins", "a.pdf:p1")
    assert (result.grade, str(result.places[0])) == ("wrong_page", "a.pdf:p2:span=0-22")
    assert library.check("There were 112 patients", "a.pdf:p9").grade == "wrong_page"
    assert library.check("The second pages begin a", "a.pdf:p1").grade == "wrong_page"


def test_a_quotation_over_a_page_turn_has_two_places(library: Library) -> None:
    result = library.check("a sentence that goes on here, on the third", "a.pdf:p2")
    assert result.grade == "folded"
    assert [library.show(place).text for place in result.places] == ["a sentence that goes", "on here, on the third"]


def test_what_is_nowhere_is_absent(library: Library) -> None:
    result = library.check("words that nobody ever wrote", "a.pdf:p1")
    assert (result.grade, result.places, result.text) == ("absent", (), None)
    assert "no text" in (library.check("words that nobody ever wrote", "a.pdf:p4").reason or "")


def test_a_span_is_looked_at_first(library: Library, tmp_path: Path) -> None:
    text = "The very same words here. Other words in between. The very same words here."
    library.ingest([write_script(tmp_path / "b.pdf", [text])])
    result = library.check("The very same words", f"b.pdf:p1:span=26-{len(text)}")
    assert (result.places[0].span, result.within) == ((50, 69), True)
    result = library.check("Other words in between", "b.pdf:p1:span=0-10")
    assert (result.grade, result.within, result.is_faithful) == ("exact", False, False)
    assert "span" in (result.reason or "")
    # set otherwise inside what is cited comes before the very letters outside
    library.ingest([write_script(tmp_path / "c.pdf", ["The very same words here. Other words. The very\nsame words here."])])
    result = library.check("The very same words", "c.pdf:p1:span=39-64")
    assert (result.grade, result.within) == ("folded", True)


def test_a_section_is_what_is_cited(library: Library, tmp_path: Path) -> None:
    text = "Aims\nThe first words of the aims.\n" + "They went on for some lines more, as such things do.\n" * 9
    at = len(text)
    text += "Means\nThe means were few and far between.\n"
    library.ingest([write_script(tmp_path / "s.pdf", [text], sections=[("Aims", 1, 1, (0, 4)), ("Means", 1, 1, (at, at + 5))])])
    assert library.show("s.pdf:p1:section=Means").text is not None
    inside = library.check("The means were few", "s.pdf:p1:section=Means")
    assert (inside.grade, inside.within, inside.is_faithful) == ("exact", True, True)
    outside = library.check("The first words of", "s.pdf:p1:section=Means")
    assert (outside.grade, outside.within, outside.is_faithful) == ("exact", False, False)
    assert "section" in (outside.reason or "")
    for citation in ("s.pdf:p1:section=Ends", "s.pdf:p1:span=9000-9009"):
        with pytest.raises(CitationError) as caught:
            library.check("The means were few", citation)
        assert caught.value.slug == "absent"


def test_few_words_are_compared_with_a_span(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "b.pdf", ["It cost 33,200 in May\nof 2019, and 7 in 2018"])])
    assert library.check("33,200", "b.pdf:p1:span=3-14").grade == "exact"
    assert library.check("May of", "b.pdf:p1:span=8-25").grade == "folded"
    assert library.check("2018", "b.pdf:p1:span=3-30").grade == "absent"
    assert library.check("200", "b.pdf:p1:span=8-14").grade == "absent"
    assert library.check("200", "b.pdf:p1:span=11-14").differences == ("the middle of a word",)
    assert library.check("33,201", "b.pdf:p1:span=8-14").grade == "absent"
    shouted = library.check("IT COST", "b.pdf:p1:span=0-7")
    assert (shouted.grade, shouted.differences) == ("near", ("case",))
    for quotation, citation in (("33,200", "b.pdf:p1"), ("", "b.pdf:p1:span=8-14")):
        with pytest.raises(CitationError) as caught:
            library.check(quotation, citation)
        assert caught.value.slug == "too_short"


@pytest.mark.parametrize(
    ("quotation", "how", "words"),
    [
        ("THE EFFICIENT STRUCTURE", ("case",), "The efficient structure"),
        ("Structure of the Proteins was", ("white space", "hyphens", "case"), "structure of the pro-\nteins was"),
        ("fficient structure of", ("the middle of a word",), "efficient structure of"),
        ("ructure of the prot", ("white space", "hyphens", "the middle of a word"), "structure of the pro-\nteins"),
        ("FFICIENT STRUCT", ("case", "the middle of a word"), "efficient structure"),
        ("2 patients, 0.5 mg", ("the middle of a word",), "112 patients, 0.5 mg"),
    ],
)
def test_the_same_letters_are_near(library: Library, quotation: str, how: tuple[str, ...], words: str) -> None:
    result = library.check(quotation, "a.pdf:p1")
    assert (result.grade, result.text, set(result.differences)) == ("near", words, set(how))
    elsewhere = library.check(quotation, "a.pdf:p2")
    assert (elsewhere.grade, elsewhere.places) == ("wrong_page", result.places)


def test_what_is_set_otherwise_is_no_edit(library: Library) -> None:
    result = library.check("The efficient crystal structure of the proteins was found in 2019.", "a.pdf:p1")
    assert [(edit.standing, edit.quoted) for edit in result.edits] == [("", "crystal")]


def test_pages_that_were_not_read_are_counted(library: Library, tmp_path: Path) -> None:
    reason = library.check("words that nobody ever wrote", "a.pdf:p1").reason or ""
    assert "1 of its 4 pages could not be searched (1 without text)" in reason
    library.ingest([write_script(tmp_path / "whole.pdf", ["all of it is read, every word"])])
    assert "searched" not in (library.check("words that nobody ever wrote", "whole.pdf:p1").reason or "")


def test_six_characters_of_chinese_and_its_neighbours_are_enough(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "j.pdf", ["すべての人間は、生まれながらにして自由であり"])])
    assert [str(place) for place in library.cite("すべての人間は")] == ["j.pdf:p1:span=0-7"]
    assert library.check("人間は、生ま", "j.pdf:p1").grade == "exact"
    with pytest.raises(CitationError) as caught:
        library.cite("の人間は、")
    assert caught.value.slug == "too_short"


@pytest.mark.parametrize("quotation", ["too short", "a b c d e f", "           x           ", ""])
def test_a_few_characters_are_refused(library: Library, quotation: str) -> None:
    with pytest.raises(CitationError) as caught:
        library.check(quotation, "a.pdf:p1")
    assert caught.value.slug == "too_short"


def test_a_citation_that_leads_nowhere_is_an_error(library: Library, tmp_path: Path) -> None:
    with pytest.raises(CitationError) as caught:
        library.check("There were 112 patients", "b.pdf:p1")
    assert caught.value.slug == "absent"
    write_script(tmp_path / "a.pdf", ["other words now"])
    library.ingest([tmp_path / "a.pdf"])
    with pytest.raises(CitationError) as caught:
        library.check("There were 112 patients", "a.pdf:p1")
    assert caught.value.slug == "stale"


def test_korean_broken_at_a_line_end(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "k.pdf", ["최근의 코로나바이러스감염\n증-19 확산에 따라 보험 약관이"])])
    assert library.check("코로나바이러스감염증-19 확산에", "k.pdf:p1").differences == ("white space",)
    assert library.check("코로나바이러스감염증-18 확산에", "k.pdf:p1").grade == "near"


def test_words_are_cited_wherever_they_stand(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "in" / f"{name}.pdf", ["x", PAGE.replace("112", name)]) for name in ("111", "222")])
    found = library.cite("0.5 mg each, and 10² controls")
    assert [f"{citation.name}:p{citation.page}" for citation in found] == ["111.pdf:p2", "222.pdf:p2", "a.pdf:p1"]
    assert all(library.show(citation).text == "0.5 mg each, and 10² controls" for citation in found)
    (one,) = library.cite("There were 222 patients", with_hash=True)
    assert (one.name, one.document_hash) == ("222.pdf", library.document("222.pdf").id[:12])
    (narrowed,) = library.cite("0.5 mg each, and", documents=["a.pdf"], pages=[(1, 1)])
    assert (narrowed.name, narrowed.page) == ("a.pdf", 1)
    with pytest.raises(CitationError) as caught:
        library.cite("words that nobody ever wrote")
    assert caught.value.slug == "absent"


def test_a_large_library_is_asked_by_its_index(library: Library, tmp_path: Path) -> None:
    for number in range(30):
        write_script(tmp_path / "in" / f"{number}.pdf", [f"Paper {number} has its own struc-\nture, measured {number} times."])
    library.ingest([tmp_path / "in"])
    (found,) = library.cite("has its own structure, measured 17 times")
    assert found.name == "17.pdf"


def test_a_page_is_cited_only_if_it_is_there(library: Library) -> None:
    assert str(library.cite_page("a.pdf", 2)) == "a.pdf:p2"
    with pytest.raises(CitationError):
        library.cite_page("a.pdf", 9)
    with pytest.raises(CitationError):
        library.cite_page("a.pdf", 2, "No such section")


# Laws

words = st.text(st.sampled_from("abcé한국 12.,-–“”'ﬁ²\n\u00ad"), min_size=1, max_size=40)


@given(words)
def test_every_character_of_a_wording_leads_back(text: str) -> None:
    compared = wording(text)
    assert len(compared.text) == len(compared.starts) == len(compared.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(compared.starts, compared.ends, strict=True))
    assert compared.starts == sorted(compared.starts)


@given(words, words, words)
def test_a_passage_is_found_in_its_text(before: str, passage: str, after: str) -> None:
    text = f"{before} | {passage} | {after}"
    needle = wording(f"|{passage}|").text
    assert any(wording(text[slice(*span)]).text == needle for span in occurrences(needle, wording(text)))


@given(st.text(st.sampled_from("abc 12345.,\n-"), min_size=14, max_size=60), st.data())
def test_a_changed_digit_never_passes(text: str, data: st.DataObject) -> None:
    digits = [found.start() for found in re.finditer(r"\d", text)]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[at]]))
    changed = text[:at] + other + text[at + 1 :]
    assume(len(' '.join(changed.split())) >= 12)
    found = Wanted(changed).found_in(text)
    # Other digits of the same text may say the same elsewhere.
    assert found is None or re.findall(r"\d", found.text) == re.findall(r"\d", Wanted(changed).text)


@given(words)
def test_the_same_wording_differs_in_something_that_has_a_name(text: str) -> None:
    spaced = text.replace(" ", "\n")
    if wording(spaced).text == wording(text).text and spaced != text:
        assert differences(text, spaced)
    assert set(differences(text, spaced)) <= set(DIFFERENCES)
