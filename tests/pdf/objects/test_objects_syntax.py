"""The parser of objects: the values of ISO 32000-2, 7.3, and anything at all without an exception."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.objects.syntax import MAX_DEPTH, parse_value
from pincite.pdf.objects.values import Reference, Value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"null", None),
        (b"true", True),
        (b"false", False),
        (b"0", 0),
        (b"+17", 17),
        (b"-98", -98),
        (b"34.5", 34.5),
        (b"-.002", -0.002),
        (b"4.", 4.0),
        (b"/Name1", "Name1"),
        (b"/", ""),
        (b"/A#20B#2f", "A B/"),
        (b"/caf\xe9", "caf\xe9"),
        (b"/a#zz#4", "a#zz#4"),
        (b"(text)", b"text"),
        (b"()", b""),
        (b"(a (nested (pair)) b)", b"a (nested (pair)) b"),
        (rb"(\( \) \\ \n \r \t \b \f \101 \7x \400 \q)", b"( ) \\ \n \r \t \b \f A \x07x \x00 q"),
        (b"(one\\\ntwo\\\r\nthree)", b"onetwothree"),
        (b"(a\r\nb\rc\nd)", b"a\nb\nc\nd"),
        (b"<4E6f 20\n7>", b"No p"),
        (b"<>", b""),
        (b"[]", []),
        (b"[1 (two)/three<34>[5]null]", [1, b"two", "three", b"4", [5], None]),
        (b"<<>>", {}),
        (b"<</A 1/B<</C[/D]>>/E(f)>>", {"A": 1, "B": {"C": ["D"]}, "E": b"f"}),
        (b"12 0 R", Reference(12, 0)),
        (b"[1 2 3 R 4 0 R 5]", [1, Reference(2, 3), Reference(4, 0), 5]),
        (b"% a comment (\n 7", 7),
        (b"\0\t\f\r\n 7", 7),
    ],
)
def test_every_kind_of_object_is_read(source: bytes, value: Value) -> None:
    result = parse_value(source)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"--5", -5),
        (b"+-1", -1),
        (b"12-3", 12),
        (b"1.2.3", 1.2),
        (b"00012", 12),
        (b"9" * 5000, 3.4e38),
        (b"-" + b"9" * 5000, -3.4e38),
        (b"9223372036854775808", 9223372036854775808),
        (b".", None),
        (b"-", None),
        (b"nan", None),
        (b"inf", None),
    ],
)
def test_misspelt_and_absurd_numbers(source: bytes, value: Value) -> None:
    assert parse_value(source) == value


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"", None),
        (b"]", None),
        (b"R", None),
        (b"[1 R 2]", [None, 2]),
        (b"[(a) 0 R]", [None]),
        (b"[1 [2", [1, [2]]),
        (b"<</A [1 (open", {"A": [1, b"open"]}),
        (b"<</A 1 2 /B 3>>", {"A": 1, "B": 3}),
        (b"<</A>>", {}),
        (b"<</A null/B[null]/A 1/B 2>>", {"A": 1, "B": 2}),
        (b"<< 1 2 /A 3 >>", {"A": 3}),
        (b"[1 } 2 ) 3]", [1, 2, 3]),
        (b"1 2", 1),
    ],
)
def test_malformed_objects_give_what_can_be_read(source: bytes, value: Value) -> None:
    assert parse_value(source) == value


def test_deep_nesting_is_null_and_costs_no_stack() -> None:
    assert parse_value(b"[" * 100_000 + b"]" * 100_000) is None
    assert parse_value(b"<</A" * 100_000) is None
    assert parse_value(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH) is not None


@pytest.mark.parametrize("source", [b"(" * 300_000, b"<" * 300_000, b"(\\" * 300_000, b"[1 " * 400 * 300, b"/a#4" * 200_000])
def test_time_is_linear_in_bytes(source: bytes) -> None:
    start = time.process_time()
    parse_value(source)
    assert time.process_time() - start < 5


@given(st.binary(max_size=60) | st.text("<>[]()/%\\ R01.-+#aA\n", max_size=60).map(lambda text: text.encode("ascii")))
def test_any_bytes_at_all(source: bytes) -> None:
    parse_value(source)


def _counts(value: Value) -> bool:
    return value is not None  # in a dictionary null is as good as nothing


_NAMES = st.text(st.characters(max_codepoint=255, exclude_characters="\0"), max_size=8)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**31), 2**31)
    | st.decimals(-1000, 1000, places=3).map(float)
    | _NAMES
    | st.binary(max_size=12)
    | st.builds(Reference, st.integers(1, 99), st.integers(0, 2))
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES, inner.filter(_counts), max_size=4),
    max_leaves=12,
)


def _print(value: Value, *, literal: bool) -> str:
    """Print a value as qpdf does: white space around each token, strings as literals or in hexadecimal."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return f"{value:.3f}"
        case str():
            return "/" + "".join(c if c.isascii() and c.isalnum() else f"#{ord(c):02x}" for c in value)
        case bytes():
            if literal:
                return (
                    "("
                    + "".join(f"\\{chr(b)}" if b in b"()\\" else chr(b) if 31 < b < 127 else f"\\{b:03o}" for b in value)
                    + ")"
                )
            return f"<{value.hex()}>"
        case Reference():
            return f"{value.number} {value.generation} R"
        case list():
            return " ".join(["[", *(_print(item, literal=literal) for item in value), "]"])
        case dict():
            pairs = (f"{_print(key, literal=literal)} {_print(item, literal=literal)}" for key, item in value.items())
            return " ".join(["<<", *pairs, ">>"])
    raise AssertionError(value)


@given(_VALUES, st.booleans())
def test_what_was_printed_comes_back(value: Value, literal: bool) -> None:
    source = _print(value, literal=literal).encode("latin-1")
    assert parse_value(source) == value
