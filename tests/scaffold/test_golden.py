"""Golden files, and the texts of the demo's samples as some."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pincite
from support import golden as golden_files
from support.golden import Golden

ROOT = Path(__file__).parents[2]


def test_a_mismatch_is_kept_and_an_update_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_files, "GOLDEN", tmp_path / "golden")
    monkeypatch.setattr(golden_files, "ACTUAL", tmp_path / "actual")
    with pytest.raises(AssertionError, match="no golden file"):
        Golden(update=False).check("a/b.txt", "one\n")
    assert (tmp_path / "actual/a/b.txt").read_text() == "one\n"
    Golden(update=True).check("a/b.txt", "one\n")
    Golden(update=False).check("a/b.txt", "one\n")
    with pytest.raises(AssertionError, match="differs"):
        Golden(update=False).check("a/b.txt", "two\n")


def test_ci_refuses_to_update() -> None:
    command = [sys.executable, "-m", "pytest", "--update-golden", "--pure", "--collect-only", "-q", str(Path(__file__).parent)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "CI": "true"}, capture_output=True, text=True)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "not for CI" in done.stderr


def test_texts_of_the_samples(tmp_path: Path, golden: Golden) -> None:
    subprocess.run([sys.executable, ROOT / "tools" / "demo_samples.py", tmp_path], check=True)
    for path in sorted(tmp_path.glob("*.pdf")):
        with pincite.open(path) as document:
            text = "\n\f".join(page.text() for page in document)
        golden.check(f"samples/{path.stem}.txt", text + "\n")
