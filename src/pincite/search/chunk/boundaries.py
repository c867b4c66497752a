"""Where a text may be cut: after a paragraph, a sentence, a line, a word, and never inside a character that a reader sees."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["hard_cut", "is_inside_grapheme", "line_cuts", "paragraph_cuts", "sentence_cuts", "word_cuts"]

_MAX_FLAGS = 200
_CLOSING = "\"'”’»›)\\]}」』）】》〉］｝＂＇"
_SPACED_STOP = f"[.!?…؟۔।॥։።]++[{_CLOSING}]*+"
_WIDE_STOP = f"[。！？．｡︒។။]++[{_CLOSING}]*+"
_PARAGRAPH = re.compile(f"\n[^\\S\n]*\n|(?:{_SPACED_STOP}|{_WIDE_STOP})(?=[^\\S\n]*\n)")
_SENTENCE = re.compile(f"{_SPACED_STOP}(?=\\s)|{_WIDE_STOP}")
# "J. Smith", "e.g. this", "Fig. 3": a stop after one letter or a short form, or before a small letter or a digit, ends nothing.
_SHORT_FORM = re.compile(
    r"(?:\b[^\W\d_]|\b(?:et al|Figs?|Tab|Eqs?|Refs?|Secs?|Vol|No|Nos|pp|vs|cf|Dr|Mr|Mrs|Ms|Prof|St|ca|approx|resp|bzw|Nr|Abb))\Z"
)
_WORD = re.compile(r"\s+")
# Thai to Lao, Myanmar, Hangul jamo, Khmer, Han and Kana, Hangul, and the half-width forms: a line ends inside their words too.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
_BROKEN_RUN = re.compile(f"\n(?<=[{_UNSPACED}]\n)(?=[{_UNSPACED}])")
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def paragraph_cuts(text: str, start: int, end: int) -> list[int]:
    """Ends of paragraphs in `text[start:end]`: a blank line, or a line end after the end of a sentence."""
    found_in = _PARAGRAPH.finditer(text, start, end)
    return [found.start() if found[0][0] == "\n" else found.end() for found in found_in]


def sentence_cuts(text: str, start: int, end: int) -> list[int]:
    """Ends of sentences in `text[start:end]`, after the closing quotes and brackets."""
    return [found.end() for found in _SENTENCE.finditer(text, start, end) if _ends_sentence(text, found)]


def line_cuts(text: str, start: int, end: int) -> list[int]:
    """Line ends in `text[start:end]` that break no word."""
    return [cut for cut in word_cuts(text, start, end) if "\n" in text[cut : cut + 2]]


def word_cuts(text: str, start: int, end: int) -> list[int]:
    """White space in `text[start:end]` that ends a word; a hyphen at a line end and a line end inside a run do not."""
    cuts = []
    for found in _WORD.finditer(text, start, end):
        cut = found.start()
        if text[cut] == "\n" and cut > 0 and (text[cut - 1] in "-\u2010\u00ad" or _BROKEN_RUN.match(text, cut)):
            continue
        cuts.append(cut)
    return cuts


def hard_cut(text: str, at: int, lowest: int) -> int:
    """The nearest place at or before `at`, but after `lowest`, that is inside no grapheme; `at` where there is none."""
    cut = at
    while cut > lowest + 1 and is_inside_grapheme(text, cut):
        cut -= 1
    return at if is_inside_grapheme(text, cut) else cut


def _ends_sentence(text: str, found: re.Match[str]) -> bool:
    if not found[0].startswith("."):
        return True
    if _SHORT_FORM.search(text, max(0, found.start() - 12), found.start()):
        return False
    following = text[found.end() : found.end() + 4].lstrip()
    return not following or not (following[0].islower() or following[0].isdigit())


def is_inside_grapheme(text: str, at: int) -> bool:
    """True where a cut before `text[at]` would part a character as a reader sees it (a subset of UAX 29's rules)."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if after.isascii():
        return before == "\r" and after == "\n"
    if unicodedata.category(after)[0] == "M" or after in "\u200c\u200d\u0e33\u0eb3" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if before == "\u200d":
        return True
    if "\u1160" <= after <= "\u11ff" and ("\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"):
        return True
    if "\U0001f1e6" <= after <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff":
        return _regional_before(text, at) % 2 == 1
    return _SURROGATE_PAIR.match(text, at - 1) is not None


def _regional_before(text: str, at: int) -> int:
    """How many regional indicators stand before `at`; two of them make a flag."""
    count = 0
    # no text has so long a row of flags: past the limit it matters little where one is cut
    while count < _MAX_FLAGS and at - count > 0 and "\U0001f1e6" <= text[at - count - 1] <= "\U0001f1ff":
        count += 1
    return count
