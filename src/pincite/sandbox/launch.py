"""How a child process comes to life, is killed and is reaped: today one exec a document.

`Runner` sees only `launch` and `Child`, so another way to have a process changes this module alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from pincite.errors import CrashError


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """How a process ended: either its exit code or the signal that killed it."""

    code: int | None = None
    signal: int | None = None


class Child:
    """A process in a session of its own, with three pipes; whoever holds it must call `reap`.

    `stdin` is non-blocking and writable, `stdout` and `stderr` are non-blocking and readable, all unbuffered.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._exit_descriptor: int | None = None
        self._status: ExitStatus | None = None
        self.stdin: BinaryIO = process.stdin  # type: ignore[assignment]
        self.stdout: BinaryIO = process.stdout  # type: ignore[assignment]
        self.stderr: BinaryIO = process.stderr  # type: ignore[assignment]
        for pipe in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(pipe.fileno(), False)
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._exit_descriptor = os.pidfd_open(process.pid)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_descriptor(self) -> int | None:
        """A descriptor that becomes readable when the process ends; None where the system has no such thing."""
        return self._exit_descriptor

    def has_exited(self) -> bool:
        """Whether the process has ended. It is not reaped by asking, so that its number stays taken."""
        if self._status is not None or self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody ignores SIGCHLD: the system has reaped it
            return True

    def kill(self) -> None:
        """Kill the process and everything in its group. Only until it is reaped: its number may be another's after that."""
        if self._process.returncode is not None:
            return
        # A group of which only the dead leader is left is an error on some systems.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> ExitStatus:
        """Kill what still runs of the group, wait for the process and close the pipes; the second call changes nothing."""
        if self._status is None:
            self.kill()
            code = self._process.wait()
            self._status = ExitStatus(signal=-code) if code < 0 else ExitStatus(code=code)
        if self._exit_descriptor is not None:
            descriptor, self._exit_descriptor = self._exit_descriptor, None
            os.close(descriptor)
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        return self._status


def launch(command: Sequence[str | os.PathLike[str]], env: Mapping[str, str]) -> Child:
    """Start `command` with `env` as its whole environment and no descriptor but its three pipes.

    Raises `CrashError` when the program can't be started.
    """
    try:
        process = subprocess.Popen(
            [os.fspath(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=dict(env),
            close_fds=True,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise CrashError(f"the reader process can't be started: {error}; check the installation") from error
    return Child(process)
