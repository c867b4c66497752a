"""Queries: any string is one, FTS5 takes what becomes of it, and the spans that are shown are those that it found."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pincite.errors import QueryError
from pincite.search.query import TermPhrase, answers, has_spacing, match_spans, parse_query, sought
from support.fulltext import FullText

WORDS = [
    "가",
    "나다",
    "가나다라",
    "실험을",
    "분석했다",
    "a",
    "bc",
    "a-b",
    "é",
    "漢字",
    "か",
    "ไท",
    "19",
    "😀",
    "\ud800",
    "\u00ad",
]
SYNTAX = ["*", '"', "“", "”", "-", " OR ", " AND ", "NOT", "doc:", "page:", "page:3-7"]
FTS5_SYNTAX = ["(", ")", "NEAR", "^", "+", "\\", "'", "{", ":", "\x00", "\n"]
pieces = st.sampled_from([*WORDS, *SYNTAX, *FTS5_SYNTAX])
query_strings = st.lists(st.one_of(pieces, st.just(" ")), max_size=12).map("".join)
texts = st.lists(
    st.sampled_from(
        [
            "가",
            "나다",
            "라",
            "가나다라",
            "실험에서",
            "분석하는",
            "a",
            "bc",
            "b",
            "abc",
            "-",
            "É",
            "漢",
            "字か",
            "ไทย",
            "19",
            " ",
            "\n",
            ". ",
        ]
    ),
    max_size=14,
).map("".join)


@given(st.one_of(query_strings, st.text(max_size=30)))
@example('"')
@example("OR OR")
@example("-")
@example("a*")
@example('-"a b" c')
def test_every_string_is_a_query_that_fts5_takes(string: str) -> None:
    try:
        query = parse_query(string)
    except QueryError:
        return
    assert query.required
    FullText().match(sought(query).expression())
    hash(query)


@given(query_strings, st.lists(texts, min_size=1, max_size=6))
@example("a OR bc -19", ["a 19", "bc", "a"])
@example('"가나 다라"', ["가나다라", "가나 다라", "가나\n다라", "가나, 다라"])
@example("가", ["나가다", "나 가", "나"])
def test_what_fts5_finds_is_what_matches(string: str, passages: list[str]) -> None:
    try:
        query = parse_query(string)
    except QueryError:
        assume(False)
    index = FullText(passages)
    found = index.search(string)
    assert found == {number for number, text in index.texts.items() if answers(query, text)}
    for number, text in index.texts.items():
        spans = match_spans(query, text)
        assert not (number in found and not spans)
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert all(end < start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.parametrize("string", ["", " \n", "-", '""', "***", "OR", "(!)", "doc:a.pdf page:3", "-word", "\u00ad", "😀"])
def test_a_query_without_a_word_says_so(string: str) -> None:
    with pytest.raises(QueryError, match="word") as caught:
        parse_query(string)
    assert caught.value.slug == "bad_query"


def test_words_must_all_be_there_and_or_binds_its_neighbours() -> None:
    index = FullText(["alpha beta", "alpha gamma", "beta gamma", "alpha"])
    assert index.search("alpha beta") == {1}
    assert index.search("alpha AND beta") == {1}
    assert index.search("beta OR gamma") == {1, 2, 3}
    assert index.search("alpha beta OR gamma") == {1, 2}
    assert index.search("alpha -beta") == {2, 4}
    assert index.search('alpha -"alpha gamma" -beta') == {4}
    assert index.search('"gamma beta" OR "beta gamma"') == {3}


def test_quotations_are_in_order_and_words_are_not() -> None:
    index = FullText(["the quick brown fox", "brown the quick", "quick, brown", "quickly brown"])
    assert index.search("brown quick") == {1, 2, 3}
    assert index.search('"quick brown"') == {1, 3}
    assert index.search("“quick brown”") == {1, 3}
    assert index.search("„the quick“") == {1, 2}
    assert index.search('"quick brown') == {1, 2, 3}, "a quote without its partner makes words"
    assert index.search("quick*") == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("string", "documents", "excluded", "pages"),
    [
        ("x doc:a.pdf", ("a.pdf",), (), ()),
        ('x doc:"a b*.pdf" -doc:c.pdf', ("a b*.pdf",), ("c.pdf",), ()),
        ("x page:13", (), (), ((13, 13),)),
        ("x page:3-7,9 PAGE:12-", (), (), ((3, 7), (9, 9), (12, 2**31 - 1))),
        ("x page:-4", (), (), ((1, 4),)),
        ("x page:9 page:3-5,4-6,7", (), (), ((3, 7), (9, 9))),
    ],
)
def test_filters(string: str, documents: tuple[str, ...], excluded: tuple[str, ...], pages: tuple[tuple[int, int], ...]) -> None:
    query = parse_query(string)
    assert sought(query).expression() == '"x"'
    assert (query.documents, query.excluded_documents, query.pages) == (documents, excluded, pages)


@pytest.mark.parametrize("string", ["page:x", "page:7-3", "page:0", "-page:3", "page:3-x", 'page:"3 4"'])
def test_pages_that_are_none_are_said(string: str) -> None:
    with pytest.raises(QueryError, match="page"):
        parse_query(f"a {string}")


@pytest.mark.parametrize("string", ["page:", "doc:", "pages:3"])
def test_what_is_no_filter_is_words(string: str) -> None:
    query = parse_query(f"a {string}")
    assert (query.documents, query.excluded_documents, query.pages) == ((), (), ())
    assert len(query.required) + len(query.excluded) == 2


def test_hyphens_are_words_apart_or_together() -> None:
    index = FullText(["a well-known case", "a well known case", "a well-\nknown case", "wellknown", "known well"])
    assert index.search("well-known") == {1, 2, 3, 4}
    assert index.search('"well-known case"') == {1, 2, 3}


def test_a_long_query_is_cut_and_still_answered() -> None:
    passage = " ".join(f"word{number} 낱말{number}번째" for number in range(5000))
    index = FullText([passage])
    assert index.search(passage) == {1}
    assert index.search(f'"{passage}"') == {1}
    assert index.search("가나다라마바사아자차카타파하" * 40) == set()
    korean = "낱말을 이어 쓴 긴 글이다 " * 300
    assert FullText([korean]).search(f'"{korean}"') == {1}


def test_no_query_is_too_much_for_fts5() -> None:
    FullText().match(sought(parse_query(" OR ".join(f"w{number}" for number in range(3000)))).expression())
    FullText().match(sought(parse_query(" -".join(f"w{number}" for number in range(3000)))).expression())
    with pytest.raises(QueryError, match="300 page ranges"):
        parse_query("x page:" + ",".join(str(page) for page in range(1, 601, 2)))


def test_spaces_inside_a_long_word_can_be_asked_for_later() -> None:
    index = FullText(["자연어처리 기술", "자연어 처리 기술", "자연 어처리", "처리 자연어"])
    query = parse_query("자연어처리를")
    assert has_spacing(query)
    assert index.match(sought(query, spacing=False).expression()) == {1}
    assert index.match(sought(query).expression()) == {1, 2, 3}
    assert not has_spacing(parse_query("자연어 처리 process"))


def test_the_most_literal_form_ranks_first() -> None:
    texts = ["전문적 지식과 전문성", "실험 실험 기술", "실험을 했다", "그 실험에서"]
    assert FullText(texts).ranked("실험을")[0] == 3


def test_an_excluded_word_is_not_shown() -> None:
    text = "alpha beta"
    assert match_spans(parse_query("alpha -gamma"), text) == ((0, 5),)
    assert match_spans(parse_query("alpha -beta"), text) == ((0, 5),)


@pytest.mark.parametrize(
    ("query", "text", "shown"),
    [
        ("first", "the ﬁrst", ["ﬁrst"]),
        ("example", "an exam-\nple", ["exam-\nple"]),
        ('"known case"', "well-known case", ["known case"]),
        ("감염증", "코로나바이러스감염\n증-19", ["감염\n증"]),
        ("답", "정답과 답변", ["답", "답"]),
        ("실험", "화학실험을", ["실험"]),
        ("실험을", "실험을 실험에서", ["실험을", "실험"]),
        ("자연어처리", "자연어 처리", ["자연어 처리"]),
        ("자연어 처리", "자연어처리", ["자연어처리"]),
        ("immun*", "immunity", ["immunity"]),
        ("ไทย", "ภาษาไทย", ["ไทย"]),
        ("ก", "กำลัง", ["กำ"]),
    ],
)
def test_spans_are_verbatim(query: str, text: str, shown: list[str]) -> None:
    assert [text[start:end] for start, end in match_spans(parse_query(query), text)] == shown


def test_phrases_are_plain_data() -> None:
    (clause,) = parse_query("실험").required
    assert clause[0].phrases == (TermPhrase(("실험",)),)
    assert (clause[0].text, clause[0].quoted) == ("실험", False)
