"""From the paths that somebody names to the files that are meant, always in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SUFFIX = ".pdf"


@dataclass(frozen=True, slots=True)
class WalkProblem:
    """A folder that could not be looked into, and why."""

    path: str
    message: str


def walk(paths: Iterable[str | os.PathLike[str]]) -> Iterator[str | WalkProblem]:
    """The absolute paths of all files that `paths` stand for, each once.

    A file is taken whatever its ending. A folder stands for every `*.pdf` in it (in any case), at any depth, in the order
    of the names' bytes; symbolic links are followed, and no folder is walked twice. A path that does not exist raises
    `FileNotFoundError` before anything is yielded.
    """
    named = [os.path.abspath(os.fspath(path)) for path in paths]
    for path in named:
        os.stat(path)
    return _walk_all(named)


def _walk_all(paths: list[str]) -> Iterator[str | WalkProblem]:
    files: set[str] = set()
    folders: set[tuple[int, int]] = set()
    for path in paths:
        found = _walk_folder(path, folders) if os.path.isdir(path) else iter((path,))
        for file in found:
            if isinstance(file, WalkProblem):
                yield file
            elif file not in files:
                files.add(file)
                yield file


def _walk_folder(root: str, seen: set[tuple[int, int]]) -> Iterator[str | WalkProblem]:
    pending = [root]
    while pending:
        path = pending.pop()
        try:
            is_folder = os.path.isdir(path)
            if not is_folder:
                yield path
                continue
            status = os.stat(path)
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(path) as entries:
                inside = [entry.path for entry in entries if _is_meant(entry)]
        except OSError as error:
            yield WalkProblem(path, f"can't look into the folder: {error.strerror or error}")
            continue
        pending.extend(sorted(inside, key=os.fsencode, reverse=True))


def _is_meant(entry: os.DirEntry[str]) -> bool:
    return entry.name.lower().endswith(SUFFIX) or _is_folder(entry)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
