"""The look at a child's memory from outside, where it can't limit its own."""

from __future__ import annotations

import mmap
import os
import time

import pytest

from pincite.errors import LimitError
from pincite.model.text import PageText
from pincite.sandbox.watchdog import PROGRAM_BYTES, Watchdog, resident_bytes
from support.children import is_alive, stub_runner

FILL = """
take(); meta(2); page(1, str(os.getpid()))
kept = []
while len(kept) < {mib}:
    kept.append(os.urandom(1 << 20) if {random} else bytes([1]) * (1 << 20))
    time.sleep(0.001)
page(2)
"""


def test_a_child_that_takes_too_much_is_killed() -> None:
    """A program that sets no limit for itself: the parent sees it grow, and keeps the pages that came."""
    started = time.monotonic()
    with pytest.raises(LimitError) as caught:
        stub_runner(FILL.format(mib=100_000, random=False), max_memory_bytes=64 << 20).run(b"")
    assert caught.value.slug == "memory"
    assert time.monotonic() - started < 30
    (page,) = caught.value.partial.pages
    assert isinstance(page, PageText)
    assert not is_alive(int(page.text))


def test_what_the_program_itself_takes_does_not_count() -> None:
    result = stub_runner(FILL.format(mib=100, random=True), max_memory_bytes=1 << 20).run(b"")
    assert len(result.pages) == 2
    assert PROGRAM_BYTES > 100 << 20


def test_memory_of_processes() -> None:
    before = resident_bytes(os.getpid())
    assert before > 5 << 20
    # a mapping of its own: the allocator may still hold what earlier tests freed, and give that
    with mmap.mmap(-1, 50 << 20) as kept:
        for start in range(0, len(kept), mmap.PAGESIZE):
            kept[start] = 1
        assert resident_bytes(os.getpid()) - before > 40 << 20
    assert resident_bytes(2**31 - 2) == 0


def test_it_looks_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = 100.0, []
    monkeypatch.setattr(time, "monotonic", lambda: now)
    monkeypatch.setattr("pincite.sandbox.watchdog.resident_bytes", lambda pid: looks.append(pid) or 0)
    watchdog = Watchdog(7, 1)
    assert watchdog.look() == pytest.approx(0.1)
    now += 0.04
    assert watchdog.look() == pytest.approx(0.06)
    now += 0.07
    assert watchdog.look() == pytest.approx(0.1)
    assert looks == [7, 7]
