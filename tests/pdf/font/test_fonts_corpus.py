"""Every font of the corpus loads, and its program is read as fontTools reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.ttLib import TTFont

from pincite.errors import EncryptedError, UnreadableError
from pincite.pdf.font.embedded import read_program_bytes
from pincite.pdf.font.font import load_font
from pincite.pdf.font.program.cff import read_cff
from pincite.pdf.font.program.truetype import read_truetype
from pincite.pdf.font.string_table import StringTable
from pincite.pdf.objects.file import File
from pincite.pdf.objects.values import Dictionary
from support.corpus import corpus_files

SETS = ["faults", "korean", "languages", "odd", "papers", "tables"]


def dictionaries(folder: Path) -> Iterator[tuple[Path, File, Dictionary]]:
    """Every dictionary of every file of a set that opens."""
    for path in corpus_files(folder.name):
        try:
            file = File.open(path)
        except (EncryptedError, UnreadableError):
            continue
        with file:
            for reference in file.references():
                value = file.resolve(reference)
                if isinstance(value, dict):
                    yield path, file, value


@pytest.mark.corpus
@pytest.mark.parametrize("name", SETS)
def test_every_font_loads(corpus: Path, name: str) -> None:
    loaded = 0
    for path, file, dictionary in dictionaries(corpus / name):
        if file.get(dictionary, "Type") == "Font" and "CIDSystemInfo" not in dictionary:
            font = load_font(file, dictionary, StringTable(), 0)
            font.complete()
            assert not [warning for warning in font.warnings if "can't be read" in warning], path
            loaded += 1
    assert loaded > 5


@pytest.mark.corpus
@pytest.mark.parametrize("name", SETS)
def test_programs_against_fonttools(corpus: Path, name: str) -> None:
    compared = 0
    for path, file, dictionary in dictionaries(corpus / name):
        if "FontFile2" not in dictionary and "FontFile3" not in dictionary:
            continue
        data = read_program_bytes(file, dictionary)
        truetype, cff = read_truetype(data), read_cff(data)
        try:
            if truetype is not None:
                font = TTFont(io.BytesIO(data), lazy=True)
                subtables = font["cmap"].tables
                keys = [(table.platformID, table.platEncID) for table in subtables]
                expected = {
                    key: {code: font.getGlyphID(glyph) for code, glyph in table.cmap.items()}
                    for key, table in zip(keys, subtables, strict=True)
                    if table.format in (0, 4, 6, 12) and keys.count(key) == 1
                }
            elif cff is not None:
                fonts = CFFFontSet()
                fonts.decompile(io.BytesIO(data), None)
                charset = fonts[0].charset
                is_cid = hasattr(fonts[0], "ROS")
            else:
                continue
        except Exception:
            continue  # damaged past fontTools
        compared += 1
        if truetype is not None:
            for key, codes in expected.items():
                assert {code: truetype.glyph(key, code) for code in codes} == codes, path
        elif cff is not None and is_cid:
            assert cff.cids == [int(cid[3:]) if cid.startswith("cid") else 0 for cid in charset], path
        elif cff is not None:
            assert cff.names == list(charset), path
    assert compared or name == "korean"
