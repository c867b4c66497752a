"""Tables: precision and recall of cell adjacency relations, pincite beside its peers in one run.

A relation is a pair of neighbours: each cell that is not blank, with the next one that is not blank to its right and below
it (M. Göbel, T. Hassan, E. Oro, G. Orsi: A methodology for evaluating algorithms for table understanding in PDF documents,
DocEng 2012). Relations of a page are compared as a multiset of (text, text, direction), over the whole page: so finding the
tables counts as well as taking them apart, and a table that is none costs precision.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from benchmarks.table_peers import TOOLS, Cells, Pages

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "tables"
DEFAULT_TOOLS = (
    "pincite",
    "camelot-lattice",
    "camelot-stream",
    "camelot-hybrid",
    "camelot-auto",
    "pdfplumber",
    "pdfplumber-text",
)
PEERS_SCRIPT = Path(__file__).with_name("table_peers.py")

Relation = tuple[str, str, str]
Relations = Counter[tuple[int, Relation]]

_DASHES = dict.fromkeys([0xAD, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xF02D], "-")
_QUOTES = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0xB4: "'", 0x60: "'"}


@dataclass
class Score:
    """How many relations are true, how many were found, and how many of these are true."""

    true: int = 0
    found: int = 0
    right: int = 0
    error: str | None = None

    def add(self, other: Score) -> None:
        self.true += other.true
        self.found += other.found
        self.right += other.right

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else float(not self.true)

    @property
    def recall(self) -> float:
        return self.right / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.true + self.found) if self.true + self.found else 1.0


@dataclass
class Answer:
    """What one tool said of all files."""

    scores: dict[str, Score] = field(default_factory=dict)
    cpu_s: float = 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--corpus", type=Path, default=CORPUS, help="a folder of NAME.pdf with NAME-str.xml (default %(default)s)"
    )
    parser.add_argument("--tools", default=",".join(DEFAULT_TOOLS), help=f"of pincite, {', '.join(TOOLS)} (default %(default)s)")
    parser.add_argument("--peers", default=sys.executable, metavar="PYTHON", help="an interpreter that has the peers installed")
    parser.add_argument("--docs", action="store_true", help="a row a document as well")
    parser.add_argument("--wrong", metavar="NAME", help="list the relations of one document that pincite misses or makes up")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    truths = sorted(options.corpus.glob("*-str.xml"))
    names = [path.name.removesuffix("-str.xml") for path in truths]
    files = [options.corpus / f"{name}.pdf" for name in names]
    expected = [page_relations(read_truth(path)) for path in truths]
    if options.wrong:
        return show_wrong(options.corpus / f"{options.wrong}.pdf", expected[names.index(options.wrong)])
    answers = {tool: ask(tool, files, names, expected, options.peers) for tool in options.tools.split(",")}
    if options.docs:
        show_documents(names, answers)
    print(f"{len(files)} files, {sum(score.true for score in next(iter(answers.values())).scores.values())} relations")
    print(f"{'':18}{'over all relations':^26}{'mean of documents':^26}")
    print(f"{'tool':18}" + f"{'precision':>10}{'recall':>8}{'F1':>8}" * 2 + f"{'failed':>8}{'CPU s':>8}")
    for tool, answer in answers.items():
        total = Score()
        for score in answer.scores.values():
            total.add(score)
        count = len(answer.scores)
        means = [sum(getattr(score, name) for score in answer.scores.values()) / count for name in ("precision", "recall", "f1")]
        failed = sum(score.error is not None for score in answer.scores.values())
        print(
            f"{tool:18}{total.precision:10.4f}{total.recall:8.4f}{total.f1:8.4f}"
            f"{means[0]:10.4f}{means[1]:8.4f}{means[2]:8.4f}{failed:8}{answer.cpu_s:8.1f}"
        )
    return 0


def show_documents(names: Sequence[str], answers: dict[str, Answer]) -> None:
    """Precision and recall of each tool, the worst of the first tool's documents last."""
    first = next(iter(answers.values()))
    print(f"{'document':12}{'true':>6}" + "".join(f"{tool:>20}" for tool in answers))
    for name in sorted(names, key=lambda name: -first.scores[name].f1):
        row = "".join(f"{answer.scores[name].precision:12.3f} {answer.scores[name].recall:7.3f}" for answer in answers.values())
        print(f"{name:12}{first.scores[name].true:6}{row}")


def show_wrong(path: Path, expected: Relations) -> int:
    found = page_relations(ask_pincite(path))
    for (page, (first, second, direction)), count in sorted((expected - found).items()):
        print(f"missed  p{page} {direction:5} {first[:50]!r} {second[:50]!r} {count if count > 1 else ''}")
    for (page, (first, second, direction)), count in sorted((found - expected).items()):
        print(f"made up p{page} {direction:5} {first[:50]!r} {second[:50]!r} {count if count > 1 else ''}")
    return 0


def ask(tool: str, files: Sequence[Path], names: Sequence[str], expected: Sequence[Relations], python: str) -> Answer:
    answer = Answer()
    if tool == "pincite":
        replies: Iterable[dict[str, object]] = map(_reply_of_pincite, files)
    else:
        command = [python, str(PEERS_SCRIPT), tool, *map(str, files)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        replies = map(json.loads, done.stdout.splitlines())
    for name, truth, reply in zip(names, expected, replies, strict=True):
        pages = reply.get("pages", {})
        assert isinstance(pages, dict)
        found = page_relations({int(page): tables for page, tables in pages.items()})
        score = Score(truth.total(), found.total(), (truth & found).total())
        if "error" in reply:
            score.error = str(reply["error"])
            print(f"{tool}: {name}: {score.error}", file=sys.stderr)
        answer.scores[name] = score
        answer.cpu_s += float(str(reply.get("cpu_s", 0.0)))
    return answer


def _reply_of_pincite(path: Path) -> dict[str, object]:
    before = time.process_time()
    pages = ask_pincite(path)
    return {"pages": pages, "cpu_s": time.process_time() - before}


def ask_pincite(path: Path) -> Pages:
    import pincite

    pages: Pages = {}
    with pincite.open(path) as document:
        for page in document:
            for table in page.tables():
                cells = [(cell.row, cell.column, cell.row_span, cell.column_span, cell.text) for cell in table.cells]
                pages.setdefault(page.number, []).append(cells)
    return pages


def read_truth(path: Path) -> Pages:
    """The tables of an ICDAR-2013 structure file; a table over several regions is a table a region."""
    pages: Pages = {}
    for region in ElementTree.parse(path).getroot().iter("region"):
        cells: Cells = []
        for cell in region.iter("cell"):
            row, column = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
            rows = int(cell.get("end-row", row)) - row + 1
            columns = int(cell.get("end-col", column)) - column + 1
            cells.append((row, column, rows, columns, cell.findtext("content") or ""))
        pages.setdefault(int(region.attrib["page"]), []).append(cells)
    return pages


def page_relations(pages: Pages) -> Relations:
    """All relations with the page that they stand on."""
    return Counter((page, relation) for page, tables in pages.items() for cells in tables for relation in relations(cells))


def relations(cells: Cells) -> list[Relation]:
    """The relations of one table. A cell over several rows may have a neighbour in each; a pair counts once."""
    places: dict[tuple[int, int], int] = {}
    texts = [plain(text) for *_, text in cells]
    for number, (row, column, rows, columns, _) in enumerate(cells):
        if texts[number]:
            for place in ((r, c) for r in range(row, row + rows) for c in range(column, column + columns)):
                places.setdefault(place, number)
    last_row = max((row for row, _ in places), default=0)
    last_column = max((column for _, column in places), default=0)
    pairs: dict[tuple[int, int, str], None] = {}
    for (row, column), number in sorted(places.items()):
        for direction, line in (
            ("right", ((row, c) for c in range(column + 1, last_column + 1))),
            ("below", ((r, column) for r in range(row + 1, last_row + 1))),
        ):
            other = next((places[place] for place in line if places.get(place, number) != number), None)
            if other is not None:
                pairs[number, other, direction] = None
    return [(texts[first], texts[second], direction) for first, second, direction in pairs]


def plain(text: str) -> str:
    """A cell's text as it is compared: without white space and leaders, one dash, one kind of quotes, as NFKC has it."""
    folded = unicodedata.normalize("NFKC", text.translate(_DASHES).translate(_QUOTES))
    return re.sub(r"\.{4,}", "", re.sub(r"\s+", "", folded)).casefold()
