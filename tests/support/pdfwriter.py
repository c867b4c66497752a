"""Write the PDFs that the tests need, in a few lines a case and with the same bytes every time.

    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    writer.add_page(font.text(72, 700, "Hello") + b" 0 0 m 10 10 l S")
    pdf = writer.write()

or, where the text is all that matters, `simple_pdf(["page one", "page two"])` and `korean_pdf(["한국어"])`.

Values in dictionaries follow `pdfsyntax`: a `str` is PDF syntax as it stands, a `bytes` is a PDF string. Content is bytes, or a
`str` that is Latin-1. Encryption, object streams and damage are made from finished bytes by `pdfvariants`.
"""

from __future__ import annotations

import hashlib
import itertools
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from support.pdffonts import CompositeFont, Font, SimpleFont
from support.pdfsyntax import Reference, Syntax, as_bytes, name, serialise, text_string, to_unicode_cmap

__all__ = [
    "CompositeFont",
    "Font",
    "OutlineEntry",
    "PdfWriter",
    "Reference",
    "SimpleFont",
    "Syntax",
    "korean_pdf",
    "name",
    "serialise",
    "simple_pdf",
    "text_string",
    "to_unicode_cmap",
]

Content = str | bytes
Fonts = Mapping[str, Font | Reference] | Iterable[Font]
LETTER = (0, 0, 612, 792)


class OutlineEntry(NamedTuple):
    """One outline item: a title, a 1-based page (or None), children, and how the page is named.

    `via` is "dest" for a /Dest array, "action" for an /A GoTo. `extra` overrides keys of the item's dictionary.
    """

    title: str | bytes
    page: int | None = None
    children: Sequence[OutlineEntry] = ()
    via: str = "dest"
    extra: Mapping[str, Syntax] = {}


class _Stream(NamedTuple):
    dictionary: Mapping[str, Syntax]
    data: bytes | Callable[[], bytes]
    compress: bool


class PdfWriter:
    """Collects objects and pages; `write()` gives the file.

    `catalog`, `pages` (the root of the page tree: put attributes to inherit there), `info` and `trailer` are dictionaries to add
    keys to. Objects are numbered in the order in which they are added, from 3 on (1 is the catalog, 2 the page tree).
    """

    def __init__(self, version: str = "1.7") -> None:
        self.version = version
        self.catalog: dict[str, Syntax] = {"Type": "/Catalog", "Pages": Reference(2)}
        self.pages: dict[str, Syntax] = {"Type": "/Pages"}
        self.info: dict[str, Syntax] = {}
        self.trailer: dict[str, Syntax] = {}
        self.page_references: list[Reference] = []
        self.fonts: list[Font] = []
        self._objects: list[Syntax | _Stream] = [self.catalog, self.pages]
        self._optional_content: list[tuple[Reference, bool]] = []

    # objects

    def add(self, value: Syntax) -> Reference:
        """Add an object. A `dict` is written as it is when `write` is called, so it may still be changed."""
        self._objects.append(value)
        return Reference(len(self._objects))

    def replace(self, reference: Reference, value: Syntax) -> None:
        """Put another value in an object's place, for objects that point at each other."""
        self._objects[reference.number - 1] = value

    def add_stream(
        self, data: Content | Callable[[], bytes], dictionary: Mapping[str, Syntax] | None = None, *, compress: bool = False
    ) -> Reference:
        """Add a stream. `compress` deflates it; any other filter is the caller's, who encodes the data and gives /Filter."""
        source = data.encode("latin-1") if isinstance(data, str) else data
        self._objects.append(_Stream(dictionary or {}, source, compress))
        return Reference(len(self._objects))

    # fonts

    def add_font(
        self,
        base_font: str = "Helvetica",
        *,
        subtype: str = "Type1",
        encoding: str | Mapping[str, Syntax] | None = "/WinAnsiEncoding",
        differences: Mapping[int, str] | None = None,
        widths: Mapping[int, float] | float | None = None,
        to_unicode: Mapping[int, str] | bytes | None = None,
        codes: Mapping[str, int] | None = None,
        descriptor: Mapping[str, Syntax] | None = None,
        extra: Mapping[str, Syntax] | None = None,
    ) -> SimpleFont:
        """Add a simple font (9.6.2).

        `differences` maps codes to glyph names and makes /Encoding a dictionary over `encoding`, which may be None. `widths` maps
        codes to thousandths of an em, or is one width for the codes 0 to 255; without it there is no /Widths. `codes` tells
        `encode` which code a character has; else it follows `to_unicode`, else Windows-1252. `descriptor` adds to a
        /FontDescriptor.
        """
        dictionary: dict[str, Syntax] = {"Type": "/Font", "Subtype": name(subtype), "BaseFont": name(base_font)}
        dictionary["Encoding"] = self._encoding(encoding, differences)
        self._simple_metrics(dictionary, widths)
        if descriptor is not None:
            dictionary["FontDescriptor"] = self.add({"Type": "/FontDescriptor", "FontName": name(base_font)} | dict(descriptor))
        return self._simple_font(dictionary, to_unicode, codes, extra)

    def add_type3_font(
        self,
        glyphs: Mapping[int, Content],
        *,
        names: Mapping[int, str] | None = None,
        widths: Mapping[int, float] | float = 1000,
        matrix: Sequence[float] = (0.001, 0, 0, 0.001, 0, 0),
        bbox: Sequence[float] = (0, -250, 1000, 750),
        to_unicode: Mapping[int, str] | bytes | None = None,
        codes: Mapping[str, int] | None = None,
        resources: Mapping[str, Syntax] | None = None,
        extra: Mapping[str, Syntax] | None = None,
    ) -> SimpleFont:
        """Add a Type3 font (9.6.4): `glyphs` maps codes to glyph descriptions; `names` their glyph names, else g1, g2, …"""
        named = {code: (names or {}).get(code, f"g{code}") for code in glyphs}
        dictionary: dict[str, Syntax] = {
            "Type": "/Font",
            "Subtype": "/Type3",
            "FontMatrix": list(matrix),
            "FontBBox": list(bbox),
            "CharProcs": {named[code]: self.add_stream(content) for code, content in glyphs.items()},
            "Encoding": self._encoding(None, named),
            "Resources": resources,
        }
        self._simple_metrics(dictionary, widths)
        return self._simple_font(dictionary, to_unicode, codes, extra)

    def add_composite_font(
        self,
        base_font: str = "PinciteSans",
        *,
        encoding: str | Reference = "/Identity-H",
        to_unicode: Mapping[int, str] | bytes | bool = True,
        codes: Mapping[str, int] | None = None,
        widths: Mapping[int, float] | None = None,
        default_width: float | None = None,
        collection: tuple[str, str] = ("Adobe", "Identity"),
        descendant: Mapping[str, Syntax] | None = None,
        descriptor: Mapping[str, Syntax] | None = None,
        extra: Mapping[str, Syntax] | None = None,
    ) -> CompositeFont:
        """Add a Type0 font (9.7) with a CIDFontType2 descendant and no embedded program.

        `encode` hands out two-byte codes from 1 on (or those of `codes`). With `to_unicode=True` the map holds every character
        that was encoded until `write`; False leaves it out. Widths not given are 1000 for wide characters (East Asian Width W
        and F) and 500 for others. `descendant` adds keys to the CIDFont (/W2, /DW2, /CIDToGIDMap …).
        """
        font = CompositeFont(f"F{len(self.fonts) + 1}", dict(codes or {}), dict(widths or {}), default_width)
        details = {"Type": "/FontDescriptor", "FontName": name(base_font), "Flags": 4, "Ascent": 800, "Descent": -200}
        cid_font: dict[str, Syntax] = {
            "Type": "/Font",
            "Subtype": "/CIDFontType2",
            "BaseFont": name(base_font),
            "CIDSystemInfo": {"Registry": collection[0].encode(), "Ordering": collection[1].encode(), "Supplement": 0},
            "FontDescriptor": self.add(details | dict(descriptor or {})),
            "DW": 1000 if default_width is None else default_width,
            "W": font.width_array,
        }
        dictionary: dict[str, Syntax] = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": name(base_font),
            "Encoding": encoding,
            "DescendantFonts": [self.add(cid_font | dict(descendant or {}))],
        }
        if to_unicode is True:
            dictionary["ToUnicode"] = self.add_stream(lambda: to_unicode_cmap(font.mapping()))
        elif to_unicode is not False:
            dictionary["ToUnicode"] = self._to_unicode(to_unicode, code_bytes=2)
        font.reference = self.add(dictionary | dict(extra or {}))
        self.fonts.append(font)
        return font

    def _encoding(self, base: str | Mapping[str, Syntax] | None, differences: Mapping[int, str] | None) -> Syntax:
        if differences is None:
            return base
        array: list[Syntax] = []
        for code in sorted(differences):
            if code - 1 not in differences:
                array.append(code)
            array.append(name(differences[code]))
        return {"Type": "/Encoding", "BaseEncoding": base, "Differences": array}

    def _simple_metrics(self, dictionary: dict[str, Syntax], widths: Mapping[int, float] | float | None) -> None:
        if widths is None:
            return
        table = widths if isinstance(widths, Mapping) else dict.fromkeys(range(256), widths)
        first, last = min(table), max(table)
        dictionary |= {"FirstChar": first, "LastChar": last}
        dictionary["Widths"] = [table.get(code, 0) for code in range(first, last + 1)]

    def _simple_font(
        self,
        dictionary: dict[str, Syntax],
        to_unicode: Mapping[int, str] | bytes | None,
        codes: Mapping[str, int] | None,
        extra: Mapping[str, Syntax] | None,
    ) -> SimpleFont:
        if to_unicode is not None:
            dictionary["ToUnicode"] = self._to_unicode(to_unicode, code_bytes=1)
        if codes is None and isinstance(to_unicode, Mapping):
            codes = {text: code for code, text in to_unicode.items()}
        font = SimpleFont(f"F{len(self.fonts) + 1}", codes, self.add(dictionary | dict(extra or {})))
        self.fonts.append(font)
        return font

    def _to_unicode(self, source: Mapping[int, str] | bytes, *, code_bytes: int) -> Reference:
        return self.add_stream(to_unicode_cmap(source, code_bytes=code_bytes) if isinstance(source, Mapping) else source)

    # pages and what is painted on them

    def add_page(
        self,
        content: Content | Sequence[Content | Reference] = b"",
        *,
        fonts: Fonts | None = None,
        xobjects: Mapping[str, Reference] | None = None,
        properties: Mapping[str, Syntax] | None = None,
        resources: Mapping[str, Syntax] | None = None,
        media_box: Sequence[float] | Syntax = LETTER,
        crop_box: Sequence[float] | Syntax = None,
        rotate: Syntax = None,
        user_unit: Syntax = None,
        annotations: Sequence[Syntax] | None = None,
        compress: bool = False,
        extra: Mapping[str, Syntax] | None = None,
    ) -> Reference:
        """Add a page. A sequence of contents makes /Contents an array of streams, in which a `Reference` stands for itself.

        `fonts` None gives the page every font of the writer that there is so far. `resources` adds keys to its /Resources or
        replaces them. `extra` does so to the page's dictionary, where None takes a key away (`{"MediaBox": None}` inherits).
        """
        parts = [content] if isinstance(content, str | bytes) else list(content)
        streams = [part if isinstance(part, Reference) else self.add_stream(part, compress=compress) for part in parts]
        single = isinstance(content, str | bytes)
        page: dict[str, Syntax] = {
            "Type": "/Page",
            "Parent": Reference(2),
            "MediaBox": media_box,
            "CropBox": crop_box,
            "Rotate": rotate,
            "UserUnit": user_unit,
            "Resources": self.resources(fonts, xobjects=xobjects, properties=properties, extra=resources),
            "Contents": streams[0] if single else streams,
            "Annots": annotations,
        }
        reference = self.add(page | dict(extra or {}))
        self.page_references.append(reference)
        return reference

    def resources(
        self,
        fonts: Fonts | None = None,
        *,
        xobjects: Mapping[str, Reference] | None = None,
        properties: Mapping[str, Syntax] | None = None,
        extra: Mapping[str, Syntax] | None = None,
    ) -> dict[str, Syntax]:
        """A resource dictionary (7.8.3); `fonts` None means every font so far."""
        listed = self.fonts if fonts is None else fonts
        named: dict[str, Syntax] = {}
        if isinstance(listed, Mapping):
            named.update((key, font if isinstance(font, Reference) else font.reference) for key, font in listed.items())
        else:
            named.update((font.name, font.reference) for font in listed)
        return {"Font": named or None, "XObject": xobjects, "Properties": properties} | dict(extra or {})

    def add_form(
        self,
        content: Content,
        *,
        bbox: Sequence[float] = LETTER,
        matrix: Sequence[float] | None = None,
        own_resources: bool = True,
        fonts: Fonts | None = None,
        xobjects: Mapping[str, Reference] | None = None,
        properties: Mapping[str, Syntax] | None = None,
        extra: Mapping[str, Syntax] | None = None,
    ) -> Reference:
        """Add a Form XObject (8.10). Without `own_resources` it has no /Resources and borrows those of its painter."""
        dictionary: dict[str, Syntax] = {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": list(bbox),
            "Matrix": matrix,
            "Resources": self.resources(fonts, xobjects=xobjects, properties=properties) if own_resources else None,
        }
        return self.add_stream(content, dictionary | dict(extra or {}))

    def add_image(self, width: int = 8, height: int = 8, *, data: bytes | None = None) -> Reference:
        """Add an image XObject: 8-bit grey, a chequered pattern unless `data` says otherwise."""
        grey = bytes(255 * ((x + y) % 2) for y in range(height) for x in range(width)) if data is None else data
        dictionary: dict[str, Syntax] = {"Type": "/XObject", "Subtype": "/Image", "Width": width, "Height": height}
        dictionary |= {"ColorSpace": "/DeviceGray", "BitsPerComponent": 8}
        return self.add_stream(grey, dictionary)

    def add_image_page(self, *, media_box: Sequence[float] = LETTER) -> Reference:
        """Add a page that is one picture and no text, as a scanner makes it."""
        x0, y0, x1, y1 = media_box
        content = serialise(f"q {x1 - x0} 0 0 {y1 - y0} {x0} {y0} cm /Im1 Do Q\n")
        return self.add_page(content, fonts=(), xobjects={"Im1": self.add_image()}, media_box=media_box)

    def add_annotation(
        self,
        subtype: str,
        rect: Sequence[float],
        *,
        appearance: Reference | None = None,
        flags: int = 4,
        extra: Mapping[str, Syntax] | None = None,
    ) -> Reference:
        """Add an annotation (12.5) with its normal appearance stream; give it to a page with `annotations=[…]`."""
        dictionary: dict[str, Syntax] = {"Type": "/Annot", "Subtype": name(subtype), "Rect": list(rect), "F": flags}
        dictionary["AP"] = None if appearance is None else {"N": appearance}
        return self.add(dictionary | dict(extra or {}))

    def add_layer(self, title: str, *, visible: bool = True) -> Reference:
        """Add an optional content group (8.11), on or off in the default configuration; name it in a page's `properties`."""
        reference = self.add({"Type": "/OCG", "Name": text_string(title)})
        self._optional_content.append((reference, visible))
        return reference

    # document level

    def set_outline(self, entries: Sequence[OutlineEntry]) -> Reference:
        """Write the outline (12.3.3); call it after the pages are there. Returns the outline's root."""
        root: dict[str, Syntax] = {"Type": "/Outlines"}
        reference = self.add(root)
        self._link_items(root, reference, entries)
        self.catalog["Outlines"] = reference
        return reference

    def _link_items(self, parent: dict[str, Syntax], parent_reference: Reference, entries: Sequence[OutlineEntry]) -> None:
        items: list[tuple[Reference, dict[str, Syntax]]] = []
        for entry in entries:
            title = entry.title if isinstance(entry.title, bytes) else text_string(entry.title)
            item: dict[str, Syntax] = {"Title": title, "Parent": parent_reference}
            reference = self.add(item)
            if entry.page is not None:
                target: Syntax = [self.page_references[entry.page - 1], "/Fit"]
                item |= {"A": {"S": "/GoTo", "D": target}} if entry.via == "action" else {"Dest": target}
            self._link_items(item, reference, entry.children)
            items.append((reference, item))
        for (before, before_item), (after, after_item) in itertools.pairwise(items):
            before_item["Next"], after_item["Prev"] = after, before
        if items:
            parent |= {"First": items[0][0], "Last": items[-1][0], "Count": len(items)}
        for (_, item), entry in zip(items, entries, strict=True):
            item |= entry.extra

    def set_page_labels(self, ranges: Mapping[int, Mapping[str, Syntax]]) -> None:
        """Write page labels (12.4.2): 0-based first page of a range to its dictionary, `{0: {"S": "/r"}, 4: {"S": "/D"}}`."""
        self.catalog["PageLabels"] = {"Nums": [item for index, label in ranges.items() for item in (index, label)]}

    def set_title(self, title: str | bytes) -> None:
        """Write /Info /Title; bytes are written as they are."""
        self.info["Title"] = title if isinstance(title, bytes) else text_string(title)

    def write(self) -> bytes:
        """The whole file, with a classic cross-reference table. The same calls give the same bytes."""
        self.pages.setdefault("Kids", self.page_references)
        self.pages.setdefault("Count", len(self.page_references))
        if self._optional_content:
            groups = [reference for reference, _ in self._optional_content]
            hidden = [reference for reference, visible in self._optional_content if not visible]
            self.catalog.setdefault("OCProperties", {"OCGs": groups, "D": {"OFF": hidden}})
        if self.info and "Info" not in self.trailer:
            self.trailer["Info"] = self.add(self.info)
        out = bytearray(f"%PDF-{self.version}\n".encode() + b"%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, value in enumerate(self._objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n" % number + (_stream(value) if isinstance(value, _Stream) else serialise(value)) + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        identifier = hashlib.sha256(out).digest()[:16]
        trailer: dict[str, Syntax] = {"Size": len(offsets) + 1, "Root": Reference(1)}
        trailer["ID"] = f"[<{identifier.hex()}> <{identifier.hex()}>]"
        out += b"trailer\n" + serialise(trailer | self.trailer) + b"\nstartxref\n%d\n%%%%EOF\n" % start
        return bytes(out)


def _stream(stream: _Stream) -> bytes:
    data = as_bytes(stream.data)
    if stream.compress:
        data = zlib.compress(data, 9)
    head: dict[str, Syntax] = {"Length": len(data), "Filter": "/FlateDecode" if stream.compress else None}
    return serialise(head | dict(stream.dictionary)) + b"\nstream\n" + data + b"\nendstream"


def simple_pdf(pages: Sequence[str | None], *, title: str | None = None) -> bytes:
    """A PDF in Helvetica with one page for each text, whose lines are drawn as lines; None is a page that is only a picture.

    A page is as large as its text needs. Characters must be in Windows-1252; `korean_pdf` takes all others.
    """
    writer = PdfWriter()
    return _text_pdf(writer, writer.add_font("Helvetica"), pages, title)


def korean_pdf(pages: Sequence[str | None], *, title: str | None = None) -> bytes:
    """As `simple_pdf`, through a Type0 font with Identity-H and ToUnicode: any text in Unicode, one code a character."""
    writer = PdfWriter()
    return _text_pdf(writer, writer.add_composite_font("PinciteBatang"), pages, title)


def _text_pdf(writer: PdfWriter, font: Font, pages: Sequence[str | None], title: str | None) -> bytes:
    size, leading, margin = 11, 15, 72
    for text in pages:
        if text is None:
            writer.add_image_page()
            continue
        lines = text.split("\n")
        # No glyph of Helvetica is wider than 1.02 em, so the text is inside the page whatever it is.
        width = max(612, 2 * margin + round(1.02 * size * max(map(len, lines))))
        height = max(792, 2 * margin + leading * len(lines))
        drawn = [font.text(margin, height - margin - leading * at, line, size=size) for at, line in enumerate(lines) if line]
        writer.add_page(b"".join(drawn), media_box=(0, 0, width, height))
    if title is not None:
        writer.set_title(title)
    return writer.write()
