"""XMP metadata (ISO 32000-2, 14.3.2; ISO 16684-1): the properties of a document, each as one string.

The packet is searched for tags and not parsed as XML: no entities that expand, no document types, nothing that a damaged
packet could stop. What is nested deeper than a list of plain values is left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from pincite.errors import UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.strings import decode_text_string
from pincite.pdf.objects.values import Stream

__all__ = ["default_item", "plain_text", "read_packet", "read_properties"]

_MAX_BYTES = 4 * 1024 * 1024
_MAX_ELEMENT = 20_000
_MAX_ELEMENTS = 5_000
_MAX_PROPERTIES = 200
_MAX_ITEMS = 500
_MAX_VALUE = 2000

_NAME = r"[A-Za-z_][\w.-]{0,60}:[A-Za-z_][\w.-]{0,60}"
_TAG = re.compile(rf"<({_NAME})((?:\s[^<>]*)?)>")
_ATTRIBUTE = re.compile(rf"(?<![\w:.-])({_NAME})\s{{0,9}}=\s{{0,9}}(?:\"([^\"<]*)\"|'([^'<]*)')")
_ITEM = re.compile(r"<rdf:li\b([^>]*)>([^<]*)</rdf:li\s*>")
_DEFAULT_LANGUAGE = re.compile(r"xml:lang\s*=\s*[\"']x-default[\"']")
_DESCRIPTION = "rdf:Description"
_NOT_PROPERTIES = ("rdf:", "xml:", "xmlns:", "x:")


def read_packet(file: File) -> str:
    """The document's XMP as text, or an empty one."""
    metadata = file.get(file.root, "Metadata")
    if not isinstance(metadata, Stream):
        return ""
    try:
        return _decode(metadata.data()[:_MAX_BYTES])
    except UnreadableError:
        return ""


def read_properties(packet: str) -> dict[str, str]:
    """Each property under its name with the prefix that is written (`dc:creator`), the items of a list joined by semicolons.

    Of alternatives in several languages the default one counts, of two properties of one name the first.
    """
    found: dict[str, str] = {}
    for name, markup in _properties(_without_comments(packet)):
        text = plain_text(markup)[:_MAX_VALUE]
        if text:
            found.setdefault(name, text)
            if len(found) == _MAX_PROPERTIES:
                break
    return found


def default_item(element: str) -> str | None:
    """Of a list of alternatives the default, else the first item; None where there is no list."""
    items = _ITEM.findall(element)
    defaults = [text for attributes, text in items if _DEFAULT_LANGUAGE.search(attributes)]
    return next(iter(defaults or [text for _, text in items]), None)


def plain_text(markup: str) -> str:
    """Markup without tags as text: character references resolved, on one line, trimmed."""
    joined = " ".join(html.unescape(markup).split())
    return decode_text_string(b"\xef\xbb\xbf" + joined.encode("utf-8", "replace"))


def _properties(packet: str) -> Iterator[tuple[str, str]]:
    """Names and values, from the attributes of descriptions and from the elements in them."""
    position = 0
    for _ in range(_MAX_ELEMENTS):
        tag = _TAG.search(packet, position)
        if tag is None:
            return
        position = tag.end()
        name, attributes = tag[1], tag[2]
        if name == _DESCRIPTION:
            for attribute, in_double, in_single in _ATTRIBUTE.findall(attributes[:_MAX_ELEMENT]):
                if not attribute.startswith(_NOT_PROPERTIES):
                    yield attribute, in_double or in_single
        elif not name.startswith(_NOT_PROPERTIES) and not attributes.endswith("/"):
            end = packet.find(f"</{name}", position, position + _MAX_ELEMENT)
            if end >= 0:
                yield name, _value(packet[position:end])
                position = end


def _without_comments(packet: str) -> str:
    kept = []
    position = 0
    while (start := packet.find("<!--", position)) >= 0:
        kept.append(packet[position:start])
        end = packet.find("-->", start + 4)
        if end < 0:
            return "".join(kept)
        position = end + 3
    return "".join((*kept, packet[position:]))


def _value(element: str) -> str:
    if "<" not in element:
        return element
    if "<rdf:Alt" in element:
        return default_item(element) or ""
    return "; ".join(text.strip() for _, text in _ITEM.findall(element)[:_MAX_ITEMS])


def _decode(data: bytes) -> str:
    """XMP is UTF-8, seldom UTF-16, whose byte order mark or zero bytes give it away."""
    if data.startswith(b"\xfe\xff") or data[:1] == b"\0":
        return data.decode("utf-16-be", "replace")
    if data.startswith(b"\xff\xfe") or data[1:2] == b"\0":
        return data.decode("utf-16-le", "replace")
    return data.decode("utf-8", "replace")
