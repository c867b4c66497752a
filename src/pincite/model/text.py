"""What the engine says of a document and its pages, as plain data that can cross a process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pincite.model.geometry import Quad
from pincite.model.section import Section

TEXT_VERSION = "text-3"
"""The version of the rules that turn a page into characters. Raise it whenever the same page would give others: spans
that were counted under another version are looked for anew instead of being trusted."""


RUNNING_WINDOW = 4
"""A line that runs stands again on a page no farther away than this."""

Order = Literal["reading", "content", "structure"]
"""How the text of a page may be ordered: as a reader reads it, as the page draws it, as its structure tree has it."""


class PageSpan(NamedTuple):
    """The code points start..end-1 of the default text of a page (1-based)."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OutlineItem:
    """One bookmark: `page` is 1-based and physical, `level` is 1 for the outermost."""

    title: str
    page: int
    level: int


@dataclass(frozen=True, slots=True)
class DocumentData:
    """What a document says of itself, as strings that nobody has checked.

    `created` and `modified` are ISO 8601 where the file's dates can be read as such, else as they stand. `info` holds the
    entries of the information dictionary as they are in the file, `xmp` the properties of the XMP metadata under their
    names with prefix (`dc:creator`).
    """

    author: str | None = None
    created: str | None = None
    modified: str | None = None
    info: tuple[tuple[str, str], ...] = ()
    xmp: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Encryption:
    """How a file is encrypted (ISO 32000-2, 7.6): `version` and `revision` of the security handler, `bits` of the key, and
    the `method` for streams: `rc4`, `aes`, `aesv3`, `none` or `unknown`.

    `opened_as` is `user` or `owner`, whose password it was. `permissions` are those that the file gives to users: of `print`,
    `print_high_resolution`, `extract`, `modify`, `annotate`, `fill_forms`, `assemble`, `accessibility`. Nothing enforces them.
    """

    version: int
    revision: int
    bits: int
    method: str
    opened_as: str
    permissions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentMeta:
    """The facts of a document: `pages` is its full count, whatever number of them is read.

    `warnings` are those of opening the file. `confinement` names what held the process that read it
    (`rlimit_as`, `pdeathsig`, …); it is empty for a document that was opened in process. `encryption` is None for a file
    that is not encrypted.
    """

    pages: int
    title: str | None = None
    outline: tuple[OutlineItem, ...] = ()
    warnings: tuple[str, ...] = ()
    confinement: tuple[str, ...] = ()
    data: DocumentData = DocumentData()
    encryption: Encryption | None = None


@dataclass(frozen=True, slots=True)
class DocumentFindings:
    """What only the whole document shows, known behind its last page: its sections in order, of the pages that were read."""

    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class PageQuality:
    """Counts of glyphs on one page, from which a reader can tell a good text layer from a garbled or a missing one.

    `unmapped` glyphs have no Unicode value, `invisible` ones are not painted (rendering modes 3 and 7), `images` is
    the number of image XObjects and inline images painted. `order` is "content" where the text follows the order in which
    the page draws it, "reordered" where the page is read in another one; `moved` is then the share of its visible glyphs
    that stand elsewhere than they were drawn. It is "structure" where the text was asked for in the order of the structure tree,
    and the tree holds something of the page.
    """

    glyphs: int = 0
    unmapped: int = 0
    invisible: int = 0
    images: int = 0
    order: Literal["content", "reordered", "structure"] = "content"
    moved: float = 0.0


@dataclass(frozen=True, slots=True)
class PageText:
    """The verbatim text of one page: `page` is 1-based and physical, `label` the printed number where there is one.

    `running` are the running heads, feet and page numbers that are found by this page: those on it, and others on up to
    `RUNNING_WINDOW` pages before, which only now are seen to run.
    """

    page: int
    text: str
    label: str | None = None
    quality: PageQuality | None = None
    warnings: tuple[str, ...] = ()
    running: tuple[PageSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A word or a line of a page: `text` is the page's text from `start` to `end`, `quad` its place in user space.

    `quad` is None where no glyph drew it.
    """

    text: str
    start: int
    end: int
    quad: Quad | None


@dataclass(frozen=True, slots=True)
class PageFailure:
    """A page that could not be read, and why; its neighbours are not affected."""

    page: int
    error: str
