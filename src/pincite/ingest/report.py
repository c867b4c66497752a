"""What an ingest tells its caller."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Status = Literal["added", "updated", "unchanged", "partial", "failed"]
"""`added` is in the library now, `updated` was there and has its text anew, by the present rules, `unchanged` was there
already, of `partial` the finished pages are in, and of `failed` nothing new is."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file.

    `name` is the cite name and `document` the SHA-256, where known. `slug`, `stage` (`walk`, `read`, `extract`) and
    `message` say why it is `failed` or `partial`; `repeated` marks one that failed in an earlier run and was not tried
    again. `pages` is how many the document has, `pages_read` how many of them were read in this run, and `waiting_for_ocr` counts
    those without text that hold pictures. `instead_of` names the document that stood at the path before.
    """

    path: str
    status: Status
    name: str | None = None
    document: str | None = None
    pages: int | None = None
    slug: str | None = None
    stage: str | None = None
    message: str | None = None
    repeated: bool = False
    warnings: tuple[str, ...] = ()
    waiting_for_ocr: int = 0
    pages_read: int = 0
    instead_of: str | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """The files are counted, and the first ones are being read."""

    files: int


@dataclass(frozen=True, slots=True)
class Reading:
    """So many pages of a file are read, of so many; 0 of 0 when it is opened. Comes from the threads that read."""

    path: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finished:
    """A file is acknowledged: whatever happens now, its outcome stands. `done` files of `total` are."""

    outcome: Outcome
    done: int
    total: int


Event = Started | Reading | Finished


@dataclass(slots=True)
class Report:
    """All outcomes in the order of the walk. `interrupted` says that not all files were looked at. `missing` are the files that
    the library knew there and that are gone."""

    outcomes: list[Outcome] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    interrupted: bool = False
    duration_s: float = 0.0

    @property
    def counts(self) -> dict[Status, int]:
        """How many files came to each status."""
        found = Counter(outcome.status for outcome in self.outcomes)
        statuses: tuple[Status, ...] = ("added", "updated", "unchanged", "partial", "failed")
        return {status: found[status] for status in statuses}

    @property
    def quarantined(self) -> list[Outcome]:
        """The files that are not, or not wholly, in the library."""
        return [outcome for outcome in self.outcomes if outcome.status in ("partial", "failed")]

    def update(self, later: Report) -> None:
        """Take over what a later run over some of the files came to."""
        anew = {outcome.path: outcome for outcome in later.outcomes}
        self.outcomes = [anew.get(outcome.path, outcome) for outcome in self.outcomes]
        self.interrupted = self.interrupted or later.interrupted
        self.duration_s += later.duration_s
