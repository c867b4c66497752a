"""Folding: the letters of a text as search compares them, and where in the verbatim text each of them stands."""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass
from functools import lru_cache

from pincite.search.analysis.letters import LetterTable
from pincite.search.analysis.scripts import UNSPACED_VERBATIM, is_mark

__all__ = ["FoldedText", "fold", "fold_text"]

_LETTERS = LetterTable()
_HYPHEN_BREAK = re.compile("[-\u2010\u00ad]\n(?=[^\\W\\d_])")
_RUN_BREAK = re.compile(f"\n(?<=[{UNSPACED_VERBATIM}]\n)(?=[{UNSPACED_VERBATIM}])")
# What fold_text need not look at one by one: ASCII, Hangul syllables, Han and Kana are their own letters.
_TO_FOLD = re.compile("[^\x00-\x7f\uac00-\ud7a3\u3400-\u4dbf\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc]+")


@dataclass(frozen=True, slots=True)
class FoldedText:
    """`text[i]` was made of the verbatim characters `starts[i]` to `ends[i]`, half-open, in code points.

    Neighbours that were composed together share a range; a character that was dropped belongs to none.
    """

    text: str
    starts: array[int]
    ends: array[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The verbatim range of the folded range `start` to `end`, which is not empty."""
        return self.starts[start], self.ends[end - 1]


def fold_text(text: str) -> str:
    """The folded text alone: `fold(text).text`, many times faster."""
    if "\n" in text:
        text = _HYPHEN_BREAK.sub(_hyphen_replacement, text)
        if not text.isascii():
            text = _RUN_BREAK.sub("", text)
    if text.isascii():
        return text.lower()
    return _TO_FOLD.sub(_fold_found, unicodedata.normalize("NFKC", text).casefold())


def fold(text: str) -> FoldedText:
    """Fold a text and keep the way back.

    A hyphen before a line end and a lower-case letter goes with the line end, and so does a line end between two characters
    of unspaced scripts; then NFKC and case folding; then each letter as `LetterTable` says.
    """
    kept = _kept_positions(text)
    pieces: list[str] = []
    starts: array[int] = array("q")
    ends: array[int] = array("q")
    count = len(kept)
    first = 0
    while first < count:
        after = first + 1
        # A segment is a character and what may compose with it; NFKC never reaches over its ends.
        while after < count and _joins_previous(text[kept[after]]):
            after += 1
        segment = text[kept[first]] if after == first + 1 else "".join([text[position] for position in kept[first:after]])
        letters = _fold_segment(segment)
        pieces.append(letters)
        if len(letters) == 1:
            starts.append(kept[first])
            ends.append(kept[after - 1] + 1)
        else:
            starts.extend([kept[first]] * len(letters))
            ends.extend([kept[after - 1] + 1] * len(letters))
        first = after
    return FoldedText("".join(pieces), starts, ends)


def _hyphen_replacement(found: re.Match[str]) -> str:
    return "" if _is_undone(found) else found[0]


def _is_undone(hyphen_break: re.Match[str]) -> bool:
    """True of a hyphen at a line end that stands between a letter and a lower-case letter."""
    text, start = hyphen_break.string, hyphen_break.start()
    return start > 0 and (text[start - 1].isalpha() or is_mark(text[start - 1])) and text[hyphen_break.end()].islower()


def _kept_positions(text: str) -> range | list[int]:
    """The positions of the characters that are left when broken words and runs are put together."""
    removed = [found.span() for found in _HYPHEN_BREAK.finditer(text) if _is_undone(found)]
    removed += [found.span() for found in _RUN_BREAK.finditer(text)]
    if not removed:
        return range(len(text))
    kept: list[int] = []
    position = 0
    for start, end in sorted(removed):
        kept.extend(range(position, start))
        position = end
    kept.extend(range(position, len(text)))
    return kept


def _fold_found(found: re.Match[str]) -> str:
    return _fold_run(found[0])


@lru_cache(maxsize=1 << 14)
def _fold_run(run: str) -> str:
    return run.translate(_LETTERS)


@lru_cache(maxsize=1 << 14)
def _fold_segment(segment: str) -> str:
    return unicodedata.normalize("NFKC", segment).casefold().translate(_LETTERS)


@lru_cache(maxsize=1 << 14)
def _joins_previous(character: str) -> bool:
    """True of a character that normalisation may move before, or compose with, the one before it.

    Apart from the vowels and finals of Hangul, the second character of every canonical composition is a mark.
    """
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return is_mark(first) or unicodedata.combining(first) != 0 or "\u1161" <= first <= "\u1175" or "\u11a8" <= first <= "\u11c2"
