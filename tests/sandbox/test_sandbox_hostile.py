"""Files that are made to hurt: each gives text or a typed error inside its limits, and the parent stays as it was."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import DeadlineError, LimitError, NoTextError, PinciteError, UnreadableError
from pincite.model.text import DocumentMeta, PageFailure, PageText
from pincite.sandbox.runner import Runner, RunResult
from support.hostile import ATTACKS, MIB, NUMBER, rich_pdf, with_every_number, with_number
from support.pdfwriter import simple_pdf
from support.users import run_as

STALL_S = 8.0
DEADLINE_S = 16.0
MARGIN_S = 5.0
MEMORY = 256 * MIB
GROWTH = 24 * MIB
"""What a parent may keep of a document's own lines, and of what its allocator does not give back."""


def memory_bytes() -> int:
    """The parent's own memory, without what it shares."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(fields["RssAnon"].split()[0]) << 10


def hostile_runner(**options: object) -> Runner:
    return Runner(deadline_s=DEADLINE_S, stall_s=STALL_S, max_memory_bytes=MEMORY, max_pages=300, **options)  # type: ignore[arg-type]


def read_all(runner: Runner, pdf: bytes) -> tuple[int, PinciteError | None]:
    """Consume a document page by page; the number of pages that came, and the error at the end."""
    pages = 0
    try:
        for item in runner.stream(pdf):
            pages += not isinstance(item, DocumentMeta)
    except PinciteError as error:
        return pages, error
    return pages, None


@pytest.fixture(scope="module", params=ATTACKS)
def attack(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    make: Callable[[], bytes] = ATTACKS[request.param]
    return request.param, make()


def test_the_answer_is_typed_and_in_time_and_the_parent_s_memory_flat(attack: tuple[str, bytes]) -> None:
    name, pdf = attack
    runner = hostile_runner()
    runner.run(simple_pdf(["start the zygote"]))
    before, started = memory_bytes(), time.monotonic()
    pages, error = read_all(runner, pdf)
    elapsed = time.monotonic() - started
    assert elapsed < DEADLINE_S + MARGIN_S
    assert memory_bytes() - before < GROWTH
    assert error is None or isinstance(error, UnreadableError | LimitError | DeadlineError | NoTextError), error
    assert error is not None or pages > 0
    # Whatever it did, it did to itself.
    assert [page.text for page in runner.run(simple_pdf(["after"])).pages if isinstance(page, PageText)] == ["after"]
    assert name


EXPECTED = {
    "flate_bomb": ["before", "memory", "after"],
    "flate_bomb_of_operators": ["before", "memory", "after"],
    "nested_bombs": ["before", "memory"],
    "nested_arrays": ["before", "after", "last"],
    "page_tree_cycle": ["one"],
    "deep_page_tree": ["deep"],
    "table_in_itself": ["text"],
    "form_that_paints_itself_twice": ["form"],
    "forms_that_double": ["before", "", "after"],
    "outline_loops": ["text"],
    "tree_loops": ["text"],
    "references_in_circles": ["text", ""],
    "trees_that_double": ["shown"],
    "laughs_in_metadata": ["text"],
    "annotation_that_paints_itself": ["text", ""],
    "chain_of_tables": ["text"],
}


def said(result: RunResult) -> list[str]:
    return [page.text if isinstance(page, PageText) else page.error.partition(":")[0] for page in result.pages]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_sound_in_it_is_read(name: str) -> None:
    # without a deadline of its own: how fast the machine is says nothing of what is sound
    try:
        result = Runner(max_memory_bytes=MEMORY, max_pages=300).run(ATTACKS[name]())
    except NoTextError as error:
        result = error.partial
    assert said(result) == EXPECTED[name]


@pytest.mark.parametrize(
    "name", ["flate_bomb", "nested_arrays", "page_tree_cycle", "object_stream_in_itself", "many_cmap_ranges"]
)
def test_the_same_where_each_document_is_executed(name: str) -> None:
    pdf = ATTACKS[name]()
    pages, error = read_all(hostile_runner(zygote=False), pdf)
    assert error is None or isinstance(error, UnreadableError | LimitError | DeadlineError | NoTextError), error
    assert error is not None or pages > 0


AS_A_USER = """
import sys
from pincite.errors import PinciteError
from support.hostile import ATTACKS
from test_sandbox_hostile import hostile_runner, read_all
for name in sys.argv[1:]:
    pages, error = read_all(hostile_runner(), ATTACKS[name]())
    print(name, pages, error.slug if error else "read")
"""


@pytest.mark.parametrize("user", ["root", "ordinary"])
def test_the_same_for_every_user(user: str) -> None:
    script = f"import sys; sys.path.insert(0, {os.fspath(Path(__file__).parent)!r})\n{AS_A_USER}"
    done = run_as(user, script, "flate_bomb", "nested_arrays", "object_stream_in_itself", "form_that_paints_itself_twice")
    assert done.stdout.splitlines() == [
        "flate_bomb 3 read",
        "nested_arrays 3 read",
        "object_stream_in_itself 0 unreadable",
        "form_that_paints_itself_twice 1 read",
    ], done.stderr


def test_a_bomb_under_the_usual_limits() -> None:
    """2 MB that would be 2 GB, with nothing lowered."""
    pdf = ATTACKS["flate_bomb"]()
    assert len(pdf) < 2.1 * MIB
    before = memory_bytes()
    assert said(Runner().run(pdf)) == ["before", "memory", "after"]
    assert memory_bytes() - before < GROWTH


def test_an_outline_without_end_is_cut() -> None:
    result = hostile_runner().run(ATTACKS["deep_outline"]())
    assert 1 <= len(result.meta.outline) <= 100
    assert max(item.level for item in result.meta.outline) <= 100


def test_pages_past_the_limit_are_counted_only() -> None:
    result = hostile_runner().run(ATTACKS["wide_page_tree"]())
    assert result.meta.pages == 100_000
    assert len(result.pages) == 300


@pytest.mark.parametrize("number", [b"1000000000", b"-1000000000", b"99999999999999999999", b"1e999", b"0.0000000000000000001"])
def test_all_numbers_at_once(number: bytes) -> None:
    for pdf in (with_every_number(rich_pdf(), number), NUMBER.sub(number, rich_pdf())):
        pages, error = read_all(hostile_runner(), pdf)
        assert error is None or isinstance(error, UnreadableError | LimitError | DeadlineError | NoTextError), error
        assert error is not None or pages > 0


def test_each_number_by_itself() -> None:
    """10^9 in every number that a file can hold, one file a number: nothing takes longer than it may, and nothing crashes."""
    pdf = rich_pdf()
    runner = hostile_runner()
    slow, crashed, index = [], [], 0
    while (changed := with_number(pdf, index)) is not None:
        started = time.monotonic()
        pages, error = read_all(runner, changed)
        if time.monotonic() - started > 2 * STALL_S:
            slow.append(index)
        if error is not None and error.slug not in ("unreadable", "encrypted", "memory", "timeout", "stalled", "too_much_text"):
            crashed.append((index, error.slug, error.message))
        assert error is not None or pages > 0
        index += 1
    assert index > 150
    assert (slow, crashed) == ([], [])


@pytest.mark.parametrize(
    "name",
    sorted({*EXPECTED, "hostile_fonts", "picture_of_a_continent", "much_content"} - {"nested_bombs", "deep_page_tree"}),
)
def test_pictures_of_hostile_files(name: str) -> None:
    """PDFium is confined by the same limits."""
    pdf = ATTACKS[name]()
    runner = hostile_runner()
    for page in (1, 2):
        started, slug, pixels = time.monotonic(), "", 0
        try:
            picture = runner.render(pdf, page, max_pixels=1_000_000)
            pixels = picture.width * picture.height
        except PinciteError as error:
            slug = error.slug
        assert slug in ("", "unreadable", "crash", "memory", "timeout", "stalled", "too_large", "absent")
        assert pixels <= 1_000_000
        assert time.monotonic() - started < DEADLINE_S + MARGIN_S


def test_a_page_failure_says_what_happened() -> None:
    result = hostile_runner().run(ATTACKS["flate_bomb"]())
    failure = result.pages[1]
    assert isinstance(failure, PageFailure)
    assert failure.error == "memory: it takes more memory than the limit allows"
