"""Every file of the corpus, and mutations of some: a typed error or plain values, nothing else."""

from __future__ import annotations

import ast
import contextlib
import random
from pathlib import Path

import pytest

import pincite.pdf.objects
from pincite.errors import EncryptedError, UnreadableError
from pincite.pdf.objects.file import File
from pincite.pdf.objects.info import read_title
from pincite.pdf.objects.labels import read_page_labels
from pincite.pdf.objects.outline import read_outline
from pincite.pdf.objects.pages import PageTree
from support.corpus import corpus_files, corpus_parameters

UNREADABLE = {
    "REDHAT-1531897-0": "no catalog, no page object",
    "issue9105_other": "qpdf can't mend a direct page in an object without end; PDFium and MuPDF find no page either",
    "poppler-742-0-fuzzed": "its only whole page object is damaged; PDFium and MuPDF refuse it too",
    "q-examples_qtest_bookmarks_3": "13 bytes of text",
    "q-examples_qtest_name-number-tree_out": "a document without pages",
    "q-qpdf_qtest_qpdf_inspect": "no catalog, no page object",
    "q-qpdf_qtest_qpdf_issue-263": "277 bytes of fuzz",
}
ENCRYPTED = {
    "PDFBOX-4352-0": "the encryption dictionary is damaged",
    "issue15893_reduced": "password",
    "issue3371": "password",
    "issue6010_2": "password",
    "q-qpdf_qtest_qpdf_enc-XI-long-password": "password",
    "q-qtest_qpdf_enc-R2_V1_U_view_O_master": "password",
    "q-st_qpdf_enc-XI-R6_V5_U_view_O_master": "password",
}

SYNTAX = [b"[", b"<<", b">>", b"(", b" R ", b"endobj", b"stream\n", b"99999999999999999999 "]


def _read_everything(data: bytes) -> int:
    """Read all that this folder can read, and return the number of pages."""
    with File.open(data) as file:
        pages = PageTree(file)
        for page in pages:
            assert page.media_box.width > 0
            assert page.crop_box.width > 0
            assert page.rotate in (0, 90, 180, 270)
            assert page.user_unit > 0
            assert isinstance(page.resources, dict)
            assert all(isinstance(part, bytes) for part in page.contents())
        for item, place in read_outline(file, pages):
            assert place.page == item.page
            assert 1 <= item.page <= len(pages)
            assert item.level >= 1
        assert len(list(read_page_labels(file, len(pages)))) == len(pages)
        assert read_title(file) != ""
        assert all(isinstance(warning, str) for warning in file.warnings)
        return len(pages)


@pytest.mark.corpus
@pytest.mark.parametrize("path", corpus_parameters())
def test_files_of_the_corpus(path: Path) -> None:
    if path.stem in ENCRYPTED:
        with pytest.raises(EncryptedError):
            _read_everything(path.read_bytes())
    elif path.stem in UNREADABLE:
        with contextlib.suppress(UnreadableError):
            assert _read_everything(path.read_bytes()) == 0
    else:
        assert _read_everything(path.read_bytes()) > 0


@pytest.mark.corpus
def test_mutated_files_give_typed_errors_alone() -> None:
    chance = random.Random(7)
    small = [path.read_bytes() for path in corpus_files("odd") if path.stat().st_size < 20_000]
    for _ in range(300 if small else 0):
        data = bytearray(chance.choice(small))
        for _ in range(chance.randint(1, 30)):
            at = chance.randrange(len(data))
            match chance.randrange(4):
                case 0:
                    data[at] = chance.randrange(256)
                case 1:
                    del data[at : at + chance.randint(1, 40)]
                case 2:
                    data[at:at] = data[at : at + chance.randint(1, 40)]
                case _:
                    data[at:at] = chance.choice(
                        [b"[", b"<<", b">>", b"(", b" R ", b"endobj", b"stream\n", b"99999999999999999999 "]
                    )
            data = data or bytearray(b"%")
        try:
            _read_everything(bytes(data))
        except (UnreadableError, EncryptedError):
            continue


def test_one_module_alone_imports_pikepdf() -> None:
    folder = Path(pincite.pdf.objects.__file__).parent
    importers = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] == "pikepdf" for name in names):
                importers.add(path.name)
    assert importers == {"qpdf.py"}
