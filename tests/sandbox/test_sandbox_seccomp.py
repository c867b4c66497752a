"""The filter of system calls, run instruction by instruction for both processors; its numbers against the kernel's headers."""

from __future__ import annotations

import ctypes
import os
import re
import struct
from pathlib import Path
from typing import Any

import pytest

from pincite.sandbox.confine import landlock
from pincite.sandbox.confine.seccomp import ALLOW, ALLOWED, CONDITIONS, KILL_PROCESS, PROCESSORS, REFUSE, Filter, build

PID = 4321
X86, ARM = PROCESSORS["x86_64"], PROCESSORS["aarch64"]
HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"#define __NR_(\w+) (\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"#define __NR(?:3264)?_(\w+) (\d+)"),
}
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


def verdict(program: bytes, number: int, architecture: int, *arguments: int) -> int:
    """What the kernel would do: the classic packet filter's instructions that the program uses."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(argument & (1 << 64) - 1 for argument in padded))
    instructions = list(struct.iter_unpack("<HBBI", program))
    position, accumulator = 0, 0
    while True:
        code, if_true, if_false, value = instructions[position]
        position += 1
        if code == LOAD:
            assert value % 4 == 0
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == RETURN:
            return int(value)
        else:
            holds = {EQUAL: accumulator == value, AT_LEAST: accumulator >= value, ANY_BIT: bool(accumulator & value)}[code]
            position += if_true if holds else if_false


@pytest.fixture(params=["x86_64", "aarch64"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_only_the_table_is_allowed(name: str) -> None:
    processor = PROCESSORS[name]
    program = build(processor, PID)
    allowed = {numbers[processor.column]: call for call, numbers in ALLOWED.items()}
    assert len(allowed) == len(ALLOWED)
    for number in range(1024):
        if allowed.get(number) in CONDITIONS:
            continue
        expected = ALLOW if number in allowed else REFUSE
        assert verdict(program, number, processor.architecture) == expected, number
    assert verdict(program, 0xFFFFFFFF, processor.architecture) == (KILL_PROCESS if name == "x86_64" else REFUSE)


def test_another_architecture_ends_the_process(name: str) -> None:
    program = build(PROCESSORS[name], PID)
    for architecture in (0x40000003, 0x40000028, X86.architecture, ARM.architecture, 0):
        if architecture != PROCESSORS[name].architecture:
            assert verdict(program, ALLOWED["read"][PROCESSORS[name].column], architecture) == KILL_PROCESS


def test_the_x32_numbers_end_the_process() -> None:
    program = build(X86, PID)
    for number in ALLOWED.values():
        assert verdict(program, 0x40000000 | number[0], X86.architecture) == KILL_PROCESS


@pytest.mark.parametrize(
    ("call", "arguments", "allowed"),
    [
        ("mmap", (0, 4096, 3), True),
        ("mmap", (0, 4096, 5), False),
        ("mmap", (0, 4096, 7), False),
        ("mprotect", (4096, 4096, 1), True),
        ("mprotect", (4096, 4096, 4), False),
        ("mprotect", (4096, 4096, 0x1000005), False),
        ("tgkill", (PID, PID, 6), True),
        ("tgkill", (PID, 999, 6), True),
        ("tgkill", (1, PID, 6), False),
        ("tgkill", (0, 0, 9), False),
        ("tgkill", (-1, -1, 9), False),
        ("fcntl", (3, 0), True),
        ("fcntl", (3, 1), True),
        ("fcntl", (3, 2, 1), True),
        ("fcntl", (3, 3), True),
        ("fcntl", (3, 1030, 0), True),
        ("fcntl", (3, 4, 0o20000), False),
        ("fcntl", (3, 8, 1), False),
        ("fcntl", (3, 10, 9), False),
        ("fcntl", (3, 15, 1), False),
        ("fcntl", (3, 1031, 1 << 20), False),
        ("fcntl", (3, 1033, 1), False),
    ],
)
def test_conditions(name: str, call: str, arguments: tuple[int, ...], allowed: bool) -> None:
    processor = PROCESSORS[name]
    found = verdict(build(processor, PID), ALLOWED[call][processor.column], processor.architecture, *arguments)
    assert found == (ALLOW if allowed else REFUSE)


def test_the_numbers_are_the_kernel_s(name: str) -> None:
    header, pattern = HEADERS[name]
    if not header.is_file():
        pytest.skip(f"{header} is not here: apt install linux-libc-dev")
    text = header.read_text()
    numbers = {found[0]: int(found[1]) for found in re.findall(pattern, text)}
    column = PROCESSORS[name].column
    assert {call: number[column] for call, number in ALLOWED.items()} == {call: numbers[call] for call in ALLOWED}
    assert PROCESSORS[name].seccomp == numbers["seccomp"]


def test_nothing_that_reaches_outside_is_in_the_table() -> None:
    words = "open stat socket connect send fork clone exec kill ptrace link mount ioctl prctl".split()  # noqa: SIM905
    found = {call for call in ALLOWED if any(word in call for word in words)}
    assert found == {"fstat", "tgkill"}  # a descriptor alone; to itself alone


def test_landlock_handles_all_that_its_version_knows() -> None:
    assert [len(landlock.attributes(version)) for version in range(8)] == [0, 8, 8, 8, 16, 16, 24, 24]
    rights = [struct.unpack_from("Q", landlock.attributes(version))[0] for version in range(1, 8)]
    assert rights == [0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF, 0xFFFF, 0xFFFF]


def test_the_filter_is_for_the_process_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, processor in PROCESSORS.items():
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        prepared = Filter()
        assert prepared
        installed = []
        monkeypatch.setattr("pincite.sandbox.confine.linux.library", lambda: Library(installed))  # noqa: B023
        assert prepared.restrict() == ("seccomp",)
        assert installed == [(processor.seccomp, build(processor, os.getpid()))]
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert not Filter()
    assert Filter().restrict() == ()


class Library:
    """A C library that takes notes instead of installing a filter."""

    def __init__(self, installed: list[tuple[int, bytes]]) -> None:
        self._installed = installed

    def syscall(self, number: Any, operation: Any, flags: Any, described: Any) -> int:
        program = described._obj
        self._installed.append((number.value, ctypes.string_at(program.filter, 8 * program.length)))
        assert (operation.value, flags.value) == (1, 1)
        return 0
