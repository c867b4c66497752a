"""What every command writes: data on standard output, words about it on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import typer

SCHEMA_VERSION = 1
"""The version of the shapes that `--json` writes; raised when one changes so that a reader would stumble."""

STANDARD_OUTPUT = "standard output"

CLOSED_PIPE = 141
"""The exit code when nobody reads standard output any more: what a shell makes of SIGPIPE."""

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROLS_IN_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_HAN_AND_KANA = "\u3005-\u3007\u3021-\u9fff\uf900-\ufaff"
_HANGUL = "\uac00-\ud7a3"
# A line end between two characters of a script without spaces; Hangul has spaces, so there it may have been one.
_BROKEN_LINE = re.compile(f"\n(?<=[{_HAN_AND_KANA}]\n)(?=[{_HAN_AND_KANA}])")
_BROKEN_WORD = re.compile(f"\n(?<=[{_HAN_AND_KANA}{_HANGUL}]\n)(?=[{_HAN_AND_KANA}{_HANGUL}])")
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


LINKING_TERMINALS = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"}
LINKING_TERMS = ("xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour")


def has_links(stream: TextIO) -> bool:
    """Whether the terminal there is known to make links of OSC 8 sequences; FORCE_HYPERLINK=1 or 0 decides for others."""
    if not has_style(stream):
        return False
    environment = os.environ
    if (forced := environment.get("FORCE_HYPERLINK")) is not None:
        return forced not in ("", "0")
    if any(variable in environment for variable in ("KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "KONSOLE_VERSION")):
        return True
    if environment.get("VTE_VERSION", "").isdigit() and int(environment["VTE_VERSION"]) >= 5000:
        return True
    return environment.get("TERM_PROGRAM") in LINKING_TERMINALS or environment.get("TERM", "").startswith(LINKING_TERMS)


def linked(text: str, target: str | None) -> str:
    """Text that opens `target` on a terminal that has links."""
    return text if target is None else f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\"


def bold(text: str, *, style: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if style and text else text


def dim(text: str, *, style: bool) -> str:
    return f"\x1b[2m{text}\x1b[0m" if style and text else text


def mark(text: str, spans: Iterable[tuple[int, int]], *, style: bool) -> str:
    """Verbatim text on one line of a terminal, with spans of it in bold; white space is one blank each time.

    A word that a line end breaks without a hyphen, as Korean, Chinese and Japanese ones are, is whole where it was found.
    """
    parts = []
    position = 0
    for start, end in spans:
        parts.append(_on_one_line(text[position:start]))
        parts.append(bold(_on_one_line(_BROKEN_WORD.sub("", text[start:end])), style=style))
        position = end
    parts.append(_on_one_line(text[position:]))
    return "".join(parts)


def _on_one_line(text: str) -> str:
    return printable(re.sub(r"\s+", " ", _BROKEN_LINE.sub("", text)))


def write(text: str) -> None:
    """Write data to standard output; the command ends quietly when its reader has gone."""
    with _named():
        sys.stdout.write(text)


def flush() -> None:
    """Have standard output take what was written, which shows whether it can."""
    with _named():
        sys.stdout.flush()


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise typer.Exit(abandon_stdout()) from None
    except OSError as error:
        error.filename = STANDARD_OUTPUT
        raise


def write_line(text: str = "") -> None:
    write(text + "\n")


def write_json(payload: dict[str, Any]) -> None:
    """Write one JSON document: `schema_version` first, then the payload; control characters as escapes."""
    write_line(_escaped(json.dumps({"schema_version": SCHEMA_VERSION, **payload}, ensure_ascii=False, indent=2)))


def write_json_line(payload: dict[str, Any]) -> None:
    """The same on one line, at once: one of many that come while a command is at work."""
    write_line(_escaped(json.dumps({"schema_version": SCHEMA_VERSION, **payload}, ensure_ascii=False)))
    flush()


def write_error(slug: str, message: str, exit_code: int) -> None:
    """An error as one line of JSON, which stands instead of what the command would have written, or ends it."""
    write_json_line({"error": {"slug": slug, "message": message, "exit_code": exit_code}})


def _escaped(text: str) -> str:
    return _CONTROLS_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


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


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for wide characters, none for marks on others (UAX 11)."""
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) - marks + wide


def plural(count: int, noun: str) -> str:
    """`1 page`, `2 pages`, `1,200 pages`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
