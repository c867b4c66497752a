"""One page's content: the kernel's machine, with the resources, forms and marked content that it asks for."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite._kernel.columns import (
    FACT_FIELDS,
    FLAG_ANNOTATION,
    FLAG_ARTIFACT,
    FLAG_HIDDEN,
    FLAG_UNMAPPED,
    RUN_FACT_FIELDS,
    UNMAPPED,
)
from pincite._kernel.decoding import DecodingTable
from pincite._kernel.paths import PathRecorder
from pincite.errors import LimitError, UnreadableError
from pincite.pdf.content.fonts import FontCache
from pincite.pdf.content.optional import OptionalContent
from pincite.pdf.content.structure import StructureText
from pincite.pdf.font.font import Font
from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.syntax import parse_value
from pincite.pdf.objects.values import Dictionary, Reference, Stream, Value, as_dictionary, as_number

IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Matrix = tuple[float, float, float, float, float, float]

_MAX_FORM_DEPTH = 24
_MAX_FORMS = 50_000
"""Forms painted on one page: nested ones that paint each other twice would go on for ever without a cycle."""
_MAX_CONTENT_BYTES = 512 << 20
_MAX_CACHED_FORM_BYTES = 1 << 20
_NAME_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_MAX_KNOWN = 4096
_MAX_KNOWN_LENGTH = 100
"""Property lists up to this length (bytes), which give the ActualText of a glyph or two, are read once a document."""
_EMPTY_STRINGS = (b"", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_UNMAPPED_ONLY = bytes(value & FLAG_UNMAPPED for value in range(256))
_UNMAPPED_FLAG = bytes((FLAG_UNMAPPED,))
_PICTURED = frozenset((b"Figure", b"Formula"))


class ActualText(NamedTuple):
    """Text that stands for the glyph rows first..last-1 (ISO 32000-2, 14.9.4)."""

    first: int
    last: int
    text: str


class Painted(NamedTuple):
    """The glyph rows first..last-1 that a form or an annotation drew; `marks_own` says that the form's MCIDs are its own, and
    not the page's (ISO 32000-2, 14.7.5.4)."""

    first: int
    last: int
    reference: Reference | None
    marks_own: bool


@dataclass(slots=True)
class PageContent:
    """What one page draws: the kernel's columns (see `pincite._kernel.content`) and what they refer to."""

    places: array[float]
    facts: array[int]
    flags: array[int]
    run_numbers: array[float]
    run_facts: array[int]
    fonts: dict[int, Font]
    strings: list[str]
    actual_texts: list[ActualText]
    images: int
    warnings: list[str]
    painted: list[Painted] = field(default_factory=list)
    """The forms and annotations that drew text, each behind those within it."""


@dataclass(slots=True)
class _Frame:
    """The resources in force: the page's, or those of a form on the stack."""

    resources: Dictionary
    tables: dict[bytes, DecodingTable | None] = field(default_factory=dict)
    """The fonts asked for so far, by their names in the content."""
    categories: dict[str, Dictionary] = field(default_factory=dict)


class _Mark(NamedTuple):
    """One marked-content sequence that is open, with what to go back to at its end."""

    mcid: int
    flags: int
    first: int
    text: str | None
    pictured: bool
    """Whether the tag says that the sequence is a picture or a formula."""


class ContentInterpreter:
    """Runs the content of one page; the machine calls its methods back, see `ContentMachine`."""

    def __init__(
        self,
        file: File,
        fonts: FontCache,
        optional: OptionalContent,
        resources: Dictionary,
        structure: StructureText,
        recorder: PathRecorder | None = None,
    ) -> None:
        """With a `recorder` the lines and rectangles are recorded that are painted besides the text."""
        self._file = file
        self._structure = structure
        self._recorder = recorder
        self._cache = fonts
        self._optional = optional
        self._frame = _Frame(resources)
        self._machine = fonts.machine
        self._fonts: dict[int, Font] = {}
        self._marks: list[_Mark] = []
        self._flags = 0
        self._actual_texts: list[tuple[int, int, str]] = []
        self._forms_open: list[object] = []
        self._forms_painted = 0
        self._form_data: dict[Reference, bytes] = {}
        self._bytes_run = 0
        self._images = 0
        self._warnings: list[str] = []
        self._painted: list[Painted] = []

    def run(self, data: bytes) -> None:
        """Run the page's own content stream, before anything else."""
        self._machine.begin_page(self, self._frame.tables, self._recorder, self._cache.properties, self._actual_texts)
        self._machine.run(data)

    def paint_annotation(self, appearance: Stream, matrix: Matrix, annotation: Reference | None = None) -> None:
        """Paint an annotation's appearance stream under `matrix` (ISO 32000-2, 12.5.5), in a graphics state of its own."""
        self._machine.reset_state()
        if self._recorder is not None:
            self._recorder.reset()
        first = self._machine.glyph_count()
        self._set_flags(self._flags | FLAG_ANNOTATION)
        self._paint_form(appearance, matrix)
        self._set_flags(self._flags & ~FLAG_ANNOTATION)
        self._note_painted(first, annotation, True)

    def finish(self) -> PageContent:
        """The columns and what they refer to."""
        self._machine.end_page()
        places, facts, flags, run_numbers, run_facts = self._machine.columns()
        if _UNMAPPED_FLAG in flags.tobytes().translate(_UNMAPPED_ONLY):
            self._map_late(facts, flags, run_facts)
        return PageContent(
            places, facts, flags, run_numbers, run_facts, self._fonts, self._cache.strings.strings,
            [ActualText(*text) for text in self._actual_texts],
            self._images + self._machine.inline_image_count(), self._warnings, self._painted,
        )  # fmt: skip

    # -- called by the machine -------------------------------------------------------------------

    def set_font(self, name: bytes) -> DecodingTable | None:
        """Tf: the decoding table of a font resource; None leaves the text undrawn, as no font is known."""
        table = self._load_font(self._category("Font").get(_decode_name(name)))
        if table is None:
            self._warn(f"the font {_decode_name(name)!r} is not in the page's resources")
        self._frame.tables[name] = table
        return table

    def set_graphics_state(self, name: bytes) -> None:
        """gs: of the parameters only /Font concerns text (ISO 32000-2, 8.4.5)."""
        state = as_dictionary(self._file.resolve(self._category("ExtGState").get(_decode_name(name))))
        font = self._file.get(state, "Font")
        if isinstance(font, list) and len(font) == 2:
            size = as_number(self._file.resolve(font[1]))
            table = self._load_font(font[0])
            if table is not None and size is not None:
                self._machine.set_font(table, float(size))

    def paint(self, name: bytes) -> None:
        """Do: run a form, count an image."""
        xobject = self._file.resolve(self._category("XObject").get(_decode_name(name)))
        if not isinstance(xobject, Stream):
            return
        dictionary = xobject.dictionary
        if self._file.get(dictionary, "Subtype") == "Image":
            self._images += 1
            if self._recorder is not None:
                self._recorder.add_image(self._machine.ctm(), self._flags)
            return
        if self._file.get(dictionary, "Subtype") != "Form" and "BBox" not in dictionary:
            return
        group = dictionary.get("OC")
        if group is not None and not self._optional.is_visible(group):
            flags = self._flags
            self._set_flags(flags | FLAG_HIDDEN)
            self._paint_form(xobject, IDENTITY)
            self._set_flags(flags)
        else:
            self._paint_form(xobject, IDENTITY)

    def begin_marked_content(self, tag: bytes, properties: bytes | None) -> None:
        """BMC and BDC: MCID, ActualText, artifacts and optional content (ISO 32000-2, 14.6)."""
        before = (self._machine.current_mcid(), self._flags)
        if tag == b"Artifact":
            self._set_flags(self._flags | FLAG_ARTIFACT)
        text = None if properties is None else self._read_properties(tag, properties)
        self._marks.append(_Mark(*before, self._machine.glyph_count(), text, tag in _PICTURED))
        if text is not None:
            self._machine.set_in_actual_text(True)

    def end_marked_content(self) -> None:
        """EMC of a sequence that `begin_marked_content` began."""
        mark = self._marks.pop()
        text = mark.text
        last = self._machine.glyph_count()
        if text is not None:
            self._machine.set_in_actual_text(False)
        elif mark.pictured and not self._machine.is_in_actual_text() and not any(outer.pictured for outer in self._marks[-1:]):
            text = self._structure.actual_text(self._machine.current_mcid())
        if text is not None:
            if last > mark.first:
                self._actual_texts.append((mark.first, last, text))
            elif text:
                self._machine.add_text(self._cache.strings.number(text))
        self._machine.set_mcid(mark.mcid)
        if mark.flags != self._flags:
            self._set_flags(mark.flags)

    def number_of(self, text: str) -> int:
        """The value of a text that stands for no glyph."""
        return self._cache.strings.number(text)

    def _map_late(self, facts: array[int], flags: array[int], run_facts: array[int]) -> None:
        """Complete the fonts that have shown a code without a meaning, and look these codes up once more."""
        for row, flag in enumerate(flags):
            if not flag & FLAG_UNMAPPED:
                continue
            font = self._fonts.get(run_facts[RUN_FACT_FIELDS * facts[FACT_FIELDS * row + 2]])
            if font is None or font.table.code_size() == 0:
                continue
            if font.pending:
                font.complete()
            value = font.unicode_value(facts[FACT_FIELDS * row + 1])
            if value != UNMAPPED:
                facts[FACT_FIELDS * row] = value
                flags[row] = flag & ~FLAG_UNMAPPED

    # -- the rest ----------------------------------------------------------------------------------

    def _read_properties(self, tag: bytes, source: bytes) -> str | None:
        """Apply a property list and return its ActualText, where it has one that counts."""
        known = self._cache.properties
        read = known.get(source) if tag != b"OC" else None
        if read is None:
            read = self._parse_properties(tag, source)
            # what stands in the content itself says the same wherever it stands
            if source.startswith(b"<") and len(source) <= _MAX_KNOWN_LENGTH and len(known) < _MAX_KNOWN:
                known[source] = read
        mcid, text = read
        if mcid >= 0:
            self._machine.set_mcid(mcid)
        return None if self._machine.is_in_actual_text() else text

    def _parse_properties(self, tag: bytes, source: bytes) -> tuple[int, str | None]:
        """The MCID of a property list, -1 without one, and its ActualText."""
        if source.startswith(b"/"):
            entry = self._category("Properties").get(_decode_name(source[1:]))
        else:
            entry = parse_value(source)
        if tag == b"OC" and not self._optional.is_visible(entry):
            self._set_flags(self._flags | FLAG_HIDDEN)
        dictionary = as_dictionary(self._file.resolve(entry))
        mcid = self._file.get(dictionary, "MCID")
        number = mcid if isinstance(mcid, int) and 0 <= mcid < 1 << 31 else -1
        text = self._file.get(dictionary, "ActualText")
        if not isinstance(text, bytes):
            return number, None
        decoded = decode_text_string(text, trim=False)
        # control characters alone say nothing; an empty text says that the glyphs are none
        return number, decoded if decoded or text in _EMPTY_STRINGS else None

    def _set_flags(self, flags: int) -> None:
        self._flags = flags
        self._machine.set_flags(flags)

    def _category(self, name: str) -> Dictionary:
        frame = self._frame
        category = frame.categories.get(name)
        if category is None:
            category = frame.categories[name] = as_dictionary(self._file.get(frame.resources, name))
        return category

    def _load_font(self, value: Value) -> DecodingTable | None:
        font = self._cache.font(value)
        if font is None:
            return None
        self._fonts[font.table.font_index()] = font
        return font.table

    def _paint_form(self, form: Stream, outer: Matrix) -> None:
        """Run a form under its /Matrix and then `outer`, clipped to its /BBox (ISO 32000-2, 8.10)."""
        dictionary = form.dictionary
        key: object = form.reference if form.reference is not None else id(form)
        if key in self._forms_open:
            self._warn("a form that paints itself was skipped")
            return
        if len(self._forms_open) >= _MAX_FORM_DEPTH or self._forms_painted >= _MAX_FORMS or self._bytes_run > _MAX_CONTENT_BYTES:
            self._warn("forms nested too deep, or too many, were skipped")
            return
        try:
            data = self._read_form(form)
        except (UnreadableError, LimitError) as error:
            self._warn(error.message)
            return
        matrix = _numbers(self._file.get_array(dictionary, "Matrix"), 6) or IDENTITY
        bbox = _numbers(self._file.get_array(dictionary, "BBox"), 4)
        resources = self._file.get(dictionary, "Resources")
        frame = self._frame
        if isinstance(resources, dict):
            self._frame = _Frame(resources)
        self._forms_open.append(key)
        self._forms_painted += 1
        self._bytes_run += len(data)
        first = self._machine.glyph_count()
        try:
            matrix = _multiply(matrix, outer) if outer is not IDENTITY else matrix
            self._machine.run_form(data, matrix, bbox, self._frame.tables)
        finally:
            self._forms_open.pop()
            self._frame = frame
        self._note_painted(first, form.reference, "StructParents" in dictionary)

    def _note_painted(self, first: int, reference: Reference | None, marks_own: bool) -> None:
        last = self._machine.glyph_count()
        if last > first:
            self._painted.append(Painted(first, last, reference, marks_own))

    def _read_form(self, form: Stream) -> bytes:
        """The form's data; small ones, which a page may paint a thousand times, are kept."""
        if form.reference is None:
            return form.data()
        data = self._form_data.get(form.reference)
        if data is None:
            data = form.data()
            if len(data) <= _MAX_CACHED_FORM_BYTES and len(self._form_data) < 64:
                self._form_data[form.reference] = data
        return data

    def _warn(self, message: str) -> None:
        if message not in self._warnings and len(self._warnings) < 20:
            self._warnings.append(message)


def _decode_name(name: bytes) -> str:
    """A name as it stands in content, to the form that dictionaries have as keys (ISO 32000-2, 7.3.5)."""
    if b"#" in name:
        name = _NAME_ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), name)
    return name.decode("latin-1")


def _numbers(values: list[Value], count: int) -> tuple[float, ...] | None:
    numbers = [as_number(value) for value in values[:count]]
    found = [float(number) for number in numbers if number is not None]
    return tuple(found) if len(found) == count else None


def _multiply(first: tuple[float, ...], second: Matrix) -> Matrix:
    """first × second (ISO 32000-2, 8.3.4): `first` is applied first."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)
