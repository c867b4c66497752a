"""The zygote and its children from outside: what they inherit, how they end, and what is left of them."""

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

from pincite.errors import CrashError, DeadlineError
from pincite.model.text import DocumentMeta, PageFailure, PageText
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.job import Job
from pincite.sandbox.runner import Runner
from pincite.sandbox.zygote import Zygote
from support.children import children_of, close_zygotes, engine_runner, engine_zygote, is_running, wait_until_gone
from support.pdfvariants import encrypted
from support.pdfwriter import simple_pdf

pytestmark = pytest.mark.skipif(not zygotes.is_supported(), reason="no zygote here")

ENDLESS = """
    import os
    def spin():
        while True: pass
    def open_document(data): return Document(lambda: f"{os.getpid()} {os.getppid()}", spin, "three")
"""


@pytest.fixture(autouse=True)
def nothing_leaks() -> Iterator[None]:
    """No descriptor, no child and no zombie is left of a test."""
    zygotes.shared().close()
    before = len(os.listdir("/proc/self/fd")), threading.active_count(), children_of(os.getpid())
    yield
    close_zygotes()
    zygotes.shared().close()
    gc.collect()
    assert (len(os.listdir("/proc/self/fd")), threading.active_count(), children_of(os.getpid())) == before


def first_page(stream: Iterator[object]) -> str:
    assert isinstance(next(stream), DocumentMeta)
    page = next(stream)
    assert isinstance(page, PageText)
    return page.text


# What it is


def test_the_zygote_inherits_nothing(tmp_path: Path) -> None:
    """Neither descriptors nor signals nor the environment nor the folder of the caller; it has one thread."""
    script = """
import os, signal, sys, pathlib
from pincite.sandbox import zygote
from pincite.sandbox.runner import Runner
from support.pdfwriter import simple_pdf
os.environ["SECRET"] = "hunter2"
os.chdir(sys.argv[1])
os.set_inheritable(os.open("held", os.O_CREAT | os.O_RDWR), True)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1})
for _ in range(2):
    assert Runner().run(simple_pdf(["text"])).pages[0].text == "text"
proc = pathlib.Path(f"/proc/{zygote.shared().pid}")
status = dict(line.split(":\\t", 1) for line in (proc / "status").read_text().splitlines() if ":\\t" in line)
print(len(list((proc / "task").iterdir())), status["SigBlk"], status["NoNewPrivs"])
if os.geteuid() == 0:
    print(os.readlink(proc / "cwd"), (proc / "environ").read_bytes().count(b"hunter2"))
    print(sorted({os.readlink(d).split(":")[0] for d in (proc / "fd").iterdir()}))
    print(os.getsid(int(proc.name)) == int(proc.name))
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-W", "error", "-c", script, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "1 0000000000000000 1"
    if os.geteuid() == 0:
        assert lines[1:] == ["/ 0", "['/dev/null', '/dev/urandom', 'anon_inode', 'socket']", "True"]


def test_one_zygote_forks_them_all() -> None:
    runner = engine_runner("import os\ndef open_document(data): return Document(f'{os.getpid()} {os.getppid()}')", forked=True)
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _: first_page(runner.stream(b"")), range(40)))
    assert len({text.split()[0] for text in texts}) == 40
    assert isinstance(runner.zygote, Zygote)
    assert {int(text.split()[1]) for text in texts} == {runner.zygote.pid}
    assert children_of(os.getpid()) == [runner.zygote.pid]
    assert children_of(runner.zygote.pid or 0) == []


def test_children_run_side_by_side() -> None:
    runner = engine_runner(ENDLESS, forked=True)
    streams = [runner.stream(b"") for _ in range(5)]
    pids = [int(first_page(stream).split()[0]) for stream in streams]
    assert all(is_running(pid) for pid in pids)
    for stream, pid in zip(streams, pids, strict=True):
        stream.close()
        assert not is_running(pid)


def test_the_zygote_reads_neither_passwords_nor_documents() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may look into its memory")
    zygote = Zygote()
    try:
        runner = Runner(zygote=zygote)
        password, words = "correct horse battery", "staple of the document"
        pdf = encrypted(simple_pdf([words]), user=password, revision=3)
        assert [page.text for page in runner.run(pdf, password=password).pages if isinstance(page, PageText)] == [words]
        found = dict.fromkeys((password, words, "pincite.sandbox"), 0)
        with open(f"/proc/{zygote.pid}/maps") as maps, open(f"/proc/{zygote.pid}/mem", "rb") as memory:
            for line in maps:
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw" in line.split()[1]:
                    memory.seek(start)
                    data = memory.read(end - start)
                    for text in found:
                        found[text] += data.count(text.encode())
    finally:
        zygote.close()
    assert (found[password], found[words]) == (0, 0)
    assert found["pincite.sandbox"] > 0


# Ends


def test_the_child_is_killed_in_the_middle() -> None:
    """One page is lost, and a fresh child goes on behind it."""
    script = """
        import os, time
        def slow():
            time.sleep(0.5)
            return "two"
        def open_document(data): return Document(lambda: str(os.getpid()), slow, "three")
    """
    stream = engine_runner(script, forked=True, fresh_children=3).stream(b"")
    pid = int(first_page(stream))
    os.kill(pid, signal.SIGKILL)
    failed, last = list(stream)
    assert isinstance(failed, PageFailure)
    assert failed.page == 2
    assert "SIGKILL" in failed.error
    assert last == PageText(3, "three")
    assert not is_running(pid)


def test_without_fresh_children_a_kill_is_an_error_with_the_pages_so_far() -> None:
    runner = engine_runner(ENDLESS, forked=True)
    assert isinstance(runner.zygote, Zygote)
    zygote = runner.zygote

    def kill() -> None:
        time.sleep(1)
        for pid in children_of(zygote.pid or 0):
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(CrashError) as caught:
        runner.run(b"")
    killer.join()
    partial = caught.value.partial
    assert caught.value.signal == partial.signal == signal.SIGKILL
    assert (partial.reason, partial.last_page) == ("crash", 1)


def test_the_zygote_is_killed_in_the_middle() -> None:
    """Each job in flight is a crash of its own, also with fresh children to be had; the next job finds another zygote."""
    runner = engine_runner(ENDLESS, forked=True, fresh_children=3)
    streams = [runner.stream(b"") for _ in range(3)]
    pids = [int(first_page(stream).split()[0]) for stream in streams]
    assert isinstance(runner.zygote, Zygote)
    zygote = runner.zygote.pid
    assert zygote is not None
    os.kill(zygote, signal.SIGKILL)
    for stream in streams:
        with pytest.raises(CrashError) as caught:
            next(stream)
        assert caught.value.signal == signal.SIGKILL
    for pid in pids:
        assert wait_until_gone(pid, 1)
    stream = runner.stream(b"")
    assert int(first_page(stream).split()[1]) == runner.zygote.pid != zygote
    stream.close()
    assert zygote not in children_of(os.getpid())


def test_an_idle_zygote_is_killed() -> None:
    runner = engine_runner("def open_document(data): return Document('text')", forked=True)
    for _ in range(3):
        assert runner.run(b"").pages == (PageText(1, "text"),)
        assert isinstance(runner.zygote, Zygote)
        os.kill(runner.zygote.pid or 0, signal.SIGKILL)


def test_a_zygote_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = engine_runner("def open_document(data): return Document('text')", forked=True)
    runner.run(b"")
    assert isinstance(runner.zygote, Zygote)
    hanging = runner.zygote.pid or 0
    os.kill(hanging, signal.SIGSTOP)
    monkeypatch.setattr(zygotes, "START_TIMEOUT_S", 2.0)
    assert runner.run(b"").pages == (PageText(1, "text"),)
    assert not is_running(hanging)


def test_a_zygote_that_hangs_while_a_child_runs_does_not_hold_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = engine_runner(ENDLESS, forked=True, deadline_s=0.5)
    monkeypatch.setattr(zygotes, "REAP_TIMEOUT_S", 0.5)
    assert isinstance(runner.zygote, Zygote)
    stream = runner.stream(b"")
    pid = int(first_page(stream).split()[0])
    os.kill(runner.zygote.pid or 0, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(DeadlineError):
        list(stream)
    assert time.monotonic() - started < 10
    assert wait_until_gone(pid, 1)


PARENT = """
import sys
from support.children import engine_runner
runner = engine_runner(sys.argv[1], forked=True)
streams = [runner.stream(b"") for _ in range(3)]
for stream in streams:
    next(stream)
    print(next(stream).text, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("copy", [False, True], ids=["alone", "with a fork that holds its descriptors"])
def test_the_parent_is_killed_in_the_middle(copy: bool) -> None:
    """No orphan after a second, though nothing is left to kill it but the kernel and the zygote itself."""
    script = PARENT
    if copy:
        forking = "import os, time\npid = os.fork()\nif pid: print(pid, flush=True)\ntime.sleep(600)"
        script = script.replace("sys.stdin.read()", forking)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", script, ENDLESS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        pids = {int(word) for _ in range(3) for word in parent.stdout.readline().split()}
        fork = int(parent.stdout.readline()) if copy else None
        assert len(pids) == 4
        assert all(is_running(pid) for pid in pids)
        parent.kill()
        parent.wait()
    end = time.monotonic() + 1
    try:
        assert [pid for pid in pids if not wait_until_gone(pid, max(0, end - time.monotonic()))] == []
    finally:
        if fork is not None:
            os.kill(fork, signal.SIGKILL)


def test_the_zygote_ends_with_the_interpreter() -> None:
    script = """
from pincite.sandbox import zygote
from pincite.sandbox.runner import Runner
from support.pdfwriter import simple_pdf
Runner().run(simple_pdf(["text"]))
print(zygote.shared().pid)
"""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=True)
    assert done.stderr == ""
    assert wait_until_gone(int(done.stdout), 1)


def test_a_parent_that_drops_its_child_has_it_killed() -> None:
    """As by Ctrl-C between the request and the answer: only the control's end is left to tell the zygote."""
    zygote = engine_zygote(ENDLESS)
    with open(os.devnull, "rb") as source:
        child = zygote.fork(Job(), source.fileno())
    assert is_running(child.pid)
    child._control.close()
    assert wait_until_gone(child.pid, 5)
    assert child.reap().is_lost


def test_a_child_that_can_t_be_killed_costs_the_others_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that waits in the kernel for a file system that does not answer."""
    zygote = engine_zygote(ENDLESS)
    with open(os.devnull, "rb") as source:
        child, other = zygote.fork(Job(), source.fileno()), zygote.fork(Job(), source.fileno())
    before = zygote.pid
    with monkeypatch.context() as patched:
        patched.setattr("pincite.sandbox.zygote.REAP_TIMEOUT_S", 0.2)
        patched.setattr(child, "kill", lambda: None)
        assert child.reap().is_lost
    assert zygote.pid == before
    assert is_running(other.pid)
    assert other.reap().signal == signal.SIGKILL
    assert wait_until_gone(child.pid, 5)  # the zygote heard that nobody waits for it


# The caller


def test_a_fork_of_the_caller_has_a_zygote_of_its_own() -> None:
    """Also while the caller's is at work, and though the fork inherits its lock and its descriptors."""
    runner = Runner()
    pdf = simple_pdf(["text"] * 2)
    expected = [page.text for page in runner.run(pdf).pages if isinstance(page, PageText)]
    ours = zygotes.shared().pid
    stream = runner.stream(pdf)
    next(stream)
    reader, writer = os.pipe()
    zygotes.shared()._lock.acquire()
    pid = os.fork()
    if pid == 0:
        try:
            texts = [page.text for page in runner.run(pdf).pages if isinstance(page, PageText)]
            own = zygotes.shared().pid
            zygotes.shared().close()
            os.write(writer, repr([texts, own]).encode())
        finally:
            os._exit(0)
    zygotes.shared()._lock.release()
    os.close(writer)
    with open(reader, "rb") as answer:
        texts, own = eval(answer.read())
    os.waitpid(pid, 0)
    assert texts == expected
    assert own != ours == zygotes.shared().pid
    assert [page.text for page in stream if isinstance(page, PageText)] == expected


def test_two_threads_that_start_it_start_one() -> None:
    zygote = Zygote()
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: Runner(zygote=zygote).run(simple_pdf(["x"])), range(16)))
        assert children_of(os.getpid()) == [zygote.pid]
    finally:
        zygote.close()


def test_a_thread_that_ends_takes_neither_zygote_nor_child_along() -> None:
    """A death signal is of the thread that forks: the zygote must not hang on whoever happened to need it first."""
    streams = []

    def start() -> None:
        stream = Runner().stream(simple_pdf(["one", "two"]))
        next(stream)
        streams.append(stream)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    pid = zygotes.shared().pid
    time.sleep(0.2)
    assert [page.text for page in streams[0] if isinstance(page, PageText)] == ["one", "two"]
    assert zygotes.shared().pid == pid


# Without one


def test_where_the_engine_can_t_be_loaded_the_error_says_so() -> None:
    broken = "import sys; sys.modules['pincite.pdf.document'] = None; "
    serve = "from pincite.sandbox.child.server import serve; serve(sys.argv[1:])"
    main = "from pincite.sandbox.child import main; sys.exit(main(sys.argv[1:]))"
    zygote = Zygote((sys.executable, "-I", "-c", broken + serve))
    with pytest.raises(CrashError, match="the engine can't be loaded"):
        Runner(sys.executable, ("-I", "-c", broken + main), zygote=zygote).run(b"")
    assert zygote.pid is None


def test_a_zygote_that_never_comes_to_life_is_done_without() -> None:
    command = (sys.executable, "-c", "raise SystemExit(1)")
    runner = engine_runner("def open_document(data): return Document('executed')")
    runner.zygote = Zygote(command)
    started = time.monotonic()
    for _ in range(3):
        assert runner.run(b"").pages == (PageText(1, "executed"),)
    assert runner.zygote.pid is None
    assert time.monotonic() - started < 30


def test_a_zygote_that_can_t_be_executed() -> None:
    runner = Runner(zygote=Zygote(("/no/such/interpreter",)))
    with pytest.raises(CrashError, match="can't be started"):
        runner.run(simple_pdf(["x"]))


@pytest.mark.parametrize("missing", ["pidfd_open", "memfd_create"])
def test_a_system_without_what_it_takes(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.delattr(os, missing)
    assert not zygotes.is_supported()
    result = Runner().run(simple_pdf(["executed"]))
    assert [page.text for page in result.pages if isinstance(page, PageText)] == ["executed"]
    assert zygotes.shared().pid is None


def test_a_kernel_without_process_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, flags: int = 0) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", refuse)
    assert not zygotes.is_supported()
