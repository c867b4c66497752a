"""Comparing quotations with texts: what may differ in how the same words are set, and what may not.

Two texts are the same words where they differ in white space, in the hyphens of words, in dashes, quotation marks, ligatures and
invisible characters alone. A letter, its case or its accent, a digit, any other punctuation are no matter of setting. White
space and hyphens between digits stay, so that no number becomes another one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from pincite.model.hit import Span
from pincite.search.analysis import is_unspaced, normalized

Difference = str
"""One of `DIFFERENCES`."""

DIFFERENCES = (
    "white space",
    "hyphens",
    "dashes",
    "quotation marks",
    "ligatures",
    "composed letters",
    "invisible characters",
    "ellipsis",
)
SAME_CASE = frozenset(DIFFERENCES)
OTHER_CASE = SAME_CASE | {"case"}
"""What is left out of account where the same words in other letters are looked for, which are not the same quotation."""

_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
_SINGLE_QUOTES = frozenset("'\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u02bc\uff07`\u00b4")
_DOUBLE_QUOTES = frozenset('"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02\u301d\u301e\u300c\u300d\u300e\u300f')
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u034f\u061c\u180e")
# What stands for words that were left out: dots in brackets, and where white space stands on both sides without them.
OMISSION = re.compile(r"\s*(?:\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)|(?<=\s)(?:\.\s?\.\s?\.|…)(?=\s))\s*")

_BROKEN_WORD = re.compile("[-\u2010\u00ad]\\s*\n\\s*")
_BROKEN_BEFORE = re.compile("[^\\W\\d_][-\u2010\u00ad]\\s*\n\\s*\\Z")
_WHOLE_WORD = re.compile("(?:[^\\W\\d_][-\u2010\u00ad][^\\S\n]*\n\\s*(?=\\w)|\\S)+")
_EAST_ASIAN = re.compile(
    "[\u1100-\u11ff\u3001-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff01-\uffdc\U00020000-\U0003ffff]"
)
_NO_LETTERS = re.compile(r"[\W_]+")
MOST_MARKS = 30


class Letter(NamedTuple):
    """A character as it is compared, and the span of the text that it was made of."""

    character: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Wording:
    """A text as it is compared, with the way back."""

    text: str
    starts: list[int]
    ends: list[int]
    verbatim: str

    def span(self, start: int, end: int) -> Span:
        """The span of the verbatim text that a range of the wording, at least one character, was made of."""
        return self.starts[start], self.ends[end - 1]


def wording(text: str, folded: frozenset[str] = SAME_CASE) -> Wording:
    """What a text says, apart from the differences in `folded`."""
    letters = _letters(text, folded)
    kept = [letter for position, letter in enumerate(letters) if _is_kept(letters, position, folded)]
    starts = [letter.start for letter in kept]
    ends = [letter.end for letter in kept]
    return Wording("".join(letter.character for letter in kept), starts, ends, text)


def differences(quotation: str, text: str, folded: frozenset[str] = SAME_CASE) -> tuple[Difference, ...]:
    """What two texts differ in that are the same apart from what is in `folded`."""
    if quotation == text:
        return ()
    return tuple(
        difference
        for difference in (*DIFFERENCES, "case")
        if difference in folded and wording(quotation, folded - {difference}).text != wording(text, folded - {difference}).text
    )


def skim(text: str) -> str:
    """The letters and digits of a text: whatever has the wording of another has its skim, and this is quick to tell."""
    return _NO_LETTERS.sub("", normalized(text))


def occurrences(needle: str, within: Wording, *, whole_words: bool = True) -> list[Span]:
    """The verbatim spans where a wording stands in a text, in order and apart; with `whole_words` not in the middle of a word or
    a number."""
    spans = []
    at = within.text.find(needle) if needle else -1
    while at >= 0:
        end = at + len(needle)
        if not whole_words or not (_is_inside(within, at) or _is_inside(within, end)):
            spans.append(within.span(at, end))
            at = within.text.find(needle, end)
        else:
            at = within.text.find(needle, at + 1)
    return spans


def literal_occurrences(words: str, text: str) -> list[Span]:
    """The spans where words stand in a text letter by letter, and not in the middle of a word or a number."""
    spans = []
    at = text.find(words) if words else -1
    while at >= 0:
        end = at + len(words)
        if not (_cuts(text, at) or _cuts(text, end) or _breaks_word(text, at, end)):
            spans.append((at, end))
        at = text.find(words, at + 1)
    return spans


def _breaks_word(text: str, start: int, end: int) -> bool:
    """True of a span that begins or ends at the hyphen of a word that a line end breaks."""
    before = _BROKEN_BEFORE.search(text, max(0, start - 8), start)
    after = _BROKEN_WORD.match(text, end)
    return (before is not None and text[start].islower()) or (
        after is not None and text[end - 1].isalpha() and text[after.end() : after.end() + 1].islower()
    )


def _cuts(text: str, at: int) -> bool:
    """True of a place between two letters or digits that belong together."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in ".," and at > 1:
        return _is_number(text[at - 2]) and _is_number(after)
    if after in ".," and at + 1 < len(text):
        return _is_number(before) and _is_number(text[at + 1])
    if is_unspaced(before) or is_unspaced(after):
        return False
    return (before.isalpha() or _is_number(before)) and (after.isalpha() or _is_number(after))


def parts(quotation: str) -> list[str]:
    """A quotation, cut where it leaves words out."""
    return [part for part in OMISSION.split(quotation) if part.strip()]


def whole_words_in(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The spans of the words of a text, between two places; what a hyphen parts at a line's end is one."""
    return [found.span() for found in _WHOLE_WORD.finditer(text, start, len(text) if end is None else end)]


def weight(text: str) -> int:
    """The length of a text in characters, of which those of Chinese, Japanese and Korean count twice, since they say more."""
    plain = unicodedata.normalize("NFC", " ".join(text.split()))
    return len(plain) + len(_EAST_ASIAN.findall(plain))


def unquoted(quotation: str) -> str:
    """A quotation without the quotation marks around it."""
    text = quotation.strip()
    if len(text) > 2 and text[0] in _DOUBLE_QUOTES | _SINGLE_QUOTES and text[-1] in _DOUBLE_QUOTES | _SINGLE_QUOTES:
        inner = text[1:-1].strip()
        if not any(character in _DOUBLE_QUOTES for character in inner):
            return inner
    return text


def _is_inside(within: Wording, at: int) -> bool:
    """True of a place in the middle of a word of a script that sets spaces, or of a number with its decimals and powers."""
    if not 0 < at < len(within.text):
        return False
    gap = within.verbatim[within.ends[at - 1] : within.starts[at]]
    return (not gap or _BROKEN_WORD.fullmatch(gap) is not None) and _cuts(within.text, at)


def _letters(text: str, folded: frozenset[str]) -> list[Letter]:
    letters: list[Letter] = []
    position = 0
    while position < len(text):
        end = position + 1
        # More marks than that on one letter are nonsense, and putting them in order takes the square of their number.
        longest = min(len(text), position + 1 + MOST_MARKS)
        while end < longest and (unicodedata.combining(text[end]) or "\u1161" <= text[end] <= "\u11ff"):
            end += 1
        letters += [Letter(character, position, end) for character in _compared(text[position:end], folded)]
        position = end
    return letters


@lru_cache(maxsize=1 << 14)
def _compared(segment: str, folded: frozenset[str]) -> str:
    return _spelled(segment, folded).lower() if "case" in folded else _spelled(segment, folded)


def _spelled(segment: str, folded: frozenset[str]) -> str:
    first = segment[0]
    if first in _INVISIBLE:
        return "" if "invisible characters" in folded else segment
    if first in _DASHES:
        return "-" if "dashes" in folded else segment
    if first in _SINGLE_QUOTES | _DOUBLE_QUOTES:
        return ("'" if first in _SINGLE_QUOTES else '"') if "quotation marks" in folded else segment
    if first == "\u2026":
        return "..." if "ellipsis" in folded else segment
    if first.isspace():
        return " " if "white space" in folded else segment
    composed = unicodedata.normalize("NFC", segment) if "composed letters" in folded else segment
    # Not superscripts, fractions and circled numbers: 10² is not 102.
    if "ligatures" in folded and (composed.isalpha() or (composed.isdecimal() and "\uff10" <= composed <= "\uff19")):
        return unicodedata.normalize("NFKC", composed)
    return composed


def _is_kept(letters: list[Letter], position: int, folded: frozenset[str]) -> bool:
    """Whether a character counts: white space only between two of a number's characters, a hyphen only beside one."""
    character = letters[position].character
    if character == " " and "white space" in folded:
        # Of a row of spaces the first counts for all, so that what follows the row is looked for once.
        if position > 0 and letters[position - 1].character == " ":
            return False
        before, after = _neighbours(letters, position)
        return _is_number(before) and _is_number(after)
    if character == "-" and "hyphens" in folded:
        # Inside a word, at a line's end, or between words: only a number's own hyphen or sign says something.
        before, after = _neighbours(letters, position)
        return not (before.isalpha() and after.isalpha())
    return True


def _neighbours(letters: list[Letter], position: int) -> tuple[str, str]:
    """The characters before and after, over white space."""
    low, high = position - 1, position + 1
    while low >= 0 and letters[low].character.isspace():
        low -= 1
    while high < len(letters) and letters[high].character.isspace():
        high += 1
    return (letters[low].character if low >= 0 else ""), (letters[high].character if high < len(letters) else "")


def _is_number(character: str) -> bool:
    return character != "" and unicodedata.category(character)[0] == "N"
