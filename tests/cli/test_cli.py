"""The commands, as somebody at a terminal or in a script meets them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.cli import Cli
from support.library import write_script
from support.pdfvariants import encrypted
from support.pdfwriter import OutlineEntry, PdfWriter, korean_pdf, simple_pdf


def test_ingest_search_and_show(cli: Cli, folder: Path) -> None:
    (folder / "english.pdf").write_bytes(simple_pdf(["First words.", "The structure of proteins."]))
    (folder / "korean.pdf").write_bytes(korean_pdf(["이 실험에서 분석했다."]))
    assert cli("ingest", folder) == 0
    assert re.match(r"2 files: 2 added \(3 pages\), 0 unchanged, in [0-9.]+ s\n", cli.out)
    assert cli.err == ""
    assert cli("search", "protein*", "structure") == 0
    citation = cli.out.splitlines()[0]
    assert citation == "english.pdf:p2:span=0-26"
    assert cli("show", citation) == 0
    assert cli.out == "The structure of proteins.\n"
    assert cli("search", "실험") == 0
    assert cli.out.startswith("korean.pdf:p1:span=")
    assert cli("ingest", folder) == 0
    assert cli.out.startswith("2 files: 0 added (0 pages), 2 unchanged")


def test_ingest_lists_bad_files_and_goes_on(cli: Cli, folder: Path) -> None:
    (folder / "bad.pdf").write_bytes(b"garbage")
    (folder / "good.pdf").write_bytes(simple_pdf(["words"]))
    (folder / "locked.pdf").write_bytes(encrypted(simple_pdf(["words"]), user="secret"))
    assert cli("ingest", folder) == 3
    assert "1 added (1 page), 0 unchanged, 2 failed" in cli.out
    assert len(cli.err.splitlines()) == 2
    assert f"pincite: failed: {folder / 'bad.pdf'}: " in cli.err
    assert "[unreadable]" in cli.err
    assert "[encrypted]" in cli.err
    assert cli("search", "words") == 0
    assert cli("list", "--failed") == 0
    assert [line.split(": ")[0] for line in cli.out.splitlines()] == [str(folder / "bad.pdf"), str(folder / "locked.pdf")]
    assert cli("ingest", folder) == 3
    assert cli.err.count("--retry-failed") == 2
    started, *files, ended = cli.json_lines("ingest", folder, "--retry-failed", code=3)
    assert (started["event"], started["files"], ended["event"]) == ("started", 3, "ended")
    assert ended["counts"] == {"added": 0, "updated": 0, "unchanged": 1, "partial": 0, "failed": 2}
    assert [file["error"] and file["error"]["slug"] for file in files] == ["unreadable", None, "encrypted"]
    failures = cli.json("list", "--failed")["failures"]
    assert [failure["slug"] for failure in failures] == ["unreadable", "encrypted"]


def test_a_path_that_does_not_exist(cli: Cli, tmp_path: Path) -> None:
    assert cli("ingest", tmp_path / "typo.pdf") == 3
    assert cli.err.startswith(f"pincite: failed: {tmp_path / 'typo.pdf'}: there is nothing at this path")


def test_search_tells_by_its_exit_code(cli: Cli, papers: Path) -> None:
    assert cli("search", "structure") == 0
    assert cli("search", "zebra") == 1
    assert cli.out == ""
    assert "nothing found" in cli.err
    assert cli("search", '""') == 2
    assert cli.err.startswith("pincite: the query")
    assert cli("search", "structure", "--library", "/nowhere/library.sqlite") == 2
    assert "there is no library" in cli.err
    assert cli("search", "structure", "--page", "x") == 2


def test_search_takes_exclusions_as_words_and_options_as_options(cli: Cli, papers: Path) -> None:
    assert cli("search", "page", "-structure", "--limit", "1") == 0
    assert cli("search", "page", "-second") == 1
    assert cli("search", "page", "--nonsense") == 2
    assert "no such option: --nonsense" in cli.err
    assert cli("search", "page", "-n", "1") == 2
    assert cli("search", "page", "--doc", "pap*", "--page", "2-") == 0
    assert cli("search", "page", "--doc", "scan") == 1
    assert cli("search", "page", "--page", "1") == 1


def test_a_hit_says_where_it_is(cli: Cli, papers: Path) -> None:
    assert cli("search", "second") == 0
    assert cli.out == ("paper.pdf:p2:span=0-37\n  Intro\\x1b[2J · printed page ii\n  A second page with esc\\x9b[31m controls.\n")
    assert cli("search", "structure") == 0
    assert "The structure of proteins." in cli.out
    hit = cli.json("search", "second")["hits"][0]
    assert hit["citation"] == "paper.pdf:p2:span=0-37"
    assert hit["text"] == "A second page with esc\x9b[31m controls."
    assert (hit["name"], hit["page"], hit["label"], hit["section"], hit["span"]) == (
        "paper.pdf",
        2,
        "ii",
        "Intro\x1b[2J",
        [0, 37],
    )
    assert [hit["text"][start:end] for start, end in hit["matches"]] == ["second"]
    assert "\x9b" not in cli.out
    assert cli.json("search", "zebra", code=1)["hits"] == []


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_matches_are_bold_and_controls_are_not_obeyed(
    cli: Cli, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("search", "second") == 0
    assert "A \x1b[1msecond\x1b[0m page with esc\\x9b[31m" in cli.out
    assert cli("show", "paper.pdf:p2") == 0
    assert cli.out == "A second page with esc\\x9b[31m controls.\n"
    assert cli("show", "paper.pdf:p2:span=2-8", "--context", "2") == 0
    assert cli.out == "A \x1b[1msecond\x1b[0m p\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert cli("search", "second") == 0
    assert "\x1b" not in cli.out


def test_show_gives_the_very_characters(cli: Cli, papers: Path) -> None:
    assert cli("show", "paper.pdf:p2") == 0
    assert cli.out == "A second page with esc\x9b[31m controls.\n"
    assert cli("show", "paper.pdf:p1:span=4-13", "-C", "4") == 0
    assert cli.out == "The structure of\n"
    told = cli.json("show", "paper.pdf:p1:span=4-13", "--context", "3")
    assert (told["verdict"], told["text"], told["before"], told["after"]) == ("exact", "structure", "he ", " of")
    assert cli("show", "scan.pdf:p1") == 0
    assert "no text" in cli.err


def test_show_says_why_not(cli: Cli, papers: Path) -> None:
    for citation, reason in [
        ("paper.pdf:p9", "has 3 pages"),
        ("paper.pdf:p3", "broken"),
        ("other.pdf:p1", "no document other.pdf"),
        ("paper.pdf:p1:span=0-999", "goes past"),
        ("paper.pdf, page 1", "not a citation"),
    ]:
        assert cli("show", citation) == 2
        assert cli.out == ""
        assert cli.err.startswith("pincite: ")
        assert reason in cli.err
        assert len(cli.err.splitlines()) == 1
    told = cli.json("show", "paper.pdf:p9", code=2)
    assert (told["verdict"], told["text"]) == ("absent", None)


def test_inspect_shows_provenance_warnings_and_pages(cli: Cli, papers: Path) -> None:
    assert cli("inspect", "doc", "paper.pdf") == 0
    assert "warning   page 3 can't be read: broken" in cli.out
    assert re.search(r"\n +2  ii +text +37 +1\n", cli.out)
    assert re.search(r"\n +3 +failed +0 +0  broken\n", cli.out)
    assert str(papers / "paper.pdf") in cli.out
    told = cli.json("inspect", "doc", "paper.pdf")
    assert told["provenance"]["warnings"] == ["page 3 can't be read: broken"]
    assert [page["state"] for page in told["pages"]] == ["text", "text", "failed"]
    assert cli("inspect", "doc", "scan.pdf") == 0
    assert "recognition: waiting" in cli.out
    assert cli("inspect", "doc", "nothing.pdf") == 2


def test_pages_over_the_limit_are_not_counted_as_read(cli: Cli, folder: Path) -> None:
    (folder / "long.pdf").write_bytes(simple_pdf([f"page {number}" for number in range(1, 13)]))
    (folder / "short.pdf").write_bytes(simple_pdf(["words"]))
    assert cli("ingest", folder, "--max-pages", "3") == 3
    assert cli.out.startswith("2 files: 1 added (4 pages), 0 unchanged, 1 only in part")
    assert cli("list") == 0
    assert cli.out == "long.pdf   3 of 12 pages\nshort.pdf         1 page\n"
    assert cli("search", "zebra", "--page", "900") == 1
    assert "nothing found for zebra with --page 900: " in cli.err
    assert "some pages of 1 document could not be read" in cli.err
    assert cli("ingest", folder, "--retry-failed") == 0
    assert cli.out.startswith("2 files: 1 added (12 pages), 1 unchanged")
    assert cli("search", "zebra") == 1
    assert "nothing found for zebra: " in cli.err
    assert "could not be read" not in cli.err


def test_a_folder_without_pdfs_is_named(cli: Cli, folder: Path) -> None:
    empty = folder / "sub" / "none"
    empty.mkdir(parents=True)
    (empty / "notes.txt").write_text("no PDF")
    assert cli("ingest", empty) == 0
    assert cli.err == f"pincite: no *.pdf in {empty}\n"
    (folder / "a.pdf").write_bytes(simple_pdf(["words"]))
    (folder / "link").symlink_to(folder)
    assert cli("ingest", folder, folder / "link", folder / "a.pdf") == 0
    assert cli.err == ""
    assert cli("ingest", folder, "--include", "*.doc", "--include", "*.odt") == 0
    assert cli.err == f"pincite: no *.doc or *.odt in {folder}\n"


@pytest.mark.usefixtures("scripts")
def test_a_path_that_holds_another_known_document_is_told(cli: Cli, folder: Path) -> None:
    write_script(folder / "a.pdf", ["words of a"])
    write_script(folder / "b.pdf", ["words of b, and more"])
    assert cli("ingest", folder) == 0
    shutil.copy(folder / "b.pdf", folder / "a.pdf")
    assert cli("ingest", folder) == 0
    assert "2 unchanged" in cli.out
    assert cli.err == f"pincite: {folder / 'a.pdf'}: holds b.pdf now, which was in the library, instead of a.pdf\n"
    write_script(folder / "a.pdf", ["words that are new"])
    _, *files, _ = cli.json_lines("ingest", folder)
    assert [(file["status"], file["instead_of"], file["pages_read"]) for file in files] == [
        ("added", "b.pdf", 1),
        ("unchanged", None, 0),
    ]


def test_list_names_the_documents(cli: Cli, papers: Path) -> None:
    assert cli("list") == 0
    assert cli.out == "paper.pdf  2 of 3 pages  A paper  [1 failed]\nscan.pdf         1 page  [1 empty]\n"
    told = cli.json("list")
    assert [(document["name"], document["states"]) for document in told["documents"]] == [
        ("paper.pdf", {"failed": 1, "text": 2}),
        ("scan.pdf", {"empty": 1}),
    ]
    assert cli("list", "--failed") == 0
    assert "paper.pdf: only in part: page 3 can't be read (broken)" in cli.out
    shutil.copy(papers / "scan.pdf", papers / "copy.pdf")
    (papers / "link.pdf").symlink_to(papers / "paper.pdf")
    cli("ingest", papers)
    assert cli("list") == 0
    assert cli.out == "paper.pdf  2 of 3 pages  A paper  [1 failed, in 2 files]\nscan.pdf         1 page  [1 empty, in 2 files]\n"
    (papers / "paper.pdf").unlink()
    (papers / "scan.pdf").unlink()
    cli("ingest", papers)
    assert cli("list") == 0
    assert cli.out == "paper.pdf  2 of 3 pages  A paper  [1 failed, missing]\nscan.pdf         1 page  [1 empty]\n"


def test_text_of_a_file(cli: Cli, folder: Path) -> None:
    path = folder / "three.pdf"
    path.write_bytes(simple_pdf(["one\nline two", "two", "three"], title="Three"))
    assert cli("text", path) == 0
    assert cli.out == "one\nline two\n\ftwo\n\fthree\n"
    assert cli("text", path, "-f", "2", "-l", "2") == 0
    assert cli.out == "two\n"
    assert cli("text", path, "-f", "3") == 0
    assert cli.out == "three\n"
    told = cli.json("text", path, "--last", "2")
    assert (told["title"], told["pages_total"]) == ("Three", 3)
    assert [(page["page"], page["text"]) for page in told["pages"]] == [(1, "one\nline two"), (2, "two")]
    assert cli("text", path, "-f", "4") == 2
    assert cli("text", path, "-f", "3", "-l", "2") == 2
    assert cli("text", path, "-f", "0") == 2


def test_text_of_a_file_that_has_none(cli: Cli, folder: Path) -> None:
    (folder / "scan.pdf").write_bytes(simple_pdf([None]))
    assert cli("text", folder / "scan.pdf") == 1
    assert "no text in" in cli.err
    (folder / "bad.pdf").write_bytes(b"garbage")
    assert cli("text", folder / "bad.pdf") == 4
    (folder / "locked.pdf").write_bytes(encrypted(simple_pdf(["words"]), user="secret"))
    assert cli("text", folder / "locked.pdf") == 3
    assert cli("text", folder / "missing.pdf") in (2, 4)
    assert all(line.startswith("pincite: ") for line in cli.err.splitlines())


def test_a_library_that_is_none(cli: Cli, tmp_path: Path, folder: Path) -> None:
    (tmp_path / "library.sqlite").write_bytes(b"this is no library " * 100)
    (folder / "a.pdf").write_bytes(simple_pdf(["words"]))
    for arguments in (["list"], ["search", "x"], ["show", "a.pdf:p1"], ["ingest", str(folder)], ["inspect", "doc", "a"]):
        assert cli(*arguments) == 2
        assert "is not a pincite library" in cli.err
        assert len(cli.err.splitlines()) == 1


def test_the_library_is_named_before_or_after_the_verb(
    cli: Cli, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PINCITE_LIBRARY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "library.sqlite"
    assert cli("list") == 2
    assert str(tmp_path / "data" / "pincite" / "library.sqlite") in cli.err
    assert cli("--library", path, "list") == 0
    assert cli("list", "--library", path) == 0


VERBS = "ingest search show check cite export list inspect text remove prune verify stats backup reindex doctor"
COMMANDS = [*([verb] for verb in VERBS.split()), ["inspect", "doc"], ["inspect", "page"], ["inspect", "chunk"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(cli: Cli, command: list[str]) -> None:
    assert cli(*command, "--help") == 0
    assert "Example:\n    pincite " in cli.out


def test_help_and_version(cli: Cli) -> None:
    assert cli("--help") == 0
    assert "pdftext" not in cli.out
    assert all(f"  {command[0]} " in cli.out for command in COMMANDS)
    assert cli("--version") == 0
    assert re.match(r"pincite [0-9]+\.[0-9]+", cli.out)
    assert cli("nonsense") == 2
    assert cli("search", "--help") == 0


def pincite(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "pincite", *arguments], check=False, capture_output=True, **options)


def test_pdftext_passes_everything_to_the_child() -> None:
    done = pincite("pdftext", "-max-pages", "1", input=simple_pdf(["one", "two"]))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, b"")
    assert [lines[0]["meta"]["pages"], lines[1]["text"], len(lines)] == [2, "one", 2]
    assert pincite("pdftext", input=b"garbage").returncode == 4


def test_text_reads_standard_input_and_writes_utf8_whatever_the_locale() -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    done = pincite("text", "-", input=korean_pdf(["한국어"]), env=environment)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "한국어\n", b"")


@pytest.mark.parametrize(
    "command", [["list"], ["search", "page"], ["list", "--json"], ["--help"], ["show", "paper.pdf:p1"]], ids=" ".join
)
def test_a_closed_pipe_is_met_in_silence(papers: Path, command: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run([sys.executable, "-m", "pincite", *command], check=False, stdout=closed, stderr=subprocess.PIPE)
    assert done.stderr == b""
    assert done.returncode in (1, 141)


def test_help_loads_neither_the_engine_nor_rich_nor_the_database() -> None:
    program = "import sys; from pincite.cli import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    for module in ("rich", "apsw", "pikepdf", "msgspec", "platformdirs", "pincite.library", "pincite.pdf"):
        assert f"'{module}'" not in done.stderr


def test_an_outline_and_labels_reach_the_hits(cli: Cli, folder: Path) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    writer.add_page(font.text(72, 700, "Preface words"))
    writer.set_outline([OutlineEntry("Preface", 1)])
    writer.set_page_labels({0: {"S": "/r"}})
    (folder / "book.pdf").write_bytes(writer.write())
    assert cli("ingest", folder / "book.pdf") == 0
    assert cli("search", "preface") == 0
    assert cli.out == "book.pdf:p1:span=0-13\n  Preface · printed page i\n  Preface words\n"
