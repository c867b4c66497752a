"""Headings: precision, recall and F1 against section titles that are known, with their levels.

A heading is right where its title (white space and case folded) and its level are those of the truth; each of the truth's
counts once, and the order is not asked for. The truth of a publisher's XML has no headings of the front and back matter
(abstract, references, acknowledgements): the second measure leaves these out of what is found, too.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "papers"

_AROUND = re.compile(
    r"(?:\d+\.? )?(?:abstract|summary|key ?words?|references?|bibliography|literature cited|acknowledge?ments?|"
    r"supplementary .*|supporting .*|appendix.*|abbreviations?|article info|contents)[.:]?\Z"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="a folder of NAME.pdf with NAME.headings.json")
    parser.add_argument("--docs", action="store_true", help="a row a document as well")
    parser.add_argument("--wrong", metavar="NAME", help="list what is missed and made up in one document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    totals = {"all": [0, 0, 0], "body": [0, 0, 0], "without level": [0, 0, 0]}
    for path in sorted(options.corpus.glob("*.headings.json")):
        name = path.name.removesuffix(".headings.json")
        if options.wrong and name != options.wrong:
            continue
        truth = Counter((plain(item["title"]), item["level"]) for item in json.loads(path.read_text(encoding="utf-8")))
        found = find(options.corpus / f"{name}.pdf")
        if options.wrong:
            return show_wrong(truth, found)
        kept = [(title, level) for title, level in found if not _AROUND.match(title)]
        counts = {
            "all": (truth, Counter(found)),
            "body": (truth, Counter(kept)),
            "without level": (_titles(truth.elements()), _titles(kept)),
        }
        for measure, (expected, got) in counts.items():
            for index, count in enumerate((expected.total(), got.total(), (expected & got).total())):
                totals[measure][index] += count
        if options.docs:
            print(f"{name:16}" + "".join(f"{_show(*_sums(*counts[measure])):>36}" for measure in totals))
    for measure, (true, found_count, right) in totals.items():
        print(f"{measure:16}{_show(true, found_count, right)}")
    return 0


def _titles(headings: Iterable[tuple[str, int]]) -> Counter[tuple[str, int]]:
    return Counter((title, 0) for title, _ in headings)


def _sums(expected: Counter[tuple[str, int]], got: Counter[tuple[str, int]]) -> tuple[int, int, int]:
    return expected.total(), got.total(), (expected & got).total()


def _show(true: int, found: int, right: int) -> str:
    precision, recall = right / found if found else float(not true), right / true if true else 1.0
    f1 = 2 * right / (true + found) if true + found else 1.0
    return f"{true:5}{found:5}  P {precision:.3f} R {recall:.3f} F1 {f1:.3f}"


def show_wrong(truth: Counter[tuple[str, int]], found: list[tuple[str, int]]) -> int:
    for title, level in (truth - Counter(found)).elements():
        print(f"missed  {level} {title}")
    for title, level in (Counter(found) - truth).elements():
        print(f"made up {level} {title}")
    return 0


def find(path: Path) -> list[tuple[str, int]]:
    import pincite

    with pincite.open(path) as document:
        return [(plain(section.title), section.level) for section in document.sections]


def plain(title: str) -> str:
    """A title as it is compared."""
    return " ".join(title.split()).casefold()
