"""Which document a name means."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.model.hit import Verdict
from pincite.search.cite.naming import normalize_name
from pincite.search.index.rows import DocumentRow
from pincite.search.index.store import Store

# Surrogates that stand for no byte of a file name.
_HALF_PAIR = re.compile("[\ud800-\udc7f\udd00-\udfff]")
MAX_CANDIDATES = 10
"""Names listed where several documents could be meant."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The document that a name means, or why it means none: `verdict` is `exact` only where `document` is there."""

    verdict: Verdict
    document: DocumentRow | None = None
    reason: str | None = None
    candidates: tuple[str, ...] = ()


def look_up(store: Store, name: str, document_hash: str | None = None) -> Lookup:
    """Find the document that a citation names, and that has not changed since.

    The cite name comes first, then a path suffix that only one document has, and where the name is not known at all the
    hash, which binds the very bytes. `document_hash` is the beginning of a SHA-256 in hex.
    """
    name = normalize_name(name)
    if _HALF_PAIR.search(name):
        return Lookup("absent", reason=f"no document {name} is in the library: that is no name of a file")
    document = store.document(name)
    if document is not None:
        return _current(store, document, document_hash)
    retired = store.retired(name)
    if retired is not None and (document_hash is None or retired.startswith(document_hash)):
        # Another file may end in that name, but it is not the one that was cited.
        reason = f"{name} was removed from the library: ingest the file with the SHA-256 {retired[:12]}… again"
        return Lookup("absent", reason=reason)
    return _look_up_otherwise(store, name, document_hash)


def newest_version(store: Store, document: DocumentRow) -> DocumentRow:
    """The document that stands at the path now where this one stood once; itself where it still does."""
    seen = {document.name}
    while document.superseded_by is not None and document.superseded_by not in seen:
        seen.add(document.superseded_by)
        newer = store.document(document.superseded_by)
        if newer is None:
            break
        document = newer
    return document


def _current(store: Store, document: DocumentRow, document_hash: str | None) -> Lookup:
    if document_hash is not None and not document.id.startswith(document_hash):
        cited = [row.name for row in store.documents_by_hash(document_hash)]
        where = f"the cited file is in the library as {cited[0]}" if cited else f"search {document.name} for the passage again"
        reason = f"{document.name} is not the file that was cited (@{document_hash}, now @{document.id[:12]}): {where}"
        return Lookup("stale", reason=reason, candidates=(document.name, *cited))
    newest = newest_version(store, document)
    if newest is not document:
        reason = f"the file {document.name} has changed since; its present version is {newest.name}: search that for the passage"
        return Lookup("stale", reason=reason, candidates=(newest.name,))
    return Lookup("exact", document)


def _look_up_otherwise(store: Store, name: str, document_hash: str | None) -> Lookup:
    found = store.documents_under(name.lstrip("/"))
    found = [row for row in found if row.superseded_by is None] or found
    if document_hash is not None and len(found) != 1:
        bound = store.documents_by_hash(document_hash)
        found = [row for row in bound if row in found] or bound or found
    if not found:
        reason = f"no document {name} is in the library: see `pincite list`, or ingest the file"
        return Lookup("absent", reason=reason)
    if len(found) > 1:
        names = tuple(row.name for row in found)
        shown = ", ".join(names[:MAX_CANDIDATES]) + (", …" if len(names) > MAX_CANDIDATES else "")
        return Lookup("ambiguous", reason=f"{name} may be any of {shown}: write one of these names", candidates=names)
    return _current(store, found[0], document_hash)
