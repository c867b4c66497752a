"""What the child gives up before it reads a byte of the PDF, with what the system offers and without privileges.

Each step is applied where it is to be had and named in the answer where it holds:

    rlimit_core     no core dumps
    rlimit_fsize    no byte written to any file
    rlimit_as       address space capped above the size that the process has now
    pdeathsig       killed when the parent dies
    no_new_privs    no program started from here gains privileges
    not_dumpable    no other process of the same user attaches or reads its memory
"""

from __future__ import annotations

import os
import select
import signal
import stat
import sys

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38


def tie_to_parent() -> tuple[str, ...]:
    """Have the kernel kill this process with its parent, and close it to other processes; Linux only."""
    if sys.platform != "linux":
        return ()
    import ctypes

    prctl = ctypes.CDLL(None, use_errno=True).prctl
    steps = (
        ("pdeathsig", PR_SET_PDEATHSIG, int(signal.SIGKILL)),
        ("no_new_privs", PR_SET_NO_NEW_PRIVS, 1),
        ("not_dumpable", PR_SET_DUMPABLE, 0),
    )
    zero = ctypes.c_ulong(0)
    return tuple(name for name, option, value in steps if prctl(option, ctypes.c_ulong(value), zero, zero, zero) == 0)


def reader_is_gone(descriptor: int) -> bool:
    """Whether nobody holds the other end of a pipe: the parent died before `tie_to_parent` could see it."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def limit_resources(memory_bytes: int, outputs: tuple[int, ...]) -> tuple[str, ...]:
    """Set the resource limits; `memory_bytes` of address space are allowed above the present size.

    `outputs` are the descriptors that will be written to. Where one of them is an ordinary file, as when somebody
    redirects the output of the command, files stay writable and `rlimit_fsize` is not in the answer.
    """
    if resource is None:
        return ()
    held = []
    if _lower(resource.RLIMIT_CORE, 0):
        held.append("rlimit_core")
    if not any(_is_file(descriptor) for descriptor in outputs) and _lower(resource.RLIMIT_FSIZE, 0):
        held.append("rlimit_fsize")
    size = _address_space_bytes()
    if size and _lower(resource.RLIMIT_AS, size + memory_bytes):
        held.append("rlimit_as")
    return tuple(held)


def _lower(limit: int, value: int) -> bool:
    """Set a limit for good, or leave a lower one that is there already."""
    assert resource is not None
    _, hard = resource.getrlimit(limit)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(limit, (value, value))
    except (OSError, ValueError):
        return False
    return True


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _address_space_bytes() -> int:
    """The size of this process's address space, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
