"""A look at the child's memory from outside, for systems on which a process can't limit its own."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import time

from pincite.errors import LimitError

LOOK_S = 0.1
"""Between two looks. A process can't fill much more than 100 MB in this time."""

PROGRAM_BYTES = 192 << 20
"""What an interpreter with the engine loaded takes for itself, generously: the limit is on top of that."""

RUSAGE_INFO_V0 = 0
RESIDENT_SIZE_OFFSET = 16 + 6 * 8
"""In the kernel's `rusage_info_v0`: a UUID, then six numbers, then the resident size."""


class Watchdog:
    """Raises `LimitError` (`memory`) from `look` when the process has more than `max_bytes` over what its program takes."""

    def __init__(self, pid: int, max_bytes: int) -> None:
        self._pid = pid
        self._max_bytes = max_bytes
        self._next_look = 0.0

    def look(self) -> float:
        """Look if it is time; returns the seconds until the next look. A process that is gone has no memory."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_S
            if resident_bytes(self._pid) > self._max_bytes + PROGRAM_BYTES:
                message = f"the document needs over {self._max_bytes >> 20} MiB of memory; raise the limit"
                raise LimitError(message, slug="memory")
        return self._next_look - now


def resident_bytes(pid: int) -> int:
    """The memory of a process that is in RAM, in bytes; 0 where it is gone or the system does not tell."""
    if sys.platform == "darwin":
        return _resident_on_macos(pid)
    try:
        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def _resident_on_macos(pid: int) -> int:
    buffer = ctypes.create_string_buffer(1024)
    if ctypes.CDLL(None).proc_pid_rusage(pid, RUSAGE_INFO_V0, buffer) != 0:
        return 0
    size: int = struct.unpack_from("=Q", buffer, RESIDENT_SIZE_OFFSET)[0]
    return size
