"""Tables as the peers find them: a script of its own, for an interpreter that has them installed and pincite not.

    python table_peers.py camelot-lattice FILE…

writes a JSON line a file, `{"pages": {"1": [[[row, column, row span, column span, text], …], …]}, "cpu_s": 1.2}`, or
`{"error": "…"}`. Rows and columns count from 0. Merged cells keep their spans, so that nobody is worse off for saying them.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

Cells = list[tuple[int, int, int, int, str]]
Pages = dict[int, list[Cells]]


def _camelot(path: str, flavor: str, **options: Any) -> Pages:
    import camelot

    pages: Pages = {}
    for table in camelot.read_pdf(path, pages="all", flavor=flavor, suppress_stdout=True, **options):
        grid = table.cells
        spans = _merged(
            len(grid),
            len(grid[0]) if grid else 0,
            # a side that is not drawn is open; text flavours know no sides
            lambda row, column, grid=grid: flavor != "lattice" or grid[row][column].right or grid[row][column + 1].left,
            lambda row, column, grid=grid: flavor != "lattice" or grid[row][column].bottom or grid[row + 1][column].top,
        )
        cells = []
        for row, column, rows, columns in spans:
            texts = [grid[r][c].text.strip() for r in range(row, row + rows) for c in range(column, column + columns)]
            cells.append((row, column, rows, columns, "\n".join(text for text in texts if text)))
        pages.setdefault(int(table.page), []).append(cells)
    return pages


def _merged(
    rows: int, columns: int, walled_right: Callable[[int, int], bool], walled_below: Callable[[int, int], bool]
) -> list[tuple[int, int, int, int]]:
    """The rectangles of grid places that no wall parts."""
    seen: set[tuple[int, int]] = set()
    spans = []
    for row in range(rows):
        for column in range(columns):
            if (row, column) in seen:
                continue
            right = column
            while right + 1 < columns and (row, right + 1) not in seen and not walled_right(row, right):
                right += 1
            below = row
            while below + 1 < rows and not any(walled_below(below, c) for c in range(column, right + 1)):
                below += 1
            seen.update((r, c) for r in range(row, below + 1) for c in range(column, right + 1))
            spans.append((row, column, below - row + 1, right - column + 1))
    return spans


def _pdfplumber(path: str, settings: dict[str, Any]) -> Pages:
    import pdfplumber

    pages: Pages = {}
    with pdfplumber.open(path) as document:
        for page in document.pages:
            for table in page.find_tables(settings):
                boxes = [cell for row in table.rows for cell in row.cells if cell is not None]
                texts = [
                    text or ""
                    for row, line in zip(table.rows, table.extract(), strict=True)
                    for cell, text in zip(row.cells, line, strict=True)
                    if cell is not None
                ]
                lefts = sorted({box[0] for box in boxes} | {box[2] for box in boxes})
                tops = sorted({box[1] for box in boxes} | {box[3] for box in boxes})
                cells = []
                for box, text in zip(boxes, texts, strict=True):
                    column, right = lefts.index(box[0]), lefts.index(box[2])
                    row, below = tops.index(box[1]), tops.index(box[3])
                    cells.append((row, column, max(1, below - row), max(1, right - column), text))
                pages.setdefault(page.page_number, []).append(cells)
    return pages


TOOLS: dict[str, Callable[[str], Pages]] = {
    "camelot-lattice": lambda path: _camelot(path, "lattice"),
    "camelot-stream": lambda path: _camelot(path, "stream"),
    "camelot-network": lambda path: _camelot(path, "network"),
    "camelot-hybrid": lambda path: _camelot(path, "hybrid"),
    "camelot-auto": lambda path: _camelot(path, "auto"),
    "pdfplumber": lambda path: _pdfplumber(path, {}),
    "pdfplumber-text": lambda path: _pdfplumber(path, {"vertical_strategy": "text", "horizontal_strategy": "text"}),
    "pdfplumber-mixed": lambda path: _pdfplumber(path, {"vertical_strategy": "text", "horizontal_strategy": "lines"}),
}


def main() -> int:
    tool = TOOLS[sys.argv[1]]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no result
    warnings.simplefilter("ignore")
    for path in sys.argv[2:]:
        before = time.process_time()
        try:
            answer: dict[str, Any] = {"pages": tool(path), "cpu_s": time.process_time() - before}
        except Exception as error:  # a peer may raise anything
            answer = {"error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(answer), file=out, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
