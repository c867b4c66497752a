"""Sections: titles as printed, levels, places, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pincite import Document
from pincite.model.section import Section
from pincite.model.text import OutlineItem
from pincite.pdf.layout.headings.lines import Look, TextLine
from pincite.pdf.layout.headings.sections import find_sections
from pincite.pdf.objects.destinations import Place
from pincite.pdf.objects.outline import OutlineTarget
from support.pdfwriter import OutlineEntry
from support.steps import growth
from support.tablesheet import TableSheet

LINE = "words of running text that fill the line as far as they may and go on"


class Paper(TableSheet):
    """A sheet that is written from the top down."""

    def __init__(self) -> None:
        super().__init__()
        self.y = 760.0

    def heading(self, text: str, *, size: float = 10, bold: bool = True, above: float = 12, x: float = 72) -> None:
        self.y -= above
        for line in text.split("\n"):
            self.text(x, self.y, line, size=size, bold=bold)
            self.y -= 1.2 * size

    def body(self, lines: int = 3, first: str = "") -> None:
        self.y -= 2
        for number in range(lines):
            self.text(72, self.y, f"{first} {LINE}" if first and not number else LINE)
            self.y -= 12

    def turn(self) -> None:
        self.next_page()
        self.y = 760.0


def titles(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.sections]


def paper() -> Paper:
    made = Paper()
    made.heading("On the Keeping of Lights", size=20)
    made.heading("A. Keeper and B. Warden", bold=False, size=12)
    made.heading("Introduction", size=14)
    made.body()
    return made


def test_levels_by_size_and_weight() -> None:
    made = paper()
    made.heading("Methods", size=14)
    made.heading("Lamps", size=11)
    made.body()
    made.heading("Oil", size=11)
    made.body()
    made.turn()
    made.heading("Results", size=14)
    made.body()
    opened = made.open()
    assert titles(opened) == [(1, "Introduction"), (1, "Methods"), (2, "Lamps"), (2, "Oil"), (1, "Results")]
    assert [section.page for section in opened.sections] == [1, 1, 1, 1, 2]
    for section in opened.sections:
        assert section.span is not None
        assert opened.page(section.page).text()[slice(*section.span)] == section.title


def test_numbers_tell_the_level() -> None:
    made = Paper()
    for title in ("1. Introduction", "2. Methods", "2.1. Lamps", "2.1.1 Wicks", "2.2. Oil", "3. Results"):
        made.heading(title)
        made.body()
    assert titles(made.open()) == [
        (1, "1. Introduction"), (1, "2. Methods"), (2, "2.1. Lamps"), (3, "2.1.1 Wicks"), (2, "2.2. Oil"), (1, "3. Results"),
    ]  # fmt: skip


def test_a_title_over_several_lines_is_on_one() -> None:
    made = paper()
    made.heading("The light and the fog in their rela-\ntion to ships that pass by\nin the night", size=11)
    made.body()
    assert titles(made.open())[1] == (2, "The light and the fog in their relation to ships that pass by in the night")


def test_headings_that_run_in() -> None:
    made = paper()
    made.heading("Methods", size=14)
    for word in ("Lamps.", "Oil and wicks."):
        made.y -= 14
        made.text(72, made.y, word, bold=True)
        made.text(72 + 5 * len(word) + 5, made.y, LINE[:50])
        made.y -= 12
        made.body()
    opened = made.open()
    assert titles(opened)[1:] == [(1, "Methods"), (2, "Lamps"), (2, "Oil and wicks")]
    last = opened.sections[-1]
    assert last.span is not None
    assert opened.page(1).text()[slice(*last.span)] == "Oil and wicks."


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda made: made.heading("Table 2. What was burnt"), id="a caption"),
        pytest.param(lambda made: made.heading("Fig. 3 What was seen"), id="a figure's"),
        pytest.param(lambda made: made.row(made.y - 20, [(72, "Paid"), (180, "Owed")], bold=True), id="the head of a table"),
        pytest.param(lambda made: made.heading("• Lamps"), id="an item"),
        pytest.param(lambda made: made.heading("x = a + b"), id="a formula"),
        pytest.param(lambda made: made.heading("which went on in bold and ends nowhere,"), id="a part of a sentence"),
    ],
)
def test_what_is_no_heading(draw: object) -> None:
    made = paper()
    assert callable(draw)
    draw(made)
    made.y -= 30
    made.body()
    assert titles(made.open()) == [(1, "Introduction")]


def test_running_heads_are_no_headings() -> None:
    made = Paper()
    for number in range(4):
        made.heading(f"The Keeper's Quarterly {number}", above=0)
        made.heading(f"Part {'ABCD'[number]} of it", size=14)
        made.body(12)
        made.turn()
    assert titles(made.open()) == [(1, f"Part {letter} of it") for letter in "ABCD"]


def test_a_page_of_nothing_but_text_and_one_of_nothing() -> None:
    made = Paper()
    made.body(20)
    made.turn()
    made.draw("")
    made.turn()
    assert made.open().sections == ()


def test_the_outline_comes_first_with_titles_as_printed() -> None:
    made = paper()
    made.heading("1.2 The Fog", size=11)
    made.body()
    made.heading("Not in the outline", size=14)
    made.body()
    made.next_page()
    made.writer.set_outline(
        [OutlineEntry("Introduction", 1, [OutlineEntry("The fog", 1)]), OutlineEntry("On the keeping of lights", 1)]
    )
    opened = made.open()
    assert titles(opened) == [(1, "Introduction"), (2, "1.2 The Fog"), (1, "On the keeping of lights")]
    assert opened.sections[2].span is None  # it stands before the others, where nobody looks again


def test_one_item_over_all_is_the_document() -> None:
    made = paper()
    made.heading("Results", size=14)
    made.body()
    made.heading("Conclusion", size=14)
    made.body()
    made.next_page()
    entries = [OutlineEntry(title, 1) for title in ("Introduction", "Results", "Conclusion")]
    made.writer.set_outline([OutlineEntry("On the Keeping of Lights", 1, entries)])
    assert titles(made.open()) == [(1, "Introduction"), (1, "Results"), (1, "Conclusion")]


def test_an_outline_of_other_things_does_not_count() -> None:
    made = paper()
    made.next_page()
    made.writer.set_outline([OutlineEntry(f"pdf-export-{number}", 1) for number in range(4)])
    assert titles(made.open()) == [(1, "Introduction")]


def test_without_headings_an_outline_of_other_things_counts() -> None:
    made = Paper()
    made.body()
    made.next_page()
    made.writer.set_outline([OutlineEntry("Part of it", 1)])
    assert made.open().sections == (Section("Part of it", 1, 1),)


@pytest.mark.parametrize(
    ("destination", "line"),
    [
        (["/XYZ", 0, 700, 0], 5), (["/XYZ", None, 703.5, None], 4), (["/FitH", 712], 4), (["/FitR", 0, 0, 500, 691], 5),
        (["/FitBH", 714.0], 3), (["/XYZ", 0, 800, 0], None), (["/Fit"], None), (["/XYZ", None, None, None], None),
        (["/XYZ", 0, "no", 0], None), (["/XYZ", 0, 10**12, 0], None), (["/XYZ", 0, -5, 0], None), (["/FitV", 3], None),
        (["/Other", 0, 700], None),
    ],
    ids=str,
)  # fmt: skip
def test_an_item_without_its_title_begins_where_it_leads_to(destination: list[Any], line: int | None) -> None:
    made = Paper()
    made.y = 752  # so baselines are 750, 738, 726, 714, 702, 690
    made.body(6)
    made.next_page()
    extra = {"Dest": [made.writer.page_references[0], *destination]}
    made.writer.set_outline([OutlineEntry("Named otherwise", extra=extra)])
    opened = made.open()
    lines = opened.page(1).lines()
    assert len(lines) == 6
    span = None if line is None else (lines[line].start, lines[line].start)
    assert opened.sections == (Section("Named otherwise", 1, 1, span),)


def test_in_columns_the_left_of_a_destination_counts() -> None:
    made = Paper()
    for x in (72, 320):
        made.y = 752
        for _ in range(5):
            made.text(x, made.y, "words of the column of a page")
            made.y -= 12
    made.next_page()
    extra = {"Dest": [made.writer.page_references[0], "/XYZ", 318, 730, 0]}
    made.writer.set_outline([OutlineEntry("Right", extra=extra)])
    opened = made.open()
    start = opened.page(1).lines()[7].start
    assert opened.sections == (Section("Right", 1, 1, (start, start)),)


def test_a_section_says_no_more_than_it_must() -> None:
    assert Section("A", 1, 3) == Section(title="A", level=1, page=3, span=None)


@pytest.mark.parametrize("title", ["words of running text", "nowhere", "1 1 1"])
def test_many_items_on_a_long_page_are_looked_for_within_bounds(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.pdf.layout.headings.sections.MOST_LOOKS", 1000)
    look = Look("F", 10, False, False)

    def sections(size: int) -> Callable[[], object]:
        starts = range(0, 30 * size, 30)
        lines = [TextLine(1, start, start + 21, "words of running text", look, start + 21, 72, 300, 9) for start in starts]
        outline = [OutlineTarget(OutlineItem(f"{title} {number}", 1, 1), Place(1, None, 5.0)) for number in range(size)]
        return lambda: find_sections(lines, outline, 1)

    assert growth(sections, 200) < 5
