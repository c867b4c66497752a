"""`pincite.read`: the text of a document, through the sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from pincite.errors import LimitError
from pincite.model.limits import Limits
from pincite.model.text import DocumentMeta, Order, PageFailure, PageText
from pincite.sandbox.runner import DEFAULT_LIMITS, Runner
from pincite.sandbox.source import Source


def read(
    source: Source, limits: Limits = DEFAULT_LIMITS, *, password: str | None = None, order: Order = "reading"
) -> Iterator[PageText]:
    """Read a PDF that nobody vouches for, page by page from page 1, each as soon as it is done.

    `source` is a path, the bytes, or a file descriptor; `password` opens an encrypted one; `order` is that of the text, as for
    `Page.text`. The PDF is parsed in a child process under `limits`; the child is gone when the iterator ends, raises or is
    closed. A page that can't be read comes as a `PageText` without text whose last warning says why. A document without text, a
    scan, gives its pages with empty texts.

    Raises `EncryptedError`, `UnreadableError` (with `CrashError` and `ProtocolError` under it), `DeadlineError` and
    `LimitError`, where it stands: the pages before it have come. `LimitError` also follows the last page that is read
    of a document that has more than `limits.max_pages`, so that a part is never taken for the whole.
    """
    pages = 0
    with contextlib.closing(Runner.from_limits(limits).stream(source, password=password, order=order)) as items:
        for item in items:
            if isinstance(item, DocumentMeta):
                pages = item.pages
            elif isinstance(item, PageFailure):
                yield PageText(item.page, "", warnings=(f"page {item.page} can't be read: {item.error}",))
            else:
                yield item
    if pages > limits.max_pages:
        raise LimitError(
            f"the document has {pages} pages and {limits.max_pages} were read; raise max_pages to read more", slug="too_much_text"
        )
