"""The tables of a library, and the steps that bring an older library up to date.

`user_version` counts the migrations that a file has been through: the first makes an empty file a library, and a
later one is only ever added at the end. `application_id` tells a library from any other SQLite file.
"""

from __future__ import annotations

APPLICATION_ID = 0x506E4374  # "PnCt"

_INITIAL = """
CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- `number` stands for the document in the other tables, so that a chunk does not carry 64 characters of hash. A name
-- is UTF-8 wherever the file's name was, and the file's own bytes elsewhere, which is why it is no TEXT.
CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE CHECK (length(id) = 64),
    name BLOB NOT NULL UNIQUE,
    pages INTEGER NOT NULL CHECK (pages > 0),
    title TEXT,
    text_version TEXT NOT NULL,
    outline TEXT NOT NULL,
    provenance TEXT NOT NULL,
    superseded_by INTEGER REFERENCES documents (number) ON DELETE SET NULL
) STRICT;
CREATE INDEX documents_superseded ON documents (superseded_by) WHERE superseded_by IS NOT NULL;

-- A path is the bytes that the file system has, which need not be text.
CREATE TABLE locations (
    path BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE
) STRICT;
CREATE INDEX locations_document ON locations (document);

CREATE TABLE pages (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    page INTEGER NOT NULL CHECK (page > 0),
    label TEXT,
    text TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('text', 'empty', 'failed', 'garbled', 'ocr')),
    error TEXT,
    quality TEXT,
    UNIQUE (document, page)
) STRICT;

-- The text of a chunk is its page's text from `start` to `end`, in code points; it is not kept twice.
CREATE TABLE chunks (
    number INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    page INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL CHECK (start >= 0),
    "end" INTEGER NOT NULL CHECK ("end" > start),
    section TEXT,
    chunker TEXT NOT NULL,
    UNIQUE (document, page, ordinal),
    FOREIGN KEY (document, page) REFERENCES pages (document, page) ON DELETE CASCADE
) STRICT;

CREATE TABLE ocr_jobs (
    document INTEGER NOT NULL,
    page INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    engine TEXT,
    error TEXT,
    PRIMARY KEY (document, page),
    FOREIGN KEY (document, page) REFERENCES pages (document, page) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Files that were not taken in, or not wholly; a row goes when its path is taken in after all.
CREATE TABLE failures (
    path BLOB PRIMARY KEY,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    document TEXT,
    slug TEXT NOT NULL,
    stage TEXT NOT NULL,
    message TEXT NOT NULL,
    signal INTEGER,
    last_page INTEGER,
    partial INTEGER NOT NULL,
    extractor TEXT NOT NULL,
    failed_at TEXT NOT NULL
) STRICT;

-- Rows are the analysed terms of chunks, under the chunk's number, for documents that are not superseded. The
-- terms come from Python: `ascii` only has to part them, at ASCII characters that are neither letters nor digits.
CREATE VIRTUAL TABLE chunk_terms USING fts5 (terms, content='', contentless_delete=1, tokenize='ascii');
"""

_KEEPING = """
-- Since when the file has been gone; a document stays until it is pruned.
ALTER TABLE locations ADD COLUMN missing_since TEXT;

-- Where on the page sections start: [[start, title, level], …] in code points, in order; null where the outline alone says it.
ALTER TABLE pages ADD COLUMN sections TEXT;

-- Texts that a page had under older text versions, where they differ: what older citations count in.
CREATE TABLE old_pages (
    document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    text_version TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document, page, text_version)
) STRICT;

CREATE INDEX chunks_section ON chunks (section) WHERE section IS NOT NULL;

-- What stands around the ends of chunks, under the number of the chunk before, for phrases that go on in the next.
CREATE VIRTUAL TABLE seam_terms USING fts5 (terms, content='', contentless_delete=1, tokenize='ascii');
"""

_RETIRING = """
-- Names of documents that were deleted: no other document gets one, nor do their citations lead to other words.
CREATE TABLE retired_names (
    name BLOB PRIMARY KEY,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the text was when it was read, so that `verify` sees where it was altered: `text_digest`, a function of pincite's.
ALTER TABLE pages ADD COLUMN digest BLOB;
UPDATE pages SET digest = text_digest(CAST(text AS BLOB));

-- They are few, and a search without hits asks for them.
CREATE INDEX pages_failed ON pages (document) WHERE state = 'failed';

-- The sections that begin inside a chunk; the one at its beginning stands with it.
CREATE TABLE inner_sections (
    chunk INTEGER NOT NULL REFERENCES chunks (number) ON DELETE CASCADE,
    title TEXT NOT NULL,
    PRIMARY KEY (chunk, title)
) STRICT, WITHOUT ROWID;
CREATE INDEX inner_sections_title ON inner_sections (title);

-- Older libraries have none: chunks are cut again.
DELETE FROM settings WHERE key = 'chunker';
"""

MIGRATIONS: tuple[str, ...] = (_INITIAL, _KEEPING, _RETIRING)
"""The script at position n brings a library from `user_version` n to n + 1."""

SCHEMA_VERSION = len(MIGRATIONS)
