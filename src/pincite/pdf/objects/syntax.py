"""Parser of one serialised object: bytes in, plain values out (ISO 32000-2, 7.2 and 7.3).

The kernel reads what is spelt as it should be, and the slow parser here all else: it never raises on odd input, what can't
be read is None, containers that are left open are closed at the end.
"""

from __future__ import annotations

import re

from pincite._kernel.syntax import NotPlainError, SyntaxReader
from pincite.pdf.objects.values import Reference, Value, new_reference

__all__ = ["MAX_DEPTH", "parse_loose_number", "parse_value"]

MAX_DEPTH = 500
"""Containers nested deeper than this make the whole object None; qpdf draws the same line."""

_MAX_DIGITS = 19
_MAX_REAL = 3.4e38
"""ISO 32000-2, Annex C: the largest real. Greater ones are cut to it, so that no infinity gets in."""

_REGULAR = rb"[^\0\t\n\f\r ()<>\[\]{}/%]"
_TOKEN = re.compile(
    rb"[\0\t\n\f\r ]*+(?:"
    rb"(/" + _REGULAR + rb"*+|" + _REGULAR + rb"++)"  # 1: a name, a number or a keyword
    rb"|(<<|>>|\[|\])"  # 2: structure
    rb"|\(([^()\\\r]*+)\)"  # 3: a literal string without anything to undo
    rb"|(\()"  # 4: any other literal string begins
    rb"|<([^<>]*+)>?"  # 5: a hexadecimal string
    rb"|(%[^\r\n]*+)"  # 6: a comment
    rb"|([)>{}])"  # 7: a stray delimiter
    rb")"
)
_PARENTHESIS = re.compile(rb"[()]|\\.", re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|\r\n?|.|$)|\r\n?", re.DOTALL)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b"", b"": b""}
_NAME_ESCAPE = re.compile(rb"#([0-9A-Fa-f]{2})")
_NOT_HEXADECIMAL = re.compile(rb"[^0-9A-Fa-f]+")
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_REAL = re.compile(rb"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")
_LOOSE_NUMBER = re.compile(rb"([+-]*)([0-9]*\.?[0-9]*)(.*)", re.DOTALL)
_CONSTANTS: dict[bytes, Value] = {b"true": True, b"false": False, b"null": None}


def parse_value(data: bytes) -> Value:
    """Parse the first object in `data`, which may be anything at all; None where there is none."""
    try:
        value: Value = SyntaxReader(data, new_reference).value(0)
    except NotPlainError:
        return _parse(data)
    return value


def _parse(data: bytes) -> Value:
    stack: list[tuple[bytes, list[Value]]] = []
    current: list[Value] = []
    match_token = _TOKEN.match
    position = 0
    while (match := match_token(data, position)) is not None:
        position = match.end()
        kind = match.lastindex
        token = match[kind or 0]
        if kind == 1:
            if token == b"R":
                _reference(current)
            else:
                current.append(_scalar(token))
        elif kind == 2:
            if token == b"<<" or token == b"[":
                if len(stack) == MAX_DEPTH:
                    return None
                stack.append((token, current))
                current = []
            elif not stack:
                break
            else:
                current = _close(stack, current)
        elif kind == 3:
            current.append(token)
        elif kind == 4:
            token, position = _literal(data, position)
            current.append(token)
        elif kind == 5:
            current.append(_hexadecimal(token))
    while stack:
        current = _close(stack, current)
    return current[0] if current else None


def _close(stack: list[tuple[bytes, list[Value]]], current: list[Value]) -> list[Value]:
    """End the innermost container, whichever bracket ended it, and return the one around it."""
    opener, outer = stack.pop()
    outer.append(_dictionary(current) if opener == b"<<" else current)
    return outer


def _reference(current: list[Value]) -> None:
    """Replace the two integers before an `R` by a reference, or by null where they are none."""
    operands = current[-2:]
    del current[-2:]
    if len(operands) == 2 and type(operands[0]) is int and type(operands[1]) is int:
        current.append(Reference(operands[0], operands[1]))
    else:
        current.append(None)


def _dictionary(items: list[Value]) -> dict[str, Value]:
    """The pairs; a name in the place of a key starts one, all else there is dropped. A null is as good as no key (7.3.7)."""
    result: dict[str, Value] = {}
    pending = iter(items)
    for item in pending:
        if isinstance(item, str):
            value = next(pending, None)
            if value is not None:
                result[item] = value
    return result


def _scalar(token: bytes) -> Value:
    """Read a name, a number or a keyword."""
    value: Value
    if token[:1] == b"/":
        name = token[1:]
        if b"#" in name:
            name = _NAME_ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode("ascii")), name)
        value = name.decode("latin-1")
    elif token in _CONSTANTS:
        value = _CONSTANTS[token]
    else:
        value = parse_loose_number(token)
    return value


def parse_loose_number(token: bytes) -> int | float | None:
    """Read a number, also a misspelt one; None where no digit is.

    Signs may be doubled (`--5` is -5), what follows the number is dropped (`12-3` is 12). Integers past 64 bits become
    reals, and no real is greater than ISO 32000-2, Annex C allows.
    """
    if _INTEGER.fullmatch(token) and len(token) <= _MAX_DIGITS:
        return int(token)
    if _REAL.fullmatch(token) is None:
        match = _LOOSE_NUMBER.match(token)
        if match is None or not match[2].strip(b"."):
            return None
        token = (b"-" if b"-" in match[1] else b"") + match[2]
        if b"." not in token and len(token) <= _MAX_DIGITS:
            return int(token)
    return max(-_MAX_REAL, min(_MAX_REAL, float(token)))


def _literal(data: bytes, start: int) -> tuple[bytes, int]:
    """Read a literal string from behind its opening parenthesis (ISO 32000-2, 7.3.4.2): the bytes, and where it ended."""
    depth = 1
    end = len(data)
    after = end
    for match in _PARENTHESIS.finditer(data, start):
        mark = match[0]
        if mark == b"(":
            depth += 1
        elif mark == b")":
            depth -= 1
            if depth == 0:
                end, after = match.span()
                break
    return _ESCAPE.sub(_unescape, data[start:end]), after


def _unescape(match: re.Match[bytes]) -> bytes:
    escaped = match[1]
    if escaped is None:
        return b"\n"  # any end of line within a string counts as one line feed
    if escaped.isdigit() and escaped < b"8":
        return bytes((int(escaped, 8) & 0xFF,))
    return _ESCAPED.get(escaped, escaped)


def _hexadecimal(token: bytes) -> bytes:
    digits = _NOT_HEXADECIMAL.sub(b"", token)
    return bytes.fromhex((digits + b"0" if len(digits) & 1 else digits).decode("ascii"))
