"""The limits under which a hostile file is read."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one document; sizes in bytes, times in seconds.

    `deadline_s` plus `deadline_per_page_s` for each page is the total time; `stall_s` is the longest time
    without a finished page. `max_pages` pages are extracted, the rest are counted only.
    """

    max_input_bytes: int = 200 * MIB
    max_pages: int = 2000
    stall_s: float = 20.0
    deadline_s: float = 60.0
    deadline_per_page_s: float = 0.25
    max_memory_bytes: int = 768 * MIB
    max_output_bytes: int = 64 * MIB
    max_stderr_bytes: int = 4096
