"""Resource limits: set for good, or left lower where they are lower already."""

from __future__ import annotations

import os
import stat

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MAX_DESCRIPTORS = 16
"""Standard input, output and error, the way out, and what opening a PDF takes, with room to spare."""


def limit_files(outputs: tuple[int, ...]) -> tuple[str, ...]:
    """No core dumps, and no byte written to any file.

    `outputs` are the descriptors that will be written to. Where one of them is an ordinary file, as when somebody
    redirects the output of the command, files stay writable and `rlimit_fsize` is not in the answer.
    """
    if resource is None:
        return ()
    wanted = [("rlimit_core", resource.RLIMIT_CORE, 0)]
    if not any(_is_file(descriptor) for descriptor in outputs):
        wanted.append(("rlimit_fsize", resource.RLIMIT_FSIZE, 0))
    return _lower_all(wanted)


def limit_resources(memory_bytes: int, cpu_s: int, size_bytes: int) -> tuple[str, ...]:
    """Set the limits of one child and name those that hold.

    `memory_bytes` of address space are allowed above `size_bytes`, where that is known; `cpu_s` is processor time on top of
    what was used.
    """
    if resource is None:
        return ()
    used = resource.getrusage(resource.RUSAGE_SELF)
    wanted = [
        # A second before the hard limit, which kills, the soft one sends a signal that says why.
        ("rlimit_cpu", resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + 1 + cpu_s),
        ("rlimit_nofile", resource.RLIMIT_NOFILE, MAX_DESCRIPTORS),
    ]
    if hasattr(resource, "RLIMIT_NPROC"):
        wanted.append(("rlimit_nproc", resource.RLIMIT_NPROC, 0))
    if size_bytes:
        wanted.append(("rlimit_as", resource.RLIMIT_AS, size_bytes + memory_bytes))
    return _lower_all(wanted)


def address_space_bytes() -> int:
    """The size of this process's address space, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _lower_all(wanted: list[tuple[str, int, int]]) -> tuple[str, ...]:
    return tuple(name for name, limit, value in wanted if _lower(limit, value))


def _lower(limit: int, value: int) -> bool:
    """Set a limit for good, or leave a lower one that is there already."""
    assert resource is not None
    _, hard = resource.getrlimit(limit)
    over = 1 if limit == resource.RLIMIT_CPU else 0
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
        over = min(over, hard - value)
    try:
        resource.setrlimit(limit, (value, value + over))
    except (OSError, ValueError):
        return False
    return True


def _is_file(descriptor: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False
