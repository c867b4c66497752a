"""docs/commands.md has a section for each command that names each of its arguments and options, and none besides."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pincite.cli.app import app
from pincite.sandbox.child import Options

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (pincite .+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
HIDDEN = "pincite pdftext"


def leaves(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with the words that call it."""
    if not hasattr(command, "commands"):
        yield name, command
        return
    for word, below in command.commands.items():
        yield from leaves(below, f"{name} {word}")


COMMANDS = dict(leaves(typer.main.get_command(app), "pincite"))


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    assert set(SECTIONS) == {*COMMANDS, HIDDEN}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_every_option(name: str) -> None:
    # `--help` is the same everywhere, and --library stands at the top of the page.
    expected = set()
    for parameter in COMMANDS[name].params:
        if parameter.param_type_name == "argument":
            expected.add(parameter.metavar or parameter.name.upper())
        else:
            expected.update(option for option in parameter.opts if option not in ("--help", "-h", "--library"))
    rows = re.findall(r"^\| (`.+?) \|", SECTIONS[name], re.MULTILINE)
    written = {word for row in rows for word in re.findall(r"`(-{1,2}[a-zA-Z][\w-]*|[A-Z]+)(?: [^`]*)?`", row)}
    assert written == expected


def test_the_child_s_options_are_all_there() -> None:
    written = re.findall(r"^\| `(-\S+) N` \|", SECTIONS[HIDDEN], re.MULTILINE)
    assert written == [f"-{name.replace('_', '-')}" for name in Options.__slots__]


def test_the_top_names_the_common_options() -> None:
    top = PAGE.partition("\n## ")[0]
    for word in ("--library", "PINCITE_LIBRARY", "--json", "NO_COLOR"):
        assert f"`{word}" in top
