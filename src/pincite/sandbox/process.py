"""A child process as the parent sees it, whichever way it was started."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import BinaryIO


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended: either its exit code or the signal that killed it.

    `is_lost` where that was because the process that it was forked from died: its end says nothing of the document.
    """

    code: int | None = None
    signal: int | None = None
    is_lost: bool = False


class Child(ABC):
    """A running process; whoever holds it must call `reap`.

    `stdout` and `stderr` are the reading ends of pipes, non-blocking and unbuffered. `stdin` is the writing end of one, or
    None for a child that has its input already.
    """

    stdin: BinaryIO | None
    stdout: BinaryIO
    stderr: BinaryIO

    @property
    @abstractmethod
    def pid(self) -> int: ...

    @property
    @abstractmethod
    def exit_descriptor(self) -> int | None:
        """A descriptor that becomes readable when the process has ended; None where the system has no such thing."""

    @abstractmethod
    def has_exited(self) -> bool:
        """Whether the process has ended. It is not reaped by asking, so that its number stays taken."""

    @abstractmethod
    def kill(self) -> None:
        """Kill the process and what it started. Does nothing once it has ended."""

    @abstractmethod
    def reap(self) -> ExitStatus:
        """Kill what still runs of it, wait for its end and close the descriptors; the second call changes nothing."""
