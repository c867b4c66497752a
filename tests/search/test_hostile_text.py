"""Texts that a hostile file may give: outside the reader's process all takes steps in proportion to their length."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.model.citation import Citation
from pincite.model.geometry import Rect
from pincite.model.section import Section
from pincite.model.table import Cell, Table, TablePart
from pincite.model.text import OutlineItem
from pincite.search.analysis import analyze, analyze_with_offsets, fold, fold_text
from pincite.search.chunk import SectionMap, SectionsByPage, SectionStart, chunk_page, section_spans, sections_on
from pincite.search.cite.cells import resolve_cell
from pincite.search.cite.check import Wanted
from pincite.search.cite.wording import skim, wording
from pincite.search.index.rows import DocumentRow, PageRow
from support.steps import growth, steps

ABOVE, BELOW = "\u0301", "\u0323"
LONGEST_ROW = 31
"""30 marks, and what they stand on."""


class Normalisations:
    """Stands in for `unicodedata.normalize`; keeps the longest row of marks that it was given, since its cost is their square."""

    def __init__(self) -> None:
        self.longest = 0

    def __call__(self, form: str, text: str) -> str:
        row = 0
        for character in text:
            row = row + 1 if unicodedata.combining(character) else 0
            self.longest = max(self.longest, row)
        return NORMALIZE(form, text)


NORMALIZE = unicodedata.normalize


@pytest.mark.parametrize("use", [fold, fold_text, skim, wording])
@pytest.mark.parametrize("text", ["a" + (ABOVE + BELOW) * 3000, ABOVE * 3000 + BELOW * 3000, "カ" + "ﾞ\u0315" * 3000])
def test_no_row_of_marks_is_put_in_order_whole(use: Callable[[str], object], text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Normalisations()
    monkeypatch.setattr(unicodedata, "normalize", counted)
    use(text)
    assert counted.longest <= LONGEST_ROW


@given(st.text(alphabet="a" + ABOVE + BELOW + "é\u0344\uff9e\u1100\u1161 \n-\u20dd\u034f…", min_size=40, max_size=300))
def test_both_ways_of_folding_agree_on_rows_of_marks(text: str) -> None:
    assert fold(text).text == fold_text(text)
    assert [term.term for term in analyze_with_offsets(text)] == analyze(text)


def test_short_rows_of_marks_are_normalised_as_ever() -> None:
    text = "a" + (BELOW + "\u0316" + ABOVE) * 10 + "b"
    assert len(text) == 32
    assert analyze("z" + ABOVE * 29 + BELOW) == analyze("z" + BELOW + ABOVE * 29) == ["z"]
    assert fold_text("\u1e69") == fold_text("s\u0323\u0307") == fold_text("s\u0307\u0323") == "s"


def blank_page(size: int) -> str:
    """Lines without anything on them, and behind them a mark that stands on the last, so that it can't be cut there."""
    return "a" * 1400 + "\n \n" * size + ABOVE + "b" * 1400


def test_white_space_is_passed_once_for_all_cuts() -> None:
    page = blank_page(1000)
    assert steps(lambda: chunk_page("", 1, page)) < 20 * len(page)


@pytest.mark.parametrize("unit", ["\n", ". ", "...", "-\n", "a\n", "。」", "\n\n\u0301", "\U0001f1f0", "\u200d", " \u0301"])
def test_pages_are_cut_in_proportion(unit: str) -> None:
    assert growth(lambda size: lambda: chunk_page("", 1, unit * size), 5000) < 6


def test_a_page_costs_no_look_at_all_sections() -> None:
    def every_page(size: int) -> Callable[[], object]:
        outline = SectionsByPage([OutlineItem(f"title {number}", number + 1, 1) for number in range(size)])
        sections = [Section(f"title {number}", 1, number + 1, (9, 9)) for number in range(size // 2, size)]
        return lambda: [SectionMap(sections, outline).on_page(page, "text") for page in (1, size)]

    def all_pages(size: int) -> Callable[[], object]:
        known = SectionMap([Section("title", 1, number + 1, (9, 9)) for number in range(size)])
        return lambda: [known.on_page(page, "text") for page in range(1, size + 1)]

    assert growth(every_page, 200) < 6
    assert growth(all_pages, 200) < 6


def test_many_sections_on_one_page() -> None:
    def starts(size: int) -> Callable[[], object]:
        sections = [Section("title", 1 + number % 100, 1, (number, number)) for number in range(size)]
        return lambda: section_spans(SectionMap(sections).on_page(1, ""), size)

    assert growth(starts, 200) < 6


@given(st.lists(st.tuples(st.integers(1, 9), st.text(max_size=3)), max_size=12), st.integers(1, 10))
def test_sections_by_page_are_those_of_the_outline(items: list[tuple[int, str]], page: int) -> None:
    outline = [OutlineItem(title, number, 1) for number, title in items]
    by_page = SectionsByPage(outline)
    assert by_page.on(page) == sections_on(outline, page)


def test_many_sections_on_a_page_of_many_chunks() -> None:
    def cut(size: int) -> Callable[[], object]:
        text = "word " * 300 * size
        return lambda: chunk_page("", 1, text, [SectionStart(number, str(number)) for number in range(size)])

    assert growth(cut, 50) < 6


def test_spaces_in_a_row_are_compared_in_proportion() -> None:
    assert growth(lambda size: lambda: wording("1" + " " * size + "2" + "- " * size), 1000) < 6
    assert wording("1   2").text == "1 2"
    assert wording("   1 a").text == "1a"


def test_parts_of_a_quotation_that_stand_everywhere() -> None:
    wanted = Wanted("these words […] those words")

    def find(size: int) -> Callable[[], object]:
        text = "these words, " * size + "x" * 3000 + " those words, " * size
        return lambda: wanted.found_in(text)

    assert growth(find, 200) < 6
    found = wanted.found_in("these words, these words and those words")
    assert found is not None
    assert found.span == (0, 40)


def test_a_square_would_be_seen() -> None:
    def square(size: int) -> Callable[[], object]:
        words = wording("a " * size)
        return lambda: [words.span(0, end) for end in range(1, size) for _ in range(end)]

    assert growth(square, 20) > 12


class Weighed(str):
    """A text that counts how many characters are cut out of it."""

    cut = 0

    def __getitem__(self, key: object) -> str:
        found = super().__getitem__(key)  # type: ignore[index]
        self.cut += len(found)
        return found


def test_cells_whose_spans_overlap_are_not_put_together() -> None:
    text = Weighed("x" * 1000)
    cell = Cell(1, 1, text="x", spans=((0, 1000),) * 5000)
    table = Table(1, 1, (cell,), (TablePart(1, 1, Rect(0, 0, 1, 1), range(1, 2)),))
    document = DocumentRow("0" * 64, "name", 1, None, "1", {})  # type: ignore[typeddict-item]
    quote = resolve_cell(Citation("name", 1, table=1, cell=(1, 1)), document, PageRow(1, text, "text"), lambda *_: [table])
    assert quote.verdict == "absent"
    assert text.cut <= len(text)
