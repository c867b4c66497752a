"""A library whose pages were read in the order they are drawn in, opened by a pincite that reads them as a reader does."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from pincite.ingest import extract, pipeline, prepare
from pincite.library import Library
from pincite.model.text import TEXT_VERSION, DocumentFindings, DocumentMeta, PageFailure, PageText
from pincite.sandbox.runner import Runner
from support.layouts import column, draw_across, prose, texts
from support.sheet import Sheet

LEFT, RIGHT = column(72, 700, prose(6)), column(320, 700, prose(6, start=44))


class ContentReader:
    """Reads pages by the rules of old."""

    def stream(
        self, source: bytes, /, *, findings: bool
    ) -> Generator[DocumentMeta | PageText | PageFailure | DocumentFindings, None, None]:
        # What is found in a document counts in its text as it is read by default.
        return Runner().stream(source, order="content")


def test_it_keeps_its_text_until_it_is_read_anew_and_its_citations_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = Sheet()
    sheet.add(draw_across(LEFT, RIGHT))
    path = tmp_path / "a.pdf"
    path.write_bytes(sheet.writer.write())
    for module in (extract, pipeline, prepare):
        monkeypatch.setattr(module, "TEXT_VERSION", "text-1")
    with Library(tmp_path / "library.sqlite", reader=ContentReader()) as library:
        library.ingest([path])
        (hit,) = library.search(f'"{RIGHT[1].text}"')
        ((start, end),) = hit.matches
        cited = f"a.pdf:p1:span={start}-{end}"
    monkeypatch.undo()
    with Library(tmp_path / "library.sqlite") as library:
        assert library.document("a.pdf").text_version == "text-1"
        quote = library.resolve(cited)
        assert (quote.verdict, quote.text) == ("exact", RIGHT[1].text)
        assert library.ingest([path]).counts["updated"] == 1
        assert library.document("a.pdf").text_version == TEXT_VERSION
        assert library.show("a.pdf:p1").text == texts(LEFT, RIGHT)
        quote = library.resolve(cited)
        assert (quote.verdict, quote.text) == ("moved", RIGHT[1].text)
        page = library.page(library.document("a.pdf"), 1)
        assert page is not None
        assert page.quality is not None
        assert page.quality["order"] == "reordered"
        assert 0.3 < page.quality["moved"] < 0.7
