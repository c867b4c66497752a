"""Running commands in this process, with their JSON held against its schema."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pincite.cli import main

SCHEMAS = {
    path.name.removesuffix(".schema.json"): json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[2] / "schemas").glob("*.schema.json"))
}
USED: set[str] = set()
"""The schemas that some output was held against in this process."""


def hold_against_schema(told: Any, arguments: tuple[str, ...]) -> None:
    """Hold what a command wrote with --json against the schema of that command."""
    verb = arguments[0]
    if verb == "inspect":
        verb = f"inspect-{arguments[1]}"
    elif "--failed" in arguments and verb == "list":
        verb = "list-failed"
    USED.add(verb)
    jsonschema.validate(told, SCHEMAS[verb], cls=jsonschema.Draft202012Validator)


class Cli:
    """Runs commands in this process; `out` and `err` are what the last one wrote."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = ""
        self.err = ""

    def __call__(self, *arguments: str | Path) -> int:
        self._capsys.readouterr()
        code = main([os.fspath(argument) for argument in arguments])
        self.out, self.err = self._capsys.readouterr()
        return code

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        """What a command writes with --json."""
        assert self(*arguments, "--json") == code
        told = json.loads(self.out)
        hold_against_schema(told, tuple(map(os.fspath, arguments)))
        return told

    def json_lines(self, *arguments: str | Path, code: int = 0) -> list[Any]:
        """The same for a command that writes a line for each event."""
        assert self(*arguments, "--json") == code
        told = [json.loads(line) for line in self.out.splitlines()]
        for line in told:
            hold_against_schema(line, tuple(map(os.fspath, arguments)))
        return told
