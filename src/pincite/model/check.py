"""What the check of a quotation says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.model.citation import Citation

Grade = Literal["exact", "folded", "near", "wrong_page", "absent"]
"""`exact`: letter by letter on the cited page. `folded`: the same words there, set otherwise (`differences` says how). `near`:
something very like it there, or the same in another case or from the middle of a word. `wrong_page`: on another page.
`absent`: nowhere in the document."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Words of the document, and what the quotation has in their place; either may be empty."""

    standing: str
    quoted: str


@dataclass(frozen=True, slots=True)
class Check:
    """The grade of a quotation, and where it stands.

    `places` is one citation, or two where it goes on over a page turn; `text` is what stands there, verbatim. `likeness` is
    in percent, 100 where the words are the same but for their case. `within` says of a citation of less than a page whether
    it stands inside what is cited.
    """

    grade: Grade
    citation: Citation
    places: tuple[Citation, ...] = ()
    text: str | None = None
    likeness: float = 0.0
    differences: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    within: bool | None = None
    reason: str | None = None

    @property
    def is_faithful(self) -> bool:
        """True where these words stand in what is cited, however they are set."""
        return self.grade in ("exact", "folded") and self.within is not False
