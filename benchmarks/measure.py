"""CPU time of a call in a forked process, so that a crash or a hang of one extractor costs one file."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measurement:
    """`state` is ok, error, crash or timeout; `cpu_s` the least of the repetitions; `pages` what the call returned."""

    state: str
    cpu_s: float = 0.0
    pages: int = 0


def cpu_seconds() -> float:
    """User and system time of this process and of the children that it has waited for."""
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(call: Callable[[], int], repeat: int, deadline_s: float) -> Measurement:
    """Call it `repeat` times in a fork, which may take `deadline_s` each time, and keep the fastest.

    All in one fork: the first call pays besides for the memory that a fork has to copy before it can write to it, which says
    nothing of the call. What the call opens it opens anew each time.
    """
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        state, best, pages = "ok", float("inf"), 0
        try:
            for _ in range(repeat):
                before = cpu_seconds()
                pages = call()
                best = min(best, cpu_seconds() - before)
        except BaseException:  # a peer may raise anything
            state, best = "error", 0.0
        os.write(write_end, json.dumps([state, best, pages]).encode())
        os._exit(0)
    os.close(write_end)
    answer, end = b"", time.monotonic() + repeat * deadline_s
    while select.select([read_end], [], [], max(0.0, end - time.monotonic()))[0]:
        block = os.read(read_end, 4096)
        if not block:
            break
        answer += block
    else:
        os.kill(pid, signal.SIGKILL)
    os.close(read_end)
    os.waitpid(pid, 0)
    if time.monotonic() >= end and not answer:
        return Measurement("timeout")
    return Measurement(*json.loads(answer)) if answer else Measurement("crash")
