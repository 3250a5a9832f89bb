"""Which files of a branch have a name that ends in an id, kept beside git so that no tree is walked for it.

<common git directory>/gitmem/names/<branch>.table    magic, commit and count in one line, then the place of
                                                      each path, then the paths, sorted by their names read
                                                      backwards: those that end alike stand together
<common git directory>/gitmem/names/<branch>.recent   what came and went since, as JSON behind a checksum

Both say which commit they show. What is missing, damaged, or of a commit that is gone is made anew.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import sys
import zlib
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct, field

from gitmem.errors import Damaged, NotFound
from gitmem.git.beneath import open_regular, read_regular, replace_regular
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import PathChange, Repository, TreeEntry
from gitmem.model.ids import CommitId, id_key
from gitmem.platform import make_private_directory

_MAGIC = f"gitmem-names-1-{sys.byteorder}"
_HEAD_BYTES = 128
_MOST_RECENT = 64
_MOST_RECENT_SHARE = 0.001
_REBUILT_SHARE = 0.25


def backwards(path: str) -> str:
    """The name of the file at `path` without `.md`, case apart, read backwards."""
    return id_key(path.rpartition("/")[2]).removesuffix(".md")[::-1]


class Names(Struct):
    """The Markdown files of one commit by the ends of their names."""

    sorted: Sequence[str]
    added: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    _added_sorted: list[tuple[str, str]] | None = None
    """Those `added` with their names backwards, made where it is asked for: a batch asks a thousand times."""

    def ending_in(self, key: str) -> list[str]:
        """The paths of files whose name is the id `key`, or ends in `-` and it."""
        end = key[::-1]
        found = set(self._added_ending_in(end))
        for number in range(bisect_left(self.sorted, end, key=backwards), len(self.sorted)):
            path = self.sorted[number]
            if not backwards(path).startswith(end):
                break
            if path not in self.removed and _ends(path, end):
                found.add(path)
        return sorted(found)

    def _added_ending_in(self, end: str) -> Iterator[str]:
        if self._added_sorted is None:
            self._added_sorted = sorted((backwards(path), path) for path in self.added)
        for number in range(bisect_left(self._added_sorted, (end, "")), len(self._added_sorted)):
            name, path = self._added_sorted[number]
            if not name.startswith(end):
                break
            if _ends(path, end):
                yield path

    def all(self) -> list[str]:
        """Every path, sorted by `backwards`."""
        paths = [path for path in self.sorted if path not in self.removed]
        for path in self.added:
            insort(paths, path, key=backwards)
        return paths

    def follow(self, changes: Iterable[PathChange]) -> None:
        """Makes this show what it shows after files came and went."""
        self._added_sorted = None
        for each in changes:
            was, is_now = _may_be_memory(each.old), _may_be_memory(each.new)
            if was and not is_now:
                self.added.discard(each.path)
                self.removed.add(each.path)
            elif is_now and not was:
                # A path that left and came back may stand in `sorted` as well; it is found once all the same.
                self.added.add(each.path)


def _ends(path: str, end: str) -> bool:
    name = backwards(path)
    return name == end or name.startswith(end + "-")


class NameTable:
    """The names of one branch, as of whatever commit is asked for; the disk follows along."""

    def __init__(self, repository: Repository, folder: Path, branch: str) -> None:
        self._repository = repository
        self._table = folder / f"{quote(branch, safe='')}.table"
        self._recent = self._table.with_suffix(".recent")

    def at(self, commit: CommitId) -> Names:
        """The names of `commit`."""
        stored = self._stored()
        if stored is not None and self._brought_to(stored, commit):
            return stored.names
        names = Names(_in_tree(self._repository, commit))
        self._keep(lambda: _write_table(self._table, commit, names.sorted))
        return names

    def _stored(self) -> _Stored | None:
        try:
            base, paths = _read_table(self._table)
            stored = _Stored(base, base, Names(paths))
        except (OSError, ValueError):
            return None
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            facts = _read_recent(self._recent)
            if facts["table"] == base:
                stored.names.added, stored.names.removed = set(facts["added"]), set(facts["removed"])
                stored.commit = str(facts["commit"])
        return stored

    def _brought_to(self, stored: _Stored, commit: CommitId) -> bool:
        """Whether `stored` shows `commit` now."""
        if stored.commit == commit:
            return True
        try:
            changes = self._repository.diff_trees(stored.commit, commit)
        except (NotFound, Damaged):
            return False
        names = stored.names
        if len(changes) > max(_MOST_RECENT, _REBUILT_SHARE * len(names.sorted)):
            return False
        names.follow(changes)
        stored.commit = commit
        recent = len(names.added) + len(names.removed)
        if recent > max(_MOST_RECENT, _MOST_RECENT_SHARE * len(names.sorted)):
            self._keep(lambda: _write_table(self._table, commit, names.all()))
        else:
            self._keep(lambda: _write_recent(self._recent, stored))
        return True

    def _keep(self, write: Callable[[], None]) -> None:
        """Writes, unless the disk refuses: the answer is right without."""
        with contextlib.suppress(OSError):
            make_private_directory(self._table.parent.parent)
            make_private_directory(self._table.parent)
            write()


class _Stored(Struct):
    """What the disk has: the commit of the table, and the one that it shows with what came since."""

    base: str
    commit: str
    names: Names


def _may_be_memory(entry: TreeEntry | None) -> bool:
    """Whether a file may be a memory, whatever the config excludes."""
    return entry is not None and entry.mode in REGULAR_MODES and entry.path[-3:].casefold() == ".md"


def _in_tree(repository: Repository, commit: CommitId) -> list[str]:
    paths = [entry.path for entry in repository.walk(commit) if _may_be_memory(entry)]
    paths.sort(key=backwards)
    return paths


class _Paths(Sequence[str]):
    """The paths in a table, decoded one by one."""

    def __init__(self, places: memoryview, text: memoryview) -> None:
        self._places = places
        self._text = text

    def __len__(self) -> int:
        return len(self._places) - 1

    def __getitem__(self, number: int) -> str:  # type: ignore[override]
        if not 0 <= number < len(self):
            raise IndexError
        raw = self._text[self._places[number] : self._places[number + 1] - 1]
        return bytes(raw).decode("utf-8", "surrogateescape")


def _write_table(file: Path, commit: str, paths: Sequence[str]) -> None:
    raw = [path.encode("utf-8", "surrogateescape") + b"\0" for path in paths]
    places = array("I", accumulate(map(len, raw), initial=0))
    head = f"{_MAGIC} {commit} {len(raw)} {places[-1]}\n".encode("ascii").ljust(_HEAD_BYTES, b"\0")
    replace_regular(file, b"".join([head, places.tobytes(), *raw]), flush=True)


def _read_table(file: Path) -> tuple[str, Sequence[str]]:
    """Commit and paths of a table. Raises ValueError where it is none."""
    with os.fdopen(open_regular(file), "rb") as opened:
        size = os.fstat(opened.fileno()).st_size
        if size < _HEAD_BYTES:
            raise ValueError("cut off")
        data = memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))
    magic, commit, count, length = bytes(data[:_HEAD_BYTES]).rstrip(b"\0").decode("ascii").split()
    end = _HEAD_BYTES + 4 * (int(count) + 1)
    if magic != _MAGIC or size != end + int(length) or len(commit) != 40:
        raise ValueError("not a table")
    return commit, _Paths(data[_HEAD_BYTES:end].cast("I"), data[end:])


def _write_recent(file: Path, stored: _Stored) -> None:
    facts = {
        "table": stored.base,
        "commit": stored.commit,
        "added": sorted(stored.names.added),
        "removed": sorted(stored.names.removed),
    }
    text = json.dumps(facts).encode("ascii")
    replace_regular(file, b"%08x\n%b" % (zlib.crc32(text), text), flush=False)


def _read_recent(file: Path) -> dict[str, str | list[str]]:
    checksum, _, text = (read_regular(file) or b"").partition(b"\n")
    if int(checksum, 16) != zlib.crc32(text):
        raise ValueError("damaged")
    facts = json.loads(text)
    return {name: facts[name] for name in ("table", "commit", "added", "removed")}
