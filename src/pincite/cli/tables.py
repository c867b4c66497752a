"""`pincite tables`: the tables of one file, through the sandbox, without a library."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import output
from pincite.cli.limits import with_limits
from pincite.cli.options import JsonOption
from pincite.cli.password import PasswordFileOption, with_password
from pincite.model.cell_value import CellValue, decimal_mark
from pincite.model.geometry import Rect
from pincite.model.limits import Limits
from pincite.model.table import Cell, Table

if TYPE_CHECKING:
    from pincite.sandbox.result import TablesResult

STANDARD_INPUT = "-"
NOTHING_FOUND = 1
IN_PART = 3


@with_limits
def tables(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A PDF file, or - for standard input.")],
    first: Annotated[int, typer.Option("--first", "-f", metavar="N", min=1, help="The first page to look at.")] = 1,
    last: Annotated[int | None, typer.Option("--last", "-l", metavar="N", min=1, help="The last page to look at.")] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Write comma-separated values, a blank line between tables.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown; this is the default.")] = False,
    json: JsonOption = False,
    apart: Annotated[bool, typer.Option("--by-page", help="Keep what goes on over a page break apart, as citations do.")] = False,
    numbers: Annotated[bool, typer.Option("--numbers", help="In Markdown, lead each row with its number in citations.")] = False,
    typed: Annotated[bool, typer.Option("--typed", help="With --json, read cells as numbers, amounts and dates.")] = False,
    password_file: PasswordFileOption = None,
    *,
    limits: Limits,
) -> None:
    """Print the tables of a PDF file, without a library.

    A table that goes on over a page break is one, without the heads that are repeated. The file is read in a confined process.

    \b
    Example:
      pincite tables report.pdf --csv
    """
    if csv + markdown + json > 1:
        raise typer.BadParameter("choose one of --csv, --markdown and --json")
    if numbers and (csv or json):
        raise typer.BadParameter("only Markdown has them; the cells of --json say how they are cited", param_hint="--numbers")
    if last is not None and last < first:
        raise typer.BadParameter(f"the last page, {last}, comes before the first, {first}", param_hint="--last")
    if last is not None:
        limits = replace(limits, max_pages=max(last, limits.max_pages))
    found = _find(file, (first, last or limits.max_pages), limits, password_file, whole=not apart)
    for failure in found.failures:
        output.note(f"page {failure.page} can't be read: {failure.error}")
    if json:
        output.write_json(
            {
                "file": file,
                "tables": [_as_json(table, typed=typed) for table in found.tables],
                "failures": [{"page": failure.page, "error": failure.error} for failure in found.failures],
            }
        )
    else:
        for number, table in enumerate(found.tables):
            output.write("\n" if number else "")
            output.write(_shown(table.to_csv() if csv else _as_markdown(table, numbers=numbers)))
    if found.failures:
        raise typer.Exit(IN_PART)
    if not found.tables:
        output.note(f"no table on the pages of {output.printable(file)} that were looked at")
        raise typer.Exit(NOTHING_FOUND)


def _find(file: str, pages: tuple[int, int], limits: Limits, password_file: Path | None, *, whole: bool) -> TablesResult:
    from pincite.sandbox.runner import Runner

    runner = Runner.from_limits(limits)
    source = sys.stdin.fileno() if file == STANDARD_INPUT else file
    return with_password(
        lambda password: runner.tables(source, *pages, whole=whole, password=password), file, password_file
    )


def _shown(text: str) -> str:
    return output.printable_text(text.replace("\r\n", "\n")) if output.is_terminal(sys.stdout) else text


def _as_markdown(table: Table, *, numbers: bool) -> str:
    if numbers:
        where = ", ".join(f"p{part.page}:table={part.number}" for part in table.parts)
    else:
        where = f"page {', '.join(str(part.page) for part in table.parts)}"
    return f"**{table.caption or f'Table {table.number}'}** ({where})\n\n{table.to_markdown(numbers=numbers)}"


def _as_json(table: Table, *, typed: bool) -> dict[str, Any]:
    mark = decimal_mark(cell.text for cell in table.cells) if typed else None
    cells = []
    for cell in table.cells:
        page, number, row, column = table.place(cell)
        told: dict[str, Any] = {
            "row": cell.row,
            "column": cell.column,
            "row_span": cell.row_span,
            "column_span": cell.column_span,
            "header": cell.header,
            "text": cell.text,
            "spans": [list(span) for span in cell.spans],
            "page": page,
            "box": None if cell.box is None else _box_as_json(cell.box),
            "cited": f"p{page}:table={number}:cell={row},{column}",
        }
        if typed:
            told["value"] = _value_as_json(cell, mark)
        cells.append(told)
    return {
        "page": table.page,
        "number": table.number,
        "caption": table.caption,
        "kind": table.kind,
        "rows": table.rows,
        "columns": table.columns,
        "header_rows": table.header_rows,
        "parts": [
            {
                "page": part.page,
                "number": part.number,
                "box": _box_as_json(part.box),
                "first_row": part.rows.start,
                "last_row": part.rows.stop - 1,
            }
            for part in table.parts
        ],
        "cells": cells,
    }


def _box_as_json(box: Rect) -> list[float]:
    return [round(number, 2) for number in (box.x0, box.y0, box.x1, box.y1)]


def _value_as_json(cell: Cell, mark: Any) -> dict[str, Any] | None:
    read: CellValue | None = cell.value(mark)
    if read is None:
        return None
    # numbers as text: as exact as they are written
    return {"kind": read.kind, "value": str(read.value), "currency": read.currency}
