"""The SQLite file that a table of texts is kept in, and one in memory."""

from __future__ import annotations

import sqlite3
from pathlib import Path

FORMAT = 2
_WAIT_SECONDS = 2.0
_SCHEMA = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE,
    blob TEXT NOT NULL, key INTEGER NOT NULL
);
CREATE INDEX texts_by_key ON texts (key);
CREATE TABLE words (word INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (word, number)) WITHOUT ROWID;
CREATE INDEX words_by_number ON words (number);
CREATE TABLE runs (run INTEGER PRIMARY KEY, first INTEGER NOT NULL, bits INTEGER NOT NULL);
CREATE TABLE buckets (place INTEGER PRIMARY KEY, pairs BLOB NOT NULL);
CREATE TABLE gone (number INTEGER PRIMARY KEY);
"""
TABLES = ("texts", "words", "runs", "buckets", "gone", "about")


def opened(file: Path) -> sqlite3.Connection:
    """The table as it lies in a file, or a new one.

    Raises `sqlite3.OperationalError` where the disk refuses or somebody else writes it, another
    `sqlite3.DatabaseError` where it is damaged or of another format.
    """
    connection = _connected(f"{file.absolute().as_uri()}?mode=rwc")
    try:
        _prepare(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def in_memory() -> sqlite3.Connection:
    """A new table that is kept nowhere."""
    connection = _connected("file::memory:")
    _prepare(connection)
    return connection


def _connected(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, uri=True, timeout=_WAIT_SECONDS)
    # After a loss of power it may be damaged; then it is made anew.
    connection.execute("PRAGMA synchronous = OFF")
    # The file may have come with an archive: nothing in its schema runs a function.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    if _format_of(connection) == 0:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            # Somebody else may just have made it.
            if _format_of(connection) == 0:
                for statement in _SCHEMA.split(";"):
                    connection.execute(statement)
    if _format_of(connection) != FORMAT:
        raise sqlite3.DatabaseError("another format")


def _format_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
