"""The pages of one document on their way from its reader to the library: in memory while they are few, else in a file."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pincite.search.index.rows import NewPage

MEMORY_CHARACTERS = 2_000_000
"""So many characters of text stay in memory, a few hundred pages; a longer document goes on in a file."""


class PageSpool:
    """Takes pages in order and gives them back, as often as asked. `folder` is where the file would be; it has no name there.

    What the file holds was written by this process alone, and nobody else can open it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._pages: list[NewPage] = []
        self._characters = 0
        self._file: IO[bytes] | None = None
        self.count = 0

    def add(self, page: NewPage) -> None:
        """Take the next page. Raises `OSError` where the disk is full."""
        self.count += 1
        self._characters += len(page.row.text)
        if self._file is not None:
            pickle.dump(page, self._file, pickle.HIGHEST_PROTOCOL)
            return
        self._pages.append(page)
        if self._characters > MEMORY_CHARACTERS:
            self._file = tempfile.TemporaryFile(dir=self._folder, prefix="pincite-", buffering=1 << 18)  # noqa: SIM115
            for kept in self._pages:
                pickle.dump(kept, self._file, pickle.HIGHEST_PROTOCOL)
            self._pages.clear()

    def __iter__(self) -> Iterator[NewPage]:
        if self._file is None:
            yield from self._pages
            return
        self._file.seek(0)
        for _ in range(self.count):
            page: NewPage = pickle.load(self._file)
            yield page

    def close(self) -> None:
        """Let go of the pages."""
        self._pages.clear()
        if self._file is not None:
            self._file.close()
