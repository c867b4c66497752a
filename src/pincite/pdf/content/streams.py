"""The parts of a page's content as one stream."""

from __future__ import annotations

import re

from pincite._kernel.syntax import string_nesting

_ENDS_WITH_OPERATOR = re.compile(rb"(?:^|[\0\t\n\f\r )\]>])[A-Za-z'\"*][A-Za-z0-9*]{0,2}[\0\t\n\f\r ]*\Z")


def join_streams(parts: list[bytes]) -> bytes:
    """Join content streams as if they were one (ISO 32000-2, 7.8.2).

    The standard lets them divide between tokens only, so white space goes between; where a part ends inside a literal string,
    which some producers do, nothing may come between.
    """
    if len(parts) == 1:
        return parts[0]
    joined = bytearray()
    nesting = 0
    for part in parts:
        if joined and not nesting:
            joined += b"\n"
        joined += part
        # nearly every part ends with an operator, and so outside of strings: no need to read it whole
        if nesting or not _ENDS_WITH_OPERATOR.search(part[-16:]):
            nesting = string_nesting(part, nesting)
    return bytes(joined)
