"""The public names, literally: a change to the interface is a change to this file."""

from __future__ import annotations

import inspect

import pincite

PUBLIC = [
    "Citation",
    "CitationError",
    "CrashError",
    "DeadlineError",
    "Document",
    "EncryptedError",
    "Library",
    "LibraryError",
    "LimitError",
    "Limits",
    "NoTextError",
    "Page",
    "PinciteError",
    "ProtocolError",
    "QueryError",
    "TextRules",
    "UnreadableError",
    "open",
    "read",
]

MEMBERS = {
    "Citation": ["cell", "document_hash", "format", "name", "page", "parse", "section", "span", "table"],
    "Document": [
        "close",
        "data",
        "encryption",
        "follow_running",
        "meta",
        "outline",
        "page",
        "running",
        "sections",
        "structure",
        "tables",
        "title",
        "warnings",
        "write_text",
    ],
    "Library": [
        "backup",
        "check",
        "chunks",
        "cite",
        "cite_page",
        "close",
        "document",
        "documents",
        "export",
        "failures",
        "file_counts",
        "incomplete",
        "ingest",
        "link",
        "locations",
        "missing",
        "old_pages",
        "outline",
        "page",
        "page_states",
        "page_summaries",
        "prune",
        "reindex",
        "remove",
        "resolve",
        "search",
        "show",
        "stats",
        "verify",
    ],
    "Limits": [
        "deadline_per_page_s",
        "deadline_s",
        "max_input_bytes",
        "max_memory_bytes",
        "max_output_bytes",
        "max_pages",
        "max_stderr_bytes",
        "stall_s",
    ],
    "Page": [
        "blocks",
        "glyphs",
        "label",
        "layout_text",
        "lines",
        "quads",
        "quality",
        "quality_of",
        "render",
        "rotate",
        "tables",
        "text",
        "user_unit",
        "visible_box",
        "warnings",
        "words",
    ],
    "TextRules": ["box", "line", "space"],
}


def test_public_names_are_these() -> None:
    assert sorted(pincite.__all__) == PUBLIC


def test_public_names_exist_and_say_what_they_are() -> None:
    for name in PUBLIC:
        assert inspect.getdoc(getattr(pincite, name)), name


def test_public_members_are_these() -> None:
    for name, members in MEMBERS.items():
        public = [member for member in vars(getattr(pincite, name)) if not member.startswith("_")]
        assert sorted(public) == members, name
