"""Documents and pages: the engine's face."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import BinaryIO, Literal, TextIO

from pincite._kernel.columns import FLAG_INVISIBLE, FLAG_UNMAPPED
from pincite._kernel.paths import PathRecorder
from pincite.errors import LimitError, UnreadableError
from pincite.model.geometry import Quad, Rect
from pincite.model.hit import Span
from pincite.model.page_ranges import parse_page_ranges
from pincite.model.picture import PagePicture
from pincite.model.rules import TextRules
from pincite.model.section import Section
from pincite.model.structure import StructureElement
from pincite.model.table import Table
from pincite.model.text import DocumentData, DocumentMeta, Encryption, Order, OutlineItem, PageQuality, PageSpan, TextPiece
from pincite.pdf.content.annotations import paint_annotations
from pincite.pdf.content.fonts import FontCache
from pincite.pdf.content.interpreter import ContentInterpreter, PageContent
from pincite.pdf.content.optional import OptionalContent
from pincite.pdf.content.streams import join_streams
from pincite.pdf.content.structure import StructureText
from pincite.pdf.layout.blocks import find_blocks
from pincite.pdf.layout.glyphs import Glyphs, quad_around, quads_around
from pincite.pdf.layout.headings.lines import DocumentLines
from pincite.pdf.layout.headings.sections import find_sections
from pincite.pdf.layout.hyphens import join_hyphens
from pincite.pdf.layout.page_layout import PageLayout, lay_out
from pincite.pdf.layout.running import EdgeLine, RunningLines, edge_lines
from pincite.pdf.layout.structure_elements import build_elements, find_spans
from pincite.pdf.layout.structure_order import PageStructure
from pincite.pdf.layout.tables.continuation import Found, join_tables
from pincite.pdf.layout.tables.find import find_tables
from pincite.pdf.layout.visual_text import visual_text
from pincite.pdf.objects.file import File
from pincite.pdf.objects.info import read_data, read_title
from pincite.pdf.objects.labels import read_page_labels
from pincite.pdf.objects.outline import OutlineTarget, read_outline
from pincite.pdf.objects.pages import PageNode, PageTree
from pincite.pdf.objects.structure_tree import StructureTree, read_structure

Source = bytes | str | os.PathLike[str] | int
Hyphens = Literal["keep", "join"]
Draw = Callable[[int, float, bool], PagePicture]
"""Draws a page (1-based) at so many dots an inch, in grey or in colour."""

_DEFAULT_RULES = TextRules()
_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")


def open_document(source: Source, password: str | None = None, draw: Draw | None = None) -> Document:
    """Open a PDF in this process, from its bytes, a path, or a file descriptor: for callers who trust the file.

    `draw` draws its pages for `Page.render`.

    Raises EncryptedError where a password is missing or wrong, UnreadableError where there is no page to read, OSError
    where the file can't be opened.
    """
    file = File.open(source, password)
    try:
        return Document(file, draw)
    except BaseException:
        file.close()
        raise


class Document:
    """An open PDF. Close it, or use it as a context manager."""

    def __init__(self, file: File, draw: Draw | None = None) -> None:
        """Use `open_document`."""
        self._file = file
        self._draw = draw
        self._pages = PageTree(file)
        if not len(self._pages):
            raise UnreadableError("The file has no pages. Check that it was copied whole.")
        self._fonts = FontCache(file)
        self._optional = OptionalContent(file)
        self._labels: list[str | None] | None = None
        self._outline: tuple[OutlineTarget, ...] | None = None
        self._sections: tuple[Section, ...] | None = None
        self._tree: StructureTree | None = None

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[Page]:
        for number in range(1, len(self) + 1):
            yield self.page(number)

    def __enter__(self) -> Document:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def page(self, number: int) -> Page:
        """The page with a 1-based physical number; IndexError where there is none."""
        if not 1 <= number <= len(self):
            raise IndexError(f"there is no page {number}: the document has {len(self)}")
        return Page(self, number, self._pages[number - 1])

    def tables(
        self,
        pages: Iterable[int] | None = None,
        *,
        whole: bool = True,
        done: Callable[[int, Exception | None], None] | None = None,
    ) -> list[Table]:
        """The tables of some pages (1-based, in order; all without `pages`).

        With `whole` a table that goes on over a page break is one, without the heads that are repeated. `done` is called
        with the number of each page when it is done; where it is given, a page that raises has no tables, and it is told why.
        """
        return list(join_tables(self._tables_of(range(1, len(self) + 1) if pages is None else pages, done), whole=whole))

    def _tables_of(
        self, pages: Iterable[int], done: Callable[[int, Exception | None], None] | None
    ) -> Iterator[list[Found]]:
        for number in pages:
            found: list[Found] = []
            error: Exception | None = None
            try:
                found = self.page(number)._find_tables()
            except Exception as raised:
                if done is None:
                    raise
                error = raised
            if done is not None:
                done(number, error)
            yield found

    @property
    def sections(self) -> tuple[Section, ...]:
        """The headings of the document in order: those of its outline, as they are printed, else those that stand out."""
        if self._sections is None:
            whole = WholeDocument(self)
            for page in self:
                whole.add(page)
            self._sections = whole.sections()
        return self._sections

    @property
    def running(self) -> tuple[PageSpan, ...]:
        """The running heads, feet and page numbers: lines near the edges of pages that stand there again on the pages around.

        Spans of the default text, in order; they are part of it all the same. The layout of every page is read.
        """
        found = self.follow_running()
        return tuple(sorted(span for page in self for span in found(page)))

    def follow_running(self) -> Callable[[Page], tuple[PageSpan, ...]]:
        """What finds the same while the pages are read: called with each in order, it gives what is found by that page, on it
        and on the pages before (see `PageText.running`)."""
        lines = RunningLines()
        return lambda page: lines.add(page.number, page._edge_lines())

    @property
    def structure(self) -> tuple[StructureElement, ...]:
        """The structure tree of a tagged file, as the elements at its top; empty for a file without one.

        Their spans count in the default text, so the layout of every page is read. Of a tree without end (over 500,000 elements
        and pieces of content) the beginning is here, and `warnings` says so; what is nested over 100 deep hangs on the hundredth.
        """
        tree = self._structure_tree()
        spans: list[tuple[int, PageSpan]] = []
        for page in self:
            spans += page._structure_spans()
        return build_elements(tree.elements, spans)

    def _structure_tree(self) -> StructureTree:
        if self._tree is None:
            self._tree = read_structure(self._file, self._pages)
        return self._tree

    @property
    def title(self) -> str | None:
        """The title that the file gives itself."""
        return read_title(self._file)

    @property
    def outline(self) -> tuple[OutlineItem, ...]:
        """The bookmarks that lead to a page, in order."""
        return tuple(target.item for target in self._outline_targets)

    @property
    def _outline_targets(self) -> tuple[OutlineTarget, ...]:
        if self._outline is None:
            self._outline = read_outline(self._file, self._pages)
        return self._outline

    @property
    def data(self) -> DocumentData:
        """Author, dates and whatever else the file says of itself, as strings."""
        return read_data(self._file)

    @property
    def encryption(self) -> Encryption | None:
        """How the file is encrypted; None where it is not."""
        return self._file.encryption

    @property
    def warnings(self) -> list[str]:
        """What was wrong with the file so far."""
        return list(self._file.warnings)

    @property
    def meta(self) -> DocumentMeta:
        """The facts of the document as plain data."""
        return DocumentMeta(
            pages=len(self), title=self.title, outline=self.outline, data=self.data, encryption=self.encryption
        )

    def write_text(
        self, stream: TextIO | BinaryIO, pages: str = "1-", separator: str = "\f", bom: bool = False, *, hyphens: Hyphens = "keep"
    ) -> int:
        """Write the text of pages to a stream, with `separator` between them, and return their number.

        `pages` is written like `1-3,7,10-`; ValueError for anything else. A binary stream gets UTF-8, behind a byte order
        mark where `bom` asks for it; so does a text stream get the mark.
        """
        encode = not isinstance(stream, io.TextIOBase)

        def write(text: str) -> None:
            stream.write(text.encode("utf-8", "replace") if encode else text)  # type: ignore[arg-type]

        numbers = parse_page_ranges(pages, len(self))
        if bom:
            write("\ufeff")
        for position, number in enumerate(numbers):
            write((separator if position else "") + self.page(number).text(hyphens=hyphens))
        return len(numbers)

    def _label(self, number: int) -> str | None:
        if self._labels is None:
            self._labels = list(read_page_labels(self._file, len(self)))
        return self._labels[number - 1]


class WholeDocument:
    """What only all pages of a document together show; takes them one by one, in order, as they are read anyway."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines = DocumentLines()

    def add(self, page: Page) -> None:
        """Take a page."""
        self._lines.add(page.number, page._content(True), page._layout(_DEFAULT_RULES, True))

    def sections(self) -> tuple[Section, ...]:
        """The sections on the pages that were taken."""
        return find_sections(self._lines.lines, self._document._outline_targets, len(self._document))


class Page:
    """One page. What it draws is read when first asked for, and kept as long as the page object."""

    def __init__(self, document: Document, number: int, node: PageNode) -> None:
        """Use `Document.page`."""
        self.number = number
        self._document = document
        self._node = node
        self._contents: dict[bool, PageContent] = {}
        self._layouts: dict[tuple[TextRules, bool, Order], PageLayout] = {}
        self._tables: list[Found] | None = None
        self._structure_warnings: tuple[str, ...] = ()

    @property
    def label(self) -> str | None:
        """The printed page number, where the file has page labels (ISO 32000-2, 12.4.2)."""
        return self._document._label(self.number)

    @property
    def visible_box(self) -> Rect:
        """CropBox ∩ MediaBox in user space; the MediaBox where the two have nothing in common."""
        media = self._node.media_box
        return media.intersect(self._node.crop_box) or media

    @property
    def rotate(self) -> int:
        """How far the page is turned clockwise to be shown: 0, 90, 180 or 270 degrees."""
        return self._node.rotate

    @property
    def user_unit(self) -> float:
        """The length of a unit of user space in 1/72 inch."""
        return self._node.user_unit

    def text(
        self,
        order: Order = "reading",
        hyphens: Hyphens = "keep",
        *,
        rules: TextRules = _DEFAULT_RULES,
        annotations: bool = True,
    ) -> str:
        """The page's text, verbatim, a line break a line.

        `order="content"` is the order in which the page draws its text. `order="reading"` starts from it and puts in order
        what a reader would read otherwise: columns drawn across, titles and floats drawn last (see `quality.order`).
        `order="structure"` is that of the structure tree of a tagged file: artifacts are left out, ActualText stands for what
        it replaces, an Alt where a picture says nothing else; what is not in the tree comes last, behind a blank line. A page
        of which the tree holds nothing is in reading order. `warnings` tells both from then on.
        Citations count in the default text: half-open ranges of its code points. `hyphens="join"` undoes hyphens at line
        ends, `annotations=False` leaves out what form fields, free texts and stamps show.
        """
        if order not in ("reading", "content", "structure"):
            raise ValueError(f"order is 'reading', 'content' or 'structure', not {order!r}")
        if hyphens not in ("keep", "join"):
            raise ValueError(f"hyphens is 'keep' or 'join', not {hyphens!r}")
        text = self._layout(rules, annotations, order).text
        return text if hyphens == "keep" else join_hyphens(text)

    def layout_text(self) -> str:
        """The page's text as it looks, a grid of characters: columns stand beside each other, tables keep their alignment.

        All characters of the default text but its white space; East Asian wide ones take two cells. No line is wrapped. What is
        written in another direction than most of the page follows in a grid of its own. Spans don't count in this text.
        """
        return visual_text(self._content(True), self._layout(_DEFAULT_RULES, True))

    def glyphs(self, *, forms: bool = True) -> Glyphs:
        """All glyphs in the order they are drawn, also those that are not text of the page.

        With `forms=False` those of the page's own stream alone.
        """
        return Glyphs(self._content(True), forms=forms)

    def quads(self, start: int, end: int) -> list[Quad]:
        """The places of the characters start..end-1 of the default text, in user space: one quad a line piece.

        Raises IndexError where the span is not in the text.
        """
        layout = self._layout(_DEFAULT_RULES, True)
        if not 0 <= start <= end <= len(layout.text):
            raise IndexError(f"the span {start}-{end} is not in the page's text of {len(layout.text)} characters")
        content = self._content(True)
        quads: list[Quad] = []
        position = start
        while position < end:
            stop = layout.text.find("\n", position, end)
            stop = end if stop < 0 else stop
            quads.extend(quads_around(content, layout.rows(position, stop)))
            position = stop + 1
        return quads

    def words(self) -> list[TextPiece]:
        """The words of the default text: what stands between white space, each with the quad around it."""
        return self._pieces(_WORD)

    def lines(self) -> list[TextPiece]:
        """The lines of the default text that are not blank, each with the quad around it."""
        return self._pieces(_LINE)

    def blocks(self) -> list[TextPiece]:
        """The blocks of the default text, as paragraphs, headings and captions, each with the quad around it: lines of one size
        that follow each other under one another."""
        return self._text_pieces(find_blocks(self._content(True), self._layout(_DEFAULT_RULES, True)))

    def _pieces(self, pattern: re.Pattern[str]) -> list[TextPiece]:
        return self._text_pieces(match.span() for match in pattern.finditer(self._layout(_DEFAULT_RULES, True).text))

    def _text_pieces(self, spans: Iterable[Span]) -> list[TextPiece]:
        layout, content = self._layout(_DEFAULT_RULES, True), self._content(True)
        return [
            TextPiece(layout.text[start:end], start, end, quad_around(content, layout.rows(start, end))) for start, end in spans
        ]

    def render(self, dpi: float = 144.0, *, grey: bool = False) -> PagePicture:
        """The page as a viewer shows it: a PNG at `dpi`, or at what keeps it under 25 million pixels.

        It is drawn from the source that the document was opened from, in a confined process. Raises `PinciteError` where it
        can't be drawn, and `ValueError` for a resolution that is not over 0, or is over 2,400.
        """
        if self._document._draw is None:
            raise UnreadableError("The document was opened without what draws pages. Open it with pincite.open.")
        return self._document._draw(self.number, dpi, grey)

    def tables(self) -> list[Table]:
        """The tables of the page, in the order of its text; their cells' spans count in the default text."""
        return [found.table for found in self._find_tables()]

    def _edge_lines(self) -> list[EdgeLine]:
        return edge_lines(self._content(True), self._layout(_DEFAULT_RULES, True), self.visible_box, self.rotate)

    def _find_tables(self) -> list[Found]:
        if self._tables is None:
            recorder = PathRecorder()
            content = self._interpret(True, recorder)
            layout = self._layout(_DEFAULT_RULES, True)
            self._tables = find_tables(self.number, content, layout, recorder.columns(), self.visible_box)
        return self._tables

    @property
    def quality(self) -> PageQuality:
        """Counts that tell a good text layer from a garbled or a missing one, and the order that the default text is in."""
        return self.quality_of("reading")

    def quality_of(self, order: Order) -> PageQuality:
        """The same with the order that the text is in when it is asked for in `order`."""
        content = self._content(True)
        flags = content.flags.tobytes()
        layout = self._layout(_DEFAULT_RULES, True, order)
        return PageQuality(
            glyphs=len(flags),
            unmapped=_count(flags, FLAG_UNMAPPED),
            invisible=_count(flags, FLAG_INVISIBLE),
            images=content.images,
            order="structure" if layout.tagged else "content" if layout.moved is None else "reordered",
            moved=round(layout.moved or 0.0, 4),
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was wrong with the page's content, and with its structure, once the text was asked for in its order."""
        return (*self._content(True).warnings, *self._structure_warnings)

    def _content(self, annotations: bool) -> PageContent:
        content = self._contents.get(annotations)
        if content is None:
            content = self._contents[annotations] = self._interpret(annotations)
        return content

    def _interpret(self, annotations: bool, recorder: PathRecorder | None = None) -> PageContent:
        document = self._document
        if document._file.is_closed:
            raise ValueError("the document is closed: read its pages before")
        structure = StructureText(document._file, self._node.dictionary)
        interpreter = ContentInterpreter(
            document._file, document._fonts, document._optional, self._node.resources, structure, recorder
        )
        try:
            interpreter.run(join_streams(self._node.contents()))
            if annotations:
                paint_annotations(document._file, document._optional, self._node.dictionary, interpreter)
        except OverflowError as error:
            raise LimitError(f"page {self.number} draws too much to be a page: {error}", slug="too_much_text") from error
        return interpreter.finish()

    def _layout(self, rules: TextRules, annotations: bool, order: Order = "reading") -> PageLayout:
        key = (rules, annotations, order)
        layout = self._layouts.get(key)
        if layout is None:
            content, box, strings = self._content(annotations), self.visible_box, self._document._fonts.strings
            if order == "structure":
                layout = lay_out(content, box, rules, strings, "reading", self._structure())
                self._structure_warnings = _structure_warnings(layout)
            else:
                layout = lay_out(content, box, rules, strings, order)
            self._layouts[key] = layout
        return layout

    def _structure(self) -> PageStructure:
        tree, index = self._document._structure_tree(), self.number - 1
        return PageStructure(tree.elements, tree.items(index), tree.texts(index))

    def _structure_spans(self) -> list[tuple[int, PageSpan]]:
        items = self._document._structure_tree().items(self.number - 1)
        return find_spans(self.number, self._content(True), self._layout(_DEFAULT_RULES, True), items) if items else []


def _structure_warnings(layout: PageLayout) -> tuple[str, ...]:
    if not layout.tagged:
        return ("the structure tree holds nothing of this page: its text is in reading order",)
    if layout.untagged is not None:
        return (f"from character {layout.untagged} on the text is not in the structure tree",)
    return ()


def _count(flags: bytes, flag: int) -> int:
    return len(flags) - len(flags.translate(None, bytes(value for value in range(256) if value & flag)))
