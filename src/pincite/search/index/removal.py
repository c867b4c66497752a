"""Taking documents out of a library, and knowing which files are gone; each is called inside a transaction of the store."""

from __future__ import annotations

import os
from collections.abc import Iterable

from pincite.search.index.database import Database
from pincite.search.index.rows import Location, decode_name
from pincite.search.index.terms import remove_terms


def remove_document(database: Database, number: int) -> list[str]:
    """Delete a document and all that hangs on it; returns the cite names of what went, which no other document gets.

    Older versions of its file that it replaced go with it, unless a newer one replaced it in turn, which then stands for them.
    """
    ((name, successor),) = database.execute("SELECT name, superseded_by FROM documents WHERE number = ?", (number,))
    removed = [decode_name(name)]
    older = database.execute("SELECT number FROM documents WHERE superseded_by = ?", (number,))
    if successor is not None:
        database.execute("UPDATE documents SET superseded_by = ? WHERE superseded_by = ?", (successor, number))
    else:
        for (other,) in older:
            # Two that replaced each other in turn would be met twice.
            database.execute("UPDATE documents SET superseded_by = NULL WHERE number = ?", (other,))
            removed += remove_document(database, other)
    remove_terms(database, number)
    database.execute("INSERT INTO retired_names (name, document) SELECT name, id FROM documents WHERE number = ?", (number,))
    database.execute("DELETE FROM documents WHERE number = ?", (number,))
    return removed


def mark_missing(database: Database, paths: Iterable[str], since: str) -> None:
    """Note that files are gone, unless it is noted already."""
    rows = ((since, os.fsencode(path)) for path in paths)
    database.execute_many("UPDATE locations SET missing_since = ? WHERE path = ? AND missing_since IS NULL", rows)


def clear_missing(database: Database, paths: Iterable[str]) -> None:
    """Note that files are there after all."""
    database.execute_many("UPDATE locations SET missing_since = NULL WHERE path = ?", ((os.fsencode(path),) for path in paths))


def missing_documents(database: Database) -> list[tuple[int, str]]:
    """Numbers and names of the documents all of whose files are gone."""
    rows = database.execute(
        """SELECT d.number, d.name FROM documents d WHERE d.superseded_by IS NULL
        AND EXISTS (SELECT 1 FROM locations l WHERE l.document = d.number)
        AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.document = d.number AND l.missing_since IS NULL) ORDER BY d.name"""
    )
    return [(number, decode_name(name)) for number, name in rows]


def superseded_documents(database: Database) -> list[tuple[int, str]]:
    """Numbers and names of the documents whose file has become another."""
    rows = database.execute("SELECT number, name FROM documents WHERE superseded_by IS NOT NULL ORDER BY name")
    return [(number, decode_name(name)) for number, name in rows]


def forget_locations(database: Database, paths: Iterable[str]) -> None:
    """Delete what is known of files that are gone, their failures included."""
    for table in ("locations", "failures"):
        database.execute_many(f"DELETE FROM {table} WHERE path = ?", ((os.fsencode(path),) for path in paths))


def locations_under(database: Database, folders: Iterable[str]) -> list[Location]:
    """The recorded places of files in these folders, at any depth, and of these files themselves; in order."""
    found: dict[bytes, tuple[int, int, str | None]] = {}
    for folder in folders:
        name = os.fsencode(folder)
        inside = name.rstrip(b"/") + b"/"
        rows = database.execute(
            "SELECT path, size, mtime_ns, missing_since FROM locations WHERE path = ? OR (path >= ? AND path < ?)",
            (name, inside, inside[:-1] + b"0"),
        )
        found.update((path, tuple(facts)) for path, *facts in rows)
    return [Location(os.fsdecode(path), *facts) for path, facts in sorted(found.items())]
