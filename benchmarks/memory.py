"""The most memory that a long file takes: read in this way and that, each in a process of its own.

The file is made of the pages of others, with a content stream of its own for each page, so that it is as large as a book of so
many pages. What counts is the resident size at its highest, the interpreter included (`ru_maxrss`).
"""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.extract import collect

MOST_MB = 250

_MAKE = """
import sys
import pikepdf

target, count, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
sources = [pikepdf.open(path) for path in paths]
with pikepdf.new() as book:
    while len(book.pages) < count:
        for source in sources:
            for page in source.pages:
                if len(book.pages) == count:
                    break
                book.pages.append(page)
                page = book.pages[-1]
                page.contents_coalesce()
                page.Contents = book.make_stream(page.Contents.read_bytes())
    book.save(target)
"""
_IN_PROCESS = """
import resource, sys
import pincite

with pincite.open(sys.argv[1]) as document:
    pages = sum(bool(page.text()) for page in document)
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(pages, own, 0)
"""
_CONFINED = """
import resource, sys
import pincite
from pincite.model.text import PageText
from pincite.sandbox import zygote

limits = pincite.Limits(max_pages=int(sys.argv[2]), max_input_bytes=1 << 30, max_output_bytes=1 << 30)
pages = sum(isinstance(page, PageText) and bool(page.text) for page in pincite.read(sys.argv[1], limits=limits))
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
zygote.shared().close()
print(pages, own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF files whose pages to take, or folders of them")
    parser.add_argument("--pages", type=int, default=5000, help="of the file that is made of them (default %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("pincite", "pikepdf"))
    print(f"{datetime.now(UTC).date().isoformat()}, {versions}, Python {platform.python_version()}")
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.pdf"
        _python(_MAKE, book, options.pages, *sorted(collect(options.paths)))
        print(f"{options.pages} pages, {book.stat().st_size / 1e6:.1f} MB")
        for name, code in (("in process", _IN_PROCESS), ("confined", _CONFINED)):
            pages, own, child = map(int, _python(code, book, options.pages).split())
            most = max(most, own / 1e3, child / 1e3)
            print(f"{name:12}{pages:6} pages with text{own / 1e3:8.1f} MB here{child / 1e3:8.1f} MB in the child")
    print(f"at most {most:.1f} MB, wanted under {MOST_MB}")
    return 0 if most < MOST_MB else 1


def _python(code: str, *arguments: object) -> str:
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True)
    return done.stdout
