"""How much a library holds."""

from __future__ import annotations

import os
from typing import Any

from pincite.search.index.database import Database


def figures(database: Database) -> dict[str, Any]:
    """Counts and sizes, as JSON values; sizes in bytes."""

    def number(statement: str) -> int:
        ((value,),) = database.execute(statement)
        return int(value or 0)

    def by(statement: str) -> dict[str, int]:
        return dict(database.execute(statement))

    path = database.path
    settings: dict[str, str] = dict(database.execute("SELECT key, value FROM settings"))
    return {
        "library": str(path),
        "bytes": sum(os.path.getsize(file) for file in (path, f"{path}-wal") if os.path.exists(file)),
        "schema": number("PRAGMA user_version"),
        "analyzer": settings.get("analyzer"),
        "chunker": settings.get("chunker"),
        "documents": number("SELECT count(*) FROM documents WHERE superseded_by IS NULL"),
        "superseded": number("SELECT count(*) FROM documents WHERE superseded_by IS NOT NULL"),
        "missing": number(
            """SELECT count(*) FROM documents d WHERE EXISTS (SELECT 1 FROM locations l WHERE l.document = d.number)
            AND NOT EXISTS (SELECT 1 FROM locations l WHERE l.document = d.number AND l.missing_since IS NULL)"""
        ),
        "files": number("SELECT count(*) FROM locations"),
        "pages": by("SELECT state, count(*) FROM pages GROUP BY state ORDER BY state"),
        "characters": number("SELECT sum(length(text)) FROM pages"),
        "chunks": number("SELECT count(*) FROM chunks"),
        "old_pages": number("SELECT count(*) FROM old_pages"),
        "text_versions": by("SELECT text_version, count(*) FROM documents GROUP BY text_version ORDER BY text_version"),
        "recognition": by("SELECT state, count(*) FROM ocr_jobs GROUP BY state ORDER BY state"),
        "failures": by("SELECT slug, count(*) FROM failures GROUP BY slug ORDER BY slug"),
    }
