"""Write Python values as PDF syntax (ISO 32000-2, 7.3).

Everything in the writer's dictionaries and arrays follows one rule:

* a `str` is PDF syntax and is written as it stands: `"/Helvetica"`, `"[0 0 612 792]"`, `"true"`;
* a `bytes` is a PDF string;
* `None`, `bool`, `int`, `float`, `list`, `tuple`, `dict` and `Reference` are what they look like. Keys of a `dict` are names
  without the slash; a key whose value is `None` is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Syntax: TypeAlias = "bool | int | float | str | bytes | Sequence[Syntax] | Mapping[str, Syntax] | Reference | None"

_IRREGULAR = re.compile(rb"[^!-~]|[#/%()<>\[\]{}]")
_PRINTABLE = re.compile(rb"[ -~]*")
_ESCAPED = re.compile(rb"[\\()]")


class Reference(NamedTuple):
    """An indirect reference, `12 0 R`."""

    number: int
    generation: int = 0


def name(text: str | bytes) -> str:
    """The syntax of a PDF name, with #xx where it is needed; `text` has no slash."""
    data = text.encode() if isinstance(text, str) else text
    return "/" + _IRREGULAR.sub(lambda match: b"#%02X" % match[0][0], data).decode("ascii")


def string(data: bytes) -> bytes:
    """The syntax of a PDF string: literal where it is printable, else hexadecimal."""
    if _PRINTABLE.fullmatch(data):
        return b"(" + _ESCAPED.sub(lambda match: b"\\" + match[0], data) + b")"
    return b"<" + data.hex().encode() + b">"


def text_string(text: str) -> bytes:
    """The bytes of a text string (7.9.2.2): ASCII as it is, all else UTF-16BE with its mark."""
    return text.encode() if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")


def number(value: float) -> str:
    """A number without an exponent, which PDF does not have."""
    if isinstance(value, int):
        return str(value)
    return f"{value:.6f}".rstrip("0").rstrip(".") or "0"


def serialise(value: Syntax) -> bytes:
    """The bytes of one object."""
    if value is None:
        return b"null"
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, Reference):
        return b"%d %d R" % value
    if isinstance(value, int | float):
        return number(value).encode()
    if isinstance(value, str):
        return value.encode("latin-1")
    if isinstance(value, bytes):
        return string(value)
    if isinstance(value, Mapping):
        pairs = [name(key).encode() + b" " + serialise(item) for key, item in value.items() if item is not None]
        return b"<< " + b" ".join(pairs) + b" >>" if pairs else b"<< >>"
    return b"[" + b" ".join(serialise(item) for item in value) + b"]"


def to_unicode_cmap(mapping: Mapping[int, str], *, code_bytes: int = 2, extra: str = "") -> bytes:
    """A ToUnicode CMap (9.10.3) with one bfchar a code; `extra` is put before its end."""
    last = (1 << 8 * code_bytes) - 1
    lines = [
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap",
        "/CMapName /Pincite-UCS def /CMapType 2 def",
        f"1 begincodespacerange <{0:0{2 * code_bytes}X}> <{last:0{2 * code_bytes}X}> endcodespacerange",
    ]
    codes = sorted(mapping)
    for start in range(0, len(codes), 100):
        part = codes[start : start + 100]
        lines.append(f"{len(part)} beginbfchar")
        lines += [f"<{code:0{2 * code_bytes}X}> <{mapping[code].encode('utf-16-be').hex().upper()}>" for code in part]
        lines.append("endbfchar")
    lines += [extra] if extra else []
    lines.append("endcmap CMapName currentdict /CMap defineresource pop end end")
    return "\n".join(lines).encode("ascii") + b"\n"


def as_bytes(content: str | bytes | Callable[[], bytes]) -> bytes:
    """The bytes of a content stream; a `str` is Latin-1."""
    if callable(content):
        return content()
    return content.encode("latin-1") if isinstance(content, str) else content
