"""The page tree: order, inheritance, boxes, contents, and trees that are no trees."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from pincite.model.geometry import Rect
from pincite.pdf.objects.file import File
from pincite.pdf.objects.pages import PageNode, PageTree
from pincite.pdf.objects.values import Reference
from support.pdfwriter import PdfWriter, simple_pdf
from support.pdfwriter import Reference as Written


def _first_page(**attributes: Any) -> PageNode:
    """A page with these attributes, and others on its parent where the name begins with `parent_`."""
    writer = PdfWriter()
    inherited = {key.removeprefix("parent_"): value for key, value in attributes.items() if key.startswith("parent_")}
    writer.pages |= inherited
    writer.add_page(extra={"MediaBox": None} | {key: value for key, value in attributes.items() if not key.startswith("parent_")})
    return PageTree(File.open(writer.write()))[0]


def _texts(pdf: bytes) -> list[str]:
    """The content of every page, where each holds one comment."""
    with File.open(pdf) as file:
        return [b" ".join(page.contents()).decode("latin-1").strip().removeprefix("%") for page in PageTree(file)]


class _Tree:
    """Writes page trees of any shape: `page` and `node` give references, `write` the file with a root."""

    def __init__(self) -> None:
        self.writer = PdfWriter()

    def page(self, text: str, **extra: Any) -> Written:
        content = self.writer.add_stream(f"%{text}")
        return self.writer.add({"Type": "/Page", "Contents": content} | extra)

    def node(self, kids: Any, **extra: Any) -> Written:
        return self.writer.add({"Type": "/Pages", "Kids": kids} | extra)

    def write(self, kids: Any, **extra: Any) -> bytes:
        self.writer.pages |= {"Kids": kids, **extra}
        return self.writer.write()


class TestTree:
    def test_nested_nodes_are_read_in_order(self) -> None:
        tree = _Tree()
        inner = tree.node([tree.page("b"), tree.node([tree.page("c")]), tree.node([])])
        assert _texts(tree.write([tree.page("a"), inner, tree.page("d")])) == ["a", "b", "c", "d"]

    @pytest.mark.parametrize("count", [0, 1, 99, -3, "/Many", None])
    def test_count_is_not_believed(self, count: Any) -> None:
        tree = _Tree()
        assert _texts(tree.write([tree.page("a"), tree.page("b")], Count=count)) == ["a", "b"]

    def test_kids_may_be_direct_objects_or_an_indirect_array(self) -> None:
        tree = _Tree()
        direct = {"Type": "/Page", "Contents": tree.writer.add_stream("%b")}
        node: Any = {"Type": "/Pages", "Kids": [direct, tree.page("c")]}
        kids = tree.writer.add([tree.page("a"), node])
        assert _texts(tree.write(kids)) == ["a", "b", "c"]

    def test_types_may_be_missing_or_wrong(self) -> None:
        tree = _Tree()
        untyped = tree.node([tree.page("a", Type=None), tree.page("b", Type="/Pag")], Type=None)
        assert _texts(tree.write([untyped, tree.node([tree.page("c")], Type="/Catalog")])) == ["a", "b", "c"]

    def test_what_is_no_page_does_not_count(self) -> None:
        tree = _Tree()
        strays = ["null", Written(99), 5, b"text", {}, {"Type": "/Pages"}, tree.writer.add_stream("stream"), Written(1)]
        assert _texts(tree.write([*strays, tree.page("a"), *strays])) == ["a"]

    def test_a_cycle_ends(self) -> None:
        tree = _Tree()
        page = tree.page("a")
        inner = tree.node([])
        tree.writer.replace(inner, {"Type": "/Pages", "Kids": [Written(2), inner, page]})
        assert _texts(tree.write([inner, tree.page("b"), inner])) == ["a", "b"]

    def test_a_tree_of_doubled_nodes_ends(self) -> None:
        tree = _Tree()
        node = tree.node([tree.page("a")])
        for _ in range(60):
            node = tree.node([node, node])
        assert _texts(tree.write([node])) == ["a"]

    def test_a_page_that_stands_twice_counts_twice(self) -> None:
        tree = _Tree()
        page = tree.page("a")
        assert _texts(tree.write([page, tree.page("b"), page])) == ["a", "b", "a"]

    def test_deep_trees_need_no_stack(self) -> None:
        tree = _Tree()
        node = tree.node([tree.page("a")])
        for _ in range(5000):
            node = tree.node([node])
        assert _texts(tree.write([node])) == ["a"]

    def test_the_catalog_may_point_at_a_page(self) -> None:
        tree = _Tree()
        tree.writer.catalog["Pages"] = tree.page("a")
        assert _texts(tree.write([])) == ["a"]

    @pytest.mark.parametrize("pages", [None, Written(99), 5, Written(1)])
    def test_without_a_tree_pages_are_searched(self, pages: Any) -> None:
        tree = _Tree()
        tree.page("a", Parent=Written(2))
        tree.page("b")
        tree.writer.catalog["Pages"] = pages
        data = tree.write([])
        assert _texts(data) == ["a", "b"]

    def test_searched_pages_inherit_from_their_parents(self) -> None:
        tree = _Tree()
        tree.page("a", Parent=Written(2))
        tree.writer.catalog["Pages"] = Written(1)
        with File.open(tree.write([], MediaBox=[0, 0, 30, 40])) as file:
            assert PageTree(file)[0].media_box == Rect(0, 0, 30, 40)
            assert any("page tree is damaged" in warning for warning in file.warnings)

    def test_a_tree_that_the_catalog_lost_is_found(self) -> None:
        tree = _Tree()
        inner = tree.node([tree.page("b"), tree.page("a")], Parent=Written(2))
        tree.writer.catalog["Pages"] = None
        assert _texts(tree.write([inner])) == ["b", "a"]

    def test_a_document_without_pages_has_none(self) -> None:
        with File.open(PdfWriter().write()) as file:
            assert len(PageTree(file)) == 0

    def test_indexes(self) -> None:
        with File.open(simple_pdf(["a", "b", "c"])) as file:
            pages = PageTree(file)
            references = [page.reference for page in pages]
            assert [pages.index(reference) for reference in references] == [0, 1, 2]
            assert pages.index(Reference(1, 0)) is None
            assert pages.index("name") is None
            assert pages[-1].reference == references[2]
            assert [page.reference for page in pages[1:]] == references[1:]
            with pytest.raises(IndexError):
                pages[3]

    def test_memory_is_flat(self) -> None:
        data = simple_pdf(["text"] * 2000)
        tracemalloc.start()
        try:
            with File.open(data) as file:
                pages = PageTree(file)
                held = tracemalloc.get_traced_memory()[0]
                for page in pages:
                    page.contents()
                assert len(file._cache) <= 4096
        finally:
            tracemalloc.stop()
        assert held < 6_000_000


class TestAttributes:
    def test_boxes_are_normalised_and_inherited(self) -> None:
        assert _first_page(MediaBox=[100, 200, 0, -10]).media_box == Rect(0, -10, 100, 200)
        page = _first_page(parent_MediaBox=[0, 0, 30.5, 40], parent_CropBox=[1, 2, 3, 4])
        assert page.media_box == Rect(0, 0, 30.5, 40)
        assert page.crop_box == Rect(1, 2, 3, 4)

    def test_a_page_overrides_what_it_inherits(self) -> None:
        page = _first_page(parent_MediaBox=[0, 0, 30, 40], MediaBox=[0, 0, 50, 60], parent_Rotate=90, Rotate=0)
        assert page.media_box == page.crop_box == Rect(0, 0, 50, 60)
        assert page.rotate == 0

    @pytest.mark.parametrize(
        "box", [None, [], [1, 2, 3], [0, 0, 0, 0], [0, 0, 0, 9], ["/A", 0, 1, 1], 7, ["null", 0, 1, 1], "null"]
    )
    def test_a_box_that_is_none_falls_back(self, box: Any) -> None:
        page = _first_page(MediaBox=box, CropBox=box)
        assert page.media_box == Rect(0, 0, 612, 792)
        assert page.crop_box == Rect(0, 0, 612, 792)
        assert _first_page(MediaBox=[0, 0, 9, 9], CropBox=box).crop_box == Rect(0, 0, 9, 9)

    def test_numbers_of_a_box_may_be_references(self) -> None:
        writer = PdfWriter()
        width = writer.add(300)
        writer.add_page(media_box=[0, 0, width, 20.5])
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].media_box == Rect(0, 0, 300, 20.5)

    @pytest.mark.parametrize(
        ("written", "rotate"),
        [(None, 0), (90, 90), (-90, 270), (450, 90), (180.0, 180), (45, 0), ("/Left", 0), (36 * 10**15, 0), (-720, 0)],
    )
    def test_rotate(self, written: Any, rotate: int) -> None:
        assert _first_page(Rotate=written).rotate == rotate
        assert _first_page(parent_Rotate=written).rotate == rotate

    @pytest.mark.parametrize(("written", "unit"), [(None, 1), (2.5, 2.5), (10, 10), (0, 1), (-3, 1), ("/Big", 1)])
    def test_user_unit(self, written: Any, unit: float) -> None:
        assert _first_page(UserUnit=written).user_unit == unit

    def test_user_unit_is_not_inherited(self) -> None:
        assert _first_page(parent_UserUnit=5).user_unit == 1

    def test_resources(self) -> None:
        assert _first_page(Resources={"Font": {"F1": Written(1)}}).resources == {"Font": {"F1": Reference(1, 0)}}
        assert _first_page(Resources=None, parent_Resources={"A": "/B"}).resources == {"A": "B"}
        assert _first_page(Resources=None).resources == {}
        assert _first_page(Resources=7).resources == {}


class TestContents:
    def test_streams_come_in_order(self) -> None:
        assert _texts_of_contents(["%a", "%b", "%a"]) == [b"%a", b"%b", b"%a"]

    def test_none(self) -> None:
        for contents in (None, 5, Written(99), [], [Written(99)], {"Not": "/AStream"}):
            assert _first_page(Contents=contents).contents() == []

    def test_an_indirect_array_with_strays(self) -> None:
        writer = PdfWriter()
        stream = writer.add_stream("%a")
        array = writer.add(["null", stream, 5, Written(99), stream])
        writer.add_page(extra={"Contents": array})
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"%a", b"%a"]

    def test_a_stream_that_fails_is_left_out_with_a_warning(self) -> None:
        writer = PdfWriter()
        good = writer.add_stream("%good")
        bad = writer.add_stream("nothing deflated", {"Filter": "/FlateDecode"})
        picture = writer.add_stream("jpeg", {"Filter": "/DCTDecode"})
        writer.add_page([good, bad, picture, good])
        with File.open(writer.write()) as file:
            assert PageTree(file)[0].contents() == [b"%good", b"%good"]
            missing = [warning for warning in file.warnings if "content is missing" in warning]
            assert len(missing) == 2


def _texts_of_contents(parts: list[str]) -> list[bytes]:
    writer = PdfWriter()
    writer.add_page(parts)
    with File.open(writer.write()) as file:
        return PageTree(file)[0].contents()
