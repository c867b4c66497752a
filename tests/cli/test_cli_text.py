"""`pincite text` in other orders and as the page looks, through the real sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from support.cli import Cli
from support.layouts import Line, column, draw_across, prose, texts
from support.sheet import Sheet
from support.tagged import artifact, mark, tagged

LEFT, RIGHT = column(72, 700, prose(20)), column(320, 700, prose(20, start=17))


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    sheet = Sheet()
    sheet.add(draw_across(LEFT, RIGHT))
    path = tmp_path / "columns.pdf"
    path.write_bytes(sheet.writer.write())
    return path


@pytest.fixture
def tags(tmp_path: Path) -> Path:
    sheet = Sheet()
    one, two, other = (Line(72, y, text).content() for y, text in ((700, "one"), (680, "two"), (660, "other")))
    sheet.add(artifact(Line(72, 760, "head").content()) + mark(1, two) + mark(0, one) + other)
    sheet.add(Line(72, 700, "untagged").content())
    tagged(sheet, ("P", [0]), ("P", [1]))
    path = tmp_path / "tags.pdf"
    path.write_bytes(sheet.writer.write())
    return path


def test_the_order_of_reading_and_of_the_content(cli: Cli, columns: Path) -> None:
    assert cli("text", columns) == 0
    assert cli.out == texts(LEFT, RIGHT) + "\n"
    assert cli("text", columns, "--order", "content") == 0
    assert cli.out.startswith(f"{LEFT[0].text} {RIGHT[0].text}\n")
    (page,) = cli.json("text", columns)["pages"]
    assert page["quality"]["order"] == "reordered"
    (page,) = cli.json("text", columns, "--order", "content")["pages"]
    assert (page["quality"]["order"], page["quality"]["moved"]) == ("content", 0)


def test_the_order_of_the_structure_tree(cli: Cli, tags: Path) -> None:
    assert cli("text", tags, "--order", "structure") == 0
    assert cli.out == "one\ntwo\n\nother\n\funtagged\n"
    assert cli.err.splitlines() == [
        "pincite: page 1: from character 9 on the text is not in the structure tree",
        "pincite: page 2: the structure tree holds nothing of this page: its text is in reading order",
    ]
    first, second = cli.json("text", tags, "--order", "structure")["pages"]
    assert (first["quality"]["order"], second["quality"]["order"]) == ("structure", "content")
    assert first["warnings"] == ["from character 9 on the text is not in the structure tree"]


def test_pages_as_they_look(cli: Cli, columns: Path) -> None:
    assert cli("text", columns, "--layout") == 0
    for line, left, right in zip(cli.out.splitlines(), LEFT, RIGHT, strict=True):
        assert line.startswith(left.text + "  ")
        assert line.endswith("  " + right.text)
    assert cli("text", columns, "--layout", "--order", "content") == 2


def test_read_takes_an_order(columns: Path) -> None:
    assert next(pincite.read(columns, order="content")).text.startswith(f"{LEFT[0].text} {RIGHT[0].text}\n")
    assert next(pincite.read(columns)).text == texts(LEFT, RIGHT)


def test_a_structure_tree_without_end_is_read_in_the_child(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.add(mark(0, Line(72, 700, "one").content()) + mark(1, Line(72, 680, "two").content()))
    page = sheet.writer.page_references[0]
    loop = sheet.writer.add(None)
    many = [loop, *[sheet.writer.add({"S": "/P", "Pg": page, "K": [1] * 2000}) for _ in range(400)], *[0] * 1000]
    sheet.writer.replace(loop, {"S": "/Sect", "Pg": page, "K": sheet.writer.add(many)})
    sheet.writer.catalog["StructTreeRoot"] = sheet.writer.add({"K": loop})
    path = tmp_path / "tree.pdf"
    path.write_bytes(sheet.writer.write())
    (read,) = pincite.read(path, order="structure")
    assert read.text.splitlines()[0] == "two"
    assert any("the structure tree has over" in warning for warning in read.warnings)
