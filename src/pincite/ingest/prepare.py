"""What happens to one file before anything is written; runs in several threads at once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pincite.errors import CrashError, DeadlineError, EncryptedError, LibraryError, LimitError, PinciteError, UnreadableError
from pincite.ingest.extract import Extraction, Reader, extractor_version
from pincite.ingest.source import Source, read_source
from pincite.model.limits import Limits
from pincite.model.text import TEXT_VERSION
from pincite.search.index.rows import FailureRow, Location


@dataclass(frozen=True, slots=True)
class Known:
    """The file's bytes are in the library already."""

    document_id: str
    location: Location


@dataclass(frozen=True, slots=True)
class Extracted:
    """A document ready to be written, instead of what is there of it where it was extracted `again`; with `failure` where
    only its finished pages are. Close it when it is written, or dropped."""

    location: Location
    extraction: Extraction
    again: bool = False
    failure: FailureRow | None = None

    def close(self) -> None:
        self.extraction.close()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file of which nothing can be taken in."""

    failure: FailureRow


Prepared = Known | Extracted | Rejected


OnPage = Callable[[str, int, int], None]
"""Called with a path, how many of its pages are read, and how many will be."""


class Preparer:
    """Reads, hashes and extracts files. `text_version_of(sha256)` is the text version that the library has of a document, None
    where it has none. Long documents are spooled in `folder`."""

    def __init__(
        self,
        reader: Reader,
        limits: Limits,
        text_version_of: Callable[[str], str | None],
        folder: Path | None = None,
        on_page: OnPage | None = None,
    ) -> None:
        self._reader = reader
        self._limits = limits
        self._text_version_of = text_version_of
        self._folder = folder
        self._on_page = on_page

    def prepare(self, location: Location, *, again: bool = False) -> Prepared:
        """Look at the file at `location`; with `again`, where it is there in part, extract it even so.

        Raises `LibraryError` only: whatever goes wrong with one file must not stop the others.
        """
        if self._on_page is not None:
            self._on_page(location.path, 0, 0)
        try:
            source = read_source(location.path, self._limits.max_input_bytes)
        except PinciteError as error:
            return Rejected(_failure(location, error, "read", partial=again))
        try:
            return self._extract(source, again)
        except LibraryError:
            raise
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise LibraryError(
                    "the disk of the library is full: free some space and run the command again; what was added is safe",
                    slug="disk_full",
                ) from error
            return Rejected(_failure(source.location, error, "extract", source.id, partial=again))
        except Exception as error:
            return Rejected(_failure(source.location, error, "extract", source.id, partial=again))

    def _extract(self, source: Source, again: bool) -> Prepared:
        known = self._text_version_of(source.id)
        if not again and known == TEXT_VERSION:
            return Known(source.id, source.location)
        path, tell = source.location.path, self._on_page
        on_page = None if tell is None else lambda done, total: tell(path, done, total)
        extraction = Extraction(source.id, self._limits, self._folder, on_page)
        try:
            extraction.read(source.data, self._reader)
            if known is not None and not again and extraction.error is not None:
                # What the library has was read by other rules, but it is whole.
                raise extraction.error
        except BaseException:
            extraction.close()
            raise
        again = again or known is not None
        failure = None
        lack = extraction.lack
        if lack is not None:
            last = extraction.last_page
            failure = _failure(source.location, lack, "extract", source.id, last_page=last, partial=True)
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


def is_settled(failure: FailureRow, location: Location, *, has_password: bool) -> bool:
    """Whether trying a file again would only repeat a recorded failure: same file, same pincite, not a matter of permissions,
    which change without a trace in the file's time, nor of a password where there is one now."""
    return (
        failure.stage == "extract"
        and not (has_password and failure.slug in EncryptedError.slugs)
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
