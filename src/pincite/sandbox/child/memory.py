"""Forks that share as much as they can: a page that a fresh process writes to has to be copied, and a hundred such pages take
longer than a short document's text."""

from __future__ import annotations

import ctypes
import functools
import gc
import os


@functools.cache
def _library() -> ctypes.PyDLL:
    """The C library, called with the interpreter's lock held."""
    return ctypes.PyDLL(None, use_errno=True)


def settle() -> None:
    """Once everything is loaded: take what there is for permanent, so that no collection in a child looks at it again."""
    gc.collect()
    gc.freeze()
    _library().fork  # noqa: B018  # looks it up


def fork() -> int:
    """Fork this process, which must have one thread, by the C library alone; as `os.fork`, it raises `OSError`.

    `os.fork` also runs what modules want to have done after a fork: locks are made anew that nobody else can hold here,
    random numbers sown anew that nobody draws. That is Python code, which dirties a hundred pages of the child.
    """
    pid: int = _library().fork()
    if pid < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return pid
