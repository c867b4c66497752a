"""What is loaded ahead is all that the engine may ask for later."""

from __future__ import annotations

import codecs
import re
import subprocess
import sys
from pathlib import Path

import pincite.pdf
from pincite.pdf.preload import _CODECS, _sample, preload
from support.hostile import rich_pdf
from support.sheet import Sheet
from support.tablesheet import TableSheet
from support.tagged import tagged

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
        assert page.text() == "Sample\n한\naあ\nfo\nName Sum\nAnn 12x"
        assert page.label == "xi"
        assert page.quality.images == 1
        assert [table.grid() for table in document.tables()] == [[["Name", "Sum"], ["Ann", "12x"]]]
        assert [item.title for item in document.outline] == ["one"]
        assert document.title == "T"


def test_after_it_no_module_is_imported_for_a_document(tmp_path: Path) -> None:
    script = """
import sys
from pincite.pdf.preload import preload
preload()
before = set(sys.modules)
import pincite.pdf.document as engine
for path in sys.argv[1:]:
    with engine.open_document(path) as document:
        document.meta, document.outline, document.sections, document.structure, document.tables()
        for page in document:
            page.text(), page.text("structure"), page.quality, page.label, page.warnings, page.quads(0, 1)
print(sorted(set(sys.modules) - before))
"""
    structured = Sheet()
    structured.add("/P <</MCID 0>> BDC BT /F1 20 Tf 72 700 Td (Heading) Tj ET EMC BT /F1 9 Tf 72 600 Td (text) Tj ET")
    tagged(structured, ("Document", [("H1", [0])]))
    tables = TableSheet()
    tables.text(72, 740, "Table 1. Sums")
    tables.grid(72, 700, [80, 80], 30, [["Name", "Paid"], ["Ann", "1,200"]])
    tables.next_page()
    paths = []
    for number, data in enumerate((_sample(), rich_pdf(), structured.writer.write(), tables.writer.write())):
        paths.append(tmp_path / f"{number}.pdf")
        paths[-1].write_bytes(data)
    done = subprocess.run([sys.executable, "-c", script, *paths], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_it_may_be_called_again() -> None:
    preload()
    preload()
