"""Small programs that stand in for the child, and the real child over an engine that a test makes up."""

from __future__ import annotations

import contextlib
import os
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

from pincite.sandbox.runner import Runner
from pincite.sandbox.zygote import Zygote

CHILD_PRELUDE = """
import json, os, sys, time
def say(value):
    os.write(1, json.dumps(value).encode() + b"\\n")
def meta(pages, **more):
    say({"meta": {"pages": pages, "title": None, "outline": [], **more}})
def page(number, text="text", **more):
    say({"page": number, "text": text, **more})
def take():
    with os.fdopen(0, "rb") as file:
        return file.read()
"""


def stub_runner(script: str, **options: Any) -> Runner:
    """A runner whose child is a Python script with `say`, `meta`, `page` and `take` (which reads all of the input)."""
    return Runner(sys.executable, ("-I", "-S", "-c", CHILD_PRELUDE + textwrap.dedent(script)), **options)


ENGINE_PRELUDE = """
import sys, types
sys.path[:0] = {path!r}
from pincite.errors import EncryptedError, UnreadableError, PinciteError
from pincite.model.text import DocumentData, OutlineItem, PageQuality
class Page:
    label = None
    quality = None
    warnings = ()
    def __init__(self, number, text):
        self.number = number
        self._text = text
    def quality_of(self, order):
        return self.quality
    def text(self, order):
        text = self._text() if callable(self._text) else self._text
        if isinstance(text, BaseException):
            raise text
        return text
class Document:
    title = None
    outline = ()
    data = DocumentData()
    encryption = None
    def __init__(self, *texts):
        self.texts = texts
        self.warnings = []
    def __len__(self):
        return len(self.texts)
    def follow_running(self):
        return lambda page: ()
    def page(self, number):
        return Page(number, self.texts[number - 1])
"""

ENGINE_EPILOGUE = """
def stand_in(name, **contents):
    module = sys.modules[name] = types.ModuleType(name)
    vars(module).update(contents)
stand_in("pincite.pdf.document", open_document=lambda data, password=None: open_document(data))
stand_in("pincite.pdf.preload", preload=lambda: None)
if sys.argv[1:2] == ["zygote"]:
    from pincite.sandbox.child.server import serve
    serve(sys.argv[2:])
from pincite.sandbox.child import main
sys.exit(main(sys.argv[1:]))
"""

_zygotes: list[Zygote] = []


def engine_args(script: str) -> tuple[str, ...]:
    """Arguments for the interpreter that run the real child; `script` defines `open_document(data)` of the engine.

    What the script imports it must import at its top: a confined process finds no modules.
    """
    prelude = ENGINE_PRELUDE.format(path=[path for path in sys.path if path])
    return ("-I", "-c", prelude + textwrap.dedent(script) + ENGINE_EPILOGUE)


def engine_zygote(script: str) -> Zygote:
    """The real zygote over an engine that a test makes up; ended by `close_zygotes`."""
    zygote = Zygote((sys.executable, *engine_args(script), "zygote"))
    _zygotes.append(zygote)
    return zygote


def engine_runner(script: str, *, forked: bool = False, **options: Any) -> Runner:
    """A runner of the real child over a made-up engine: executed a document, or forked from a zygote."""
    zygote = engine_zygote(script) if forked else False
    options.setdefault("fresh_children", 0)
    return Runner(sys.executable, engine_args(script), zygote=zygote, **options)


def close_zygotes() -> None:
    while _zygotes:
        _zygotes.pop().close()


def children_of(pid: int) -> list[int]:
    """The children of all threads of a process, zombies included (Linux)."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            found += [int(word) for word in (task / "children").read_text().split()]
    return found


def is_alive(pid: int) -> bool:
    """Whether a process is in the process table, a zombie included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(pid: int, seconds: float = 10) -> bool:
    """Wait for a process that is not ours to leave the process table: whoever adopted it may take a moment to reap it."""
    end = time.monotonic() + seconds
    while is_running(pid):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def is_running(pid: int) -> bool:
    """As `is_alive`, but a zombie is not running: in a container nobody may reap orphans."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return not os.path.isdir("/proc/self") and is_alive(pid)
