"""ActualText that only the structure tree has."""

from __future__ import annotations

import pincite
from support.pdfwriter import PdfWriter


def page_with_figure(tag: str, actual: str) -> str:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    image = writer.add_image()
    element = writer.add({"Type": "/StructElem", "S": f"/{tag}", "ActualText": actual.encode("latin-1")})
    parents = writer.add({"Kids": [writer.add({"Limits": [0, 3], "Nums": [0, [None, element]]})]})
    writer.catalog["StructTreeRoot"] = writer.add({"Type": "/StructTreeRoot", "ParentTree": parents})
    content = font.text(72, 700, "before") + f"/{tag} <</MCID 1>> BDC q 9 0 0 9 72 680 cm /Im1 Do Q EMC\n".encode()
    writer.add_page(content + font.text(72, 660, "after"), xobjects={"Im1": image}, extra={"StructParents": 0})
    with pincite.open(writer.write()) as document:
        return document.page(1).text()


def test_a_figure_reads_as_its_actual_text() -> None:
    assert "a lighthouse" in page_with_figure("Figure", "a lighthouse")


def test_other_elements_are_not_looked_up() -> None:
    assert page_with_figure("P", "a lighthouse") == "before\nafter"
