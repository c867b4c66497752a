"""Titles of documents that name them, and those that a program left there."""

from __future__ import annotations

import re

_PROGRAM = re.compile(r"\s*microsoft\s+(?:office\s+)?(?:word|powerpoint|excel|publisher)\s+-\s+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\W*(?:untitled|no\s?title|title|unknown|anonymous|document|presentation|slide|page|layout|print|default|full\s?page\s?photo|"
    r"microsoft\s+(?:word|powerpoint|excel)|제목\s?없음|無題|无标题|名称未設定)\W*\d*\W*",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"\S+\.(?:docx?|pptx?|xlsx?|rtf|txt|odt|odp|indd|qxd|qxp|fm|tex|dvi|e?ps|html?|pdf|wpd|hwpx?|pmd|cdr|ai)\W*", re.IGNORECASE
)
# Where a journal printed it: "nem004 95..102", "gkq1001 1..8".
_PAGES_OF_A_JOURNAL = re.compile(r"\S+ \d+\.\.\d+")


def telling_title(title: str | None) -> str | None:
    """A document's title where it seems to name the document; None for a placeholder, a file's name or a typesetter's mark."""
    shown = _PROGRAM.sub("", title or "", count=1).strip()
    if not any(character.isalpha() for character in shown):
        return None
    if any(kind.fullmatch(shown) for kind in (_PLACEHOLDER, _FILE, _PAGES_OF_A_JOURNAL)):
        return None
    return shown
