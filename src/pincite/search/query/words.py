"""What a user typed, as the sequences of terms that the index may hold for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

from pincite.search.analysis import fold
from pincite.search.analysis.scripts import UNSPACED
from pincite.search.query.korean import is_hangul, is_only_particles, stems

__all__ = ["TermPhrase", "phrases_of_quotation", "phrases_of_word", "spaced_phrases_of_word"]

MOST_PHRASES = 24
"""A word is looked up as at most this many phrases, and as many again with spaces set."""
MOST_PHRASES_OF_QUOTATION = 64
"""The same for a quotation: enough for two line ends, in any two places, in one of ten Korean words."""
# And all of the phrases together hold no more terms than this, or a pasted page would keep FTS5 busy for seconds.
_MOST_TERMS = 4000
# A run up to these lengths may have two spaces in it, or one; for a longer one there would be too many ways.
_LONGEST_WITH_TWO_SPACES = 11
_LONGEST_WITH_ONE_SPACE = 24

_PIECE = re.compile(f"(?P<run>[{UNSPACED}]+)|[^\x00-/:-`{{-\x7f{UNSPACED}]+")
_HYPHEN = re.compile("[-\u2010-\u2012]")

Terms = tuple[str, ...]
_Slots = list[list[Terms]]
"""A pattern of terms: of every slot one alternative, one slot after another."""


@dataclass(frozen=True, slots=True)
class TermPhrase:
    """Terms that must stand one after another; with `prefix`, any term that begins with the last one will do."""

    terms: Terms
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of an unspaced script or a word, folded; `before` is the text between it and the piece before."""

    text: str
    is_run: bool
    before: str


def phrases_of_word(text: str) -> tuple[TermPhrase, ...]:
    """The phrases of one unquoted word, the most literal first; an empty tuple where it holds no letter or digit.

    Korean is also looked up without particles and verb endings, a word with a hyphen also without it. One character of an
    unspaced script finds every run that has it, and a word that ends in `*` all that begin with it.
    """
    readings = _readings(_pieces(text))
    if not readings:
        return ()
    last = readings[0][-1]
    open_ended = text.endswith("*") and not last.is_run and len(last.text) > 1
    phrases = _Phrases(MOST_PHRASES)
    for pieces in readings:
        phrases.add(_slots(pieces), prefix=open_ended or _is_one_character(pieces[-1]))
    return phrases.found


def spaced_phrases_of_word(text: str) -> tuple[TermPhrase, ...]:
    """What the phrases of a word are where the writer set spaces in its Hangul: 자연어처리 as 자연어 처리.

    Without particles and endings, since nothing is found with them that is not found so too.
    """
    readings = _readings(_pieces(text))
    phrases = _Phrases(MOST_PHRASES)
    if readings and any(piece.is_run and is_hangul(piece.text) and len(piece.text) > 3 for piece in readings[-1]):
        plain = _Phrases(MOST_PHRASES)
        plain.add(_slots(readings[-1]), prefix=_is_one_character(readings[-1][-1]))
        phrases.add(_slots(readings[-1], split=True), prefix=_is_one_character(readings[-1][-1]))
        return tuple(phrase for phrase in phrases.found if phrase not in plain.found)
    return ()


def _readings(pieces: list[_Piece]) -> list[list[_Piece]]:
    """The pieces of a word as they are, then with less and less of its Korean endings."""
    if not pieces:
        return []
    last = pieces[-1]
    readings = [pieces]
    if last.is_run and is_hangul(last.text):
        follows_word = len(pieces) > 1 and not last.before
        if follows_word and is_only_particles(last.text):
            readings.append(pieces[:-1])
        else:
            forms = stems(last.text, shortest=1 if follows_word else 2)
            readings += [[*pieces[:-1], replace(last, text=form)] for form in forms]
    return readings


def phrases_of_quotation(text: str) -> tuple[TermPhrase, ...]:
    """The phrases of a quotation: its words in its order, and nothing taken off them.

    A space between two runs of an unspaced script may be a line end in the text, which is no word end, and so is both
    looked for and passed over.
    """
    pieces = _pieces(text)
    phrases = _Phrases(MOST_PHRASES_OF_QUOTATION)
    if pieces:
        phrases.add(_slots(pieces, bridge=True), prefix=_is_one_character(pieces[-1]))
    return phrases.found


def _pieces(text: str) -> list[_Piece]:
    folded = fold(text)
    pieces = []
    after = 0
    for found in _PIECE.finditer(folded.text):
        start, end = folded.span(*found.span())
        pieces.append(_Piece(found[0], found["run"] is not None, text[after:start]))
        after = end
    return pieces


def _is_one_character(piece: _Piece) -> bool:
    return piece.is_run and len(piece.text) == 1


def _slots(pieces: list[_Piece], *, split: bool = False, bridge: bool = False) -> _Slots:
    """The pattern of some pieces: the terms that analysis gives for them, but for the last character of a run at the end,
    which the text may go on after.

    `split` adds the spaces that a writer may have set inside a run; `bridge` adds the runs that white space parts, put together.
    """
    slots: _Slots = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        position += 1
        following = pieces[position] if position < len(pieces) else None
        if not piece.is_run:
            words = [piece.text]
            while position < len(pieces) and not pieces[position].is_run and _HYPHEN.fullmatch(pieces[position].before):
                words.append(pieces[position].text)
                position += 1
            slots.append([tuple(words), ("".join(words),)] if len(words) > 1 else [(piece.text,)])
            continue
        slots.append(_run_terms(piece.text, split=split))
        if following is not None:
            slots.append([(piece.text[-1],)])
            if bridge and following.is_run and following.before.isspace():
                slots[-1].append((piece.text[-1] + following.text[0],))
        elif len(piece.text) == 1:
            slots.append([(piece.text,)])
    return slots


def _run_terms(run: str, *, split: bool) -> list[Terms]:
    """The bigrams of a run as written, and as they are with spaces in it that leave two characters or more on each side.

    A space takes the bigram that spans it and leaves the one character before it, as the last of its run.
    """
    bigrams = [run[at : at + 2] for at in range(len(run) - 1)]
    alternatives = [tuple(bigrams)]
    if split and is_hangul(run) and len(run) <= _LONGEST_WITH_ONE_SPACE:
        places = range(1, len(run) - 2)
        choices: list[tuple[int, ...]] = [(place,) for place in places]
        if len(run) <= _LONGEST_WITH_TWO_SPACES:
            choices += [(first, second) for first, second in combinations(places, 2) if second - first > 1]
        for spaces in choices[:MOST_PHRASES]:
            terms = bigrams.copy()
            for at in spaces:
                terms[at] = run[at]
            alternatives.append(tuple(terms))
    return alternatives


class _Phrases:
    """Collects the different phrases of a word or quotation, up to `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._terms = 0
        self._found: dict[TermPhrase, None] = {}

    @property
    def found(self) -> tuple[TermPhrase, ...]:
        return tuple(self._found)

    def add(self, slots: _Slots, *, prefix: bool) -> None:
        for choice in _choices(slots):
            terms = tuple(term for part in choice for term in part)
            self._terms += len(terms)
            if self._found and (len(self._found) >= self._most or self._terms > _MOST_TERMS):
                return
            if terms:
                self._found[TermPhrase(terms, prefix)] = None


def _choices(slots: _Slots) -> Iterator[list[Terms]]:
    """Every choice of one alternative a slot: the first ones, then those that differ from them in one slot, in two and so on."""
    open_slots = [position for position, alternatives in enumerate(slots) if len(alternatives) > 1]
    for count in range(len(open_slots) + 1):
        for positions in combinations(open_slots, count):
            for others in product(*(slots[position][1:] for position in positions)):
                choice = [alternatives[0] for alternatives in slots]
                for position, other in zip(positions, others, strict=True):
                    choice[position] = other
                yield choice
