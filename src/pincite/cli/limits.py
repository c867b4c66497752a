"""The limits under which a document is read, as options of a command."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

import typer

from pincite.model.limits import MIB, Limits

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,9})?) ?([kmgt]?)(?:i?b)?", re.IGNORECASE)
_DEFAULTS = Limits()
MOST_SECONDS = 1e7
LEAST_MEMORY = 16 * MIB
MOST_MEMORY = 1 << 50


def parse_size(text: str) -> int:
    """Bytes from `4096`, `200M`, `1.5 GiB`; K, M, G and T are powers of 1024."""
    match = _SIZE.fullmatch(text.strip())
    size = 0 if match is None else int(float(match[1]) * _UNITS[match[2].lower()])
    if size < 1:
        raise typer.BadParameter(f"{text} is no size: write bytes, or 200M, or 1.5G")
    return size


def parse_seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise typer.BadParameter(f"{text} is no time: write seconds, as in 90 or 0.5")
    return seconds


def _parse_memory(text: str) -> int:
    """A size that a process can be held to, and can begin with."""
    size = parse_size(text)
    if not LEAST_MEMORY <= size <= MOST_MEMORY:
        raise typer.BadParameter(f"{text} is no memory to read a document in: write {LEAST_MEMORY // MIB}M or more")
    return size


def _size(flag: str, help_text: str, default: int, parse: Callable[[str], int] = parse_size) -> Any:
    shown = f"{default // MIB}M" if default % MIB == 0 else str(default)
    option = typer.Option(flag, metavar="SIZE", parser=parse, help=f"{help_text} (default: {shown}).")
    return Annotated[int | None, option]


def _seconds(flag: str, help_text: str, default: float) -> Any:
    option = typer.Option(flag, metavar="SECONDS", parser=parse_seconds, help=f"{help_text} (default: {default:g}).")
    return Annotated[float | None, option]


_PAGES = typer.Option(
    "--max-pages", metavar="N", min=1, max=10_000_000, help=f"Pages read of a document (default: {_DEFAULTS.max_pages})."
)

LIMIT_OPTIONS: dict[str, Any] = {
    "max_pages": Annotated[int | None, _PAGES],
    "max_input_bytes": _size("--max-input", "Greatest file that is read", _DEFAULTS.max_input_bytes),
    "stall_s": _seconds("--stall", "Longest time without a finished page", _DEFAULTS.stall_s),
    "deadline_s": _seconds("--deadline", "Time for a whole document", _DEFAULTS.deadline_s),
    "deadline_per_page_s": _seconds("--deadline-per-page", "Time on top for each of its pages", _DEFAULTS.deadline_per_page_s),
    "max_memory_bytes": _size("--memory", "Memory of the process that reads it", _DEFAULTS.max_memory_bytes, _parse_memory),
    "max_output_bytes": _size("--max-output", "Text taken of a document", _DEFAULTS.max_output_bytes),
    "max_stderr_bytes": _size("--max-stderr", "Messages kept of the process that reads it", _DEFAULTS.max_stderr_bytes),
}
"""An option for each field of `Limits`."""


def with_limits(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each limit; the command itself takes `limits`, a `Limits`, by keyword."""

    @functools.wraps(command)
    def wrapped(*arguments: Any, **options: Any) -> None:
        given = {name: options.pop(name) for name in LIMIT_OPTIONS}
        command(*arguments, limits=Limits(**{name: value for name, value in given.items() if value is not None}), **options)

    signature = inspect.signature(command, eval_str=True)
    own = [parameter for parameter in signature.parameters.values() if parameter.name != "limits"]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=LIMIT_OPTIONS[name])
        for name in (field.name for field in fields(Limits))
    ]
    wrapped.__signature__ = signature.replace(parameters=[*own, *added])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *added)}
    return wrapped
