"""Composite fonts: codes of any length through a CMap to the CIDs of a CID font (ISO 32000-2, 9.7)."""

from __future__ import annotations

from array import array

from pincite._kernel.decoding import DecodingTable
from pincite.pdf.font import embedded
from pincite.pdf.font.cmap import CMap, collection, predefined, read_cmap
from pincite.pdf.font.code_rows import NO_ROW, CodeRows
from pincite.pdf.font.base import Font
from pincite.pdf.font.metrics import base_font_name, read_style, read_vertical_extent
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.font.to_unicode import holes, parse_to_unicode
from pincite.pdf.font.widths import read_cid_heights, read_cid_widths
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary, Stream, Value, as_dictionary

__all__ = ["load_composite"]


def load_composite(file: File, dictionary: Dictionary, strings: StringTable, index: int) -> Font:
    """Load a Type 0 font; `dictionary` is its font dictionary."""
    name = base_font_name(file, dictionary)
    descendant = _descendant(file, dictionary)
    descriptor = file.get_dictionary(descendant, "FontDescriptor")
    warnings: list[str] = []
    cmap = _encoding(file, dictionary, warnings)
    rows = CodeRows(cmap)

    by_cid, default_width = read_cid_widths(file, descendant)
    widths = rows.spread(by_cid, default_width)
    heights, default_height, vertical_origin = array("d"), -1.0, 0.88
    if cmap.vertical:
        tall, default_height, vertical_origin = read_cid_heights(file, descendant)
        heights = rows.spread(tall, default_height)

    mapped, identity = _to_unicode(file, dictionary, strings)
    column = _unicode_column(file, descendant, descriptor, cmap, rows, mapped, widths, default_width, strings, identity=identity)
    ascent, descent = read_vertical_extent(file, descriptor)
    table = DecodingTable(
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
    return Font(name, table, ascent, descent, read_style(file, name, descriptor), vertical_origin, warnings)


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


def _to_unicode(file: File, dictionary: Dictionary, strings: StringTable) -> tuple[array[int], bool]:
    """The ToUnicode map by value of the code, and whether it is the name of an identity map instead."""
    value: Value = file.get(dictionary, "ToUnicode")
    if isinstance(value, str):
        if value.startswith("Identity"):
            return array("i"), True
        parts = value.split("-")
        if len(parts) == 3 and parts[0] == "Adobe":
            return collection(parts[1], strings) or array("i"), False
    if isinstance(value, Stream):
        try:
            return parse_to_unicode(value.data(), strings, 65536), False
        except MemoryError:
            raise
        except Exception as error:
            file.warn(f"a ToUnicode map can't be read: {error}")
    return array("i"), False


def _unicode_column(
    file: File,
    descendant: Dictionary,
    descriptor: Dictionary,
    cmap: CMap,
    rows: CodeRows,
    mapped: array[int],
    widths: array[float] | array[int],
    default_width: float,
    strings: StringTable,
    *,
    identity: bool,
) -> array[int]:
    """Row → Unicode value: the ToUnicode map over what CMap, collection and program say, of which only what is needed is read."""
    if rows.code_bytes and mapped and not _has_holes(mapped, widths, default_width):
        return mapped
    column = _without_to_unicode(file, descendant, descriptor, cmap, rows, strings)
    if column is None:
        column = rows_identity(rows) if identity else array("i")
    if rows.code_bytes and not column:
        return mapped
    for code, value in enumerate(mapped):
        if value != MISSING:
            row = rows.row_of_value(code)
            if row == NO_ROW:
                continue
            if row >= len(column):
                column.extend(holes(row + 1 - len(column)))
            column[row] = value
    return column


def _has_holes(mapped: array[int], widths: array[float] | array[int], default_width: float) -> bool:
    """Whether a code that /W gives a width of its own is not in the map. A code of the default width can't be told from one that is not there."""
    known = len(mapped)
    return any(
        width and width != default_width and (code >= known or mapped[code] == MISSING) for code, width in enumerate(widths)
    )


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
            return rows.spread(by_cid, MISSING)  # type: ignore[return-value]
    if embedded.has_program(descriptor):
        value = file.get(descendant, "CIDToGIDMap")
        glyph_map = value.data() if isinstance(value, Stream) else None
        by_cid = embedded.by_cid(embedded.read_program_bytes(file, descriptor), glyph_map, strings)
        if by_cid is not None:
            return rows.spread(by_cid, MISSING)  # type: ignore[return-value]
    return None


def rows_identity(rows: CodeRows) -> array[int]:
    return rows.code_points() if rows.code_bytes == 2 else array("i")
