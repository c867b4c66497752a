"""Ingest, all in (walk, hash, confined reading, chunks, index, commit), beside `pdftotext` alone on the same files."""

from __future__ import annotations

import argparse
import os
import platform
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from benchmarks.extract import collect
from pincite.library import Library
from pincite.sandbox.zygote import shared


class Run(NamedTuple):
    """`wall_s` and `cpu_s` of one run, its children's included; `pages` by file, of those that were read."""

    wall_s: float
    cpu_s: float
    pages: dict[Path, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="PDF files and folders")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="at a time (default: one a processor)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, in turn; the fastest counts (default %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    files = sorted(path.absolute() for path in collect(options.paths))
    kinds: dict[str, Callable[[], Run]] = {"pincite ingest": lambda: ingest(files, options.jobs)}
    if shutil.which("pdftotext"):
        kinds["pdftotext, one by one"] = lambda: pdftotext(files, 1)
        kinds[f"pdftotext, {options.jobs} at a time"] = lambda: pdftotext(files, options.jobs)
    runs: dict[str, list[Run]] = {name: [] for name in kinds}
    for _ in range(options.repeat):
        for name, kind in kinds.items():
            runs[name].append(kind())
    print(f"{len(files)} files, Python {platform.python_version()}, {options.jobs} jobs, the fastest of {options.repeat} runs")
    print(f"{'':26}{'files':>7}{'pages':>8}{'wall s':>9}{'CPU s':>8}{'pages/s':>9}{'pages/CPU s':>13}")
    for name, found in runs.items():
        best = min(found)
        pages = sum(best.pages.values())
        speeds = f"{pages / best.wall_s:9.1f}{pages / best.cpu_s:13.1f}"
        print(f"{name:26}{len(best.pages):7}{pages:8}{best.wall_s:9.2f}{best.cpu_s:8.2f}{speeds}")
    return 0


def ingest(files: list[Path], jobs: int) -> Run:
    """Into a library that is new each time."""
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), _cpu_seconds()
        with Library(Path(folder) / "library.sqlite") as library:
            report = library.ingest(files, jobs=jobs)
        wall = time.perf_counter() - wall
        # Its time, and that of the children that it forked, counts here when it has ended; so each run starts one of its own.
        shared().close()
        cpu = _cpu_seconds() - cpu
    read = {Path(outcome.path): outcome.pages or 0 for outcome in report.outcomes if outcome.status in ("added", "unchanged")}
    return Run(wall, cpu, read)


def pdftotext(files: list[Path], jobs: int) -> Run:
    """A process a file, whose text is read and dropped."""
    pages: dict[Path, int] = {}

    def read(path: Path) -> None:
        done = subprocess.run(["pdftotext", "-enc", "UTF-8", path, "-"], capture_output=True, check=False)
        if done.returncode == 0:
            pages[path] = done.stdout.count(b"\f")

    wall, cpu = time.perf_counter(), _cpu_seconds()
    with ThreadPoolExecutor(jobs) as threads:
        list(threads.map(read, files))
    return Run(time.perf_counter() - wall, _cpu_seconds() - cpu, pages)


def _cpu_seconds() -> float:
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
