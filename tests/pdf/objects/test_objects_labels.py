"""Page labels in every style, and number trees that are odd."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.pdf.objects.file import File
from pincite.pdf.objects.labels import read_page_labels
from support.pdfwriter import PdfWriter, Syntax
from support.pdfwriter import Reference as Written


def _labels(tree: Syntax, count: int = 6) -> list[str | None]:
    writer = PdfWriter()
    writer.add_page()
    writer.catalog["PageLabels"] = tree
    with File.open(writer.write()) as file:
        labels = read_page_labels(file, count)
        assert len(labels) == count
        return list(labels)


def test_the_example_of_the_standard() -> None:
    tree: Syntax = {"Nums": [0, {"S": "/r"}, 4, {"S": "/D"}, 7, {"S": "/D", "P": b"A-", "St": 8}]}
    assert _labels(tree, 10) == ["i", "ii", "iii", "iv", "1", "2", "3", "A-8", "A-9", "A-10"]


@pytest.mark.parametrize(
    ("style", "start", "label"),
    [
        ("/D", 7, "7"),
        ("/R", 1994, "MCMXCIV"),
        ("/r", 49, "xlix"),
        ("/r", 4000, "mmmm"),
        ("/A", 1, "A"),
        ("/A", 26, "Z"),
        ("/A", 27, "AA"),
        ("/a", 53, "aaa"),
        ("/R", 10**9, "1000000000"),
        ("/a", 10**9, "1000000000"),
        ("/D", 0, "1"),
        ("/D", -5, "1"),
        ("/D", 2.0, "2"),
        ("/X", 3, None),
        (None, 3, None),
    ],
)
def test_styles(style: Any, start: Any, label: str | None) -> None:
    assert _labels({"Nums": [0, {"S": style, "St": start}]}, 1) == [label]


def test_a_prefix_alone_and_spaces() -> None:
    tree: Syntax = {"Nums": [0, {"P": b"Cover"}, 1, {"P": b"Part ", "S": "/D"}, 2, {"P": b"\xfe\xff\xd5\x5c\x00-", "S": "/D"}]}
    assert _labels(tree, 3) == ["Cover", "Part 1", "한-1"]


def test_pages_before_the_first_range_have_none() -> None:
    assert _labels({"Nums": [2, {"S": "/D"}]}, 4) == [None, None, "1", "2"]


def test_a_tree_of_nodes() -> None:
    tree: Syntax = {"Kids": [{"Limits": [0, 1], "Nums": [0, {"S": "/r"}]}, {"Limits": [2, 2], "Nums": [2, {"S": "/D"}]}]}
    assert _labels(tree, 4) == ["i", "ii", "1", "2"]


def test_a_cycle_ends() -> None:
    writer = PdfWriter()
    writer.add_page()
    loop = writer.add({})
    writer.replace(loop, {"Kids": [loop, {"Nums": [0, {"S": "/D"}]}, loop]})
    writer.catalog["PageLabels"] = loop
    with File.open(writer.write()) as file:
        assert list(read_page_labels(file, 2)) == ["1", "2"]
    assert _labels({"Kids": [Written(99), {"Nums": [0, {"S": "/D"}]}]}, 1) == ["1"]


@pytest.mark.parametrize(
    "tree",
    [
        None,
        5,
        {},
        {"Nums": 5},
        {"Nums": []},
        {"Nums": [0]},
        {"Nums": [0, "null"]},
        {"Nums": ["/A", {"S": "/D"}]},
        {"Kids": [5, "null"]},
    ],
)
def test_broken_trees_give_no_labels(tree: Syntax) -> None:
    assert _labels(tree, 2) == [None, None]


def test_an_index_out_of_range_is_an_error() -> None:
    with File.open(PdfWriter().write()) as file:
        labels = read_page_labels(file, 2)
        for index in (-1, 2):
            with pytest.raises(IndexError):
                labels[index]
