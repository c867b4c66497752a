"""Analyzer `uni-1`: text to terms, for the index and for queries alike.

NFKC and case folding; words, diacritics folded, for scripts that write spaces; overlapping bigrams and the run's last
character for Hangul, Han, Kana, Thai, Lao, Khmer and Myanmar. A hyphen at a line end before a lower-case letter is undone, and
a line end between two characters of an unspaced script is no word end. Every term can be led back to the verbatim text.
"""

from __future__ import annotations

from pincite.search.analysis.folding import FoldedText, fold, fold_text, normalized
from pincite.search.analysis.scripts import is_unspaced
from pincite.search.analysis.terms import ANALYZER_VERSION, Term, analyze, analyze_with_offsets, term_ranges, term_stream

__all__ = [
    "ANALYZER_VERSION",
    "FoldedText",
    "Term",
    "analyze",
    "analyze_with_offsets",
    "fold",
    "fold_text",
    "is_unspaced",
    "normalized",
    "term_ranges",
    "term_stream",
]
