"""Keeping a library: what of it is still true, what can go, and a copy of it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pincite.ingest.source import is_gone
from pincite.search.index.rows import Location
from pincite.search.index.soundness import Flaw
from pincite.search.index.store import Store

Progress = Callable[[int, int], None]
FileState = Literal["missing", "changed", "unreadable"]

_PIECE = 1 << 20


class FileFinding(NamedTuple):
    """A file that is not what the library knows of it: gone, other bytes now, or not to be read."""

    path: str
    state: FileState
    document: str


@dataclass(slots=True)
class Verification:
    """What `verify` found. `flaws` are damages of the library; `repaired` says that those that can be were made right, and
    `remaining` are those that are left. `files` are no damage: the library is right about what it has read."""

    flaws: list[Flaw] = field(default_factory=list)
    files: list[FileFinding] = field(default_factory=list)
    files_checked: int = 0
    repaired: bool = False
    remaining: list[Flaw] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not (self.remaining if self.repaired else self.flaws)


@dataclass(frozen=True, slots=True)
class Pruned:
    """The paths that were forgotten since no file is there, and the names of the documents that were deleted."""

    paths: tuple[str, ...]
    documents: tuple[str, ...]


def verify(store: Store, *, files: bool, repair: bool, progress: Progress | None = None) -> Verification:
    """Look for damage, and with `files` read every file once more; with `repair` make again what is derived.

    `progress` is called with how much is done of the part at work, and how much there is.
    """
    found = Verification(flaws=store.flaws(progress))
    if repair and found.flaws:
        if all(flaw.can_be_made_again for flaw in found.flaws):
            store.rebuild(progress)
            found.repaired = True
            found.remaining = store.flaws(progress)
        else:
            found.remaining = found.flaws
    if files:
        found.files = list(_compare_files(store, progress, found))
        if store.is_read_only:
            return found
        store.note_missing([file.path for file in found.files if file.state == "missing"])
    return found


def _compare_files(store: Store, progress: Progress | None, found: Verification) -> Iterator[FileFinding]:
    locations = store.paths()
    for done, location in enumerate(locations, 1):
        document = store.document_of(location.path)
        if document is not None:
            found.files_checked += 1
            state = _state(location, document.id)
            if state is not None:
                yield FileFinding(location.path, state, document.name)
        if progress is not None:
            progress(done, len(locations))


def _state(location: Location, document: str) -> FileState | None:
    digest = hashlib.sha256()
    try:
        if is_gone(location.path):
            return "missing"
        if not os.path.isfile(location.path):
            return "changed"
        with open(location.path, "rb", buffering=0) as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError:
        return "unreadable"
    return None if digest.hexdigest() == document else "changed"


def prune(store: Store, *, superseded: bool, dry_run: bool) -> Pruned:
    """Forget the files that are gone, and the documents that stood nowhere else; with `superseded` also those whose
    file has become another. With `dry_run` only say which."""
    known = {location.path for location in store.paths()} | {failure.path for failure in store.failures()}
    gone = [path for path in sorted(known, key=os.fsencode) if is_gone(path)]
    if not dry_run:
        return Pruned(tuple(gone), tuple(store.prune(gone, superseded=superseded)))
    left: dict[str, int] = {}
    lost: dict[str, int] = {}
    for location in store.paths():
        document = store.document_of(location.path)
        if document is not None:
            counts = lost if location.path in gone else left
            counts[document.name] = counts.get(document.name, 0) + 1
    names = [name for name in lost if name not in left]
    return Pruned(tuple(gone), (*names, *(store.superseded() if superseded else ())))


def backup(store: Store, target: str | os.PathLike[str], *, replace: bool) -> None:
    """Copy a library to a file; the copy appears under its name when it is whole. Raises `FileExistsError`, `OSError`."""
    path = Path(target)
    if path.exists() and not replace:
        raise FileExistsError(f"{path} exists: name another file, or replace it with --force")
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".pincite-")
    try:
        store.backup(temporary)
        os.fsync(descriptor)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
