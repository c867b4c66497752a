"""Help for files that qpdf can't open: bytes in, bytes out that it may be able to.

qpdf needs a trailer with a /Root. Where none is to be found, the catalog is, or the pages themselves are: a trailer, and
if need be a catalog and a page tree, are appended to the file, and qpdf's own recovery does the rest.
"""

from __future__ import annotations

import re

__all__ = ["repair"]

_HEADER = re.compile(rb"%PDF-[0-9]")
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,10})[\0\t\n\f\r ]+([0-9]{1,5})[\0\t\n\f\r ]+obj(?![A-Za-z])")
_CATALOG = re.compile(rb"/Type[\0\t\n\f\r ]*/Catalog(?![A-Za-z0-9])")
_PAGE = re.compile(rb"/Type[\0\t\n\f\r ]*/Page(?![A-Za-z0-9])")
_END = re.compile(rb"endobj|stream[\r\n]")
_MAX_SEARCH = 64 * 1024
_MAX_PAGES = 100_000


def repair(data: bytes) -> bytes | None:
    """The same file with what qpdf misses, or None where there is nothing to go on."""
    header = _HEADER.search(data)
    if header is not None:
        data = data[header.start() :]
    catalog: tuple[int, int] | None = None
    pages: dict[int, int] = {}
    highest = 0
    for match in _OBJECT.finditer(data):
        number, generation = int(match[1]), int(match[2])
        highest = max(highest, number)
        end = _END.search(data, match.end(), match.end() + _MAX_SEARCH)
        last = end.start() if end is not None else match.end() + _MAX_SEARCH
        if _CATALOG.search(data, match.end(), last):
            catalog = (number, generation)  # the last one counts, as it does in an updated file
        elif len(pages) < _MAX_PAGES and _PAGE.search(data, match.end(), last):
            pages[number] = generation
    if catalog is not None:
        added = b""
        root = catalog
    elif pages:
        kids = b" ".join(b"%d %d R" % item for item in pages.items())
        root = (highest + 1, 0)
        added = b"%d 0 obj\n<< /Type /Catalog /Pages %d 0 R >>\nendobj\n" % (highest + 1, highest + 2)
        added += b"%d 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj\n" % (highest + 2, kids, len(pages))
    else:
        return None
    if header is None:
        data = b"%PDF-1.7\n" + data
    # The offset leads nowhere on purpose: qpdf then reads every object and trailer there is.
    return data + b"\n%strailer\n<< /Size %d /Root %d %d R >>\nstartxref\n0\n%%%%EOF\n" % (added, highest + 3, *root)
