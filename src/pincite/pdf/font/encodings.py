"""The base encodings of simple fonts, and /Differences (ISO 32000-2, 9.6.5 and Annex D)."""

from __future__ import annotations

from array import array
from functools import cache

from pincite.pdf.font.glyph_names import glyph_text, zapf_list
from pincite.pdf.font.packed import tables
from pincite.pdf.font.string_table import MISSING, StringTable
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Value

__all__ = ["ENCODINGS", "base_names", "base_unicode", "overlay_differences", "read_differences"]

ENCODINGS = frozenset(
    (
        "StandardEncoding",
        "WinAnsiEncoding",
        "MacRomanEncoding",
        "MacExpertEncoding",
        "SymbolEncoding",
        "ZapfDingbatsEncoding",
        "PDFDocEncoding",
    )
)

# What a reader sees is a blank of either kind, but these two codes are there to keep lines from breaking (Annex D.2).
_NO_BREAK_SPACES = {"WinAnsiEncoding": 0xA0, "MacRomanEncoding": 0xCA}


@cache
def base_names(encoding: str) -> tuple[str, ...]:
    """The 256 glyph names of an encoding; empty where a code has none."""
    return tuple(tables().lines(f"encoding/{encoding}"))


@cache
def base_unicode(encoding: str) -> array[int]:
    """Code → Unicode value of an encoding, 256 of them. Shared: never write to it."""
    strings = StringTable()
    listed = zapf_list() if encoding == "ZapfDingbatsEncoding" else {}
    column = array("i", [MISSING]) * 256
    for code, name in enumerate(base_names(encoding)):
        text = listed.get(name) or glyph_text(name)
        if text is not None:
            column[code] = strings.number(text)
    if encoding in _NO_BREAK_SPACES:
        column[_NO_BREAK_SPACES[encoding]] = 0xA0
    return column


def read_differences(file: File, value: Value) -> dict[int, str]:
    """Code → glyph name of a /Differences array; codes past 255 and all that is neither name nor number are left out."""
    result: dict[int, str] = {}
    value = file.resolve(value)
    if not isinstance(value, list):
        return result
    code = 0
    for item in value:
        kind = type(item)
        if kind is str:
            if 0 <= code < 256:
                result[code] = item  # type: ignore[assignment]  # kind says so
            code += 1
            continue
        if kind is not int:
            item = file.resolve(item)
            if isinstance(item, str):
                if 0 <= code < 256:
                    result[code] = item
                code += 1
                continue
            if isinstance(item, bool) or not isinstance(item, int | float):
                continue
        code = int(item)  # type: ignore[arg-type]  # a number by now
    return result


def overlay_differences(column: array[int], differences: dict[int, str], strings: StringTable, *, zapf: bool = False) -> None:
    """Write what the names mean into a column of 256 values; a name that says nothing leaves U+FFFD there."""
    listed = zapf_list() if zapf else {}
    for code, name in differences.items():
        text = listed.get(name) or glyph_text(name)
        if text is None:
            column[code] = MISSING
        elif len(text) == 1:
            column[code] = ord(text)
        else:
            column[code] = strings.number(text)
