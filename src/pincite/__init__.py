"""pincite turns PDFs into text that can be quoted.

`open` reads a file in this process, `read` in a confined child process, and `Library` ingests, searches and resolves
citations such as `paper.pdf:p13:span=0-1240`. Importing this package loads none of the engine; the first call does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pincite.errors import (
    CitationError,
    CrashError,
    DeadlineError,
    EncryptedError,
    LibraryError,
    LimitError,
    NoTextError,
    PinciteError,
    ProtocolError,
    QueryError,
    UnreadableError,
)
from pincite.model.limits import Limits
from pincite.model.rules import TextRules

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.model.citation import Citation
    from pincite.model.picture import PagePicture
    from pincite.pdf.document import Document, Page
    from pincite.sandbox.reading import read

__all__ = [
    "Citation",
    "CitationError",
    "CrashError",
    "DeadlineError",
    "Document",
    "EncryptedError",
    "Library",
    "LibraryError",
    "LimitError",
    "Limits",
    "NoTextError",
    "Page",
    "PinciteError",
    "ProtocolError",
    "QueryError",
    "TextRules",
    "UnreadableError",
    "open",
    "read",
]
__version__ = "0.1.0"

_LAZY = {
    "Citation": "pincite.model.citation",
    "Document": "pincite.pdf.document",
    "Library": "pincite.library",
    "Page": "pincite.pdf.document",
    "read": "pincite.sandbox.reading",
}


def open(source: bytes | str | os.PathLike[str] | int, password: str | None = None) -> Document:
    """Open a PDF in this process, from its bytes, a path or a file descriptor: for files you trust (see `read` for others).

    Raises EncryptedError, UnreadableError or OSError.
    """
    from pincite.pdf.document import open_document

    def draw(page: int, dpi: float, grey: bool) -> PagePicture:
        from pincite.sandbox.runner import Runner

        return Runner().render(source, page, dpi, grey=grey, password=password)

    return open_document(source, password, draw)


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
