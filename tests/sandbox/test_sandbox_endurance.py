"""Hundreds of documents, thousands with PINCITE_ENDURANCE=2000 (`make test-endurance`): no descriptor, no zombie and no memory
stays behind, in the parent and in the zygote."""

from __future__ import annotations

import gc
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import PinciteError
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.runner import Runner
from support.children import children_of
from support.pdfvariants import encrypted, truncated
from support.pdfwriter import simple_pdf

pytestmark = pytest.mark.skipif(not zygotes.is_supported(), reason="no zygote here")

DOCUMENTS = int(os.environ.get("PINCITE_ENDURANCE", "300"))
GROWTH_KIB = 6 << 10

KINDS = [
    simple_pdf(["one page"]),
    simple_pdf(["three", "pages", "each"]),
    truncated(simple_pdf([f"page {number}" for number in range(9)]), 0.8),
    encrypted(simple_pdf(["secret"]), user="user"),
    b"no PDF",
    simple_pdf([None]),
]


def own_memory_kib(pid: int) -> int:
    fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(fields["RssAnon"].split()[0])


def state() -> tuple[object, ...]:
    gc.collect()
    zygote = zygotes.shared().pid or 0
    descriptors = len(os.listdir("/proc/self/fd"))
    theirs = len(os.listdir(f"/proc/{zygote}/fd")) if os.geteuid() == 0 else 0
    return descriptors, theirs, threading.active_count(), children_of(os.getpid()), children_of(zygote), zygote


def memory() -> tuple[int, int]:
    return own_memory_kib(os.getpid()), own_memory_kib(zygotes.shared().pid or 0)


def read(number: int) -> str:
    try:
        result = Runner(zygote=True).run(KINDS[number % len(KINDS)])
    except PinciteError as error:
        return error.slug
    return str(len(result.pages))


def check(answers: list[str], before: tuple[object, ...], memory_before: tuple[int, int]) -> None:
    assert set(answers[0 :: len(KINDS)]) == {"1"}
    assert set(answers[1 :: len(KINDS)]) == {"3"}
    assert len(set(answers[2 :: len(KINDS)])) == 1
    assert set(answers[3 :: len(KINDS)]) == {"encrypted"}
    assert set(answers[4 :: len(KINDS)]) == {"unreadable"}
    assert set(answers[5 :: len(KINDS)]) == {"no_text"}
    assert state() == before
    growth = [after - earlier for after, earlier in zip(memory(), memory_before, strict=True)]
    assert max(growth) < GROWTH_KIB, growth


def test_one_after_another() -> None:
    for number in range(60):
        read(number)
    before, memory_before = state(), memory()
    check([read(number) for number in range(DOCUMENTS)], before, memory_before)


def test_eight_at_a_time() -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(read, range(200)))
        before, memory_before = state(), memory()
        check(list(pool.map(read, range(DOCUMENTS))), before, memory_before)


def test_dropped_streams() -> None:
    """Documents of which nobody wants the rest."""
    pdf = simple_pdf(["text " * 500] * 50)
    for _ in range(20):
        next(Runner().stream(pdf))
    before = state()
    for number in range(200):
        stream = Runner().stream(pdf)
        for _ in range(number % 4):
            next(stream)
        stream.close()
    assert state() == before
