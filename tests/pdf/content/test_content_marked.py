"""Marked content that is kept as facts of the glyphs, and rendering modes."""

from __future__ import annotations

import pytest

from pincite._kernel.columns import FLAG_ARTIFACT, FLAG_INVISIBLE, FLAG_UNMAPPED
from support.sheet import Sheet, flagged, read


@pytest.mark.parametrize(
    ("source", "artifacts"),
    [
        pytest.param("(a) Tj /Artifact BMC (b) Tj EMC (c) Tj", "b", id="BMC"),
        pytest.param("(a) Tj /Artifact <</Type /Pagination>> BDC (b) Tj EMC (c) Tj", "b", id="BDC"),
        pytest.param("/Artifact BMC (a) Tj /P <</MCID 1>> BDC (b) Tj EMC (c) Tj EMC", "abc", id="around"),
        pytest.param("/P <</MCID 1>> BDC (a) Tj /Artifact BMC (b) Tj EMC (c) Tj EMC", "b", id="inside"),
        pytest.param("(a) Tj /Artifact BMC (b) Tj /Artifact BMC EMC (c) Tj EMC", "bc", id="nested"),
        pytest.param("EMC (a) Tj EMC /Artifact BMC (b) Tj EMC EMC (c) Tj", "b", id="ends without a beginning"),
        pytest.param("(a) Tj /Artifact BMC (bc) Tj", "bc", id="never ended"),
    ],
)
def test_artifacts_are_flagged_but_kept(source: str, artifacts: str) -> None:
    page = read(f"BT /F1 10 Tf 100 700 Td {source} ET")
    assert page.text() == "abc"
    assert flagged(page, FLAG_ARTIFACT) == artifacts


def test_a_form_within_an_artifact() -> None:
    sheet = Sheet()
    form = sheet.form("BT /F1 10 Tf 100 750 Td (head) Tj ET")
    page = sheet.read("/Artifact BMC /Fm1 Do EMC BT /F1 10 Tf 100 700 Td (body) Tj ET", xobjects={"Fm1": form})
    assert page.text() == "head\nbody"
    assert flagged(page, FLAG_ARTIFACT) == "head"


@pytest.mark.parametrize(
    ("source", "mcids"),
    [
        ("/P <</MCID 0>> BDC (a) Tj EMC (b) Tj", [0, -1]),
        ("/P <</MCID 7 /Lang (en)>> BDC (a) Tj EMC /Span <</Lang (de) /MCID 8>> BDC (b) Tj EMC", [7, 8]),
        ("/P <</MCID 7>> BDC (a) Tj /Span BMC (b) Tj EMC (c) Tj EMC", [7, 7, 7]),
        ("/P <</MCID 7>> BDC /Span <</MCID 9>> BDC (a) Tj EMC (b) Tj EMC", [9, 7]),
        ("/P /MC0 BDC (a) Tj EMC (b) Tj", [42, -1]),
        ("/P <</MCID -4>> BDC (a) Tj EMC", [-1]),
        ("/P <</MCID 99999999999>> BDC (a) Tj EMC", [-1]),
        ("/P <</MCID (x)>> BDC (a) Tj EMC", [-1]),
        ("/P BDC (a) Tj EMC /P 5 BDC (b) Tj EMC <</MCID 3>> BDC (c) Tj EMC", [-1, -1, 3]),
        ("/P <</MCID 3 BDC (a) Tj EMC (b) Tj", [-1, -1]),
    ],
)
def test_marked_content_identifiers(source: str, mcids: list[int]) -> None:
    page = read(f"BT /F1 10 Tf 100 700 Td {source} ET", properties={"MC0": {"MCID": 42}})
    assert list(page.glyphs().mcid) == mcids


@pytest.mark.parametrize("mode", range(8))
def test_rendering_modes(mode: int) -> None:
    page = read(f"BT /F1 10 Tf 100 700 Td (a) Tj {mode} Tr (text) Tj 0 Tr (b) Tj ET")
    invisible = mode in (3, 7)
    assert page.text() == "atextb"
    assert flagged(page, FLAG_INVISIBLE) == ("text" if invisible else "")
    assert list(page.glyphs().rendering_mode) == [0, mode, mode, mode, mode, 0]
    assert page.quality.invisible == (4 if invisible else 0)


@pytest.mark.parametrize("mode", ["8", "-1", "99999999999", "3.9"])
def test_rendering_modes_that_do_not_exist(mode: str) -> None:
    assert read(f"BT /F1 10 Tf 100 700 Td {mode} Tr (text) Tj ET").text() == "text"


def test_the_rendering_mode_is_part_of_the_graphics_state() -> None:
    page = read("BT /F1 10 Tf 100 700 Td q 3 Tr (a) Tj Q (b) Tj 3 Tr ET BT 100 600 Td (c) Tj ET")
    assert flagged(page, FLAG_INVISIBLE) == "ac"


def test_quality_counts() -> None:
    sheet = Sheet()
    unmapped = sheet.writer.add_composite_font(to_unicode=False, default_width=500)
    image = sheet.writer.add_image()
    page = sheet.read(
        f"/Im1 Do /Im1 Do BI /W 1 /H 1 /BPC 8 /CS /G ID x EI BT /F1 10 Tf 100 700 Td (ab) Tj 3 Tr (cde) Tj 0 Tr "
        f"/{unmapped.name} 10 Tf <00010002> Tj ET",
        xobjects={"Im1": image},
    )
    quality = page.quality
    assert (quality.glyphs, quality.unmapped, quality.invisible, quality.images) == (7, 2, 3, 3)
    assert page.text() == "abcde\ufffd\ufffd"
    assert flagged(page, FLAG_UNMAPPED) == "\ufffd\ufffd"


def test_an_empty_page_has_no_counts() -> None:
    quality = read("").quality
    assert (quality.glyphs, quality.unmapped, quality.invisible, quality.images) == (0, 0, 0, 0)
