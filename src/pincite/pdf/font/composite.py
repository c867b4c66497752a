"""Composite fonts: codes of any length through a CMap to the CIDs of a CID font (ISO 32000-2, 9.7)."""

from __future__ import annotations

from array import array

from pincite._kernel.columns import EMPTY
from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font import embedded
from pincite.pdf.font.base import Font
from pincite.pdf.font.cmap import CMap, collection, predefined, read_cmap
from pincite.pdf.font.code_rows import NO_ROW, CodeRows, rows_of
from pincite.pdf.font.conventions import core_order, private_page
from pincite.pdf.font.metrics import base_font_name, read_style, read_vertical_extent
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes, parse_to_unicode
from pincite.pdf.font.widths import read_cid_heights, read_cid_widths
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Value, as_dictionary

__all__ = ["load_composite"]


def load_composite(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load a Type 0 font; `dictionary` is its font dictionary."""
    name = base_font_name(file, dictionary)
    descendant = _descendant(file, dictionary)
    descriptor = file.get_dictionary(descendant, "FontDescriptor")
    warnings: list[str] = []
    cmap = _encoding(file, dictionary, warnings)
    rows = rows_of(cmap)

    by_cid, default_width = read_cid_widths(file, descendant)
    widths = rows.spread(by_cid, default_width)
    heights, default_height, vertical_origin = array("d"), -1.0, 0.88
    if cmap.vertical:
        tall, default_height, vertical_origin = read_cid_heights(file, descendant)
        heights = rows.spread(tall, default_height)

    mapped, identity = _to_unicode(file, dictionary, strings, private_page(name))

    def table(column: array[int]) -> DecodingTable:
        return DecodingTable(
            index,
            column,
            widths,
            code_bytes=rows.code_bytes,
            default_width=default_width,
            vertical=cmap.vertical,
            height=heights,
            default_height=default_height,
            decoder=rows.decoder,
        )

    def full_table() -> DecodingTable:
        column = _without_to_unicode(file, descendant, descriptor, cmap, rows, strings)
        if column is None:
            column = core_order(name, by_cid, default_width) if cmap.identity else None
        if column is None:
            column = rows.code_points() if identity and rows.code_bytes == 2 else array("i")
        return table(_overlaid(column, mapped, rows))

    # What a ToUnicode map leaves out is looked for when it turns out to be shown.
    put_off = bool(mapped and rows.code_bytes) and EMPTY not in mapped
    ascent, descent = read_vertical_extent(file, descriptor)
    return Font(
        name,
        table(mapped) if put_off else full_table(),
        ascent,
        descent,
        read_style(file, name, descriptor),
        vertical_origin,
        warnings,
        late=full_table if put_off else None,
    )


def _descendant(file: File, dictionary: Dictionary) -> Dictionary:
    """The CID font; /DescendantFonts is an array of one, or by mistake the font itself."""
    value = file.get(dictionary, "DescendantFonts")
    if isinstance(value, list):
        value = file.resolve(value[0]) if value else None
    return as_dictionary(value)


def _encoding(file: File, dictionary: Dictionary, warnings: list[str]) -> CMap:
    value = file.get(dictionary, "Encoding")
    try:
        cmap = read_cmap(file, value)
    except MemoryError:
        raise
    except Exception as error:
        cmap = None
        warnings.append(f"the CMap of a font can't be read: {error}")
    if cmap is None:
        if isinstance(value, str):
            warnings.append(f"the CMap {value} is not known; its codes are taken for CIDs")
        vertical = isinstance(value, str) and value.endswith("-V")
        cmap = predefined("Identity-V" if vertical else "Identity-H")
        assert cmap is not None
    return cmap


def _to_unicode(file: File, dictionary: Dictionary, strings: StringTable, private: array[int] | None) -> tuple[array[int], bool]:
    """The ToUnicode map by value of the code, and whether it is the name of an identity map instead."""
    value: Value = file.get(dictionary, "ToUnicode")
    if isinstance(value, str):
        if value.startswith("Identity"):
            return array("i"), True
        parts = value.split("-")
        if len(parts) == 3 and parts[0] == "Adobe":
            return collection(parts[1], strings) or array("i"), False
    data = embedded.read_stream(file, value, "a ToUnicode map")
    return (array("i") if data is None else parse_to_unicode(data, strings, 65536, private)), False


def _overlaid(column: array[int], mapped: array[int], rows: CodeRows) -> array[int]:
    """The column with the ToUnicode map written over it."""
    if not column and rows.code_bytes:
        return mapped
    for code, value in enumerate(mapped):
        if value != MISSING:
            row = rows.row_of_value(code)
            if row == NO_ROW:
                continue
            if row >= len(column):
                column.extend(holes(row + 1 - len(column)))
            # a space is one whatever cluster a producer counted it to
            if value != EMPTY or column[row] != 0x20:
                column[row] = value
    return column


def _without_to_unicode(
    file: File, descendant: Dictionary, descriptor: Dictionary, cmap: CMap, rows: CodeRows, strings: StringTable
) -> array[int] | None:
    """Row → Unicode value by the CMap, the character collection, or the embedded program. None where none says anything."""
    if cmap.unicode_codes:
        return rows.code_points()
    ordering = file.get(file.get_dictionary(descendant, "CIDSystemInfo"), "Ordering")
    for candidate in (ordering.decode("latin-1") if isinstance(ordering, bytes) else "", cmap.ordering):
        by_cid = collection(candidate, strings)
        if by_cid is not None:
            return rows.spread(by_cid, MISSING)
    if embedded.has_program(descriptor):
        glyph_map = embedded.read_stream(file, file.get(descendant, "CIDToGIDMap"), "a map of CIDs to glyphs")
        by_cid = embedded.by_cid(embedded.read_program_bytes(file, descriptor), glyph_map, strings)
        if by_cid is not None and by_cid != holes(len(by_cid)):
            return rows.spread(by_cid, MISSING)
    return None
