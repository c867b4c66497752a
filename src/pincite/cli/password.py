"""Passwords of encrypted files: from a file or from the terminal, never from an argument that shows in the process list."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

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


def ask_password(name: str) -> str | None:
    """Ask at the terminal without showing what is typed; None where there is nobody to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    answer: str = typer.prompt(f"Password for {name}", hide_input=True, err=True, default="", show_default=False)
    return answer or None
