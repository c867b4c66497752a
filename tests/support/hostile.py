"""PDFs that are made to hurt whoever reads them, each by a few lines of code."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable

from support.pdfsyntax import Reference
from support.pdfwriter import OutlineEntry, PdfWriter

MIB = 1 << 20


def repeated_deflate(unit: bytes, times: int) -> bytes:
    """A zlib stream of `unit`, over and over: made without ever holding what it inflates to."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(unit) + compressor.flush(zlib.Z_FULL_FLUSH)
    end = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    # The check sum of a repetition follows from that of the unit (RFC 1950).
    low = sum(unit) % 65521
    whole = zlib.adler32(unit, 0)
    first, second = whole & 0xFFFF, whole >> 16
    assert first == low
    size = len(unit)
    a, b = 1, 0
    for _ in range(times):
        b = (b + size * a + second) % 65521
        a = (a + first) % 65521
    return b"\x78\xda" + block * times + end + struct.pack(">I", b << 16 | a)


def deflated_stream(writer: PdfWriter, data: bytes, **extra: object) -> Reference:
    return writer.add_stream(data, {"Filter": "/FlateDecode", **extra})  # type: ignore[dict-item]


def text_pages(writer: PdfWriter, *texts: str) -> None:
    font = writer.fonts[0] if writer.fonts else writer.add_font("Helvetica")
    for text in texts:
        writer.add_page(font.text(72, 700, text))


def flate_bomb() -> bytes:
    """2 MB that inflate to 2 GB, as the content of the second of three pages."""
    writer = PdfWriter()
    text_pages(writer, "before")
    writer.add_page([deflated_stream(writer, repeated_deflate(bytes(MIB), 2048))])
    text_pages(writer, "after")
    return writer.write()


def flate_bomb_of_operators() -> bytes:
    """The same of operators that each do something."""
    writer = PdfWriter()
    text_pages(writer, "before")
    unit = (b"BT /F1 9 Tf (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) Tj ET\n" * 20000)[:MIB]
    writer.add_page([deflated_stream(writer, repeated_deflate(unit, 1000))])
    text_pages(writer, "after")
    return writer.write()


def nested_bombs() -> bytes:
    """Deflated ten times over."""
    writer = PdfWriter()
    text_pages(writer, "before")
    data = repeated_deflate(bytes(MIB), 2048)
    for _ in range(9):
        data = zlib.compress(data)
    writer.add_page([writer.add_stream(data, {"Filter": "[" + "/FlateDecode " * 10 + "]"})])
    return writer.write()


def run_length_bomb() -> bytes:
    writer = PdfWriter()
    text_pages(writer, "before")
    data = repeated_deflate(b"\x81 " * (MIB // 2), 60)
    writer.add_page([writer.add_stream(data, {"Filter": "[/FlateDecode /RunLengthDecode]"})])
    return writer.write()


def predictor_bomb() -> bytes:
    """A row of 10^9 columns."""
    writer = PdfWriter()
    text_pages(writer, "before")
    parameters = "<< /Predictor 12 /Columns 1000000000 /Colors 32 /BitsPerComponent 16 >>"
    writer.add_page([writer.add_stream(zlib.compress(bytes(1000)), {"Filter": "/FlateDecode", "DecodeParms": parameters})])
    return writer.write()


def nested_arrays() -> bytes:
    """100,000 arrays in each other, where a value is read: in an object, in content, in properties, in a font."""
    nested = "[" * 100_000 + "]" * 100_000
    writer = PdfWriter()
    text_pages(writer, "before")
    deep = writer.add(nested)
    writer.add_page(f"{nested} TJ BT /F1 9 Tf (after) Tj ET".encode(), annotations=[deep], extra={"Deep": deep})
    writer.add_page(b"/Span << /ActualText " + nested.encode() + b" >> BDC EMC BT /F1 9 Tf (last) Tj ET", media_box=deep)
    writer.catalog["PageLabels"] = {"Nums": deep}
    return writer.write()


def nested_dictionaries() -> bytes:
    nested = "<< /A " * 100_000 + "null" + " >>" * 100_000
    writer = PdfWriter()
    text_pages(writer, "before")
    writer.add_page(b"/P " + nested.encode() + b" BDC EMC", extra={"Deep": nested, "Resources": writer.add(nested)})
    return writer.write()


def page_tree_cycle() -> bytes:
    writer = PdfWriter()
    text_pages(writer, "one")
    writer.pages["Kids"] = [writer.page_references[0], Reference(2), Reference(2)]
    writer.pages["Count"] = 1_000_000_000
    return writer.write()


def deep_page_tree() -> bytes:
    """Each node has one kid, 50,000 levels deep, then a page."""
    writer = PdfWriter()
    text_pages(writer, "deep")
    below = writer.page_references[0]
    for _ in range(50_000):
        below = writer.add({"Type": "/Pages", "Kids": [below], "Count": 1})
    writer.pages["Kids"] = [below]
    return writer.write()


def wide_page_tree() -> bytes:
    """A hundred thousand times the same page."""
    writer = PdfWriter()
    text_pages(writer, "same")
    writer.pages["Kids"] = [writer.page_references[0]] * 100_000
    return writer.write()


def object_stream_in_itself() -> bytes:
    """A cross-reference stream that says that the object stream 5 lies in the object stream 5, and the catalog, too."""
    head = b"%PDF-1.5\n"
    inner = b"5 0 1 20 " + b"<< /Type /ObjStm >> << /Type /Catalog /Pages 2 0 R >> "
    entries = b"/Type /ObjStm /N 2 /First 9 /Extends 5 0 R /Length %d" % len(inner)
    stream = b"5 0 obj\n<< %s >>\nstream\n%s\nendstream\nendobj\n" % (entries, inner)
    at = len(head) + len(stream)
    free = (0, 0, 0)
    rows = b"".join(struct.pack(">BHB", *row) for row in (free, (2, 5, 1), (2, 5, 0), free, free, (2, 5, 0), (1, at, 0)))
    entries = b"/Type /XRef /Size 7 /W [1 2 1] /Root 1 0 R /Length %d" % len(rows)
    table = b"6 0 obj\n<< %s >>\nstream\n%s\nendstream\nendobj\n" % (entries, rows)
    return head + stream + table + b"startxref\n%d\n%%%%EOF\n" % at


def table_in_itself() -> bytes:
    """Cross-reference tables whose /Prev leads to themselves."""
    writer = PdfWriter()
    text_pages(writer, "text")
    pdf = writer.write()
    start = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    return pdf.replace(b"trailer\n<<", b"trailer\n<< /Prev %d" % start)


def much_content() -> bytes:
    """50 MB of operators, in one stream."""
    writer = PdfWriter()
    text_pages(writer, "before")
    unit = b"q 1 0 0 1 0 0 cm BT /F1 9 Tf 1 0 0 1 9 9 Tm [(a) -120 (b)] TJ ET Q\n"
    writer.add_page([writer.add_stream(unit * (50 * MIB // len(unit)))])
    text_pages(writer, "after")
    return writer.write()


def many_cmap_ranges() -> bytes:
    """2^24 ranges in a ToUnicode map, deflated."""
    writer = PdfWriter()
    font = writer.add_composite_font("X", to_unicode=False)
    unit = b"<0000> <ffff> <0000>\n" * 50_000
    cmap = deflated_stream(writer, repeated_deflate(b"50000 beginbfrange\n" + unit + b"endbfrange\n", (1 << 24) // 50_000 + 1))
    writer.add_page(b"BT /F1 9 Tf 9 9 Td <00410042> Tj ET")
    return writer.write().replace(b"/DescendantFonts", b"/ToUnicode %d 0 R /DescendantFonts" % cmap.number) if font else b""


def form_that_paints_itself_twice() -> bytes:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    form = Reference(len(writer._objects) + 1)
    writer.add_form(font.text(9, 9, "form") + b" /Fm Do /Fm Do", xobjects={"Fm": form})
    writer.add_page(b"/Fm Do /Fm Do", xobjects={"Fm": form})
    return writer.write()


def forms_that_double() -> bytes:
    """Forty forms, each of which paints the next one twice: 10^12 in all."""
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    below = writer.add_form(font.text(9, 9, "x"))
    for _ in range(40):
        below = writer.add_form(b"/Fm Do /Fm Do", xobjects={"Fm": below})
    text_pages(writer, "before")
    writer.add_page(b"/Fm Do", xobjects={"Fm": below})
    text_pages(writer, "after")
    return writer.write()


def outline_loops() -> bytes:
    writer = PdfWriter()
    text_pages(writer, "text")
    first, second, third = (Reference(len(writer._objects) + step) for step in (1, 2, 3))
    page = writer.page_references[0]
    for number, (after, below) in enumerate([(second, first), (third, first), (first, third)]):
        writer.add({"Title": b"%d" % number, "Dest": [page, "/Fit"], "Next": after, "First": below, "Parent": third})
    writer.catalog["Outlines"] = writer.add({"First": first, "Last": first, "Count": 1_000_000_000})
    return writer.write()


def deep_outline() -> bytes:
    """20,000 levels, each item with a page."""
    writer = PdfWriter()
    text_pages(writer, "text")
    below: Reference | None = None
    for number in range(20_000):
        item = {"Title": b"%d" % number, "Dest": [writer.page_references[0], "/Fit"]}
        below = writer.add(item if below is None else {**item, "First": below, "Last": below})
    writer.catalog["Outlines"] = writer.add({"First": below, "Last": below})
    return writer.write()


def tree_loops() -> bytes:
    """Names and page labels in trees that lead back to themselves."""
    writer = PdfWriter()
    text_pages(writer, "text")
    node = Reference(len(writer._objects) + 1)
    writer.add({"Kids": [node, node, node], "Names": [b"x", node], "Nums": [0, node]})
    writer.catalog["Names"] = {"Dests": node}
    writer.catalog["PageLabels"] = node
    writer.set_outline([OutlineEntry("one", None, extra={"Dest": b"x"})])
    return writer.write()


def references_in_circles() -> bytes:
    writer = PdfWriter()
    text_pages(writer, "text")
    first = Reference(len(writer._objects) + 1)
    writer.add(Reference(first.number + 1))
    writer.add(first)
    for key in ("Outlines", "PageLabels", "Names", "Dests", "Metadata", "OCProperties", "StructTreeRoot", "AcroForm"):
        writer.catalog[key] = first
    resources = {"Font": first, "XObject": first, "Properties": first}
    writer.add_page([first, first], resources=resources, annotations=[first, first])
    writer.info["Title"] = first  # type: ignore[assignment]
    return writer.write()


def many_objects() -> bytes:
    """Hundreds of thousands of small objects, without a table."""
    body = b"".join(b"%d 0 obj null endobj\n" % number for number in range(4, 300_000))
    pages = b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    return b"%PDF-1.4\n" + pages + page + body + b"trailer<</Root 1 0 R>>"


def long_string() -> bytes:
    writer = PdfWriter()
    writer.add_font("Helvetica")
    writer.add_page(b"BT /F1 9 Tf (" + b"x" * (20 * MIB) + b") Tj ET")
    text_pages(writer, "after")
    return writer.write()


def much_text() -> bytes:
    """Much text from a small file: 20 MB from a few kilobytes."""
    writer = PdfWriter()
    writer.add_font("Helvetica")
    stream = deflated_stream(writer, repeated_deflate(b"BT /F1 1 Tf 9 700 Td (" + b"word " * 10_000 + b") Tj ET\n", 10))
    for _ in range(40):
        writer.add_page([stream])
    return writer.write()


def hostile_fonts() -> bytes:
    """Programs and maps of noise in each kind of font."""
    writer = PdfWriter()
    noise = bytes((number * 7919 + 13) & 255 for number in range(100_000))
    for subtype, key in (("/Type1", "FontFile"), ("/TrueType", "FontFile2"), ("/Type1", "FontFile3")):
        program = writer.add_stream(noise, {"Subtype": "/Type1C", "Length1": 1_000_000_000, "Length2": -5})
        box = "[1e30 -1e30 1e30 1e30]"
        descriptor = writer.add({"Type": "/FontDescriptor", "FontName": "/X", key: program, "FontBBox": box})
        widths = "[" + "1e30 " * 256 + "]"
        entries = {"Subtype": subtype, "FontDescriptor": descriptor, "FirstChar": -1_000_000_000, "Widths": widths}
        writer.add_font("X", extra=entries)
    content = b"BT /F%d 1e30 Tf 1e30 Tc 1e30 TL 9 9 Td (text) Tj T* (more) ' ET "
    writer.add_page(b"".join(content % number for number in (1, 2, 3)))
    return writer.write()


def picture_of_a_continent() -> bytes:
    """A page of 10^6 by 10^6 points, with an image that claims 10^9 pixels."""
    writer = PdfWriter()
    writer.add_font("Helvetica")
    image = writer.add_stream(b"x", {"Type": "/XObject", "Subtype": "/Image", "Width": 30_000, "Height": 30_000,
                                     "ColorSpace": "/DeviceRGB", "BitsPerComponent": 16})  # fmt: skip
    writer.add_page(b"q 1000000 0 0 1000000 0 0 cm /Im Do Q BT /F1 99 Tf (x) Tj ET", xobjects={"Im": image},
                    media_box=(0, 0, 1_000_000, 1_000_000))  # fmt: skip
    return writer.write()


def type3_glyph_that_shows_itself() -> bytes:
    writer = PdfWriter()
    glyph, font = Reference(len(writer._objects) + 1), Reference(len(writer._objects) + 2)
    writer.add_stream(b"1000 0 d0 BT /F1 1 Tf (aa) Tj ET")
    fonts = {"Font": {"F1": font}}
    entries = {"FontBBox": [0, 0, 1, 1], "FontMatrix": [1, 0, 0, 1, 0, 0], "FirstChar": 97, "LastChar": 97, "Widths": [1]}
    programs = {"CharProcs": {"a": glyph}, "Encoding": {"Differences": [97, "/a"]}, "Resources": fonts}
    writer.add({"Type": "/Font", "Subtype": "/Type3", **entries, **programs})
    writer.add_page(b"BT /F1 9 Tf 9 9 Td (aa) Tj ET", resources=fonts)
    return writer.write()


def cmap_that_uses_itself() -> bytes:
    writer = PdfWriter()
    writer.add_composite_font("X", to_unicode=False)
    cmap = Reference(len(writer._objects) + 1)
    ranges = b"1 begincodespacerange <00> <ffffffff> endcodespacerange 1 begincidrange <00000000> <ffffffff> 0 endcidrange"
    writer.add_stream(b"/X usecmap " + ranges, {"UseCMap": cmap})
    writer.add_page(b"BT /F1 9 Tf 9 9 Td <0041> Tj ET")
    return writer.write().replace(b"/Identity-H", b"%d 0 R" % cmap.number)


def trees_that_double() -> bytes:
    """40 levels of names, of structure and of conditions, each of which names the one below twice: 10^12 leaves in each."""
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    group = writer.add({"Type": "/OCG", "Name": b"x"})
    membership = writer.add(None)
    content = b"/OC /M BDC " + font.text(72, 700, "shown") + b" EMC"
    page = writer.add_page(content, resources={"Font": {"F1": font.reference}, "Properties": {"M": membership}})
    names = writer.add({"Names": [b"a", [page, "/Fit"]]})
    elements = writer.add({"Type": "/StructElem", "S": "/P", "K": 0, "Pg": page})
    conditions = writer.add(["/And", group, group])
    for _ in range(40):
        names = writer.add({"Kids": [names, names], "Limits": [b"a", b"z"]})
        elements = writer.add({"Type": "/StructElem", "S": "/P", "K": [elements, elements]})
        conditions = writer.add(["/And", conditions, conditions])
    writer.replace(membership, {"Type": "/OCMD", "VE": conditions})
    writer.catalog |= {
        "Names": {"Dests": names},
        "StructTreeRoot": {"Type": "/StructTreeRoot", "K": elements},
        "OCProperties": {"OCGs": [group], "D": {}},
    }
    writer.set_outline([OutlineEntry("one", None, extra={"Dest": b"q"})])
    return writer.write()


def laughs_in_metadata() -> bytes:
    """10^11 bytes of XML entities."""
    writer = PdfWriter()
    text_pages(writer, "text")
    entities = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10 if n else b"ha" * 50) for n in range(10))
    rdf = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
    title = b'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>&a9;</dc:title></rdf:Description></rdf:RDF>'
    packet = b"<!DOCTYPE r [" + entities + b"]><x:xmpmeta xmlns:x='adobe:ns:meta/'>" + rdf + title + b"</x:xmpmeta>"
    writer.catalog["Metadata"] = writer.add_stream(packet, {"Type": "/Metadata", "Subtype": "/XML"})
    return writer.write()


def annotation_that_paints_itself() -> bytes:
    writer = PdfWriter()
    text_pages(writer, "text")
    form = Reference(len(writer._objects) + 1)
    writer.add_form(b"/Fm Do /Fm Do", xobjects={"Fm": form})
    stamp = writer.add_annotation("Stamp", (1, 1, 9, 9), appearance=form)
    writer.add_page(b"", annotations=[stamp] * 20_000)
    return writer.write()


def text_repeated_by_name() -> bytes:
    """A megabyte of /ActualText that is named twenty thousand times."""
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    properties = writer.add({"ActualText": b"x" * MIB})
    shown = b"/Span /P BDC " + font.text(9, 9, "a") + b" EMC\n"
    text_pages(writer, "before")
    writer.add_page(shown * 20_000, resources={"Font": {"F1": font.reference}, "Properties": {"P": properties}})
    return writer.write()


def chain_of_tables() -> bytes:
    """Fifty thousand tables of cross-references, each of which leads to the one before."""
    writer = PdfWriter()
    text_pages(writer, "text")
    pdf = writer.write()
    parts, at = [pdf], len(pdf)
    start = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    for _ in range(50_000):
        table = b"xref\n0 0\ntrailer<</Root 1 0 R/Size 9/Prev %d>>\n" % start
        parts.append(table)
        start, at = at, at + len(table)
    return b"".join([*parts, b"startxref\n%d\n%%%%EOF\n" % start])


ATTACKS: dict[str, Callable[[], bytes]] = {
    attack.__name__: attack
    for attack in (
        flate_bomb, flate_bomb_of_operators, nested_bombs, run_length_bomb, predictor_bomb, nested_arrays, nested_dictionaries,
        page_tree_cycle, deep_page_tree, wide_page_tree, object_stream_in_itself, table_in_itself, much_content, many_cmap_ranges,
        form_that_paints_itself_twice, forms_that_double, outline_loops, deep_outline, tree_loops, references_in_circles,
        many_objects, long_string, much_text, hostile_fonts, picture_of_a_continent, type3_glyph_that_shows_itself,
        cmap_that_uses_itself, trees_that_double, laughs_in_metadata, annotation_that_paints_itself, text_repeated_by_name,
        chain_of_tables,
    )
}  # fmt: skip


def rich_pdf() -> bytes:
    """A file with a number of every kind in it, for `with_number`."""
    writer = PdfWriter()
    font = writer.add_font("Helvetica", widths={65: 600, 66: 700})
    composite = writer.add_composite_font("Batang", descendant={"W2": "[1 [900 500 800]]", "DW2": "[880 -1000]"})
    form = writer.add_form(font.text(10, 10, "form"), bbox=(0, 0, 200, 200), matrix=(1, 0, 0, 1, 5, 5))
    stamp = writer.add_form(font.text(1, 1, "stamp"), bbox=(0, 0, 99, 20))
    image = writer.add_image(8, 8)
    content = font.text(72, 700, "AB", size=12) + composite.text(72, 650, "가나", size=12)
    more = (
        b"q 2 0 0 2 10 10 cm /Fm Do Q q 20 0 0 20 99 99 cm /Im Do Q BT 3 Tr 1 Tc 2 Tw 90 Tz 14 TL 1 Ts /F1 7 Tf "
        b"1 0 .2 1 30 40 Tm [(A) -120 (B)] TJ T* (C) ' 1 2 (D) \" ET /Span <</MCID 4>> BDC EMC\n"
        b"BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI"
    )
    annotation = writer.add_annotation("Stamp", (100, 100, 199, 120), appearance=stamp)
    writer.add_page([content, more], xobjects={"Fm": form, "Im": image}, rotate=90, user_unit=2, annotations=[annotation])
    writer.add_page([writer.add_stream(zlib.compress(font.text(9, 9, "two")), {"Filter": "/FlateDecode", "DecodeParms":
                    "<< /Predictor 1 /Columns 8 /Colors 1 /BitsPerComponent 8 >>"})])  # fmt: skip
    writer.set_outline([OutlineEntry("one", 1, [OutlineEntry("two", 2)])])
    writer.set_page_labels({0: {"S": "/r", "St": 3}, 1: {"S": "/D", "St": 9}})
    return writer.write()


NUMBER = re.compile(rb"(?<![\w.<(/+-])[+-]?(?:\d+\.?\d*|\.\d+)(?![\w.>)])")


def with_number(pdf: bytes, index: int, number: bytes = b"1000000000") -> bytes | None:
    """The file with its number `index` replaced, wherever it stands, the cross-reference table and streams included; None
    past the last. Offsets are not mended."""
    for at, found in enumerate(NUMBER.finditer(pdf)):
        if at == index:
            return pdf[: found.start()] + number + pdf[found.end() :]
    return None


def with_every_number(pdf: bytes, number: bytes = b"1000000000") -> bytes:
    """All numbers at once but those of objects and references, without which nothing is found."""
    spared = re.compile(rb"\d+ \d+ (?:obj|R)\b|xref.*", re.DOTALL)
    parts, position = [], 0
    for found in spared.finditer(pdf):
        parts.append(NUMBER.sub(number, pdf[position : found.start()]))
        parts.append(found[0])
        position = found.end()
    return b"".join(parts)
