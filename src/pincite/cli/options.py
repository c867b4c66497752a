"""Options and settings that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pincite.library import Library


@dataclass(frozen=True, slots=True)
class Settings:
    """What was said before the verb."""

    library: Path | None = None


LibraryOption = Annotated[Path | None, typer.Option("--library", metavar="PATH", help="As before the command.", hidden=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON instead, with a schema_version.")]


def open_library(context: typer.Context, library: Path | None) -> Library:
    """The library that is meant: the option after the verb, the one before it, the environment, the default."""
    from pincite.library import Library

    settings = context.find_object(Settings) or Settings()
    path = library or settings.library
    return Library(None if path is None else path.expanduser())
