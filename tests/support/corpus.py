"""The corpus of real files, which is not part of the repository: `../shared/corpus` beside it, or $PINCITE_CORPUS."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = Path(os.environ.get("PINCITE_CORPUS") or ROOT.parent / "shared" / "corpus")
ABSENT = f"the corpus is not here ({CORPUS}); set PINCITE_CORPUS to its folder"


def corpus_files(*folders: str) -> list[Path]:
    """The PDFs of some folders of the corpus, sorted; all of them without an argument; none where the corpus is absent."""
    roots = [CORPUS / folder for folder in folders] if folders else [CORPUS]
    return sorted(path for root in roots for path in root.rglob("*.pdf"))


def corpus_parameters(*folders: str) -> Iterable[object]:
    """The same files for `pytest.mark.parametrize`, with their names as test ids; one skipped case where there is no corpus."""
    files = corpus_files(*folders)
    if not files:
        return [pytest.param(None, id="no-corpus", marks=pytest.mark.skip(reason=ABSENT))]
    return [pytest.param(path, id=f"{path.parent.name}/{path.stem}") for path in files]
