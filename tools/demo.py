"""`make demo`: a library in a few commands, each shown before what it prints.

Without `--pdfs` it writes its own samples (tools/demo_samples.py) and searches them in English and Korean; with a folder of
PDFs it searches that for `--query`, or for a frequent word of its first file.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import demo_samples

DEMO = Path("demo")
QUERIES = ["lens linen", '"spring tides"', "등대 안개"]
OK, NO_HIT, SOME_FAILED = 0, 1, 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pdfs", type=Path, help="a folder of PDFs, in place of the samples")
    parser.add_argument("--query", help="what to search for in them")
    arguments = parser.parse_args()
    if arguments.pdfs is not None:
        arguments.pdfs = arguments.pdfs.expanduser()
    if arguments.pdfs is not None and not arguments.pdfs.exists():
        parser.error(f"{arguments.pdfs}: no such folder; give PDFS=folder with PDF files in it")

    shutil.rmtree(DEMO, ignore_errors=True)
    DEMO.mkdir()
    os.environ["PINCITE_LIBRARY"] = str(DEMO / "library.sqlite")
    folder = arguments.pdfs
    if folder is None:
        folder = DEMO / "pdfs"
        demo_samples.main(folder)
        print(f"Sample PDFs are in {folder}, the library in {os.environ['PINCITE_LIBRARY']}.")

    run("ingest", str(folder), allowed=(OK, SOME_FAILED))
    run("list")
    queries = [arguments.query] if arguments.query else QUERIES if arguments.pdfs is None else common_words(folder)
    citation = None
    for query in queries:
        run("search", query, "--limit", "3", allowed=(OK, NO_HIT))
        citation = first_citation(query) or citation
    if citation is None:
        print("\nNothing was found, so there is no citation to show. Try another word: make demo PDFS=folder QUERY=word")
        return 0
    run("show", citation)
    print(f"\nGo on with: source .venv/bin/activate; export PINCITE_LIBRARY={os.environ['PINCITE_LIBRARY']}; pincite --help")
    return 0


def run(*arguments: str, allowed: tuple[int, ...] = (OK,)) -> None:
    """Print a command, then run it; stop the demo where it fails."""
    print(f"\n$ pincite {shlex.join(arguments)}", flush=True)
    code = subprocess.run(command(*arguments), check=False).returncode
    if code not in allowed:
        raise SystemExit(f"pincite {arguments[0]} ended with exit code {code}")


def first_citation(query: str) -> str | None:
    """The citation of the best hit."""
    found = subprocess.run(command("search", query, "--limit", "1", "--json"), capture_output=True, text=True, check=False)
    if found.returncode != OK:
        return None
    return str(json.loads(found.stdout)["hits"][0]["citation"])


def common_words(folder: Path) -> list[str]:
    """The most frequent long word of the first file that has one: something that a search in a stranger's folder finds."""
    for path in sorted(folder.rglob("*.pdf")) if folder.is_dir() else [folder]:
        text = subprocess.run(command("text", "-l", "5", str(path)), capture_output=True, text=True, check=False).stdout
        words = [word for word in re.findall(r"[^\W\d_]{2,}", text.lower()) if len(word) > 6 or not word.isascii()]
        if words:
            return [collections.Counter(words).most_common(1)[0][0]]
    return ["the"]


def command(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("pincite")), *arguments]


if __name__ == "__main__":
    sys.exit(main())
