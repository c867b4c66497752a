"""A font as the engine uses it (ISO 32000-2, 9.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font.metrics import Style

__all__ = ["Font"]


@dataclass(slots=True)
class Font:
    """One font of a document.

    `name` is /BaseFont without the tag of a subset. `ascent` and `descent` (negative) are in em and sane whatever the file
    says. `vertical_origin` is how high the origin for vertical writing stands over the baseline, in em.
    """

    name: str
    table: DecodingTable
    ascent: float
    descent: float
    style: Style = field(default_factory=Style)
    vertical_origin: float = 0.88
    warnings: list[str] = field(default_factory=list)
