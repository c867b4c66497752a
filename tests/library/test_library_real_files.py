"""The whole way through: real PDFs, the real reader process, a library on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.errors import PinciteError
from pincite.library import Library
from pincite.model.citation import Citation
from support.corpus import corpus_files
from support.pdfvariants import encrypted, truncated
from support.pdfwriter import OutlineEntry, PdfWriter, korean_pdf, simple_pdf


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "library.sqlite") as opened:
        yield opened


def every_chunk_comes_back(library: Library) -> int:
    """Show the citation of every chunk and compare; returns the number of chunks."""
    count = 0
    store = library._open()
    for document in library.documents():
        for chunk in store.chunks(document.id):
            citation = Citation(document.name, chunk.page, (chunk.start, chunk.end))
            assert library.show(str(citation)).text == chunk.text
            count += 1
    return count


def test_pages_and_words_of_written_files(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    long_page = "\n".join(f"Sentence number {number} of a long page, which ends here." for number in range(80))
    (folder / "english.pdf").write_bytes(simple_pdf(["The first page.", None, long_page], title="In English"))
    (folder / "korean.pdf").write_bytes(korean_pdf(["이 실험에서 자연어 처리를 분석했다.", "둘째 쪽입니다."]))
    (folder / "one.pdf").write_bytes(simple_pdf(["A single page."]))
    report = library.ingest([folder])
    assert [(outcome.status, outcome.pages) for outcome in report.outcomes] == [("added", 3), ("added", 2), ("added", 1)]
    assert every_chunk_comes_back(library) >= 6

    assert library.show("one.pdf:p1").text == "A single page."
    states = [page.state for page in library.page_summaries(library.document("english.pdf"))]
    assert states == ["text", "empty", "text"]
    assert [page.ocr for page in library.page_summaries(library.document("english.pdf"))] == [None, "waiting", None]
    assert {hit.chunk.page for hit in library.search('"number 79"')} == {3}
    (hit,) = library.search("실험 분석")
    assert hit.citation.name == "korean.pdf"
    assert library.show(str(hit.citation)).text == "이 실험에서 자연어 처리를 분석했다."


def test_labels_sections_and_titles_come_along(library: Library, tmp_path: Path) -> None:
    writer = PdfWriter()
    font = writer.add_font("Helvetica")
    for text in ("Preface words", "Chapter words", "More words"):
        writer.add_page(font.text(72, 700, text))
    writer.set_outline([OutlineEntry("Preface", 1), OutlineEntry("Chapter One", 2)])
    writer.set_page_labels({0: {"S": "/r"}, 1: {"S": "/D"}})
    writer.set_title("A Book")
    (tmp_path / "book.pdf").write_bytes(writer.write())
    library.ingest([tmp_path / "book.pdf"])
    hits = sorted(library.search("words"), key=lambda hit: hit.chunk.page)
    assert [(hit.chunk.page, hit.label, hit.chunk.section) for hit in hits] == [
        (1, "i", "Preface"),
        (2, "1", "Chapter One"),
        (3, "2", "Chapter One"),
    ]
    assert library.show("book.pdf:p3:section=Chapter One").text == "More words"
    assert library.document("book.pdf").title == "A Book"
    provenance = library.document("book.pdf").provenance
    assert provenance["extractor"] == "pincite"
    assert provenance["options"]["max_pages"] == 2000
    assert "duration_s" in provenance


def test_a_folder_with_bad_files_among_good_ones(library: Library, tmp_path: Path) -> None:
    good = simple_pdf(["good words"])
    files = {
        "a.pdf": good,
        "b.pdf": b"",
        "c.pdf": b"%PDF-1.7\nnothing more",
        "d.pdf": encrypted(good, user="secret"),
        "e.pdf": b"\x00\xff" * 1000,
        "f.pdf": b"PK\x03\x04 a zip file",
        "g.pdf": simple_pdf(["more good words"]),
        "h.pdf": truncated(good, 0.1),
    }
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    report = library.ingest([folder])
    added = {Path(outcome.path).name for outcome in report.outcomes if outcome.status == "added"}
    assert {"a.pdf", "g.pdf"} <= added
    slugs = {Path(outcome.path).name: outcome.slug for outcome in report.quarantined}
    assert slugs.items() >= {"b.pdf": "unreadable", "d.pdf": "encrypted", "e.pdf": "unreadable", "f.pdf": "unreadable"}.items()
    assert {document.name for document in library.documents()} == added
    assert {Path(failure.path).name for failure in library.failures()} == set(slugs)


GOOD = simple_pdf(["some words", "more words"])
damaged = st.builds(
    lambda position, junk: GOOD[:position] + junk + GOOD[position + len(junk) :],
    st.integers(0, len(GOOD)),
    st.binary(min_size=1, max_size=40),
)


@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.binary(max_size=200), damaged, st.just(GOOD)), min_size=1, max_size=3))
def test_any_bytes_give_a_whole_document_or_a_typed_error(files: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "library.sqlite") as library:
        for number, data in enumerate(files):
            (Path(folder) / f"{number}.pdf").write_bytes(data)
        report = library.ingest([folder])
        assert len(report.outcomes) == len(files)
        known = {slug for kind in every_error(PinciteError) for slug in kind.slugs}
        for outcome in report.outcomes:
            assert outcome.slug in known if outcome.status == "failed" else outcome.slug is None
            assert (outcome.message is None) == (outcome.status != "failed")
        for document in library.documents():
            assert len(library.page_summaries(document)) == document.pages
        every_chunk_comes_back(library)


def every_error(kind: type[PinciteError]) -> list[type[PinciteError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in every_error(child))]


@pytest.mark.corpus
def test_every_chunk_of_the_papers_comes_back_by_its_citation(library: Library) -> None:
    report = library.ingest(corpus_files("papers"))
    assert report.counts["added"] == len(corpus_files("papers"))
    assert every_chunk_comes_back(library) > 300
    assert library.search("protein structure")


@pytest.mark.corpus
def test_korean_words_are_found_in_a_real_report(library: Library, corpus: Path) -> None:
    library.ingest([corpus / "korean"])
    for query in ("감염병", "코로나바이러스감염증", "감염증", "보험약관", "보험 약관"):
        assert any(hit.citation.name == "report-4-pages.pdf" for hit in library.search(query)), query
    assert every_chunk_comes_back(library) > 5
