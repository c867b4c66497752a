"""One SQLite connection: opening, migrating, transactions, and SQLite's complaints as library errors."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import apsw

from pincite.errors import LibraryError
from pincite.search.index.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION

BUSY_TIMEOUT_S = 60.0
BUSY_POLL_S = 0.02
SAY_SO_AFTER_S = 1.0
CACHE_KIB = 64 << 10
"""SQLite's own 2 MiB hold a fraction of what one search reads."""

Row = tuple[Any, ...]
T = TypeVar("T")
Parameters = Sequence[Any]


def file_address(path: str | os.PathLike[str]) -> str:
    """A path as SQLite takes it whatever its bytes are: as a URI (https://www.sqlite.org/uri.html). Raises `ValueError`."""
    name = os.fsencode(os.path.abspath(path))
    if b"\0" in name:
        raise ValueError("a path holds no NUL")
    return "file:" + quote(name)


OPTIONAL_TEXT = (str, type(None))


def typed(row: Row, *kinds: type | tuple[type, ...]) -> Row:
    """A row whose values are of these types. Raises `TypeError`: SQLite believes what the file says of a value's type."""
    for value, kind in zip(row, kinds, strict=True):
        if not isinstance(value, kind):
            raise TypeError(f"a value of type {type(value).__name__} where {kind} belongs")
    return row


def text_digest(text: bytes) -> bytes:
    """By what a page's text, in UTF-8, is known again: BLAKE2b (RFC 7693), 16 bytes."""
    return hashlib.blake2b(text, digest_size=16).digest()


class Database:
    """A connection to the library at `path`, safe to share between threads: one of them at a time is inside.

    Raises `LibraryError`: `unavailable` where there is no library and `create` is false, or the file system refuses;
    `newer_schema` where a newer pincite wrote it; `corrupt` where the file is no library; `locked` where another
    process has been writing for longer than `busy_timeout_s`; `disk_full`. `on_wait` is called once each time that another
    process has been writing for a second.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        create: bool = True,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        on_wait: Callable[[], None] | None = None,
    ) -> None:
        self.path = Path(path)
        self.is_read_only = False
        self._lock = threading.RLock()
        self._closed = False
        self._busy_timeout_s = busy_timeout_s
        self._busy_since = 0.0
        self._on_wait = on_wait
        self._has_said_so = False
        self._weigh: Callable[[apsw.FTS5ExtensionApi], float] | None = None
        if create:
            self._make_folder()
        elif not self._is_there():
            raise LibraryError(
                f"there is no library at {self.path}: make one with `pincite ingest FILE…`, or name another with --library",
                slug="unavailable",
            )
        self._connection = self._connect(create)
        try:
            with self._translated():
                self._prepare()
        except BaseException:
            self.close()
            raise

    def _is_there(self) -> bool:
        try:
            return self.path.exists()
        except (OSError, ValueError) as error:
            raise self._unusable(error) from error

    def _connect(self, create: bool) -> apsw.Connection:
        """Open the file by its address, since not every path is text, and `:memory:` as a path would be no file."""
        try:
            address = file_address(self.path)
        except ValueError as error:
            raise self._unusable(error) from error
        flags = apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
        with self._translated():
            if create or self._may_write():
                return apsw.Connection(address, flags=flags)
            self.is_read_only = True
            # SQLite keeps an index of the log beside it, which it can't make here. Without a log there is nothing to index,
            # and nobody but the folder's owner to write one.
            sound = "" if os.path.exists(f"{self.path}-wal") and os.path.exists(f"{self.path}-shm") else "?immutable=1"
            return apsw.Connection(address + sound, flags=apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_READONLY)

    def _may_write(self) -> bool:
        """Whether the file, and the log beside it, may be written; who may write neither can still read."""
        return os.access(self.path, os.W_OK) and os.access(self.path.resolve().parent, os.W_OK)

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise LibraryError(
                f"can't make the folder of the library {self.path} ({reason}): choose another with --library",
                slug="unavailable",
            ) from error

    def _prepare(self) -> None:
        connection = self._connection
        connection.set_busy_handler(self._wait)
        connection.create_scalar_function("text_digest", lambda *one: text_digest(*typed(one, bytes)), 1, deterministic=True)
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        # Every acknowledged document survives a power cut, not only a crash of the process.
        connection.execute("PRAGMA synchronous = FULL")
        if self._version() < SCHEMA_VERSION:
            if self.is_read_only:
                self._check_application()
                raise self.may_not_be_written("it is of an older pincite and has to be brought up to date first")
            self._migrate()
        self._check_version()
        if self.is_read_only:
            return
        # A backup, and a copy that some tool made, may have lost it; without it readers wait for a writer.
        if connection.execute("PRAGMA journal_mode").get != "wal":
            connection.execute("PRAGMA journal_mode = WAL")

    def _wait(self, attempts: int) -> bool:
        """SQLite's question whether to try once more, since another process holds the lock."""
        now = time.monotonic()
        if attempts == 0:
            self._busy_since, self._has_said_so = now, False
        waited_s = now - self._busy_since
        if waited_s >= self._busy_timeout_s:
            return False
        if waited_s >= SAY_SO_AFTER_S and not self._has_said_so:
            self._has_said_so = True
            if self._on_wait is not None:
                self._on_wait()
        time.sleep(BUSY_POLL_S)
        return True

    def _version(self) -> int:
        version: int = self._connection.execute("PRAGMA user_version").get
        return version

    def _check_version(self) -> None:
        version = self._version()
        if version > SCHEMA_VERSION:
            raise LibraryError(
                f"the library {self.path} was written by a newer pincite (schema {version}, this one knows {SCHEMA_VERSION}): "
                "update pincite, or name another library with --library",
                slug="newer_schema",
            )
        self._check_application()

    def _check_application(self) -> None:
        if self._connection.execute("PRAGMA application_id").get != APPLICATION_ID:
            raise self._not_a_library()

    def _unusable(self, error: Exception) -> LibraryError:
        return LibraryError(
            f"can't use the library {self.path} ({error}): check the file's and its folder's permissions and the disk, "
            "or name another library with --library",
            slug="unavailable",
        )

    def _not_a_library(self) -> LibraryError:
        return LibraryError(
            f"{self.path} is not a pincite library: name another file with --library, or move this one away and ingest again",
            slug="corrupt",
        )

    def _migrate(self) -> None:
        if self._version() == 0 and self._connection.execute("SELECT count(*) FROM sqlite_schema").get:
            raise self._not_a_library()
        self._connection.execute("PRAGMA journal_mode = WAL")
        with self.transaction():
            # Another process may have migrated it while this one waited for the lock.
            for version in range(self._version(), SCHEMA_VERSION):
                self._connection.execute(MIGRATIONS[version])
                self._connection.execute(f"PRAGMA user_version = {version + 1}")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def execute(self, statement: str, parameters: Parameters = ()) -> list[Row]:
        """Run one statement and return all of its rows."""
        with self._lock, self._translated():
            return self._connection.execute(statement, parameters).fetchall()

    def execute_weighing(
        self, statement: str, parameters: Parameters, weigh: Callable[[apsw.FTS5ExtensionApi], float]
    ) -> list[Row]:
        """The same for a statement with the FTS5 function `weight`, which is `weigh`."""
        with self._lock, self._translated():
            if self._weigh is None:
                # The function stands in FTS5 for good; what it does changes from search to search.
                self._connection.register_fts5_function("weight", lambda row, *_: self._weigh(row) if self._weigh else 0.0)
            self._weigh = weigh
            return self._connection.execute(statement, parameters).fetchall()

    def execute_many(self, statement: str, rows: Iterable[Parameters]) -> None:
        """Run one statement once for each row of parameters."""
        with self._lock, self._translated():
            self._connection.executemany(statement, rows)

    def state(self) -> tuple[int, int]:
        """Another pair of numbers after every change, whoever made it."""
        with self._lock, self._translated():
            version: int = self._connection.execute("PRAGMA data_version").get
            return version, self._connection.total_changes()

    def last_number(self) -> int:
        """The number of the row inserted last."""
        return self._connection.last_insert_rowid()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is written, or nothing; one inside another is undone alone where only it fails."""
        with self._lock:
            if self._connection.in_transaction:
                begin, commit, undo = "SAVEPOINT inner", "RELEASE inner", "ROLLBACK TO inner; RELEASE inner"
            else:
                # Taking the write lock at once makes a second writer wait instead of failing halfway.
                begin, commit, undo = "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"
            self.execute(begin)
            try:
                yield
                self.execute(commit)
            except BaseException:
                # SQLite undoes the transaction by itself after some errors, a full disk among them.
                if self._connection.in_transaction:
                    self.execute(undo)
                raise

    def close(self) -> None:
        """Close the connection; doing so twice is harmless."""
        with self._lock, self._translated():
            if not self._closed:
                self._closed = True
                self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (apsw.BusyError, apsw.LockedError) as error:
            raise LibraryError(
                f"another process is writing to the library {self.path}: try again when it has finished", slug="locked"
            ) from error
        except apsw.FullError as error:
            raise LibraryError(
                f"the disk of the library {self.path} is full: free some space and run the command again; what was "
                "reported as added is safe",
                slug="disk_full",
            ) from error
        except apsw.NotADBError as error:
            raise self._not_a_library() from error
        except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError, apsw.IOError) as error:
            if isinstance(error, apsw.ReadOnlyError):
                raise self.may_not_be_written() from error
            raise self._unusable(error) from error
        except apsw.ConnectionClosedError as error:
            raise LibraryError("the library is closed: open it anew", slug="closed") from error
        except (apsw.Error, UnicodeDecodeError) as error:
            # Of a sound library no statement here fails otherwise, and every text is UTF-8.
            raise self.damaged(error) from error

    def built(self, build: Callable[[Row], T], rows: Iterable[Row]) -> list[T]:
        """What is made of rows. Values of which it can't be made were never written so: `LibraryError` (`corrupt`)."""
        try:
            return [build(row) for row in rows]
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise self.damaged(f"{type(error).__name__}: {error}") from error

    def damaged(self, error: object) -> LibraryError:
        """The error for a library that holds what pincite never writes."""
        return LibraryError(
            f"the library {self.path} is damaged ({error}): restore a backup, or move it away and ingest again",
            slug="corrupt",
        )

    def may_not_be_written(self, why: str = "") -> LibraryError:
        """The error for a change to a library that can only be read, and `why` there has to be one."""
        reason = f" ({why})" if why else ""
        return LibraryError(
            f"the library {self.path} may not be written, only read{reason}: change the permissions of the file and its folder, "
            "or copy it and name the copy with --library",
            slug="unavailable",
        )
