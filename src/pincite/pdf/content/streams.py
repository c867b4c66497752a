"""The parts of a page's content as one stream."""

from __future__ import annotations

import re

_ESCAPE = re.compile(rb"\\.", re.DOTALL)
_LONGEST_STRING = 4096


def join_streams(parts: list[bytes]) -> bytes:
    """Join content streams as if they were one (ISO 32000-2, 7.8.2).

    The standard lets them divide between tokens only, so white space goes between; where a part ends inside a literal string,
    which some producers do, nothing may come between.
    """
    if len(parts) == 1:
        return parts[0]
    joined = bytearray()
    for part in parts:
        if joined and not _ends_inside_string(joined):
            joined += b"\n"
        joined += part
    return bytes(joined)


def _ends_inside_string(data: bytearray) -> bool:
    """Whether the last opening parenthesis is still open."""
    tail = _ESCAPE.sub(b"", data[-_LONGEST_STRING:])
    return tail.rfind(b"(") > tail.rfind(b")")
