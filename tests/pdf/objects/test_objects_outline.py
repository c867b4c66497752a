"""The outline: titles, levels, and every way in which an item names its page."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.model.text import OutlineItem
from pincite.pdf.objects.file import File
from pincite.pdf.objects.outline import MAX_ITEMS, read_outline
from pincite.pdf.objects.pages import PageTree
from support.pdfwriter import OutlineEntry, PdfWriter
from support.pdfwriter import Reference as Written

PAGES = 4


def _writer() -> PdfWriter:
    writer = PdfWriter()
    for _ in range(PAGES):
        writer.add_page()
    return writer


def _read(writer: PdfWriter) -> list[tuple[str, int, int]]:
    with File.open(writer.write()) as file:
        return [(item.title, item.page, item.level) for item, _ in read_outline(file, PageTree(file))]


def _outline(*entries: OutlineEntry) -> list[tuple[str, int, int]]:
    writer = _writer()
    writer.set_outline(entries)
    return _read(writer)


def _destination(extra: dict[str, Any], prepare: Any = None) -> int | None:
    """The page of the one item with these keys."""
    writer = _writer()
    if prepare is not None:
        prepare(writer)
    writer.set_outline([OutlineEntry("item", extra=extra)])
    items = _read(writer)
    return items[0][1] if items else None


def test_items_come_in_reading_order_with_levels() -> None:
    assert _outline(
        OutlineEntry("1", 1, [OutlineEntry("1.1", 2, [OutlineEntry("1.1.1", 3, via="action")]), OutlineEntry("1.2", 3)]),
        OutlineEntry("2", 4, via="action"),
    ) == [("1", 1, 1), ("1.1", 2, 2), ("1.1.1", 3, 3), ("1.2", 3, 2), ("2", 4, 1)]


def test_items_are_the_models() -> None:
    writer = _writer()
    writer.set_outline([OutlineEntry("a", 1)])
    with File.open(writer.write()) as file:
        assert [target.item for target in read_outline(file, PageTree(file))] == [OutlineItem("a", 1, 1)]


def test_titles_are_text_strings() -> None:
    assert [title for title, _, _ in _outline(
        OutlineEntry(b"  trimmed\r\n", 1),
        OutlineEntry(b"\xfe\xff\xd5\x5c\xae\x00", 1),
        OutlineEntry(b"\xef\xbb\xbf\xc3\xa9t\xc3\xa9", 1),
        OutlineEntry(b"a\x84b\x00", 1),
        OutlineEntry("none", 1, extra={"Title": None}),
    )] == ["trimmed", "한글", "été", "a—b", ""]  # fmt: skip


def test_items_without_a_page_are_left_out_and_walked_past() -> None:
    web: Any = {"A": {"S": "/URI", "URI": b"https://example.org"}}
    assert _outline(
        OutlineEntry("web", None, [OutlineEntry("below", 2)], extra=web),
        OutlineEntry("nothing", None, [OutlineEntry("below nothing", 3)]),
        OutlineEntry("last", 4),
    ) == [("below", 2, 2), ("below nothing", 3, 2), ("last", 4, 1)]


def _page(number: int) -> Written:
    return _writer().page_references[number - 1]


@pytest.mark.parametrize(
    ("extra", "page"),
    [
        ({"Dest": [_page(2), "/Fit"]}, 2),
        ({"Dest": [_page(2)]}, 2),
        ({"Dest": {"D": [_page(3), "/XYZ", 0, 0, "null"]}}, 3),
        ({"A": {"S": "/GoTo", "D": [_page(4), "/Fit"]}}, 4),
        ({"Dest": [2, "/Fit"]}, 3),  # a page number, which counts from 0
        ({"Dest": [PAGES, "/Fit"]}, None),
        ({"Dest": [-1, "/Fit"]}, None),
        ({"Dest": [Written(1), "/Fit"]}, None),
        ({"Dest": [Written(99), "/Fit"]}, None),
        ({"Dest": ["null", "/Fit"]}, None),
        ({"Dest": []}, None),
        ({"Dest": 5}, None),
        ({"Dest": "/nowhere"}, None),
        ({"Dest": b"nowhere"}, None),
        ({"Dest": ["true"]}, None),
        ({"A": {"S": "/GoToR", "F": b"other.pdf", "D": [0, "/Fit"]}}, None),
        ({"A": {"S": "/Named", "N": "/NextPage"}}, None),
        ({"A": {"S": "/GoTo"}}, None),
        ({"A": 7}, None),
        ({"Dest": [Written(99), "/Fit"], "A": {"S": "/GoTo", "D": [_page(1), "/Fit"]}}, 1),
    ],
)
def test_explicit_destinations(extra: dict[str, Any], page: int | None) -> None:
    assert _destination(extra) == page


def _named(writer: PdfWriter) -> None:
    first, second, third, fourth = writer.page_references
    writer.catalog["Dests"] = {"old": [first, "/Fit"], "old dict": {"D": [second, "/Fit"]}}
    leaf = writer.add({"Limits": [b"a", b"b"], "Names": [b"a", [third, "/Fit"], b"b", writer.add({"D": [fourth, "/Fit"]})]})
    broken = writer.add({"Names": [5, [first], b"odd", [first, "/Fit"], b"last"]})
    loop = writer.add({})
    writer.replace(loop, {"Kids": [loop, broken, Written(99), "null"]})
    writer.catalog["Names"] = {"Dests": {"Kids": [leaf, loop]}}


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("/old", 1),
        ("/old#20dict", 2),
        (b"a", 3),
        (b"b", 4),
        (b"odd", 1),
        ("/a", 3),
        (b"old", 1),
        (b"last", None),
        (b"none", None),
    ],
)
def test_named_destinations(name: str | bytes, page: int | None) -> None:
    assert _destination({"Dest": name}, _named) == page
    assert _destination({"A": {"S": "/GoTo", "D": name}}, _named) == page


def test_a_name_that_leads_to_a_name_is_left_out() -> None:
    def loop(writer: PdfWriter) -> None:
        writer.catalog["Dests"] = {"a": "/b", "b": "/a"}

    assert _destination({"Dest": "/a"}, loop) is None


def test_no_object_is_visited_twice() -> None:
    writer = _writer()
    page = writer.page_references[0]
    first, second = writer.add({}), writer.add({})
    writer.replace(first, {"Title": b"first", "Dest": [page, "/Fit"], "Next": second, "First": first})
    writer.replace(second, {"Title": b"second", "Dest": [page, "/Fit"], "Next": first, "First": second})
    writer.catalog["Outlines"] = {"First": first, "Last": second}
    assert _read(writer) == [("first", 1, 1), ("second", 1, 1)]


def test_the_number_of_items_is_limited() -> None:
    writer = _writer()
    page = writer.page_references[0]
    start = writer.add(0).number
    for number in range(start + 1, start + MAX_ITEMS + 50):
        writer.add({"Title": b"x", "Dest": [page, "/Fit"], "Next": Written(number + 1)})
    writer.catalog["Outlines"] = {"First": Written(start + 1)}
    assert len(_read(writer)) == MAX_ITEMS


def test_deep_nesting_needs_no_stack() -> None:
    writer = _writer()
    page = writer.page_references[0]
    start = writer.add(0).number
    for number in range(start + 1, start + 3001):
        writer.add({"Title": b"x", "Dest": [page, "/Fit"], "First": Written(number + 1)})
    writer.catalog["Outlines"] = {"First": Written(start + 1)}
    assert [level for _, _, level in _read(writer)] == list(range(1, 3001))


@pytest.mark.parametrize("outlines", [None, 5, {}, {"First": 5}, {"First": Written(99)}, {"First": Written(1)}, b"text"])
def test_without_an_outline_there_are_no_items(outlines: Any) -> None:
    writer = _writer()
    writer.catalog["Outlines"] = outlines
    assert _read(writer) == []
