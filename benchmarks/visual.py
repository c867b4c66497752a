"""Visual text: do the cells of tables keep their places in a grid of characters, beside `pdftotext -layout`?

Of the tables whose cells are known, each pair of neighbouring cells is looked for in the text of its page. Cells beside each
other are kept where both stand on one line with two blanks or more between them and nothing else; cells below each other where
the lower one begins on one of the next lines and the two have a column of characters in common. A cell of several lines counts
by its first line, whatever that holds of it.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pincite
from benchmarks.table_peers import Cells
from benchmarks.tables import CORPUS, plain, read_truth, relations

NEXT_LINES = 12
_PIECE = re.compile(r"\S(?:\S| (?! ))*")


class Piece(NamedTuple):
    """What stands between two wide gaps: its line, its columns, its text without white space, and its number on the line."""

    line: int
    start: int
    end: int
    text: str
    number: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="a folder of PDF files with -str.xml (default %(default)s)")
    parser.add_argument("--docs", action="store_true", help="a row a document as well")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    readers: dict[str, Callable[[Path], list[str]]] = {"pincite": of_pincite, "pdftotext": of_pdftotext}
    totals = {name: [0, 0, 0, 0] for name in readers}
    for truth in sorted(options.corpus.glob("*-str.xml")):
        path = truth.with_name(truth.name.replace("-str.xml", ".pdf"))
        pages = read_truth(truth)
        row = []
        for name, reader in readers.items():
            texts = reader(path)
            counts = [0, 0, 0, 0]
            for page, tables in pages.items():
                for cells in tables:
                    counts = [old + new for old, new in zip(counts, kept(cells, texts[page - 1]), strict=True)]
            totals[name] = [old + new for old, new in zip(totals[name], counts, strict=True)]
            row.append(f"{_share(*counts[:2])} {_share(*counts[2:])}")
        if options.docs:
            print(f"{path.stem:12}" + "  ".join(row), flush=True)
    for name, counts in totals.items():
        print(f"{name:12} beside {_share(*counts[:2])} of {counts[1]}, below {_share(*counts[2:])} of {counts[3]}")
    return 0


def of_pincite(path: Path) -> list[str]:
    with pincite.open(path) as document:
        return [page.layout_text() for page in document]


def of_pdftotext(path: Path) -> list[str]:
    done = subprocess.run(["pdftotext", "-layout", "-enc", "UTF-8", path, "-"], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace").split("\f")


def kept(cells: Cells, text: str) -> list[int]:
    """(pairs beside each other that are kept, all, pairs below each other that are kept, all)."""
    pieces = list(_pieces(text))
    counts = [0, 0, 0, 0]
    for first, second, direction in relations(cells):
        upper = [piece for piece in pieces if first.startswith(piece.text)]
        other = [piece for piece in pieces if second.startswith(piece.text)]
        if direction == "right":
            counts[0] += any(a.line == b.line and a.number + 1 == b.number for a in upper for b in other)
            counts[1] += 1
        else:
            counts[2] += any(
                0 < b.line - a.line <= NEXT_LINES and a.start < b.end and b.start < a.end for a in upper for b in other
            )
            counts[3] += 1
    return counts


def _pieces(page: str) -> Iterator[Piece]:
    for number, line in enumerate(page.splitlines()):
        for position, found in enumerate(_PIECE.finditer(line)):
            if text := plain(found[0]):
                yield Piece(number, *found.span(), text, position)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "   -  "
