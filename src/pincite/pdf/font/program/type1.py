"""The built-in encoding of a Type 1 font program, from its clear-text part (Adobe Type 1 Font Format, 2.3)."""

from __future__ import annotations

import re

__all__ = ["read_type1_encoding"]

_MAX_CLEAR = 1 << 18
_MAX_ENTRIES = 4096
_ENTRY = re.compile(rb"\bdup\s*(?:(8|16)#)?([0-9A-Fa-f]{1,5})\s*/([^\s/{}\[\]()<>%]+)\s*put\b")
_NAME = re.compile(rb"/([^\s/{}\[\]()<>%]*)")
_SEGMENT_HEAD = 6


def read_type1_encoding(data: bytes) -> dict[int, str] | str | None:
    """Code → glyph name, or the name of the base encoding that the program refers to, or None where it has none.

    A PFB head before the program (0x80 0x01 and a length) does no harm; nothing behind `eexec` is looked at.
    """
    end = data.find(b"eexec", 0, _MAX_CLEAR)
    clear = data[: end if end >= 0 else _MAX_CLEAR]
    start = clear.find(b"/Encoding")
    if start < 0:
        return None
    body = clear[start + len(b"/Encoding") :]
    head = body[:64].lstrip()
    if head.startswith(b"StandardEncoding"):
        return "StandardEncoding"
    if head.startswith(b"["):
        names = _NAME.findall(body.partition(b"]")[0])[:256]
        return {code: name.decode("latin-1") for code, name in enumerate(names) if name != b".notdef"}
    result: dict[int, str] = {}
    for count, match in enumerate(_ENTRY.finditer(body)):
        if count >= _MAX_ENTRIES:
            break
        try:
            code = int(match[2], int(match[1] or 10))
        except ValueError:
            continue
        if code < 256 and match[3] != b".notdef":
            result[code] = match[3].decode("latin-1")
    return result
