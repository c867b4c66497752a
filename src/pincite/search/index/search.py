"""Asking the full-text table.

SQLite's own bm25() first walks over all rows of each term to count them, and then looks up the length of each row: 17 ms for a
word in a fifth of 200,000 chunks, 140 ms for three words that are in nearly all. So the same formula is computed in other steps:

1. All that answer are weighed as if they were of average length, and the best of them once more by their own length.
2. How many chunks hold a clause, which is its weight, is counted up to some thousands, and estimated from a sample past that.
3. Where more than `MOST_WEIGHED` answer, only those are weighed where the words are marked as repeated (see `terms`), if
   these are enough: who has a word four times comes before who has it once.
4. Words that more than half of the chunks hold have next to no weight, as in bm25(). Where there are no others, and too many
   chunks answer, the hits come as the documents came in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator

import apsw

from pincite.model.chunk import Chunk
from pincite.search.index.database import OPTIONAL_TEXT, Database, Row, typed
from pincite.search.index.rows import SearchFilter, SearchRow, decode_name, decode_sections
from pincite.search.index.running import running_spans
from pincite.search.index.sought import Clause, Phrase, Sought, any_of, marked, with_excluded
from pincite.search.index.terms import FOUR_TIMES, TWICE

MOST_WEIGHED = 12_000
"""So many rows are weighed for one query; fewer where each of them costs more."""
MOST_PHRASES = 5000
MOST_COMMON_PHRASES = 3000
MOST_IN_ORDER = 20_000
LEAST_POOL = 200
"""At least so many rows are weighed by their own length."""
EXACT_COUNT = 4000
"""Counts of chunks up to this are exact."""
SAMPLES, SAMPLE_ROWS = 8, 128
"""What a sample is: so many stretches of so many chunks, evenly spread."""
COMMON_SHARE = 0.5
K1, B = 1.2, 0.75
LEAST_WEIGHT = 1e-6

Weigher = Callable[[apsw.FTS5ExtensionApi], float]

_FETCH = """
SELECT d.id, d.name, c.page, p.label, c.start, c."end", c.ordinal, c.section, p.text, p.quality, p.sections
FROM chunks c JOIN documents d ON d.number = c.document JOIN pages p ON p.document = c.document AND p.page = c.page
WHERE c.number = ?
"""


def search(database: Database, sought: Sought, narrowing: SearchFilter, limit: int) -> list[SearchRow]:
    """The best `limit` chunks that answer, best first, ties in the order in which documents came in and of their pages."""
    ranked = _Plan(database, _Scope(database, narrowing), sought, limit).ranked()
    rows = (fetch(database, number, score) for number, score in ranked[:limit])
    return [row for row in rows if row is not None]


def fetch(database: Database, number: int, score: float) -> SearchRow | None:
    """One chunk with its page."""

    def built(row: Row) -> SearchRow:
        kinds = (str, bytes, int, OPTIONAL_TEXT, int, int, int, OPTIONAL_TEXT, str, OPTIONAL_TEXT, OPTIONAL_TEXT)
        document, name, page, label, start, end, ordinal, section, text, quality, sections = typed(row, *kinds)
        chunk = Chunk(document, page, start, end, text[start:end], ordinal, section)
        running = running_spans(None if quality is None else json.loads(quality))
        return SearchRow(score, decode_name(name), label, text, chunk, number, running, decode_sections(sections))

    return next(iter(database.built(built, database.execute(_FETCH, (number,)))), None)


def count(database: Database, sought: Sought, narrowing: SearchFilter, most: int) -> int:
    """How many chunks answer, counted up to `most`."""
    return _Scope(database, narrowing).count(sought.expression(), most)


def numbers_in_order(database: Database, sought: Sought, narrowing: SearchFilter, limit: int) -> list[int]:
    """The first `limit` chunks that answer, in the order of documents' names and of pages.

    Documents are asked one after another where very many chunks answer, since they need not all be put in order then.
    """
    scope = _Scope(database, narrowing)
    expression = sought.expression()
    found = scope.matches(expression, MOST_IN_ORDER + 1)
    if len(found) <= MOST_IN_ORDER:
        ordered = database.execute(
            """SELECT c.number FROM json_each(?) found JOIN chunks c ON c.number = found.value
            JOIN documents d ON d.number = c.document ORDER BY d.name, c.page, c.ordinal LIMIT ?""",
            (json.dumps(found), limit),
        )
        return [number for (number,) in ordered]
    numbers: list[int] = []
    for (document,) in database.execute("SELECT id FROM documents WHERE superseded_by IS NULL ORDER BY name"):
        if narrowing.documents is None or document in narrowing.documents:
            one = _Scope(database, SearchFilter((document,), narrowing.pages, narrowing.sections))
            numbers += one.matches(expression, limit - len(numbers))
            if len(numbers) >= limit:
                break
    return numbers


def seams(database: Database, phrases: Clause, narrowing: SearchFilter, limit: int) -> list[tuple[int, int]]:
    """The numbers of chunks and those after them around whose seam one of the phrases stands, at most `limit` pairs."""
    scope = _Scope(database, narrowing)
    numbers = scope.matches(any_of(phrases), limit, table="seam_terms")
    following = """SELECT next.number FROM chunks c JOIN chunks next ON next.document = c.document AND next.number > c.number
        WHERE c.number = ? ORDER BY next.number LIMIT 1"""
    return [(number, after) for number in numbers for (after,) in database.execute(following, (number,))]


class _Scope:
    """Where a search looks: conditions on chunks, and the range of their numbers, which alone are cheap."""

    def __init__(self, database: Database, narrowing: SearchFilter) -> None:
        self._database = database
        self._parameters: list[str | int] = []
        conditions: list[str] = []
        self._range: tuple[int, int] | None = None
        if narrowing.documents is not None:
            self._range = self._range_of(narrowing.documents)
            if len(narrowing.documents) != 1:
                conditions.append("c.document IN (SELECT d.number FROM json_each(?) JOIN documents d ON d.id = value)")
                self._parameters.append(json.dumps(narrowing.documents))
        if narrowing.pages is not None:
            conditions.append(" OR ".join(["c.page BETWEEN ? AND ?"] * len(narrowing.pages)) or "FALSE")
            for first, last in narrowing.pages:
                self._parameters.extend((first, last))
        if narrowing.sections is not None:
            conditions.append(
                """c.section IN (SELECT value FROM json_each(?)) OR EXISTS
                (SELECT 1 FROM inner_sections i WHERE i.chunk = c.number AND i.title IN (SELECT value FROM json_each(?)))"""
            )
            self._parameters += [json.dumps(narrowing.sections)] * 2
        self._conditions = conditions

    def _range_of(self, documents: tuple[str, ...]) -> tuple[int, int]:
        """The range of the numbers of the documents' chunks; an empty one where they have none."""
        ((first, last),) = self._database.execute(
            """SELECT min(c.first), max(c.last) FROM
            (SELECT (SELECT number FROM chunks WHERE document = d.number ORDER BY page, ordinal LIMIT 1) first,
                (SELECT number FROM chunks WHERE document = d.number ORDER BY page DESC, ordinal DESC LIMIT 1) last
            FROM json_each(?) JOIN documents d ON d.id = value) c""",
            (json.dumps(documents),),
        )
        return (first, last) if first is not None else (1, 0)

    def weighed(self, expression: str, weigh: Weigher, limit: int, most: int) -> list[Row]:
        """The chunks that weigh most of the first `most` that answer, with their weights."""
        columns = "t.rowid number, weight(t.chunk_terms) w"
        statement, parameters = self._statement(columns, "chunk_terms", expression, "", most)
        outer = f"SELECT number, w FROM ({statement}) ORDER BY w DESC, number LIMIT ?"
        return self._database.execute_weighing(outer, (*parameters, limit), weigh)

    def matches(self, expression: str, limit: int, *, table: str = "chunk_terms") -> list[int]:
        """The first chunks that answer, in the order of their numbers."""
        return [number for (number,) in self._ask("t.rowid", table, expression, "ORDER BY t.rowid", limit)]

    def count_between(self, expression: str, first: int, last: int) -> int:
        """How many of the chunks of these numbers answer."""
        statement = "SELECT count(*) FROM chunk_terms WHERE chunk_terms MATCH ? AND rowid BETWEEN ? AND ?"
        ((count,),) = self._database.execute(statement, (expression, first, last))
        return int(count)

    def count(self, expression: str, limit: int, *, exactly: bool = True) -> int:
        """How many chunks answer, counted up to `limit`; without `exactly` those count, too, that the conditions leave out."""
        statement, parameters = self._statement("1", "chunk_terms", expression, "", limit, with_conditions=exactly)
        ((count,),) = self._database.execute(f"SELECT count(*) FROM ({statement})", parameters)
        return int(count)

    def _ask(self, columns: str, table: str, expression: str, order: str, limit: int) -> list[Row]:
        return self._database.execute(*self._statement(columns, table, expression, order, limit))

    def _statement(
        self, columns: str, table: str, expression: str, order: str, limit: int, *, with_conditions: bool = True
    ) -> tuple[str, tuple[str | int, ...]]:
        source, conditions, parameters = f"{table} t", [f"{table} MATCH ?"], [expression, *(self._range or ())]
        if self._range is not None:
            conditions.append("t.rowid BETWEEN ? AND ?")
        if self._conditions and with_conditions:
            source += " CROSS JOIN chunks c ON c.number = t.rowid"
            conditions += [f"({condition})" for condition in self._conditions]
            parameters += self._parameters
        statement = f"SELECT {columns} FROM {source} WHERE {' AND '.join(conditions)} {order} LIMIT ?"
        return statement, (*parameters, limit)


class _Plan:
    """How one search is answered; see the module."""

    def __init__(self, database: Database, scope: _Scope, sought: Sought, limit: int) -> None:
        self._database = database
        self._scope = scope
        self._sought = sought
        self._limit = limit
        self._pool = max(LEAST_POOL, 2 * limit)
        ((last,),) = database.execute("SELECT coalesce(max(number), 0) FROM chunks")
        self._last: int = last
        # Of a single clause the weight is the same everywhere, so its rows need not be counted first.
        self._shares = [self._share(clause) for clause in sought.clauses] if len(sought.clauses) > 1 else [0.0]

    def ranked(self) -> list[tuple[int, float]]:
        """Numbers of chunks with their scores, in order."""
        expression = self._sought.expression()
        if self._is_of_common_phrases():
            # To find one costs much, and marks do not tell where.
            return self._weighed(expression, most=MOST_COMMON_PHRASES).by_length()
        found = None
        if not self._are_too_many(expression):
            found = self._weighed(expression)
            if found.are_all:
                return found.by_length()
        if len(self._sought.clauses) == 1:
            self._shares = [self._share(self._sought.clauses[0])]
        if all(share > COMMON_SHARE for share in self._shares):
            return [(number, 0.0) for number in self._scope.matches(expression, self._limit)]
        for restriction in self._restrictions():
            narrower = self._weighed(with_excluded(restriction, self._sought.excluded))
            if len(narrower.rows) >= self._limit:
                return narrower.by_length()
        return (found or self._weighed(expression)).by_length()

    def _are_too_many(self, expression: str) -> bool:
        """Whether more answer than are weighed, as far as that is cheap to tell; of several clauses, by what is likely."""
        clauses = self._sought.clauses
        if len(clauses) > 1:
            return math.prod(self._shares) * self._last > MOST_WEIGHED
        if self._is_of_phrases():
            return False
        return self._last > MOST_WEIGHED and self._scope.count(expression, MOST_WEIGHED + 1, exactly=False) > MOST_WEIGHED

    def _is_of_phrases(self) -> bool:
        """True where no single term is asked for: each row is looked at term by term, place by place."""
        return all(len(phrase.terms) > 1 for clause in self._sought.clauses for phrase in clause)

    def _is_of_common_phrases(self) -> bool:
        """True of a lone quotation of words that are in most of the chunks of a large library."""
        (first, *others) = self._sought.clauses
        if others or self._last <= MOST_WEIGHED or len(first) > 2:
            return False
        return all(
            len(phrase.terms) > 1
            and not phrase.prefix
            and all(self._share((Phrase((term,)),)) > COMMON_SHARE for term in dict.fromkeys(phrase.terms))
            for phrase in first
        )

    def _weighed(self, expression: str, most: int = 0) -> _Weighed:
        weights = [self._weight(share) for share in self._shares]
        if not most:
            most = MOST_PHRASES if self._is_of_phrases() else MOST_WEIGHED
        most = max(most, self._pool)
        weighed = _Weighed(self._database, self._sought.clauses, weights, most)
        weighed.rows = self._scope.weighed(expression, weighed.weigh, self._pool, most)
        if len(self._sought.clauses) == 1 and weighed.are_all:
            weighed.most = self._weight(weighed.count / max(1, self._last))
        return weighed

    def _weight(self, share: float) -> float:
        """BM25's inverse document frequency; as in bm25(), next to nothing where it would not be positive."""
        half = 0.5 / max(1, self._last)
        return max(math.log((1 - min(1.0, share) + half) / (share + half)), LEAST_WEIGHT)

    def _restrictions(self) -> Iterator[str]:
        """Expressions for the chunks in which what is sought is repeated, the narrowest first."""
        clauses = self._sought.clauses
        weighty = [clause for clause, share in zip(clauses, self._shares, strict=True) if share <= COMMON_SHARE]
        sought = [any_of(clause) for clause in clauses]
        for mark in (FOUR_TIMES, TWICE):
            yield " AND ".join([*sought, *(marked(clause, mark) for clause in weighty)])
        if len(weighty) > 1:
            for mark in (FOUR_TIMES, TWICE):
                yield " AND ".join([*sought, f"({' OR '.join(marked(clause, mark) for clause in weighty)})"])

    def _share(self, clause: Clause) -> float:
        """The part of all chunks that answer a clause."""
        expression = any_of(clause)
        everywhere = _Scope(self._database, SearchFilter())
        count = everywhere.count(expression, EXACT_COUNT + 1)
        if count <= EXACT_COUNT or any(phrase.prefix for phrase in clause):
            # A prefix is put together out of all its terms for each question, so one must do.
            return count / max(1, self._last)
        here = there = 0
        for sample in range(SAMPLES):
            first = self._last * sample // SAMPLES
            bounds = (first + 1, first + SAMPLE_ROWS)
            here += everywhere.count_between(expression, *bounds)
            ((chunks,),) = self._database.execute("SELECT count(*) FROM chunks WHERE number BETWEEN ? AND ?", bounds)
            there += chunks
        return max(count / self._last, here / max(1, there))


class _Weighed:
    """Rows with BM25 in two steps, since to look up a row's length costs as much as all the rest."""

    def __init__(self, database: Database, clauses: tuple[Clause, ...], weights: list[float], most_rows: int) -> None:
        self._most_rows = most_rows
        self.rows: list[Row] = []
        self.count = 0
        """How many rows were weighed."""
        self._database = database
        self._groups: list[tuple[float, range]] = []
        first = 0
        for clause, weight in zip(clauses, weights, strict=True):
            # Phrases count from 0 in the order in which they stand in the expression.
            phrases = range(first, first := first + len(dict.fromkeys(clause)))
            if weight > LEAST_WEIGHT or max(weights) == LEAST_WEIGHT:
                self._groups.append((weight, phrases))
        self._is_simple = len(clauses) == 1
        self.most = sum(weight for weight, _ in self._groups)

    @property
    def are_all(self) -> bool:
        """Whether all rows that answer were weighed."""
        return self.count < self._most_rows

    def weigh(self, row: apsw.FTS5ExtensionApi) -> float:
        """What share of the best possible score a row of average length would have."""
        self.count += 1
        if self._is_simple:
            count = row.inst_count
            return count / (count + K1)
        score = 0.0
        for weight, phrases in self._groups:
            count = 0
            for phrase in phrases:
                count += len(row.phrase_column_offsets(phrase, 0))
            score += weight * count / (count + K1)
        return score / self.most

    def by_length(self) -> list[tuple[int, float]]:
        """Rows with their scores in order, each by its own length; the counts of its words together are taken from its share."""
        lengths = self._lengths([number for number, _ in self.rows])
        average = sum(lengths.values()) / max(1, len(lengths)) or 1.0
        scored = []
        for number, share in self.rows:
            if number not in lengths:
                # Removed since by another process, or the index is damaged.
                continue
            count = K1 * share / (1 - share)
            length = 1 - B + B * lengths[number] / average
            scored.append((number, self.most * count * (K1 + 1) / (count + K1 * length)))
        return sorted(scored, key=lambda row: (-row[1], row[0]))

    def _lengths(self, numbers: list[int]) -> dict[int, int]:
        """The lengths of chunks in characters."""
        rows = self._database.execute(
            'SELECT number, "end" - start FROM chunks WHERE number IN (SELECT value FROM json_each(?))', (json.dumps(numbers),)
        )
        return {number: length for number, length in rows if isinstance(length, int)}
