"""What one run of a child gives."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.model.geometry import Quad, Rect
from pincite.model.table import Table
from pincite.model.text import DocumentMeta, PageFailure, PageText


@dataclass(frozen=True, slots=True)
class RunResult:
    """The pages that were read, in order from 1 without holes, each with its text or the reason why it has none.

    `duration_s` is the wall-clock time from the start of the child to its end. Where an error ended the document early,
    `reason` is its slug (`timeout`, `stalled`, `crash`, `memory`, …) and `signal` the signal of a crash.
    """

    meta: DocumentMeta
    pages: tuple[PageText | PageFailure, ...]
    duration_s: float
    reason: str | None = None
    signal: int | None = None

    @property
    def last_page(self) -> int:
        """The last page of which something is known, 0 where none is."""
        return len(self.pages)

    @property
    def confinement(self) -> tuple[str, ...]:
        """What held the child while it read: names such as `rlimit_as` and `pdeathsig`."""
        return self.meta.confinement

    @property
    def not_read(self) -> range:
        """The pages that the document has and that were not read: over `max_pages`, or behind an error."""
        return range(len(self.pages) + 1, self.meta.pages + 1)


@dataclass(frozen=True, slots=True)
class TablesResult:
    """The tables of some pages, in the order of the document, and the pages that could not be read."""

    tables: tuple[Table, ...]
    failures: tuple[PageFailure, ...] = ()


@dataclass(frozen=True, slots=True)
class SpanPlace:
    """Where a span of a page's text stands: one quad a line piece, in user space of the page that is not turned.

    `visible_box`, `rotate` (0, 90, 180, 270, clockwise) and `user_unit` (in 1/72 inch) lead from there to what is shown.
    """

    page: int
    quads: tuple[Quad, ...]
    visible_box: Rect
    rotate: int
    user_unit: float
