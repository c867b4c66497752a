"""The tables of one page."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from pincite.model.geometry import Rect
from pincite.pdf.content.interpreter import PageContent
from pincite.pdf.layout.page_layout import PageLayout
from pincite.pdf.layout.tables.bands import find_banded
from pincite.pdf.layout.tables.captions import Surroundings
from pincite.pdf.layout.tables.cells import finish
from pincite.pdf.layout.tables.continuation import Found
from pincite.pdf.layout.tables.grid import Grid
from pincite.pdf.layout.tables.prose import part_prose
from pincite.pdf.layout.tables.refine import fill, refine
from pincite.pdf.layout.tables.ruled import find_grids
from pincite.pdf.layout.tables.rules import Rule, Rules, part_underlines, read_rules
from pincite.pdf.layout.tables.unruled import find_unruled
from pincite.pdf.layout.tables.words import Frame, Word, frames_of, is_text_rule, words_of

MOST_WORDS = 20_000
"""A page with more words is no page of tables."""


def find_tables(
    page: int, content: PageContent, layout: PageLayout, paths: tuple[array[float], array[int]], visible: Rect
) -> list[Found]:
    """All tables of a page, in the order of its text. `paths` are the columns of a `PathRecorder`."""
    found: list[tuple[int, Frame, Grid, Sequence[Word], Surroundings]] = []
    taken: set[int] = set()
    for frame in frames_of(content, layout):
        written = words_of(content, layout, frame)
        if len(written) > MOST_WORDS:
            continue
        rules = read_rules(*paths, frame, visible)
        drawn = [Rule(word.middle_y, word.x0, word.x1) for word in written if is_text_rule(word)]
        words = [word for word in written if not is_text_rule(word)]
        rules.horizontal, rules.underlines = part_underlines([*rules.horizontal, *drawn], words)
        surroundings = Surroundings(words, part_prose(words)[1])
        for grid in _in_frame([word for word in words if word.start not in taken], rules, surroundings):
            starts = {word.start for word in grid.words()}
            taken |= starts
            found.append((min(starts), frame, grid, words, surroundings))
    found.sort(key=lambda item: item[0])
    tables = []
    for number, (_, frame, grid, around, surroundings) in enumerate(found, 1):
        caption = surroundings.caption_over(grid.box, grid.em)
        table = finish(page, number, grid, frame, layout.text, caption)
        before, after = _lines_around(around, grid)
        tables.append(Found(table, before, after, caption, tuple(grid.xs), frame.turns))
    return tables


def _lines_around(words: Sequence[Word], grid: Grid) -> tuple[int, int]:
    """How many lines of text stand over a table and under it."""
    x0, y0, x1, y1 = grid.box
    beside = [word for word in words if not word.turned and word.x1 > x0 and word.x0 < x1]
    over = {word.line for word in beside if word.middle_y > y1}
    under = {word.line for word in beside if word.middle_y < y0}
    return len(over), len(under)


def _in_frame(words: Sequence[Word], rules: Rules, surroundings: Surroundings) -> list[Grid]:
    """The tables of a frame: those in grids of rules, then those between rules across, then those of mere text."""
    grids: list[Grid] = []
    taken: set[int] = set()

    def keep(found: Iterable[Grid]) -> None:
        for grid in found:
            if surroundings.is_figure(grid.box, grid.em) and not grid.is_regular():
                continue
            grids.append(grid)
            taken.update(word.start for word in grid.words())

    keep(_ruled(words, rules))
    keep(find_banded([word for word in words if word.start not in taken], rules, surroundings.paragraphs))
    keep(find_unruled([word for word in words if word.start not in taken], rules))
    return grids


def _ruled(words: Sequence[Word], rules: Rules) -> Iterable[Grid]:
    for grid in find_grids(rules):
        fill(grid, words)
        if not rules.pictured(*grid.box, grid.em) and refine(grid):
            yield grid
