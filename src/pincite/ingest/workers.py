"""Threads that drive the reader processes."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Workers(Generic[Result]):
    """A fixed number of threads that run what they are given, first come first served.

    Unlike those of `concurrent.futures` they are daemons: somebody who presses Ctrl-C twice is not made to wait for a
    document at work, and its process dies with the thread.
    """

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[tuple[Future[Result], Callable[[], Result]] | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"pincite-ingest-{n}", daemon=True) for n in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Callable[[], Result]) -> Future[Result]:
        """Have a task run; its result or exception is in the future."""
        future: Future[Result] = Future()
        self._tasks.put((future, task))
        return future

    def close(self) -> None:
        """Let the threads end when they have done what they were given."""
        for _ in self._threads:
            self._tasks.put(None)

    def _work(self) -> None:
        while (item := self._tasks.get()) is not None:
            future, task = item
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = task()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
