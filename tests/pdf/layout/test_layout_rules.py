"""TextRules, hyphens at line ends, and the box a page is seen through."""

from __future__ import annotations

import pytest

import pincite
from pincite import TextRules
from pincite.model.geometry import Rect
from pincite.pdf.layout.hyphens import join_hyphens
from support.sheet import Sheet, line_of, read, shown


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (TextRules(), "AB C\nD"),
        (TextRules(space=0.1), "A B C\nD"),
        (TextRules(space=0.5), "ABC\nD"),
        (TextRules(line=0.7), "AB C D"),
        (TextRules(space=0.25, line=0.7), "ABC D"),
        (TextRules(space=0.1, line=0.1), "A B C\nD"),
    ],
)
def test_the_thresholds_can_be_set(rules: TextRules, expected: str) -> None:
    page = read("BT /F1 10 Tf 100 700 Td [(A) -140 (B) -200 (C)] TJ 30 6 Td (D) Tj ET")
    assert page.text(rules=rules) == expected
    assert page.text() == "AB C\nD"


@pytest.mark.parametrize(("ascent", "em", "font"), [(1100, "A B\nC", "AB C"), (300, "A\nB", "A\nB")])
def test_the_box_of_the_font(ascent: int, em: str, font: str) -> None:
    """A tall font's box is 1.6 em: a gap of 0.2 em is 0.125 boxes, a movement of 0.7 em is 0.44."""
    sheet = Sheet()
    tall = sheet.writer.add_font(widths=500, descriptor={"Ascent": ascent, "Descent": -500, "Flags": 32})
    if ascent == 1100:
        page = sheet.read(f"BT /{tall.name} 10 Tf 100 700 Td [(A) -200 (B)] TJ 30 7 Td (C) Tj ET")
    else:
        page = sheet.read(f"BT /{tall.name} 10 Tf 100 700 Td (A) Tj 30 7 Td (B) Tj ET")
    assert page.text() == em
    assert page.text(rules=TextRules(box="font")) == font


def test_rules_are_values() -> None:
    assert TextRules() == TextRules(space=0.15, line=0.5, box="em")
    assert pincite.TextRules is TextRules
    with pytest.raises(AttributeError):
        TextRules().space = 1.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        pytest.param(["exam-", "ple text"], "example text", id="hyphen-minus"),
        pytest.param(["exam‐", "ple"], "example", id="hyphen"),
        pytest.param(["exam\u00ad", "ple"], "example", id="soft hyphen"),
        pytest.param(["Exam\u00ad", "Ple"], "ExamPle", id="a soft hyphen before a capital"),
        pytest.param(["über-", "äußert"], "überäußert", id="other letters"),
        pytest.param(["при-", "мер"], "пример", id="another script"),
        pytest.param(["Jean-", "Paul"], "Jean-Paul", id="before a capital the hyphen stays"),
        pytest.param(["COVID-", "19"], "COVID-19", id="before a figure"),
        pytest.param(["1939-", "1945"], "1939-1945", id="between figures"),
        pytest.param(["12-", "fold"], "12-fold", id="behind a figure"),
        pytest.param(["pre-", "and post-war"], "pre-\nand post-war", id="a hyphen that hangs"),
        pytest.param(["vor-", "und nachher"], "vor-\nund nachher", id="one in German"),
        pytest.param(["well-", "known, well-known"], "well-known, well-known", id="a compound that stands elsewhere"),
        pytest.param(["well-", "known, well-known, wellknown"], "wellknown, well-known, wellknown", id="and the word, too"),
        pytest.param(["a -", "b"], "a -\nb", id="a dash between words"),
        pytest.param(["well–", "known"], "well–known", id="a dash without spaces"),
        pytest.param(["and/", "or"], "and/or", id="a slash"),
        pytest.param(["- one", "- two"], "- one\n- two", id="a list"),
        pytest.param(["one", "two"], "one\ntwo", id="no hyphen"),
        pytest.param(["ends-"], "ends-", id="at the end of the page"),
        pytest.param(["of exam-", "ples of syl-", "lables"], "of examples of syllables", id="line after line"),
    ],
)
def test_hyphens_at_line_ends(lines: list[str], joined: str) -> None:
    page = read("".join(line_of([(100, line)], 700 - 12 * at) for at, line in enumerate(lines)))
    assert page.text() == "\n".join(lines)
    assert page.text(hyphens="join") == joined


@pytest.mark.parametrize(
    ("text", "joined"),
    [("exam- \nple", "example"), ("exam-\n ple", "exam-\n ple"), ("-\na", "-\na"), ("a-\n", "a-\n"), ("", "")],
)
def test_join_hyphens(text: str, joined: str) -> None:
    assert join_hyphens(text) == joined


def test_options_that_are_not_there() -> None:
    page = read(line_of([(100, "x")]))
    assert page.text(order="content") == page.text("reading") == "x"
    with pytest.raises(ValueError, match="order"):
        page.text(order="backwards")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="hyphens"):
        page.text(hyphens="drop")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("media", "crop", "visible"),
    [
        ((0, 0, 600, 800), None, Rect(0, 0, 600, 800)),
        ((0, 0, 600, 800), (100, 100, 500, 700), Rect(100, 100, 500, 700)),
        ((0, 0, 600, 800), (100, 100, 900, 900), Rect(100, 100, 600, 800)),
        ((100, 100, 400, 400), (-50, 200, 300, 1000), Rect(100, 200, 300, 400)),
        ((-300, -200, 300, 200), None, Rect(-300, -200, 300, 200)),
        ((600, 800, 0, 0), None, Rect(0, 0, 600, 800)),
        ((0, 0, 600, 800), (700, 900, 800, 1000), Rect(0, 0, 600, 800)),
    ],
)
def test_the_visible_box(media: tuple[int, ...], crop: tuple[int, ...] | None, visible: Rect) -> None:
    assert read("", media_box=media, crop_box=crop).visible_box == visible


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        pytest.param(200, 300, True, id="in the middle"),
        pytest.param(98, 300, True, id="most of it inside, left"),
        pytest.param(97, 300, False, id="most of it outside, left"),
        pytest.param(297, 300, True, id="most of it inside, right"),
        pytest.param(298, 300, False, id="most of it outside, right"),
        pytest.param(200, 398, False, id="most of it outside, top"),
        pytest.param(200, 397, True, id="most of it inside, top"),
        pytest.param(200, 198, True, id="most of it inside, bottom"),
        pytest.param(200, 197, False, id="most of it outside, bottom"),
        pytest.param(700, 300, False, id="off the page"),
    ],
)
def test_text_is_what_has_its_centre_in_the_visible_box(x: float, y: float, inside: bool) -> None:
    """A glyph is 5 wide here, and the centre of its box is 2.5 over the baseline."""
    page = read(line_of([(200, "ref")], 250) + line_of([(x, "x")], y), crop_box=(100, 200, 300, 400))
    assert ("x" in page.text()) is inside
    assert "ref" in page.text()
    assert shown(page) == "refx"


def test_text_that_runs_off_the_page_is_cut_between_glyphs() -> None:
    page = read(line_of([(600, "abcdef")]), media_box=(0, 0, 612, 792))
    assert page.text() == "ab"
    assert shown(page) == "abcdef"


def test_a_page_without_text() -> None:
    page = read("0 0 10 10 re f")
    assert page.text() == ""
    assert len(page.glyphs()) == 0
    assert page.quads(0, 0) == []
