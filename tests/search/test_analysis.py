"""The analyzer: which terms a text has, and where they stand in it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.search.analysis import analyze, analyze_with_offsets, fold, fold_text, term_stream
from support.fulltext import FullText

# Letters of many scripts with what disturbs them: marks, jamo, ligatures, invisible characters, line ends and hyphens.
ALPHABET = (
    list("aZzéßİıŁﬁﬀ½²①㎏Ⅳ_-'’.,19 \n\n\u00ad\u2010\u200b\u200d\ufeff\u0301\u0308\u0345\u0327ΐς")
    + list("가각힣ㄱㅏ\u1100\u1161\u11a8\u3164ｶﾞ漢字々〇かがガー・゙\u3099⼀豈𠮷")
    + list("กำที่่๒ລຳကြးំខ្មែរ")
    + list("бйёאֶבּשׁالعَرَبِيّةـ٣हिन्दी়ক্ষ")
    + list("😀❤\ufe0f👩\U0001f3fd\ue000\ud800\udc80\x00\U0010ffff")
)
tricky = st.text(st.sampled_from(ALPHABET), max_size=40)
anything = st.one_of(tricky, st.text(max_size=40))


@given(anything)
@example("e\u0301-\nx")
@example("가\n나-\nx")
@example("\u1100\u314f")  # compatibility jamo compose under NFKC
@example("a\u200b\u0301")
@example("ﬁ\u0327\u0301")
def test_terms_with_offsets_are_the_terms(text: str) -> None:
    assert [term.term for term in analyze_with_offsets(text)] == analyze(text)


@given(anything)
def test_a_term_holds_nothing_that_the_tokenizer_splits_at(text: str) -> None:
    for term in analyze(text):
        assert term
        assert all(not character.isascii() or character.isdigit() or character.islower() for character in term), term
        term.encode("utf-8")


@given(anything)
def test_every_term_stands_in_the_verbatim_text(text: str) -> None:
    previous = 0
    for term, start, end in analyze_with_offsets(text):
        assert previous <= start < end <= len(text)
        assert term in fold_text(text[start:end])
        previous = start


@given(anything)
def test_the_quick_fold_is_the_fold(text: str) -> None:
    folded = fold(text)
    assert folded.text == fold_text(text)
    spans = [folded.span(letter, letter + 1) for letter in range(len(folded.text))]
    assert spans == sorted(spans)
    for letter, (start, end) in zip(folded.text, spans, strict=True):
        assert 0 <= start < end <= len(text)
        assert letter in fold_text(text[start:end])


@given(anything)
def test_decomposed_input_is_composed_input(text: str) -> None:
    composed = analyze(unicodedata.normalize("NFC", text))
    assert analyze(unicodedata.normalize("NFD", text)) == composed
    assert analyze(text) == composed


@given(st.lists(tricky, min_size=1, max_size=5))
def test_fts5_makes_the_same_terms(texts: list[str]) -> None:
    index = FullText(texts)
    for number, text in index.texts.items():
        assert index.terms(number) == analyze(text)


@given(st.text(st.sampled_from(list("ab 가나다 𠮷か\n")), max_size=60))
def test_bigrams_and_the_last_character_of_each_run(text: str) -> None:
    expected = []
    for word in text.replace("a", " a ").replace("b", " b ").replace("\n", " ").split():
        if word in "ab":
            continue
        expected += [word[at : at + 2] for at in range(len(word))]
    terms = [term for term in analyze(text.replace("\n", " ")) if not term.isascii()]
    assert terms == expected


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        (" \n-_.", []),
        ("Straße, STRASSE", ["strasse", "strasse"]),
        ("foo_bar foo-bar foo.bar", ["foo", "bar"] * 3),
        ("don't don’t", ["don", "t"] * 2),
        ("naïve café Ångström e\u0301", ["naive", "cafe", "angstrom", "e"]),
        ("Łódź smørrebrød İstanbul ışık", ["lodz", "smorrebrod", "istanbul", "isik"]),
        ("ﬁrst oﬃce ﬂow", ["first", "office", "flow"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
        ("exam-\nple", ["example"]),
        ("exam\u00ad\nple exam\u2010\nple", ["example", "example"]),
        ("ex\u00adam\u200bple", ["example"]),
        ("Donau-\nDampf", ["donau", "dampf"]),
        ("3-\nfold", ["3", "fold"]),
        ("well-known\n-minus", ["well", "known", "minus"]),
        ("Ψυχή ὅς ΟΔΟΣ", ["ψυχη", "οσ", "οδοσ"]),
        ("ёлка Йод", ["елка", "иод"]),
        ("العَرَبِيَّة الـكـتـاب ٢٠٢٠", ["العربية", "الكتاب", "2020"]),
        ("שָׁלוֹם", ["שלום"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("한국어", ["한국", "국어", "어"]),
        ("한", ["한"]),
        ("한국어 처리", ["한국", "국어", "어", "처리", "리"]),
        ("GPU를 2020년", ["gpu", "를", "2020", "년"]),
        ("감염\n증", ["감염", "염증", "증"]),
        ("감염\n\n증", ["감염", "염", "증"]),
        ("감염 \n증", ["감염", "염", "증"]),
        ("감염\nABC", ["감염", "염", "abc"]),
        ("漢字\nかな", ["漢字", "字か", "かな", "な"]),
        ("データ・ベース", ["デー", "ータ", "タ", "ベー", "ース", "ス"]),
        ("ﾃﾞｰﾀ", ["デー", "ータ", "タ"]),
        ("ภาษาไทย", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย", "ย"]),
        ("𠮷野家", ["𠮷野", "野家", "家"]),
        ("x² H₂O ½", ["x2", "h2o", "1", "2"]),
        ("a\ud800b \ue000c", ["a", "b", "c"]),
    ],
)
def test_terms(text: str, terms: list[str]) -> None:
    assert analyze(text) == terms


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        ("the ﬁrst", "first", "ﬁrst"),
        ("an exam-\nple.", "example", "exam-\nple"),
        ("a cafe\u0301!", "cafe", "cafe\u0301"),
        ("ex\u00adam\u00adple", "example", "ex\u00adam\u00adple"),
        (unicodedata.normalize("NFD", "이 한국어"), "국어", unicodedata.normalize("NFD", "국어")),
        ("감염\n증-19", "염증", "염\n증"),
        ("의 ㎏ 당", "kg", "㎏"),
    ],
)
def test_offsets_are_of_the_verbatim_text(text: str, term: str, found: str) -> None:
    assert [text[start:end] for made, start, end in analyze_with_offsets(text) if made == term] == [found]


def test_the_term_stream_of_plain_text_is_little_more_than_the_text() -> None:
    assert term_stream("Plain exam-\nple, as it is.") == "plain example, as it is."
