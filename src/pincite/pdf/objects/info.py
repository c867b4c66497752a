"""What a document says of itself: its information dictionary (ISO 32000-2, 14.3.3), else its XMP metadata (14.3.2)."""

from __future__ import annotations

import re

from pincite.model.text import DocumentData
from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Value
from pincite.pdf.objects.xmp import default_item, plain_text, read_packet, read_properties

__all__ = ["parse_date", "read_data", "read_title"]

_MAX_LENGTH = 2000
_MAX_ENTRIES = 100
_MAX_KEY = 100
_MAX_ELEMENT_LENGTH = 20_000

# A date (7.9.4): what is missing at its end is not known. Some writers leave the apostrophes out, or the D.
_DATE = re.compile(
    r"(?:D:)?(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d))?)?)?)?)?"
    r"(?:(Z)'?(?:00'?(?:00'?)?)?|([+-])(\d\d)(?:'?(\d\d)?'?)?)?",
    re.ASCII,
)
_HIGHEST = (9999, 12, 31, 23, 59, 60)
_LOWEST = (0, 1, 1, 0, 0, 0)


def read_title(file: File) -> str | None:
    """The document's title, trimmed, or None where it has none or an empty one."""
    return _text(file.get(file.get_dictionary(file.trailer, "Info"), "Title")) or _xmp_title(read_packet(file)) or None


def read_data(file: File) -> DocumentData:
    """The rest of it, as strings: the information dictionary first, XMP for the author and the dates that it lacks."""
    entries = file.get_dictionary(file.trailer, "Info")
    info: dict[str, str] = {}
    for key in sorted(entries)[:_MAX_ENTRIES]:
        text = _text(file.get(entries, key))
        if text and key:
            info[key[:_MAX_KEY]] = text
    xmp = read_properties(read_packet(file))
    created = info.get("CreationDate") or xmp.get("xmp:CreateDate")
    modified = info.get("ModDate") or xmp.get("xmp:ModifyDate")
    return DocumentData(
        info.get("Author") or xmp.get("dc:creator") or None,
        None if created is None else parse_date(created),
        None if modified is None else parse_date(modified),
        tuple(info.items()),
        tuple(xmp.items()),
    )


def parse_date(text: str) -> str:
    """A date of the PDF standard as ISO 8601, as far as it goes: `2020-05-01T12:30:00+09:00`; anything else as it stands."""
    match = _DATE.fullmatch(text.strip())
    if match is None:
        return text
    numbers = [int(part) for part in match.groups()[:6] if part is not None]
    if any(not low <= number <= high for low, number, high in zip(_LOWEST, numbers, _HIGHEST, strict=False)):
        return text
    date = "-".join(f"{number:04}" if at == 0 else f"{number:02}" for at, number in enumerate(numbers[:3]))
    if len(numbers) < 4:
        return date
    date += "T" + ":".join(f"{number:02}" for number in [*numbers[3:], 0][: max(2, len(numbers) - 3)])
    zulu, sign, hours, minutes = match.groups()[6:]
    return date + ("Z" if zulu else f"{sign}{hours}:{minutes or '00'}" if sign else "")


def _text(value: Value) -> str:
    """A text string, a name or a number as text on one line; empty for anything else."""
    if isinstance(value, bytes):
        return decode_text_string(value[: 4 * _MAX_LENGTH])[:_MAX_LENGTH].strip()
    if isinstance(value, str):
        return decode_text_string(value.encode("latin-1", "replace"))[:_MAX_LENGTH]
    return str(value) if isinstance(value, int | float) else ""


def _xmp_title(packet: str) -> str:
    element = _title_element(packet)
    chosen = default_item(element) or element
    return "" if "<" in chosen else plain_text(chosen)[:_MAX_LENGTH].strip()


def _title_element(xmp: str) -> str:
    """What the first dc:title holds; cut short where it is absurdly long, empty where there is none."""
    start = xmp.find(">", xmp.find("<dc:title") % (len(xmp) + 1))
    end = xmp.find("</dc:title", start)
    return xmp[start + 1 : min(end, start + _MAX_ELEMENT_LENGTH)] if 0 <= start < end else ""
