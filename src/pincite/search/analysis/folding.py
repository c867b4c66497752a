"""Folding: the letters of a text as search compares them, and where in the verbatim text each of them stands."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from pincite.search.analysis.letters import LetterTable
from pincite.search.analysis.scripts import UNSPACED_VERBATIM, is_mark

__all__ = ["FoldedText", "fold", "fold_text", "normalized", "pieces_of_marks"]

Block = tuple[int, int, int, bool]
"""First letter, start, end, one by one: see `FoldedText`."""

_T = TypeVar("_T")

_first_letter = itemgetter(0)
_LETTERS = LetterTable()
_HYPHEN_BREAK = re.compile("[-\u2010\u00ad]\n(?=[^\\W\\d_])")
# A voicing mark of Kana starts no run: other marks may stand before it, in an order that normalisation changes.
_RUN_BREAK = re.compile(f"\n(?<=[{UNSPACED_VERBATIM}]\n)(?![\u3099\u309a])(?=[{UNSPACED_VERBATIM}])")
_LONGEST_KEPT = 64
_MOST_MARKS = 30
"""Marks in a row that are put in order together, as in UAX #15, 13: ordering takes the square of their number."""
# A row of characters longer than that of which each may be a mark; no letter, digit or ASCII is one, but for these two.
_MANY_BEYOND_ASCII = re.compile("[^\x00-\x7f]{31,}")  # what holds such a row, and is found sooner
_MANY_MARKS = re.compile("(?:[^\\w\x00-\x7f]|[\uff9e\uff9f]){31,}")
_SEPARATOR = "\u034f"
"""What UAX #15 parts long rows of marks with: normalisation moves nothing over it. Folding drops it."""
# All but ASCII, Hangul syllables, Han and Kana, which but for case are their own letters and never compose with one another.
_TO_FOLD = re.compile("[^\x00-\x7f\uac00-\ud7a3\u3400-\u4dbf\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc]+")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text with the way back to the verbatim one.

    `blocks` say what its letters were made of, in order: from the letter `block[0]` on, the kept characters `block[1]` to
    `block[2]`, one by one where `block[3]`, else together, since they were composed or taken apart. The kept characters are
    those that are left when the ranges `removed` are taken out of the verbatim text; a character in no block was dropped.
    """

    text: str
    blocks: list[Block]
    removed: list[tuple[int, int]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The verbatim range, half-open and in code points, of the letters `start` to `end`, at least one."""
        first, low, _, one_by_one = self.blocks[bisect_right(self.blocks, start, key=_first_letter) - 1]
        if one_by_one:
            low += start - first
        first, high_start, high, one_by_one = self.blocks[bisect_right(self.blocks, end - 1, key=_first_letter) - 1]
        if one_by_one:
            high = high_start + end - first
        # The last character is led back itself: what was removed after it is no part of the range.
        return self._verbatim(low), self._verbatim(high - 1) + 1

    def _verbatim(self, position: int) -> int:
        for start, end in self.removed:
            if position < start:
                break
            position += end - start
        return position


def fold_text(text: str) -> str:
    """The folded text alone: `fold(text).text`, many times faster."""
    if "\n" in text:
        text = _HYPHEN_BREAK.sub(_hyphen_replacement, text)
        if not text.isascii():
            text = _RUN_BREAK.sub("", text)
    if text.isascii():
        return text.lower()
    return _TO_FOLD.sub(_fold_found, normalized(text).casefold())


def fold(text: str) -> FoldedText:
    """Fold a text and keep the way back.

    A hyphen before a line end and a lower-case letter goes with the line end, and so does a line end between two characters
    of unspaced scripts; then NFKC and case folding; then each letter as `LetterTable` says.
    """
    removed = _removed_ranges(text)
    if removed:
        starts = [0, *(end for _, end in removed)]
        ends = [*(start for start, _ in removed), len(text)]
        text = "".join([text[start:end] for start, end in zip(starts, ends, strict=True)])
    pieces: list[str] = []
    blocks: list[Block] = []
    letter_count = 0

    def add(letters: str, start: int, end: int, one_by_one: bool) -> None:
        nonlocal letter_count
        if one_by_one and blocks and blocks[-1][3] and blocks[-1][2] == start:
            blocks[-1] = (*blocks[-1][:2], end, True)
        elif letters:
            blocks.append((letter_count, start, end, one_by_one))
        pieces.append(letters)
        letter_count += len(letters)

    position = 0
    for found in _TO_FOLD.finditer(text):
        start, end = found.span()
        if start > position and _joins_previous(text[start]):
            start -= 1
        add(text[position:start].lower(), position, start, True)
        position = end
        one_to_one = _fold_one_to_one(text[start:end])
        if one_to_one is not None:
            add(one_to_one, start, end, True)
            continue
        while start < end:
            after = start + 1
            # A segment is a character and what may compose with it; NFKC never reaches over its ends.
            while after < end and _joins_previous(text[after]):
                after += 1
            for end_of_piece in pieces_of_marks(text, start, after):
                letters = _fold_segment(text[start:end_of_piece])
                add(letters, start, end_of_piece, end_of_piece == start + 1 and len(letters) == 1)
                start = end_of_piece
    add(text[position:].lower(), position, len(text), True)
    return FoldedText("".join(pieces), blocks, removed)


def normalized(text: str) -> str:
    """The text in NFKC; rows of more than 30 marks are parted before, by U+034F, so that its cost stays that of its length."""
    return unicodedata.normalize("NFKC", _MANY_BEYOND_ASCII.sub(_parted_in, text))


def _parted_in(found: re.Match[str]) -> str:
    return _MANY_MARKS.sub(_parted, found[0])


def _parted(found: re.Match[str]) -> str:
    start, pieces = 0, []
    for end in pieces_of_marks(found[0], 0, len(found[0])):
        pieces.append(found[0][start:end])
        start = end
    return _SEPARATOR.join(pieces)


def pieces_of_marks(text: str, start: int, end: int) -> Iterator[int]:
    """The ends of the pieces of `text[start:end]` that have no more than 30 marks in a row; the last of them is `end`."""
    if end - start > _MOST_MARKS:
        marks = 0
        for at in range(start, end):
            marks = marks + 1 if _is_moved(text[at]) else 0
            if marks > _MOST_MARKS:
                marks = 1
                yield at
    yield end


def _hyphen_replacement(found: re.Match[str]) -> str:
    return "" if _is_undone(found) else found[0]


def _is_undone(hyphen_break: re.Match[str]) -> bool:
    """True of a hyphen at a line end that stands between a letter and a lower-case letter."""
    text, start = hyphen_break.string, hyphen_break.start()
    return start > 0 and (text[start - 1].isalpha() or is_mark(text[start - 1])) and text[hyphen_break.end()].islower()


def _removed_ranges(text: str) -> list[tuple[int, int]]:
    """What goes when broken words and runs are put together, in order."""
    if "\n" not in text:
        return []
    removed = [found.span() for found in _HYPHEN_BREAK.finditer(text) if _is_undone(found)]
    if not text.isascii():
        removed += [found.span() for found in _RUN_BREAK.finditer(text)]
    return sorted(removed)


def _kept_if_short(function: Callable[[str], _T]) -> Callable[[str], _T]:
    """Keep what a function gives for short texts: what is kept of a hostile text must not grow with it."""
    kept = lru_cache(maxsize=1 << 14)(function)
    return lambda text: kept(text) if len(text) <= _LONGEST_KEPT else function(text)


def _fold_found(found: re.Match[str]) -> str:
    return _fold_run(found[0])


@_kept_if_short
def _fold_run(run: str) -> str:
    return run.translate(_LETTERS)


@_kept_if_short
def _fold_one_to_one(run: str) -> str | None:
    """The letters of a run of which each character makes one; None where they do not."""
    if any(_joins_previous(character) or len(_fold_segment(character)) != 1 for character in run):
        return None
    return "".join([_fold_segment(character) for character in run])


@_kept_if_short
def _fold_segment(segment: str) -> str:
    return unicodedata.normalize("NFKC", segment).casefold().translate(_LETTERS)


@lru_cache(maxsize=1 << 14)
def _is_moved(character: str) -> bool:
    """True of a mark that normalisation puts in order among its neighbours."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0


@lru_cache(maxsize=1 << 14)
def _joins_previous(character: str) -> bool:
    """True of a character that normalisation may move before, or compose with, the one before it.

    Apart from the vowels and finals of Hangul, the second character of every canonical composition is a mark.
    """
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return is_mark(first) or unicodedata.combining(first) != 0 or "\u1161" <= first <= "\u1175" or "\u11a8" <= first <= "\u11c2"
