"""`read`: the pages of a document through the sandbox."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.errors import CrashError, LimitError, UnreadableError
from pincite.model.limits import Limits
from pincite.model.text import PageText
from pincite.sandbox import reading
from pincite.sandbox.runner import Runner
from support.children import stub_runner


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes `read` run a script in place of the usual child."""

    def use(script: str) -> None:
        def from_limits(limits: Limits) -> Runner:
            return stub_runner(script, max_pages=limits.max_pages)

        monkeypatch.setattr(Runner, "from_limits", from_limits)

    return use


def test_pages_come_one_by_one(child: Any) -> None:
    child("take(); meta(2); page(1, 'eins', label='i'); page(2, 'zwei')")
    assert list(reading.read(b"")) == [PageText(1, "eins", "i"), PageText(2, "zwei")]


def test_a_page_that_fails_says_so(child: Any) -> None:
    child("take(); meta(2); say({'page': 1, 'error': 'ValueError: odd'}); page(2, 'zwei')")
    first, second = reading.read(b"")
    assert first == PageText(1, "", warnings=("page 1 can't be read: ValueError: odd",))
    assert second == PageText(2, "zwei")


def test_a_scan_gives_its_empty_pages(child: Any) -> None:
    child("take(); meta(1); page(1, '')")
    assert list(reading.read(b"")) == [PageText(1, "")]


def test_a_part_is_not_taken_for_the_whole(child: Any) -> None:
    child("take(); meta(9); page(1); page(2)")
    pages = reading.read(b"", Limits(max_pages=2))
    assert [next(pages).page, next(pages).page] == [1, 2]
    with pytest.raises(LimitError, match="9 pages and 2 were read"):
        next(pages)


def test_errors_come_where_they_stand(child: Any) -> None:
    child("take(); meta(2); page(1); os.abort()")
    pages = reading.read(b"")
    assert next(pages).page == 1
    with pytest.raises(CrashError):
        next(pages)
    with pytest.raises(UnreadableError):
        next(reading.read("/no/such/file.pdf"))
