"""Ingest: what gets in, what does not, and that neither is ever half there."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.ingest.report import Event, Finished, Outcome, Reading, Report, Started
from pincite.library import Library
from pincite.model.limits import Limits
from pincite.search.index.store import Store
from support.library import ScriptReader, dump, write_script


@pytest.fixture
def reader() -> ScriptReader:
    return ScriptReader()


@pytest.fixture
def library(tmp_path: Path, reader: ScriptReader) -> Any:
    with Library(tmp_path / "library.sqlite", reader=reader) as opened:
        yield opened


def statuses(report: Report) -> dict[str, str]:
    return {Path(outcome.path).name: outcome.status for outcome in report.outcomes}


def only(report: Report) -> Outcome:
    (outcome,) = report.outcomes
    return outcome


def states(library: Library, name: str) -> list[str]:
    return [page.state for page in library.page_summaries(library.document(name))]


def test_a_document_is_found_by_its_words_and_quoted_by_its_citation(library: Library, tmp_path: Path) -> None:
    write_script(tmp_path / "in" / "paper.pdf", ["one", "the structure of proteins", "three"], title="On proteins")
    outcome = only(library.ingest([tmp_path / "in"]))
    assert (outcome.status, outcome.name, outcome.pages) == ("added", "paper.pdf", 3)
    (hit,) = library.search("protein*")
    assert str(hit.citation) == "paper.pdf:p2:span=0-25"
    quote = library.show(str(hit.citation))
    assert (quote.verdict, quote.text, quote.page, quote.span) == ("exact", "the structure of proteins", 2, (0, 25))
    assert library.document("paper.pdf").title == "On proteins"


def test_pages_count_from_one_in_a_document_of_one_page(library: Library, tmp_path: Path) -> None:
    library.ingest([write_script(tmp_path / "one.pdf", ["alone"])])
    assert library.show("one.pdf:p1").text == "alone"
    assert library.resolve("one.pdf:p2").verdict == "absent"


def test_a_page_between_two_that_fail_keeps_its_number(library: Library, tmp_path: Path) -> None:
    pages = [{"error": "broken stream"}, "the middle", {"error": "broken font"}]
    outcome = only(library.ingest([write_script(tmp_path / "a.pdf", pages)]))
    assert (outcome.status, outcome.slug) == ("partial", "unreadable")
    assert (outcome.message or "").startswith("pages 1, 3 can't be read (broken stream)")
    assert outcome.warnings == ("page 1 can't be read: broken stream", "page 3 can't be read: broken font")
    assert states(library, "a.pdf") == ["failed", "text", "failed"]
    assert library.document("a.pdf").provenance["warnings"] == list(outcome.warnings)
    assert str(library.search("middle")[0].citation) == "a.pdf:p2:span=0-10"
    quote = library.resolve("a.pdf:p1")
    assert (quote.verdict, quote.text) == ("absent", None)
    assert "broken stream" in (quote.reason or "")


def test_a_document_of_failed_pages_is_a_failure_and_no_scan(library: Library, tmp_path: Path) -> None:
    outcome = only(library.ingest([write_script(tmp_path / "a.pdf", [{"error": "broken"}, {"error": "broken"}])]))
    assert (outcome.status, outcome.slug) == ("failed", "unreadable")
    assert (outcome.message or "").startswith("no page can be read (broken)")
    assert library.documents() == []
    before = dump(tmp_path / "library.sqlite")
    assert only(library.ingest([tmp_path / "a.pdf"])).repeated
    assert dump(tmp_path / "library.sqlite") == before


def test_what_fails_every_time_changes_no_row(library: Library, tmp_path: Path) -> None:
    (tmp_path / "in" / "b.pdf").mkdir(parents=True)
    os.mkfifo(tmp_path / "in" / "fifo.pdf")
    library.ingest([tmp_path / "in"])
    with Store(tmp_path / "library.sqlite") as store:
        store.put_failure(replace(*store.failures(), failed_at="2001-01-01T00:00:00+00:00"))
    before = dump(tmp_path / "library.sqlite")
    assert only(library.ingest([tmp_path / "in"])).stage == "read"
    assert dump(tmp_path / "library.sqlite") == before


def test_a_password_is_tried_on_what_needed_one(library: Library, tmp_path: Path) -> None:
    path = write_script(tmp_path / "a.pdf", [], total=1, ends_with="encrypted")
    assert only(library.ingest([path])).slug == "encrypted"
    assert only(library.ingest([path])).repeated
    path.touch()
    assert not only(library.ingest([path], password="word")).repeated
    assert not only(library.ingest([path], password="another")).repeated


def test_the_same_bytes_twice_change_no_row(library: Library, tmp_path: Path, reader: ScriptReader) -> None:
    path = write_script(tmp_path / "a.pdf", ["text"])
    library.ingest([path])
    before = dump(library.path)
    assert only(library.ingest([path])).status == "unchanged"
    assert dump(library.path) == before
    os.utime(path, ns=(1, 1))  # now its bytes must be looked at, and only its time is new
    assert only(library.ingest([path])).status == "unchanged"
    after = dump(library.path)
    assert after.pop("locations") != before.pop("locations")
    assert after == before
    assert reader.documents_read == 1


def test_the_same_bytes_elsewhere_are_one_document(library: Library, tmp_path: Path) -> None:
    write_script(tmp_path / "in" / "a.pdf", ["text"])
    (tmp_path / "in" / "copy").mkdir()
    shutil.copy(tmp_path / "in" / "a.pdf", tmp_path / "in" / "copy" / "b.pdf")
    report = library.ingest([tmp_path / "in"])
    assert statuses(report) == {"a.pdf": "added", "b.pdf": "unchanged"}
    assert {outcome.name for outcome in report.outcomes} == {"a.pdf"}
    assert [Path(location.path).name for location in library.locations(library.document("a.pdf"))] == ["a.pdf", "b.pdf"]


def test_a_moved_file_keeps_its_document(library: Library, tmp_path: Path) -> None:
    path = write_script(tmp_path / "in" / "a.pdf", ["text"])
    library.ingest([tmp_path / "in"])
    path.rename(path.with_name("z.pdf"))
    assert only(library.ingest([tmp_path / "in"])).name == "a.pdf"
    assert library.show("a.pdf:p1").text == "text"


def test_bad_files_do_not_stop_good_ones(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    write_script(folder / "a.pdf", ["first"])
    (folder / "b.pdf").write_bytes(b"\x00garbage")
    write_script(folder / "c.pdf", [], ends_with="encrypted", total=None)
    write_script(folder / "d.pdf", ["last"])
    os.mkfifo(folder / "e.pdf")
    (folder / "f.pdf").symlink_to("nowhere")
    (folder / "g.pdf").write_bytes(b"")
    report = library.ingest([folder])
    assert statuses(report) == {f"{name}.pdf": "added" if name in "ad" else "failed" for name in "abcdefg"}
    slugs = {Path(outcome.path).name: outcome.slug for outcome in report.quarantined}
    assert slugs == {f"{name}.pdf": "unreadable" for name in "befg"} | {"c.pdf": "encrypted"}
    assert all(outcome.message for outcome in report.quarantined)
    assert [document.name for document in library.documents()] == ["a.pdf", "d.pdf"]
    assert {Path(failure.path).name for failure in library.failures()} == {"b.pdf", "c.pdf", "e.pdf", "g.pdf"}


def test_a_failure_is_settled_until_the_file_changes_or_somebody_asks(
    library: Library, tmp_path: Path, reader: ScriptReader
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"garbage")
    assert not only(library.ingest([path])).repeated
    repeated = only(library.ingest([path]))
    assert (repeated.status, repeated.slug, repeated.repeated) == ("failed", "unreadable", True)
    assert reader.documents_read == 1
    assert not only(library.ingest([path], retry_failed=True)).repeated
    assert reader.documents_read == 2
    write_script(path, ["better now"])
    assert only(library.ingest([path])).status == "added"
    assert library.failures() == []


def test_a_scan_is_kept_with_empty_pages_that_wait_for_recognition(library: Library, tmp_path: Path) -> None:
    scanned = {"text": " \n", "quality": {"images": 1}}
    blank = {"text": "", "quality": {"images": 0}}
    outcome = only(library.ingest([write_script(tmp_path / "scan.pdf", [scanned, blank])]))
    assert (outcome.status, outcome.waiting_for_ocr) == ("added", 1)
    summaries = library.page_summaries(library.document("scan.pdf"))
    assert [(page.state, page.ocr) for page in summaries] == [("empty", "waiting"), ("empty", None)]
    quote = library.show("scan.pdf:p1")
    assert quote.text == " \n"
    assert "no text" in (quote.reason or "")


def test_an_empty_page_leaves_its_neighbours_searchable(library: Library, tmp_path: Path) -> None:
    pages = ["before it", {"text": "", "quality": {"images": 1}}, "after it"]
    library.ingest([write_script(tmp_path / "a.pdf", pages)])
    assert states(library, "a.pdf") == ["text", "empty", "text"]
    assert [hit.chunk.page for hit in library.search("after")] == [3]


def test_a_page_of_unmapped_glyphs_is_garbled(library: Library, tmp_path: Path) -> None:
    page = {"text": "\ufffd\ufffdx", "quality": {"glyphs": 3, "unmapped": 2}}
    library.ingest([write_script(tmp_path / "a.pdf", [page])])
    assert states(library, "a.pdf") == ["garbled"]


@pytest.mark.parametrize("slug", ["timeout", "stalled", "memory", "too_much_text", "crash"])
def test_finished_pages_are_kept_when_the_rest_is_not_reached(library: Library, tmp_path: Path, slug: str) -> None:
    path = write_script(tmp_path / "a.pdf", ["first page", "second page"], total=4, ends_with=slug)
    outcome = only(library.ingest([path]))
    assert (outcome.status, outcome.slug, outcome.name) == ("partial", slug, "a.pdf")
    assert states(library, "a.pdf") == ["text", "text", "failed", "failed"]
    assert any(slug in warning for warning in library.document("a.pdf").provenance["warnings"])
    assert [hit.chunk.page for hit in library.search("second")] == [2]
    (failure,) = library.failures()
    assert (failure.partial, failure.last_page, failure.slug) == (True, 2, slug)
    assert library.resolve("a.pdf:p3").verdict == "absent"


def test_a_partial_document_is_completed_in_place(tmp_path: Path) -> None:
    path = write_script(tmp_path / "a.pdf", ["first page", "second page"], total=2, ends_with="timeout")
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as library:
        library.ingest([path])
        assert only(library.ingest([path])).status == "partial"

    class Patient(ScriptReader):
        def stream(self, source: bytes, /, **options: bool) -> Any:
            return super().stream(source.replace(b'"timeout"', b"null"))

    with Library(tmp_path / "library.sqlite", reader=Patient()) as library:
        outcome = only(library.ingest([path], retry_failed=True))
        assert (outcome.status, outcome.name) == ("added", "a.pdf")
        assert library.failures() == []
        assert states(library, "a.pdf") == ["text", "text"]
        assert len(library.search("page")) == 2
        assert only(library.ingest([path])).status == "unchanged"


@pytest.mark.parametrize("slug", ["timeout", "crash", "protocol"])
def test_nothing_is_kept_of_a_document_without_finished_pages(library: Library, tmp_path: Path, slug: str) -> None:
    pages = [{"error": "no"}] if slug != "protocol" else ["a liar's page"]
    assert only(library.ingest([write_script(tmp_path / "a.pdf", pages, total=3, ends_with=slug)])).status == "failed"
    assert library.documents() == []
    assert [failure.slug for failure in library.failures()] == [slug]


def test_a_file_that_claims_millions_of_pages_gets_no_row_for_each(tmp_path: Path) -> None:
    path = write_script(tmp_path / "a.pdf", ["one", "two"], total=9_000_000)
    with Library(tmp_path / "library.sqlite", reader=ScriptReader(), limits=Limits(max_pages=2)) as library:
        outcome = only(library.ingest([path]))
        assert (outcome.status, outcome.slug, outcome.pages) == ("partial", "too_much_text", 9_000_000)
        assert outcome.warnings == ("pages 3 to 9000000 were not extracted: 2 pages are the limit",)
        assert "limit of pages" in (library.resolve("a.pdf:p3").reason or "")


def test_a_defect_of_the_reader_is_one_files_failure(tmp_path: Path) -> None:
    def stumble(count: int) -> None:
        if count == 1:
            raise ZeroDivisionError("oops")

    write_script(tmp_path / "in" / "a.pdf", ["text"])
    write_script(tmp_path / "in" / "b.pdf", ["words"])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader(stumble)) as library:
        report = library.ingest([tmp_path / "in"], jobs=1)
        assert statuses(report) == {"a.pdf": "failed", "b.pdf": "added"}
        assert report.quarantined[0].slug == "internal"
        assert statuses(library.ingest([tmp_path / "in"])) == {"a.pdf": "added", "b.pdf": "unchanged"}


@pytest.mark.parametrize("wrong", ["typo", "", "nul\0", "half \ud800", "a.pdf/below", "dangling.pdf"])
def test_a_wrong_path_is_said_and_stops_no_other(library: Library, tmp_path: Path, wrong: str) -> None:
    path = write_script(tmp_path / "a.pdf", ["text"])
    (tmp_path / "dangling.pdf").symlink_to(tmp_path / "nowhere.pdf")
    report = library.ingest([tmp_path / wrong if wrong else "", path])
    assert [outcome.status for outcome in report.outcomes] == ["failed", "added"]
    assert report.outcomes[0].slug == "unreadable"
    assert [document.name for document in library.documents()] == ["a.pdf"]


def test_one_path_is_not_taken_apart(library: Library, tmp_path: Path) -> None:
    path = write_script(tmp_path / "a.pdf", ["text"])
    for one in (path, str(path), os.fsencode(path)):
        assert [outcome.name for outcome in library.ingest(one).outcomes] == ["a.pdf"]
    assert [hit.citation.name for hit in library.search("text", documents="a.pdf")] == ["a.pdf"]


def test_documents_are_numbered_in_the_order_of_the_walk_whatever_their_speed(tmp_path: Path) -> None:
    fast_is_done = threading.Event()
    pages_total = 12

    def hold(count: int) -> None:
        if count == 1:
            fast_is_done.wait(10)
        elif count == pages_total:
            fast_is_done.set()

    for name in "abcdefghijkl":
        write_script(tmp_path / name / "paper.pdf", [f"text of {name}"])
    with Library(tmp_path / "library.sqlite", reader=ScriptReader(hold)) as library:
        report = library.ingest([tmp_path], jobs=2)
    assert [outcome.name for outcome in report.outcomes[:3]] == ["paper.pdf", "b/paper.pdf", "c/paper.pdf"]
    assert len(report.outcomes) == pages_total


def test_progress_is_told_after_each_file(library: Library, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    for name in "abc":
        write_script(tmp_path / "in" / f"{name}.pdf", [name])
    read: list[Reading] = []

    def watch(event: Event) -> None:
        if isinstance(event, Finished):
            told.append((event.outcome.status, event.done, event.total))
        elif isinstance(event, Reading):
            read.append(event)
        else:
            assert event == Started(3)

    library.ingest([tmp_path / "in"], progress=watch)
    assert told == [("added", 1, 3), ("added", 2, 3), ("added", 3, 3)]
    assert sorted((Path(event.path).name, event.done, event.total) for event in read) == [
        (f"{name}.pdf", done, done) for name in "abc" for done in (0, 1)
    ]


def test_an_interrupt_finishes_what_is_at_work_and_leaves_the_rest(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    # A shell ignores the signal for what runs in its background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    for number in range(40):
        write_script(tmp_path / "in" / f"{number:02}.pdf", [f"document {number}"] * 3)
    release = threading.Event()

    def interrupt(count: int) -> None:
        if count == 10:
            os.kill(os.getpid(), signal.SIGINT)
            release.wait(0.3)

    with Library(tmp_path / "library.sqlite", reader=ScriptReader(interrupt)) as library:
        report = library.ingest([tmp_path / "in"], jobs=1)
        assert report.interrupted
        assert 1 <= len(report.outcomes) < 40
        assert {document.name for document in library.documents()} == {outcome.name for outcome in report.outcomes}
        assert all(states(library, document.name) == ["text"] * 3 for document in library.documents())
        assert library.failures() == []
    with Library(tmp_path / "library.sqlite", reader=ScriptReader()) as library:
        again = library.ingest([tmp_path / "in"])
        assert (again.counts["added"], again.counts["unchanged"]) == (40 - len(report.outcomes), len(report.outcomes))
        assert again.quarantined == []
