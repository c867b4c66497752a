"""The zygote: has the engine or the renderer loaded and used once, and forks a confined child for each job. `sandbox.zygote`
has the messages.

One thread, one loop over one `poll`: the socket to the parent, the parent itself, and for each child its process descriptor
and its control. The zygote reads nothing of a PDF and nothing of a job. Once it has loaded what it needs it is confined
itself, but for what it takes to fork.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import resource
import select
import signal
import socket
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from pincite.sandbox.child.memory import fork, settle
from pincite.sandbox.child.pages import describe
from pincite.sandbox.child.work import Opener, carry_out, give_reason_of, load_engine, load_renderer
from pincite.sandbox.confine.linux import library
from pincite.sandbox.confine.steps import Confinement
from pincite.sandbox.job import decode_job
from pincite.sandbox.protocol import EXIT_FAILURE
from pincite.sandbox.zygote import ENDED, FAILED, MAX_PACKET, NUMBER, READY, RENDER, STARTED

SOCKET = 3
"""The descriptor of the socket to the parent; a child has its way out there."""

DESCRIPTORS_OF_A_JOB = 4
MAX_JOB = 1 << 16

MOST_DESCRIPTORS = 1 << 16
"""Enough for thousands of children, and few enough to close one by one where the kernel has no call for many."""

MOST_OF_LIBRARIES = 64
"""Descriptors that libraries open are looked for below this number."""

OUT_OF_MEMORY_SCORE = "900"
"""When the system runs out of memory, a child goes before the program that wants its text. Of 1000."""


@dataclass(frozen=True, slots=True)
class _Running:
    """A child: its number, its process descriptor and the control by which its parent hears of it."""

    pid: int
    handle: int
    control: int


class Server:
    """The loop; `serve` never returns."""

    def __init__(self, parent_handle: int, *, renders: bool) -> None:
        self._socket = socket.socket(fileno=SOCKET)
        self._parent_handle = parent_handle
        self._renders = renders
        self._poll = select.poll()
        self._children: dict[int, _Running] = {}
        self._open_document: Opener | None = None
        self._kept: list[int] = []
        self._most_descriptors = min(os.sysconf("SC_OPEN_MAX"), MOST_DESCRIPTORS)
        self._pid = os.getpid()

    def serve(self) -> NoReturn:
        """Load what is needed, say so, and fork until the parent is gone."""
        before = _open_descriptors()
        try:
            if self._renders:
                load_renderer()
            else:
                self._open_document = load_engine()
        except Exception as error:
            self._say(SOCKET, FAILED + describe(error).encode())
            os._exit(EXIT_FAILURE)
        # A source of random numbers.
        self._kept = sorted(_open_descriptors() - before)
        settle()
        self._confinement = Confinement()
        self._confinement.begin()
        self._say(SOCKET, READY)
        self._poll.register(SOCKET, select.POLLIN)
        self._poll.register(self._parent_handle, select.POLLIN)
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._parent_handle:
                    os._exit(0)
                elif descriptor == SOCKET:
                    self._take_job()
                elif descriptor in self._children:
                    self._attend(descriptor)

    def _take_job(self) -> None:
        try:
            request, descriptors, _, _ = socket.recv_fds(self._socket, MAX_PACKET, DESCRIPTORS_OF_A_JOB, socket.MSG_CMSG_CLOEXEC)
        except ConnectionError:
            request, descriptors = b"", []
        if not request:
            os._exit(0)  # the parent has closed its end
        try:
            if len(descriptors) == DESCRIPTORS_OF_A_JOB:
                self._fork(*descriptors)
        finally:
            for descriptor in descriptors:
                with contextlib.suppress(OSError):
                    os.close(descriptor)

    def _fork(self, control: int, source: int, output: int, messages: int) -> None:
        try:
            control = os.dup(control)
            pid = fork()
        except Exception as error:
            self._say(control, FAILED + describe(error).encode())
            return
        if pid == 0:
            self._become_child(control, source, output, messages)
        try:
            handle = os.pidfd_open(pid)
        except OSError as error:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            self._say(control, FAILED + describe(error).encode())
            os.close(control)
            return
        self._say(control, STARTED + NUMBER.pack(pid), handle)
        running = _Running(pid, handle, control)
        self._children[handle] = self._children[control] = running
        self._poll.register(handle, select.POLLIN)
        self._poll.register(control, 0)  # for the hang-up alone, which is always told

    def _attend(self, descriptor: int) -> None:
        """A child has ended, or whoever waits for it has gone."""
        running = self._children[descriptor]
        if descriptor == running.control:
            self._poll.unregister(running.control)
            signal.pidfd_send_signal(running.handle, signal.SIGKILL)
            return
        # What it may have started where no filter held it; its number is its own until it is reaped.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(running.pid, signal.SIGKILL)
        _, status = os.waitpid(running.pid, 0)
        self._say(running.control, ENDED + NUMBER.pack(status))
        for end in (running.handle, running.control):
            with contextlib.suppress(KeyError):
                self._poll.unregister(end)
            del self._children[end]
            os.close(end)

    def _say(self, descriptor: int, message: bytes, handle: int | None = None) -> None:
        """Send a packet; the receiver may be gone."""
        borrowed = socket.socket(fileno=descriptor)
        try:
            with contextlib.suppress(OSError):
                socket.send_fds(borrowed, [message], [] if handle is None else [handle], socket.MSG_DONTWAIT)
        finally:
            borrowed.detach()

    def _become_child(self, control: int, source: int, output: int, messages: int) -> NoReturn:
        code = EXIT_FAILURE
        try:
            os.setpgid(0, 0)
            job = decode_job(os.read(control, MAX_JOB))
            for descriptor, place in ((source, 0), (messages, 1), (messages, 2), (output, SOCKET)):
                os.dup2(descriptor, place)
            first = SOCKET + 1
            for kept in self._kept:
                os.closerange(first, kept)
                first = kept + 1
            os.closerange(first, self._most_descriptors)
            held = self._confinement.apply(job.max_memory_bytes, job.max_cpu_s)
            # The kernel kills this process with the zygote from now on, but not if that has died before.
            if os.getppid() == self._pid:
                code = carry_out(job, self._open_document, 0, SOCKET, held)
        except Exception as error:
            code = give_reason_of(error)
        finally:
            # Nothing is left to flush, and taking a large document apart in memory is time that somebody waits for.
            os._exit(code)


def _open_descriptors() -> set[int]:
    found = set()
    for descriptor in range(SOCKET + 1, MOST_OF_LIBRARIES):
        with contextlib.suppress(OSError):
            os.get_inheritable(descriptor)
            found.add(descriptor)
    return found


def serve(arguments: Sequence[str]) -> NoReturn:
    """Be a zygote. The arguments are the descriptor of the socket to the parent, the parent's number, and what to load:
    `text` or `render`."""
    descriptor, parent, what = int(arguments[0]), int(arguments[1]), arguments[2]
    _forget_the_caller()
    os.dup2(descriptor, SOCKET, inheritable=False)
    if descriptor != SOCKET:
        os.close(descriptor)
    parent_handle = os.pidfd_open(parent)
    if os.getppid() != parent:
        os._exit(0)
    Server(parent_handle, renders=what == RENDER).serve()


def _forget_the_caller() -> None:
    """Undo what an executed program inherits, and see to what all children are to have."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    os.chdir("/")
    os.umask(0o077)
    library()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:
        score.write(OUT_OF_MEMORY_SCORE)
    faulthandler.enable(2)
    # Two descriptors a child at work.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_DESCRIPTORS if most < 0 else min(most, MOST_DESCRIPTORS), most))
