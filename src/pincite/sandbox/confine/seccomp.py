"""The filter of system calls (seccomp, mode 2): what is not in `ALLOWED` is refused, on x86-64 and aarch64.

A refused call fails with EPERM, as if the user lacked the right, so that a library that tries one goes on without. A call
for another processor's numbers ends the process: its number could mean something else.

The kernel runs the program on `struct seccomp_data`: the number of the call (4 bytes), the architecture (4), the instruction
pointer (8), six arguments (8 each, the low half first on both processors).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from dataclasses import dataclass

from pincite.sandbox.confine import linux

SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_TSYNC = 1

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | errno.EPERM
KILL_PROCESS = 0x80000000

# Instructions of the classic Berkeley packet filter: load a word, compare and jump, return.
LOAD = 0x20
IF_EQUAL = 0x15
IF_AT_LEAST = 0x35
IF_ANY_BIT = 0x45
RETURN = 0x06

OFFSET_NUMBER = 0
OFFSET_ARCHITECTURE = 4
OFFSET_ARGUMENTS = 16

X32_BIT = 0x40000000
"""The numbers of the x32 interface, which has the architecture of x86-64 and calls of its own."""

PROT_EXEC = 4

FCNTL_COMMANDS = (0, 1, 2, 3, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC. Not F_SETFL, F_SETOWN and F_SETSIG: with these three a pipe sends any
signal to any process of the same user."""

ALLOWED = {
    # the descriptors that are open already; fstat, which takes a descriptor alone, but none of those that take a path
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62), "pread64": (17, 67),
    "readv": (19, 65), "writev": (20, 66), "dup": (32, 23), "fcntl": (72, 25),
    # memory
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "madvise": (28, 233),
    # its own signals; tgkill is how a C library's abort() raises one
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "tgkill": (234, 131), "restart_syscall": (219, 128),
    # waiting, clocks, random numbers, locks
    "sched_yield": (24, 124), "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "getrandom": (318, 278), "futex": (202, 98), "ppoll": (271, 73),
    # itself
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getrusage": (98, 165), "exit": (60, 93),
    "exit_group": (231, 94),
}  # fmt: skip
"""The calls that are let through, with their numbers on x86-64 and aarch64. `CONDITIONS` narrows some of them."""

CONDITIONS = ("mmap", "mprotect", "fcntl", "tgkill")
"""Calls of which an argument is looked at: no memory to execute, no command of fcntl that sends signals, no signal but to
this very process."""


@dataclass(frozen=True, slots=True)
class Processor:
    """What differs between the processors: AUDIT_ARCH, the column of `ALLOWED`, the number of seccomp itself."""

    architecture: int
    column: int
    seccomp: int


PROCESSORS = {"x86_64": Processor(0xC000003E, 0, 317), "aarch64": Processor(0xC00000B7, 1, 277)}


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def build(processor: Processor, pid: int) -> bytes:
    """The filter program for the process `pid`."""
    column = processor.column
    program = [
        _instruction(LOAD, OFFSET_ARCHITECTURE),
        _instruction(IF_EQUAL, processor.architecture, 1, 0),
        _instruction(RETURN, KILL_PROCESS),
        _instruction(LOAD, OFFSET_NUMBER),
    ]
    if column == 0:
        program += [_instruction(IF_AT_LEAST, X32_BIT, 0, 1), _instruction(RETURN, KILL_PROCESS)]
    for name, numbers in ALLOWED.items():
        body = _condition(name, pid) if name in CONDITIONS else [_instruction(RETURN, ALLOW)]
        program += [_instruction(IF_EQUAL, numbers[column], 0, len(body)), *body]
    program.append(_instruction(RETURN, REFUSE))
    return b"".join(program)


class Filter:
    """The program of this machine, ready to be installed; made once, since a fresh process has little time.

    It is for whichever process installs it: its number is put in then. False where there is no filter for this machine.
    """

    def __init__(self) -> None:
        processor = PROCESSORS.get(platform.machine())
        # A 32-bit interpreter on such a processor has other calls.
        self._processor = processor if sys.platform == "linux" and sys.maxsize > 1 << 32 else None
        if self._processor is None:
            return
        program = build(self._processor, 0)
        other = build(self._processor, 0xFFFFFFFF)
        self._pid_at = [at for at in range(4, len(program), 8) if program[at : at + 4] != other[at : at + 4]]
        self._buffer = ctypes.create_string_buffer(program, len(program))
        described = _Program(len(program) // 8, ctypes.addressof(self._buffer))
        self._described = described
        self._arguments = (
            ctypes.c_long(self._processor.seccomp),
            ctypes.c_uint(SECCOMP_SET_MODE_FILTER),
            ctypes.c_uint(SECCOMP_FILTER_FLAG_TSYNC),
            ctypes.byref(described),
        )

    def __bool__(self) -> bool:
        return self._processor is not None

    def restrict(self) -> tuple[str, ...]:
        """Install the filter for good, for all threads; new privileges must have been given up before."""
        if self._processor is None:
            return ()
        for at in self._pid_at:
            struct.pack_into("=I", self._buffer, at, os.getpid())
        return ("seccomp",) if linux.library().syscall(*self._arguments) == 0 else ()


def _condition(name: str, pid: int) -> list[bytes]:
    """What decides about a call by one of its arguments; always ends in a return."""
    allow, refuse = _instruction(RETURN, ALLOW), _instruction(RETURN, REFUSE)
    if name in ("mmap", "mprotect"):
        return [_argument(2), _instruction(IF_ANY_BIT, PROT_EXEC, 1, 0), allow, refuse]
    if name == "tgkill":
        return [_argument(0), _instruction(IF_EQUAL, pid, 1, 0), refuse, allow]
    commands = [_instruction(IF_EQUAL, command, len(FCNTL_COMMANDS) - at, 0) for at, command in enumerate(FCNTL_COMMANDS)]
    return [_argument(1), *commands, refuse, allow]


def _argument(index: int) -> bytes:
    return _instruction(LOAD, OFFSET_ARGUMENTS + 8 * index)


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
