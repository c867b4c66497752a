"""The same PDF in another dress: encrypted, with object streams, damaged. pikepdf writes the first two."""

from __future__ import annotations

import io
import re

import pikepdf


def encrypted(pdf: bytes, *, user: str = "", owner: str = "owner", revision: int = 4) -> bytes:
    """Encrypt with the standard security handler (7.6.4): revision 3 is RC4 with 128 bits, 4 AES-128, 6 AES-256.

    With the empty user password anyone may open it. The bytes differ from call to call for AES, which begins with random numbers.
    """
    encryption = pikepdf.Encryption(user=user, owner=owner, R=revision, aes=revision >= 4, metadata=revision >= 4)
    return _saved(pdf, encryption=encryption)


def with_object_streams(pdf: bytes) -> bytes:
    """Objects in object streams, found through a cross-reference stream (7.5.7, 7.5.8)."""
    return _saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def _saved(pdf: bytes, **options: object) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.save(out, static_id=True, **options)  # type: ignore[arg-type]
    return out.getvalue()


def wrong_offsets(pdf: bytes, by: int = 7) -> bytes:
    """Every offset of the cross-reference table off by some bytes, as an editor of text files leaves it."""
    return re.sub(rb"(?m)^(\d{10}) (\d{5}) n", lambda match: b"%010d %s n" % (int(match[1]) + by, match[2]), pdf)


def wrong_startxref(pdf: bytes) -> bytes:
    """A startxref that leads nowhere."""
    return re.sub(rb"startxref\n\d+", b"startxref\n99999999", pdf)


def truncated(pdf: bytes, keep: float = 0.6) -> bytes:
    """The first part of the file; a share below 1, so the table and the trailer are gone."""
    return pdf[: int(len(pdf) * keep)]


def junk_prefix(pdf: bytes, junk: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n") -> bytes:
    """Bytes before the header that the offsets do not count."""
    return junk + pdf


def junk_suffix(pdf: bytes, junk: bytes = b"\0" * 2000) -> bytes:
    """Bytes after the end."""
    return pdf + junk
