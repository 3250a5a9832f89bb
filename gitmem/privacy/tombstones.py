"""The marks on tombstones and the keys that they are made with.

A mark is an HMAC-SHA-256, cut to 128 bits. The keys are in a file below the git directory and in no history:
without the key nobody can try out what was forgotten.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, OutsideFailure
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.model.ids import id_key
from gitmem.model.tombstones import Tombstones
from gitmem.platform import make_private_directory
from gitmem.privacy.normal import normal, telling_parts

KEYS_FILE = "tombstone-keys"
MOST_SENTENCES = 500
"""Of one memory, so many sentences get a mark, the longest."""
_KEY = re.compile(r"[0-9a-f]{64}")


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
        """The key for new marks: one that is used already, else any, else a new one."""
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
            lines = "".join(f"{key}\n" for key in sorted(kept))
            replace_regular(self._file, lines.encode("ascii"), flush=True)
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


class Burial(Struct, frozen=True):
    """What tombstones are made of: ids, whole texts, sentences in normal form, and the bytes of files."""

    ids: frozenset[str]
    texts: frozenset[str]
    sentences: frozenset[str]
    files: tuple[bytes, ...]

    def lines(self, key: bytes, day: date, known: Tombstones) -> list[str]:
        """The lines for all of it that is not known yet."""
        name = key_name(key.hex())
        longest = sorted(self.sentences, key=lambda each: (-len(each), each))[:MOST_SENTENCES]
        told: list[tuple[str, str | bytes]] = [("id", id_key(each)) for each in self.ids]
        told += [("text", each) for each in self.texts]
        told += [("sentence", each) for each in longest]
        told += [("file", data) for data in self.files]
        marks = [(kind, name, mark(key, kind, said)) for kind, said in told]
        new = [each for each in marks if each not in known.marks]
        return [f"{kind} {day:%Y-%m-%d} {name} {each}" for kind, _, each in new]


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
            (day for each in telling_parts(text) if (day := self._day("sentence", each))), None
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
