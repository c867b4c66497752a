"""docs/errors.md has an entry for each slug, and none besides."""

from __future__ import annotations

import re
from pathlib import Path

from pincite import errors

PAGE = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")


def classes(kind: type[errors.PinciteError] = errors.PinciteError) -> list[type[errors.PinciteError]]:
    """The class and all under it, wherever they are defined."""
    return [kind, *(below for child in kind.__subclasses__() for below in classes(child))]


def test_every_slug_has_an_entry_and_every_entry_is_a_slug() -> None:
    slugs = {slug for kind in classes() for slug in kind.slugs}
    assert set(re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)) == slugs


def test_the_table_names_the_class_of_each_slug() -> None:
    rows = dict(re.findall(r"^\| `(\w+)`[^|]*\| (.*) \|$", PAGE, re.MULTILINE))
    for kind in classes():
        assert re.findall(r"\[`(\w+)`\]\(#\1\)", rows[kind.__name__]) == list(kind.slugs), kind
