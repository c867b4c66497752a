"""Citations after the rules of text have changed: led over to where the words stand now, never to other words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.ingest import extract, pipeline, prepare
from pincite.library import Library
from pincite.model.citation import Citation
from pincite.model.text import TEXT_VERSION
from support.library import ScriptReader, write_script


class Reader(ScriptReader):
    """Reads pages by rules that a test can change: `change` makes of a page's text another."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[tuple[str, str]] = []

    def stream(self, source: bytes, /, **options: bool) -> Iterator[object]:  # type: ignore[override]
        text = source.decode()
        for old, new in self.changes:
            text = text.replace(old, new)
        return super().stream(text.encode())


class Rules:
    def __init__(self, library: Library, reader: Reader, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.library = library
        self.folder = folder
        self._reader = reader
        self._monkeypatch = monkeypatch
        self._version = 1

    def change(self, *changes: tuple[str, str]) -> None:
        """Pages are read by other rules from now on, and the folder is ingested anew."""
        self._version += 1
        self._reader.changes += changes
        for module in (extract, pipeline, prepare):
            self._monkeypatch.setattr(module, "TEXT_VERSION", f"changed-{self._version}")
        self.library.ingest([self.folder])


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rules]:
    reader = Reader()
    with Library(tmp_path / "library.sqlite", reader=reader) as library:
        yield Rules(library, reader, tmp_path / "in", monkeypatch)


def cite(library: Library, words: str) -> Citation:
    return library.cite(words)[0]


def test_a_document_is_read_anew_once(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["the words of a page"])
    assert rules.library.ingest([rules.folder]).counts["added"] == 1
    rules.change(("the words", "All the words"))
    assert rules.library.document("a.pdf").text_version == "changed-2"
    assert rules.library.show("a.pdf:p1").text == "All the words of a page"
    assert len(rules.library.search("words")) == 1
    assert rules.library.ingest([rules.folder]).counts["unchanged"] == 1


def test_words_are_found_again_where_they_stand_now(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["The structure of proteins. It was measured."])
    rules.library.ingest([rules.folder])
    citation = cite(rules.library, "structure of proteins")
    hit = rules.library.search("measured")[0].citation
    rules.change(("The structure", "12\\n The  structure"))
    quote = rules.library.resolve(citation)
    assert (quote.verdict, quote.text) == ("moved", "structure of proteins")
    assert quote.span is not None
    assert quote.span != citation.span
    assert f"{quote.span[0]}-{quote.span[1]}" in (quote.reason or "")
    whole = rules.library.resolve(hit)
    assert (whole.verdict, whole.text) == ("moved", "The  structure of proteins. It was measured.")
    # What is cited from the new text is that of the new text.
    assert rules.library.resolve(cite(rules.library, "structure of proteins")).verdict == "exact"
    new = rules.library.search("measured")[0].citation
    assert rules.library.resolve(new).verdict == "exact"


def test_a_page_that_stays_the_same_keeps_its_citations(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["The structure of proteins.", "Another page."])
    rules.library.ingest([rules.folder])
    citation = cite(rules.library, "structure of proteins")
    rules.change(("Another page", "One more page"))
    assert rules.library.resolve(citation).verdict == "exact"
    assert rules.library.old_pages(rules.library.document("a.pdf"), 1) == []
    assert [old.text for old in rules.library.old_pages(rules.library.document("a.pdf"), 2)] == ["Another page."]


def test_what_stood_around_tells_places_apart(rules: Rules) -> None:
    text = "First, the same words. Then more. Second, the same words. The end."
    write_script(rules.folder / "a.pdf", [text])
    rules.library.ingest([rules.folder])
    second = Citation("a.pdf", 1, (text.index("Second") + 8, text.index(". The end")))
    assert rules.library.show(second).text == "the same words"
    rules.change(("First", "Very first"), ("Then more", "Then much more"))
    quote = rules.library.resolve(second)
    assert quote.verdict == "moved"
    assert quote.span is not None
    page = rules.library.show("a.pdf:p1").text or ""
    assert page[: quote.span[0]].endswith("Second, ")


def test_places_that_nothing_tells_apart_are_ambiguous(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["x, the very words! y, the very words! z"])
    rules.library.ingest([rules.folder])
    citation = Citation("a.pdf", 1, (3, 17))
    rules.change(("x, the very words! y, the very words! z", "qqq; the very words? qqq; the very words? q"))
    quote = rules.library.resolve(citation)
    assert (quote.verdict, quote.text) == ("ambiguous", None)


def test_words_that_are_gone_are_absent(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["The structure of proteins is here."])
    rules.library.ingest([rules.folder])
    citation = cite(rules.library, "structure of proteins")
    rules.change(("structure of proteins", "nothing"))
    quote = rules.library.resolve(citation)
    assert (quote.verdict, quote.text) == ("absent", None)
    assert "structure of proteins" in (quote.reason or "")


def test_a_number_is_not_led_to_another(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["A dose of 15 mg daily was given."])
    rules.library.ingest([rules.folder])
    citation = cite(rules.library, "dose of 15 mg daily")
    rules.change(("A dose of 15 mg", "The dose of 1.5 mg"))
    assert rules.library.resolve(citation).verdict == "absent"


def test_the_same_words_set_otherwise_are_led_over(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", [b"The ef\\ufb01cient struc-\\nture of proteins.".decode("unicode_escape")])
    rules.library.ingest([rules.folder])
    citation = rules.library.search("proteins")[0].citation
    rules.change(("\\ufb01", "fi"), ("struc-\\nture", "structure"))
    quote = rules.library.resolve(citation)
    assert (quote.verdict, quote.text) == ("moved", "The efficient structure of proteins.")


def test_a_span_that_fits_both_texts_is_ambiguous_and_gives_no_words(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["one two three four five six seven"])
    rules.library.ingest([rules.folder])
    rules.change(("one two", "six two"))
    quote = rules.library.resolve("a.pdf:p1:span=0-7")
    assert (quote.verdict, quote.text) == ("ambiguous", None)
    assert all(words in (quote.reason or "") for words in ("one two", "six two"))
    assert rules.library.resolve("a.pdf:p1:span=8-13").verdict == "exact"


def test_the_text_may_change_twice(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["The structure of proteins."])
    rules.library.ingest([rules.folder])
    first = cite(rules.library, "structure of proteins")
    rules.change(("The structure", "Once. The structure"))
    second = cite(rules.library, "structure of proteins")
    rules.change(("Once. The", "Once. Twice. The"))
    for citation in (first, second):
        quote = rules.library.resolve(citation)
        assert (quote.verdict, quote.text) == ("moved", "structure of proteins")


def test_a_document_that_can_no_longer_be_read_keeps_its_text(rules: Rules) -> None:
    write_script(rules.folder / "a.pdf", ["first page", "second page"], total=2)
    rules.library.ingest([rules.folder])
    rules.change(('"ends_with": null', '"ends_with": "timeout"'))
    assert rules.library.show("a.pdf:p2").text == "second page"
    assert rules.library.document("a.pdf").text_version == TEXT_VERSION
    assert [failure.slug for failure in rules.library.failures()] == ["timeout"]
