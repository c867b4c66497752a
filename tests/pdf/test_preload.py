"""What is loaded ahead is all that the engine may ask for later."""

from __future__ import annotations

import codecs
import re
import subprocess
import sys
from pathlib import Path

import pincite.pdf
from pincite.pdf.preload import _CODECS, _sample, preload

SOURCES = sorted(Path(pincite.pdf.__path__[0]).rglob("*.py"))
CALL = re.compile(r"\.(?:de|en)code\(([^()]*)\)")
NAME = re.compile(r'"([\w-]+)"')
ERRORS = {"strict", "replace", "ignore", "surrogatepass", "surrogateescape"}


def test_every_codec_that_is_named_is_loaded() -> None:
    calls = [found for path in SOURCES for found in CALL.findall(path.read_text(encoding="utf-8"))]
    named = {name for call in calls for name in NAME.findall(call)} - ERRORS
    assert len(named) >= 5
    assert {codecs.lookup(name).name for name in named} <= {codecs.lookup(name).name for name in _CODECS}


def test_the_sample_goes_through_every_font_and_the_outline() -> None:
    with pincite.open(_sample()) as document:
        page = document.page(1)
        assert page.text() == "Sample\n한\naあ\nfo\nxx"
        assert page.label == "xi"
        assert page.quality.images == 1
        assert [item.title for item in document.outline] == ["one"]
        assert document.title == "T"


def test_after_it_no_module_is_imported_for_a_document() -> None:
    script = """
import sys
from pincite.pdf.preload import _sample, preload
preload()
before = set(sys.modules)
import pincite.pdf.document as engine
with engine.open_document(_sample()) as document:
    document.meta
    for page in document:
        page.text(), page.quality, page.label, page.warnings, page.quads(0, 1)
print(sorted(set(sys.modules) - before))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_it_may_be_called_again() -> None:
    preload()
    preload()
