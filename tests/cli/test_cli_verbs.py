"""The commands that check, cite, export and keep; all of their JSON is held against its schema."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from pincite.library import Library
from support.cli import SCHEMAS, Cli
from support.library import ScriptReader, write_script


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Path:
    write_script(folder / "a.pdf", ["The structure of\nproteins is known.", "A dose of 15 mg daily."], title="On proteins")
    write_script(folder / "b.pdf", ["Another structure of things.", "Words at the end of a page"])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as opened:
        opened.ingest([folder])
    return tmp_path / "library.sqlite"


def test_check_tells_by_grade_and_exit_code(cli: Cli, library: Path) -> None:
    assert cli("check", "The structure of proteins", "a.pdf:p1") == 0
    assert cli.out == "folded (white space)\na.pdf:p1:span=0-25\n  The structure of proteins\n"
    assert cli("check", "A dose of 15 mg", "a.pdf:p2") == 0
    assert cli.out.startswith("exact\na.pdf:p2:span=0-15\n")
    assert cli("check", "A dose of 16 mg daily", "a.pdf:p2") == 1
    assert cli.out.splitlines()[-2:] == ["  stands there: 15", "  is quoted as: 16"]
    assert cli("check", "A dose of 15 mg", "a.pdf:p1") == 1
    assert cli.out.startswith("wrong_page: not on page 1, but on page 2\na.pdf:p2:span=0-15\n")
    assert cli("check", "nothing like it anywhere", "a.pdf:p1") == 1
    assert cli.out.startswith("absent: ")
    assert cli("check", "too short", "a.pdf:p1") == 2
    assert cli("check", "A dose of 15 mg", "c.pdf:p1") == 2
    for quotation, code in (("The structure of proteins", 0), ("A dose of 16 mg daily", 1), ("nothing like it anywhere", 1)):
        cli.json("check", quotation, "a.pdf:p1", code=code)
    assert cli.json("check", "A dose of 15 mg", "a.pdf:p2:span=2-5", code=1)["within_span"] is False
    assert cli("check", "dose", "a.pdf:p2:span=2-6") == 0
    assert cli("check", "A dose of 15 mg", "a.pdf:p2:section=Nonexistent") == 2
    assert "no section 'Nonexistent'" in cli.err


def test_cite_gives_what_show_takes(cli: Cli, library: Path) -> None:
    assert cli("cite", "the structure of") == 1
    assert cli("cite", "structure of proteins") == 0
    citation = cli.out.strip()
    assert cli("show", citation) == 0
    assert cli.out == "structure of\nproteins\n"
    assert cli.json("cite", "--doc", "a.pdf", "--page", "2", "--hash")["citations"][0].startswith("a.pdf:p2@")
    assert cli("cite", "--doc", "a.pdf") == 2
    assert cli("cite", "--doc", "a.pdf", "--page", "1-2") == 2
    assert cli("cite", "--doc", "a.pdf", "--page", "9") == 2
    assert cli("cite", "structure of proteins", "--doc", "b*") == 1


@pytest.mark.parametrize("form", ["markdown", "link", "w3c", "csl", "bibtex", "anthropic"])
def test_export_writes_every_form(cli: Cli, library: Path, form: str) -> None:
    assert cli("export", "--format", form, "a.pdf:p2:span=2-6", "b.pdf:p1") == 0
    assert cli.out.endswith("\n")
    if form in ("w3c", "csl", "anthropic"):
        json.loads(cli.out)
    assert cli.json("export", "-f", form, "a.pdf:p2:span=2-6")["format"] == form
    assert cli("export", "-f", form, "a.pdf:p9") == 2
    assert cli("export", "-f", "word", "a.pdf:p1") == 2


def test_search_options(cli: Cli, library: Path) -> None:
    assert cli("search", "structure", "--sort", "document") == 0
    assert [line for line in cli.out.splitlines() if ":span=" in line] == ["a.pdf:p1:span=0-35", "b.pdf:p1:span=0-28"]
    assert cli("search", "structure", "--context", "4") == 0
    assert "\n  … her structure of  …\n" in cli.out
    assert cli("search", "dose", "--group") == 0
    assert cli("search", "structure", "--section", "methods") == 2
    assert cli("search", "structure", "--sort", "colour") == 2
    told = cli.json("search", "structure", "-C", "3", "--group")
    assert all(hit["passage"]["text"] for hit in told["hits"])


@pytest.mark.usefixtures("terminal")
def test_citations_are_links_on_terminals_that_have_them(
    cli: Cli, library: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = "FORCE_HYPERLINK VTE_VERSION KITTY_WINDOW_ID TERM_PROGRAM WT_SESSION DOMTERM KONSOLE_VERSION"
    for variable in known.split():
        monkeypatch.delenv(variable, raising=False)
    assert cli("search", "dose") == 0
    assert "\x1b]8" not in cli.out
    monkeypatch.setenv("VTE_VERSION", "7006")
    assert cli("search", "dose") == 0
    assert cli.out.startswith(f"\x1b]8;;file://{folder}/a.pdf#page=2\x1b\\\x1b[1ma.pdf:p2:span=0-22\x1b[0m\x1b]8;;\x1b\\\n")
    monkeypatch.setenv("FORCE_HYPERLINK", "0")
    assert cli("search", "dose") == 0
    assert "\x1b]8" not in cli.out


def test_inspecting_a_page_and_a_chunk(cli: Cli, library: Path) -> None:
    assert cli("inspect", "page", "a.pdf:p1") == 0
    assert "state        text\n" in cli.out
    assert "chunks       a.pdf:p1:span=0-35" in cli.out
    told = cli.json("inspect", "page", "a.pdf:p2:span=2-6")
    assert (told["citation"], told["characters"], told["chunks"][0]["citation"]) == ("a.pdf:p2", 22, "a.pdf:p2:span=0-22")
    assert cli("inspect", "page", "a.pdf:p9") == 2
    chunk = cli.json("inspect", "chunk", "a.pdf:p2:span=2-6")
    assert (chunk["span"], chunk["terms"]) == ([0, 22], ["a", "dose", "of", "15", "mg", "daily"])
    assert cli("inspect", "chunk", "a.pdf:p2") == 0
    assert "terms        a dose of 15 mg daily\n" in cli.out
    assert cli("inspect", "chunk", "a.pdf:p2:span=100-101") == 2
    assert cli.json("inspect", "doc", "a.pdf")["locations"][0]["missing_since"] is None


def test_removing_and_pruning(cli: Cli, library: Path, folder: Path) -> None:
    assert cli("remove", "a.pdf", "c.pdf") == 2
    assert cli.json("remove", "a.pdf") == {"schema_version": 1, "removed": ["a.pdf"]}
    assert cli("remove", "a.pdf") == 2
    (folder / "b.pdf").unlink()
    assert cli.json("prune", "--dry-run")["documents"] == ["b.pdf"]
    assert cli("prune", "-n") == 0
    assert cli.out == "would remove b.pdf\n1 file gone, 1 document would be removed\n"
    assert cli("prune") == 0
    assert cli.out == "removed b.pdf\n1 file gone, 1 document removed\n"
    assert cli("list") == 0
    assert cli.out == ""


@pytest.mark.usefixtures("scripts")
def test_a_missing_file_is_listed(cli: Cli, library: Path, folder: Path) -> None:
    (folder / "b.pdf").unlink()
    assert cli("ingest", folder) == 0
    assert "1 file missing since" in cli.out
    assert cli("list", "--missing") == 0
    assert cli.out == "b.pdf       2 pages  [missing]\n"
    assert [document["missing"] for document in cli.json("list")["documents"]] == [False, True]
    assert "missing   " in (cli("inspect", "doc", "b.pdf"), cli.out)[1]


def test_verify_repairs(cli: Cli, library: Path, folder: Path) -> None:
    assert cli("verify") == 0
    assert cli.out == "the library is sound\n2 files read again, 0 gone or changed\n"
    (folder / "a.pdf").write_bytes(b"other")
    assert cli.json("verify")["files"] == [{"path": str(folder / "a.pdf"), "state": "changed", "document": "a.pdf"}]
    with Library(library) as opened:
        opened._open()._database.execute("DELETE FROM chunk_terms WHERE rowid = 1")
    assert cli("verify", "--no-files") == 1
    assert "pincite verify --repair" in cli.out
    assert cli.json("verify", "--no-files", code=1)["flaws"][0]["part"] == "index"
    assert cli("verify", "--no-files", "--repair") == 0
    assert "repaired" in cli.out


def test_a_library_that_cannot_be_read_is_damage(cli: Cli, library: Path) -> None:
    content = library.read_bytes()
    for damaged in (content[: len(content) // 2], content[:5000], b"no library at all" * 100):
        library.write_bytes(damaged)
        assert cli("verify") == 1
        assert "damaged" in cli.out + cli.err or "not a pincite library" in cli.err


def test_words_that_stand_nowhere_are_nothing_found(cli: Cli, library: Path) -> None:
    assert cli("cite", "words that nobody ever wrote") == 1
    assert "nowhere" in cli.err
    assert cli("cite", "too short") == 2
    assert cli("cite", "--doc", "a.pdf", "--page", "9") == 2


def test_stats_backup_and_reindex(cli: Cli, library: Path, tmp_path: Path) -> None:
    assert cli("stats") == 0
    assert "documents      2\n" in cli.out
    assert "pages          4 text\n" in cli.out
    assert cli.json("stats")["chunks"] == 4
    assert cli("backup", tmp_path / "copy.sqlite") == 0
    assert cli("backup", tmp_path / "copy.sqlite") == 2
    assert "--force" in cli.err
    cli.json("backup", tmp_path / "copy.sqlite", "--force")
    assert cli("list", "--library", tmp_path / "copy.sqlite") == 0
    assert cli("backup", tmp_path / "nowhere" / "copy.sqlite") == 2
    assert cli("reindex") == 0
    assert cli.out == "4 chunks of 2 documents indexed\n"
    assert cli.json("reindex")["documents"] == 2


def test_doctor_finds_this_place_sound(cli: Cli, tmp_path: Path) -> None:
    assert cli("doctor") == 0
    assert "none yet; pincite ingest makes it" in cli.out
    told = cli.json("doctor")
    assert {finding["name"]: finding["state"] for finding in told["findings"]}["reader"] in ("ok", "warning")
    (tmp_path / "library.sqlite").write_bytes(b"not a library " * 100)
    assert cli("doctor") == 1
    assert "failed   library" in cli.out


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize("separator", ["\n", "\0"])
def test_ingest_takes_a_list_of_paths(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch, separator: str) -> None:
    names = ["a.pdf", "with space.pdf", "no ending"] + (["two\nlines.pdf"] if separator == "\0" else [])
    for name in names:
        write_script(folder / name, [f"words of {name}"])
    listed = "".join(f"{folder / name}{separator}" for name in names).encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(listed)))
    assert cli("ingest", "-") == 0
    assert cli.out.startswith(f"{len(names)} files: {len(names)} added")


@pytest.mark.usefixtures("scripts")
def test_ingest_includes_and_excludes(cli: Cli, folder: Path) -> None:
    for name in ("a.pdf", "b.txt", "drafts/c.pdf", "old/d.pdf", "old/e-old.pdf"):
        write_script(folder / name, [f"words of {name}"])

    def taken(*options: str) -> list[str]:
        lines = cli.json_lines("ingest", folder, *options)
        return [os.path.relpath(line["path"], folder) for line in lines if line["event"] == "file"]

    assert taken("--exclude", "drafts", "--exclude", "*-old.pdf") == ["a.pdf", "old/d.pdf"]
    assert taken("--include", "*.txt", "--include", "old/*") == ["b.txt", "old/d.pdf", "old/e-old.pdf"]
    assert taken("--include", "*.txt", "--exclude", "b*") == []


@pytest.mark.usefixtures("scripts")
def test_ingest_shows_a_bar_with_the_file_at_work(cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_script(folder / "a.pdf", ["words"] * 3)
    (folder / "b.pdf").write_bytes(b"garbage")
    monkeypatch.setattr("pincite.cli.output.is_terminal", lambda stream: stream is sys.stderr)
    assert cli("ingest", folder) == 3
    assert cli.out.startswith("2 files: 1 added (3 pages)")
    assert "failed: " in cli.err
    _, *files, ended = cli.json_lines("ingest", folder, code=3)
    assert (len(files), ended["counts"]["unchanged"]) == (2, 1)


def test_every_schema_is_of_a_command_and_says_what_it_is(cli: Cli, library: Path, folder: Path) -> None:
    names = "backup check cite doctor export ingest inspect-chunk inspect-doc inspect-page list list-failed prune reindex remove"
    assert set(SCHEMAS) == {*names.split(), "error", "search", "show", "stats", "tables", "text", "verify"}
    assert all(schema["title"].startswith(("pincite ", "One line of pincite ")) for schema in SCHEMAS.values())
