"""Write `old/schema-N.sqlite`: a small library as the present version makes it, for the tests of later versions.

    python tests/library/make_old_library.py

Run it before `MIGRATIONS` gets a new entry and commit the file; never write one again that is there, since only the version
that it is named after can make it as it was. It holds documents with all that a library can hold: text in several
scripts, an outline, labels, a page that failed, one that waits for recognition, a document that was replaced, a failure, a name
that is not UTF-8.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from pincite.library import Library
from pincite.search.index.schema import SCHEMA_VERSION
from support.library import ScriptReader, write_script

FOLDER = Path(__file__).parent / "old"


def main() -> int:
    target = FOLDER / f"schema-{SCHEMA_VERSION}.sqlite"
    if target.exists():
        print(f"{target} is there already", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_library(target, Path(folder))
    return 0


def write_library(target: Path, folder: Path) -> None:
    """Make a library at `target` out of files in `folder`; their paths stay in it."""
    outline = [("Intro", 1, 1), ("Methods", 2, 1)]
    pages = [
        {"text": "The structure of\nproteins.", "label": "i"},
        "Methods\nA second page with the words that are looked for.",
        {"error": "broken stream"},
        {"text": "", "quality": {"images": 1}},
    ]
    write_script(folder / "paper.pdf", pages, title="On proteins", outline=outline)
    write_script(folder / "한국어.pdf", ["이 실험에서 자연어 처리를 분석했다."])
    write_script(folder / os.fsdecode(b"caf\xe9.pdf"), ["A name that is not UTF-8."])
    write_script(folder / "changed.pdf", ["What stood here first."])
    write_script(folder / "slow.pdf", ["The first page of two."], total=2, ends_with="timeout")
    (folder / "bad.pdf").write_bytes(b"no PDF")
    with Library(target, reader=ScriptReader()) as library:
        library.ingest([folder])
        write_script(folder / "changed.pdf", ["What stands here now."])
        library.ingest([folder])


if __name__ == "__main__":
    sys.exit(main())
