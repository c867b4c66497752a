"""Load the whole engine and use it once: what is loaded late fails in a process that has given up files.

The confined child calls `preload` before it confines itself, or is forked from a process that did.
"""

from __future__ import annotations

import codecs
import importlib
import pkgutil
import unicodedata
import zlib

import pincite.pdf
from pincite.pdf.document import open_document
from pincite.pdf.font.preload import preload_fonts
from pincite.pdf.objects.preload import preload_objects

__all__ = ["preload"]

_CODECS = ("ascii", "latin-1", "utf-8", "utf-16", "utf-16-be", "utf-16-le", "utf-32", "utf-32-be", "utf-32-le")
"""Every codec that the engine names, each a module of its own; a test looks for others. Legacy encodings of fonts are tables."""


def preload() -> None:
    """Load all modules and tables of the engine, and send a small document through all of it (about 50 ms)."""
    for module in pkgutil.walk_packages(pincite.pdf.__path__, pincite.pdf.__name__ + "."):
        importlib.import_module(module.name)
    for name in _CODECS:
        for character in "A中":
            codecs.decode(codecs.encode(character, name, "replace"), name, "replace")
    unicodedata.normalize("NFKC", "ﬁ")
    preload_fonts()
    preload_objects()
    with open_document(_sample()) as document:
        document.meta  # noqa: B018  # reads title and outline
        document.structure  # noqa: B018
        document.running  # noqa: B018
        document.sections  # noqa: B018
        document.tables()
        for page in document:
            page.text(hyphens="join")
            page.text("content")
            page.text("structure")
            page.layout_text()
            page.blocks()
            page.quads(0, 1)
            page.quality  # noqa: B018
            page.label  # noqa: B018


_TABLE = (
    b"72 500 144 48 re 144 500 m 144 548 l 72 524 m 216 524 l S BT /F1 10 Tf 80 530 Td (Name) Tj 72 0 Td (Sum) Tj\n"
    b"-72 -24 Td (Ann) Tj 72 0 Td (12) Tj ET "
)
"""A grid of four cells, to be found."""


def _sample() -> bytes:
    """A page with each kind of font, a table, a form, an image, a filter of each kind and a damaged stream; without a table of
    cross-references, so that it is repaired first."""
    cmap = b"1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <d55c> endbfchar"
    text = (
        b"q BT /F1 12 Tf 72 700 Td (Sample) Tj /F2 12 Tf 0 -20 Td <0001> Tj /F3 12 Tf 0 -20 Td (a) Tj\n"
        b"/F4 12 Tf (\x82\xa0) Tj ET Q /Fm Do " + _TABLE + b" /P <</ActualText (x)>> BDC EMC BI /W 1 /H 1 /BPC 8 /CS /G ID x EI"
    )
    deflated = zlib.compress(text)
    names = b"/PageLabels<</Nums[0<</S/r/P(x)>>]>>/Names<</Dests<</Names[(d)[3 0 R/Fit]]>>>>"
    resources = b"/Resources<</Font<</F1 5 0 R/F2 6 0 R/F3 8 0 R/F4 12 0 R>>/XObject<</Fm 9 0 R>>>>"
    descendant = b"<</Type/Font/Subtype/CIDFontType2/W[1[500]]/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)/Supplement 0>>>>"
    drawn = b"/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/CharProcs<</a 4 0 R>>"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R/Outlines 14 0 R%s>>" % names,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[4 0 R 10 0 R 11 0 R]%s>>" % resources,
        _stream(b"/Filter/FlateDecode", deflated),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[65/A/uni0042/f_i]>>>>",
        b"<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 7 0 R/DescendantFonts[%s]>>" % (descendant % b"Korea1"),
        _stream(b"", cmap),
        b"<</Type/Font/Subtype/Type3/Encoding<</Differences[97/a]>>%s>>" % drawn,
        _stream(b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b"BT /F1 9 Tf (form) Tj ET"),
        _stream(b"/Filter[/ASCIIHexDecode/RunLengthDecode]", b"03 71 20 51 0A 80>"),
        _stream(b"/Filter/FlateDecode", deflated[:-9]),
        b"<</Type/Font/Subtype/Type0/Encoding/90ms-RKSJ-H/DescendantFonts[%s]>>" % (descendant % b"Japan1"),
        b"<</Title(\xfe\xff\0T)/Author(A)/CreationDate(D:20200101000000Z)>>",
        b"<</First 15 0 R>>",
        b"<</Title(one)/Dest(d)>>",
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, item) for number, item in enumerate(objects, 1))
    return b"%PDF-1.7\n" + body + b"trailer<</Root 1 0 R/Info 13 0 R>>\nstartxref\n0\n%%EOF\n"


def _stream(entries: bytes, data: bytes) -> bytes:
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)
