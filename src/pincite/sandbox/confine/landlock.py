"""Landlock: an empty rule set, under which no path can be opened. The numbers of its calls are the same on every processor."""

from __future__ import annotations

import ctypes
import os
import struct
import sys

from pincite.sandbox.confine import linux

CREATE_RULESET = 444
RESTRICT_SELF = 446
CREATE_RULESET_VERSION = 1

# Rights that are refused, by the version of the interface that brought them.
FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
TCP_BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS_AND_SIGNALS = 3


def version() -> int:
    """The version of the kernel's interface; 0 where it has none or it is switched off."""
    if sys.platform != "linux":
        return 0
    try:
        return linux.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(CREATE_RULESET_VERSION))
    except OSError:
        return 0


def attributes(interface: int) -> bytes:
    """The rule set that handles, and so refuses, everything that this version of the interface can; empty for version 0."""
    if interface < 1:
        return b""
    files = sum(rights for since, rights in FILE_RIGHTS.items() if since <= interface)
    packed = struct.pack("Q", files)
    if interface >= 4:
        packed += struct.pack("Q", TCP_BIND_AND_CONNECT)
    if interface >= 6:
        packed += struct.pack("Q", ABSTRACT_SOCKETS_AND_SIGNALS)
    return packed


def restrict(ruleset: bytes) -> tuple[str, ...]:
    """Restrict this process for good by a rule set of `attributes`; it must have given up new privileges before."""
    if not ruleset:
        return ()
    try:
        descriptor = linux.syscall(CREATE_RULESET, ruleset, ctypes.c_size_t(len(ruleset)), ctypes.c_uint32(0))
        try:
            linux.syscall(RESTRICT_SELF, ctypes.c_int(descriptor), ctypes.c_uint32(0))
        finally:
            os.close(descriptor)
    except OSError:
        return ()
    return ("landlock",)
