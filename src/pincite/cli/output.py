"""What every command writes: data on standard output, words about it on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

import typer

SCHEMA_VERSION = 1
"""The version of the shapes that `--json` writes; raised when one changes so that a reader would stumble."""

CLOSED_PIPE = 141
"""The exit code when nobody reads standard output any more: what a shell makes of SIGPIPE."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROLS_IN_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROLS_IN_JSON = re.compile("[\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    """A name or a message on one line, with everything that could steer a terminal written as an escape."""
    return _CONTROLS.sub(_escape, text)


def printable_text(text: str) -> str:
    """The same for text of several lines: line feeds and tabs stay."""
    return _CONTROLS_IN_TEXT.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    # A surrogate escape stands for one byte of a file name that is not UTF-8.
    return f"\\x{code - 0xDC00 if 0xDC80 <= code <= 0xDCFF else code:02x}"


def is_terminal(stream: TextIO) -> bool:
    return stream.isatty()


def has_style(stream: TextIO) -> bool:
    """Whether bold and colours are wanted there: on a terminal that can, unless NO_COLOR asks for none."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str, *, style: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if style and text else text


def dim(text: str, *, style: bool) -> str:
    return f"\x1b[2m{text}\x1b[0m" if style and text else text


def mark(text: str, spans: Iterable[tuple[int, int]], *, style: bool) -> str:
    """Verbatim text on one line of a terminal, with spans of it in bold; white space is one blank each time."""
    parts = []
    position = 0
    for start, end in spans:
        parts.append(_on_one_line(text[position:start]))
        parts.append(bold(_on_one_line(text[start:end]), style=style))
        position = end
    parts.append(_on_one_line(text[position:]))
    return "".join(parts)


def _on_one_line(text: str) -> str:
    return printable(re.sub(r"\s+", " ", text))


def write(text: str) -> None:
    """Write data to standard output; the command ends quietly when its reader has gone."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise typer.Exit(abandon_stdout()) from None


def write_line(text: str = "") -> None:
    write(text + "\n")


def write_json(payload: dict[str, Any]) -> None:
    """Write one JSON document: `schema_version` first, then the payload; control characters as escapes."""
    text = json.dumps({"schema_version": SCHEMA_VERSION, **payload}, ensure_ascii=False, indent=2)
    write_line(_CONTROLS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def note(message: str) -> None:
    """Say something to the person at the terminal, on standard error."""
    # Nobody may be listening there either; that must not change what the command does.
    try:
        sys.stderr.write(f"pincite: {printable(message)}\n")
        sys.stderr.flush()
    except OSError:
        pass


def abandon_stdout() -> int:
    """Let everything that is still written to standard output go nowhere; returns the exit code for that."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return CLOSED_PIPE


def prepare_streams() -> None:
    """Data is UTF-8 wherever it goes; a terminal with another encoding gets what it can show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            if not is_terminal(stream):
                reconfigure(encoding="utf-8", errors="backslashreplace")
            else:
                reconfigure(errors="backslashreplace")


def plural(count: int, noun: str) -> str:
    """`1 page`, `2 pages`, `1,200 pages`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
