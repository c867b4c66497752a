"""Running heads, feet and page numbers."""

from __future__ import annotations

import pytest

import pincite
from pincite.pdf.document import Document
from support.layouts import Line, column, draw, prose
from support.sheet import Sheet, turned


def body(page: int) -> list[Line]:
    return column(72, 700, prose(40, 60, start=11 * page))


def document_of(*pages: list[Line] | str, **options: object) -> Document:
    sheet = Sheet()
    for page in pages:
        sheet.add(page if isinstance(page, str) else draw(page), **options)
    return pincite.open(sheet.writer.write())


def running(document: Document) -> list[list[str]]:
    """What runs, page by page."""
    texts = [page.text() for page in document]
    result: list[list[str]] = [[] for _ in texts]
    for page, start, end in document.running:
        result[page - 1].append(texts[page - 1][start:end])
    return result


def test_a_head_and_page_numbers() -> None:
    document = document_of(*[[Line(72, 760, "The western light"), *body(at), Line(300, 30, str(at + 7))] for at in range(4)])
    assert running(document) == [["The western light", str(at + 7)] for at in range(4)]


def test_odd_and_even_pages_have_heads_of_their_own() -> None:
    heads = ["12 The western light", "Keepers and boats 13", "14 The western light", "Keepers and boats 15"]
    document = document_of(*[[Line(72, 760, head), *body(at)] for at, head in enumerate(heads)])
    assert running(document) == [[head] for head in heads]


def test_a_first_page_without_a_head_and_a_chapter_that_begins_another() -> None:
    heads = ["", "One", "One", "Two", "Two"]
    document = document_of(*[[*([Line(72, 760, f"Chapter {head}")] if head else []), *body(at)] for at, head in enumerate(heads)])
    assert running(document) == [[f"Chapter {head}"] if head else [] for head in heads]


def test_roman_page_numbers() -> None:
    document = document_of(*[[*body(at), Line(300, 30, number)] for at, number in enumerate(["viii", "ix", "x"])])
    assert running(document) == [["viii"], ["ix"], ["x"]]


def test_several_rows_and_page_counts() -> None:
    rows = [Line(72, 770, "Harbour board, notices to all masters"), Line(72, 758, "Number 12 of the series")]
    document = document_of(*[[*rows, *body(at), Line(260, 30, f"Page {at + 1} of 3")] for at in range(3)])
    assert running(document) == [[rows[0].text, rows[1].text, f"Page {at + 1} of 3"] for at in range(3)]


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_pages_that_are_turned(angle: int) -> None:
    def turn(line: Line) -> str:
        matrix = {
            90: turned(90, 792 - line.y, line.x),
            180: turned(180, 612 - line.x, 792 - line.y),
            270: turned(270, line.y, 612 - line.x),
        }[angle]
        return f"BT /F2 10 Tf {matrix} {{{line.text}}} Tj ET\n"

    box = (0, 0, 612, 792) if angle == 180 else (0, 0, 792, 612)
    pages = ["".join(map(turn, [Line(72, 760, "The western light"), *body(at), Line(300, 30, str(at))])) for at in range(3)]
    assert running(document_of(*pages, rotate=angle, media_box=box)) == [["The western light", str(at)] for at in range(3)]


def test_a_stamp_on_the_margin() -> None:
    stamp = f"BT /F2 10 Tf {turned(90, 30, 300)} {{downloaded from the archive of lights}} Tj ET\n"
    document = document_of(*[draw(body(at)) + stamp for at in range(2)])
    assert running(document) == [["downloaded from the archive of lights"]] * 2


STILL = {
    "text that begins anew on each page": [body(at) for at in range(3)],
    "the same words elsewhere": [[Line(72, 760 - 9 * at, "The western light"), *body(at)] for at in range(3)],
    "captions that are counted": [[Line(72, 760, f"Figure {at + 1}"), *body(at)] for at in range(3)],
    "numbers that count nothing": [[*body(at), Line(300, 30, str(at * (5 * at + 2)))] for at in range(3)],
    "a figure that stands in one place twice": [[*body(at), Line(300, 30, "7")] for at in range(2)],
    "labels of two charts": [[Line(72, 770, f"page of {at * 5}"), Line(90, 755, "depth, m"), *body(at)] for at in range(2)],
    "the same sentence in the middle": [[*body(at), Line(320, 400, "what stands in the middle of the page")] for at in (0, 1)],
    "one page": [[Line(72, 760, "The western light"), *body(1)]],
    "empty pages": ["", "", ""],
}


@pytest.mark.parametrize("pages", [pytest.param(pages, id=name) for name, pages in STILL.items()])
def test_what_does_not_run(pages: list[list[Line]]) -> None:
    assert not any(running(document_of(*pages)))


def test_heads_that_are_far_apart_are_not_compared() -> None:
    head = [Line(72, 760, "The western light")]
    assert not any(running(document_of(head + body(0), *map(body, range(1, 6)), head)))


def test_each_page_tells_what_is_found_by_it() -> None:
    document = document_of(*[[Line(72, 760, "The western light"), *body(at)] for at in range(3)])
    follow = document.follow_running()
    assert [[span.page for span in follow(page)] for page in document] == [[], [1, 2], [3]]


def test_a_thousand_lines_that_say_the_same_cost_little() -> None:
    pages = [[Line(50 + at % 500, 790 - at * 0.001, "x", 0.01) for at in range(1000)] for _ in range(3)]
    assert len(document_of(*pages).running) <= 3 * 1000
