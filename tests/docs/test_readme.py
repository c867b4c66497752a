"""The commands and the Python of README.md run, in order, and print what it says; `…` stands for anything."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> str:
    return "".join(re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the README's reader has it: the tools, and `pincite` and `python` on the path."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "tools").symlink_to(ROOT / "tools")
    programs = folder / "bin"
    programs.mkdir()
    for name, start in (("python", ""), ("pincite", "-m pincite ")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {start}"$@"\n')
        (programs / name).chmod(0o755)
    subprocess.run([sys.executable, ROOT / "tools" / "demo_samples.py", folder / "pdfs"], check=True)
    return folder


def test_commands_print_what_it_says(place: Path) -> None:
    environment = {
        "PATH": f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PINCITE_LIBRARY": str(place / "library.sqlite"),
        "PYTHONUTF8": "1",
    }
    shutil.rmtree(place / "pdfs")
    steps = re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", blocks("console"), re.MULTILINE)
    assert len(steps) > 8
    for command, expected in steps:
        done = subprocess.run(
            command, shell=True, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
        )
        pattern = ".*?".join(map(re.escape, expected.split("…")))
        assert re.fullmatch(pattern, done.stdout, re.DOTALL), f"$ {command}\n{done.stdout}"
        assert (done.returncode == 0) != done.stdout.startswith("pincite: "), f"$ {command}: exit code {done.returncode}"


def test_python_gives_what_it_says(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    examples = doctest.DocTestParser().get_doctest(blocks("pycon"), {}, "README.md", "README.md", 0)
    runner = doctest.DocTestRunner()
    report: list[str] = []
    runner.run(examples, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
    assert runner.tries > 8
