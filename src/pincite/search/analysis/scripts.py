"""Characters of scripts that write no spaces between words, and what else several parts of search must agree on."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["UNSPACED", "UNSPACED_VERBATIM", "is_mark", "is_unspaced"]

UNSPACED = (
    "\u1100-\u115e\u1161-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uac00-\ud7a3"  # Hangul, the two fillers left out
    "\u2e80-\u2ef3\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"  # Han: radicals, iteration marks, numerals
    "\u3105-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00016ff0-\U00018dff\U00020000-\U0003ffff"
    "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"  # Kana
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17b3\u17b6-\u17d3\u17d7\u17dc\u17dd"  # Khmer, the two inherent vowels left out
)
"""Inside of a character class: the folded characters that make bigrams. Digits of these scripts fold to ASCII ones."""

UNSPACED_VERBATIM = UNSPACED + "\u2f00-\u2fd5\u3131-\u3163\u3165-\u318e\uff66-\uff9f\uffa1-\uffdc"
"""The same before NFKC, with Kangxi radicals, compatibility jamo and half-width forms."""


def is_mark(character: str) -> bool:
    """True of a combining mark of any kind."""
    return unicodedata.category(character)[0] == "M"


def is_unspaced(character: str) -> bool:
    """True of a folded character that makes bigrams."""
    return _UNSPACED.match(character) is not None


_UNSPACED = re.compile(f"[{UNSPACED}]")
