"""Glyph names in all their dress."""

from __future__ import annotations

import pytest
from fontTools import agl
from hypothesis import given
from hypothesis import strategies as st

from pincite.pdf.font.glyph_names import glyph_list, glyph_text, spell_out, zapf_list
from pincite.pdf.font.string_table import is_usable


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A", "A"),
        ("space", " "),
        ("eacute", "é"),
        ("uni0041", "A"),
        ("uni00410042", "AB"),
        ("u1F600", "😀"),
        ("u0041", "A"),
        ("uniD83DDE00", "😀"),
        ("a.sc", "a"),
        ("one.oldstyle", "1"),
        ("A.swash.end", "A"),
        ("f_f_i", "ffi"),
        ("f_f_i.liga", "ffi"),
        ("T_h", "Th"),
        ("uni0066_i", "fi"),
        ("fi", "fi"),
        ("ffi", "ffi"),
        ("uniFB01", "fi"),
        ("uniFEFB", "لا"),
        ("Asmall", "a"),
        ("AEsmall", "æ"),
        ("oneoldstyle", "1"),
        ("dotlessj", "ȷ"),
        ("Delta", "Δ"),
        ("parenleftbigg", "("),
        ("summationdisplay", "∑"),
        ("visiblespace", "␣"),
        ("afii10017", "А"),
        ("Lcommaaccent_uni20AC0308_u1040C.alternate", "Ļ€̈𐐌"),
    ],
)
def test_names(name: str, text: str) -> None:
    assert glyph_text(name) == text


@pytest.mark.parametrize(
    "name",
    [
        "", ".notdef", ".null", "g123", "cid52", "G01", "glyph12", "gid00032", "C0032", "a97", "uni", "uni004", "uniD800",
        "uni0007", "uE000", "u110000", "uFFFD", "f_", "_", "f__i", "g1_g2", "foo.bar", "x" * 1000, "controlSTX", "apple",
    ],
)  # fmt: skip
def test_names_that_are_none(name: str) -> None:
    assert glyph_text(name) is None


def test_the_adobe_glyph_list() -> None:
    ours_differ = {"Delta", "Omega"}
    for name, points in agl.LEGACY_AGL2UV.items():
        text = "".join(map(chr, points))
        if all(map(is_usable, points)) and name not in ours_differ:
            assert glyph_text(name) == spell_out(text), name
        elif name not in ours_differ:
            assert glyph_text(name) != text


def test_dingbats_have_their_own_list() -> None:
    assert zapf_list()["a1"] == "✁"
    assert zapf_list()["a191"] == "➾"
    assert len(zapf_list()) > 180


def test_every_text_can_be_shown() -> None:
    for text in glyph_list().values():
        assert text
        assert all(map(is_usable, map(ord, text)))


@given(st.text(max_size=40))
def test_any_name_is_read(name: str) -> None:
    text = glyph_text(name)
    assert text is None or (text and all(map(is_usable, map(ord, text))))


@given(st.lists(st.sampled_from(["f", "i", "uni0041", "eacute", "u1F600"]), min_size=1, max_size=6))
def test_a_ligature_is_its_parts(parts: list[str]) -> None:
    assert glyph_text("_".join(parts) + ".liga") == "".join(glyph_text(part) or "" for part in parts)
