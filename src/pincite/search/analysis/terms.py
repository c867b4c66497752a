"""Terms: what the index holds of a text, in order."""

from __future__ import annotations

import re
from array import array
from typing import NamedTuple

from pincite.search.analysis.folding import fold, fold_text
from pincite.search.analysis.scripts import UNSPACED

__all__ = ["ANALYZER_VERSION", "Term", "analyze", "analyze_with_offsets", "term_ranges", "term_stream"]

ANALYZER_VERSION = "uni-1"
"""Changes with any change to the terms of any text; an index of another version is rebuilt."""

# A term never holds an ASCII character but a letter or a digit, since those are where FTS5's ascii tokenizer splits.
_TERM = re.compile("[0-9a-z\x80-\U0010ffff]+")
_RUN = re.compile(f"([{UNSPACED}]+)")
_RUN_OR_WORD = re.compile(f"([{UNSPACED}]+)|[^\x00-/:-`{{-\x7f{UNSPACED}]+")
_ASCII_TERMS = str.maketrans({code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)})


class Term(NamedTuple):
    """A term and the half-open range of the verbatim text, in code points, that it was made of."""

    term: str
    start: int
    end: int


def term_stream(text: str) -> str:
    """The terms of a text as one string for FTS5's `ascii` tokenizer, which splits it into exactly `analyze(text)`.

    Between two terms stands at least one ASCII character that is neither letter nor digit; white space and punctuation
    of the text may be left in, since the tokenizer skips them.
    """
    folded = fold_text(text)
    if folded.isascii():
        return folded
    parts = _RUN.split(folded)
    if len(parts) > 1:
        parts[1::2] = _bigrams(parts[1::2])
    return " ".join(parts)


def analyze(text: str) -> list[str]:
    """The terms of a text, in order."""
    stream = term_stream(text)
    if stream.isascii():
        return stream.translate(_ASCII_TERMS).split()
    return _TERM.findall(stream)


def analyze_with_offsets(text: str) -> list[Term]:
    """The terms of a text with where they stand in it; the terms themselves are those of `analyze(text)`."""
    folded = fold(text)
    ranges = zip(*term_ranges(folded.text), strict=True)
    return [Term(folded.text[start:end], *folded.span(start, end)) for start, end in ranges]


def term_ranges(folded: str) -> tuple[list[int], list[int]]:
    """Where the terms of a folded text start and end in it, in order."""
    starts: list[int] = []
    ends: list[int] = []
    for found in _RUN_OR_WORD.finditer(folded):
        start, end = found.span()
        if found.lastindex:
            starts.extend(range(start, end))
            ends.extend(range(start + 2, end + 1))
        else:
            starts.append(start)
        ends.append(end)
    return starts, ends


def _bigrams(runs: list[str]) -> list[str]:
    """For each run its overlapping bigrams and its last character, with spaces between.

    All runs at once, in C: three interleaved columns (the text, the text shifted by one, spaces) make one string. A blank
    between two runs gives "y  " and " z ": the last character of the one, which is wanted, and a lone first character of the
    next, which is cut off again.
    """
    text = " ".join(runs)
    kind, codec = "H", "utf-16-le"
    raw = text.encode(codec)
    if len(raw) != 2 * len(text):
        kind, codec = "I", "utf-32-le"
        raw = text.encode(codec)
    units: array[int] = array(kind)
    units.frombytes(raw)
    columns: array[int] = array(kind)
    columns.frombytes("   ".encode(codec) * len(units))
    columns[0::3] = units
    columns[1:-3:3] = units[1:]
    pieces = columns.tobytes().decode(codec).rstrip().split("   ")
    return [pieces[0], *[piece[2:] for piece in pieces[1:]]]
