"""From the paths that somebody names to the files that are meant, always in the same order."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

SUFFIX = ".pdf"


@dataclass(frozen=True, slots=True)
class WalkProblem:
    """A path that leads nowhere, or a folder that could not be looked into, and why."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What is taken of a folder: globs that a file's path below it, or its name alone, must fit, and such that it must not.

    A folder that `exclude` fits is not looked into. Without `include` every `*.pdf` is meant, in any case.
    """

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()

    def takes(self, below: str) -> bool:
        """Whether a file at this path below the folder is taken."""
        if self.leaves_out(below):
            return False
        return _fits(self.include, below) if self.include else below.lower().endswith(SUFFIX)

    def leaves_out(self, below: str) -> bool:
        return _fits(self.exclude, below)


def _fits(globs: Sequence[str], below: str) -> bool:
    name = below.rpartition("/")[2]
    return any(fnmatchcase(below, glob) or fnmatchcase(name, glob) for glob in globs)


def parse_path_list(data: bytes) -> list[str]:
    """The paths in a list of them, which NUL ends or, where it holds none, line feeds."""
    separator = b"\0" if b"\0" in data else b"\n"
    return [os.fsdecode(path) for path in data.split(separator) if path]


EVERY_PDF = Selection()


def walk(paths: Iterable[str | os.PathLike[str]], selection: Selection = EVERY_PDF) -> Iterator[str | WalkProblem]:
    """The absolute paths of all files that `paths` stand for, each once.

    A file is taken whatever its ending. A folder stands for what `selection` takes of it, at any depth, in the order
    of the names' bytes; symbolic links are followed, and no folder is walked twice. A path at which nothing is, and one that
    can't be one, is a problem among the others.
    """
    files: set[str] = set()
    folders: set[tuple[int, int]] = set()
    for path in map(os.fsdecode, paths):
        for file in _walk_named(path, folders, selection):
            if isinstance(file, WalkProblem):
                yield file
            elif file not in files:
                files.add(file)
                yield file


def may_be_path(named: str) -> bool:
    """Whether a string can be a path. An empty one would be the working directory, which nobody means by it."""
    try:
        return named != "" and b"\0" not in os.fsencode(named)
    except UnicodeEncodeError:
        return False


def _walk_named(named: str, folders: set[tuple[int, int]], selection: Selection) -> Iterator[str | WalkProblem]:
    if not may_be_path(named):
        yield WalkProblem(named, "is no path; name a file or a folder")
        return
    path = os.path.abspath(named)
    try:
        os.stat(path)
        yield from _walk_folder(path, folders, selection)
    except FileNotFoundError:
        yield WalkProblem(path, "there is nothing at this path; check how it is written")
    except (OSError, ValueError) as error:
        yield WalkProblem(path, f"can't be read: {getattr(error, 'strerror', None) or error}; check the path and its permissions")


def _walk_folder(root: str, seen: set[tuple[int, int]], selection: Selection) -> Iterator[str | WalkProblem]:
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
                inside = [entry.path for entry in entries if _is_meant(entry, root, selection)]
        except OSError as error:
            yield WalkProblem(path, f"can't look into the folder: {error.strerror or error}")
            continue
        pending.extend(sorted(inside, key=os.fsencode, reverse=True))


def _is_meant(entry: os.DirEntry[str], root: str, selection: Selection) -> bool:
    below = entry.path[len(root) :].lstrip("/")
    if _is_folder(entry):
        return not selection.leaves_out(below)
    return selection.takes(below)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False
