"""The full-text tables: what their rows hold, and building them again from the pages, since they are never the only copy.

A row of `chunk_terms` is a chunk's terms in order. After them stand *marks*: a term that occurs twice or more in the chunk once
again behind U+E002, four times or more also behind U+E004; and each character of an unspaced script behind U+E001. No analysed
term begins so, since analysis takes private-use characters for spaces. A search for a word that a large part of a library
holds ranks the chunks with marks alone, and one character is looked up by its mark instead of as the beginning of bigrams.

A row of `seam_terms` is what stands around the end of a chunk, its last words and the first words of the one after it, so that a
phrase that goes on over a page turn is found. It has the number of the chunk before the seam. What runs on pages (see `running`)
is left out of the one, and of a second reading of the other.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pincite.search.analysis import ANALYZER_VERSION, term_stream
from pincite.search.analysis.scripts import UNSPACED
from pincite.search.index.database import Database
from pincite.search.index.running import ChunkText, RunningText, part_of_page, running_spans

INDEX_VERSION = f"{ANALYZER_VERSION} marks-2"
"""Changes with any change to what the full-text tables hold of a text; tables of another version are built again."""

CHARACTER, TWICE, FOUR_TIMES = "\ue001", "\ue002", "\ue004"

SEAM_CHARACTERS = 120
"""So much of the text on either side of a seam is looked at for phrases that go over it."""

# Between two ways of reading a seam, where no phrase may go on.
_GAP = " \ue000 "
# What FTS5's ascii tokenizer makes of ASCII, in C.
_ASCII = str.maketrans({code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)})
_TERM = re.compile("[0-9a-z\x80-\U0010ffff]+")
_RUN = re.compile(f"[{UNSPACED}]+")
_DIGITS = re.compile(r"\d+")


class Seam(NamedTuple):
    """How a text may go on from one chunk to the next: from a span of the one to a span of the other."""

    before: tuple[int, int]
    after: tuple[int, int]

    def text(self, first: str, second: str) -> str:
        """The text over the seam of these two chunks, a line end where they meet."""
        return f"{first[slice(*self.before)]}\n{second[slice(*self.after)]}"


def index_terms(text: str) -> str:
    """The text of a chunk as the full-text table takes it: its analysed terms in one string, then the marks."""
    stream = term_stream(text)
    terms = stream.translate(_ASCII).split() if stream.isascii() else _TERM.findall(stream)
    repeated = [(term, count) for term, count in Counter(terms).items() if count > 1]
    marks = [TWICE + term for term, _ in repeated] + [FOUR_TIMES + term for term, count in repeated if count > 3]
    if not stream.isascii():
        marks += [CHARACTER + character for character in sorted(set("".join(_RUN.findall(stream))))]
    return f"{stream} {' '.join(marks)}" if marks else stream


def seam_terms(first: ChunkText, second: ChunkText) -> str:
    """The text around a seam as the full-text table takes it, in both of its readings where there are two."""
    return _GAP.join(term_stream(seam.text(first.text, second.text)) for seam in seam_readings(first, second))


def seam_readings(first: ChunkText, second: ChunkText) -> list[Seam]:
    """How the text of two chunks may go on: as it stands, and without what runs at the end of the first and at the beginning of
    the second. Where nothing is known to run, a short line of digits alone, or one that ends or begins with digits, does."""
    plain = _seam(first.text, len(first.text), second.text, 0)
    body_end, body_start = first.body_end, second.body_start
    if body_end == len(first.text):
        foot = first.text.rfind("\n") + 1
        if foot - 1 > plain.before[0] and _is_furniture(first.text[foot:]):
            body_end = foot - 1
    if body_start == 0:
        head_end = second.text.find("\n")
        if 0 < head_end < plain.after[1] and _is_furniture(second.text[:head_end]):
            body_start = head_end + 1
    bare = _seam(first.text, body_end, second.text, body_start)
    return [plain] if bare == plain else [plain, bare]


def _seam(first: str, end: int, second: str, start: int) -> Seam:
    return Seam((max(0, end - SEAM_CHARACTERS), end), (start, min(len(second), start + SEAM_CHARACTERS)))


def _is_furniture(line: str) -> bool:
    """True of a line that looks like a page number or a running head with one."""
    line = line.strip(" \t-–—|()[].,·")
    if not 0 < len(line) <= 80:
        return False
    found = _DIGITS.search(line)
    return found is not None and (line[0].isdigit() or line[-1].isdigit() or len(line) - len(found[0]) < 5)


def seam_rows(chunks: Iterable[tuple[int, ChunkText]]) -> Iterator[tuple[int, str]]:
    """For each chunk but the last its number and what its row of `seam_terms` holds."""
    previous: tuple[int, ChunkText] | None = None
    for number, text in chunks:
        if previous is not None:
            yield previous[0], seam_terms(previous[1], text)
        previous = number, text


def remove_terms(database: Database, document: int) -> None:
    """Take a document out of the full-text tables; its pages and chunks stay."""
    for table in ("chunk_terms", "seam_terms"):
        database.execute(f"DELETE FROM {table} WHERE rowid IN (SELECT number FROM chunks WHERE document = ?)", (document,))


def restore_terms(database: Database, document: int) -> None:
    """Put a document's chunks, analysed anew, into the full-text tables, where they must not be yet."""
    rows = database.execute(
        """SELECT c.number, c.page, c.start, c."end", p.text, p.quality FROM chunks c JOIN pages p USING (document, page)
        WHERE document = ? ORDER BY c.page, c.ordinal""",
        (document,),
    )
    running = RunningText()
    counting = ""
    page_before = 0
    terms: list[tuple[int, str]] = []
    chunks: list[tuple[int, ChunkText]] = []
    spans_of = database.built(lambda row: running_spans(None if row[5] is None else json.loads(row[5])), rows)
    for (number, page, start, end, text, _), spans in zip(rows, spans_of, strict=True):
        if page != page_before:
            counting = running.counting(text, spans)
            page_before = page
        terms.append((number, index_terms(counting[start:end])))
        chunks.append((number, part_of_page(text, start, end, spans)))
    database.execute_many("INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)", terms)
    database.execute_many("INSERT INTO seam_terms (rowid, terms) VALUES (?, ?)", seam_rows(chunks))
