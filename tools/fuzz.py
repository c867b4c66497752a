#!/usr/bin/env python3
"""Read mutated PDFs until one breaks a law: `python tools/fuzz.py FOLDER --files 100000`.

Each mutation of a seed file is read in a forked process under limits of CPU time and memory. A finding is a crash, a file that
takes longer than the limit, an exception that is not a PinciteError, or a page that breaks a law: its text is valid Unicode
without control characters but line ends, and every span of it has quads. Findings are kept in --keep under the number that
makes them again.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
import zlib
from pathlib import Path

import pincite

NUMBERS = [
    b"0",
    b"-1",
    b"1",
    b"65536",
    b"2147483648",
    b"1000000000",
    b"99999999999999999999",
    b"1e308",
    b"-.5",
    b"0.0000001",
    b"--5",
    b".",
]
TOKENS = [
    b"<<",
    b">>",
    b"[",
    b"]",
    b"(",
    b")",
    b"/",
    b"endobj",
    b"stream",
    b"endstream",
    b"R",
    b"null",
    b"true",
    b"BT",
    b"ET",
    b"q",
    b"Q",
]
OPERATORS = [
    b"Tj",
    b"TJ",
    b"Tf",
    b"Td",
    b"TD",
    b"Tm",
    b"T*",
    b"'",
    b'"',
    b"Tc",
    b"Tw",
    b"Tz",
    b"TL",
    b"Ts",
    b"Tr",
    b"cm",
    b"Do",
    b"gs",
    b"BDC",
]
STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.DOTALL)
NUMBER = re.compile(rb"(?<![\w.])[-+]?\d+\.?\d*(?![\w.])")
NAME = re.compile(rb"/[A-Za-z][A-Za-z0-9.+-]*")
BATCH = 50
"""Files a fork reads: a crash costs these, and they are then read one by one."""


def mutate(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """One to six changes of a file, some of them inside its streams."""
    if chance.random() < 0.5:
        data = in_a_stream(data, chance)
    for _ in range(chance.randrange(0, 6)):
        data = change(data, chance, others)
    return data


def in_a_stream(data: bytes, chance: random.Random) -> bytes:
    """Change the decoded data of a Flate stream, and put it back uncompressed under a filter that says so."""
    streams = list(STREAM.finditer(data))
    if not streams:
        return data
    match = chance.choice(streams)
    try:
        plain = zlib.decompress(match[1])
    except zlib.error:
        plain = match[1]
    for _ in range(chance.randrange(1, 5)):
        plain = change(plain, chance, [])
        if chance.random() < 0.3:
            at = chance.randrange(len(plain) + 1)
            plain = plain[:at] + b" " + chance.choice(OPERATORS) + b" " + plain[at:]
    return data[: match.start(1)] + zlib.compress(plain, 1) + data[match.end(1) :]


def change(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    kind = chance.randrange(9)
    if kind == 0:
        return data[:at] + bytes((data[at] ^ 1 << chance.randrange(8),)) + data[at + 1 :]
    if kind == 1:
        return data[:at] + chance.choice(TOKENS) + data[at:]
    if kind == 2:
        return data[:at] + data[at + chance.randrange(1, 200) :]
    if kind == 3:
        return data[:at] if chance.random() < 0.2 else data[:at] + data[at : at + 300] * chance.randrange(2, 5) + data[at:]
    if kind == 4 and others:
        other = chance.choice(others)
        start = chance.randrange(len(other))
        return data[:at] + other[start : start + chance.randrange(1, 3000)] + data[at:]
    pattern = NAME if kind == 5 else NUMBER
    found = pattern.search(data, at) or pattern.search(data)
    if found is None:
        return data
    if pattern is NAME:
        swap = chance.choice(NAME.findall(data[:200_000]) or [b"/X"])
    else:
        swap = chance.choice(NUMBERS) if chance.random() < 0.7 else b"%d" % chance.randrange(64)
    return data[: found.start()] + swap + data[found.end() :]


def read(data: bytes, chance: random.Random) -> None:
    """Read all of a file as a user would; raises what breaks a law."""
    try:
        with pincite.open(data) as document:
            document.title, document.outline, document.warnings  # noqa: B018
            for number in range(1, min(len(document), 20) + 1):
                page = document.page(number)
                try:
                    text = page.text()
                    page.text(hyphens="join")
                except (pincite.PinciteError, OverflowError):
                    continue
                text.encode("utf-8")
                assert not re.search("[\x00-\x09\x0b-\x1f]", text), "a control character in the text"
                start = chance.randrange(len(text) + 1)
                page.quads(start, chance.randrange(start, len(text) + 1))
                page.quality, page.label  # noqa: B018
                if chance.random() < 0.1:
                    page.words()
                    page.glyphs().advance_end_x  # noqa: B018
    except pincite.PinciteError:
        pass


def case(seeds: list[bytes], number: int) -> tuple[bytes, random.Random]:
    chance = random.Random(number)
    return mutate(chance.choice(seeds), chance, seeds), chance


def run_batch(seeds: list[bytes], numbers: range, seconds: float, memory: int) -> str | None:
    """Read the files of a batch in a fork; what went wrong, or None."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        try:
            for number in numbers:
                signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
                data, chance = case(seeds, number)
                read(data, chance)
        except MemoryError:
            os._exit(0)  # a page that takes too much is answered in the child of the sandbox
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return f"over {seconds:g} s of CPU time" if number == signal.SIGVTALRM else f"killed by {signal.Signals(number).name}"
    return "an exception" if os.WEXITSTATUS(status) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="seed files; those over 300 KB are left out")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first mutation: it is its random seed, too")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for one file")
    parser.add_argument("--memory", type=int, default=2 << 30, help="address space in bytes")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="where findings go")
    options = parser.parse_args()
    seeds = [path.read_bytes() for path in sorted(options.folder.rglob("*.pdf")) if 0 < path.stat().st_size < 300_000]
    findings, began = 0, time.monotonic()
    for start in range(options.first, options.first + options.files, BATCH):
        batch = range(start, min(start + BATCH, options.first + options.files))
        if run_batch(seeds, batch, options.seconds, options.memory) is None:
            continue
        for number in batch:
            wrong = run_batch(seeds, range(number, number + 1), options.seconds, options.memory)
            if wrong is not None:
                findings += 1
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{number}.pdf").write_bytes(case(seeds, number)[0])
                print(f"mutation {number}: {wrong}", flush=True)
    print(f"{options.files} mutated files of {len(seeds)} seeds, {findings} findings, {time.monotonic() - began:.0f} s")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
