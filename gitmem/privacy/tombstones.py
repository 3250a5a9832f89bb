"""Tombstones: what was forgotten is known again, and not said. The tracked file `.gitmem/tombstones`.

    commit DATE ID           a commit of the history that was rewritten; read without any key
    id DATE KEY MARK         of an id
    text DATE KEY MARK       of a whole text, in normal form
    sentence DATE KEY MARK   of a sentence of six words and more that no memory says any more, in normal form
    file DATE KEY MARK       of the bytes of an attachment

A mark is an HMAC-SHA-256, cut to 128 bits; KEY names the key by the start of its hash. The keys are in a file
below the git directory and in no history: without the key nobody can try out what was forgotten. The file only
grows, and two versions of it merge into all lines of both.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from gitmem.errors import BadInput, OutsideFailure
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.model.ids import id_key
from gitmem.platform import make_private_directory
from gitmem.privacy.normal import normal, telling_sentences

TOMBSTONES_PATH = ".gitmem/tombstones"
KEYS_FILE = "tombstone-keys"
MAX_BYTES = 64 * 1024 * 1024
MOST_SENTENCES = 500
"""Of one memory, so many sentences get a mark, the longest."""
_HEAD = "# What was forgotten here, as marks that say nothing. Lines are added, never taken out.\n"
_COMMIT = re.compile(r"commit (\d{4}-\d\d-\d\d) ([0-9a-f]{40})")
_MARK = re.compile(r"(id|text|sentence|file) (\d{4}-\d\d-\d\d) ([0-9a-f]{8}) ([0-9a-f]{32})")
_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Tombstones:
    """The lines of the file, taken apart: dates by commit, and by kind, key and mark."""

    lines: frozenset[str] = frozenset()
    commits: dict[str, str] = field(default_factory=dict, hash=False, compare=False)
    marks: dict[tuple[str, str, str], str] = field(default_factory=dict, hash=False, compare=False)

    def with_lines(self, lines: Iterable[str]) -> Tombstones:
        """These and more."""
        return from_lines(self.lines | set(lines))

    @property
    def data(self) -> bytes:
        """The file, the same for the same lines in whatever order they came."""
        return (_HEAD + "".join(f"{line}\n" for line in sorted(self.lines))).encode("ascii")

    @property
    def keys(self) -> set[str]:
        """The names of the keys that its marks were made with."""
        return {key for _, key, _ in self.marks}


def parse_tombstones(data: bytes) -> Tombstones:
    """The tombstones in a file; lines that are none are left out."""
    return from_lines(data.decode("ascii", "replace").splitlines())


def from_lines(lines: Iterable[str]) -> Tombstones:
    """The tombstones that the lines are."""
    kept: set[str] = set()
    commits: dict[str, str] = {}
    marks: dict[tuple[str, str, str], str] = {}
    for line in lines:
        if match := _COMMIT.fullmatch(line):
            commits[match[2]] = match[1]
        elif match := _MARK.fullmatch(line):
            marks[(match[1], match[3], match[4])] = match[2]
        else:
            continue
        kept.add(line)
    return Tombstones(frozenset(kept), commits, marks)


def union(*files: bytes | None) -> bytes:
    """Several versions of the file as one."""
    return from_lines(line for file in files if file for line in parse_tombstones(file).lines).data


class Keys:
    """The keys of one clone; `home` is `gitmem` in the common git directory."""

    def __init__(self, home: Path) -> None:
        self._file = home / KEYS_FILE

    def all(self) -> dict[str, bytes]:
        """The keys by name; nothing where there is none, or where the file may not be read."""
        try:
            text = (read_regular(self._file) or b"").decode("ascii", "replace")
        except OSError:
            return {}
        return {key_name(key): bytes.fromhex(key) for key in text.split() if _KEY.fullmatch(key)}

    def own(self, known: Collection[str]) -> bytes:
        """The key for new marks: one that is used already, else any, else a new one. Raises `OutsideFailure`."""
        keys = self.all()
        for name in sorted(keys, key=lambda name: (name not in known, name)):
            return keys[name]
        key = secrets.token_hex(32)
        self.add(key)
        return bytes.fromhex(key)

    def add(self, text: str) -> list[str]:
        """Takes in the keys in `text`; their names. Raises `BadInput` where there is none."""
        keys = [word for word in text.split() if _KEY.fullmatch(word)]
        if not keys:
            raise BadInput("the file holds no key for tombstones", field="file")
        kept = {key.hex() for key in self.all().values()} | set(keys)
        try:
            make_private_directory(self._file.parent)
            replace_regular(self._file, "".join(f"{key}\n" for key in sorted(kept)).encode("ascii"), flush=True)
            self._file.chmod(0o600)
        except OSError as error:
            raise OutsideFailure(f"the key cannot be written: {error}") from error
        return [key_name(key) for key in keys]

    def text(self) -> str:
        """All keys as `add` takes them."""
        return "".join(f"{key.hex()}\n" for key in self.all().values())


def key_name(key: str) -> str:
    """The name of a key, which tells nothing of it."""
    return hashlib.sha256(b"gitmem tombstones " + bytes.fromhex(key)).hexdigest()[:8]


def mark(key: bytes, kind: str, text: str | bytes) -> str:
    """The mark of one text."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return hmac.new(key, kind.encode("ascii") + b"\0" + data, hashlib.sha256).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Burial:
    """What tombstones are made of: ids, whole texts, sentences in normal form, and the bytes of files."""

    ids: frozenset[str]
    texts: frozenset[str]
    sentences: frozenset[str]
    files: tuple[bytes, ...]

    def lines(self, key: bytes, day: date) -> list[str]:
        """The lines for all of it."""
        name = key_name(key.hex())
        marks = [("id", id_key(each)) for each in self.ids]
        marks += [("text", each) for each in self.texts]
        longest = sorted(self.sentences, key=lambda each: (-len(each), each))[:MOST_SENTENCES]
        marks += [("sentence", each) for each in longest]
        found = [f"{kind} {day:%Y-%m-%d} {name} {mark(key, kind, text)}" for kind, text in marks]
        return found + [f"file {day:%Y-%m-%d} {name} {mark(key, 'file', data)}" for data in self.files]


def commit_lines(commits: Iterable[str], day: date) -> list[str]:
    """The lines for commits."""
    return [f"commit {day:%Y-%m-%d} {commit}" for commit in commits]


class Checker:
    """Tells whether something was forgotten, with the keys that are here."""

    def __init__(self, tombstones: Tombstones, keys: dict[str, bytes]) -> None:
        self._marks = tombstones.marks
        self._keys = {name: key for name, key in keys.items() if name in tombstones.keys}

    def __bool__(self) -> bool:
        return bool(self._keys)

    def id(self, memory_id: str) -> str | None:
        """The day on which the id was forgotten."""
        return self._day("id", id_key(memory_id))

    def text(self, text: str) -> str | None:
        """The day on which this text, or a sentence of it, was forgotten."""
        found = self._day("text", normal(text))
        return found or next(
            (day for each in telling_sentences(text) if (day := self._day("sentence", each))), None
        )

    def file(self, data: bytes) -> str | None:
        """The day on which a file of these bytes was forgotten."""
        return self._day("file", data)

    def _day(self, kind: str, text: str | bytes) -> str | None:
        for name, key in self._keys.items():
            day = self._marks.get((kind, name, mark(key, kind, text)))
            if day is not None:
                return day
        return None
