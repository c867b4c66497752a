"""Help for files that qpdf can't open: bytes in, bytes out that it may be able to.

qpdf needs a trailer whose /Root is a dictionary. Where it finds none, one is appended to the file: a trailer for the
catalog that is there, else with a catalog of our own for the page tree that is there, else with a tree of our own for the
pages. qpdf's own recovery does the rest.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

__all__ = ["repairs", "without_huge_numbers", "without_idle_encryption"]

_SPACE = rb"[\0\t\n\f\r ]"
_END = rb"(?![A-Za-z0-9])"
_HEADER = re.compile(rb"%PDF-[0-9]")
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,9})" + _SPACE + rb"{1,8}([0-9]{1,5})" + _SPACE + rb"{1,8}obj(?![A-Za-z])")
_CATALOG = re.compile(rb"/Type" + _SPACE + rb"{0,8}/Catalog" + _END)
_PAGE = re.compile(rb"/Type" + _SPACE + rb"{0,8}/Page" + _END)
_NODE = re.compile(rb"/Type" + _SPACE + rb"{0,8}/Pages" + _END)
_PARENT = re.compile(rb"/Parent" + _END)
_TREE = re.compile(rb"/Pages" + _SPACE + rb"{1,8}([0-9]{1,9})" + _SPACE + rb"{1,8}([0-9]{1,5})" + _SPACE + rb"{1,8}R" + _END)
_OBJECT_END = re.compile(rb"endobj|stream[\r\n]")
_MANY_DIGITS = re.compile(rb"[0-9]{19}")
_STRING_OR_HUGE = re.compile(
    rb"\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*+\))*+\)|<[0-9A-Fa-f\0\t\n\f\r ]*+>|%[^\r\n]*+"
    rb"|(?<=[\0\t\n\f\r \[])([+-]?[0-9]{19,})(?=[\0\t\n\f\r \]/>])",
    re.DOTALL,
)
_MOST_DIGITS = 30
_INTEGERS = range(-(1 << 63), 1 << 63)
_MAX_OBJECT_BYTES = 16 * 1024
_MAX_PAGES = 100_000

_ENCRYPT = re.compile(rb"/Encrypt(?=[\0\t\n\f\r <])")
_ENCRYPT_REFERENCE = re.compile(rb"/Encrypt" + _SPACE + rb"{1,8}([0-9]{1,9})" + _SPACE + rb"{1,8}([0-9]{1,5})" + _SPACE)
_CRYPT_FILTER_VERSION = re.compile(rb"/V" + _SPACE + rb"{0,8}[45]" + _END)
_CRYPT_FILTER = re.compile(rb"/(?:StmF|StrF)" + _SPACE + rb"{0,8}/(?!Identity" + _END + rb")")


def without_huge_numbers(data: bytes) -> bytes | None:
    """The file with null, spaces behind it, for each integer in an object that 64 bits don't hold; None where there is none.

    qpdf takes an object with such a number for null as a whole. Nothing moves, and streams are left as they are.
    """
    if _MANY_DIGITS.search(data) is None:
        return None
    mended = bytearray(data)
    found = False
    streams_end = True
    position = 0
    while (match := _OBJECT.search(data, position)) is not None:
        end = _OBJECT_END.search(data, match.end())
        position = len(data) if end is None else end.start()
        for number in _STRING_OR_HUGE.finditer(data, match.end(), position):
            digits = number[1]
            if digits is not None and len(digits) <= _MOST_DIGITS and int(digits) in _INTEGERS:
                continue
            if digits is not None:
                mended[number.start(1) : number.end(1)] = b"null".ljust(len(digits))
                found = True
        # the data of a stream may look like anything
        if streams_end and end is not None and end[0].startswith(b"stream"):
            behind = data.find(b"endstream", position)
            streams_end = behind >= 0
            position = max(behind, position)
    return bytes(mended) if found else None


def repairs(data: bytes) -> Iterator[bytes]:
    """The file with what qpdf misses, in several ways, the most faithful one first; none where there is nothing to go on."""
    header = _HEADER.search(data)
    if header is None:
        data = b"%PDF-1.7\n" + data
    elif header.start():
        data = data[header.start() :]
        yield data
    catalog: tuple[int, int] | None = None
    tree: tuple[int, int] | None = None
    pages: dict[int, int] = {}
    free = 1
    for match, following in itertools.pairwise(itertools.chain(_OBJECT.finditer(data), (None,))):
        if match is None:
            break
        number, generation = int(match[1]), int(match[2])
        free = max(free, number + 1)
        # Up to the next object: no byte is looked at twice, however many objects a hostile file begins.
        limit = min(match.end() + _MAX_OBJECT_BYTES, len(data) if following is None else following.start())
        end = _OBJECT_END.search(data, match.end(), limit)
        if end is not None:
            limit = end.start()
        if _CATALOG.search(data, match.end(), limit):
            catalog = (number, generation)  # the last one counts, as it does in an updated file
        elif _PAGE.search(data, match.end(), limit) and len(pages) < _MAX_PAGES:
            pages[number] = generation
        elif _NODE.search(data, match.end(), limit) and not _PARENT.search(data, match.end(), limit):
            tree = (number, generation)
    for match in _TREE.finditer(data):
        tree = (int(match[1]), int(match[2]))
    if catalog is not None:
        yield data + _trailer(catalog, free)
    if tree is not None:
        yield data + _catalog(tree, free) + _trailer((free, 0), free + 1)
    if pages:
        kids = b" ".join(b"%d %d R" % item for item in pages.items())
        node = b"\n%d 0 obj\n<< /Type /Pages /Kids [%s] /Count %d >>\nendobj" % (free, kids, len(pages))
        yield data + node + _catalog((free, 0), free + 1) + _trailer((free + 1, 0), free + 2)


def _catalog(tree: tuple[int, int], number: int) -> bytes:
    return b"\n%d 0 obj\n<< /Type /Catalog /Pages %d %d R >>\nendobj" % (number, *tree)


def _trailer(root: tuple[int, int], size: int) -> bytes:
    # The offset leads nowhere on purpose: qpdf then reads every object and trailer there is.
    return b"\ntrailer\n<< /Size %d /Root %d %d R >>\nstartxref\n0\n%%%%EOF\n" % (size, *root)


def without_idle_encryption(data: bytes) -> bytes | None:
    """The file with its /Encrypt renamed where that encrypts attachments alone (ISO 32000-2, 7.6.6), else None.

    With /Identity for streams and strings, which is also the default, the pages can be read without any password.
    """
    match = _ENCRYPT_REFERENCE.search(data)
    if match is None:
        return None
    start = -1
    for found in re.finditer(rb"(?<![0-9])%d[\0\t\n\f\r ]+%d[\0\t\n\f\r ]+obj" % (int(match[1]), int(match[2])), data):
        start = found.end()
    dictionary = data[start : start + _MAX_OBJECT_BYTES].partition(b"endobj")[0] if start >= 0 else b""
    if _CRYPT_FILTER_VERSION.search(dictionary) is None or _CRYPT_FILTER.search(dictionary):
        return None
    return _ENCRYPT.sub(b"/Encrypx", data)
