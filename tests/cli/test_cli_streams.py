"""What a command makes of streams that are closed, full or abandoned, and of errors under --json."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import jsonschema
import pytest

import pincite
from pincite.cli import output
from support.cli import SCHEMAS, Cli
from support.library import write_script
from support.pdfwriter import simple_pdf

PINCITE = f"{sys.executable} -m pincite"
VERBS = ["list", "search structure", "search structure --json", "stats", "--help", "--version", "show paper.pdf:p1", "text $F"]


def shell(command: str, papers: Path) -> subprocess.CompletedProcess[str]:
    file = papers / "real.pdf"
    file.write_bytes(simple_pdf(["a page of words"]))
    environment = {**os.environ, "F": str(file)}
    command = f"set -o pipefail; {command}"
    return subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("into", [">&-", ">/dev/full"])
def test_output_that_is_not_taken_is_an_error_in_one_line(papers: Path, verb: str, into: str) -> None:
    done = shell(f"{PINCITE} {verb} {into}", papers)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("pincite: ")


def test_messages_that_nobody_hears_change_nothing(papers: Path) -> None:
    assert shell(f"{PINCITE} list 2>&-", papers).stdout.startswith("paper.pdf")
    assert shell(f"{PINCITE} show paper.pdf:p9 2>&-", papers).returncode == 2
    assert shell(f"{PINCITE} text - <&- 2>/dev/null", papers).returncode == 4


def test_a_file_never_takes_the_place_of_a_closed_stream(papers: Path) -> None:
    before = shell(f"{PINCITE} verify", papers).returncode
    assert shell(f"{PINCITE} ingest $F <&- >&- 2>&-", papers).returncode == 2
    assert before == shell(f"{PINCITE} verify", papers).returncode == 0


def test_help_into_a_pipe_that_closes(papers: Path) -> None:
    assert shell(f"{PINCITE} --help | true", papers).returncode in (0, 141)


def test_the_child_says_that_its_output_is_full(papers: Path) -> None:
    done = shell(f"{PINCITE} pdftext <$F >/dev/full", papers)
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "report" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "slug", "code"),
    [
        (["show", "paper.pdf"], "bad_citation", 2),
        (["check", "such words as these", "nothing.pdf:p1"], "absent", 2),
        (["search", "-x"], "usage", 2),
        (["search", "words", "--page", "3-1"], "usage", 2),
        (["search", "words", "--page", "0"], "usage", 2),
        (["search", "words", "--doc", "nothing"], "bad_query", 2),
        (["search", "words page:x"], "bad_query", 2),
        (["list", "--nonsense"], "usage", 2),
        (["text", "/nowhere.pdf"], "unreadable", 4),
        (["stats", "--library", "/nowhere/library.sqlite"], "unavailable", 2),
        (["backup", "/nowhere/copy.sqlite"], "system", 2),
    ],
)
def test_an_error_is_json_where_json_is_asked_for(cli: Cli, papers: Path, arguments: list[str], slug: str, code: int) -> None:
    assert cli(*arguments, "--json") == code
    told = json.loads(cli.out)
    jsonschema.validate(told, SCHEMAS["error"], cls=jsonschema.Draft202012Validator)
    assert (told["error"]["slug"], told["error"]["exit_code"]) == (slug, code)
    assert cli.err
    assert cli(*arguments) == code
    assert cli.out == ""


def test_a_search_has_help_like_every_command(cli: Cli) -> None:
    assert cli("search", "-h") == 0
    assert "--section" in cli.out


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_pages_that_fail_are_told_and_are_no_scan(cli: Cli, folder: Path, json_too: list[str]) -> None:
    sound = simple_pdf(["first page", "second page", "third page"])
    (folder / "one.pdf").write_bytes(_without_content(sound, b"second"))
    broken = _without_content(_without_content(_without_content(sound, b"first"), b"second"), b"third")
    (folder / "all.pdf").write_bytes(broken)
    assert cli("text", folder / "one.pdf", *json_too) == 3
    assert "page 2 can't be read" in cli.err
    assert "first page" in cli.out
    assert "scan" not in cli.err
    assert cli("text", folder / "all.pdf", *json_too) == 4
    assert "pages 1-3 can't be read" in cli.err
    assert cli("ingest", folder) == 3
    assert "1 only in part, 1 failed" in cli.out


def _without_content(pdf: bytes, word: bytes) -> bytes:
    """Content that claims to be compressed, and is not, on the page with a word."""
    at = pdf.index(word)
    start = pdf.rindex(b"<< /Length", 0, at)
    end = pdf.index(b">>", start)
    changed = pdf[start:end].replace(b" >>", b"") + b"/Filter /FlateDecode "
    return pdf[:start] + changed + pdf[end:]


def test_a_page_without_text_is_named_and_the_file_is_not_called_scanned(cli: Cli, folder: Path) -> None:
    (folder / "a.pdf").write_bytes(simple_pdf(["words", None, "words"]))
    assert cli("text", folder / "a.pdf", "-f", "2", "-l", "2") == 1
    assert "no text on page 2 of" in cli.err
    assert cli("text", folder / "a.pdf") == 0


def test_a_word_broken_at_a_line_end_is_shown_whole() -> None:
    text = "코로나바이러스감염\n증-19 다음\n줄"
    assert output.mark(text, [(0, 11)], style=False) == "코로나바이러스감염증-19 다음 줄"
    assert output.mark("文章は改\n行で単語\nof words", [(6, 8)], style=False) == "文章は改行で単語 of words"


def test_columns_are_counted_as_a_terminal_does(cli: Cli, folder: Path, scripts: None) -> None:
    assert [output.columns(text) for text in ("abc", "등대", "é", unicodedata.normalize("NFD", "é"), "ｱ")] == [3, 4, 1, 1, 1]
    write_script(folder / "등대.pdf", ["text"])
    write_script(folder / "longer-name.pdf", ["words"])
    assert cli("ingest", folder) == 0
    assert cli("list") == 0
    first, second = cli.out.splitlines()
    assert output.columns(first[: first.index("1 page")]) == output.columns(second[: second.index("1 page")])


def test_the_packages_names_are_listed() -> None:
    assert set(pincite.__all__) <= set(dir(pincite))
