"""A child that is a program of its own: the way on every system, at the cost of an interpreter's start a document."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import BinaryIO

from pincite.errors import CrashError
from pincite.sandbox.process import Child, ExitStatus


class SpawnedChild(Child):
    """A process in a session of its own, with three pipes; `stdin` is non-blocking, too."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._exit_descriptor: int | None = None
        self._status: ExitStatus | None = None
        self.stdin: BinaryIO = process.stdin  # type: ignore[assignment]
        self.stdout = process.stdout  # type: ignore[assignment]
        self.stderr = process.stderr  # type: ignore[assignment]
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
        return self._exit_descriptor

    def has_exited(self) -> bool:
        if self._status is not None or self._process.returncode is not None:
            return True
        if not hasattr(os, "waitid"):
            return self._process.poll() is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody ignores SIGCHLD: the system has reaped it
            return True

    def kill(self) -> None:
        # Everything in its group; only until it is reaped, since its number may be another's after that.
        if self._process.returncode is not None:
            return
        # A group of which only the dead leader is left is an error on some systems.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> ExitStatus:
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


def spawn(command: Sequence[str | os.PathLike[str]], env: Mapping[str, str]) -> SpawnedChild:
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
    return SpawnedChild(process)
