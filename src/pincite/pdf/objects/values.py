"""PDF objects as plain Python values (ISO 32000-2, 7.3).

    null -> None        boolean -> bool       integer -> int     real -> float
    name -> str         string -> bytes       array -> list      dictionary -> dict[str, Value]
    indirect reference -> Reference           stream -> Stream

A name has no slash, its #xx are decoded and its bytes map one to one to U+0000..U+00FF, so any name survives. A string
is decrypted bytes; `strings.decode_text_string` makes text of it.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeAlias


class Reference(NamedTuple):
    """An indirect reference (ISO 32000-2, 7.3.10); `File.resolve` follows it."""

    number: int
    generation: int


new_reference = partial(tuple.__new__, Reference)
"""A pair (number, generation) as a Reference, at half of what calling the class costs."""


class Stream:
    """A stream object (ISO 32000-2, 7.3.8)."""

    __slots__ = ("reference",)

    reference: Reference | None

    @property
    def dictionary(self) -> dict[str, Value]:
        """The stream's dictionary; values in it may be references."""
        raise NotImplementedError

    def data(self) -> bytes:
        """The decoded bytes; of a damaged stream as many as can be decoded. Raises UnreadableError where that is none."""
        raise NotImplementedError


Value: TypeAlias = "bool | int | float | str | bytes | list[Value] | dict[str, Value] | Reference | Stream | None"
Dictionary: TypeAlias = "dict[str, Value]"


def as_dictionary(value: Value) -> Dictionary:
    """The dictionary itself, a stream's dictionary, or an empty one for anything else."""
    if isinstance(value, dict):
        return value
    return value.dictionary if isinstance(value, Stream) else {}


def as_number(value: Value) -> int | float | None:
    """A number, or None for anything else. A boolean is no number."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
