"""The texts of a branch, found by what they say: a table beside git, so that a write need not search.

<common git directory>/gitmem/texts/<branch, percent-quoted>.sqlite

It has for each memory the key of its text (see `text_key`) and the words that it is sought by, and says which
commit it shows. It is derived and may be deleted at any time: what is missing, damaged, or of a commit that
is gone is made anew. Encrypted memories are not in it. Whoever asks it reads the memory that is found from
git, as they may see it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from gitmem.errors import Damaged, NotFound
from gitmem.evolve.duplicates import text_key
from gitmem.evolve.sought import sought_words
from gitmem.flows.work import Progress
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory, MemoryType
from gitmem.platform import make_private_directory
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

T = TypeVar("T")
FOLDER = "texts"
FORMAT = 1
_WAIT_SECONDS = 2.0
_MOST_HOLDERS = 2_000
"""A word that more texts have tells none of them from the others; so many of them are looked at."""
_PROGRESS_FROM = 500
_WORDS_AT_ONCE = 100_000
_SCHEMA = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (
    number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, blob TEXT NOT NULL, key INTEGER NOT NULL
);
CREATE INDEX texts_by_key ON texts (key);
CREATE TABLE words (word INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (word, number)) WITHOUT ROWID;
CREATE INDEX words_by_number ON words (number);
"""


class Standing(NamedTuple):
    """Where a text was found: the file and its blob."""

    path: str
    blob: BlobId


class Texts:
    """An open table that shows one commit. Every question is right for that commit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def count(self) -> int:
        """How many texts there are."""
        return int(self._connection.execute("SELECT COUNT(*) FROM texts").fetchone()[0])

    def with_key(self, key: int) -> list[Standing]:
        """The texts that have this key."""
        rows = self._connection.execute("SELECT path, blob FROM texts WHERE key = ? ORDER BY path", (key,))
        return [_place(row) for row in rows]

    def having(self, word: int) -> Collection[int]:
        """The numbers of texts that have this word, at most 2,000 of them."""
        rows = self._connection.execute(
            "SELECT number FROM words WHERE word = ? LIMIT ?", (_signed(word), _MOST_HOLDERS)
        )
        return [row[0] for row in rows]

    def place(self, number: int) -> Standing | None:
        """Where the text of this number stands."""
        row = self._connection.execute("SELECT path, blob FROM texts WHERE number = ?", (number,)).fetchone()
        return None if row is None else _place(row)

    def shown(self) -> str | None:
        """The commit that the table shows, with what decides which files are memories."""
        row = self._connection.execute("SELECT value FROM about WHERE name = 'shows'").fetchone()
        return None if row is None else str(row[0])

    def follow(self, snapshot: Snapshot, files: Iterable[tuple[str, BlobId | None]], shows: str) -> None:
        """Takes in what stands at paths now (None: nothing), and says which commit that is."""
        words: list[tuple[int, int]] = []
        with self._connection:
            for path, blob in files:
                self._forget(path)
                if blob is not None:
                    words += self._added(snapshot, path, blob)
                if len(words) >= _WORDS_AT_ONCE:
                    self._add_words(words)
                    words = []
            self._add_words(words)
            self._connection.execute("INSERT OR REPLACE INTO about VALUES ('shows', ?)", (shows,))

    def clear(self) -> None:
        """Takes all texts out."""
        with self._connection:
            for table in ("texts", "words", "about"):
                self._connection.execute(f"DELETE FROM {table}")

    def close(self) -> None:
        """Gives the file back."""
        self._connection.close()

    def _forget(self, path: str) -> None:
        row = self._connection.execute("SELECT number FROM texts WHERE path = ?", (_raw(path),)).fetchone()
        if row is not None:
            self._connection.execute("DELETE FROM words WHERE number = ?", row)
            self._connection.execute("DELETE FROM texts WHERE number = ?", row)

    def _added(self, snapshot: Snapshot, path: str, blob: BlobId) -> list[tuple[int, int]]:
        """The words of a text that was put into the table, each with its number."""
        try:
            memory = snapshot.read(path, blob)
        except Damaged:
            return []
        if memory.locked_by is not None or memory.type is MemoryType.WORKING:
            return []
        added = self._connection.execute(
            "INSERT INTO texts (path, blob, key) VALUES (?, ?, ?)", (_raw(path), blob, text_key(memory.body))
        )
        number = added.lastrowid
        assert number is not None, "a row was inserted"
        return [(_signed(word), number) for word in sought_words(sought_text(memory))]

    def _add_words(self, words: list[tuple[int, int]]) -> None:
        """Puts words into the table, in its order, so that neighbours go onto one page."""
        self._connection.executemany("INSERT INTO words VALUES (?, ?)", sorted(words))


def sought_text(memory: Memory) -> str:
    """What a memory is sought by: its title and text."""
    return f"{memory.title}\n{memory.body}"


def asked_of_texts(
    place: Place, snapshot: Snapshot, branch: str, question: Callable[[Texts], T], progress: Progress
) -> T:
    """The answer to `question` about the texts of `snapshot`, which is of `branch`.

    They are kept on the disk where that can be; else, and where the table turns out to be damaged, they are
    read once more: it never makes an answer shorter.
    """
    stored = place.as_stored.snapshot(snapshot.commit)
    connection = _opened(place, branch)
    if connection is not None:
        try:
            with closing(connection):
                texts = Texts(connection)
                _bring_up(texts, place, stored, progress)
                return question(texts)
        except sqlite3.OperationalError:
            pass  # Somebody else writes it, or the disk refuses.
        except sqlite3.DatabaseError:
            _remove(_file(place, branch))
    with closing(_in_memory()) as made:
        texts = Texts(made)
        _bring_up(texts, place, stored, progress)
        return question(texts)


def texts_between(place: Place, snapshot: Snapshot, old: CommitId) -> Texts:
    """The texts of `snapshot` that differ from commit `old`, in memory, to be closed. Raises `NotFound`."""
    texts = Texts(_in_memory())
    stored = place.as_stored.snapshot(snapshot.commit)
    texts.follow(stored, [(each.path, each.new) for each in stored.changes_since(old)], "")
    return texts


def _bring_up(texts: Texts, place: Place, stored: Snapshot, progress: Progress) -> None:
    """Makes the table show the commit, by what differs, or anew."""
    rules = "\0".join(place.config.exclude)
    shows = f"{stored.commit} {text_key(rules):x}"
    shown = texts.shown()
    if shown == shows:
        return
    files: Sequence[tuple[str, BlobId | None]] | None = None
    if shown is not None and shown.partition(" ")[2] == shows.partition(" ")[2]:
        with suppress(NotFound, Damaged):
            files = [
                (each.path, each.new) for each in stored.changes_since(CommitId(shown.partition(" ")[0]))
            ]
    if files is None:
        texts.clear()
        files = list(stored.files())
    texts.follow(stored, _told(files, progress), shows)


def _told(
    files: Sequence[tuple[str, BlobId | None]], progress: Progress
) -> Iterator[tuple[str, BlobId | None]]:
    for number, each in enumerate(files, 1):
        if len(files) >= _PROGRESS_FROM and number % 100 == 0:
            progress("reading", number, len(files))
        yield each


def _file(place: Place, branch: str) -> Path:
    return place.home / FOLDER / f"{quote(branch, safe='')}.sqlite"


def _opened(place: Place, branch: str) -> sqlite3.Connection | None:
    """The table of the branch as it lies there, or a new one; None where the disk refuses."""
    file = _file(place, branch)
    try:
        make_private_directory(place.home)
        make_private_directory(file.parent)
        connection = _connected(f"{file.absolute().as_uri()}?mode=rwc")
    except (OSError, sqlite3.Error):
        return None
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] not in (0, FORMAT):
            raise sqlite3.DatabaseError("another format")
        _prepare(connection)
    except sqlite3.OperationalError:
        connection.close()
        return None
    except sqlite3.DatabaseError:
        connection.close()
        _remove(file)
        return None
    return connection


def _connected(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(name, uri=True, timeout=_WAIT_SECONDS)
    # After a loss of power it may be damaged; then it is made anew.
    connection.execute("PRAGMA synchronous = OFF")
    # The file may have come with an archive: nothing in its schema runs a function.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        connection.executescript(f"BEGIN IMMEDIATE;{_SCHEMA}COMMIT;")


def _in_memory() -> sqlite3.Connection:
    connection = _connected("file::memory:")
    _prepare(connection)
    return connection


def _remove(file: Path) -> None:
    for each in (file, file.with_name(file.name + "-journal")):
        with suppress(OSError):
            each.unlink(missing_ok=True)


def _place(row: tuple[bytes, str]) -> Standing:
    return Standing(row[0].decode("utf-8", "surrogateescape"), BlobId(row[1]))


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _signed(word: int) -> int:
    return word - 2**31
