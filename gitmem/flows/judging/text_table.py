"""The table of the texts of a branch: the key of each (see `text_key`), and the words that it is sought by.

Texts that came together, as all of a store do at first, have their words in runs (see `word_runs`); those
that came by themselves have a row for each word. The number of a text that is gone may still stand in a run:
it is told by `gone`, and given to no other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple

from gitmem.errors import Damaged
from gitmem.evolve.exact import text_key
from gitmem.evolve.sought import SoughtWords, sought_words
from gitmem.flows.judging.text_file import TABLES
from gitmem.flows.judging.word_runs import RunWriter, bucket_of, numbers_in
from gitmem.flows.work import Progress, no_progress
from gitmem.model.ids import BlobId
from gitmem.model.memory import MemoryType
from gitmem.model.said import Said
from gitmem.versions.snapshot import Snapshot

MANY = 1_000
"""So many texts that come together make a run."""
_MOST_UNREAD = 1_000
_OFTEN = 100
_MOST_HOLDERS = 2_000
"""A word that more texts have tells none of them from the others; so many of them are looked at."""
_BUCKETS = 2**32
Row = tuple[str, BlobId, Said]
Files = Collection[tuple[str, BlobId | None]]
"""Paths, and what stands there."""


class Standing(NamedTuple):
    """Where a text was found: the file and its blob."""

    path: str
    blob: BlobId


class Texts:
    """An open table that shows one commit. Every question is right for that commit."""

    def __init__(self, connection: sqlite3.Connection, progress: Progress = no_progress) -> None:
        self._connection = connection
        self._progress = progress

    @property
    def count(self) -> int:
        """How many texts there are."""
        return self._number("SELECT COUNT(*) FROM texts")

    def with_key(self, key: int) -> list[Standing]:
        """The texts that have this key."""
        rows = self._connection.execute("SELECT path, blob FROM texts WHERE key = ? ORDER BY path", (key,))
        return [_place(row) for row in rows]

    def having(self, word: int) -> Collection[int]:
        """The numbers of texts that have this word, the lowest 2,000 of them."""
        found: list[int] = []
        for run, first, bits in self._runs:
            with _damage_told():
                place = (run * _BUCKETS + bucket_of(word, bits),)
                row = self._connection.execute("SELECT pairs FROM buckets WHERE place = ?", place).fetchone()
                if row is not None:
                    found += numbers_in(row[0], word, first, _MOST_HOLDERS + len(self._gone))
        if self._gone:
            found = [number for number in found if number not in self._gone]
        rows = self._connection.execute(
            "SELECT number FROM words WHERE word = ? LIMIT ?", (_signed(word), _MOST_HOLDERS)
        )
        found += [row[0] for row in rows]
        return sorted(found)[:_MOST_HOLDERS]

    def place(self, number: int) -> Standing | None:
        """Where the text of this number stands."""
        row = self._connection.execute("SELECT path, blob FROM texts WHERE number = ?", (number,)).fetchone()
        return None if row is None else _place(row)

    def shown(self) -> str | None:
        """The commit that the table shows, with what decides which files are memories."""
        row = self._connection.execute("SELECT value FROM about WHERE name = 'shows'").fetchone()
        return None if row is None else str(row[0])

    def unread(self) -> dict[str, BlobId]:
        """By path, what could not be read when it was to be taken in; of very many the first thousand."""
        row = self._connection.execute("SELECT value FROM about WHERE name = 'unread'").fetchone()
        return {} if row is None else json.loads(row[0])

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Whatever is asked meanwhile is answered by one state of the table."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    @property
    def is_worn(self) -> bool:
        """Whether more in it is of texts that are gone than of texts that are there."""
        gone = self._number("SELECT COUNT(*) FROM gone")
        return gone > MANY and gone > self.count

    def follow(self, snapshot: Snapshot, files: Files, shows: str, *, since: str | None) -> bool:
        """Takes in what stands at paths now (None: nothing), and says which commit that is.

        Does nothing, and says so, where the table does not show `since` any more.
        """
        with self._writing():
            if self.shown() != since:
                return False
            self._take_in(snapshot, files, shows, are_many=len(files) >= MANY)
        return True

    def fill(self, snapshot: Snapshot, files: Files, shows: str) -> None:
        """Makes the table anew, all of it or nothing."""
        with self._writing():
            for table in TABLES:
                self._connection.execute(f"DELETE FROM {table}")
            self._take_in(snapshot, files, shows, are_many=True)

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    @cached_property
    def _runs(self) -> list[tuple[int, int, int]]:
        return self._connection.execute("SELECT run, first, bits FROM runs ORDER BY run").fetchall()

    @cached_property
    def _gone(self) -> frozenset[int]:
        return frozenset(number for (number,) in self._connection.execute("SELECT number FROM gone"))

    def _number(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        with self._connection:
            yield

    def _take_in(self, snapshot: Snapshot, files: Files, shows: str, *, are_many: bool) -> None:
        unread = self.unread()
        said = self._said(snapshot, files, unread)
        if are_many:
            self._add_run(said)
        else:
            self._add(said)
        for name in ("_runs", "_gone"):
            self.__dict__.pop(name, None)
        facts = {"shows": shows, "unread": json.dumps(dict(list(unread.items())[:_MOST_UNREAD]))}
        self._connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", facts.items())

    def _said(self, snapshot: Snapshot, files: Files, unread: dict[str, BlobId]) -> Iterator[Row]:
        """What is said at these paths now; what was said there before is forgotten.

        Keeps `unread` up to what cannot be read of them.
        """
        is_empty = self._number("SELECT COUNT(*) FROM (SELECT 1 FROM texts LIMIT 1)") == 0
        for number, (path, blob) in enumerate(files, 1):
            if number % _OFTEN == 0 and len(files) >= MANY:
                self._progress("reading", number, len(files))
            if not is_empty:
                self._forget(path)
            unread.pop(path, None)
            if blob is None:
                continue
            try:
                said = snapshot.said(path, blob)
            except Damaged:
                unread[path] = blob
                continue
            if not said.is_locked and said.type is not MemoryType.WORKING:
                yield path, blob, said

    def _forget(self, path: str) -> None:
        row = self._connection.execute("SELECT number FROM texts WHERE path = ?", (_raw(path),)).fetchone()
        if row is not None:
            self._connection.execute("DELETE FROM texts WHERE number = ?", row)
            if not self._connection.execute("DELETE FROM words WHERE number = ?", row).rowcount:
                self._connection.execute("INSERT INTO gone VALUES (?)", row)

    def _add(self, rows: Iterable[Row]) -> None:
        """Puts texts into the table, with a row for each word, in its order: neighbours go onto one page."""
        words: list[tuple[int, int]] = []
        for number, (path, blob, said) in enumerate(rows, self._last() + 1):
            self._put([(number, _raw(path), blob, text_key(said.body))])
            words += [(_signed(word), number) for word in sought_words(sought_text(said.title, said.body))]
        self._connection.executemany("INSERT INTO words VALUES (?, ?)", sorted(words))

    def _add_run(self, rows: Iterable[Row]) -> None:
        """Puts texts into the table, with their words in runs."""
        sought = SoughtWords()
        run = RunWriter(self._last() + 1)
        texts: list[tuple[int, bytes, str, int]] = []
        for number, (path, blob, said) in enumerate(rows, run.first):
            if run.is_full(number):
                self._close(run, texts)
                run, texts = RunWriter(number), []
            run.add(sought.of(sought_text(said.title, said.body)), number)
            texts.append((number, _raw(path), blob, text_key(said.body)))
        self._close(run, texts)

    def _last(self) -> int:
        """The highest number that a text ever had."""
        return self._number("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'texts'")

    def _put(self, texts: list[tuple[int, bytes, str, int]]) -> None:
        self._connection.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", texts)

    def _close(self, run: RunWriter, texts: list[tuple[int, bytes, str, int]]) -> None:
        self._put(texts)
        number = self._number("SELECT COALESCE(MAX(run), 0) FROM runs") + 1
        bits, buckets = run.packed()
        self._connection.execute("INSERT INTO runs VALUES (?, ?, ?)", (number, run.first, bits))
        placed = ((number * _BUCKETS + bucket, pairs) for bucket, pairs in buckets)
        self._connection.executemany("INSERT INTO buckets VALUES (?, ?)", placed)


def sought_text(title: str, body: str) -> str:
    """What a memory is sought by: its title and text."""
    return f"{title}\n{body}"


def _place(row: Sequence[object]) -> Standing:
    path, blob = row
    if not isinstance(path, bytes) or not isinstance(blob, str):
        raise sqlite3.DatabaseError("no path with a blob")
    return Standing(path.decode("utf-8", "surrogateescape"), BlobId(blob))


@contextmanager
def _damage_told() -> Iterator[None]:
    """Values that nobody wrote, as SQLite's own error for what is damaged."""
    try:
        yield
    except (TypeError, ValueError, OverflowError) as error:
        raise sqlite3.DatabaseError(str(error)) from error


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _signed(word: int) -> int:
    return word - 2**31
