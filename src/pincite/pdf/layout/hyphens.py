"""Line breaks inside words, undone: for readers of running text. Citations count in the text that keeps them."""

from __future__ import annotations

import re

_BREAK = re.compile(r"(?<=[^\W_])([-\u2010\u00ad\u2013\u2014/]) *\n(?=([^\W_]+))")
_WORD_BEFORE = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*\Z")
_NEAR = 10_000
"""How far around a break the compound is looked for: a page is shorter, and a hostile one must not take its square."""
_CONJUNCTIONS = frozenset(["and", "or", "und", "oder", "och", "bis"])
"""After them a hyphen that hangs stays: pre- and post-operative."""


def join_hyphens(text: str) -> str:
    """Join what a line break parted.

    A hyphen (-, U+2010) between letters before a line break and a lower-case letter goes with the break, unless the page has
    the compound unbroken elsewhere and the joined word nowhere; a soft hyphen (U+00AD) goes always. A hyphen that stays, a
    dash and a slash lose the break alone, as no space stands there.
    """

    def join(match: re.Match[str]) -> str:
        mark, following = match[1], match[2]
        if mark == "\u00ad":
            return ""
        if mark not in "-\u2010":
            return mark
        if following in _CONJUNCTIONS:
            return match[0]
        before = text[max(0, match.start() - 60) : match.start()]
        if not before[-1].isalpha() or not following[0].islower():
            return mark
        word = _WORD_BEFORE.search(before)
        if word is not None:
            around = text[max(0, match.start() - _NEAR) : match.end() + _NEAR]
            if _stands_hyphenated(around, word[0], mark, following):
                return mark
        return ""

    return _BREAK.sub(join, text) if "\n" in text else text


def _stands_hyphenated(text: str, before: str, mark: str, following: str) -> bool:
    return f"{before}{mark}{following}" in text and f"{before}{following}" not in text
