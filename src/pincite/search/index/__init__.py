"""The library on disk: one SQLite file with documents, pages, chunks and a full-text table (the only importer of apsw)."""
