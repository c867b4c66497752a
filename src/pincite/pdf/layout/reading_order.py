"""The order that a reader reads a page in, starting from the order that it is drawn in."""

from __future__ import annotations

from array import array

from pincite._kernel.lines import LineBuilder
from pincite._kernel.pieces import arranged_lines, cut_lines
from pincite._kernel.reading import ReadingOrder
from pincite.pdf.content.interpreter import PageContent

WIDE_GAP = 0.8
"""A gap on a line over this (em) may be one between columns."""


def put_in_reading_order(content: PageContent, values: array[int], builder: LineBuilder) -> float | None:
    """Reorder the lines of a page whose content order is not the one to read it in.

    Returns the share of visible glyphs that had to move, or None where the content order stands.
    """
    rows, lines, marks = builder.line_rows()
    if len(lines) < 2:
        return None
    numbers, pieces, rows = cut_lines(
        content.places, content.facts, content.run_numbers, content.run_facts, values, rows, lines, marks, WIDE_GAP
    )
    reading = ReadingOrder(numbers, pieces)
    order = reading.arrange()
    if not order:
        return None
    builder.set_lines(*arranged_lines(order, numbers, pieces, rows))
    return reading.moved(order)
