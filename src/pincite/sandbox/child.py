"""The child: one PDF from standard input, JSON Lines to standard output. `protocol` says what the lines hold.

`pincite pdftext` and `python -m pincite.sandbox` run `main`, in a process of its own: it limits the process for good
and moves its standard output away. It reads no environment variable and opens no network connection. This is the only
module besides the package root that may import the engine.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import stat
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from pincite.errors import CrashError, LimitError, PinciteError, UnreadableError
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, OutlineItem, PageFailure, PageText
from pincite.sandbox import confine
from pincite.sandbox.protocol import (
    EXIT_FAILURE,
    EXIT_OK,
    FAILURES,
    encode_failure,
    encode_meta,
    encode_page,
    encode_reason,
    one_line,
)

if TYPE_CHECKING:
    from pincite.pdf.document import Document, Page

USAGE = "usage: pincite pdftext [-max-pages N] [-max-input-bytes N] [-max-memory-bytes N] < file.pdf"
CHUNK = 1 << 20
NO_OUTLINE: tuple[OutlineItem, ...] = ()
NO_WARNINGS: tuple[str, ...] = ()

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may set; the defaults are those of `Limits`."""

    max_pages: int = Limits().max_pages
    max_input_bytes: int = Limits().max_input_bytes
    max_memory_bytes: int = Limits().max_memory_bytes


def parse_arguments(arguments: Sequence[str]) -> Options:
    """Read `-max-pages N` and its like, with one dash or two; raise `ValueError` for anything else."""
    options = Options()
    names = {f"{dashes}{name.replace('_', '-')}": name for name in Options.__slots__ for dashes in ("-", "--")}
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
        options = parse_arguments(argv)
    except ValueError:
        _write(2, USAGE.encode() + b"\n")
        return EXIT_FAILURE
    faulthandler.enable(2)
    try:
        output = take_standard_output()
        confinement = confine.tie_to_parent()
        if confine.reader_is_gone(output):
            return EXIT_FAILURE
        open_document = load_engine()
        gc.freeze()  # the engine's own objects live as long as the process
        confinement += confine.limit_resources(options.max_memory_bytes, (output, 2))
        data = read_input(0, options.max_input_bytes)
        write_document(open_document(data), output, options.max_pages, confinement)
    except BrokenPipeError:
        return EXIT_FAILURE  # nobody listens any more
    except KeyboardInterrupt:
        return 130
    except PinciteError as error:
        return give_reason(error.slug, error.message)
    except MemoryError:
        return give_reason("memory", f"the document needs over {options.max_memory_bytes >> 20} MiB of memory; raise the limit")
    except Exception as error:
        return give_reason("crash", f"{describe(error)}; report this file")
    return EXIT_OK


def load_engine() -> Callable[[bytes], Document]:
    """Import the engine, all of it, before the process gives up what an import needs; raises `CrashError` (`crash`)."""
    try:
        from pincite.pdf.document import open_document
    except ImportError as error:
        raise CrashError(f"the engine can't be loaded: {error}; check the installation") from error
    return open_document


def take_standard_output() -> int:
    """Keep standard output for the protocol alone: what a library prints goes to standard error from now on."""
    output = os.dup(1)
    os.dup2(2, 1)
    return output


def read_input(descriptor: int, max_bytes: int) -> bytes:
    """All of the input; raise `LimitError` (`too_large`) without reading more than one byte over `max_bytes`."""
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_size > max_bytes:
        raise _too_large(max_bytes)
    pieces = []
    left = max_bytes + 1
    while left and (piece := os.read(descriptor, min(CHUNK, left))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise _too_large(max_bytes)
    return b"".join(pieces)


def write_document(document: Document, output: int, max_pages: int, confinement: tuple[str, ...]) -> None:
    """Write the meta line and the lines of the first `max_pages` pages, each as soon as it is done.

    Raises `UnreadableError` for a document without pages. A page that raises, whatever it is, costs that page.
    """
    pages = len(document)
    if pages == 0:
        raise UnreadableError("the file has no pages; open it in a viewer and save it anew")
    told = _Warnings(document)
    title = told.attempt("the title", lambda: document.title, None)
    outline = told.attempt("the outline", lambda: document.outline, NO_OUTLINE)
    _write(output, encode_meta(DocumentMeta(pages, title, outline, told.new(), confinement)))
    for number in range(1, min(pages, max_pages) + 1):
        try:
            line = encode_page(_read_page(document.page(number), number, told))
        except MemoryError:
            line = encode_failure(PageFailure(number, "memory: the page takes more memory than the limit allows"))
        except Exception as error:
            line = encode_failure(PageFailure(number, describe(error)))
        _write(output, line)


def _read_page(page: Page, number: int, told: _Warnings) -> PageText:
    text = page.text()
    label = told.attempt("the page label", lambda: page.label, None)
    quality = told.attempt("the page's quality", lambda: page.quality, None)
    own = told.attempt("the page's warnings", lambda: page.warnings, NO_WARNINGS)
    return PageText(number, text, label, quality, (*own, *told.new()))


class _Warnings:
    """Hands out each of a document's warnings once, with those of the lesser things that failed on the way."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._told = 0
        self._own: list[str] = []

    def attempt(self, what: str, get: Callable[[], _T], instead: _T) -> _T:
        """The value of `get`, or `instead` and a warning: for what must not cost the page or the document."""
        try:
            return get()
        except Exception as error:
            self._own.append(f"{what} can't be read: {describe(error)}")
            return instead

    def new(self) -> tuple[str, ...]:
        """The warnings since the last call."""
        fresh = self._document.warnings[self._told :]
        self._told += len(fresh)
        own, self._own = self._own, []
        return (*fresh, *own)


def describe(error: BaseException) -> str:
    """An error on one line: its slug or its class, and its message."""
    name = error.slug if isinstance(error, PinciteError) else type(error).__name__
    message = error.message if isinstance(error, PinciteError) else str(error)
    return one_line(f"{name}: {message}" if message else name, 400)


def give_reason(slug: str, message: str) -> int:
    """Write the reason as the last line of standard error and return the exit code that goes with it."""
    if slug not in FAILURES:
        slug, message = "crash", f"{slug}: {message}"
    with contextlib.suppress(OSError):
        _write(2, b"\n" + encode_reason(slug, message))
    return FAILURES[slug]


def _too_large(max_bytes: int) -> LimitError:
    return LimitError(f"the file is larger than the {max_bytes} bytes that are read; raise the limit", slug="too_large")


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
