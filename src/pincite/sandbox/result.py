"""What one run of the child gave."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.model.text import DocumentMeta, PageFailure, PageText


@dataclass(frozen=True, slots=True)
class RunResult:
    """The pages that were read, in order from 1 without holes, each with its text or the reason why it has none.

    `duration_s` is the wall-clock time from the start of the child to its end.
    """

    meta: DocumentMeta
    pages: tuple[PageText | PageFailure, ...]
    duration_s: float

    @property
    def confinement(self) -> tuple[str, ...]:
        """What held the child while it read: names such as `rlimit_as` and `pdeathsig`."""
        return self.meta.confinement

    @property
    def not_read(self) -> range:
        """The pages that the document has and that were not read: over `max_pages`, or behind an error."""
        return range(len(self.pages) + 1, self.meta.pages + 1)
