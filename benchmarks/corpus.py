"""A library of generated text: the same words for the same seed, with the frequencies that natural text has."""

from __future__ import annotations

import hashlib
import random
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from pincite.model.text import TEXT_VERSION, OutlineItem
from pincite.search.chunk import chunk_page, sections_on
from pincite.search.index.rows import IndexedChunk, NewDocument, NewPage, PageRow
from pincite.search.index.store import Store
from pincite.search.index.terms import index_terms

PAGES_PER_DOCUMENT = 20
DOCUMENTS_PER_COMMIT = 50
CHARACTERS_PER_PAGE = 1050
VOCABULARY = 40_000
KOREAN_EVERY = 8
"""One document of so many is Korean."""

# The most frequent words of English text, most frequent first; the rest of the vocabulary is made up.
_FREQUENT = """
the of and to in a is that for with as by on are was this be from at which or an were these have not it can
has we between also using been more their used than its may other two our one both such results data after
study high model time cells analysis figure method protein patients structure different values system
"""
FREQUENT = _FREQUENT.split()
_PARTICLES = "은 는 이 가 을 를 에서 으로 의 와 과 도 에"
PARTICLES = _PARTICLES.split()
SYLLABLES = 500
SECTIONS = ("Introduction", "Methods", "Results", "Discussion")


class Words:
    """Words by their rank, as Zipf's law has it."""

    def __init__(self, seed: int = 5) -> None:
        made = random.Random(seed)
        letters = "bcdfghklmnprstv", "aeiou"
        words = dict.fromkeys(FREQUENT)
        while len(words) < VOCABULARY:
            words["".join(made.choice(letters[0]) + made.choice(letters[1]) for _ in range(made.randint(2, 5)))] = None
        self.english = list(words)
        korean: dict[str, None] = {}
        syllables = made.sample([chr(code) for code in range(0xAC00, 0xD7A4)], SYLLABLES)
        often = [1 / (rank + 10) for rank in range(SYLLABLES)]
        while len(korean) < VOCABULARY // 4:
            korean["".join(made.choices(syllables, often, k=made.randint(2, 4)))] = None
        self.korean = list(korean)
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(VOCABULARY)))

    def text(self, dice: random.Random, *, korean: bool) -> str:
        """One page of sentences in lines of some eighty characters."""
        words = self.korean if korean else self.english
        total = self._weights[len(words) - 1]
        parts: list[str] = []
        size = line = 0
        while size < CHARACTERS_PER_PAGE:
            word = words[bisect_left(self._weights, dice.random() * total)]
            if korean:
                word += dice.choice(PARTICLES)
            end = ". " if dice.random() < 0.06 else " "
            line += len(word) + len(end)
            if line > 80:
                line, end = 0, end.strip() + "\n"
            parts.append(word + end)
            size += len(word) + len(end)
        return "".join(parts).strip()


def build(path: Path, chunks: int, words: Words) -> None:
    """Write a library with so many chunks, one a page, to a path where there is none."""
    with Store.open(path) as store:
        numbers = range(chunks // PAGES_PER_DOCUMENT)
        for first in range(0, len(numbers), DOCUMENTS_PER_COMMIT):
            with store.transaction():
                for number in numbers[first : first + DOCUMENTS_PER_COMMIT]:
                    identifier = hashlib.sha256(f"document {number}".encode()).hexdigest()
                    outline = tuple(OutlineItem(title, 1 + 5 * position, 1) for position, title in enumerate(SECTIONS))
                    document = NewDocument(identifier, PAGES_PER_DOCUMENT, TEXT_VERSION, f"Document {number}", outline)
                    store.put_document(document, _pages(document, number, words), [f"document-{number:05}.pdf"])


def _pages(document: NewDocument, number: int, words: Words) -> Iterator[NewPage]:
    dice = random.Random(number)
    for page in range(1, PAGES_PER_DOCUMENT + 1):
        text = words.text(dice, korean=number % KOREAN_EVERY == 0)
        found = chunk_page(document.id, page, text, sections_on(document.outline, page))
        chunks = tuple(IndexedChunk(chunk, index_terms(chunk.text)) for chunk in found)
        yield NewPage(PageRow(page, text, "text"), chunks)
