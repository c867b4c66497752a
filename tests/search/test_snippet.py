"""Snippets are verbatim, no wider than asked, and show what was found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.search.chunk.boundaries import is_inside_grapheme
from pincite.search.query import match_spans, parse_query, snippet

texts = st.text(st.sampled_from(list("ab  \n.가나漢\u0301👩")), max_size=200)


@given(texts, st.lists(st.tuples(st.integers(-2, 210), st.integers(-2, 210)), max_size=8), st.integers(1, 80))
def test_a_snippet_is_a_piece_of_the_text(text: str, spans: list[tuple[int, int]], width: int) -> None:
    shown = snippet(text, spans, width)
    assert text[shown.start : shown.start + len(shown.text)] == shown.text
    assert len(shown.text) <= width
    assert shown.text == shown.text.strip()
    assert all(0 <= start < end <= len(shown.text) for start, end in shown.matches)
    assert list(shown.matches) == sorted(shown.matches)


@given(texts.filter(lambda text: text.strip() != ""), st.data())
def test_a_span_that_fits_is_shown_whole(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 20)))
    if text[start:end] != text[start:end].strip() or is_inside_grapheme(text, start) or is_inside_grapheme(text, end):
        return
    shown = snippet(text, [(start, end)], 40)
    assert [shown.text[low:high] for low, high in shown.matches] == [text[start:end]]


LONG = (
    "Nothing to see here at all. " * 20
    + "Then alpha came before the beta and gamma. "
    + "And alpha went. "
    + "More of nothing. " * 20
)


def shown(query: str, text: str, width: int = 60) -> str:
    """The snippet with its matches in brackets."""
    piece = snippet(text, match_spans(parse_query(query), text), width)
    out, position = [], 0
    for start, end in piece.matches:
        out += [piece.text[position:start], "[", piece.text[start:end], "]"]
        position = end
    return "".join(out) + piece.text[position:]


def test_the_densest_cluster_is_shown_with_some_words_before_it() -> None:
    assert shown("alpha beta gamma", LONG) == "[alpha] came before the [beta] and [gamma]. And [alpha] went."
    assert shown("beta gamma", LONG) == "before the [beta] and [gamma]. And alpha went. More of"
    assert shown("gamma", LONG, 30) == "and [gamma]. And alpha went."


def test_a_short_text_is_shown_whole_and_a_text_without_matches_from_its_start() -> None:
    assert shown("a", " a b ") == "[a] b"
    assert snippet(LONG, [], 40).text == "Nothing to see here at all. Nothing to"
    assert snippet("", []).text == ""


def test_a_match_wider_than_the_snippet_is_cut() -> None:
    piece = snippet("x" * 100, [(10, 90)], 30)
    assert (piece.start, piece.text, piece.matches) == (10, "x" * 30, ((0, 30),))


def test_scripts_without_spaces_are_cut_between_characters() -> None:
    text = "これは長い文章でありどこにも空白がないので文字の間で切るしかないのだが結合文字は切らない" * 3
    piece = snippet(text, match_spans(parse_query("結合文字"), text), 30)
    assert piece.text[piece.matches[0][0] : piece.matches[0][1]] == "結合文字"
    assert len(piece.text) == 30
    thai = "การทดลองที่เกี่ยวข้องกับโครงสร้างของโปรตีนนั้น" * 3
    piece = snippet(thai, match_spans(parse_query("โปรตีน"), thai), 30)
    assert not is_inside_grapheme(thai, piece.start)
    assert not is_inside_grapheme(thai, piece.start + len(piece.text))
