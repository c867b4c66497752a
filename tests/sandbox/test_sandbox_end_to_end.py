"""The usual runner, the real child and the real engine."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import pincite
from pincite.errors import EncryptedError, NoTextError, PinciteError, UnreadableError
from pincite.model.text import OutlineItem, PageFailure, PageText
from pincite.sandbox import zygote as zygotes
from pincite.sandbox.runner import Runner
from support.children import children_of
from support.pdfvariants import encrypted, truncated
from support.pdfwriter import OutlineEntry, PdfWriter, korean_pdf, simple_pdf

Way = Callable[..., Runner]


@pytest.fixture(params=["forked", "executed"])
def way(request: pytest.FixtureRequest) -> Way:
    """The usual runner, and the one of a system without a zygote."""
    if request.param == "forked" and not zygotes.is_supported():
        pytest.skip("no zygote here")
    return partial(Runner, zygote=request.param == "forked")


COMMAND = [sys.executable, "-I", "-m", "pincite.sandbox"]


def page_texts(pages: tuple[PageText | PageFailure, ...]) -> list[str]:
    return [page.text for page in pages if isinstance(page, PageText)]


def test_text_outline_and_title(way: Way) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    for text in ("first page", "second page", "third page"):
        writer.add_page(font.text(72, 700, text))
    writer.set_title("A Title")
    writer.set_outline([OutlineEntry("Start", 1, [OutlineEntry("Middle", 2)]), OutlineEntry("nowhere")])
    result = way().run(writer.write())
    assert result.meta.pages == 3
    assert result.meta.title == "A Title"
    assert result.meta.outline == (OutlineItem("Start", 1, 1), OutlineItem("Middle", 2, 2))
    assert [page.page for page in result.pages] == [1, 2, 3]
    assert page_texts(result.pages) == ["first page", "second page", "third page"]
    assert {"rlimit_core", "rlimit_fsize", "rlimit_as"} <= set(result.confinement)


def test_the_sandbox_gives_the_text_of_the_engine(way: Way, tmp_path: Path) -> None:
    pdf = korean_pdf(["한국어 문장\n둘째 줄", "third, \U0001f600", "a\u2028b"])
    with pincite.open(pdf) as document:
        expected = [page.text() for page in document]
    path = tmp_path / "korean.pdf"
    path.write_bytes(pdf)
    with path.open("rb") as file:
        for source in (pdf, path, file.fileno()):
            assert page_texts(way().run(source).pages) == expected
    assert [page.text for page in pincite.read(path)] == expected


@pytest.mark.corpus
def test_the_sandbox_gives_the_text_of_the_engine_on_real_files(way: Way, corpus: Path) -> None:
    files = [path for folder in ("languages", "faults", "odd") for path in sorted((corpus / folder).glob("*.pdf"))[:2]]
    assert files
    for path in files:
        try:
            with pincite.open(path) as document:
                expected: list[str] | str = [page.text() for page in document]
        except PinciteError as error:
            expected = error.slug
        try:
            found: list[str] | str = page_texts(way().run(path).pages)
        except PinciteError as error:
            found = page_texts(error.partial.pages) if isinstance(error, NoTextError) else error.slug
        assert found == expected, path.name


def test_an_image_only_document_has_no_text_but_pages(way: Way) -> None:
    with pytest.raises(NoTextError) as caught:
        way().run(simple_pdf([None, None]))
    assert page_texts(caught.value.partial.pages) == ["", ""]
    assert caught.value.partial.pages[0].quality.images == 1


def test_encrypted(way: Way) -> None:
    pdf = encrypted(simple_pdf(["secret"]), user="user")
    with pytest.raises(EncryptedError):
        way().run(pdf)
    done = subprocess.run(COMMAND, input=pdf, capture_output=True, env={}, timeout=60, check=False)
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1].startswith(b"encrypted: ")


@pytest.mark.parametrize("revision", [4, 6])
def test_encrypted_without_a_user_password_is_read(way: Way, revision: int) -> None:
    assert page_texts(way().run(encrypted(simple_pdf(["open"]), revision=revision)).pages) == ["open"]


GARBAGE = {
    "empty": b"",
    "words": b"garbage",
    "header": b"%PDF-1.7\n",
    "random": random.Random(1).randbytes(50_000),
    "ff": b"\xff" * 1000,
    "no pages": b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer<</Root 1 0 R>>",
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage(way: Way, data: bytes) -> None:
    done = subprocess.run(COMMAND, input=data, capture_output=True, env={}, timeout=60, check=False)
    assert done.returncode == 4
    assert done.stdout == b""
    assert done.stderr.splitlines()[-1].startswith(b"unreadable: ")
    with pytest.raises(UnreadableError) as caught:
        way().run(data)
    assert type(caught.value) is UnreadableError


def test_a_damaged_file_gives_what_it_has(way: Way) -> None:
    pdf = simple_pdf([f"page {number}" for number in range(1, 30)])
    texts = page_texts(way().run(truncated(pdf, 0.8)).pages)
    assert texts
    assert set(texts) <= {f"page {number}" for number in range(1, 30)}


def test_it_works_from_any_folder_and_without_an_environment(tmp_path: Path) -> None:
    """A module of the current folder must not get in the way."""
    (tmp_path / "msgspec.py").write_text("raise SystemExit(99)")
    done = subprocess.run(COMMAND, input=simple_pdf(["here"]), capture_output=True, env={}, cwd=tmp_path, timeout=60, check=False)
    assert done.stderr == b""
    assert done.returncode == 0
    meta, page = (json.loads(line) for line in done.stdout.splitlines())
    assert meta["meta"]["outline"] == []
    assert page["text"] == "here"


def test_killed_from_outside_in_the_middle(way: Way) -> None:
    """A real child in the middle of a long document: one page is lost, and no process is left of it."""
    stream = way(max_pages=3000).stream(simple_pdf(["text " * 2000] * 300))
    next(stream)
    assert isinstance(next(stream), PageText)
    (child,) = readers()
    os.kill(child, signal.SIGKILL)
    pages = list(stream)
    assert len(pages) == 299
    failures = [page for page in pages if isinstance(page, PageFailure)]
    assert len(failures) == 1
    assert "SIGKILL" in failures[0].error
    assert readers() == []


def readers() -> list[int]:
    """The children that read documents: those of this process, or of its zygotes."""
    ours = children_of(os.getpid())
    zygotes = [child for child in ours if b"\0zygote\0" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return [child for child in ours if child not in zygotes] + [child for zygote in zygotes for child in children_of(zygote)]


def test_a_flate_bomb_stays_inside_its_memory(way: Way) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    writer.add_page(font.text(72, 700, "before"))
    writer.add_page(bytes(100 << 20), compress=True)
    writer.add_page(font.text(72, 700, "after"))
    result = way(max_memory_bytes=70 << 20).run(writer.write())
    before, _, after = result.pages
    assert isinstance(before, PageText)
    assert isinstance(after, PageText)
    assert (before.text, after.text) == ("before", "after")
