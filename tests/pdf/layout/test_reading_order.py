"""Pages whose content order is wrong by nature, read as a reader does; and pages whose order stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import Golden
from support.layouts import Line, column, draw, draw_across, draw_turned, prose, texts
from support.sheet import Sheet, read, turned

HEAD = [Line(72, 760, "Notices to Mariners"), Line(460, 760, "June")]
FOOT = [Line(300, 30, "17")]
LEFT = column(72, 700, prose(30))
RIGHT = column(320, 700, prose(30, start=17))
TITLE = [Line(150, 735, "The keepers of the western light", 18)]


def names(pages: dict[str, tuple[str, str]]) -> list[object]:
    return [pytest.param(*page, id=name) for name, page in pages.items()]


def interleaved(*columns: list[Line]) -> list[Line]:
    return [line for row in zip(*columns, strict=True) for line in row]


def three_columns() -> list[list[Line]]:
    return [column(72 + 165 * at, 640, prose(20, 28, start=9 * at)) for at in range(3)]


def spread(rows: int) -> str:
    """Rows that a single operator draws across both columns."""
    pairs = zip(LEFT[:rows], RIGHT[:rows], strict=True)
    return "".join(
        f"BT /F2 10 Tf {a.x:g} {a.y:g} Td [{{{a.text}}} {-200 * (b.x - a.x - 5 * len(a.text)) / 2:g} {{{b.text}}}] TJ ET\n"
        for a, b in pairs
    )


FORM_LABELS = column(72, 600, ["Name of vessel", "Port of registry", "Master", "Tonnage", "Last port"], leading=24)
FORM_VALUES = column(220, 600, ["Aurora", "Bergen", "J. Haugen", "412", "Lerwick"], leading=24)
NOTES = column(
    72, 80, ["1 Kept in the archive of the parish.", "2 The lamp was moved twice after that year."], size=8, leading=10
)
CAPTION = column(72, 500, prose(2, start=40), size=8, leading=10)
SIDEBAR = column(440, 600, prose(10, 22, start=50), size=8, leading=10)
BESIDE = column(72, 700, prose(40, 56))

PAGES = {
    "columns drawn across": (draw_across(LEFT, RIGHT), texts(LEFT, RIGHT)),
    "few rows drawn across": (draw_across(LEFT[:5], RIGHT[:5]), texts(LEFT[:5], RIGHT[:5])),
    "rows of one operator across": (spread(30), texts(LEFT, RIGHT)),
    "three columns drawn across": (draw_across(*three_columns()), texts(*three_columns())),
    "columns under a heading, drawn across": (
        draw(TITLE) + draw_across(LEFT, RIGHT) + draw(FOOT),
        texts(TITLE, LEFT, RIGHT, FOOT),
    ),
    "head and foot drawn last": (draw(LEFT + RIGHT + FOOT + HEAD), "Notices to Mariners June\n" + texts(LEFT, RIGHT, FOOT)),
    "title drawn last": (draw(LEFT + RIGHT + TITLE), texts(TITLE, LEFT, RIGHT)),
    "right column drawn first": (draw(RIGHT + LEFT), texts(LEFT, RIGHT)),
    "form: labels, then values": (
        draw([Line(72, 640, "Arrival"), *FORM_LABELS, *FORM_VALUES]),
        "Arrival\n" + "\n".join(f"{a.text} {b.text}" for a, b in zip(FORM_LABELS, FORM_VALUES, strict=True)),
    ),
    "form: values, then labels": (
        draw(FORM_VALUES + FORM_LABELS),
        "\n".join(f"{a.text} {b.text}" for a, b in zip(FORM_LABELS, FORM_VALUES, strict=True)),
    ),
    "slide: foot, bullets, title": (
        draw([Line(72, 40, "Harbour board"), Line(520, 40, "4")])
        + draw(column(90, 500, ["• dredge the channel", "• repair the mole", "• buoys before winter"], 18, 40))
        + draw([Line(72, 600, "Works of this year", 28)]),
        "Works of this year\n• dredge the channel\n• repair the mole\n• buoys before winter\nHarbour board 4",
    ),
    "footnotes drawn first": (draw(NOTES + BESIDE), texts(BESIDE, NOTES)),
    "footnotes of the left column drawn first": (
        draw(NOTES + column(72, 700, prose(48)) + column(320, 700, prose(52, start=17))),
        texts(column(72, 700, prose(48)), column(320, 700, prose(52, start=17)), NOTES),
    ),
    "sidebar drawn between": (
        draw(BESIDE[:12] + SIDEBAR + BESIDE[12:]),
        texts(BESIDE, SIDEBAR),
    ),
    "sidebar drawn first": (draw(SIDEBAR + BESIDE), texts(BESIDE, SIDEBAR)),
    "captions drawn last": (
        draw(column(72, 700, prose(6)) + column(72, 460, prose(20, start=30)) + column(320, 700, prose(40, start=3)) + CAPTION),
        texts(column(72, 700, prose(6)), CAPTION, column(72, 460, prose(20, start=30)), column(320, 700, prose(40, start=3))),
    ),
}


@pytest.mark.parametrize(("content", "expected"), names(PAGES))
def test_pages_are_read_as_a_reader_does(content: str, expected: str) -> None:
    page = read(content)
    assert page.text() == expected
    assert page.quality.order == "reordered"
    assert 0 <= page.quality.moved <= 1


def test_a_newsletter_of_frames() -> None:
    """Frames are drawn in the order in which somebody made them."""
    masthead = [Line(72, 740, "The Western Light", 32), Line(72, 715, "Number 12"), Line(420, 715, "Spring 1926")]
    headline = [Line(72, 680, "A hard winter for the keepers", 20)]
    article = [column(72 + 165 * at, 655, prose(18, 28, start=30 * at)) for at in range(3)]
    second = [Line(72, 410, "Notices", 16)]
    notices = [column(72 + 250 * at, 390, prose(14, 44, start=20 * at)) for at in range(2)]
    content = draw(notices[1] + article[2] + article[0] + second + headline + notices[0] + article[1] + masthead)
    expected = texts(masthead[:1]) + "\nNumber 12 Spring 1926\n" + texts(headline, *article, second, *notices)
    assert read(content).text() == expected


def test_one_column_between_two() -> None:
    upper = column(72, 700, prose(12)), column(320, 700, prose(12, start=5))
    wide = column(72, 530, prose(6, 88, start=9))
    lower = column(72, 430, prose(12, start=20)), column(320, 430, prose(12, start=25))
    assert read(draw_across(*upper) + draw(wide) + draw_across(*lower)).text() == texts(*upper, wide, *lower)


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_columns_of_a_turned_page(angle: int) -> None:
    left, right = column(72, 500, prose(30)), column(320, 500, prose(30, start=17))
    across = [line for row in zip(left, right, strict=True) for line in row]
    page = read(draw_turned(across, angle), rotate=angle, media_box=(0, 0, 612, 792))
    assert page.text() == texts(left, right)


def test_columns_from_right_to_left() -> None:
    sentence = "אור המגדלור נראה למרחוק בלילות בהירים והספינות חוזרות אל הנמל לפני עלות השחר"
    words = sentence.split()
    lines = [" ".join(words[(at + shift) % len(words)] for shift in range(5)) for at in range(24)]

    def drawn(text: str, right: float, y: float) -> str:
        return Line(right - 5 * len(text), y, text[::-1]).content()

    rows = "".join(drawn(lines[12 + at], 290, 700 - 12 * at) + drawn(lines[at], 540, 700 - 12 * at) for at in range(12))
    assert read(rows).text() == "\n".join(lines)


def test_vertical_columns_in_two_tiers() -> None:
    sheet = Sheet()
    font = sheet.writer.add_composite_font("Vertical", encoding="/Identity-V", default_width=1000)
    text = "灯台の光は晴れた夜には遠くからも見え船は夜明け前に港へ戻る"
    upper = [text[at : at + 12] for at in range(8)]
    lower = [text[at + 8 : at + 20] for at in range(8)]

    def tier(lines: list[str], y: float) -> bytes:
        return b"".join(
            f"BT /{font.name} 12 Tf {500 - 20 * at} {y} Td ".encode() + font.show(line) + b" ET\n"
            for at, line in enumerate(lines)
        )

    page = sheet.read([tier(lower, 540) + tier(upper, 700)])
    assert page.text() == "\n".join(upper + lower)


def test_words_of_a_recognised_page_in_any_order() -> None:
    """As a recogniser writes them that works region by region."""
    lines = prose(12, 60)
    words = []
    for at, line in enumerate(lines):
        x = 72.0
        for word in line.split():
            words.append(Line(x, 700 - 14 * at, word))
            x += 5 * (len(word) + 1)
    order = sorted(range(len(words)), key=lambda number: number * 7919 % len(words))
    assert read(draw(words[number] for number in order)).text() == "\n".join(lines)


def test_form_fields_stand_by_their_labels() -> None:
    sheet = Sheet()
    labels = column(72, 700, ["Name of vessel", "Port of registry", "Master", "Tonnage"], leading=30)
    fields = [
        sheet.writer.add_annotation(
            "Widget",
            (220, label.y - 5, 400, label.y + 15),
            appearance=sheet.form(f"BT /F2 10 Tf 0 5 Td {{{value}}} Tj ET", bbox=(0, 0, 180, 20)),
        )
        for label, value in zip(labels, ("Aurora", "Bergen", "J. Haugen", "412"), strict=True)
    ]
    page = sheet.read(draw(labels), annotations=fields)
    assert page.text() == "Name of vessel Aurora\nPort of registry Bergen\nMaster J. Haugen\nTonnage 412"
    assert page.text("content") == texts(labels) + "\nAurora\nBergen\nJ. Haugen\n412"


def test_columns_of_the_smallest_print() -> None:
    """Sizes that round to nothing."""
    lines = [Line(x, 700 - 0.04 * at, text, 0.03) for at in range(20) for x, text in ((72, "left " * 10), (80, "right " * 10))]
    page = read(draw(lines))
    assert sorted(page.text().split()) == ["left"] * 200 + ["right"] * 200


KEPT = {
    "one column": draw(BESIDE),
    "two columns": draw(TITLE + LEFT + RIGHT + FOOT),
    "a table, row by row": draw(
        interleaved(*[column(72 + 110 * at, 600, [f"{word} {row}" for row in range(8)]) for at, word in enumerate("abcd")])
    ),
    "a table of figures, column by column": draw(
        [line for at in range(4) for line in column(72 + 80 * at, 600, [f"{at}.{row}" for row in range(8)])]
    ),
    "a list with its numbers apart": draw(
        interleaved(column(72, 600, [f"{n}." for n in range(1, 13)]), column(100, 600, prose(12, 60)))
    ),
    "names and their values": draw(
        interleaved(
            column(72, 600, ["light", "height", "range", "built", "keeper"]),
            column(200, 600, ["white, two flashes", "31 m", "18 miles", "1846", "none since 1972"]),
        )
    ),
}


@pytest.mark.parametrize("content", [pytest.param(content, id=name) for name, content in KEPT.items()])
def test_an_order_that_makes_sense_stands(content: str) -> None:
    page = read(content)
    assert page.text() == page.text("content")
    assert (page.quality.order, page.quality.moved) == ("content", 0.0)


def test_cells_of_several_lines_drawn_row_by_row() -> None:
    rows = [
        ("Tuition", ["what a course costs differs from school to", "school and from year to year"]),
        ("Room and|board", ["lodging and food as the school offers them or as", "the town has them to let"]),
        ("Books", ["and paper, pencils, folders, a lamp for the desk", "and whatever else a course asks for"]),
        ("Travel and|the like", ["home and back at the end of term and", "each day where lodgings are far"]),
    ]
    drawn, expected, y = [], [], 600.0
    for label, lines in rows:
        labels = label.split("|")
        for at in range(len(lines)):
            if at < len(labels):
                drawn.append(Line(72, y, labels[at]))
            drawn.append(Line(160, y, lines[at]))
            y -= 12
        expected.append("\n".join(labels) + ("\n" if len(labels) > 1 else " ") + "\n".join(lines))
        y -= 10
    assert read(draw(drawn)).text() == "\n".join(expected)


def test_orders(golden: Golden) -> None:
    """What each page comes to, to be read."""
    for name, (content, _) in PAGES.items():
        golden.check(f"reading-order/{name.replace(' ', '-').replace(',', '').replace(':', '')}.txt", read(content).text() + "\n")


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="order"):
        read("").text("random")  # type: ignore[arg-type]


placed = st.tuples(
    st.integers(0, 600),
    st.integers(0, 780),
    st.sampled_from((4, 10, 30)),
    st.sampled_from((0, 90, 180, 270, 37)),
    st.sampled_from(("word", "אור", "a", "灯台", "x y z")),
)


@given(st.lists(placed, max_size=40))
def test_no_glyph_is_lost_or_made_up(pieces: list[tuple[int, int, int, int, str]]) -> None:
    page = read("".join(f"BT /F2 {size} Tf {turned(angle, x, y)} {{{text}}} Tj ET\n" for x, y, size, angle, text in pieces))
    assert sorted("".join(page.text().split())) == sorted("".join(page.text("content").split()))
    assert 0 <= page.quality.moved <= 1
    assert page.quality.order == "reordered" or page.text() == page.text("content")
