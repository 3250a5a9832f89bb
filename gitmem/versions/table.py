"""The version table of a branch: which blob stood at which path, from which commit to which.

Commits of the first-parent chain are numbered from its root: their ordinals. A span says that a
Markdown file stood unchanged from one ordinal up to another. From the spans follow the versions of
a memory and the memories of a snapshot, each by a look-up.

The table is derived and may be deleted at any time. It is one SQLite file: found by key within a
millisecond whatever its size, changed by transactions that survive a kill, and part of Python.
Paths are kept as bytes, since a path need not be UTF-8.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from gitmem.git.trees import decode_path, encode_path
from gitmem.model.ids import BlobId, CommitId
from gitmem.versions.table_files import DamagedTable, UnusableTable, remove_table

P = ParamSpec("P")
T = TypeVar("T")

FORMAT = 1
FOLDER, REGULAR_FILE, OTHER_FILE = range(3)
"""What stands at a path; other files are links and submodules."""
OPEN = 2**62
"""Where a span ends that has not ended yet."""
_READ_WAIT_SECONDS = 0.25
_WRITE_WAIT_SECONDS = 2.0

_SCHEMA = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE commits (
    ordinal INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, seconds INTEGER NOT NULL, latest INTEGER NOT NULL
);
CREATE INDEX commits_by_time ON commits (latest);
CREATE TABLE paths (number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE);
CREATE TABLE spans (
    path INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER NOT NULL,
    blob BLOB NOT NULL, kind INTEGER NOT NULL, attached BLOB NOT NULL, key INTEGER,
    PRIMARY KEY (path, began)
) WITHOUT ROWID;
CREATE INDEX spans_by_end ON spans (ended);
"""


class Span(NamedTuple):
    """A file that stood unchanged from the ordinal `began`, which is `commit`, until before `ended`."""

    began: int
    ended: int
    blob: BlobId
    commit: CommitId


class Document(NamedTuple):
    """A memory as it once stood, to be indexed. `commit` is one that has it, where attachments count."""

    key: int
    path: bytes
    blob: BlobId
    commit: CommitId
    has_attachments: bool


@contextmanager
def translated(*also: type[Exception]) -> Iterator[None]:
    """SQLite's errors as `UnusableTable` or `DamagedTable`; those in `also` mean damage too."""
    try:
        yield
    except sqlite3.OperationalError as error:
        is_broken = "no such" in str(error) or "malformed" in str(error)
        raise (DamagedTable if is_broken else UnusableTable)(str(error)) from error
    except Exception as error:
        if not isinstance(error, (sqlite3.Error, *also)):
            raise
        raise DamagedTable(str(error)) from error


def _question(
    method: Callable[Concatenate[VersionTable, P], T],
) -> Callable[Concatenate[VersionTable, P], T]:
    """`method`, with values that nobody wrote taken for damage, which is remembered."""

    @wraps(method)
    def asked(self: VersionTable, /, *arguments: P.args, **options: P.kwargs) -> T:
        try:
            with translated(TypeError, ValueError, AttributeError):
                return method(self, *arguments, **options)
        except DamagedTable:
            self.is_damaged = True
            raise

    return asked


class VersionTable:
    """An open table. Close it. Every question is one transaction, so it sees one state."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        """Raises `UnusableTable` where there is none and `create` is not asked for."""
        self.file = file
        self.is_damaged = False
        with translated():
            mode = "rwc" if create else "rw"
            self.connection = sqlite3.connect(
                f"{file.absolute().as_uri()}?mode={mode}",
                uri=True,
                timeout=_READ_WAIT_SECONDS,
                isolation_level=None,
            )
        try:
            with translated():
                self._prepare(create=create)
        except UnusableTable:
            self.close()
            raise

    def _prepare(self, *, create: bool) -> None:
        self.connection.execute("PRAGMA synchronous = NORMAL")
        # The file may have come with an archive: nothing in its schema runs a function.
        self.connection.execute("PRAGMA trusted_schema = OFF")
        (found,) = self.connection.execute("PRAGMA user_version").fetchone()
        if found == 0 and create:
            with self.writing():
                (found,) = self.connection.execute("PRAGMA user_version").fetchone()
                if found == 0:
                    for statement in _SCHEMA.split(";"):
                        self.connection.execute(statement)
                    found = FORMAT
        if found != FORMAT:
            raise DamagedTable(f"format {found}")

    def close(self) -> None:
        """Gives the file back, and takes it away if it proved damaged; may be repeated."""
        self.connection.close()
        if self.is_damaged:
            with suppress(OSError):
                remove_table(self.file)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that is kept whole or not at all."""
        self._wait(_WRITE_WAIT_SECONDS)
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            yield
            self.connection.execute("COMMIT")
        finally:
            # SQLite has rolled back by itself after some failures, such as a full disk.
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            self._wait(_READ_WAIT_SECONDS)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """All questions within see one state."""
        with translated():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                with translated():
                    self.connection.execute("ROLLBACK")

    def _wait(self, seconds: float) -> None:
        """Sets how long to wait for other processes."""
        self.connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")

    @_question
    def about(self, name: str) -> str | None:
        """A fact about the table itself."""
        found = self._one("SELECT value FROM about WHERE name = ?", name)
        return None if found is None else str(found[0])

    @_question
    def ground(self) -> tuple[tuple[str, str], ...]:
        """All facts about the table itself: what it was made of."""
        return tuple(self._all("SELECT name, value FROM about ORDER BY name"))

    @_question
    def tip(self) -> tuple[int, CommitId] | None:
        """The newest ordinal with its commit; None while the table is empty."""
        found = self._one("SELECT ordinal, id FROM commits ORDER BY ordinal DESC LIMIT 1")
        return None if found is None else (found[0], CommitId(found[1].hex()))

    @_question
    def ordinal_of(self, commit: CommitId) -> int | None:
        """Where on the chain `commit` stands; None where it is not on it."""
        found = self._one("SELECT ordinal FROM commits WHERE id = ?", bytes.fromhex(commit))
        return None if found is None else int(found[0])

    @_question
    def commit_at(self, ordinal: int) -> CommitId | None:
        """The commit at `ordinal`."""
        found = self._one("SELECT id FROM commits WHERE ordinal = ?", ordinal)
        return None if found is None else CommitId(found[0].hex())

    @_question
    def ordinal_by(self, moment: datetime) -> int | None:
        """The newest ordinal by `moment`: by the running maximum of committer times."""
        query = "SELECT ordinal FROM commits WHERE latest <= ? ORDER BY latest DESC, ordinal DESC LIMIT 1"
        found = self._one(query, int(moment.timestamp() // 1))
        return None if found is None else int(found[0])

    @_question
    def seconds_of(self, ordinal: int) -> int | None:
        """The running maximum of committer times at `ordinal`, in seconds since 1970."""
        found = self._one("SELECT latest FROM commits WHERE ordinal = ?", ordinal)
        return None if found is None else int(found[0])

    @_question
    def spans(self, path: str, commit: CommitId, before: int, limit: int) -> list[Span]:
        """At most `limit` spans of `path` that began before the ordinal `before`, newest first.

        Empty where `commit` has left the chain meanwhile.
        """
        query = (
            "SELECT began, ended, blob, commits.id FROM spans JOIN commits ON ordinal = began"
            " WHERE path = (SELECT number FROM paths WHERE path = ?) AND began < ?"
            " AND EXISTS (SELECT 1 FROM commits WHERE id = ?) ORDER BY began DESC LIMIT ?"
        )
        rows = self._all(query, encode_path(path), before, bytes.fromhex(commit), limit)
        return [
            Span(began, ended, BlobId(blob.hex()), CommitId(begun_by.hex()))
            for began, ended, blob, begun_by in rows
        ]

    @_question
    def has_removed(self, commit: CommitId) -> bool:
        """Whether `commit` took any Markdown file away; True where it is not known."""
        query = (
            "SELECT EXISTS (SELECT 1 FROM commits WHERE id = ?), EXISTS ("
            f" SELECT 1 FROM spans AS gone WHERE kind != {FOLDER}"
            " AND ended = (SELECT ordinal FROM commits WHERE id = ?) AND NOT EXISTS (SELECT 1 FROM spans"
            f" WHERE path = gone.path AND began = gone.ended AND kind != {FOLDER}))"
        )
        oid = bytes.fromhex(commit)
        is_known, has_removed = self._one(query, oid, oid)
        return bool(has_removed) or not is_known

    @_question
    def all_spans(self) -> tuple[array[int], array[int], array[int]]:
        """The spans of all memories that ever stood on the chain, in columns: key, first ordinal, end."""
        # As text of JSON the columns come in one row, sooner than row by row.
        columns = ", ".join(f"json_group_array({name})" for name in ("key", "began", "ended"))
        keys, began, ended = self._one(f"SELECT {columns} FROM spans WHERE key IS NOT NULL")
        return array("q", json.loads(keys)), array("q", json.loads(began)), array("q", json.loads(ended))

    @_question
    def last_changes(self, commit: CommitId) -> dict[str, int]:
        """By path, when each memory that `commit` has became what it is: seconds since 1970, as committed."""
        query = (
            "SELECT paths.path, commits.seconds FROM spans JOIN commits ON commits.ordinal = began"
            " JOIN paths ON paths.number = spans.path, (SELECT ordinal AS at FROM commits WHERE id = ?)"
            " WHERE began <= at AND ended > at AND key IS NOT NULL"
        )
        return {decode_path(path): seconds for path, seconds in self._all(query, bytes.fromhex(commit))}

    @_question
    def keys(self) -> set[int]:
        """The keys of all memories as they ever stood on the chain."""
        return {key for (key,) in self._all("SELECT key FROM spans WHERE key IS NOT NULL")}

    @_question
    def documents(self, keys: Collection[int]) -> list[Document]:
        """What has `keys`, each once, oldest first; what is on the chain no more is left out."""
        query = (
            "SELECT key, paths.path, blob, id, length(attached) > 0, min(began) FROM spans"
            " JOIN paths ON paths.number = spans.path JOIN commits ON ordinal = began"
            " WHERE key IN (SELECT value FROM json_each(?)) GROUP BY key ORDER BY min(began), paths.path"
        )
        return [
            Document(key, path, BlobId(blob.hex()), CommitId(commit.hex()), bool(attached))
            for key, path, blob, commit, attached, _ in self._all(query, json.dumps(list(keys)))
        ]

    def _one(self, query: str, *values: object) -> Any:
        return self.connection.execute(query, values).fetchone()

    def _all(self, query: str, *values: object) -> list[Any]:
        return self.connection.execute(query, values).fetchall()
