"""Text extraction in process: CPU milliseconds a page of pincite and of every peer that is installed."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks.measure import Measurement, measure


def pincite(path: Path) -> int:
    import pincite as library

    with library.open(path) as document:
        for page in document:
            page.text()
        return len(document)


def pypdfium2(path: Path) -> int:
    import pypdfium2 as library

    document = library.PdfDocument(path)
    for index in range(len(document)):
        page = document[index]
        textpage = page.get_textpage()
        textpage.get_text_bounded()
        textpage.close()
        page.close()
    return len(document)


def pymupdf(path: Path) -> int:
    import pymupdf as library

    library.TOOLS.mupdf_display_errors(False)
    document = library.open(path)
    for page in document:
        page.get_text()
    return len(document)


def pdftotext(path: Path) -> int:
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", path, "-"], capture_output=True, check=True)
    return done.stdout.count(b"\f")


def pdf_oxide(path: Path) -> int:
    import pdf_oxide as library

    document = library.PdfDocument(str(path))
    count: int = document.page_count()
    for index in range(count):
        document.extract_text(index)
    return count


EXTRACTORS: dict[str, Callable[[Path], int]] = {
    function.__name__: function for function in (pincite, pypdfium2, pymupdf, pdftotext, pdf_oxide)
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF files, or folders of them")
    parser.add_argument("--only", help=f"comma-separated, of {', '.join(EXTRACTORS)}; the default is all that are installed")
    parser.add_argument("--repeat", type=int, default=3, help="the least of so many runs counts (default %(default)s)")
    parser.add_argument("--deadline", type=float, default=60.0, metavar="S", help="for one file (default %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    files = sorted(collect(options.paths))
    names = [name for name in (options.only.split(",") if options.only else EXTRACTORS) if is_installed(name)]
    for name in names:
        measure_nothing(EXTRACTORS[name], files)
    results: dict[str, list[Measurement]] = {name: [] for name in names}
    for path in files:
        for name in names:
            results[name].append(measure(lambda name=name, path=path: EXTRACTORS[name](path), options.repeat, options.deadline))
    print(f"{len(files)} files, Python {platform.python_version()}, CPU time, best of {options.repeat}")
    # a fair comparison counts the files that everybody could read
    common = [index for index in range(len(files)) if all(results[name][index].state == "ok" for name in names)]
    base = total_ms(results[names[0]], common)
    print(f"over the {len(common)} files that all could read:")
    print(f"{'extractor':12}{'version':>12}{'failed':>8}{'pages':>8}{'total s':>10}{'ms a page':>11}{'ratio':>8}")
    for name in names:
        failed = sum(result.state != "ok" for result in results[name])
        pages = sum(results[name][index].pages for index in common)
        total = total_ms(results[name], common)
        columns = f"{total / 1e3:10.3f}{total / max(1, pages):11.3f}{total / base if base else 0:8.2f}"
        print(f"{name:12}{version(name):>12}{failed:8}{pages:8}{columns}")
    return 0


def collect(paths: Iterable[Path]) -> Iterable[Path]:
    for path in paths:
        yield from path.rglob("*.pdf") if path.is_dir() else [path]


def is_installed(name: str) -> bool:
    if name == "pdftotext":
        return shutil.which(name) is not None
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def measure_nothing(extractor: Callable[[Path], int], files: list[Path]) -> None:
    """Load what an extractor imports late, before its clock starts, on the first file that it can read."""
    for path in files[:20]:
        try:
            extractor(path)
        except Exception:
            continue
        return


def version(name: str) -> str:
    if name == "pdftotext":
        banner = subprocess.run([name, "-v"], capture_output=True, text=True, check=False).stderr.split()
        return banner[2] if len(banner) > 2 else "?"
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "?"


def total_ms(results: list[Measurement], indexes: list[int]) -> float:
    return 1e3 * sum(results[index].cpu_s for index in indexes)
