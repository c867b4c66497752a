"""A font as the engine uses it (ISO 32000-2, 9.5)."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font.metrics import Style
from pincite.pdf.font.string_table import MISSING

__all__ = ["Font", "Late"]

Late = Callable[[], "DecodingTable | None"]


@dataclass(slots=True)
class Font:
    """One font of a document.

    `name` is /BaseFont without the tag of a subset. `ascent` and `descent` (negative) are in em and sane whatever the file
    says. `vertical_origin` is how high the origin for vertical writing stands over the baseline, in em.

    A font with a ToUnicode map rarely shows a code that is not in it, and reading the embedded program for those codes
    costs ten times what all the rest does. So such a font is `pending`: `complete` reads what is left, once a page has shown
    a code without a meaning.
    """

    name: str
    table: DecodingTable
    ascent: float
    descent: float
    style: Style = field(default_factory=Style)
    vertical_origin: float = 0.88
    warnings: list[str] = field(default_factory=list)
    late: Late | None = None

    @property
    def pending(self) -> bool:
        """Whether `complete` may find the meaning of more codes."""
        return self.late is not None

    def complete(self) -> bool:
        """Read what was put off; whether `table` is another now, with more codes mapped and the same widths.

        Never raises on odd input.
        """
        late, self.late = self.late, None
        if late is None:
            return False
        try:
            table = late()
        except MemoryError:
            raise
        except Exception as error:
            self.warnings.append(f"the program of a font can't be read: {type(error).__name__}: {error}")
            return False
        if table is None:
            return False
        self.table = table
        return True

    def unicode_value(self, code: int) -> int:
        """The Unicode value of a code (a string number where it is negative), U+FFFD where it has none.

        Where the table has a decoder, the row takes the place of the code.
        """
        column: array[int] = self.table.unicode_column()
        return column[code] if 0 <= code < len(column) else MISSING
