"""Laws that hold for any text at all: no character is lost, made up or drawn twice, and none is a control character."""

from __future__ import annotations

import unicodedata
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from support.sheet import Sheet

SPACING_ACCENTS = "`^~¨¯´¸ˆˇˉ˘˙˚˛˜˝"
BRACKETS = "()[]{}<>«»‹›"  # which a right-to-left line may mirror
CHARACTERS = st.characters(
    exclude_categories=["Cs", "Cc", "Cf", "Co", "Cn", "Zl", "Zp"],
    exclude_characters=SPACING_ACCENTS + BRACKETS,
) | st.sampled_from("abc אבג سلام ทดสอบ 漢字かな한국 123 \u0301\u05b8\u093f")
WORD = st.text(CHARACTERS, min_size=1, max_size=8)


def is_shape(character: str) -> bool:
    """Whether the character is a shape of others, which come out in its place (ligatures, presentation forms)."""
    return "\ufb00" <= character <= "\ufeff" or unicodedata.decomposition(character).startswith("<")


def counted(text: str) -> Counter[str]:
    return Counter(character for character in text if not character.isspace() and character != "\ufffd")


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(WORD, st.integers(1, 40), st.sampled_from([0, 0, 0, 4, 12, 30]), st.integers(-2, 8)), min_size=1, max_size=8
    ),
    st.sampled_from(["1 0 0 1", "0 1 -1 0", "0.8 0.6 -0.6 0.8"]),
)
def test_every_character_that_is_drawn_is_text_once(pieces: list[tuple[str, int, int, int]], matrix: str) -> None:
    words = ["".join(character for character in word if not is_shape(character)) for word, *_ in pieces]
    sheet = Sheet()
    content, x, y = [], 0.0, 0.0
    for word, (_, gap, drop, kern) in zip(words, pieces, strict=True):
        encoded = "".join(f"{sheet.any.code(character):04x}" for character in word)
        content.append(f"1 0 0 1 {x} {-y} Tm [<{encoded}>] TJ")
        x, y = (x + 5 * len(word) + gap + 0.1 * kern, y) if drop < 12 else (0.0, y + drop)
    page = sheet.read(f"{matrix} 300 400 cm BT /F2 10 Tf {' '.join(content)} ET", media_box=(-9000, -9000, 9000, 9000))
    text = page.text()
    drawn = "".join(words)
    assert counted(unicodedata.normalize("NFD", text)) == counted(unicodedata.normalize("NFD", drawn))
    assert all(character == "\n" or unicodedata.category(character) != "Cc" for character in text)
    assert text == page.text(order="content")
    glyphs = page.glyphs()
    assert "".join(glyphs.text(row) for row in range(len(glyphs))) == drawn


@settings(max_examples=100)
@given(st.binary(max_size=60), st.binary(max_size=20))
def test_no_control_character_comes_out_of_any_codes(codes: bytes, actual: bytes) -> None:
    span = f"/Span <</ActualText <{actual.hex()}>>> BDC (x) Tj EMC"
    source = f"BT /F1 10 Tf 20 700 Td <{codes.hex()}> Tj T* {span} /F2 9 Tf <{codes.hex()}> Tj ET"
    page = Sheet().read(source, media_box=(0, 0, 9000, 900))
    assert all(character == "\n" or unicodedata.category(character) not in ("Cc", "Cs") for character in page.text())
