"""The tree of errors that pincite raises.

Every error has a `slug`, a short stable word that crosses the process boundary and stands in the library's
rows, and an `exit_code` for the command line. Every message says what to do next.
"""

from __future__ import annotations

from typing import Any, ClassVar

__all__ = [
    "CitationError",
    "CrashError",
    "DeadlineError",
    "EncryptedError",
    "LibraryError",
    "LimitError",
    "NoTextError",
    "PinciteError",
    "ProtocolError",
    "QueryError",
    "UnreadableError",
    "error_from_slug",
]


class PinciteError(Exception):
    """Root of all errors that pincite raises on purpose.

    `slug` is one of the words in `slugs`; it can be narrowed when the error is made (a `DeadlineError` is
    either `timeout` or `stalled`). `exit_code` is what the command line exits with. `partial` is set by the
    sandbox when pages were read before the error came: a `pincite.sandbox.result.RunResult` with those pages.
    """

    slugs: ClassVar[tuple[str, ...]] = ("error",)
    exit_code: int = 2

    def __init__(self, message: str, *, slug: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.partial: Any = None  # a RunResult, which lives in a layer above this one
        self.slug = self.slugs[0] if slug is None else slug
        if self.slug not in self.slugs:
            raise ValueError(f"{type(self).__name__} has no slug {slug!r}")


class EncryptedError(PinciteError):
    """The file needs a password, or the one that was given is wrong."""

    slugs = ("encrypted",)
    exit_code = 3


class UnreadableError(PinciteError):
    """The bytes are not a PDF with at least one page, or are damaged past repair."""

    slugs: ClassVar[tuple[str, ...]] = ("unreadable",)
    exit_code = 4


class CrashError(UnreadableError):
    """The child process died of a signal or an exit code that is not in the contract."""

    slugs = ("crash",)

    def __init__(self, message: str, *, slug: str | None = None, signal: int | None = None) -> None:
        super().__init__(message, slug=slug)
        self.signal = signal


class ProtocolError(UnreadableError):
    """The child process said something that the contract does not allow."""

    slugs = ("protocol",)


class NoTextError(PinciteError):
    """No page of the document has text; it is probably scanned."""

    slugs = ("no_text",)
    exit_code = 1


class DeadlineError(PinciteError):
    """The document took too long: over the whole (`timeout`), or without a finished page (`stalled`)."""

    slugs = ("timeout", "stalled")


class LimitError(PinciteError):
    """The document is over a limit of size, memory or output."""

    slugs = ("too_large", "memory", "too_much_text")


class CitationError(PinciteError):
    """A citation can't be parsed, or does not lead to exactly one passage; or a quotation is too short to be looked for."""

    slugs = ("bad_citation", "ambiguous", "absent", "stale", "too_short")


class QueryError(PinciteError):
    """A query has nothing to look for."""

    slugs = ("bad_query",)


class LibraryError(PinciteError):
    """The library can't be opened or written."""

    slugs = ("locked", "newer_schema", "corrupt", "disk_full", "unavailable", "closed")


def error_from_slug(slug: str, message: str) -> PinciteError:
    """Build the error that a slug stands for; an unknown slug becomes a plain `PinciteError`."""
    pending: list[type[PinciteError]] = [PinciteError]
    while pending:
        kind = pending.pop()
        if slug in kind.slugs:
            return kind(message, slug=slug)
        pending.extend(kind.__subclasses__())
    return PinciteError(f"{slug}: {message}")
