"""Queries of every kind against a library of 200,000 chunks of generated text: milliseconds until the hits, snippets included."""

from __future__ import annotations

import argparse
import itertools
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.corpus import FREQUENT, PARTICLES, Words, build
from pincite.library import Library

Ask = tuple[str, dict[str, Any]]
"""A query, and the other arguments of `Library.search`."""

LIMIT = 10
OPENING = """
import time
started = time.perf_counter()
import pincite
from pincite.library import Library
imported = time.perf_counter()
with Library({path!r}) as library:
    hits = library.search({query!r})
assert hits
print((imported - started) * 1e3, (time.perf_counter() - imported) * 1e3)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--chunks", type=int, default=200_000, help="size of the library (default %(default)s)")
    parser.add_argument("--library", type=Path, help="keep the generated library there and use it again (default: do not)")
    parser.add_argument("--queries", type=int, default=40, metavar="N", help="queries of each kind (default %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    words = Words()
    with tempfile.TemporaryDirectory() as folder:
        path = options.library or Path(folder) / "library.sqlite"
        if not path.exists():
            print(f"writing {options.chunks} chunks …", file=sys.stderr)
            build(path, options.chunks, words)
        with Library(path) as library:
            print(f"Python {platform.python_version()}, {path.stat().st_size / 1e6:.0f} MB, {LIMIT} hits a query, milliseconds")
            print(f"{'':34}{'wall clock':^24}{'CPU time':^16}")
            print(f"{'kind of query':34}{'p50':>8}{'p95':>8}{'most':>8}{'p50':>8}{'p95':>8}   for example")
            for kind, asks in KINDS.items():
                report(kind, library, list(itertools.islice(asks(words, random.Random(kind)), options.queries)))
        opening(path)
    return 0


def report(kind: str, library: Library, asks: list[Ask]) -> None:
    walls, cpus = [], []
    for query, arguments in asks:
        wall, cpu = time.perf_counter(), time.process_time()
        library.search(query, LIMIT, **arguments)
        cpus.append((time.process_time() - cpu) * 1e3)
        walls.append((time.perf_counter() - wall) * 1e3)
    columns = f"{statistics.median(walls):8.1f}{p95(walls):8.1f}{max(walls):8.1f}{statistics.median(cpus):8.1f}{p95(cpus):8.1f}"
    print(f"{kind:34}{columns}   {asks[0][0][:40]}", flush=True)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def opening(path: Path) -> None:
    """A library opened by a process of its own, up to the first hit."""
    rows = []
    for word in FREQUENT[60:70]:
        code = OPENING.format(path=str(path), query=word)
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        rows.append([float(part) for part in done.stdout.split()])
    imported, found = (statistics.median(column) for column in zip(*rows, strict=True))
    print(f"in a new process: import {imported:.0f} ms, from there to the first hits {found:.0f} ms")


# The kinds. Ranks: a word of rank 100 is in a tenth of all chunks, one of rank 10,000 in a thousandth.


def _of(*ranks: tuple[int, int], join: str = " ", form: str = "{}") -> Callable[[Words, random.Random], Iterator[Ask]]:
    def asks(words: Words, dice: random.Random) -> Iterator[Ask]:
        while True:
            chosen = [words.english[dice.randrange(*span)] for span in ranks]
            yield form.format(join.join(chosen)), {}

    return asks


def _with(form: str, ranks: tuple[int, int], **arguments: Any) -> Callable[[Words, random.Random], Iterator[Ask]]:
    def asks(words: Words, dice: random.Random) -> Iterator[Ask]:
        while True:
            word = words.english[dice.randrange(*ranks)]
            yield form.format(word, document=dice.randrange(5000), page=dice.randrange(1, 18)), arguments

    return asks


def _prefix(words: Words, dice: random.Random) -> Iterator[Ask]:
    while True:
        yield words.english[dice.randrange(100, 20_000)][:4] + "*", {}


def _phrase(words: Words, dice: random.Random) -> Iterator[Ask]:
    """Words that stand so in one of the documents."""
    while True:
        text = words.text(random.Random(dice.randrange(1, 5000)), korean=False).split()
        start = dice.randrange(len(text) - 8)
        yield f'"{" ".join(text[start : start + dice.randrange(2, 8)])}"', {}


def _korean(ranks: tuple[int, int], count: int = 1, form: str = "{}") -> Callable[[Words, random.Random], Iterator[Ask]]:
    def asks(words: Words, dice: random.Random) -> Iterator[Ask]:
        while True:
            chosen = "".join(words.korean[dice.randrange(*ranks)] for _ in range(count))
            yield form.format(chosen + dice.choice(PARTICLES)), {}

    return asks


def _syllable(words: Words, dice: random.Random) -> Iterator[Ask]:
    while True:
        yield dice.choice(words.korean)[0], {}


FREQUENT_WORDS, MIDDLE, RARE, STOP_WORDS = (60, 140), (140, 2000), (2000, 40_000), (0, 8)
KINDS: dict[str, Callable[[Words, random.Random], Iterator[Ask]]] = {
    "rare word": _of(RARE),
    "middling word": _of(MIDDLE),
    "frequent word": _of((30, 80)),
    "stop word": _of(STOP_WORDS),
    "three stop words": _of(STOP_WORDS, STOP_WORDS, STOP_WORDS),
    "two middling words": _of(MIDDLE, MIDDLE),
    "two frequent words": _of((30, 80), (30, 80)),
    "stop word and a rare one": _of(STOP_WORDS, RARE),
    "stop words and a frequent one": _of(STOP_WORDS, (30, 80), STOP_WORDS),
    "five words": _of(FREQUENT_WORDS, MIDDLE, FREQUENT_WORDS, MIDDLE, FREQUENT_WORDS),
    "OR of frequent words": _of((30, 80), (30, 80), join=" OR "),
    "exclusion": _of((30, 80), MIDDLE, join=" -"),
    "phrase out of the text": _phrase,
    "phrase of frequent words": _of((30, 80), (30, 80), form='"{}"'),
    "phrase of stop words": _of(STOP_WORDS, STOP_WORDS, form='"{}"'),
    "prefix of four letters": _prefix,
    "word that is not there": _of((0, 1), form="zzz{}"),
    "Korean word with particle": _korean((50, 5000)),
    "frequent Korean word": _korean((0, 20)),
    "Korean compound": _korean((50, 5000), 3),
    "Korean syllable": _syllable,
    "in one document": _with("{} doc:document-{document:05}", (0, 80)),
    "in a thousand documents": _with("{} doc:document-0{page}*", (30, 80)),
    "on some pages": _with("{} page:{page}-19", (0, 140)),
    "in a section": _with("{}", (0, 140), sections=["results"]),
    "by document and page": _with("{}", (0, 2000), order="document"),
    "grouped by document": _with("{}", (30, 2000), group=True),
    "with context": _with("{}", (140, 2000), context=400),
}
