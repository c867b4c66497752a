"""Chunks tile a page, are verbatim, of sane size, and end where a reader would pause."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.model.chunk import Chunk
from pincite.model.section import Section
from pincite.model.text import OutlineItem
from pincite.search.chunk import (
    SectionMap,
    SectionsByPage,
    SectionStart,
    chunk_page,
    overlaps,
    section_at,
    section_in_force,
    section_spans,
    sections_on,
)
from pincite.search.chunk.boundaries import is_inside_grapheme
from pincite.search.chunk.pages import AIM, LIMIT, page_spans

UNITS = [
    "A sentence, with words. ",
    "한국어 문장이다. ",
    "日本語の文。",
    "中文没有空格",
    "ภาษาไทยไม่มีช่องว่าง",
    "word",
    "exam-\nple",
    "e\u0301",
    "\u1112\u1161\u11ab",
    "👩\u200d🔬",
    "🇰🇷",
    "。\ufe00",
    " ",
    "\n",
    " \n\n",
    "\ud800",
    "\x00",
]
pages = st.lists(st.tuples(st.sampled_from(UNITS), st.integers(1, 400)), max_size=12).map(
    lambda parts: "".join(unit * count for unit, count in parts)
)


@given(st.one_of(pages, st.text()))
@example("x" * 5000)
@example("e" + "\u0301" * 5000)
@example("\U0001f1f0\U0001f1f7" * 1000)
@example("a " * 1000)
@example("\n" * 5000 + "a")
def test_chunks_tile_the_page_up_to_white_space(text: str) -> None:
    chunks = chunk_page("0" * 64, 7, text)
    end = 0
    for ordinal, chunk in enumerate(chunks):
        assert text[chunk.start : chunk.end] == chunk.text
        assert text[end : chunk.start].strip() == ""
        assert chunk.text == chunk.text.strip() != ""
        assert len(chunk.text) <= LIMIT
        assert (chunk.document, chunk.page, chunk.ordinal) == ("0" * 64, 7, ordinal)
        end = chunk.end
    assert text[end:].strip() == ""


@given(pages)
def test_no_chunk_ends_inside_a_grapheme(text: str) -> None:
    for before, after in pairwise(page_spans(text)):
        assert not is_inside_grapheme(text, before[1])
        assert not is_inside_grapheme(text, after[0])


@given(pages)
def test_a_page_up_to_the_aim_is_one_chunk_and_longer_ones_are_of_equal_parts(text: str) -> None:
    spans = page_spans(text)
    length = len(text.strip())
    if length <= AIM:
        assert len(spans) == (length > 0)
    else:
        assert 2 <= len(spans) <= 2 * length // AIM + 1
        assert page_spans(text) == spans


@pytest.mark.parametrize("text", ["", " ", "\n \t\n", "\u3000\n"])
def test_a_blank_page_has_no_chunks(text: str) -> None:
    assert chunk_page("0" * 64, 1, text) == []


def test_a_short_page_is_one_chunk_without_the_white_space_around_it() -> None:
    assert chunk_page("d", 3, "\n Two\n\nparagraphs. \n", (SectionStart(0, "Intro"),)) == [
        Chunk("d", 3, 2, 18, "Two\n\nparagraphs.", 0, "Intro")
    ]


def filler(length: int, unit: str = "lorem ipsum dolor sit amet ") -> str:
    return (unit * (length // len(unit) + 1))[:length].rstrip()


def ends(text: str) -> list[str]:
    """The last dozen characters of each chunk but the last."""
    return [text[:end][-12:] for _, end in page_spans(text)[:-1]]


def test_a_paragraph_end_is_best() -> None:
    text = filler(800) + ". Now a sentence. " + filler(300) + " last words.\n" + filler(900) + ". " + filler(400)
    assert ends(text) == [" last words."]
    text = filler(800) + ". Now a sentence. " + filler(300) + " a heading\n\n" + filler(900) + ". " + filler(400)
    assert ends(text)[0].endswith(" a heading")


def test_a_sentence_end_is_next_with_what_closes_it() -> None:
    assert ends(filler(900) + ' he said "so be it." Then ' + filler(900))[0].endswith('so be it."')
    assert ends(filler(900, "漢字仮名") + "文が終わる。」" + filler(900, "漢字仮名"))[0].endswith("文が終わる。」")
    assert ends(filler(900, "가나다라 ") + " 문장이 끝난다. " + filler(900, "가나다라 "))[0].endswith("문장이 끝난다.")
    assert ends(filler(900, "كلمة ") + " هل انتهى؟ " + filler(900, "كلمة "))[0].endswith("انتهى؟")


@pytest.mark.parametrize("stop", ["J. Smith", "see Fig. 3 there", "Kim et al. show", "e.g. this", "about 3.5 km", "vs. that"])
def test_a_stop_that_ends_no_sentence_is_passed_over(stop: str) -> None:
    text = filler(900) + f" {stop} " + filler(600) + " It ends here. " + filler(400)
    assert ends(text)[0].endswith("It ends here.") or "." not in ends(text)[0]
    assert not ends(text)[0].endswith(stop.split(".")[0] + ".")


def test_a_line_end_is_better_than_another_word_end() -> None:
    assert ends(filler(900) + " the line\n" + filler(900))[0].endswith("the line")


def test_words_are_not_cut() -> None:
    text = filler(27 * 150)
    assert all(chunk.text.split()[-1] in filler(27) for chunk in chunk_page("d", 1, text))
    broken = filler(995, "abcdefghi ") + " exam-\nple " + filler(995, "abcdefghi ")
    assert "exam-\nple" in "|".join(chunk.text for chunk in chunk_page("d", 1, broken))
    split = "가나다라마\n바사아자차카" * 300
    assert all(not chunk.text.startswith("\n") for chunk in chunk_page("d", 1, split))


def test_a_text_without_a_boundary_is_cut_between_characters() -> None:
    spans = page_spans("汉字" * 1000)
    assert spans == [(0, 1000), (1000, 2000)]


OUTLINE = (
    OutlineItem("Cover", 1, 1),
    OutlineItem("Methods", 3, 1),
    OutlineItem("Samples", 3, 2),
    OutlineItem("Results", 6, 1),
    OutlineItem("Figures", 2, 1),
)


def test_the_section_is_that_of_the_nearest_item_before() -> None:
    assert [section_at(OUTLINE, page) for page in range(1, 8)] == [
        "Cover", "Figures", "Samples", "Samples", "Samples", "Results", "Results",
    ]  # fmt: skip
    assert section_at(OUTLINE[1:2], 2) is None
    assert section_at((), 1) is None
    assert section_at((OutlineItem("", 1, 1),), 1) is None
    assert sections_on(OUTLINE, 4) == (SectionStart(0, "Samples"),)
    assert sections_on((), 4) == ()


def test_each_chunk_has_the_section_in_force_where_it_starts() -> None:
    text = filler(3000)
    sections = (SectionStart(0, "One"), SectionStart(1400, "Two"), SectionStart(2999, "Three"))
    chunks = chunk_page("d", 1, text, sections)
    assert [chunk.section for chunk in chunks] == ["One" if chunk.start < 1400 else "Two" for chunk in chunks]
    assert {chunk.section for chunk in chunks} == {"One", "Two"}


PROSE = "\n" * 1000
"""Above a heading in it is no running head, unless it is of three lines."""


def test_headings_with_places_start_where_they_stand() -> None:
    sections = [
        Section("Front", 1, 1),
        Section("Methods", 1, 2, (40, 47)),
        Section("Lamps", 2, 2, (90, 95)),
        Section("Unplaced", 1, 4),
        Section("Results", 1, 4, (10, 17)),
    ]
    known = SectionMap(sections)
    assert known.on_page(1, PROSE) == (SectionStart(0, "Front"),)
    assert known.on_page(2, PROSE) == (SectionStart(0, "Front"), SectionStart(40, "Methods"), SectionStart(90, "Lamps", 2))
    assert known.on_page(3, PROSE) == (SectionStart(0, "Methods"), SectionStart(0, "Lamps", 2))
    assert known.on_page(4, PROSE) == (SectionStart(0, "Unplaced"), SectionStart(10, "Results"))
    assert section_in_force(known.on_page(3, PROSE), 5) == "Lamps"
    assert known.on_page(9, PROSE) == (SectionStart(0, "Results"),)
    assert SectionMap(()).on_page(1, PROSE) == ()


def test_headings_count_where_they_stand_whatever_order_they_come_in() -> None:
    known = SectionMap([Section("B", 1, 2, (50, 51)), Section("A", 1, 2, (0, 1)), Section("C", 1, 1, (7, 8))])
    assert known.on_page(1, PROSE) == (SectionStart(7, "C"),)
    assert known.on_page(2, PROSE) == (SectionStart(0, "A"), SectionStart(50, "B"))


def test_above_the_first_heading_the_outline_is_in_force() -> None:
    outline = [OutlineItem("The Book", 1, 1), OutlineItem("Chapter", 2, 2)]
    known = SectionMap([Section("1 Chapter", 2, 2, (30, 39))], SectionsByPage(outline))
    assert known.on_page(1, PROSE) == (SectionStart(0, "The Book"),)
    assert known.on_page(2, PROSE) == (SectionStart(0, "The Book"), SectionStart(30, "1 Chapter", 2))
    assert SectionMap((), SectionsByPage(outline)).on_page(2, PROSE) == (SectionStart(0, "Chapter"),)


def test_a_section_goes_on_over_those_below_it() -> None:
    sections = [("Methods", 1, 1, 5), ("Rats", 2, 1, 20), ("Diet", 3, 1, 30), ("Lamps", 2, 2, 10), ("Results", 1, 2, 40)]
    known = SectionMap([Section(title, level, page, (start, start + 3)) for title, level, page, start in sections])
    assert [(one.title, one.start, end) for one, end in section_spans(known.on_page(1, PROSE), 50)] == [
        ("Methods", 5, 50), ("Rats", 20, 50), ("Diet", 30, 50),
    ]  # fmt: skip
    assert [(one.title, one.start, end) for one, end in section_spans(known.on_page(2, PROSE), 50)] == [
        ("Methods", 0, 40), ("Rats", 0, 10), ("Diet", 0, 10), ("Lamps", 10, 40), ("Results", 40, 50),
    ]  # fmt: skip


@given(
    st.lists(
        st.builds(
            lambda level, page, start: Section(f"{level} {page} {start}", level, page, None if start is None else (start, start)),
            st.integers(1, 4), st.integers(1, 5), st.none() | st.integers(0, 30),
        )
    )
)  # fmt: skip
def test_sections_of_a_page_nest(sections: list[Section]) -> None:
    known = SectionMap(sections)
    for page in range(1, 7):
        spans = section_spans(known.on_page(page, PROSE), 31)
        assert [one.start for one, _ in spans] == sorted(one.start for one, _ in spans)
        assert all(one.start < end for one, end in spans)
        for (first, first_end), (second, second_end) in combinations(spans, 2):
            assert first_end <= second.start or (second_end <= first_end and second.level > first.level)


def test_a_running_head_is_no_part_of_the_section_before() -> None:
    known = SectionMap([Section("One", 1, 1, (0, 3)), Section("Two", 1, 2, (20, 23)), Section("Low", 2, 2, (60, 63))])
    assert known.on_page(2, "Journal of Lamps 7\n\nTwo\n" + PROSE) == (SectionStart(0, "Two"), SectionStart(60, "Low", 2))
    assert known.on_page(2, "a\nb\nc\nd\ne f g h i j\nTwo\n" + PROSE)[:2] == (SectionStart(0, "One"), SectionStart(20, "Two"))


@given(pages, st.integers(1, 1000))
def test_overlaps_have_the_words_around_each_cut(text: str, overlap: int) -> None:
    chunks = chunk_page("d", 3, text)
    extra = overlaps(text, chunks, overlap, (SectionStart(0, "Part"),))
    assert [one.ordinal for one in extra] == list(range(len(chunks), 2 * len(chunks) - 1))
    for (before, after), one in zip(pairwise(chunks), extra, strict=True):
        assert text[one.start : one.end] == one.text
        assert (one.document, one.page, one.section) == ("d", 3, "Part")
        assert before.start <= one.start < before.end <= after.start < one.end <= after.end
        assert before.end - one.start <= overlap
        assert one.end - after.start <= overlap


def test_overlaps_begin_and_end_with_words() -> None:
    chunks = chunk_page("d", 1, "")
    assert overlaps("", chunks, 100) == []
    text = filler(4000)
    chunks = chunk_page("d", 1, text)
    assert len(chunks) > 1
    assert overlaps(text, chunks, 0) == []
    for one in overlaps(text, chunks, 150):
        assert one.start == 0 or text[one.start - 1].isspace()
        assert one.end == len(text) or text[one.end].isspace()
        assert 150 < len(one.text) <= 302
        assert not one.text[0].isspace()
        assert not one.text[-1].isspace()
    for bad in (-1, 1001):
        with pytest.raises(ValueError, match="overlap"):
            overlaps(text, chunks, bad)
