"""Limits and passwords on the command line."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest
import typer

from pincite.cli.limits import LIMIT_OPTIONS, parse_seconds, parse_size, with_limits
from pincite.errors import EncryptedError
from pincite.library import Library
from pincite.model.limits import Limits
from support.cli import Cli
from support.pdfvariants import encrypted
from support.pdfwriter import PdfWriter, simple_pdf
from support.tablesheet import TableSheet

PINCITE = [sys.executable, "-m", "pincite"]


def text(*arguments: str | Path, **options: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PINCITE, "text", *arguments], capture_output=True, timeout=120, check=False, **options)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("written", "size"),
    [("4096", 4096), ("200M", 200 << 20), ("1.5G", 3 << 29), ("64 MiB", 64 << 20), ("1k", 1024), ("2TB", 2 << 40), ("7b", 7)],
)
def test_sizes(written: str, size: int) -> None:
    assert parse_size(written) == size


@pytest.mark.parametrize("written", ["", "0", "M", "-1", "1X", "1e9", "0.0001", "１", "nan", "9" * 30])
def test_no_sizes(written: str) -> None:
    if written == "１":
        assert parse_size(written) == 1
        return
    with pytest.raises(typer.BadParameter):
        parse_size(written)


@pytest.mark.parametrize("written", ["", "0", "-1", "nan", "inf", "1e8", "soon"])
def test_no_seconds(written: str) -> None:
    with pytest.raises(typer.BadParameter):
        parse_seconds(written)


def test_every_limit_has_an_option_that_reaches_it() -> None:
    assert set(LIMIT_OPTIONS) == {field.name for field in fields(Limits)}
    seen = []
    app = typer.Typer()

    @app.command()
    @with_limits
    def command(*, limits: Limits) -> None:
        seen.append(limits)

    run = typer.main.get_command(app)
    flags = {parameter.name: parameter.opts[0] for parameter in run.params if parameter.name in LIMIT_OPTIONS}
    assert set(flags) == set(LIMIT_OPTIONS)
    run.main([], standalone_mode=False)
    assert seen == [Limits()]
    for name, flag in flags.items():
        value = 77_000_000 if name == "max_memory_bytes" else 7
        run.main([flag, str(value)], standalone_mode=False)
        assert seen.pop() == Limits(**{name: value}), flag


@pytest.mark.parametrize("size", ["1", "15M", "99999999999T"])
def test_memory_that_no_process_can_be_held_to_is_refused(size: str) -> None:
    app = typer.Typer()

    @app.command()
    @with_limits
    def command(*, limits: Limits) -> None:
        raise AssertionError(limits)

    with pytest.raises(typer.BadParameter, match="no memory"):
        typer.main.get_command(app).main(["--memory", size], standalone_mode=False)


@pytest.fixture
def three_pages(tmp_path: Path) -> Path:
    path = tmp_path / "three.pdf"
    path.write_bytes(simple_pdf(["eins", "zwei", "drei"]))
    return path


def test_max_pages(three_pages: Path) -> None:
    done = text(three_pages, "--max-pages", "2")
    assert done.stdout == b"eins\n\fzwei\n"
    assert b"page" in done.stderr
    assert text(three_pages, "--max-pages", "2", "--last", "3").stdout == b"eins\n\fzwei\n"
    assert text(three_pages, "--last", "3").stdout == b"eins\n\fzwei\n\fdrei\n"


def test_limits_end_the_reading(three_pages: Path) -> None:
    done = text(three_pages, "--max-input", "100")
    assert done.returncode == 2
    assert b"larger than the 100 bytes" in done.stderr
    done = text(three_pages, "--max-output", "10")
    assert done.returncode == 2
    assert b"more than 10 bytes of text" in done.stderr


def test_a_deadline(tmp_path: Path) -> None:
    path = tmp_path / "slow.pdf"
    path.write_bytes(simple_pdf(["text " * 3000] * 300))
    for option, words in (("--deadline", b"took longer than 0.05 s"), ("--stall", b"no page was finished for 0.0001 s")):
        limit = words.split()[-2].decode()
        done = text(path, option, limit, "--deadline-per-page", "0.00001")
        assert done.returncode == 2, option
        assert words in done.stderr or b"took longer than" in done.stderr


def test_memory(tmp_path: Path) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    writer.add_page(font.text(72, 700, "before"))
    writer.add_page(bytes(100 << 20), compress=True)
    path = tmp_path / "bomb.pdf"
    path.write_bytes(writer.write())
    done = text(path, "--memory", "70M")
    assert done.stdout == b"before\n\f"
    assert b"page 2 can't be read: memory" in done.stderr


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.pdf"
    path.write_bytes(encrypted(simple_pdf(["the secret"]), user="pass wörd", revision=6))
    return path


def test_a_password_from_a_file(secret: Path, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("pass wörd\r\nsecond line\n", encoding="utf-8")
    assert text(secret, "--password-file", password).stdout == b"the secret\n"
    done = text("-", "--password-file", password, input=secret.read_bytes())
    assert done.stdout == b"the secret\n"
    shown = json.loads(text(secret, "--password-file", password, "--json").stdout)
    assert shown["encryption"]["revision"] == 6
    assert "seccomp" in shown["confinement"] or sys.platform != "linux"


def test_no_or_a_wrong_password(secret: Path, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("wrong")
    for arguments in ([], ["--password-file", password]):
        done = text(secret, *arguments, input=b"")
        assert done.returncode == 3
        assert b"password" in done.stderr
    assert text(secret, "--password-file", tmp_path / "nothing").returncode == 2
    password.write_bytes(b"\xff\xfe")
    assert text(secret, "--password-file", password).returncode == 2


def on_a_terminal(answers: list[bytes], *arguments: str | Path) -> tuple[int, bytes, bytes]:
    """Run a command on a terminal and answer its questions; its exit code, its output and what the terminal showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*PINCITE, *arguments], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    try:
        for number, answer in enumerate(answers, 1):
            end = time.monotonic() + 60
            while shown.count(b"Password for") < number and time.monotonic() < end:
                if select.select([ours], [], [], 1)[0]:
                    shown += os.read(ours, 1000)
            assert shown.count(b"Password for") == number, shown
            time.sleep(0.2)  # the terminal's echo is switched off after the question is written
            os.write(ours, answer + b"\n")
        assert process.stdout is not None
        told = process.stdout.read()
        code = process.wait(60)
        while select.select([ours], [], [], 0)[0]:
            try:
                shown += os.read(ours, 1000)
            except OSError:  # how a terminal ends whose other side is closed
                break
        return code, told, shown
    finally:
        process.kill()
        process.communicate()
        os.close(ours)


def test_a_password_is_asked_for_on_a_terminal(secret: Path) -> None:
    """Wrong first, then right; neither is shown."""
    code, told, shown = on_a_terminal([b"wrong", "pass wörd".encode()], "text", secret)
    assert (code, told) == (0, b"the secret\n")
    assert b"wrong" not in shown
    assert shown.count(b"does not open it") == 1
    code, told, shown = on_a_terminal([b"1", b"2", b"3"], "text", secret)
    assert (code, told) == (3, b"")
    assert b"password" in shown


def test_ingest_asks_once_for_all_encrypted_files(secret: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.pdf").write_bytes(secret.read_bytes() + name.encode())
    (tmp_path / "open.pdf").write_bytes(simple_pdf(["open"]))
    (tmp_path / "other.pdf").write_bytes(encrypted(simple_pdf(["other"]), user="another"))
    ingest = ("--library", tmp_path / "library.sqlite", "ingest", tmp_path)
    code, told, shown = on_a_terminal(["pass wörd".encode()], *ingest)
    assert b"Password for 4 encrypted files" in shown
    assert told.startswith(b"5 files: 4 added")
    assert b"1 failed" in told
    assert code == 3
    # What was asked for once is not asked for again, as it is not tried again.
    code, told, shown = on_a_terminal([], *ingest)
    assert code == 3
    assert b"Password" not in shown


@pytest.fixture
def locked_table(tmp_path: Path) -> tuple[Path, Path]:
    """A library with an encrypted file that has a table, and a file with its password."""
    sheet = TableSheet()
    sheet.grid(72, 700, [80, 80], 30, [["Name", "Paid"], ["Ann", "1,200"]])
    sheet.next_page()
    (tmp_path / "sums.pdf").write_bytes(encrypted(sheet.writer.write(), user="u", revision=6))
    (tmp_path / "password").write_text("u\n", encoding="utf-8")
    with Library(tmp_path / "library.sqlite") as library:
        library.ingest([tmp_path / "sums.pdf"], password="u")
    return tmp_path / "library.sqlite", tmp_path / "password"


def test_a_cell_of_an_encrypted_file(locked_table: tuple[Path, Path], cli: Cli) -> None:
    library, password = locked_table
    cell = "sums.pdf:p1:table=1:cell=2,2"
    assert cli("--library", library, "show", cell, "--password-file", password) == 0
    assert cli.out == "1,200\n"
    assert cli("--library", library, "show", cell) == 3
    assert "password" in cli.err
    # The words themselves are in the library, and need none.
    assert cli("--library", library, "show", "sums.pdf:p1") == 0
    with Library(library) as opened:
        assert opened.show(cell, password="u").text == "1,200"
        with pytest.raises(EncryptedError):
            opened.resolve(cell)
    code, told, _ = on_a_terminal([b"wrong", b"u"], "--library", library, "show", cell)
    assert (code, told) == (0, b"1,200\n")


def test_the_password_does_not_show_in_the_process_list(secret: Path) -> None:
    """Neither in the arguments nor in the environment of any process, also where each document is executed."""
    script = """
import sys, threading, pathlib
from pincite.sandbox.runner import Runner
secret = "hunter" + str(2)
found = []
def look():
    while not done:
        for name in ("cmdline", "environ"):
            for path in pathlib.Path("/proc").glob(f"[0-9]*/{name}"):
                try:
                    if secret.encode() in path.read_bytes():
                        found.append(path)
                except OSError:
                    pass
done = False
thread = threading.Thread(target=look)
thread.start()
data = sys.stdin.buffer.read()
for zygote in (True, False):
    print(Runner(zygote=zygote).run(data, password=secret).pages[0].text)
done = True
thread.join()
print(found)
"""
    data = encrypted(simple_pdf(["opened"]), user="hunter2", revision=6)
    done = subprocess.run([sys.executable, "-c", script], input=data, capture_output=True, timeout=120, check=False)
    assert done.stdout.splitlines() == [b"opened", b"opened", b"[]"], done.stderr
