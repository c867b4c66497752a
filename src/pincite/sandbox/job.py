"""What a child is asked to do: plain data, one JSON text, from the parent, whom the child trusts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from pincite.model.limits import Limits
from pincite.model.text import Order

DEFAULT_LIMITS = Limits()
MAX_PASSWORD = 1024

CPU_MARGIN_S = 5
"""Processor time over the deadline: the limit is for a child that nobody is there to kill."""


@dataclass(frozen=True, slots=True)
class TextTask:
    """The text of pages `first_page` (1-based) to `max_pages`, the document's own data before it: in an order, or as it looks.

    With `findings` what only these pages together show comes behind them.
    """

    first_page: int = 1
    max_pages: int = DEFAULT_LIMITS.max_pages
    order: Order = "reading"
    layout: bool = False
    findings: bool = False

    @property
    def is_of_default_text(self) -> bool:
        """Whether it is the text that spans count in."""
        return self.order == "reading" and not self.layout


@dataclass(frozen=True, slots=True)
class RenderTask:
    """A picture of one page (1-based), of `max_pixels` at most."""

    page: int
    dpi: float
    max_pixels: int
    grey: bool


@dataclass(frozen=True, slots=True)
class QuadsTask:
    """The places of the characters start..end-1 of one page's text (1-based page)."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TablesTask:
    """The tables of pages `first_page` to `last_page` (1-based); `whole` joins those that go on over a page break."""

    first_page: int = 1
    last_page: int = DEFAULT_LIMITS.max_pages
    whole: bool = True


Task = TextTask | RenderTask | QuadsTask | TablesTask

_TASKS: dict[str, type[TextTask] | type[RenderTask] | type[QuadsTask] | type[TablesTask]] = {
    "text": TextTask,
    "render": RenderTask,
    "quads": QuadsTask,
    "tables": TablesTask,
}
_NAMES = {kind: name for name, kind in _TASKS.items()}


@dataclass(frozen=True, slots=True)
class Job:
    """One task on one document, with the limits that the child itself sets or keeps."""

    task: Task = TextTask()
    password: str | None = field(default=None, repr=False)
    max_input_bytes: int = DEFAULT_LIMITS.max_input_bytes
    max_output_bytes: int = DEFAULT_LIMITS.max_output_bytes
    max_memory_bytes: int = DEFAULT_LIMITS.max_memory_bytes
    max_cpu_s: int = CPU_MARGIN_S + round(
        DEFAULT_LIMITS.deadline_s + DEFAULT_LIMITS.deadline_per_page_s * DEFAULT_LIMITS.max_pages
    )

    def __post_init__(self) -> None:
        if self.password is not None and len(self.password) > MAX_PASSWORD:
            raise ValueError(f"a password has {MAX_PASSWORD} characters at most")


def encode_job(job: Job) -> bytes:
    """The job as JSON in ASCII, a few hundred bytes; a password of the greatest length makes it some thousand."""
    return json.dumps({**_values(job), "task": [_NAMES[type(job.task)], _values(job.task)]}).encode("ascii")


def _values(data: Job | Task) -> dict[str, Any]:
    """As `asdict`, which copies whatever it finds, and takes ten times as long."""
    return {name: getattr(data, name) for name in data.__slots__}


def decode_job(data: bytes) -> Job:
    """The inverse of `encode_job`."""
    values = json.loads(data)
    name, task = values.pop("task")
    return Job(task=_TASKS[name](**task), **values)
