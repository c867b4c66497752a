"""What the sandbox costs: a confined document over the same work in process, and several at a time over one at a time.

Wall-clock time, since waiting for another process is part of the cost; so run it on a machine that does nothing else. Each
file's time is the best of several runs, in turn in process and confined.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pincite
from benchmarks.extract import collect
from pincite.model.text import DocumentMeta
from pincite.sandbox import zygote
from pincite.sandbox.runner import Runner

MOST_COST_MS = 6.0
LEAST_GAIN = 1.7
JOBS = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF files, or folders of them")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each file; the best counts (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the second part; the best counts (default %(default)s)")
    parser.add_argument("--executed", action="store_true", help="also measure a process executed for each document")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    files = [(path, path.read_bytes()) for path in sorted(collect(options.paths))]
    now = datetime.now(UTC).date().isoformat()
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("pincite", "pikepdf"))
    print(f"{now}, {versions}, Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    readable = [(path, data) for path, data in files if in_process(data) is not None]
    print(f"{len(files)} files, {len(readable)} of them readable, {sum(in_process(data) or 0 for _, data in readable)} pages")
    cost_of_one([data for _, data in readable], options.repeat, executed=options.executed)
    several_at_a_time([data for _, data in readable], options.rounds)
    return 0


def in_process(data: bytes) -> int | None:
    """The child's work in this process; the number of pages, None for a file that can't be read."""
    try:
        with pincite.open(data) as document:
            _ = document.meta
            _ = document.warnings
            follow = document.follow_running()
            for page in document:
                try:
                    _ = page.text(), page.quality, page.label, page.warnings, follow(page)
                except Exception:
                    continue
            return len(document)
    except pincite.PinciteError:
        return None


def confined(data: bytes, runner: Runner) -> int:
    return sum(not isinstance(item, DocumentMeta) for item in runner.stream(data))


def cost_of_one(documents: list[bytes], repeat: int, *, executed: bool) -> None:
    """The first number: milliseconds on top of the work, by file."""
    ways = {"forked": Runner(zygote=True)} if zygote.is_supported() else {}
    if executed:
        ways["executed"] = Runner(zygote=False)
    for runner in ways.values():
        confined(documents[0], runner)
    work: list[float] = []
    costs: dict[str, list[float]] = {name: [] for name in ways}
    for data in documents:
        best_work = best_of(repeat, lambda data=data: in_process(data))
        work.append(best_work)
        for name, runner in ways.items():
            times = repeat if name == "forked" else 1
            costs[name].append(best_of(times, lambda data=data, runner=runner: confined(data, runner)) - best_work)
    print(f"in process: median {statistics.median(work):.2f} ms a document, mean {statistics.mean(work):.2f} ms")
    for name, found in costs.items():
        tenths = statistics.quantiles(found, n=10)
        verdict = f"   (at most {MOST_COST_MS:g} ms: {'yes' if tenths[4] <= MOST_COST_MS else 'NO'})" if name == "forked" else ""
        print(f"{name:10} on top: median {tenths[4]:6.2f} ms, first tenth {tenths[0]:.2f}, last tenth {tenths[8]:.2f}{verdict}")


def best_of(times: int, call: Callable[[], object]) -> float:
    """Milliseconds of the fastest call."""
    found = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        found.append(1e3 * (time.perf_counter() - started))
    return min(found)


def several_at_a_time(documents: list[bytes], rounds: int) -> None:
    """The second number: pages a second, one after another and `JOBS` at a time."""
    runner = Runner()
    alone: list[float] = []
    together: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        pages = sum(confined(data, runner) for data in documents)
        alone.append(pages / (time.perf_counter() - started))
        with ThreadPoolExecutor(JOBS) as pool:
            started = time.perf_counter()
            pages = sum(pool.map(lambda data: confined(data, runner), documents))
            together.append(pages / (time.perf_counter() - started))
    gain = max(together) / max(alone)
    verdict = "yes" if gain >= LEAST_GAIN else "NO"
    print(f"one at a time {max(alone):.0f} pages a second, {JOBS} at a time {max(together):.0f}: {gain:.2f} times", end="")
    print(f"   (at least {LEAST_GAIN:g} on 2 cores: {verdict})")
