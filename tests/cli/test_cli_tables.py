"""`pincite tables`, through the real sandbox."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from support.cli import Cli
from support.pdfvariants import encrypted
from support.tablesheet import TableSheet

ROWS = [["Name", "Paid"], ["Ann", "$1,200.50"], ["Bob|Rob", "12 %"]]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return Cli(capsys)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    sheet = TableSheet()
    sheet.text(72, 720, "Table 1. Sums")
    sheet.grid(72, 700, [80, 80], 20, ROWS)
    sheet.next_page()
    sheet.grid(72, 740, [80, 80], 20, [ROWS[0], ["Cleo", "3"]])
    sheet.next_page()
    sheet.text(72, 700, "no table here")
    sheet.next_page()
    path = tmp_path / "sums.pdf"
    path.write_bytes(sheet.writer.write())
    return path


def test_markdown_and_csv(cli: Cli, file: Path) -> None:
    assert cli("tables", file) == 0
    assert cli.out == (
        "**Table 1. Sums** (page 1, 2)\n\n"
        "| Name | Paid |\n| --- | --- |\n| Ann | $1,200.50 |\n| Bob\\|Rob | 12 % |\n| Cleo | 3 |\n"
    )
    assert cli("tables", file, "--csv", "--by-page") == 0
    first, _, second = cli.out.partition("\r\n\n")
    assert list(csv.reader(io.StringIO(first))) == ROWS
    assert list(csv.reader(io.StringIO(second))) == [ROWS[0], ["Cleo", "3"]]


def test_rows_are_numbered_as_they_are_cited(cli: Cli, file: Path) -> None:
    assert cli("tables", file, "--numbers") == 0
    assert cli.out == (
        "**Table 1. Sums** (p1:table=1, p2:table=1)\n\n"
        "| p1: 1 | Name | Paid |\n| --- | --- | --- |\n| p1: 2 | Ann | $1,200.50 |\n| p1: 3 | Bob\\|Rob | 12 % |\n"
        "| p2: 2 | Cleo | 3 |\n"
    )
    assert cli("tables", file, "--numbers", "-f", "2") == 0
    assert "| 1 | Name | Paid |\n| --- | --- | --- |\n| 2 | Cleo | 3 |\n" in cli.out
    assert cli("tables", file, "--numbers", "--csv") == 2


def test_json_says_where_and_what_each_cell_is(cli: Cli, file: Path) -> None:
    (table,) = cli.json("tables", file, "--typed")["tables"]
    assert (table["rows"], table["columns"], table["header_rows"], table["kind"]) == (4, 2, 1, "ruled")
    assert [(part["page"], part["first_row"], part["last_row"]) for part in table["parts"]] == [(1, 1, 3), (2, 4, 4)]
    values = {cell["text"]: cell["value"] for cell in table["cells"]}
    assert values["$1,200.50"] == {"kind": "currency", "value": "1200.50", "currency": "$"}
    assert values["12 %"]["kind"] == "percentage"
    assert values["Ann"] is None
    assert [cell["cited"] for cell in table["cells"] if cell["text"] == "3"] == ["p2:table=1:cell=2,2"]
    assert "value" not in cli.json("tables", file)["tables"][0]["cells"][0]


def test_pages_are_chosen(cli: Cli, file: Path) -> None:
    assert [table["page"] for table in cli.json("tables", file, "-f", "2", "-l", "2")["tables"]] == [2]
    assert cli("tables", file, "-f", "3") == 1
    assert cli.out == ""
    assert "no table" in cli.err
    assert cli("tables", file, "-f", "9") == 2
    assert "no page 9" in cli.err
    assert cli("tables", file, "-f", "2", "-l", "1") == 2
    assert cli("tables", file, "--csv", "--json") == 2


def test_a_file_with_a_password(cli: Cli, file: Path, tmp_path: Path) -> None:
    secret, password = tmp_path / "secret.pdf", tmp_path / "password"
    secret.write_bytes(encrypted(file.read_bytes(), user="u"))
    password.write_text("u\n", encoding="utf-8")
    assert cli("tables", secret) == 3
    assert cli("tables", secret, "--password-file", password) == 0
