"""Confinement changes no text, and nothing is opened once it holds, over all real files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pincite
from pincite.errors import PinciteError
from pincite.model.text import PageText
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.runner import Runner
from support.hostile import rich_pdf
from support.pdfvariants import encrypted
from support.pdfwriter import PdfWriter, simple_pdf
from support.sheet import Sheet
from support.tablesheet import TableSheet
from support.tagged import tagged

CONFINED = re.compile(r"seccomp\(SECCOMP_SET_MODE_FILTER")


def in_process(path: Path) -> list[str] | str:
    try:
        with pincite.open(path) as document:
            return [text_of(page) for page in document]
    except PinciteError as error:
        return error.slug


def text_of(page: pincite.Page) -> str:
    try:
        return page.text()
    except Exception:  # costs the page in the sandbox, whatever it is
        return "failed"


def confined(path: Path) -> list[str] | str:
    try:
        pages = list(Runner().stream(path))[1:]
    except PinciteError as error:
        return error.slug
    return [page.text if isinstance(page, PageText) else "failed" for page in pages]


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["papers", "languages", "tables", "faults", "odd", "korean"])
def test_confined_and_unconfined_give_the_same_text(corpus: Path, folder: str) -> None:
    files = sorted((corpus / folder).glob("*.pdf"))
    assert files
    with ThreadPoolExecutor(2) as pool:
        answers = pool.map(confined, files)
        different = [path.name for path, answer in zip(files, answers, strict=True) if answer != in_process(path)]
    assert different == []


def traced(script: str, log: Path, *arguments: str) -> list[list[str]]:
    """Run a script under strace; the calls of each process, from the moment at which its filter was in place."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not here: apt install strace")
    if not zygotes.is_supported():
        pytest.skip("no zygote here")
    command = ["strace", "-f", "-qq", "-o", str(log), sys.executable, "-c", script, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    if "ptrace" in done.stderr and "not permitted" in done.stderr:
        pytest.skip("tracing is not allowed here")
    assert done.returncode == 0, done.stderr
    calls: dict[str, list[str]] = {}
    for line in log.read_text(errors="replace").splitlines():
        pid, _, call = line.partition(" ")
        calls.setdefault(pid, []).append(call.strip())
    return [found for found in (after_confinement(of_one) for of_one in calls.values()) if found]


def after_confinement(calls: list[str]) -> list[str]:
    for at, call in enumerate(calls):
        if CONFINED.search(call):
            return calls[at + 1 :]
    return []


READ_ALL = """
import sys
from pincite.errors import PinciteError
from pincite.sandbox.runner import Runner
for path in sys.argv[2:]:
    try:
        for _ in Runner(zygote=sys.argv[1] == "forked").stream(path):
            pass
    except PinciteError:
        pass
"""


def refused_or_odd(processes: list[list[str]]) -> set[str]:
    """The calls with which a confined process tries to open something, and all that are refused."""
    found = set()
    for calls in processes:
        for call in calls:
            name = re.match(r"(?:<\.\.\. )?(\w+)", call)
            if "EPERM" in call or "EACCES" in call or (name is not None and name[1] in ("open", "openat", "openat2", "creat")):
                found.add(call[:100])
    return found


@pytest.mark.corpus
def test_strace_shows_no_file_opened_after_confinement(corpus: Path, tmp_path: Path) -> None:
    """Nor even tried: whatever is loaded late would fail there, and cost the page that needs it."""
    folders = ("odd", "faults", "languages", "korean", "tables")
    files = [path for folder in folders for path in sorted((corpus / folder).glob("*.pdf"))][::4]
    processes = traced(READ_ALL, tmp_path / "log", "forked", *map(str, files))
    assert len(processes) >= len(files)
    assert refused_or_odd(processes) == set()


@pytest.mark.parametrize("way", ["forked", "executed"])
def test_strace_of_files_that_are_encrypted_damaged_or_none(way: str, tmp_path: Path) -> None:
    pdf = simple_pdf(["text", "more"], title="title")
    kinds = {
        "plain": pdf,
        "rc4": encrypted(pdf, revision=3),
        "aes": encrypted(pdf, revision=4),
        "aes256": encrypted(pdf, revision=6),
        "locked": encrypted(pdf, user="user", revision=6),
        "damaged": pdf[: len(pdf) * 3 // 4],
        "none": b"no PDF",
        "empty": b"",
    }
    if way == "executed":  # takes its time under strace
        kinds = {name: kinds[name] for name in ("aes256", "damaged")}
    for name, data in kinds.items():
        (tmp_path / name).write_bytes(data)
    processes = traced(READ_ALL, tmp_path / "log", way, *(str(tmp_path / name) for name in kinds))
    assert len(processes) == len(kinds)
    assert refused_or_odd(processes) == set()


ALL_TASKS = """
import sys
from pincite.errors import PinciteError
from pincite.sandbox.runner import Runner
runner = Runner()
for path in sys.argv[1:]:
    for task in (runner.run, lambda path: runner.tables(path, 1, 3), lambda path: runner.quads(path, 1, 0, 1),
                 lambda path: runner.render(path, 1, 50), lambda path: runner.render(path, 1, 50, grey=True)):
        try:
            task(path)
        except PinciteError as error:
            assert error.slug in ("no_text", "absent", "encrypted", "unreadable"), (path, error)
"""
TASKS = 5


def test_strace_of_all_tasks(tmp_path: Path) -> None:
    writer = PdfWriter()
    font = writer.add_composite_font("Batang", to_unicode=False)
    writer.add_page(font.text(72, 650, "가나", size=12))
    legacy = writer.write().replace(b"/Identity-H", b"/KSCms-UHC-H")
    sheet = Sheet()
    sheet.add("/P <</MCID 0>> BDC BT /F1 20 Tf 72 700 Td (Heading) Tj ET EMC")
    tagged(sheet, ("Document", [("H1", [0])]))
    tables = TableSheet()
    tables.grid(72, 700, [80, 80], 30, [["Name", "Paid"], ["Ann", "1,200"]])
    tables.next_page()
    files = [rich_pdf(), writer.write(), legacy, sheet.writer.write(), tables.writer.write()]
    files.append(encrypted(tables.writer.write(), revision=6))
    for number, data in enumerate(files):
        (tmp_path / f"{number}.pdf").write_bytes(data)
    processes = traced(ALL_TASKS, tmp_path / "log", *(str(tmp_path / f"{number}.pdf") for number in range(len(files))))
    assert len(processes) == TASKS * len(files)
    assert refused_or_odd(processes) == set()


@pytest.mark.corpus
def test_strace_of_all_tasks_on_real_files(corpus: Path, tmp_path: Path) -> None:
    """Pictures in JPEG 2000 and JBIG2, encrypted files, and fonts that a file does not bring along."""
    names = (
        "odd/jp2k-resetprob.pdf", "odd/bitmap-halftone.pdf", "odd/bitmap-refine-customat.pdf", "odd/issue3371.pdf",
        "faults/r-encrypted_version2_revision3_128bit_rc4_blank_user_pass.pdf", "faults/27-cjk-in-latin.pdf",
        "korean/international.pdf", "languages/typst_jpn_2col.pdf", "languages/reportlab_kor_1col.pdf",
    )  # fmt: skip
    files = [corpus / name for name in names if (corpus / name).exists()]
    processes = traced(ALL_TASKS, tmp_path / "log", *map(str, files))
    assert len(processes) == TASKS * len(files) > 0
    assert refused_or_odd(processes) == set()
