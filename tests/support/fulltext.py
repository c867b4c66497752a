"""A real FTS5 table over analysed terms, as the library has it, but in memory and with nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from pincite.search.index.terms import CHARACTER, FOUR_TIMES, TWICE, index_terms
from pincite.search.query import parse_query, sought

__all__ = ["FullText"]


class FullText:
    """Texts by number, from 1."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._connection = apsw.Connection(":memory:")
        self._execute("CREATE VIRTUAL TABLE t USING fts5(terms, content='', contentless_delete=1, tokenize='ascii')")
        self._execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(t, instance)")
        self.texts: dict[int, str] = {}
        for text in texts:
            self.add(text)

    def _execute(self, statement: str, *values: int | str) -> list[tuple[object, ...]]:
        return list(self._connection.execute(statement, values))

    def add(self, text: str) -> int:
        number = len(self.texts) + 1
        self.texts[number] = text
        self._execute("INSERT INTO t (rowid, terms) VALUES (?, ?)", number, index_terms(text))
        return number

    def terms(self, number: int) -> list[str]:
        """The terms that FTS5 made of a text, in order, without its marks."""
        terms = [str(term) for (term,) in self._execute("SELECT term FROM vocabulary WHERE doc = ? ORDER BY offset", number)]
        return [term for term in terms if not term.startswith((CHARACTER, TWICE, FOUR_TIMES))]

    def match(self, expression: str) -> set[int]:
        """The numbers of the texts that an FTS5 expression finds."""
        return {int(str(number)) for (number,) in self._execute("SELECT rowid FROM t WHERE t MATCH ?", expression)}

    def search(self, query: str) -> set[int]:
        """The numbers of the texts that a query finds."""
        return self.match(sought(parse_query(query)).expression())

    def ranked(self, query: str) -> list[int]:
        """The same, best first."""
        rows = self._execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank, rowid", sought(parse_query(query)).expression())
        return [int(str(number)) for (number,) in rows]
