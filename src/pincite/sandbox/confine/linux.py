"""What Linux offers through calls that Python has no functions for."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38

NOBODY = 65534
"""The user and group that own no files, on every distribution; also the number that unmapped users show as."""

CAPABILITY_VERSION_3 = 0x20080522
CAPSET = {"x86_64": 126, "aarch64": 91}

IS_LINUX = sys.platform == "linux"


@functools.cache
def library() -> ctypes.CDLL:
    """The C library; loaded once, since finding it opens files."""
    loaded = ctypes.CDLL(None, use_errno=True)
    loaded.syscall.restype = ctypes.c_long
    return loaded


def syscall(number: int, *arguments: Any) -> int:
    """Make a system call by its number, with `ctypes` values; raises `OSError`."""
    result: int = library().syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def prctl(option: int, value: int) -> bool:
    """Set one of this process's attributes; False where the kernel refuses or does not know it."""
    zero = ctypes.c_ulong(0)
    result: int = library().prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)
    return result == 0


def close_to_others() -> tuple[str, ...]:
    """Give up gaining privileges, and being traced or dumped."""
    if not IS_LINUX:
        return ()
    steps = (("no_new_privs", PR_SET_NO_NEW_PRIVS, 1), ("not_dumpable", PR_SET_DUMPABLE, 0))
    return tuple(name for name, option, value in steps if prctl(option, value))


def die_with_parent() -> tuple[str, ...]:
    """Have the kernel kill this process when the thread that forked it ends.

    A parent that has ended already is not noticed: look at `os.getppid()` after this. A change of user undoes it.
    """
    return ("pdeathsig",) if IS_LINUX and prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL)) else ()


def leave_privileges() -> tuple[str, ...]:
    """Become the user that owns nothing, where this process is the superuser, and drop all capabilities."""
    if not IS_LINUX:
        return ()
    held = []
    if os.geteuid() == 0 and _become_nobody():
        held.append("other_user")
    if _drop_capabilities():
        held.append("no_capabilities")
    return tuple(held)


def _become_nobody() -> bool:
    steps: tuple[Callable[[], None], ...] = (
        lambda: os.setgroups([]),
        lambda: os.setresgid(NOBODY, NOBODY, NOBODY),
        lambda: os.setresuid(NOBODY, NOBODY, NOBODY),
    )
    for step in steps:
        # A superuser of a namespace may be without the right or without such a user.
        with contextlib.suppress(OSError):
            step()
    return os.getuid() == os.geteuid() == NOBODY


def _drop_capabilities() -> bool:
    number = CAPSET.get(platform.machine())
    if number is None:
        return False
    try:
        # Effective, permitted and inheritable, in two words each; all empty.
        syscall(number, struct.pack("Ii", CAPABILITY_VERSION_3, 0), bytes(24))
    except OSError:
        return False
    return True
