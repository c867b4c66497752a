"""The grammar of citations: one written form, many that are understood, and no citation that is understood wrongly."""

from __future__ import annotations

import os
import unicodedata
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.errors import CitationError
from pincite.model.citation import Citation

HASH = "0123456789ab"

# Every character but the surrogates that no file name has; the escaped bytes (U+DC80 to U+DCFF) come from os.fsdecode.
text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
tricky = st.text(st.sampled_from(list(":@%p3=s-0 \t\n\r\u0085\u2028\u202e\ufeff é\u0301\u1112\u1161\u11ab한😀")), min_size=1)
file_names = st.binary(min_size=1).map(os.fsdecode)
look_alikes = st.sampled_from(
    [
        ":p3",
        "a:p3",
        "x:p1:span=0-5",
        "y:p2:section=z",
        f"n@{HASH}",
        ":p2:table=1:cell=2,3",
        "%3A",
        "100%",
        "%",
        "p1",
        ":span=1-2",
        "@",
    ]
)
values = st.one_of(text, tricky, file_names, look_alikes)
numbers = st.integers(1, 10**6)
spans = st.tuples(st.integers(0, 10**6), numbers).map(lambda pair: (pair[0], pair[0] + pair[1]))
hashes = st.text("0123456789abcdef", min_size=12, max_size=12)
places = st.one_of(
    st.fixed_dictionaries({}, optional={"span": spans}),
    st.fixed_dictionaries({"table": numbers}, optional={"cell": st.tuples(numbers, numbers)}),
)
citations = st.builds(
    lambda name, page, place, **rest: Citation(name, page, **place, **rest),
    values,
    numbers,
    places,
    section=st.none() | values,
    document_hash=st.none() | hashes,
)


@given(citations)
@example(Citation(":p3", 3))
@example(Citation("a@b%:p1:span=0-1.pdf", 3, section=f"see :p4@{HASH}"))
@example(Citation("\n", 1, section="\r\n"))
@example(Citation(" a ", 1, section=" b "))
@example(Citation(unicodedata.normalize("NFD", "한글.pdf"), 1))
@example(Citation(os.fsdecode(b"caf\xe9\xc3\xa9.pdf"), 1))
def test_what_is_written_is_read_back(citation: Citation) -> None:
    written = str(citation)
    assert Citation.parse(written) == citation
    assert Citation.parse(f" {written}\n") == citation, "white space around a citation is no part of it"


@given(citations)
def test_a_canonical_citation_is_written_as_it_was_read(citation: Citation) -> None:
    written = str(citation)
    assert str(Citation.parse(written)) == written
    assert citation.format() == written


@given(citations)
def test_a_written_citation_is_one_plain_line(citation: Citation) -> None:
    written = str(citation)
    assert written.splitlines() == [written]
    assert written == written.strip()
    written.encode("utf-8")
    assert written.count(":p") == 1
    assert written.count("@") == (citation.document_hash is not None)


@given(st.one_of(st.text(), tricky, st.lists(st.one_of(look_alikes, tricky)).map("".join)))
def test_any_string_is_a_citation_or_a_typed_error(string: str) -> None:
    with suppress(CitationError):
        citation = Citation.parse(string)
        assert Citation.parse(str(citation)) == citation


@pytest.mark.parametrize(
    ("string", "citation"),
    [
        ("paper.pdf:p13", Citation("paper.pdf", 13)),
        ("paper.pdf:p13:section=Experiment Setup", Citation("paper.pdf", 13, section="Experiment Setup")),
        ("paper.pdf:p13:span=0-1240", Citation("paper.pdf", 13, (0, 1240))),
        (f"a/b.pdf:p2:span=3-9:section=Methods@{HASH}", Citation("a/b.pdf", 2, (3, 9), "Methods", HASH)),
        ("한글 보고서.pdf:p1:section=서론", Citation("한글 보고서.pdf", 1, section="서론")),
        ("paper.pdf:p13:table=2", Citation("paper.pdf", 13, table=2)),
        ("paper.pdf:p13:table=2:cell=3,4", Citation("paper.pdf", 13, table=2, cell=(3, 4))),
        (f"a.pdf:p2:table=1:cell=1,10:section=Sums@{HASH}", Citation("a.pdf", 2, None, "Sums", HASH, 1, (1, 10))),
        ("odd%3Ap3.pdf:p13", Citation("odd:p3.pdf", 13)),
        ("a%0Ab.pdf:p1", Citation("a\nb.pdf", 1)),
        ("caf%E9.pdf:p1", Citation(os.fsdecode(b"caf\xe9.pdf"), 1)),
        ("50%25 off.pdf:p1", Citation("50% off.pdf", 1)),
        ("%20a%20:p1", Citation(" a ", 1)),
    ],
)
def test_the_canonical_form(string: str, citation: Citation) -> None:
    assert Citation.parse(string) == citation
    assert str(citation) == string


@pytest.mark.parametrize(
    ("string", "citation"),
    [
        ("odd:p3.pdf:p13", Citation("odd:p3.pdf", 13)),
        ("notes:p3:p5", Citation("notes:p3", 5)),
        ("x:p1:span=0-5:p2", Citation("x:p1:span=0-5", 2)),
        ("me@home.pdf:p1", Citation("me@home.pdf", 1)),
        ("a.pdf:p3:section=1: Mail me @ home", Citation("a.pdf", 3, section="1: Mail me @ home")),
        ("a.pdf:p3:section=See b.pdf:p4", Citation("a.pdf", 3, section="See b.pdf:p4")),
        ("a.pdf:p3:section=x:span=1-2", Citation("a.pdf", 3, section="x:span=1-2")),
        (f"a.pdf:p3:section=Tom@Jerry@{HASH}", Citation("a.pdf", 3, None, "Tom@Jerry", HASH)),
        (f"a.pdf:p3@{HASH.upper()}", Citation("a.pdf", 3, None, None, HASH)),
        (f"a.pdf:p3@{HASH * 5}abcd", Citation("a.pdf", 3, None, None, HASH)),
        ("a.pdf:p007:span=00-010", Citation("a.pdf", 7, (0, 10))),
        ("100%.pdf:p1", Citation("100%.pdf", 1)),
        ("a%zz%3a.pdf:p1", Citation("a%zz:.pdf", 1)),
        ("a\nb.pdf:p1", Citation("a\nb.pdf", 1)),
        ("한글.pdf:p1:section=%EC%84%9C론", Citation("한글.pdf", 1, section="서론")),
    ],
)
def test_raw_characters_are_understood_where_they_have_one_reading(string: str, citation: Citation) -> None:
    assert Citation.parse(string) == citation


@pytest.mark.parametrize(
    ("string", "what"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("paper.pdf", "has no page"),
        ("paper.pdf:page=3", "does not say the page"),
        (":p3", "no name"),
        ("a.pdf:p0", "pages count from 1"),
        ("a.pdf:p-1", "the page"),
        ("a.pdf:p" + "9" * 5000, "5000 digits"),
        ("a.pdf:p3:span=5", "not a span"),
        ("a.pdf:p3:span=5-", "not a span"),
        ("a.pdf:p3:span=5-5", "empty or backwards"),
        ("a.pdf:p3:span=5-2", "empty or backwards"),
        ("a.pdf:p3:section=", "the section is empty"),
        ("a.pdf:p3:section=a\nb", "one line"),
        ("a.pdf:p3:line=4", "':line=4'"),
        ("a.pdf:p3@abc", "12 hex digits"),
        ("a.pdf:p3:span=0-5 and so on", "not a span"),
        ("\ud800.pdf:p1", "surrogate"),
        ("\ud800%41.pdf:p1", "surrogate"),
    ],
)
def test_what_is_wrong_is_said(string: str, what: str) -> None:
    with pytest.raises(CitationError, match=what) as caught:
        Citation.parse(string)
    assert caught.value.slug == "bad_citation"
    assert "paper.pdf:p13:span=0-1240" in str(caught.value), "and the form is shown"


@pytest.mark.parametrize(
    "values",
    [
        {"name": ""},
        {"page": 0},
        {"page": 10**18},
        {"span": (-1, 3)},
        {"span": (3, 3)},
        {"span": (0, 10**18)},
        {"section": ""},
        {"document_hash": "abc"},
        {"document_hash": "0" * 65},
        {"name": "\udfff"},
    ],
)
def test_a_citation_that_can_not_be_is_not_made(values: dict[str, Any]) -> None:
    with pytest.raises(CitationError):
        Citation(**{"name": "a.pdf", "page": 1, **values})


def test_equal_names_on_disk_are_equal_names() -> None:
    escaped = "".join(os.fsdecode(bytes([byte])) for byte in "é".encode())
    assert os.fsencode(escaped) == os.fsencode("é")
    assert Citation(escaped, 1) == Citation("é", 1)


def test_a_whole_hash_is_cut_to_the_digits_that_a_citation_carries() -> None:
    assert Citation("a.pdf", 1, document_hash="ABCDEF012345" + "f" * 52).document_hash == "abcdef012345"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"span": (0, 1), "table": 1}, "two places"),
        ({"cell": (1, 1)}, "not named"),
        ({"table": 0}, "count from 1"),
        ({"table": 1, "cell": (0, 1)}, "count from 1"),
        ({"table": 1, "cell": (1, 10**18)}, "count from 1"),
    ],
)
def test_tables_that_can_t_be_cited(arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(CitationError, match=why):
        Citation("a.pdf", 1, **arguments)


@pytest.mark.parametrize("tail", [":table=", ":table=x", ":table=1:cell=1", ":table=1:cell=1,", ":cell=1,2", ":table=1:span=0-1"])
def test_a_table_that_is_not_read(tail: str) -> None:
    with pytest.raises(CitationError):
        Citation.parse(f"a.pdf:p1{tail}")
