"""Libraries in places and states of every kind: read-only, under paths that are no text, damaged, closed."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import LibraryError, PinciteError
from pincite.library import Library
from support.library import ScriptReader, dump, write_script
from support.users import run_as


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A library of three documents."""
    folder = tmp_path / "in"
    for name in "abc":
        pages = [f"{name} page {number} with words of its own and some more of them" for number in range(20)]
        write_script(folder / f"{name}.pdf", list(pages), outline=[("Part", 1, 1)], title="A title")
    path = tmp_path / "kept" / "library.sqlite"
    with Library(path, reader=ScriptReader()) as library:
        library.ingest([folder])
    return path


READING = """
from pathlib import Path
from pincite.errors import LibraryError
from pincite.library import Library
with Library(sys.argv[1]) as library:
    hit = library.search("words doc:b page:7")[0]
    print(hit.citation, library.resolve(hit.citation).verdict, len(library.documents()), library.verify().is_sound)
    try:
        library.remove("a.pdf")
    except LibraryError as error:
        print(error.slug, "may not be written" in error.message)
print(sorted(path.name for path in Path(sys.argv[1]).parent.iterdir()))
"""


@pytest.mark.parametrize("file_mode", [0o644, 0o444])
def test_a_library_of_somebody_else_can_be_searched(made: Path, file_mode: int) -> None:
    # not under tmp_path, into which nobody else may look
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        theirs = Path(folder, "kept", made.name)
        shutil.copytree(made.parent, theirs.parent)
        theirs.chmod(file_mode)
        theirs.parent.chmod(0o555)
        try:
            done = run_as("ordinary", READING, str(theirs))
        finally:
            theirs.parent.chmod(0o755)
    assert done.stdout.splitlines() == [
        "b.pdf:p7:span=0-52 exact 3 True",
        "unavailable True",
        "['library.sqlite']",
    ], done.stderr


def test_an_older_library_that_may_not_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = sorted((Path(__file__).parent / "old").glob("*.sqlite"))[0]
    shutil.copy(old, tmp_path / "library.sqlite")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Library(tmp_path / "library.sqlite") as library, pytest.raises(LibraryError, match="brought up to date") as caught:
        library.documents()
    assert caught.value.slug == "unavailable"


@pytest.mark.parametrize("name", [b"caf\xe9", b"a b?c#d%41", "등대".encode(), b":memory:", b"line\nend"])
def test_a_library_may_be_under_any_path(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name) / os.fsdecode(name)
    file = write_script(tmp_path / os.fsdecode(name + b".pdf"), ["words"])
    with Library(path, reader=ScriptReader()) as library:
        library.ingest([file])
        library.backup(path.with_name(os.fsdecode(name + b"-copy")))
        assert len(library.search("words")) == 1
    with Library(path.with_name(os.fsdecode(name + b"-copy"))) as copy:
        assert len(copy.search("words")) == 1


def test_a_path_that_can_be_none_is_refused(tmp_path: Path) -> None:
    for path in ("nul\0", "x" * 300, str(tmp_path / "in" / "a.pdf" / "below")):
        write_script(tmp_path / "in" / "a.pdf", ["words"])
        with Library(path) as library:
            with pytest.raises(LibraryError) as caught:
                library.documents()
            assert caught.value.slug == "unavailable"
            with pytest.raises(LibraryError):
                library.ingest([tmp_path / "in"])


ASKING: list[Callable[[Library], object]] = [
    lambda library: library.search("words"),
    lambda library: library.search("words doc:a page:2-", order="document", context=50),
    lambda library: library.search("words", group=True, sections="part"),
    lambda library: library.search('"words of its own"'),
    lambda library: library.documents(),
    lambda library: library.resolve("b.pdf:p3"),
    lambda library: library.resolve("b.pdf:p3:section=Part"),
    lambda library: library.check("with words of its own", "a.pdf:p1"),
    lambda library: library.cite("with words of its own"),
    lambda library: library.export("c.pdf:p1:span=0-5", "w3c"),
    lambda library: library.chunks(library.document("a.pdf")),
    lambda library: library.page_summaries(library.document("a.pdf")),
    lambda library: library.outline(library.document("a.pdf")),
    lambda library: library.failures(),
    lambda library: library.stats(),
    lambda library: library.verify(files=False),
    lambda library: library.reindex(),
]


def test_damaged_bytes_are_an_error_with_a_name_or_do_no_harm(made: Path, tmp_path: Path) -> None:
    sound = made.read_bytes()
    dice = random.Random(7)
    damaged = tmp_path / "damaged.sqlite"
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(dice.choice((1, 4, 40))):
            data[dice.randrange(100, len(data))] = dice.randrange(256)
        for trace in tmp_path.glob("damaged.sqlite*"):
            trace.unlink()
        damaged.write_bytes(data)
        with Library(damaged) as library:
            for ask in ASKING:
                with contextlib.suppress(PinciteError):
                    ask(library)


def test_text_that_is_no_utf8_is_damage(made: Path) -> None:
    data = made.read_bytes()
    made.write_bytes(data.replace(b"b page 7 with", b"b page 7 \xff\xfe\xff\xff"))
    with Library(made) as library, pytest.raises(LibraryError) as caught:
        library.page(library.document("b.pdf"), 8)
    assert caught.value.slug == "corrupt"


def test_a_library_that_may_be_written_by_nobody_is_not_changed_by_reading(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dump(made)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Library(made) as library:
        assert len(library.search("words", 100)) == 60
        assert library.verify().is_sound
        with pytest.raises(LibraryError):
            library.remove("a.pdf")
    monkeypatch.undo()
    assert dump(made) == before
