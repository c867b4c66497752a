"""The child as a program: one PDF from standard input, JSON Lines to standard output. `protocol` says what the lines hold.

It limits its process for good and moves its standard output away. It reads no environment variable and opens no network
connection.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import select
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from pincite.sandbox.child.pages import write
from pincite.sandbox.child.work import carry_out, give_reason_of, load_engine, load_renderer
from pincite.sandbox.confine.linux import die_with_parent
from pincite.sandbox.confine.steps import Confinement
from pincite.sandbox.job import Job, RenderTask, TextTask, decode_job
from pincite.sandbox.protocol import EXIT_FAILURE

USAGE = "usage: pincite pdftext [-max-pages N] [-max-input-bytes N] [-max-memory-bytes N] [-max-cpu-s N] [-job] < file.pdf"
INTERRUPTED = 130
JOB = ("-job", "--job")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set; the defaults are those of `Job`."""

    max_pages: int = TextTask().max_pages
    max_input_bytes: int = Job().max_input_bytes
    max_memory_bytes: int = Job().max_memory_bytes
    max_cpu_s: int = Job().max_cpu_s


def parse_arguments(arguments: Sequence[str]) -> Options:
    """Read `-max-pages N` and its like, with one dash or two; raise `ValueError` for anything else."""
    options = Options()
    names = {f"{dashes}{field.name.replace('_', '-')}": field.name for field in fields(Options) for dashes in ("-", "--")}
    remaining = list(arguments)
    while remaining:
        argument = remaining.pop(0)
        flag, equals, value = argument.partition("=")
        if flag not in names or not (equals or remaining):
            raise ValueError(argument)
        number = int(value if equals else remaining.pop(0))
        if number < 1:
            raise ValueError(argument)
        options = replace(options, **{names[flag]: number})
    return options


def main(argv: Sequence[str]) -> int:
    """Run the child to its end and return the exit code; `argv` comes without the program's name."""
    try:
        options = parse_arguments([argument for argument in argv if argument not in JOB])
    except ValueError:
        write(2, USAGE.encode() + b"\n")
        return EXIT_FAILURE
    faulthandler.enable(2)
    try:
        output = take_standard_output()
        die_with_parent()
        if reader_is_gone(output):
            return EXIT_FAILURE
        job = read_job(0) if any(argument in JOB for argument in argv) else _job(options)
        open_document = None
        if isinstance(job.task, RenderTask):
            load_renderer()
        else:
            open_document = load_engine()
        gc.freeze()  # what was loaded lives as long as the process
        held = Confinement().apply(job.max_memory_bytes, job.max_cpu_s, (output, 2))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return give_reason_of(error)
    try:
        return carry_out(job, open_document, 0, output, held)
    except KeyboardInterrupt:
        return INTERRUPTED


def take_standard_output() -> int:
    """Keep standard output for the protocol alone: what a library prints goes to standard error from now on."""
    output = os.dup(1)
    os.dup2(2, 1)
    return output


def reader_is_gone(descriptor: int) -> bool:
    """Whether nobody holds the other end of a pipe: the parent died before `die_with_parent` could see it."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def read_job(descriptor: int) -> Job:
    """The job that stands before the PDF; see `launch.head`."""
    return decode_job(_read_exactly(descriptor, int(_read_exactly(descriptor, 8), 16)))


def _read_exactly(descriptor: int, count: int) -> bytes:
    pieces = []
    while count and (piece := os.read(descriptor, count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _job(options: Options) -> Job:
    return Job(
        TextTask(1, options.max_pages),
        max_input_bytes=options.max_input_bytes,
        max_memory_bytes=options.max_memory_bytes,
        max_cpu_s=options.max_cpu_s,
    )
