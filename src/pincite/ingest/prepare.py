"""What happens to one file before anything is written; runs in several threads at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from pincite.errors import CrashError, DeadlineError, EncryptedError, LibraryError, LimitError, PinciteError, UnreadableError
from pincite.ingest.extract import Extraction, Reader, extractor_version
from pincite.ingest.source import Source, read_source
from pincite.model.limits import Limits
from pincite.search.index.rows import FailureRow, Location


@dataclass(frozen=True, slots=True)
class Known:
    """The file's bytes are in the library already."""

    document_id: str
    location: Location


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document ready to be written, instead of what is there of it where it was extracted `again`; with `failure` where
    only its finished pages are."""

    location: Location
    extraction: Extraction
    again: bool = False
    failure: FailureRow | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file of which nothing can be taken in."""

    failure: FailureRow


Prepared = Known | Extracted | Rejected


class Preparer:
    """Reads, hashes and extracts files. `is_known(sha256)` says whether a document need not be extracted (again)."""

    def __init__(self, reader: Reader, limits: Limits, is_known: Callable[[str], bool]) -> None:
        self._reader = reader
        self._limits = limits
        self._is_known = is_known

    def prepare(self, location: Location, *, again: bool = False) -> Prepared:
        """Look at the file at `location`; with `again`, where it is there in part, extract it even so.

        Raises `LibraryError` only: whatever goes wrong with one file must not stop the others.
        """
        try:
            source = read_source(location.path, self._limits.max_input_bytes)
        except PinciteError as error:
            return Rejected(_failure(location, error, "read", partial=again))
        try:
            return self._extract(source, again)
        except LibraryError:
            raise
        except Exception as error:
            return Rejected(_failure(source.location, error, "extract", source.id, partial=again))

    def _extract(self, source: Source, again: bool) -> Prepared:
        if not again and self._is_known(source.id):
            return Known(source.id, source.location)
        extraction = Extraction(source.id, self._limits)
        extraction.read(source.data, self._reader)
        failure = None
        if extraction.error is not None:
            last = extraction.last_page
            failure = _failure(source.location, extraction.error, "extract", source.id, last_page=last, partial=True)
        return Extracted(source.location, extraction, again, failure)


def _failure(
    location: Location,
    error: Exception,
    stage: str,
    document: str | None = None,
    *,
    last_page: int | None = None,
    partial: bool = False,
) -> FailureRow:
    if isinstance(error, PinciteError):
        slug, message = error.slug, error.message
    else:
        slug, message = "internal", f"{type(error).__name__}: {error}; this is a defect of pincite, please report it"
    return FailureRow(
        location.path,
        location.size,
        location.mtime_ns,
        slug,
        stage,
        message.encode("utf-8", "replace").decode("utf-8"),
        extractor_version(),
        datetime.now(UTC).isoformat(timespec="seconds"),
        document,
        error.signal if isinstance(error, CrashError) else None,
        last_page,
        partial,
    )


SETTLED_SLUGS = {slug for kind in (EncryptedError, UnreadableError, DeadlineError, LimitError) for slug in kind.slugs}
"""Failures that lie in the file and its size. The others may be a defect of pincite, or of how it is installed."""


def is_settled(failure: FailureRow, location: Location) -> bool:
    """Whether trying a file again would only repeat a recorded failure: same file, same pincite, and not a matter of
    permissions, which change without a trace in the file's time."""
    return (
        failure.stage == "extract"
        and failure.slug in SETTLED_SLUGS
        and (failure.size, failure.mtime_ns) == (location.size, location.mtime_ns)
        and failure.extractor == extractor_version()
    )


def default_jobs() -> int:
    """One reader process for each processor that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
