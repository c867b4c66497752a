"""What the pages of a document share: its fonts, each parsed once, and what goes with them."""

from __future__ import annotations

from pincite._kernel.content import ContentMachine
from pincite.pdf.font.font import Font, load_font
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Reference, Value

_MAX_FONTS = 512
_MAX_DIRECT = 64


class FontCache:
    """Loads fonts on demand and keeps the most recent ones: a file of 5,000 pages may have as many subsets."""

    def __init__(self, file: File) -> None:
        self.strings = StringTable()
        self.properties: dict[bytes, tuple[int, str | None]] = {}
        """Short property lists of marked content that have been read: MCID, -1 without one, and ActualText."""
        self.machine = ContentMachine()
        """Runs the pages of the document, one at a time: its columns are too large to make anew for each."""
        self._file = file
        self._fonts: dict[Reference, Font] = {}
        self._direct: dict[int, tuple[Dictionary, Font]] = {}
        self._loaded = 0

    def font(self, value: Value) -> Font | None:
        """The font of a resource entry, or None where there is no font dictionary."""
        if isinstance(value, Reference):
            font = self._fonts.pop(value, None)
            if font is not None:
                self._fonts[value] = font
                return font
        dictionary = self._file.resolve(value)
        if not isinstance(dictionary, dict):
            return None
        direct = self._direct.get(id(dictionary))
        if direct is not None and direct[0] is dictionary:
            return direct[1]
        font = load_font(self._file, dictionary, self.strings, self._loaded)
        self._loaded += 1
        if not isinstance(value, Reference):
            # a form that is painted a thousand times asks for its own fonts each time
            if len(self._direct) >= _MAX_DIRECT:
                self._direct.clear()
            self._direct[id(dictionary)] = (dictionary, font)
        if isinstance(value, Reference):
            self._fonts[value] = font
            if len(self._fonts) > _MAX_FONTS:
                del self._fonts[next(iter(self._fonts))]
        return font
