"""The runner against children that do everything wrong. Most children here are scripts; see support.children."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import (
    CrashError,
    DeadlineError,
    EncryptedError,
    LimitError,
    NoTextError,
    PinciteError,
    ProtocolError,
    UnreadableError,
)
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, OutlineItem, PageFailure, PageQuality, PageText
from pincite.sandbox import output
from pincite.sandbox.conversation import Clock
from pincite.sandbox.runner import Runner, RunResult
from support.children import is_alive, stub_runner, wait_until_gone


@pytest.fixture(autouse=True)
def nothing_leaks() -> Iterator[None]:
    """No descriptor, thread or child of the runner outlives a test."""
    before = len(os.listdir("/proc/self/fd")), threading.active_count()
    yield
    if (len(os.listdir("/proc/self/fd")), threading.active_count()) != before:
        gc.collect()  # what a traceback still holds is no leak, and collecting each time would take seconds
        assert (len(os.listdir("/proc/self/fd")), threading.active_count()) == before


def failure(runner: Runner, source: bytes | str | Path | int = b"%PDF") -> PinciteError:
    with pytest.raises(PinciteError) as caught:
        runner.run(source)
    assert caught.value.message.strip()
    return caught.value


def texts(result: RunResult) -> list[str]:
    return [page.text if isinstance(page, PageText) else f"failed: {page.error}" for page in result.pages]


def pid_of(error: PinciteError) -> int:
    """The child's number, where the child gives it as the text of page 1."""
    page = error.partial.pages[0]
    assert isinstance(page, PageText)
    return int(page.text)


# Answers


def test_a_whole_answer() -> None:
    runner = stub_runner("""
        take()
        say({"meta": {"pages": 3, "title": "A title", "outline": [{"title": "1", "page": 2, "level": 1}], "confinement": ["x"]}})
        page(1, "eins", label="i", quality={"glyphs": 4})
        say({"page": 2, "error": "ValueError: no"})
        page(3, "", warnings=["w"])
    """)
    result = runner.run(b"%PDF")
    assert result.meta == DocumentMeta(3, "A title", (OutlineItem("1", 2, 1),), confinement=("x",))
    assert result.pages == (
        PageText(1, "eins", "i", PageQuality(4)),
        PageFailure(2, "ValueError: no"),
        PageText(3, "", warnings=("w",)),
    )
    assert result.confinement == ("x",)
    assert result.duration_s > 0
    assert list(result.not_read) == []


def test_pages_over_the_limit_are_counted_only() -> None:
    result = stub_runner("take(); meta(9); page(1); page(2)", max_pages=2).run(b"%PDF")
    assert result.meta.pages == 9
    assert len(result.pages) == 2
    assert result.not_read == range(3, 10)


def test_the_child_is_told_max_pages_and_other_limits() -> None:
    runner = stub_runner("take(); meta(1); page(1, ' '.join(sys.argv[1:]))")
    assert texts(runner.run(b"")) == ["-max-pages 2000"]
    runner = stub_runner("take(); meta(1); page(1, ' '.join(sys.argv[1:]))", max_pages=7, max_input_bytes=8, max_memory_bytes=9)
    assert texts(runner.run(b"")) == ["-max-pages 7 -max-input-bytes 8 -max-memory-bytes 9"]


def test_lines_split_at_odd_places() -> None:
    result = stub_runner("""
        take()
        values = {"meta": {"pages": 2, "title": "\\u00e9"}}, {"page": 1, "text": "\\ud55c\\uad6d"}, {"page": 2, "text": "z"}
        for byte in "".join(json.dumps(value, ensure_ascii=False) + "\\n" for value in values).encode():
            os.write(1, bytes([byte]))
    """).run(b"")
    assert result.meta.title == "é"
    assert texts(result) == ["한국", "z"]


def test_all_lines_in_one_write_and_a_long_one() -> None:
    result = stub_runner("""
        take()
        big = "x" * 3_000_000
        sys.stdout.write("\\n".join(json.dumps(v) for v in (
            {"meta": {"pages": 2, "title": None, "outline": []}}, {"page": 1, "text": big}, {"page": 2, "text": "z"})) + "\\n")
    """).run(b"")
    assert [len(text) for text in texts(result)] == [3_000_000, 1]


def test_the_stream_gives_pages_while_the_child_works() -> None:
    runner = stub_runner("take(); meta(2); page(1, str(os.getpid())); time.sleep(600)")
    stream = runner.stream(b"")
    assert next(stream) == DocumentMeta(2)
    page = next(stream)
    assert isinstance(page, PageText)
    assert is_alive(int(page.text))
    stream.close()
    assert not is_alive(int(page.text))


def test_a_dropped_stream_takes_its_child_along() -> None:
    stream = stub_runner("take(); meta(2); page(1, str(os.getpid())); time.sleep(600)").stream(b"")
    next(stream)
    page = next(stream)
    assert isinstance(page, PageText)
    del stream
    gc.collect()
    assert not is_alive(int(page.text))


def test_a_stream_that_is_never_asked_starts_nothing() -> None:
    stub_runner("").stream("/no/such/file").close()


def test_the_time_of_the_reader_does_not_count() -> None:
    runner = stub_runner("take(); meta(3); page(1); page(2); page(3)", deadline_s=30, stall_s=30)
    stream = runner.stream(b"")
    next(stream)
    # As if the reader of the pages took an hour for each.
    clock = time.monotonic
    offset = 0.0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: clock() + offset)
        for _ in range(3):
            offset += 3600
            assert isinstance(next(stream), PageText)
        offset += 3600
        assert next(stream, None) is None


def test_a_stream_without_text_is_no_error() -> None:
    items = list(stub_runner("take(); meta(1); page(1, '')").stream(b""))
    assert items == [DocumentMeta(1), PageText(1, "")]


# Typed errors


def test_no_text_carries_its_pages() -> None:
    error = failure(stub_runner("take(); meta(3); page(1, ''); page(2, ' \\n'); say({'page': 3, 'error': 'e'})"))
    assert isinstance(error, NoTextError)
    assert error.slug == "no_text"
    assert len(error.partial.pages) == 3


def test_one_page_with_text_is_enough() -> None:
    assert texts(stub_runner("take(); meta(2); page(1, ''); page(2, 'x')").run(b"")) == ["", "x"]


def test_no_text_when_every_page_fails_says_why() -> None:
    error = failure(stub_runner("take(); meta(1); say({'page': 1, 'error': 'KeyError: odd'})"))
    assert isinstance(error, NoTextError)
    assert "KeyError: odd" in error.message


def test_encrypted() -> None:
    error = failure(stub_runner("take(); print('encrypted: needs a password', file=sys.stderr); sys.exit(3)"))
    assert type(error) is EncryptedError
    assert error.message == "needs a password"
    assert error.partial is None


def test_unreadable() -> None:
    error = failure(stub_runner("take(); print('unreadable: no trailer', file=sys.stderr); sys.exit(4)"))
    assert type(error) is UnreadableError
    assert error.message == "no trailer"


def test_exit_codes_speak_without_words() -> None:
    assert type(failure(stub_runner("sys.exit(3)"))) is EncryptedError
    assert type(failure(stub_runner("sys.exit(4)"))) is UnreadableError


def test_memory_after_pages_were_read() -> None:
    error = failure(stub_runner("take(); meta(2); page(1); print('memory: over 768 MiB', file=sys.stderr); sys.exit(1)"))
    assert isinstance(error, LimitError)
    assert error.slug == "memory"
    assert texts(error.partial) == ["text"]
    assert error.partial.not_read == range(2, 3)


@pytest.mark.parametrize("code", [1, 2, 70])
def test_another_exit_code_is_a_crash(code: int) -> None:
    error = failure(stub_runner(f"print('first line\\nsecond', file=sys.stderr); sys.exit({code})"))
    assert isinstance(error, CrashError)
    assert error.signal is None
    assert f"exit code {code}" in error.message
    assert "first line" in error.message
    assert "second" not in error.message


def test_a_crash_with_a_traceback_tells_its_last_line() -> None:
    error = failure(stub_runner("take(); raise KeyError('odd')"))
    assert isinstance(error, CrashError)
    assert "KeyError: 'odd'" in error.message


def test_a_signal_is_a_crash_with_its_pages() -> None:
    error = failure(stub_runner("take(); meta(2); page(1); print('oops', file=sys.stderr); os.kill(os.getpid(), 11)"))
    assert isinstance(error, CrashError)
    assert error.signal == signal.SIGSEGV
    assert "SIGSEGV" in error.message
    assert "oops" in error.message
    assert texts(error.partial) == ["text"]


def test_killed_from_outside() -> None:
    stream = stub_runner("take(); meta(2); page(1, str(os.getpid())); time.sleep(600)").stream(b"")
    next(stream)
    page = next(stream)
    assert isinstance(page, PageText)
    os.kill(int(page.text), signal.SIGKILL)
    with pytest.raises(CrashError) as caught:
        next(stream)
    assert caught.value.signal == signal.SIGKILL


def test_killed_from_outside_keeps_the_pages() -> None:
    runner = stub_runner("take(); meta(2); page(1, str(os.getpid())); os.write(1, b'{\"page\": 2'); os.kill(os.getpid(), 9)")
    error = failure(runner)
    assert isinstance(error, CrashError)
    assert error.signal == signal.SIGKILL
    assert not is_alive(pid_of(error))


def test_control_characters_of_stderr_stay_out_of_the_message() -> None:
    error = failure(stub_runner("os.write(2, b'\\x1b]0;x\\x07\\xff\\n'); sys.exit(9)"))
    assert "\x1b" not in error.message
    assert "\x07" not in error.message


def test_a_program_that_is_not_there() -> None:
    assert isinstance(failure(Runner("/no/such/program", ())), CrashError)


# Protocol


@pytest.mark.parametrize(
    "script",
    [
        "page(1)",
        "meta(2); page(2)",
        "meta(2); page(1); page(1)",
        "meta(1); page(1); page(2)",
        "meta(1); meta(1)",
        "meta(1); page(1); os.write(1, b'x')",
        "meta(1); page(1); os.write(1, b'\\n')",
        "meta(2); page(1)",
        "meta(1); os.write(1, b'{\"page\": 1')",
        "os.write(1, b'\\xff\\n')",
        'os.write(1, b\'{"meta": {"pages": NaN}}\\n\')',
        "pass",
    ],
)
def test_protocol(script: str) -> None:
    error = failure(stub_runner("take(); " + script))
    assert isinstance(error, ProtocolError)


def test_a_protocol_error_kills_and_keeps_the_pages_before_it() -> None:
    error = failure(stub_runner("take(); meta(9); page(1, str(os.getpid())); page(3); time.sleep(600)"))
    assert isinstance(error, ProtocolError)
    assert not is_alive(pid_of(error))


def test_a_line_without_end_is_cut_at_its_own_cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.sandbox.runner.MAX_LINE_BYTES", 100_000)
    error = failure(stub_runner("take(); meta(2); page(1)\nwhile True: os.write(1, b'x' * 5000)"))
    assert isinstance(error, ProtocolError)
    assert texts(error.partial) == ["text"]


# Deadlines

# Long enough for a busy machine to start Python and read one page. The cases run side by side, so it is waited for once.
DEADLINE_S = 4.0

FIRST_PAGE = "take(); meta(9); page(1, str(os.getpid()))\n"
HANGING = {
    "loop in python": FIRST_PAGE + "while True: pass",
    "sleep": FIRST_PAGE + "time.sleep(600)",
    "loop in C": FIRST_PAGE + "import hashlib; hashlib.pbkdf2_hmac('sha256', b'x', b'y', 2_000_000_000)",
    "regular expression": FIRST_PAGE + "import re; re.match(r'(?:a?){40}a{40}$', 'a' * 40 + 'b')",
    "deaf": FIRST_PAGE + "from signal import *; pthread_sigmask(SIG_BLOCK, valid_signals())\nwhile True: time.sleep(1)",
    "output closed": FIRST_PAGE + "os.close(1)\nwhile True: time.sleep(1)",
    "everything closed": FIRST_PAGE + "os.closerange(0, 3)\nwhile True: time.sleep(1)",
    "half a line": FIRST_PAGE + "os.write(1, b'{\"page\": 2, ')\ntime.sleep(600)",
    "endless good lines": FIRST_PAGE.replace("9", "9_000_000") + "for n in range(2, 9_000_000): page(n); time.sleep(0.001)",
    "grandchild": "take(); meta(9); pid = os.fork()\nif pid: page(1, str(pid))\ntime.sleep(600)",
    "input not read": FIRST_PAGE.removeprefix("take(); ") + "time.sleep(600)",
}


@pytest.fixture(scope="module")
def hanging() -> dict[str, PinciteError]:
    """Each hanging child's error."""

    def hang(name: str) -> PinciteError:
        source = bytes(50_000_000) if name == "input not read" else b"%PDF"
        return failure(stub_runner(HANGING[name], deadline_s=DEADLINE_S, max_pages=9_000_000), source)

    with ThreadPoolExecutor(len(HANGING)) as pool:
        return dict(zip(HANGING, pool.map(hang, HANGING), strict=True))


@pytest.mark.parametrize("name", HANGING)
def test_the_child_is_gone_after_the_deadline(name: str, hanging: dict[str, PinciteError]) -> None:
    error = hanging[name]
    assert isinstance(error, DeadlineError)
    assert error.slug == "timeout"
    if name == "grandchild":
        assert wait_until_gone(pid_of(error))
    else:
        assert not is_alive(pid_of(error))


def test_no_page_for_too_long_is_a_stall() -> None:
    error = failure(stub_runner(FIRST_PAGE + "time.sleep(600)", stall_s=2))
    assert isinstance(error, DeadlineError)
    assert error.slug == "stalled"


def test_input_that_never_comes_is_given_up_at_the_deadline(tmp_path: Path) -> None:
    runner = stub_runner("take()", deadline_s=0.3)
    os.mkfifo(tmp_path / "pipe")
    assert isinstance(failure(runner, tmp_path / "pipe"), DeadlineError)
    source, sink = os.pipe()
    try:
        assert isinstance(failure(runner, source), DeadlineError)
    finally:
        os.close(source)
        os.close(sink)


def test_grandchildren_do_not_outlive_a_good_answer() -> None:
    result = stub_runner("take(); meta(1); pid = os.fork()\nif pid: page(1, str(pid))\nelse: time.sleep(600)").run(b"")
    assert wait_until_gone(int(texts(result)[0]))


def test_a_grandchild_that_leaves_the_group_does_not_hold_the_answer() -> None:
    runner = stub_runner("""
        take(); meta(1); read, write = os.pipe()
        if os.fork(): os.read(read, 1)
        else: os.setsid(); page(1, str(os.getpid())); os.write(write, b"x"); time.sleep(600)
    """)
    result = runner.run(b"")
    os.kill(int(texts(result)[0]), signal.SIGKILL)


def test_the_two_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    clock = Clock(60, 0.25, 20)
    assert clock.remaining_s() == 20
    now += 15
    clock.pages_expected = 40
    clock.add_progress()
    assert clock.remaining_s() == 20
    clock.add_pause(5)
    assert clock.remaining_s() == 25
    now += 24
    assert clock.remaining_s() == 1
    clock.add_progress()
    now += 19
    clock.add_progress()
    now += 16  # 74 s in all, 5 of them not the child's
    assert clock.remaining_s() == 1
    now += 1
    with pytest.raises(DeadlineError, match="longer than 70 s") as caught:
        clock.remaining_s()
    assert caught.value.slug == "timeout"


def test_all_limits_of_a_dataclass_are_used() -> None:
    runner = Runner.from_limits(Limits(1, 2, 3, 4, 5, 6, 7, 8))
    assert (runner.max_input_bytes, runner.max_pages, runner.stall_s, runner.deadline_s) == (1, 2, 3, 4)
    assert (runner.deadline_per_page_s, runner.max_memory_bytes, runner.max_output_bytes, runner.max_stderr_bytes) == (5, 6, 7, 8)


# Output


class CountedReads:
    """Counts the bytes that `output` reads, standard output and standard error together."""

    def __init__(self) -> None:
        self.bytes_read = 0

    def read(self, descriptor: int, count: int) -> bytes:
        piece = os.read(descriptor, count)
        self.bytes_read += len(piece)
        return piece

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> CountedReads:
    counter = CountedReads()
    monkeypatch.setattr(output, "os", counter)
    return counter


@pytest.mark.parametrize(
    "writer", ["os.write(1, b'x' * 65536)", "n += 1; page(n, 'x' * 10_000)"], ids=["one line without end", "page after page"]
)
def test_an_endless_writer_is_cut_at_the_cap(writer: str, counted: CountedReads) -> None:
    cap = 1_000_003
    script = f"take(); meta(2000); page(1, str(os.getpid())); n = 1\nwhile True: {writer}"
    error = failure(stub_runner(script, max_output_bytes=cap))
    assert isinstance(error, LimitError)
    assert error.slug == "too_much_text"
    assert counted.bytes_read == cap
    assert not is_alive(pid_of(error))


def test_an_answer_of_exactly_the_cap_is_whole(counted: CountedReads) -> None:
    script = "take(); meta(2); page(1); page(2); time.sleep(0.2)"
    lines = '{"meta": {"pages": 2, "title": null, "outline": []}}', '{"page": 1, "text": "text"}', '{"page": 2, "text": "text"}'
    size = sum(len(line) + 1 for line in lines)
    assert len(stub_runner(script, max_output_bytes=size).run(b"").pages) == 2
    assert counted.bytes_read == size
    error = failure(stub_runner(script, max_output_bytes=size - 1))
    assert isinstance(error, LimitError)
    assert texts(error.partial) == ["text"]


# Standard error


def test_a_flood_of_stderr_neither_blocks_nor_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []

    class Recorded(output.KeptStderr):
        def drain(self) -> bool:
            more = super().drain()
            kept.append(len(self.kept))
            return more

    monkeypatch.setattr("pincite.sandbox.conversation.KeptStderr", Recorded)
    error = failure(
        stub_runner("""
            take(); meta(2); page(1)
            os.write(2, b"first words\\n")
            for _ in range(2000): os.write(2, b"flood " * 1000)
            page(2)
            os.write(2, b"\\nmemory: last words\\n")
            sys.exit(1)
        """)
    )
    assert max(kept) == 4096
    assert isinstance(error, LimitError)
    assert error.message == "last words"
    assert len(error.partial.pages) == 2


def test_a_flood_before_a_crash_keeps_its_first_line() -> None:
    error = failure(stub_runner("os.write(2, b'first words\\n')\nfor _ in range(100): os.write(2, b'flood ' * 1000)\nos.abort()"))
    assert isinstance(error, CrashError)
    assert "first words" in error.message
    assert len(error.message) < 4096


# Input


def test_input_arrives_whole_from_bytes_path_and_descriptor(tmp_path: Path) -> None:
    runner = stub_runner("import hashlib; data = take(); meta(1); page(1, f'{len(data)} {hashlib.sha256(data).hexdigest()}')")
    data = os.urandom(3_000_001)
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    expected = runner.run(data)
    assert texts(expected)[0].startswith("3000001 ")
    assert runner.run(memoryview(data)).pages == runner.run(path).pages == runner.run(str(path)).pages == expected.pages
    with path.open("rb") as file:
        file.seek(1000)
        assert runner.run(file.fileno()).pages == expected.pages
        assert file.tell() == 1000


def test_input_arrives_whole_from_a_pipe() -> None:
    source, sink = os.pipe()
    data = b"x" * 300_000

    def write() -> None:
        with os.fdopen(sink, "wb") as file:
            file.write(data)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        result = stub_runner("data = take(); meta(1); page(1, str(len(data)))").run(source)
    finally:
        os.close(source)
        writer.join()
    assert texts(result) == ["300000"]


def test_a_child_that_never_reads_a_large_input() -> None:
    assert texts(stub_runner("meta(1); page(1, 'deaf')").run(bytes(50_000_000))) == ["deaf"]


def test_a_child_that_closes_its_input_early() -> None:
    data = bytes(50_000_000)
    assert texts(stub_runner("os.read(0, 10); os.close(0); meta(1); page(1); time.sleep(0.1)").run(data)) == ["text"]
    assert type(failure(stub_runner("os.close(0); sys.exit(4)"), data)) is UnreadableError


def test_input_over_the_limit_starts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(bytes(101))
    runner = Runner("/no/such/program", (), max_input_bytes=100)
    for source in (bytes(101), path):
        error = failure(runner, source)
        assert isinstance(error, LimitError)
        assert error.slug == "too_large"
    assert isinstance(failure(runner, bytes(100)), CrashError)


def test_an_endless_device_is_too_large() -> None:
    error = failure(stub_runner("take()", max_input_bytes=1_000_000), "/dev/zero")
    assert error.slug == "too_large"


@pytest.mark.parametrize("source", ["/no/such/file.pdf", "/", "nul\0byte.pdf", 987])
def test_sources_that_are_not_there(source: str | int) -> None:
    error = failure(Runner("/no/such/program", ()), source)
    assert type(error) is UnreadableError


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(b"%PDF")
    path.chmod(0)
    error = failure(Runner("/no/such/program", ()), path)
    assert type(error) is UnreadableError
    assert "permissions" in error.message


def test_a_permission_error_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pincite.sandbox.source.os.open", refuse)
    error = failure(Runner("/no/such/program", ()), "file.pdf")
    assert type(error) is UnreadableError
    assert "permissions" in error.message


def test_a_source_that_fails_while_it_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The child must not take the half that it got for the whole."""
    path = tmp_path / "file.pdf"
    path.write_bytes(bytes(3_000_000))
    pread = os.pread

    def failing(descriptor: int, count: int, position: int) -> bytes:
        if position > 2_000_000:
            raise OSError(5, "Input/output error")
        return pread(descriptor, count, position)

    monkeypatch.setattr("pincite.sandbox.source.os.pread", failing)
    error = failure(stub_runner("data = take(); meta(1); page(1, str(len(data)))"), path)
    assert type(error) is UnreadableError
    assert "Input/output error" in error.message
    assert error.partial is None


# The world around


def test_the_environment_does_not_reach_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_SECRET", "hunter2")
    script = "take(); meta(1); page(1, open('/proc/self/environ').read().replace('\\0', ';') or 'nothing')"
    assert texts(stub_runner(script).run(b"")) == ["nothing"]
    assert texts(stub_runner(script, env={"A": "b"}).run(b"")) == ["A=b;"]


def test_no_descriptor_reaches_the_child(tmp_path: Path) -> None:
    with (tmp_path / "open").open("wb") as file:
        os.set_inheritable(file.fileno(), True)
        result = stub_runner("meta(1); page(1, ' '.join(sorted(os.listdir('/proc/self/fd'))))").run(b"")
    assert texts(result) == ["0 1 2 3"]  # 3 is the listing itself


def test_the_child_has_a_session_of_its_own() -> None:
    result = stub_runner("take(); meta(1); page(1, str(os.getsid(0) == os.getpid() == os.getpgid(0)))").run(b"")
    assert texts(result) == ["True"]


def test_a_keyboard_interrupt_leaves_nothing_behind() -> None:
    """In a process of its own: Ctrl-C in the middle of `run`."""
    script = """
import _thread, os, sys, threading, time
from support.children import stub_runner
runner = stub_runner("take(); meta(2); page(1); print(os.getpid(), file=open(sys.argv[1], 'w')); time.sleep(600)")
read, write = os.pipe()
os.set_inheritable(write, True)
runner.args = (*runner.args, f"/proc/{os.getpid()}/fd/{write}")
def interrupt():
    global pid
    pid = int(os.read(read, 100))
    os.kill(os.getpid(), 2)
threading.Thread(target=interrupt).start()
try:
    runner.run(b"")
except KeyboardInterrupt:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        print("interrupted and gone")
"""
    command = [sys.executable, "-W", "error", "-c", script]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("interrupted and gone\n", "")


def test_several_at_once() -> None:
    runner = stub_runner("data = take(); meta(1); page(1, data.decode())")
    answers: dict[int, str] = {}

    def work(number: int) -> None:
        answers[number] = texts(runner.run(str(number).encode()))[0]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: str(number) for number in range(8)}


def test_without_a_process_descriptor(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a system that can't wait for a process and a pipe together."""
    monkeypatch.delattr(os, "pidfd_open")
    assert texts(stub_runner("take(); meta(1); page(1)").run(b"")) == ["text"]
    error = failure(stub_runner("take(); meta(2); page(1, str(os.getpid()))\nwhile True: pass", deadline_s=2))
    assert isinstance(error, DeadlineError)
    assert not is_alive(pid_of(error))
    monkeypatch.delattr(os, "waitid")
    error = failure(stub_runner("take(); meta(2); page(1, str(os.getpid())); os.abort()"))
    assert isinstance(error, CrashError)
    assert error.signal == signal.SIGABRT
    assert not is_alive(pid_of(error))
