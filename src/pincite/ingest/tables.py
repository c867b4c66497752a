"""The tables of one page of a document in the library, from a file that holds it."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.errors import EncryptedError, PinciteError
from pincite.ingest.source import read_source
from pincite.model.limits import Limits
from pincite.model.table import Table
from pincite.search.index.rows import Location


def tables_of(
    locations: Sequence[Location], document_id: str, page: int, limits: Limits, password: str | None = None
) -> Sequence[Table] | str:
    """The tables of a page (1-based) as they stand on it, or why they can't be had.

    Of the places where the document was seen the first counts that holds the very bytes still (`document_id` is their SHA-256
    in hex). The file is read in a confined process under `limits`. Raises `EncryptedError` where it needs a password, or
    another one than this.
    """
    from pincite.sandbox.runner import Runner

    reason = "no file of it is known"
    for location in locations:
        try:
            source = read_source(location.path, limits.max_input_bytes)
            if source.id != document_id:
                reason = f"{location.path} has changed since"
                continue
            found = Runner.from_limits(limits).tables(source.data, page, page, whole=False, password=password)
        except EncryptedError:
            raise  # the bytes are the same wherever they stand
        except PinciteError as error:
            reason = f"{location.path}: {error.message}"
            continue
        return found.failures[0].error if found.failures else found.tables
    return reason
