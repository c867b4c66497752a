"""Use qpdf ahead of need, for a process that will have no files and no new modules later."""

from __future__ import annotations

import mmap

from pincite.errors import PinciteError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.qpdf import encrypted_sample

__all__ = ["preload_objects"]


def preload_objects() -> None:
    """Go once down the ways on which qpdf and its binding load something: random numbers, errors, repair, encryption.

    qpdf opens its source of random numbers when a key is first made or tried.
    """
    encrypted = encrypted_sample("user")
    with File.open(encrypted, "user") as file:
        file.references()
    for data in (encrypted, b"no PDF at all", encrypted[: len(encrypted) // 2], encrypted.replace(b"startxref", b"startxxxx")):
        try:
            File.open(data).close()
        except PinciteError:
            continue
    mmap.mmap(-1, mmap.PAGESIZE).close()  # the binding maps greater files
