"""Reading order: files whose lines are drawn in random order, read back beside what their unshuffled text scores.

Each file is rewritten twice (see `benchmarks.redraw`): with its lines in random order, and with blocks of lines in random
order. The files are the papers and the two-column files of `languages`. A score is the similarity to the true text.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import pincite
from benchmarks.redraw import Mode, redraw

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"
COMPARED_CHARACTERS = 200_000
MODES: tuple[Mode, ...] = ("kept", "lines", "blocks")

_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_UNSPACED_GAP = re.compile(f"(?<=[{_UNSPACED}\u3000-\u303f\uff00-\uff65])\\s+(?=[{_UNSPACED}\u3000-\u303f\uff00-\uff65])")


def reading(path: Path) -> str:
    with pincite.open(path) as document:
        return "\n".join(page.text() for page in document)


def content(path: Path) -> str:
    with pincite.open(path) as document:
        return "\n".join(page.text("content") for page in document)


def pdftotext(path: Path) -> str:
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", path, "-"], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def pymupdf(path: Path) -> str:
    import pymupdf as library

    library.TOOLS.mupdf_display_errors(False)
    with library.open(path) as document:
        return "\n".join(page.get_text() for page in document)


READERS: dict[str, Callable[[Path], str]] = {"reading": reading, "content": content, "pdftotext": pdftotext, "pymupdf": pymupdf}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="a folder with an index.tsv (default %(default)s)")
    parser.add_argument("--sets", default="papers,languages", help="comma-separated (default %(default)s)")
    parser.add_argument("--readers", help=f"comma-separated, of {', '.join(READERS)}; the default is all that are installed")
    parser.add_argument("--seed", type=int, default=0, help="of the dice (default %(default)s)")
    parser.add_argument("--docs", action="store_true", help="a row a document as well")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    names = [name for name in (options.readers.split(",") if options.readers else READERS) if _is_installed(name)]
    for group in options.sets.split(","):
        report(group, _files(options.corpus, group), names, options)
    return 0


def report(group: str, files: list[tuple[Path, Path]], names: list[str], options: argparse.Namespace) -> None:
    scores: dict[tuple[str, str], list[float]] = {(mode, name): [] for mode in MODES for name in names}
    with tempfile.TemporaryDirectory() as folder:
        for path, truth in files:
            text = truth.read_text(encoding="utf-8", errors="replace")
            for mode in MODES:
                rewritten = Path(folder) / "rewritten.pdf"
                rewritten.write_bytes(redraw(path.read_bytes(), mode, options.seed))
                for name in names:
                    scores[mode, name].append(similarity(text, READERS[name](rewritten)))
            if options.docs:
                columns = "".join(f"{scores[mode, name][-1]:9.4f}" for mode in MODES for name in names)
                print(f"{path.stem[:32]:32}{columns}", flush=True)
    print(f"{group}: {len(files)} files, similarity" + "".join(f"{name:>12}" for name in names))
    for mode, title in zip(MODES, ("as they are drawn", "lines shuffled", "blocks shuffled"), strict=True):
        print(f"  {title:30}" + "".join(f"{fmean(scores[mode, name]):12.4f}" for name in names))


def similarity(truth: str, text: str) -> float:
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(_flat(truth), _flat(text))


def _flat(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    return _UNSPACED_GAP.sub("", " ".join(normal.split()))[:COMPARED_CHARACTERS]


def _files(corpus: Path, group: str) -> list[tuple[Path, Path]]:
    rows = [line.split("\t") for line in (corpus / "index.tsv").read_text().splitlines()[1:]]
    return [
        (corpus / pdf, corpus / truth)
        for pdf, truth, kind in rows
        if kind == "text" and pdf.startswith(f"{group}/") and (group != "languages" or "2col" in pdf)
    ]


def _is_installed(name: str) -> bool:
    if name == "pdftotext":
        return shutil.which(name) is not None
    return name in ("reading", "content") or importlib.util.find_spec(name) is not None
