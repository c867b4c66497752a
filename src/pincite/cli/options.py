"""Options and settings that several commands share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import output

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.model.limits import Limits


LAST_PAGE = 2**31 - 1
MANY_DOCUMENTS = 50


@dataclass(frozen=True, slots=True)
class Settings:
    """What was said before the verb."""

    library: Path | None = None


LibraryOption = Annotated[Path | None, typer.Option("--library", metavar="PATH", help="As before the command.", hidden=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON instead, with a schema_version.")]


def open_library(context: typer.Context, library: Path | None, limits: Limits | None = None) -> Library:
    """The library that is meant: the option after the verb, the one before it, the environment, the default."""
    from pincite.library import Library

    settings = context.find_object(Settings) or Settings()
    path = library or settings.library
    named = None if path is None else path.expanduser()
    return Library(named, limits=limits, on_wait=_say_that_it_waits, on_rebuild=_Rebuild().say)


def _say_that_it_waits() -> None:
    output.note("another process is writing to the library; waiting for it")


class _Rebuild:
    """Says once that something takes longer than a search does."""

    def __init__(self) -> None:
        self._has_said_so = False

    def say(self, done: int, total: int) -> None:
        if not self._has_said_so and total > MANY_DOCUMENTS:
            self._has_said_so = True
            output.note(f"the index of {output.plural(total, 'document')} is made anew once, since pincite was updated")


def page_range(value: str) -> tuple[int, int]:
    """`7`, `7-12` or `7-` as a first and a last page."""
    found = re.fullmatch(r"([0-9]{1,9})(-)?([0-9]{1,9})?", value)
    if found is None or (found[3] and not found[2]):
        raise typer.BadParameter(f"{value} is neither a page (7) nor a range of pages (7-12, 7-)", param_hint="--page")
    first = int(found[1])
    last = int(found[3]) if found[3] else LAST_PAGE if found[2] else first
    if not 1 <= first <= last:
        raise typer.BadParameter(f"{value} holds no page: pages count from 1, and ranges upwards", param_hint="--page")
    return first, last
