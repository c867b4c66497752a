"""The child itself, a process of its own, over engines that the tests make up; see support.children."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import CrashError, EncryptedError, LimitError, NoTextError, PinciteError, UnreadableError
from pincite.model.text import OutlineItem, PageFailure, PageQuality, PageText
from pincite.sandbox.child.command import Options, parse_arguments, reader_is_gone
from pincite.sandbox.runner import Runner
from support.children import close_zygotes, engine_args, engine_runner, wait_until_gone

TWO_PAGES = "def open_document(data): return Document('eins', 'zwei')"


def run_child(script: str, *arguments: str, data: bytes = b"%PDF", **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *engine_args(script), *arguments]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False, env={}, **options)


def lines_of(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


MEMORY_ERROR = "memory: it takes more memory than the limit allows"


class Engine:
    """Runners of the real child over made-up engines, forked or executed."""

    def __init__(self, forked: bool) -> None:
        self.forked = forked

    def runner(self, script: str, **options: Any) -> Runner:
        return engine_runner(script, forked=self.forked, **options)

    def failure(self, script: str, **options: Any) -> PinciteError:
        with pytest.raises(PinciteError) as caught:
            self.runner(script, **options).run(b"%PDF")
        return caught.value


@pytest.fixture(params=["forked", "executed"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    yield Engine(request.param == "forked")
    close_zygotes()


def test_the_contract() -> None:
    done = run_child(TWO_PAGES)
    assert done.returncode == 0
    assert done.stderr == b""
    meta, *pages = lines_of(done)
    assert meta["meta"].items() >= {"pages": 2, "title": None, "outline": []}.items()
    assert pages == [{"page": 1, "text": "eins"}, {"page": 2, "text": "zwei"}]


def test_everything_that_a_document_says(engine: Engine) -> None:
    result = engine.runner("""
        class Full(Document):
            title = "Titel"
            outline = (OutlineItem("1", 2, 1),)
            def __init__(self):
                super().__init__("eins", "zwei")
                self.warnings = ["from opening"]
            def page(self, number):
                page = super().page(number)
                page.label = "iv"
                page.quality = PageQuality(4, 3, 2, 1)
                page.warnings = ("from its content",)
                self.warnings.append(f"from page {number}")
                return page
        def open_document(data): return Full()
    """).run(b"")
    assert result.meta.title == "Titel"
    assert result.meta.outline == (OutlineItem("1", 2, 1),)
    assert result.meta.warnings == ("from opening",)
    assert result.pages == (
        PageText(1, "eins", "iv", PageQuality(4, 3, 2, 1), ("from its content", "from page 1")),
        PageText(2, "zwei", "iv", PageQuality(4, 3, 2, 1), ("from its content", "from page 2")),
    )


def test_the_engine_gets_the_input(engine: Engine) -> None:
    data = os.urandom(3_000_000)
    script = "import hashlib\ndef open_document(data): return Document(hashlib.sha256(data).hexdigest() + type(data).__name__)"
    page = engine.runner(script).run(data).pages[0]
    assert page == PageText(1, hashlib.sha256(data).hexdigest() + "bytes")


def test_a_page_that_raises_costs_itself(engine: Engine) -> None:
    result = engine.runner("""
        errors = ValueError("odd\\nvalue"), MemoryError(), UnreadableError("no stream"), KeyError(), RecursionError("deep")
        def open_document(data): return Document("eins", *errors, "sieben")
    """).run(b"")
    assert result.pages == (
        PageText(1, "eins"),
        PageFailure(2, "ValueError: odd value"),
        PageFailure(3, MEMORY_ERROR),
        PageFailure(4, "unreadable: no stream"),
        PageFailure(5, "KeyError"),
        PageFailure(6, "RecursionError: deep"),
        PageText(7, "sieben"),
    )


def test_lesser_things_that_raise_cost_themselves(engine: Engine) -> None:
    result = engine.runner("""
        class Broken(Document):
            @property
            def title(self): raise ValueError("t")
            @property
            def outline(self): raise MemoryError
            def page(self, number): return BrokenPage(number, "text")
        class BrokenPage(Page):
            @property
            def label(self): raise ValueError("l")
            @property
            def quality(self): raise ValueError("q")
        def open_document(data): return Broken("x")
    """).run(b"")
    assert (result.meta.title, result.meta.outline) == (None, ())
    assert result.meta.warnings == ("the title can't be read: ValueError: t", f"the outline can't be read: {MEMORY_ERROR}")
    page = result.pages[0]
    assert isinstance(page, PageText)
    assert page.text == "text"
    assert len(page.warnings) == 2


def test_surrogates_become_valid_utf8(engine: Engine) -> None:
    result = engine.runner("def open_document(data): return Document('a\\ud800\\udc00b\\udfff')").run(b"")
    assert result.pages == (PageText(1, "a\ufffd\ufffdb\ufffd"),)


def test_max_pages() -> None:
    done = run_child(TWO_PAGES, "-max-pages", "1")
    meta, *pages = lines_of(done)
    assert meta["meta"]["pages"] == 2
    assert [page["page"] for page in pages] == [1]
    assert done.returncode == 0


def test_each_line_is_out_before_the_next_page(engine: Engine) -> None:
    stream = engine.runner("""
        import time
        def open_document(data): return Document('eins', lambda: time.sleep(600))
    """).stream(b"")
    next(stream)
    assert next(stream) == PageText(1, "eins")
    stream.close()


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("raise EncryptedError('needs a password')", 3, b"encrypted: needs a password"),
        ("raise UnreadableError('no trailer')", 4, b"unreadable: no trailer"),
        ("return Document()", 4, b"unreadable: the file has no pages"),
        ("raise MemoryError", 1, b"memory: "),
        ("raise ValueError('odd')", 1, b"crash: ValueError: odd"),
        ("raise PinciteError('what')", 1, b"crash: error: what"),
    ],
)
def test_exit_codes_and_reasons(body: str, code: int, words: bytes) -> None:
    done = run_child(f"def open_document(data): {body}")
    assert done.returncode == code
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1].startswith(words)


def test_the_parent_builds_the_errors(engine: Engine) -> None:
    assert type(engine.failure("def open_document(data): raise EncryptedError('x')")) is EncryptedError
    assert type(engine.failure("def open_document(data): return Document()")) is UnreadableError
    assert type(engine.failure("def open_document(data): raise KeyError('odd')")) is CrashError
    assert type(engine.failure("def open_document(data): return Document('', None and '' or '')")) is NoTextError
    assert "No module named 'missing'" in engine.failure("import missing").message


@pytest.mark.parametrize(
    "arguments", [["-max-pages"], ["-max-pages", "x"], ["-max-pages", "0"], ["-max-pages=-1"], ["file.pdf"], ["--env", "1"], [""]]
)
def test_wrong_arguments(arguments: list[str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_arguments(arguments)


def test_right_arguments() -> None:
    assert parse_arguments([]) == Options(2000, 200 << 20, 768 << 20)
    assert parse_arguments(["-max-pages", "3"]) == parse_arguments(["--max-pages=3"]) == Options(max_pages=3)
    assert parse_arguments(["-max-input-bytes=4", "-max-memory-bytes", "5"]) == Options(2000, 4, 5)


def test_wrong_arguments_end_the_process() -> None:
    done = run_child(TWO_PAGES, "file.pdf")
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.startswith(b"usage: ")


# Limits


def test_input_over_the_cap(tmp_path: Path) -> None:
    assert run_child(TWO_PAGES, "-max-input-bytes", "100", data=bytes(100)).returncode == 0
    done = run_child(TWO_PAGES, "-max-input-bytes", "100", data=bytes(101))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(b"too_large: ")
    path = tmp_path / "file.pdf"
    path.write_bytes(bytes(101))
    command = [sys.executable, *engine_args(TWO_PAGES), "-max-input-bytes", "100"]
    with path.open("rb") as file:
        done = subprocess.run(command, stdin=file, capture_output=True, timeout=60, check=False, env={})
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) == 0
    assert done.stderr.splitlines()[-1].startswith(b"too_large: ")


def test_an_endless_input_is_read_to_one_byte_over_the_cap() -> None:
    command = [sys.executable, *engine_args(TWO_PAGES), "-max-input-bytes", "3000000"]
    source, sink = os.pipe()
    with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}) as process:
        written = 0
        left = 3_000_001
        while left:
            count = os.write(sink, bytes(min(left, 65536)))
            written += count
            left -= count
        assert process.wait(60) == 1  # though standard input is still open
        os.close(source)
        os.close(sink)


MEMORY = "def open_document(data): return Document('eins', lambda: str(len(bytearray({mib} << 20))), 'drei')"


def test_memory_is_limited_above_what_the_process_has(engine: Engine) -> None:
    result = engine.runner(MEMORY.format(mib=1024)).run(b"")
    assert "rlimit_as" in result.confinement
    assert [type(page) for page in result.pages] == [PageText, PageFailure, PageText]
    result = engine.runner(MEMORY.format(mib=500)).run(b"")
    assert result.pages[1] == PageText(2, str(500 << 20))
    result = engine.runner(MEMORY.format(mib=500), max_memory_bytes=400 << 20).run(b"")
    assert isinstance(result.pages[1], PageFailure)


def test_memory_at_opening_is_a_limit_error(engine: Engine) -> None:
    error = engine.failure("def open_document(data): bytearray(2 << 30)")
    assert isinstance(error, LimitError)
    assert error.slug == "memory"


def test_a_child_with_no_memory_at_all_can_say_so(engine: Engine) -> None:
    """All of it taken by small things that nobody lets go of."""
    script = """
        kept = []
        def take():
            for size in (1 << 20, 1 << 16, 1 << 12, 100, 1):
                while True:
                    try: kept.append(bytearray(size))
                    except MemoryError: break
            while True: kept.append([kept])
        def open_document(data): {body}
    """
    error = engine.failure(script.format(body="take()"), max_memory_bytes=30 << 20)
    assert (type(error), error.slug) == (LimitError, "memory")
    assert "30 MiB" in error.message
    # Of a page that took it all, something may have been left to say that this page failed.
    reader = engine.runner(script.format(body="return Document('one', take, 'three')"), max_memory_bytes=30 << 20)
    pages: list[object] = []
    with contextlib.suppress(LimitError):
        pages.extend(reader.stream(b""))
    assert pages[1:3] in ([PageText(1, "one")], [PageText(1, "one"), PageFailure(2, MEMORY_ERROR)])


def test_the_environment_is_not_read(engine: Engine) -> None:
    """The same with a full environment: also one that would steer the interpreter."""
    # LC_CTYPE is what the interpreter sets for itself where it finds no locale.
    script = "import os\ndef open_document(data): return Document(f'{set(os.environ) - {\"LC_CTYPE\"}}')"
    assert engine.runner(script).run(b"").pages == (PageText(1, "set()"),)
    command = [sys.executable, *engine_args(TWO_PAGES)]
    environment = {"PINCITE_LIBRARY": "/x", "PYTHONPATH": "/x", "LC_ALL": "ko_KR.EUC-KR", "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60, check=False, env=environment)
    assert lines_of(done) == lines_of(run_child(TWO_PAGES))


# The pipes


def test_what_the_engine_prints_stays_out_of_the_answer() -> None:
    done = run_child("""
        import os
        def open_document(data):
            print("noise", flush=True)
            os.write(1, b"noise")
            return Document("eins")
    """)
    assert [line.get("page") for line in lines_of(done)] == [None, 1]
    assert b"noise" in done.stderr


def test_nobody_listens_any_more() -> None:
    command = [sys.executable, *engine_args("def open_document(data): return Document(*['x' * 100_000] * 20)")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"%PDF")
        process.stdin.close()
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


def test_output_into_a_file(tmp_path: Path) -> None:
    """Somebody at a terminal redirects the output: the limit on file sizes must not cut it."""
    command = [sys.executable, *engine_args(TWO_PAGES)]
    with (tmp_path / "out").open("wb") as file:
        done = subprocess.run(command, input=b"", stdout=file, stderr=subprocess.PIPE, timeout=60, check=False, env={})
    assert done.returncode == 0
    meta, *pages = (json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines())
    assert len(pages) == 2
    assert "rlimit_fsize" not in meta["meta"]["confinement"]


def test_a_crash_in_c_is_named(engine: Engine) -> None:
    error = engine.failure("import ctypes\ndef open_document(data): return Document('eins', lambda: ctypes.string_at(0))")
    assert isinstance(error, CrashError)
    assert error.signal == 11
    assert "Segmentation fault" in error.message
    assert error.partial.pages == (PageText(1, "eins"),)


def test_reader_is_gone() -> None:
    source, sink = os.pipe()
    assert not reader_is_gone(sink)
    os.close(source)
    assert reader_is_gone(sink)
    os.close(sink)


@pytest.mark.skipif(sys.platform != "linux", reason="needs PDEATHSIG")
def test_the_child_dies_with_its_parent() -> None:
    """The parent of a looping child is killed, and nothing is left to kill the child but the kernel."""
    script = "import os\ndef spin():\n    while True: pass\ndef open_document(data): return Document(str(os.getpid()), spin)"
    parent_script = f"""
import subprocess, sys
process = subprocess.Popen([sys.executable, *{engine_args(script)!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={{}})
process.stdin.close()
process.stdout.readline()
sys.stdout.buffer.write(process.stdout.readline())
sys.stdout.flush()
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", parent_script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(json.loads(parent.stdout.readline())["text"])
        parent.kill()
        parent.wait()
    assert wait_until_gone(pid)
