"""Where the bytes come from, on the way to a child that gets one descriptor: read-only, from the start, a position of its own."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import DeadlineError, LimitError, PinciteError, UnreadableError
from pincite.model.text import PageText
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.runner import Runner
from pincite.sandbox.source import OpenSource, Source
from support.children import stub_runner
from support.pdfwriter import simple_pdf

pytestmark = pytest.mark.skipif(not zygotes.is_supported(), reason="no zygote here")

PDF = simple_pdf(["the text"])


@pytest.fixture(autouse=True)
def nothing_leaks() -> Iterator[None]:
    Runner().run(PDF)
    before = sorted(os.listdir("/proc/self/fd"))
    yield
    assert sorted(os.listdir("/proc/self/fd")) == before


def text_of(source: Source, **options: object) -> str:
    (page,) = Runner(zygote=True, **options).run(source).pages  # type: ignore[arg-type]
    assert isinstance(page, PageText)
    return page.text


def failure(source: Source, **options: object) -> PinciteError:
    with pytest.raises(PinciteError) as caught:
        text_of(source, **options)
    return caught.value


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "file.pdf"
    found.write_bytes(PDF)
    return found


def test_bytes_and_paths(path: Path) -> None:
    for source in (PDF, bytearray(PDF), memoryview(PDF), path, str(path), os.fsencode(path).decode()):
        assert text_of(source) == "the text"


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR])
def test_a_descriptor_is_read_from_its_start_and_stays_where_it_is(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.lseek(descriptor, 100, os.SEEK_SET)
        assert [text_of(descriptor) for _ in range(2)] == ["the text"] * 2
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 100
    finally:
        os.close(descriptor)


def test_a_file_that_is_deleted_or_of_memory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    path.unlink()
    assert text_of(descriptor) == "the text"
    os.close(descriptor)
    descriptor = os.memfd_create("test")
    os.write(descriptor, PDF)
    assert text_of(descriptor) == "the text"
    os.close(descriptor)


def test_a_descriptor_that_can_only_be_written(path: Path) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        # A user who may read the file may open it anew; nobody else could hand it on.
        assert text_of(descriptor) == "the text"
    finally:
        os.close(descriptor)


def test_pipes(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, PDF)
    os.close(writer)
    assert text_of(reader) == "the text"
    os.close(reader)
    os.mkfifo(tmp_path / "fifo")
    thread = threading.Thread(target=lambda: (tmp_path / "fifo").write_bytes(PDF))
    stream = Runner(zygote=True).stream(tmp_path / "fifo")
    thread.start()
    pages = [item for item in stream if isinstance(item, PageText)]
    thread.join()
    # Whoever opens it first without a writer sees its end at once, as `cat` would not: that is an empty file.
    assert [page.text for page in pages] in (["the text"], [])


def test_a_slow_pipe() -> None:
    reader, writer = os.pipe()

    def write() -> None:
        for start in range(0, len(PDF), 200):
            time.sleep(0.01)
            os.write(writer, PDF[start : start + 200])
        os.close(writer)

    thread = threading.Thread(target=write)
    thread.start()
    assert text_of(reader) == "the text"
    thread.join()
    os.close(reader)


def test_a_pipe_that_never_ends() -> None:
    reader, writer = os.pipe()
    try:
        assert isinstance(failure(reader, deadline_s=0.3), DeadlineError)
        error = failure(reader, stall_s=0.2)
        assert (type(error), error.slug) == (DeadlineError, "stalled")
    finally:
        os.close(reader)
        os.close(writer)


def test_too_much(path: Path) -> None:
    for source in ("/dev/zero", PDF, path):
        error = failure(source, max_input_bytes=500)
        assert (type(error), error.slug) == (LimitError, "too_large")
    assert text_of(PDF, max_input_bytes=len(PDF)) == "the text"


def test_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for source in ("/no/such/file.pdf", tmp_path, 987, "nul\0byte", b"", tmp_path / "empty"):
        assert type(failure(source)) is UnreadableError


def test_what_the_child_gets_can_t_be_written(path: Path) -> None:
    """Also by one who has broken out of the parser: the descriptor itself does not allow it."""
    shared = os.open(path, os.O_RDWR)
    reader, writer = os.pipe()
    os.write(writer, PDF)
    os.close(writer)
    for source in (PDF, path, shared, reader):
        with OpenSource(source, 1 << 20) as opened:
            descriptor = opened.descriptor(lambda: 60.0)
            assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0
            assert os.pread(descriptor, 1 << 20, 0) == PDF
            writable = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
            seals = fcntl.fcntl(descriptor, fcntl.F_GET_SEALS) if writable else fcntl.F_SEAL_WRITE
            assert seals & fcntl.F_SEAL_WRITE
            assert not os.get_inheritable(descriptor)
            assert opened.can_repeat
            assert opened.descriptor(lambda: 60.0) == descriptor
            opened.rewind()
            assert opened.read() == PDF
    os.close(shared)
    os.close(reader)


def test_a_file_that_may_not_be_opened_anew_is_copied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a program that gave up the user who had opened it."""
    descriptor = os.open(path, os.O_RDONLY)
    real = os.open

    def refuse(name: str, *arguments: int) -> int:
        if str(name).startswith("/proc/"):
            raise PermissionError(13, "Permission denied")
        return real(name, *arguments)

    monkeypatch.setattr("pincite.sandbox.source.os.open", refuse)
    os.lseek(descriptor, 50, os.SEEK_SET)
    assert text_of(descriptor) == "the text"
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == 50
    monkeypatch.undo()
    os.close(descriptor)


def test_a_great_file_is_not_held_in_the_child(tmp_path: Path) -> None:
    """One over what is read whole is read through its descriptor, from the start, under the memory limit."""
    path = tmp_path / "great.pdf"
    padding = b"%" + b"x" * (40 << 20) + b"\n"
    path.write_bytes(PDF + padding)
    assert text_of(path, max_memory_bytes=100 << 20) == "the text"


def test_a_file_that_never_answers_is_given_up_at_the_deadline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As on a file system whose server hangs: the reading itself can't be ended."""
    path = tmp_path / "file.pdf"
    path.write_bytes(bytes(10))
    answer, reads = threading.Event(), []

    def hanging(*arguments: int) -> bytes:
        reads.append(arguments)
        answer.wait(60)
        return b"late"

    monkeypatch.setattr("pincite.sandbox.source.os.pread", hanging)
    threads = threading.enumerate()
    with pytest.raises(DeadlineError):
        stub_runner("take(); meta(1); page(1)", deadline_s=0.3).run(path)
    assert len(reads) == 1
    (left,) = set(threading.enumerate()) - set(threads)
    answer.set()
    left.join(10)
    assert not left.is_alive()
    assert len(reads) == 1  # what the descriptor's number stands for by now is not read
