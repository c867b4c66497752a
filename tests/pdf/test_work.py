"""Files that are made to cost much: what they make pincite do is counted, and grows with their size, not with its square."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from typing import Any

import pytest

import pincite
from pincite.errors import LimitError
from pincite.pdf.content.optional import OptionalContent
from pincite.pdf.layout.tables.unruled import _common
from pincite.pdf.layout.tables.words import Word
from pincite.pdf.objects import filters, labels, outline
from pincite.pdf.objects.file import File
from pincite.pdf.objects.filters import decode_best_effort
from pincite.pdf.objects.pages import PageTree
from pincite.pdf.objects.recovery import without_huge_numbers
from pincite.pdf.objects.values import Reference
from support.pdfwriter import OutlineEntry, PdfWriter
from support.pdfwriter import Reference as Written
from support.sheet import Sheet

Counted = Callable[[object, str], list[int]]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Replaces a function by one that counts its calls, and returns where it counts."""

    def count(owner: object, name: str) -> list[int]:
        calls = [0]
        function: Any = getattr(owner, name)

        def wrapper(*arguments: Any, **options: Any) -> Any:
            calls[0] += 1
            return function(*arguments, **options)

        monkeypatch.setattr(owner, name, wrapper)
        return calls

    return count


@pytest.mark.parametrize("form", ["a dictionary of its own", "in the resources", "in the content"])
def test_many_groups_times_many_operators(counted: Counted, form: str) -> None:
    sheet = Sheet()
    groups = sheet.writer.add([sheet.writer.add_layer(str(number), visible=False) for number in range(50)])
    membership: Any = {"Type": "/OCMD", "OCGs": groups}
    name = "/MC0"
    if form == "a dictionary of its own":
        membership = sheet.writer.add(membership)
    elif form == "in the content":
        name = f"<</Type/OCMD/OCGs {groups.number} 0 R>>"
    asked = counted(OptionalContent, "_group")
    line = f"/OC {name} BDC (x) Tj EMC " * 100
    source = f"BT /F1 10 Tf 100 700 Td {line} ET BT /F1 10 Tf 100 600 Td (seen) Tj ET"
    assert sheet.read(source, properties={"MC0": membership}).text() == "seen"
    assert asked[0] == 50


class TestPageTree:
    def test_an_array_of_kids_that_many_nodes_share_is_walked_once(self, counted: Counted) -> None:
        writer = PdfWriter()
        page = writer.add({"Type": "/Page"})
        kids = writer.add([page, *["null"] * 100])
        writer.pages["Kids"] = [writer.add({"Type": "/Pages", "Kids": kids}) for _ in range(50)]
        with File.open(writer.write()) as file:
            resolved = counted(File, "resolve")
            assert len(PageTree(file)) == 1
            assert resolved[0] < 500

    def test_a_missing_object_is_looked_for_once(self, counted: Counted) -> None:
        writer = PdfWriter()
        writer.add_page()
        with File.open(writer.write()) as file:
            loaded = counted(File, "_load")
            assert [file.resolve(Reference(99, 0)) for _ in range(20)] == [None] * 20
            assert loaded == [1]


def test_a_prefix_that_all_page_labels_share_is_decoded_once(counted: Counted) -> None:
    writer = PdfWriter()
    for _ in range(10):
        writer.add_page()
    prefix = writer.add(b"Part " * 100_000)
    writer.catalog["PageLabels"] = {"Nums": [item for page in range(10) for item in (page, {"S": "/D", "P": prefix})]}
    with File.open(writer.write()) as file:
        decoded = counted(labels, "decode_text_string")
        assert list(labels.read_page_labels(file, 10)) == [("Part " * 40)] * 10
        assert decoded == [1]


def test_a_title_that_all_outline_items_share_is_decoded_once(counted: Counted) -> None:
    writer = PdfWriter()
    writer.add_page()
    title = writer.add(b"Title " * 100_000)
    writer.set_outline([OutlineEntry("x", 1, extra={"Title": title}) for _ in range(10)])
    with File.open(writer.write()) as file:
        decoded = counted(outline, "decode_text_string")
        items = outline.read_outline(file, PageTree(file))
        assert [target.item.title for target in items] == [("Title " * 200)[:1024]] * 10
        assert decoded == [1]


@pytest.mark.parametrize("name", ["FlateDecode", "LZWDecode"])
def test_a_damaged_bomb_is_left_when_it_has_made_enough(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    # LZW: codes that each stand for one byte more than the one before
    codes = "".join(f"{code:09b}" for code in range(258, 510))
    lzw = int(f"{256:09b}{0:09b}{codes}".ljust(2288, "0"), 2).to_bytes(286, "big")
    data = {"FlateDecode": zlib.compress(bytes(32_000)), "LZWDecode": lzw}[name]
    assert len(decode_best_effort(data, [(name, {})])) > 30_000
    monkeypatch.setattr(filters, "_MAX_DECODED", 30_000)
    with pytest.raises(LimitError, match="a damaged stream") as caught:
        decode_best_effort(data, [(name, {})])
    assert caught.value.slug == "memory"


def test_a_form_that_is_a_damaged_bomb_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "_MAX_DECODED", 30_000)
    sheet = Sheet()
    data = zlib.compress(b"BT (form) Tj ET".ljust(50_000))[2:]
    form = sheet.writer.add_stream(data, {"Filter": "/FlateDecode", "Subtype": "/Form", "BBox": [0, 0, 99, 99]})
    page = sheet.read("/Fm1 Do BT /F1 10 Tf 100 600 Td (page) Tj ET", xobjects={"Fm1": form})
    assert page.text() == "page"
    assert "a damaged stream" in page.warnings[0]


class TestHugeNumbers:
    @pytest.mark.parametrize("number", ["9223372036854775808", "-9223372036854775809", "9" * 400])
    def test_a_number_that_64_bits_do_not_hold_costs_itself_alone(self, number: str) -> None:
        writer = PdfWriter()
        font = writer.add_font("Courier")
        strings = "(1 99999999999999999999 (2) 99999999999999999999 )"
        writer.add_page(font.text(100, 700, "text"), extra={"Huge": number, "Kept": strings, "List": f"[1 {number} 2]"})
        with pincite.open(writer.write()) as document:
            assert document.page(1).text() == "text"
            page = document.page(1)._node.dictionary
            assert page["Kept"] == strings[1:-1].encode()
            assert page["List"] == [1, None, 2]
            assert "Huge" not in page

    def test_streams_and_what_fits_stay(self) -> None:
        digits = b"1" * 30
        assert without_huge_numbers(b"1 0 obj <</A 9223372036854775807>> endobj") is None
        assert without_huge_numbers(b"1 0 obj <<>> stream\n " + digits + b" endstream endobj " + digits + b" ") is None
        mended = without_huge_numbers(b"1 0 obj << >> stream\n " + digits + b" endstream 2 0 obj [" + digits + b"] endobj")
        assert mended == b"1 0 obj << >> stream\n " + digits + b" endstream 2 0 obj [" + b"null".ljust(30) + b"] endobj"


class TestTables:
    @staticmethod
    def looks(monkeypatch: pytest.MonkeyPatch, rows: int, columns: int) -> int:
        """How often the middle of a word is asked for on a page of numbers in a grid with rules between its rows."""
        writer = PdfWriter()
        font = writer.add_font("Courier")
        content = b"".join(
            font.text(20 + 570 * column / columns, 770 - 740 * row / rows, "12", size=2)
            for row in range(rows)
            for column in range(columns)
        )
        rules = "".join(f" 19 {772.5 - 740 * row / rows:.2f} m 589 {772.5 - 740 * row / rows:.2f} l S" for row in range(rows + 1))
        writer.add_page(content + rules.encode())
        asked = 0

        def middle_x(word: Word) -> float:
            nonlocal asked
            asked += 1
            return 0.5 * (word.x0 + word.x1)

        with monkeypatch.context() as patch, pincite.open(writer.write()) as document:
            patch.setattr(Word, "middle_x", property(middle_x))
            (table,) = document.page(1).tables()
            assert (table.rows, table.columns) == (rows, columns)
        return asked

    def test_a_page_that_is_one_large_grid(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.looks(monkeypatch, 60, 60) < 6 * self.looks(monkeypatch, 30, 30)

    def test_gaps_that_lines_have_in_common(self) -> None:
        class Gaps(list[tuple[float, float]]):
            looks = 0

            def __getitem__(self, index: Any) -> Any:
                Gaps.looks += 1
                return super().__getitem__(index)

        chance = random.Random(3)

        def gaps() -> Gaps:
            edges = sorted(chance.uniform(0, 600) for _ in range(200))
            return Gaps(zip(edges[::2], edges[1::2], strict=True))

        first, second = gaps(), gaps()
        common = [(max(a, c), min(b, d)) for a, b in list(first) for c, d in list(second) if min(b, d) - max(a, c) > 1.0]
        assert _common(first, second, 2.0) == common
        assert len(common) > 20
        assert Gaps.looks <= 2 * 200


def test_references_to_objects_that_are_not_there_are_none_each_time() -> None:
    writer = PdfWriter()
    writer.add_page(extra={"Gone": Written(77)})
    with pincite.open(writer.write()) as document:
        dictionary = document.page(1)._node.dictionary
        assert [document._file.get(dictionary, "Gone", "default") for _ in range(2)] == ["default"] * 2
