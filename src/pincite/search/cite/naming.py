"""The names that documents are cited by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fnmatch import translate
from functools import lru_cache
from pathlib import PurePath

from pincite.model.citation import percent_decode


def normalize_name(name: str) -> str:
    """A name as it is compared and stored: composed (NFC), so that a name typed on one system is found on another."""
    return unicodedata.normalize("NFC", name)


def name_candidates(path: str, document_id: str) -> Iterator[str]:
    """The names that a document at an absolute path may take, shortest first: base name, longer and longer path
    suffixes, the whole path, and at last one with the document's hash, which is always free.
    """
    pure = PurePath(path)
    parts = [normalize_name(part) for part in pure.parts if part != pure.anchor]
    for length in range(1, len(parts) + 1):
        yield "/".join(parts[-length:])
    yield "/" + "/".join(parts)
    base = parts[-1] if parts else "document"
    yield f"{base}~{document_id[:12]}"
    yield f"{base}~{document_id}"


def name_fits(pattern: str, name: str) -> bool:
    """Whether a cite name is meant by a name or glob (`*`, `?`, `[…]`) that somebody typed.

    The pattern stands for the whole name or its last parts, with or without the file's ending; case makes no difference. It may
    be written as in a citation, percent-encoded.
    """
    folded = name.casefold()
    if _name_pattern(pattern).match(folded) is not None:
        return True
    plain = percent_decode(pattern) if "%" in pattern else pattern
    return plain != pattern and _name_pattern(plain).match(folded) is not None


@lru_cache(maxsize=64)
def _name_pattern(pattern: str) -> re.Pattern[str]:
    # translate() gives "(?s:…)" and the end of the string.
    wanted = translate(normalize_name(pattern).casefold()).removesuffix("\\Z").removesuffix("\\z")
    return re.compile(rf"(?:.*/)?{wanted}(?:\.pdf)?\Z", re.DOTALL)
