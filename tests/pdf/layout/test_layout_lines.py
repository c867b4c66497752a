"""Where lines end: horizontal, turned and vertical text."""

from __future__ import annotations

import pytest

from support.sheet import Sheet, read, turned


def text(source: str) -> str:
    return read(f"BT /F1 10 Tf 100 700 Td {source} ET").text("content")


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (0.5, "A B"),
        (4.9, "A B"),
        (-4.9, "A B"),
        (5.1, "A\nB"),
        (-5.1, "A\nB"),
        (-12, "A\nB"),
        (12, "A\nB"),
    ],
)
def test_a_movement_over_half_the_box_starts_a_line(move: float, expected: str) -> None:
    assert text(f"(A) Tj 20 {move} Td (B) Tj") == expected


@pytest.mark.parametrize("sizes", [(10, 20), (20, 10)])
def test_the_taller_of_the_two_boxes_counts(sizes: tuple[int, int]) -> None:
    before, after = sizes
    assert text(f"/F1 {before} Tf (A) Tj {before + 5} 9.5 Td /F1 {after} Tf (B) Tj") == "A B"
    assert text(f"/F1 {before} Tf (A) Tj {before + 5} 10.5 Td /F1 {after} Tf (B) Tj") == "A\nB"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("(x) Tj 4 Ts /F1 7 Tf (2) Tj 0 Ts /F1 10 Tf ( y) Tj", "x2 y", id="superscript"),
        pytest.param("(H) Tj -3 Ts /F1 7 Tf (2) Tj 0 Ts /F1 10 Tf (O) Tj", "H2O", id="subscript"),
        pytest.param("(a) Tj 5 0.4 Td (b) Tj 5 -0.8 Td (c) Tj 5 0.7 Td (d) Tj", "abcd", id="jitter"),
        pytest.param("(a) Tj 5 4 Td (b) Tj 5 4 Td (c) Tj 5 4 Td (d) Tj", "abcd", id="steps"),
        pytest.param("/F1 27 Tf 0 -12 Td (T) Tj 13.5 12 Td /F1 10 Tf (he) Tj", "The", id="drop cap"),
        pytest.param("(a ) Tj /F1 60 Tf (W) Tj /F1 10 Tf ( z) Tj", "a W z", id="big sample"),
    ],
)
def test_what_stands_higher_or_lower_stays_on_its_line(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("(A) Tj 0 -12 Td (B) Tj", "A\nB"),
        ("12 TL (A) Tj T* (B) Tj", "A\nB"),
        ("12 TL (A) Tj (B) '", "A\nB"),
        ('12 TL (A) Tj 0 0 (B) "', "A\nB"),
        ("(A) Tj 0 -12 TD (B) Tj T* (C) Tj", "A\nB\nC"),
        ("(A) Tj 1 0 0 1 100 688 Tm (B) Tj", "A\nB"),
        ("(A) Tj 0 -40 Td (B) Tj", "A\nB"),
        ("(A) Tj T* (B) Tj", "AB"),
    ],
)
def test_every_operator_that_moves_to_the_next_line(source: str, expected: str) -> None:
    assert text(source) == expected


def test_lines_keep_the_order_of_the_content() -> None:
    assert text("(second) Tj 0 20 Td (first) Tj 0 -40 Td (third) Tj") == "second\nfirst\nthird"


def test_a_move_back_on_the_line_starts_a_line_where_there_is_no_hole() -> None:
    assert text("(right) Tj -60 0 Td (left) Tj") == "right\nleft"


@pytest.mark.parametrize(
    ("setup", "em"),
    [
        ("/F1 10 Tf 1 0 0 1 300 400 Tm", 10),
        ("/F1 1 Tf 10 0 0 10 300 400 Tm", 1),
        ("/F1 100 Tf 0.1 0 0 0.1 300 400 Tm", 100),
        ("/F1 10 Tf -1 0 0 1 300 400 Tm", 10),
        ("/F1 10 Tf 1 0 0 -1 300 400 Tm", 10),
        ("/F1 -10 Tf -1 0 0 -1 300 400 Tm", 10),
        ("/F1 10 Tf 50 Tz 2 0 0 1 300 400 Tm", 10),
        *((f"/F1 5 Tf {turned(angle, 300, 400, 2)}", 5) for angle in (0, 37, 90, 180, 270, 300)),
    ],
)
def test_the_rule_holds_under_every_matrix(setup: str, em: float) -> None:
    assert text(f"{setup} (AB) Tj 0 {-0.49 * em:.4f} Td [-1200 (C)] TJ 0 {-0.51 * em:.4f} Td (D) Tj") == "AB C\nD"


def test_text_at_an_angle_is_one_line() -> None:
    watermark = f"BT /F1 48 Tf {turned(37, 100, 200)} (DRAFT ) Tj [(CO) -20 (PY)] TJ ET"
    page = read(f"BT /F1 10 Tf 72 700 Td (before) Tj ET {watermark} BT /F1 10 Tf 72 680 Td (after) Tj ET")
    assert page.text() == "before\nDRAFT COPY\nafter"


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_lines_of_a_turned_page(angle: int) -> None:
    page = read(f"BT /F1 10 Tf 12 TL {turned(angle, 300, 400)} (one two) Tj T* (three) Tj ET", rotate=angle)
    assert page.text() == "one two\nthree"


def test_the_direction_is_that_of_the_glyph_before() -> None:
    upwards = "0 1 -1 0 300 400 Tm (AB) Tj"
    assert text(f"{upwards} 1 0 0 1 304 410 Tm (C) Tj") == "ABC"  # 4 points off the column of letters that goes up
    assert text(f"{upwards} 1 0 0 1 306 410 Tm (C) Tj") == "AB\nC"


@pytest.mark.parametrize("encoding", ["/Identity-V", "/UniJIS-UTF16-V"])
def test_vertical_writing_has_a_line_a_column(encoding: str) -> None:
    sheet = Sheet()
    columns = [(300, "日本国民は"), (280, "正当に選挙"), (260, "された")]
    codes = {character: ord(character) for _, column in columns for character in column}
    font = sheet.writer.add_composite_font(encoding=encoding, codes=codes, collection=("Adobe", "Japan1"))
    content = b"".join(font.text(x, 700, column, size=12) for x, column in columns)
    page = sheet.read([content])
    assert page.text() == "日本国民は\n正当に選挙\nされた"
    assert set(page.glyphs().vertical) == {1}


def test_the_space_rule_of_vertical_writing() -> None:
    sheet = Sheet()
    font = sheet.writer.add_composite_font(encoding="/Identity-V", to_unicode=True)
    a, b, han, yu = (font.encode(character).hex() for character in "AB漢字")
    setup = f"BT /{font.name} 10 Tf 300 700 Td"
    assert sheet.read(f"{setup} [<{a}> 140 <{b}>] TJ ET").text() == "AB"
    assert sheet.read(f"{setup} [<{a}> 160 <{b}>] TJ ET").text() == "A B"
    assert sheet.read(f"{setup} [<{han}> 500 <{yu}>] TJ ET").text() == "漢字"


def test_vertical_and_horizontal_writing_on_one_page() -> None:
    sheet = Sheet()
    font = sheet.writer.add_composite_font(encoding="/Identity-V")
    page = sheet.read(
        [sheet.latin.text(72, 750, "Title"), font.text(300, 700, "縦書き", size=12), sheet.latin.text(72, 500, "end")]
    )
    assert page.text() == "Title\n縦書き\nend"


@pytest.mark.parametrize("em", [10, 100])
def test_type3_fonts_measure_by_their_own_em(em: int) -> None:
    sheet = Sheet()
    box = (0, -em / 4, em, 3 * em / 4)  # in glyph space, whose unit is a hundredth of text space
    font = sheet.writer.add_type3_font(
        {65: "", 66: ""}, widths=em / 2, matrix=(0.01, 0, 0, 0.01, 0, 0), bbox=box, names={65: "A", 66: "B"}
    )
    gap = 10 * em
    setup = f"BT /{font.name} {1000 / em} Tf 100 700 Td"
    assert sheet.read(f"{setup} [(A) {-0.14 * gap} (B) {-0.16 * gap} (A)] TJ ET").text() == "AB A"
    assert sheet.read(f"{setup} (A) Tj 5 4.9 Td (B) Tj 5 5.1 Td (A) Tj ET").text() == "AB\nA"
