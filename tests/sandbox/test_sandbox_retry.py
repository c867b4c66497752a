"""Behind a page that crashes the child a fresh one goes on, three times at most."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import CrashError, DeadlineError, LimitError, ProtocolError
from pincite.model.text import PageFailure, PageText
from pincite.sandbox.runner import FRESH_CHILDREN, Runner
from support.children import close_zygotes, engine_runner, stub_runner

CRASHES = """
    import os
    def crash(): os.abort()
    def open_document(data): return Document(*[crash if page in {pages} else str(page) for page in range(1, {count} + 1)])
"""


@pytest.fixture(params=["forked", "executed"])
def forked(request: pytest.FixtureRequest) -> Iterator[bool]:
    yield request.param == "forked"
    close_zygotes()


def crashing(pages: set[int], count: int, *, forked: bool, **options: Any) -> Runner:
    options.setdefault("fresh_children", FRESH_CHILDREN)
    return engine_runner(CRASHES.format(pages=pages, count=count), forked=forked, **options)


def texts(pages: tuple[PageText | PageFailure, ...]) -> list[str]:
    return [page.text if isinstance(page, PageText) else "failed" for page in pages]


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ({2}, ["1", "failed", "3", "4"]),
        ({1}, ["failed", "2", "3", "4"]),
        ({4}, ["1", "2", "3", "failed"]),
        ({1, 2, 4}, ["failed", "failed", "3", "failed"]),
    ],
)
def test_one_bad_page_costs_one_page(forked: bool, bad: set[int], expected: list[str]) -> None:
    result = crashing(bad, 4, forked=forked).run(b"%PDF")
    assert texts(result.pages) == expected
    assert [page.page for page in result.pages] == [1, 2, 3, 4]
    failure = result.pages[min(bad) - 1]
    assert isinstance(failure, PageFailure)
    assert failure.error.startswith("crash: ")
    assert "SIGABRT" in failure.error
    assert (result.reason, result.signal) == (None, None)


def test_three_fresh_children_at_most(forked: bool) -> None:
    with pytest.raises(CrashError) as caught:
        crashing({2, 3, 5, 6}, 7, forked=forked).run(b"%PDF")
    partial = caught.value.partial
    assert texts(partial.pages) == ["1", "failed", "failed", "4", "failed"]
    assert (partial.reason, partial.signal, partial.last_page) == ("crash", signal.SIGABRT, 5)
    assert list(partial.not_read) == [6, 7]


def test_a_crash_before_the_first_page_is_one_of_the_document(forked: bool) -> None:
    runner = engine_runner("import os\ndef open_document(data): os.abort()", forked=forked, fresh_children=3)
    with pytest.raises(CrashError) as caught:
        runner.run(b"%PDF")
    assert caught.value.partial is None


def test_the_input_is_the_same_for_a_fresh_child(forked: bool, tmp_path: Path) -> None:
    """From bytes, a file and, where a copy is made of it, a pipe."""
    script = """
        import hashlib, os
        def crash(): os.abort()
        def open_document(data): return Document("1", crash, hashlib.sha256(data).hexdigest())
    """
    data = os.urandom(300_000)
    runner = engine_runner(script, forked=forked, fresh_children=3)
    expected = texts(runner.run(data).pages)
    assert expected[:2] == ["1", "failed"]
    path = tmp_path / "file"
    path.write_bytes(data)
    assert texts(runner.run(path).pages) == expected
    if forked:
        source, sink = os.pipe()
        os.set_blocking(sink, False)
        os.write(sink, data[:60_000])
        os.close(sink)
        assert texts(runner.run(source).pages)[:2] == ["1", "failed"]
        os.close(source)


def test_a_pipe_that_was_read_is_not_read_again() -> None:
    source, sink = os.pipe()
    os.write(sink, b"%PDF")
    os.close(sink)
    try:
        with pytest.raises(CrashError) as caught:
            crashing({2}, 3, forked=False).run(source)
    finally:
        os.close(source)
    assert texts(caught.value.partial.pages) == ["1"]


def test_another_program_is_not_started_again() -> None:
    """It may not know how to begin behind a page."""
    with pytest.raises(CrashError) as caught:
        stub_runner("take(); meta(3); page(1); os.abort()").run(b"")
    assert texts(caught.value.partial.pages) == ["text"]


def stub(first: str, second: str, **options: Any) -> Runner:
    """A program that does `first`, and `second` when it is started behind a page."""
    return stub_runner(f"data = take()\nif '-job' in sys.argv:\n    {second}\nelse:\n    {first}\n", fresh_children=3, **options)


def test_a_fresh_child_must_agree_on_the_number_of_pages() -> None:
    with pytest.raises(ProtocolError):
        stub("meta(3); page(1); os.abort()", "meta(4); page(3); page(4)").run(b"")


def test_a_fresh_child_may_not_repeat_a_page() -> None:
    with pytest.raises(ProtocolError):
        stub("meta(3); page(1); os.abort()", "meta(3); page(1)").run(b"")
    with pytest.raises(ProtocolError):
        stub("meta(3); page(1); os.abort()", "page(3)").run(b"")


def test_a_fresh_child_that_dies_before_its_first_line_ends_the_document() -> None:
    with pytest.raises(CrashError) as caught:
        stub("meta(3); page(1); os.abort()", "os.abort()").run(b"")
    assert texts(caught.value.partial.pages) == ["text", "failed"]


def test_the_meta_line_comes_once() -> None:
    runner = stub("meta(3, title='first'); page(1); os.abort()", "meta(3, title='second'); page(3)")
    meta, *pages = runner.stream(b"")
    assert getattr(meta, "title", None) == "first"
    assert [page.page for page in pages if isinstance(page, PageText | PageFailure)] == [1, 2, 3]


def test_the_deadline_and_the_cap_count_for_all_children_together() -> None:
    with pytest.raises(DeadlineError) as caught:
        stub("meta(9); page(1); os.abort()", "meta(9); page(3); time.sleep(600)", deadline_s=3).run(b"")
    assert caught.value.slug == "timeout"
    assert texts(caught.value.partial.pages) == ["text", "failed", "text"]
    with pytest.raises(LimitError) as limited:
        stub("meta(9); page(1, 'x' * 5000); os.abort()", "meta(9); page(3, 'x' * 5000)", max_output_bytes=9000).run(b"")
    assert limited.value.slug == "too_much_text"


@pytest.mark.parametrize("pages_read", [1, 3])
def test_other_ends_are_final(pages_read: int) -> None:
    """A child that says why, one that breaks the protocol, and one that is too slow are not given another chance."""
    pages = "; ".join(f"page({number})" for number in range(1, pages_read + 1))
    for end, kind in (("print('memory: x', file=sys.stderr); sys.exit(1)", LimitError), ("page(9)", ProtocolError)):
        with pytest.raises(kind) as caught:
            stub(f"meta(5); {pages}; {end}", "meta(5); page(5)").run(b"")
        assert len(caught.value.partial.pages) == pages_read
