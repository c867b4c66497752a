"""The parent's handle on the zygote: a small process that has the engine loaded and forks a child for each document.

The zygote (`child.server`) is this interpreter executed anew, with an empty environment and one thread, never a fork of the
caller. Pictures come from a second one, which has the renderer loaded instead of the engine, and which most programs never
start. What passes between parent and zygote, over a socket pair that keeps packets apart:

    parent ▶ zygote     `FORK` with four descriptors: control, the PDF, the child's output, the child's messages
    zygote ▶ parent     `READY` once, or `FAILED` and why before it ends
    control             a socket pair a job. The job itself waits in it for the child, so that no password passes through
                        the zygote; back come `STARTED` and the pid with a process descriptor, or `FAILED` and why, and at
                        the end `ENDED` and the wait status

A parent that closes its end of a control has its child killed. When the zygote dies its children are killed by the kernel,
the controls end, and the next job starts another zygote. When the parent dies the zygote ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from pincite.errors import CrashError
from pincite.sandbox.job import Job, RenderTask, encode_job
from pincite.sandbox.process import Child, ExitStatus

FORK = b"J"
READY, FAILED, STARTED, ENDED = b"R", b"F", b"S", b"E"
NUMBER = struct.Struct("=i")

MAX_PACKET = 4096
TEXT, RENDER = "text", "render"
DEFAULT_COMMAND = (sys.executable, "-I", "-m", "pincite.sandbox", "zygote")

START_TIMEOUT_S = 60.0
"""For a zygote to start and fork, on a machine that is very busy. It is waited for once a document."""

REAP_TIMEOUT_S = 10.0
"""For a zygote to tell how a killed child ended, and for itself to end."""

ATTEMPTS = 3
"""Zygotes tried for one job that has not begun, in case that somebody kills them."""


LOST = ExitStatus(signal=int(signal.SIGKILL), is_lost=True)
"""The end of a child whose zygote died: the kernel kills it."""


class ZygoteUnavailableError(Exception):
    """No zygote can be had here; each document needs a process executed for it."""


class _GoneError(Exception):
    """A zygote died before it began with a job."""

    def __init__(self, has_worked: bool) -> None:
        super().__init__()
        self.has_worked = has_worked


@dataclass(eq=False, slots=True)
class _Server:
    """A running zygote."""

    process: subprocess.Popen[bytes]
    socket: socket.socket
    has_worked: bool = False


class ForkedChild(Child):
    """A child of the zygote. It has its input already."""

    def __init__(self, zygote: Zygote, server: _Server, pid: int, handle: int, control: socket.socket, pipes: _Pipes) -> None:
        self._zygote = zygote
        self._server = server
        self._pid = pid
        self._owner = os.getpid()
        self._handle = handle
        self._control = control
        self._status: ExitStatus | None = None
        self.stdin: BinaryIO | None = None
        self.stdout, self.stderr = pipes.take()

    @property
    def pid(self) -> int:
        return self._pid

    @property
    def exit_descriptor(self) -> int | None:
        return None if self._control.fileno() < 0 else self._control.fileno()

    def has_exited(self) -> bool:
        return self._status is not None or _is_ready(self._control.fileno(), 0)

    def kill(self) -> None:
        # A fork of the parent has no business with it.
        if self._handle >= 0 and self._owner == os.getpid():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def reap(self) -> ExitStatus:
        if self._status is None:
            self.kill()
            self._status = self._wait() if self._owner == os.getpid() else LOST
        self._control.close()
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
        self.stdout.close()
        self.stderr.close()
        return self._status

    def _wait(self) -> ExitStatus:
        """Until the zygote has reaped the child; without a zygote, until the child has ended.

        A killed child that does not end waits for a file system that does not answer. That is not the zygote's fault, which
        has other children; it reaps this one whenever it ends.
        """
        try:
            self._control.settimeout(REAP_TIMEOUT_S)
            message = self._control.recv(MAX_PACKET)
        except TimeoutError:
            if not _is_ready(self._handle, 0):
                return LOST
            message = b""
        except OSError:
            message = b""
        if message[:1] == ENDED:
            code = os.waitstatus_to_exitcode(NUMBER.unpack(message[1:])[0])
            return ExitStatus(signal=-code) if code < 0 else ExitStatus(code=code)
        self._zygote.discard(self._server)
        _is_ready(self._handle, REAP_TIMEOUT_S)
        return LOST


class Zygote:
    """Starts the zygote process when it is first needed, and again when it has died. Safe for several threads.

    `command` is its program; the number of its socket and of this process are added, and what it is to load. The zygote ends
    with `close`, with the interpreter, or when this process dies. A fork of this process starts a zygote of its own.
    """

    def __init__(self, command: Sequence[str | os.PathLike[str]] = DEFAULT_COMMAND, what: str = TEXT) -> None:
        self.command = tuple(os.fspath(part) for part in command)
        self._what = what
        self._renderer: Zygote | None = None
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._why_not: str | None = None
        _zygotes.add(self)

    @property
    def pid(self) -> int | None:
        """The number of the zygote process, None where none runs."""
        server = self._server
        return None if server is None else server.process.pid

    @property
    def renderer(self) -> Zygote:
        """The zygote of the same program that has the renderer loaded."""
        with self._lock:
            if self._renderer is None:
                self._renderer = Zygote(self.command, RENDER)
            return self._renderer

    def fork(self, job: Job, source: int) -> ForkedChild:
        """Have a child forked that does `job` on the PDF behind the descriptor `source`.

        The child reads `source` from its start, and shares the descriptor's position with others that hold it. Raises
        `ZygoteUnavailableError` where a zygote never came to work, and `CrashError` where the fork itself fails.
        """
        if isinstance(job.task, RenderTask) and self._what != RENDER:
            return self.renderer.fork(job, source)
        for _ in range(ATTEMPTS):
            try:
                return self._fork(job, source)
            except _GoneError as error:
                has_worked = error.has_worked
        message = "the process that starts reader processes died again and again; see what kills it, and try again"
        if has_worked:
            raise CrashError(message)
        self._why_not = message
        raise ZygoteUnavailableError(message)

    def close(self) -> None:
        """End the zygote and its children; the next job starts another."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            _end(server)
        if self._renderer is not None:
            self._renderer.close()

    def discard(self, server: _Server) -> None:
        """Make sure that a zygote is gone, and leave it: it has died, or does not answer."""
        with self._lock:
            if self._server is server:
                self._server = None
        server.process.kill()
        _end(server)

    def forget(self) -> None:
        """In a fork of this process: leave the zygote to its parent."""
        self._lock = threading.Lock()
        server, self._server = self._server, None
        if server is not None:
            server.socket.close()
            server.process.returncode = 0  # not ours to wait for

    def _fork(self, job: Job, source: int) -> ForkedChild:
        with contextlib.ExitStack() as stack:
            control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.callback(control.close)
            with theirs, _Pipes() as pipes:
                control.send(encode_job(job))
                server = self._send([theirs.fileno(), source, pipes.output, pipes.messages])
                theirs.close()
                pipes.close_theirs()
                pid, handle = self._wait_for_start(server, control)
                stack.pop_all()
                return ForkedChild(self, server, pid, handle, control, pipes)

    def _send(self, descriptors: list[int]) -> _Server:
        with self._lock:
            server = self._server
            if server is None:
                server = self._server = self._start()
            try:
                socket.send_fds(server.socket, [FORK], descriptors)
            except OSError:
                pass
            else:
                return server
        raise self._give_up(server)

    def _start(self) -> _Server:
        if self._why_not is not None:
            raise ZygoteUnavailableError(self._why_not)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                process = subprocess.Popen(
                    [*self.command, str(theirs.fileno()), str(os.getpid()), self._what],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env={},
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            except BaseException as error:
                ours.close()
                if isinstance(error, OSError | ValueError):
                    raise CrashError(f"the reader process can't be started: {error}; check the installation") from error
                raise
        return _Server(process, ours)

    def _wait_for_start(self, server: _Server, control: socket.socket) -> tuple[int, int]:
        control.settimeout(START_TIMEOUT_S)
        try:
            message, descriptors, _, _ = socket.recv_fds(control, MAX_PACKET, 1, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            message, descriptors = b"", []
        if message[:1] == STARTED and descriptors:
            server.has_worked = True
            return NUMBER.unpack(message[1:])[0], descriptors[0]
        for descriptor in descriptors:
            os.close(descriptor)
        if message[:1] == FAILED:
            raise CrashError(f"no reader process can be started: {message[1:].decode()}; close other programs, and try again")
        raise self._give_up(server)

    def _give_up(self, server: _Server) -> Exception:
        """Leave a zygote that does not answer, for good where it says that it can't work; returns the error to raise."""
        why = _last_words(server)
        self.discard(server)
        if why is None or server.has_worked:
            return _GoneError(server.has_worked)
        self._why_not = why
        return ZygoteUnavailableError(why)


class _Pipes:
    """The two pipes of a child; closes what is not taken out of it."""

    def __init__(self) -> None:
        self._ours: list[BinaryIO] = []
        self._theirs: list[int] = []
        try:
            for _ in range(2):
                reader, writer = os.pipe()
                self._theirs.append(writer)
                os.set_blocking(reader, False)
                self._ours.append(open(reader, "rb", buffering=0))  # noqa: SIM115
        except BaseException:
            self.__exit__()
            raise
        self.output, self.messages = self._theirs

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close_theirs()
        for pipe in self._ours:
            pipe.close()

    def close_theirs(self) -> None:
        theirs, self._theirs = self._theirs, []
        for descriptor in theirs:
            os.close(descriptor)

    def take(self) -> tuple[BinaryIO, BinaryIO]:
        output, messages = self._ours
        self._ours = []
        return output, messages


def is_supported() -> bool:
    """Whether this system has what a zygote needs: fork, packet sockets, process descriptors, memory files."""
    needed = (
        (os, "fork"), (os, "pidfd_open"), (os, "memfd_create"), (signal, "pidfd_send_signal"), (socket, "SOCK_SEQPACKET"),
        (socket, "send_fds"),
    )  # fmt: skip
    if sys.platform != "linux" or not all(hasattr(module, name) for module, name in needed):
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:  # a kernel before 5.3, or one that is told to refuse it
        return False
    return True


def _last_words(server: _Server) -> str | None:
    """Why a zygote ended by itself, as it said; None where it said nothing."""
    server.socket.setblocking(False)
    with contextlib.suppress(OSError):
        while message := server.socket.recv(MAX_PACKET):
            if message[:1] == READY:
                server.has_worked = True
            elif message[:1] == FAILED:
                return message[1:].decode("utf-8", "replace")
    return None


def _end(server: _Server) -> None:
    server.socket.close()
    try:
        server.process.wait(REAP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()


def _is_ready(descriptor: int, timeout_s: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(1000 * timeout_s))


_zygotes: weakref.WeakSet[Zygote] = weakref.WeakSet()
_shared = Zygote()


def shared() -> Zygote:
    """The zygote of this process, for all who have no reason for one of their own."""
    return _shared


def _close_all() -> None:
    for zygote in list(_zygotes):
        zygote.close()


def _forget_all() -> None:
    for zygote in list(_zygotes):
        zygote.forget()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
