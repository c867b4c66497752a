"""How a child comes to life: forked from the zygote where there is one, else executed. Nothing else knows."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pincite.sandbox.conversation import Clock
from pincite.sandbox.feed import Feeder
from pincite.sandbox.job import Job, TextTask, encode_job
from pincite.sandbox.process import Child
from pincite.sandbox.source import OpenSource
from pincite.sandbox.spawned import spawn
from pincite.sandbox.watchdog import Watchdog
from pincite.sandbox.zygote import Zygote, ZygoteUnavailableError

OPTIONS = {"max_input_bytes": "-max-input-bytes", "max_memory_bytes": "-max-memory-bytes"}
OWN_OPTIONS = {"max_cpu_s": "-max-cpu-s"}
DEFAULT_JOB = Job()


@dataclass(frozen=True, slots=True)
class Program:
    """What is executed for a document. `is_ours` says that it is pincite's child, which knows all options."""

    exe: str | os.PathLike[str]
    args: tuple[str, ...]
    env: Mapping[str, str]
    is_ours: bool

    def command(self, job: Job) -> tuple[str, ...]:
        """The command line: `-max-pages N`, and an option for each limit that is not the default."""
        max_pages = job.task.max_pages if isinstance(job.task, TextTask) else 1
        words: list[str] = [os.fspath(self.exe), *self.args, "-max-pages", str(max_pages)]
        for name, option in (OPTIONS | OWN_OPTIONS if self.is_ours else OPTIONS).items():
            value = getattr(job, name)
            if value != getattr(DEFAULT_JOB, name):
                words += [option, str(value)]
        if needs_head(job):
            words.append("-job")
        return tuple(words)


class Started(NamedTuple):
    """A child, and what belongs to one that was executed: the thread that feeds it, and who looks at its memory."""

    child: Child
    feeder: Feeder | None = None
    watchdog: Watchdog | None = None


def needs_head(job: Job) -> bool:
    """Whether the command line can't say it all: it says neither another task nor a password, which all could read there."""
    task = job.task
    return job.password is not None or not isinstance(task, TextTask) or task != TextTask(1, task.max_pages)


def head(job: Job) -> bytes:
    """What stands before the PDF then: the length of the job in eight hex digits, and the job."""
    if not needs_head(job):
        return b""
    data = encode_job(job)
    return b"%08x" % len(data) + data


def launch(job: Job, source: OpenSource, clock: Clock, program: Program, zygote: Zygote | None) -> Started:
    """Start a child that does `job` on `source`; raises `CrashError`, and what may go wrong with the source."""
    if zygote is not None:
        descriptor = source.descriptor(clock.remaining_s)
        with contextlib.suppress(ZygoteUnavailableError):
            return Started(zygote.fork(job, descriptor))
    source.rewind()
    child = spawn(program.command(job), program.env)
    return Started(child, Feeder(source, child.stdin, head(job)), Watchdog(child.pid, job.max_memory_bytes))


