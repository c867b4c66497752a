"""The title of a document: its information dictionary (ISO 32000-2, 14.3.3), else its XMP metadata (14.3.2)."""

from __future__ import annotations

import html
import re

from pincite.errors import UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Stream

__all__ = ["read_title"]

_MAX_TITLE_LENGTH = 2000
_MAX_ELEMENT_LENGTH = 20_000
_MAX_XMP_BYTES = 4 * 1024 * 1024
# XMP is searched and not parsed: no XML parser, no entities that expand.
_XMP_ITEM = re.compile(r"<rdf:li\b([^>]*)>([^<]*)</rdf:li\s*>")
_DEFAULT_LANGUAGE = re.compile(r"xml:lang\s*=\s*[\"']x-default[\"']")


def read_title(file: File) -> str | None:
    """The document's title, trimmed, or None where it has none or an empty one."""
    title = file.get(file.get_dictionary(file.trailer, "Info"), "Title")
    text = decode_text_string(title[: 4 * _MAX_TITLE_LENGTH]) if isinstance(title, bytes) else ""
    return (text or _xmp_title(file))[:_MAX_TITLE_LENGTH].strip() or None


def _xmp_title(file: File) -> str:
    metadata = file.get(file.root, "Metadata")
    if not isinstance(metadata, Stream):
        return ""
    try:
        data = metadata.data()[:_MAX_XMP_BYTES]
    except UnreadableError:
        return ""
    element = _title_element(_decode_xml(data))
    items = _XMP_ITEM.findall(element)
    defaults = [text for attributes, text in items if _DEFAULT_LANGUAGE.search(attributes)]
    chosen: str = (defaults or [text for _, text in items] or [element])[0]
    if "<" in chosen:
        return ""
    plain = " ".join(html.unescape(chosen).split())
    return decode_text_string(b"\xef\xbb\xbf" + plain.encode("utf-8", "replace"))


def _title_element(xmp: str) -> str:
    """What the first dc:title holds; cut short where it is absurdly long, empty where there is none."""
    start = xmp.find(">", xmp.find("<dc:title") % (len(xmp) + 1))
    end = xmp.find("</dc:title", start)
    return xmp[start + 1 : min(end, start + _MAX_ELEMENT_LENGTH)] if 0 <= start < end else ""


def _decode_xml(data: bytes) -> str:
    """XMP is UTF-8, seldom UTF-16, whose byte order mark or zero bytes give it away."""
    if data.startswith(b"\xfe\xff") or data[:1] == b"\0":
        return data.decode("utf-16-be", "replace")
    if data.startswith(b"\xff\xfe") or data[1:2] == b"\0":
        return data.decode("utf-16-le", "replace")
    return data.decode("utf-8", "replace")
