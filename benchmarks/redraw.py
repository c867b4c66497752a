"""Rewrites PDFs so that they look the same and are drawn in another order: their lines shuffled, or blocks of lines.

A page keeps its graphics and its forms. Every glyph that its own content shows is drawn anew, in place, by an operator of its
own, so that lines can go in any order.
"""

from __future__ import annotations

import io
import math
import random
from collections import defaultdict
from typing import Any, Literal, NamedTuple

import pikepdf

import pincite
from pincite import Page
from pincite._kernel.columns import (
    FACT_FIELDS,
    FLAG_CLIPPED,
    FLAG_HIDDEN,
    PLACE_FIELDS,
    RUN_FACT_FIELDS,
    RUN_NUMBER_FIELDS,
)
from pincite.model.rules import TextRules
from pincite.pdf.content.interpreter import PageContent

Mode = Literal["kept", "lines", "blocks"]

_SHOWING = frozenset(("Tj", "TJ", "'", '"'))
_MARKS = frozenset(("BMC", "BDC", "EMC", "MP", "DP"))


class _TextState(NamedTuple):
    font: str = ""
    scaling: float = 100.0
    mode: int = 0


class _Line(NamedTuple):
    """Where a line stands, for telling blocks: along the first glyph's writing direction, and across it."""

    rows: list[int]
    start: float
    end: float
    down: float
    em: float
    direction: tuple[int, int]


def redraw(pdf: bytes, mode: Mode, seed: int = 0) -> bytes:
    """The file with its pages drawn in another order ("kept": in the same order, for comparison)."""
    dice = random.Random(seed)
    with pincite.open(pdf) as document, pikepdf.open(io.BytesIO(pdf)) as file:
        for page, target in zip(document, file.pages, strict=False):
            _redraw_page(page, file, target, mode, dice)
        output = io.BytesIO()
        file.save(output, deterministic_id=True)
        return output.getvalue()


def _redraw_page(page: Page, file: pikepdf.Pdf, target: pikepdf.Page, mode: Mode, dice: random.Random) -> None:
    content = page._content(True)
    instructions = list(pikepdf.parse_content_stream(target))
    shown = _glyphs_by_string(content)
    drawn = _drawings(content, instructions, shown, target)
    if drawn is None:
        return
    lines = [line for line in _lines(page, content) if any(row in drawn for row in line.rows)]
    if mode == "lines":
        dice.shuffle(lines)
    elif mode == "blocks":
        blocks = _blocks(lines)
        dice.shuffle(blocks)
        lines = [line for block in blocks for line in block]
    rest = [instruction for instruction in instructions if str(instruction.operator) not in _SHOWING | _MARKS]
    text = b"\n".join(b"".join(drawn[row] for row in sorted(line.rows) if row in drawn) for line in lines)
    target.Contents = file.make_stream(b"q\n" + pikepdf.unparse_content_stream(rest) + b"\nQ\n" + text)


def _glyphs_by_string(content: PageContent) -> dict[tuple[int, int], list[int]]:
    """The glyph rows of each string of each operator of the page's own content."""
    shown: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in range(len(content.flags)):
        run = content.facts[FACT_FIELDS * row + 2]
        operator = content.run_facts[RUN_FACT_FIELDS * run + 4]
        if operator >= 0 and content.facts[FACT_FIELDS * row + 1] >= 0:
            shown[operator, content.facts[FACT_FIELDS * row + 3]].append(row)
    return shown


def _drawings(
    content: PageContent, instructions: list[Any], shown: dict[tuple[int, int], list[int]], target: pikepdf.Page
) -> dict[int, bytes] | None:
    """What draws each glyph, by its row; None where the content can't be followed."""
    drawn: dict[int, bytes] = {}
    states = [_TextState()]
    for number, instruction in enumerate(instructions, 1):
        operator, operands = str(instruction.operator), instruction.operands
        state = states[-1]
        if operator == "q":
            states.append(state)
        elif operator == "Q":
            if len(states) > 1:
                states.pop()
        elif operator == "Tf":
            states[-1] = state._replace(font=str(operands[0]))
        elif operator == "Tz":
            states[-1] = state._replace(scaling=float(operands[0]))
        elif operator == "Tr":
            states[-1] = state._replace(mode=int(operands[0]))
        elif operator in _SHOWING:
            for index, string in enumerate(_strings(operator, operands)):
                rows = shown.get((number, index), [])
                for row, code in zip(rows, _codes(content, rows, string), strict=False):
                    if not content.flags[row] & (FLAG_HIDDEN | FLAG_CLIPPED):
                        drawn[row] = _drawing(content, row, code, state)
    return drawn if len(drawn) or not shown else None


def _strings(operator: str, operands: Any) -> list[bytes]:
    if operator == "TJ":
        return [bytes(item) for item in operands[0] if isinstance(item, pikepdf.String)]
    return [bytes(operands[-1])] if operands else []


def _codes(content: PageContent, rows: list[int], string: bytes) -> list[bytes]:
    """The string in codes; a string that can't be told apart is drawn whole, by its first glyph."""
    if not rows:
        return []
    run = content.facts[FACT_FIELDS * rows[0] + 2]
    font = content.fonts.get(content.run_facts[RUN_FACT_FIELDS * run])
    size = font.table.code_size() if font is not None else 1
    if size == 0:
        size = next((length for length in (2, 1) if length * len(rows) == len(string)), len(string))
    return [string[at : at + size] for at in range(0, len(string), size)]


def _drawing(content: PageContent, row: int, code: bytes, state: _TextState) -> bytes:
    run = content.facts[FACT_FIELDS * row + 2]
    dx, dy, ux, uy, em, size = content.run_numbers[RUN_NUMBER_FIELDS * run : RUN_NUMBER_FIELDS * (run + 1)]
    x, y = content.places[PLACE_FIELDS * row : PLACE_FIELDS * row + 2]
    sign = -1.0 if size * state.scaling < 0 else 1.0
    font = content.fonts.get(content.run_facts[RUN_FACT_FIELDS * run])
    # the up vector is one em long; what an em is in a Type 3 font is its own matter
    length = math.hypot(ux, uy) / abs(size) if size else 1.0
    if font is not None and abs(em - abs(size) * length) > 1e-6 * em:
        length = math.hypot(dx, dy)
    up = math.hypot(ux, uy) or 1.0
    c, d = ux / up * length, uy / up * length
    if size < 0:
        c, d = -c, -d
    a, b = (sign * dx, sign * dy) if not content.run_facts[RUN_FACT_FIELDS * run + 2] else (d, -c)
    matrix = " ".join(f"{value:.6f}".rstrip("0").rstrip(".") for value in (a, b, c, d, x, y))
    text = f"BT {state.font} {size:.6g} Tf {state.scaling:.6g} Tz {state.mode} Tr {matrix} Tm <{code.hex()}> Tj ET\n"
    return text.encode("latin-1")


def _lines(page: Page, content: PageContent) -> list[_Line]:
    """The lines in content order, each with all that is drawn with it: accents, what is drawn twice."""
    layout = page._layout(TextRules(), True, "content")
    line_of = {}
    starts = [*layout.line_starts, len(layout.sources)]
    for number in range(len(starts) - 1):
        for row in layout.sources[starts[number] : starts[number + 1]]:
            if row >= 0:
                line_of[row] = number
    rows: dict[int, list[int]] = defaultdict(list)
    number = 0
    for row in range(len(content.flags)):
        number = line_of.get(row, number)
        rows[number].append(row)
    return [_place(content, rows[number]) for number in sorted(rows)]


def _place(content: PageContent, rows: list[int]) -> _Line:
    starts, ends = [], []
    ex = ey = 0.0
    down = em = 0.0
    for row in rows:
        run = content.facts[FACT_FIELDS * row + 2]
        dx, dy, _, _, height = content.run_numbers[RUN_NUMBER_FIELDS * run : RUN_NUMBER_FIELDS * run + 5]
        x, y, own = content.places[PLACE_FIELDS * row : PLACE_FIELDS * row + 3]
        if not starts:
            length = math.hypot(dx, dy) or 1.0
            ex, ey = dx / length, dy / length
            down, em = x * ey - y * ex, height
        starts.append(x * ex + y * ey)
        ends.append(starts[-1] + own * (dx * ex + dy * ey))
        em = max(em, height)
    return _Line(rows, min(starts), max(ends), down, em, (round(ex, 1), round(ey, 1)))  # type: ignore[arg-type]


def _blocks(lines: list[_Line]) -> list[list[_Line]]:
    """Lines that follow each other directly below, in content order, are a block."""
    blocks: list[list[_Line]] = []
    for line in lines:
        if blocks:
            before = blocks[-1][-1]
            step = line.down - before.down
            reach = 1.6 * max(line.em, before.em)
            if line.direction == before.direction and 0 < step < reach and line.start < before.end and line.end > before.start:
                blocks[-1].append(line)
                continue
        blocks.append([line])
    return blocks
