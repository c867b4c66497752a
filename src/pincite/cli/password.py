"""Passwords of encrypted files: from a file or from the terminal, never from an argument that shows in the process list."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from pincite.cli import output
from pincite.errors import EncryptedError

T = TypeVar("T")

MAX_BYTES = 4096
PASSWORD_TRIES = 3

PasswordFileOption = Annotated[
    Path | None,
    typer.Option("--password-file", metavar="FILE", help="A file whose first line is the password of encrypted files."),
]


def read_password(file: Path | None) -> str | None:
    """The first line of the file without its end, as UTF-8; None where no file is named."""
    if file is None:
        return None
    try:
        with file.open("rb") as opened:
            line = opened.readline(MAX_BYTES)
        return line.rstrip(b"\r\n").decode("utf-8")
    except UnicodeDecodeError as error:
        raise typer.BadParameter(f"{file} is not UTF-8", param_hint="--password-file") from error
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror or error}", param_hint="--password-file") from error


def with_password(act: Callable[[str | None], T], name: str, file: Path | None) -> T:
    """The result of `act`, called with the password of `file`, or with what is asked for as often as a file needs another.

    `name` is what the password is for. Raises `EncryptedError` where nobody knows it.
    """
    password = read_password(file)
    for tries_left in range(PASSWORD_TRIES, -1, -1):
        try:
            return act(password)
        except EncryptedError:
            password = ask_password(name, again=password is not None) if tries_left and file is None else None
            if password is None:
                raise
    raise AssertionError("the last try raises")


def ask_password(name: str, *, again: bool = False) -> str | None:
    """Ask at the terminal without showing what is typed, `again` after another answer; None where there is nobody to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    if again:
        output.note("that password does not open it: try another one")
    answer: str = typer.prompt(f"Password for {name}", hide_input=True, err=True, default="", show_default=False)
    return answer or None
