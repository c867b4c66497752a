"""One job from its beginning to the exit code, in a process that is confined already."""

from __future__ import annotations

import contextlib
import mmap
import os
from typing import TYPE_CHECKING, Protocol

from pincite.errors import CrashError, LimitError, PinciteError
from pincite.sandbox.child.pages import describe, write, write_document
from pincite.sandbox.child.places import write_place
from pincite.sandbox.child.tables import write_tables
from pincite.sandbox.job import Job, RenderTask, TablesTask, TextTask
from pincite.sandbox.protocol import ABSENT, EXIT_FAILURE, EXIT_OK, FAILURES, encode_reason

if TYPE_CHECKING:
    from pincite.pdf.document import Document

CHUNK = 1 << 20
SMALL_CHUNK = 1 << 12

RESERVE_BYTES = 4 << 20
"""Address space that is kept for a child that has no more, so that it can say so. It is not touched until then."""

IN_MEMORY_BYTES = 32 << 20
"""Files up to this size are read whole, in one piece; the engine reads greater ones through their descriptor."""


class Opener(Protocol):
    """Opens a document from its bytes or a descriptor."""

    def __call__(self, source: bytes | int, password: str | None = None, /) -> Document: ...


def load_engine() -> Opener:
    """Import the engine, all of it, and use it once; returns what opens a document. Raises `CrashError` (`crash`)."""
    try:
        from pincite.pdf.document import open_document
        from pincite.pdf.preload import preload

        preload()
    except ImportError as error:
        raise CrashError(f"the engine can't be loaded: {error}; check the installation") from error
    return open_document


def load_renderer() -> None:
    """The same for the renderer."""
    try:
        from pincite.sandbox.child.pictures import load_renderer

        load_renderer()
    except ImportError as error:
        raise CrashError(f"the renderer can't be loaded: {error}; check the installation") from error


def carry_out(job: Job, open_document: Opener | None, source: int, output: int, confinement: tuple[str, ...]) -> int:
    """Do the job on the PDF behind `source`, write the answer to `output`, and return the exit code.

    What the job takes must have been loaded. What goes wrong is written to standard error; only what is meant to end a
    process leaves this function as an exception.
    """
    reserve = mmap.mmap(-1, RESERVE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        _carry_out(job, open_document, source, output, confinement)
    except BrokenPipeError:
        return EXIT_FAILURE  # nobody listens any more
    except MemoryError:
        reserve.close()
        return give_reason("memory", f"the document needs over {job.max_memory_bytes >> 20} MiB of memory; raise the limit")
    except OSError as error:
        return give_reason("crash", f"reading the file or writing the answer failed: {error.strerror or error}; try again")
    except Exception as error:
        return give_reason_of(error)
    return EXIT_OK


def _carry_out(job: Job, open_document: Opener | None, source: int, output: int, confinement: tuple[str, ...]) -> None:
    if isinstance(job.task, RenderTask):
        from pincite.sandbox.child.pictures import write_picture

        data = read_source(source, job.max_input_bytes, job.max_input_bytes)
        assert isinstance(data, bytes)
        write_picture(data, job.password, output, job.task, job.max_output_bytes)
        return
    assert open_document is not None
    document = open_document(read_source(source, job.max_input_bytes), job.password)
    if isinstance(job.task, TextTask):
        write_document(document, output, job.task, confinement)
    elif isinstance(job.task, TablesTask):
        write_tables(document, output, job.task)
    else:
        write_place(document, output, job.task)


def read_source(descriptor: int, max_bytes: int, in_memory_bytes: int = IN_MEMORY_BYTES) -> bytes | int:
    """All of the input; for a file over `in_memory_bytes` its descriptor.

    Raises `LimitError` (`too_large`) without reading more than one byte over `max_bytes`.
    """
    try:
        size = os.lseek(descriptor, 0, os.SEEK_END)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError:  # a pipe
        size = 0
    if size > max_bytes:
        raise _too_large(max_bytes)
    if size > in_memory_bytes:
        return descriptor
    pieces = []
    left = max_bytes + 1
    wanted = size + 1 if size else CHUNK
    while left and (piece := os.read(descriptor, min(wanted, left))):
        pieces.append(piece)
        left -= len(piece)
        wanted = SMALL_CHUNK if size else CHUNK
    if not left:
        raise _too_large(max_bytes)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def give_reason_of(error: Exception) -> int:
    """The same for an exception: its own slug, or `crash`."""
    if isinstance(error, PinciteError):
        return give_reason(error.slug, error.message)
    return give_reason("crash", f"{describe(error)}; report this file")


def give_reason(slug: str, message: str) -> int:
    """Write the reason as the last line of standard error and return the exit code that goes with it."""
    codes = FAILURES | ABSENT
    if slug not in codes:
        slug, message = "crash", f"{slug}: {message}"
    with contextlib.suppress(OSError):
        write(2, b"\n" + encode_reason(slug, message))
    return codes[slug]


def _too_large(max_bytes: int) -> LimitError:
    return LimitError(f"the file is larger than the {max_bytes} bytes that are read; raise the limit", slug="too_large")
