"""Write the packed tables of pincite/pdf/font/data; run by a maintainer, never at run time.

    python tools/make_font_data.py [--cmaps /usr/share/poppler/cMap] [--out src/pincite/pdf/font/data]

Sources, all facts about fonts under permissive licences whose notices go beside the data as NOTICE.txt:
the Adobe Glyph List and the ITC Zapf Dingbats list from fontTools, base encodings and the widths of the standard 14
fonts from reportlab, and the predefined CMaps from Debian's poppler-data, folder cMap alone (its siblings are GPL, and
Identity-UTF16-H in it is AGPL; neither is read). Names that the list lacks, TeX's above all, are in
extra_glyph_names.txt beside this script.

The byte layout is described in pincite/pdf/font/packed.py, which reads it.
"""

from __future__ import annotations

import argparse
import json
import re
import zlib
from pathlib import Path
from typing import Any

MAGIC = b"PCFONT1\n"
COLLECTIONS = {"Korea1": "KSCms-UHC-HW-H", "Japan1": "90ms-RKSJ-H", "GB1": "GBK-EUC-H", "CNS1": "ETen-B5-H", "KR": ""}
"""Ordering → a CMap that reaches the collection's Latin letters of half width from ASCII."""
NOT_ASCII = {"Japan1": (0x5C, 0x7E), "Korea1": (0x5C,)}
"""Codes that show a yen or won sign, or an overline."""
CODINGS = (("-UTF8-", "utf8"), ("-UTF16-", "utf16"), ("-UTF32-", "utf32"))
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
LATIN_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


class Pack:
    """Members behind a JSON index: name → [offset, size, rows, properties]."""

    def __init__(self) -> None:
        self.index: dict[str, list[Any]] = {}
        self.body = bytearray()

    def add(self, name: str, data: bytes, rows: int = 0, **properties: Any) -> None:
        packed = zlib.compress(data, 9)
        self.index[name] = [len(self.body), len(packed), rows, properties]
        self.body += packed

    def add_text(self, name: str, lines: list[str]) -> None:
        self.add(name, "\n".join(lines).encode())

    def write(self, path: Path) -> None:
        index = zlib.compress(json.dumps(self.index, separators=(",", ":")).encode(), 9)
        path.write_bytes(MAGIC + len(index).to_bytes(4, "little") + index + bytes(self.body))
        print(f"{path}: {path.stat().st_size:,} bytes, {len(self.index)} members")


def planes(column: list[int]) -> bytes:
    """32-bit little-endian integers, all lowest bytes first, then all second bytes, …: deltas then deflate well."""
    raw = b"".join((value & 0xFFFFFFFF).to_bytes(4, "little") for value in column)
    return b"".join(raw[plane::4] for plane in range(4))


def deltas(column: list[int]) -> list[int]:
    return [value - before for value, before in zip(column, [0, *column], strict=False)]


# --- glyph names, encodings, standard 14 -----------------------------------------------------------------------------


def usable(text: str) -> bool:
    return all(
        point >= 0x20
        and not 0x7F <= point < 0xA0
        and not 0xD800 <= point < 0xF900
        and point < 0xF0000
        and point not in (0xFFFD, 0xFFFE, 0xFFFF)
        for point in map(ord, text)
    )


def glyph_names(here: Path) -> dict[str, str]:
    from fontTools import agl

    names = {name: "".join(map(chr, points)) for name, points in agl.LEGACY_AGL2UV.items()}
    # Small capitals, old-style and other figures of the expert sets, which the list maps to private use.
    stripped: dict[str, str] = {}
    for name, text in names.items():
        if usable(text):
            continue
        match = re.fullmatch(r"(.+?)(small|oldstyle|fitted|superior|inferior|inverted)", name)
        if match:
            stem = match[1]
            for candidate in (stem, stem.lower(), stem.capitalize()):
                if candidate in names and usable(names[candidate]):
                    # "Asmall" has the code and the meaning of "a".
                    stripped[name] = names[candidate].lower() if match[2] == "small" else names[candidate]
                    break
    names.update(stripped)
    for line in (here / "extra_glyph_names.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *points = line.split("#")[0].split()
            names[name] = "".join(chr(int(point, 16)) for point in points)
    names = {name: LATIN_LIGATURES.get(text, text) for name, text in names.items() if usable(text)}
    return dict(sorted(names.items()))


def zapf_names() -> dict[str, str]:
    from fontTools import agl

    table = {f"a{number}": agl._zapfDingbatsToUnicode(f"a{number}") for number in range(1, 207)}
    return {name: text for name, text in table.items() if text}


def tables(here: Path) -> Pack:
    from fontTools import cffLib
    from fontTools.ttLib.standardGlyphOrder import standardGlyphOrder
    from reportlab.pdfbase import _fontdata

    pack = Pack()
    for member, names in (("glyphs", glyph_names(here)), ("zapf", zapf_names())):
        pack.add_text(f"{member}/names", list(names))
        pack.add_text(f"{member}/texts", list(names.values()))
    for name, glyphs in _fontdata.encodings.items():
        assert len(glyphs) == 256
        pack.add_text(f"encoding/{name}", [glyph if glyph and glyph != ".notdef" else "" for glyph in glyphs])
    for name, widths in _fontdata.widthsByFontGlyph.items():
        ascent, descent = _fontdata.ascent_descent[name]
        pack.add_text(
            f"standard14/{name}", [f"{ascent} {descent}", *(f"{glyph} {width}" for glyph, width in sorted(widths.items()))]
        )
    pack.add_text("cff/strings", list(cffLib.cffStandardStrings))
    pack.add_text("cff/ISOAdobe", list(cffLib.cffISOAdobeStrings))
    pack.add_text("cff/Expert", list(cffLib.cffIExpertStrings))
    pack.add_text("cff/ExpertSubset", list(cffLib.cffExpertSubsetStrings))
    pack.add_text("mac/order", list(standardGlyphOrder))
    return pack


# --- CMaps -------------------------------------------------------------------------------------------------------------


def blocks(data: bytes, kind: bytes) -> list[bytes]:
    return re.findall(rb"begin" + kind + rb"\b(.*?)end" + kind, data, re.S)


def code_point(coding: str, code: int, length: int) -> int:
    """The UTF-8, -16 and -32 variants of a CMap map the same characters, so codes are stored as code points."""
    if coding == "utf8":
        return ord(code.to_bytes(length, "big").decode("utf-8"))
    if coding == "utf16" and length == 4:
        return ord(code.to_bytes(4, "big").decode("utf-16-be"))
    return code


def read_cmap(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    coding = next((coding for mark, coding in CODINGS if mark in path.name), "")
    parent = re.search(rb"/([\w-]+)\s+usecmap", data)
    mode = re.search(rb"/WMode\s+(\d)", data)
    ordering = re.search(rb"/Ordering\s*\((.*?)\)", data)
    spaces = [
        (len(low) // 2, int(low, 16), int(high, 16))
        for block in blocks(data, b"codespacerange")
        for low, high in re.findall(rb"<(\w+)>\s*<(\w+)>", block)
    ]
    rows = [
        (len(low) // 2, int(low, 16), int(high, 16), int(cid))
        for block in blocks(data, b"cidrange")
        for low, high, cid in re.findall(rb"<(\w+)>\s*<(\w+)>\s*(\d+)", block)
    ] + [
        (len(code) // 2, int(code, 16), int(code, 16), int(cid))
        for block in blocks(data, b"cidchar")
        for code, cid in re.findall(rb"<(\w+)>\s*(\d+)", block)
    ]
    if coding:
        rows = [(0, code_point(coding, low, n), code_point(coding, high, n), cid) for n, low, high, cid in rows]
    merged: list[list[int]] = []
    for length, low, high, cid in sorted(rows):
        last = merged[-1] if merged else None
        if last and last[0] == length and low == last[2] + 1 and cid == last[3] + low - last[1]:
            last[2] = high
        else:
            merged.append([length, low, high, cid])
    return {
        "coding": coding,
        "parent": parent[1].decode() if parent else "",
        "wmode": int(mode[1]) if mode else 0,
        "ordering": ordering[1].decode() if ordering else "",
        "spaces": spaces,
        "rows": sorted(merged, key=lambda row: (row[3], row[0], row[1])),
    }


def read_collection(path: Path) -> tuple[list[int], list[str]]:
    """CID → code point, 0xFFFD where there is none, or -1 - position in the list of strings."""
    data = path.read_bytes()
    texts: dict[int, str] = {}
    for block in blocks(data, b"bfchar"):
        for code, text in re.findall(rb"<(\w+)>\s*<(\w+)>", block):
            texts[int(code, 16)] = bytes.fromhex(text.decode()).decode("utf-16-be")
    for block in blocks(data, b"bfrange"):
        for low, high, first in re.findall(rb"<(\w+)>\s*<(\w+)>\s*<(\w+)>", block):
            text = bytes.fromhex(first.decode()).decode("utf-16-be")
            for step in range(int(high, 16) - int(low, 16) + 1):
                texts[int(low, 16) + step] = text[:-1] + chr(ord(text[-1]) + step)
    points = [0xFFFD] * (max(texts) + 1)
    strings: list[str] = []
    for cid, text in texts.items():
        # A variation selector tells a shape of the same character: it would only keep words from being found.
        text = VARIATION_SELECTORS.sub("", text)
        # What is drawn is a hyphen, at the end of a line or not.
        text = text.replace("\xad", "\u2010")
        if not text or not usable(text):
            continue
        if len(text) == 1:
            points[cid] = ord(text)
        else:
            points[cid] = -1 - len(strings)
            strings.append(text)
    return points, strings


def cmaps(folder: Path) -> Pack:
    pack = Pack()
    loaded: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("Adobe-*/*")):
        name = path.name
        if "UCS2" in name and not name.startswith("Uni"):
            continue  # CID or code → UCS-2 and back: not a CMap that a font can name
        if re.fullmatch(r"Adobe-\w+?-(?!\d$).*", name):
            continue
        loaded[name] = read_cmap(path)
    for name, cmap in loaded.items():
        same = name
        if cmap["coding"] in ("utf8", "utf16"):
            wide = re.sub(r"UTF(8|16)", "UTF32", name)
            if wide in loaded and loaded[wide]["rows"] == cmap["rows"]:
                same = wide
        rows = cmap["rows"]
        properties = {key: cmap[key] for key in ("coding", "parent", "wmode", "ordering", "spaces") if cmap[key]}
        if same != name:
            pack.add(f"cmap/{name}", b"", same=same, **properties)
            continue
        columns = [
            deltas([row[3] for row in rows]),
            deltas([row[1] for row in rows]),
            [row[2] - row[1] + 1 for row in rows],
            [row[0] for row in rows],
        ]
        pack.add(f"cmap/{name}", b"".join(map(planes, columns)), len(rows), **properties)
    for ordering, latin in COLLECTIONS.items():
        points, strings = read_collection(folder / f"Adobe-{ordering}" / f"Adobe-{ordering}-UCS2")
        # Adobe's map has an en space and a half-width bar among the half-width Latin letters: they are meant as ASCII.
        for length, low, high, cid in loaded[latin]["rows"] if latin else ():
            for code in range(low, high + 1):
                if length == 1 and 0x20 <= code < 0x7F and code not in NOT_ASCII.get(ordering, ()):
                    points[cid + code - low] = code
        pack.add(f"collection/{ordering}", planes(points), len(points), strings=strings)
    return pack


def notice(folder: Path) -> str:
    import reportlab
    from fontTools import agl

    comment = (folder / "Adobe-Korea1" / "KSCms-UHC-H").read_text("latin-1")
    adobe = "\n".join(re.findall(r"^%%Copyright: ?(.*)$", comment, re.M))
    glyph_list = "\n".join(line[2:] for line in agl._aglText.splitlines()[:34] if line.startswith("#"))
    site = Path(reportlab.__file__).parent.parent
    licence = next(site.glob("reportlab-*.dist-info/**/LICENSE*")).read_text()
    return "\n".join(
        [
            "The tables in this folder are generated by tools/make_font_data.py from the sources below.",
            "",
            "cmaps.bin: Adobe's CMap resources (https://github.com/adobe-type-tools/cmap-resources and mapping-resources-pdf)",
            "",
            adobe,
            "",
            "tables.bin, glyph names: the Adobe Glyph List and the ITC Zapf Dingbats Glyph List",
            "",
            glyph_list,
            "",
            "tables.bin, base encodings and widths of the standard 14 fonts: taken over from ReportLab's tables",
            "",
            licence,
        ]
    )


def main() -> None:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cmaps", type=Path, default=Path("/usr/share/poppler/cMap"))
    parser.add_argument("--out", type=Path, default=here.parent / "src/pincite/pdf/font/data")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    tables(here).write(options.out / "tables.bin")
    cmaps(options.cmaps).write(options.out / "cmaps.bin")
    (options.out / "NOTICE.txt").write_text(notice(options.cmaps))


if __name__ == "__main__":
    main()
