"""Sections: titles as printed, levels, places, and what is none."""

from __future__ import annotations

import pytest

from pincite import Document
from pincite.model.section import Section
from support.pdfwriter import OutlineEntry
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


def test_a_section_says_no_more_than_it_must() -> None:
    assert Section("A", 1, 3) == Section(title="A", level=1, page=3, span=None)
