"""The folder of a branch's index: who may be trusted, which state is current, how a new one is put in place.

<common git directory>/gitmem/index/      0700, ours
    anchor, seal.json                     proof that this folder was made here
    <branch>/CURRENT                      the number of the state in use
    <branch>/<number>/                    a Whoosh index with its stamps
    <branch>/building-*/                  a state not yet published
"""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from collections.abc import Hashable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from gitmem.git.beneath import read_regular, write_new_file
from gitmem.git.faults import point
from gitmem.index.leftovers import sweep, unfinished_folder
from gitmem.index.stamp import Stamp, read_stamp, replace_file
from gitmem.platform import FileLock, make_private_directory

_TOC = re.compile(r"_MAIN_(\d+)\.toc")
_KEPT_ENDINGS = (".toc", ".seg")
_TURN_SECONDS = 30.0
_SEAL_SECONDS = 5.0
_MAX_SEAL_BYTES = 4096


class UnusablePlace(OSError):
    """The folder cannot hold an index: it cannot be written, or belongs to somebody else."""


class IndexPlace:
    """The folder of one branch's index below the sealed folder of all of them.

    A state that was made by other `rules`, see `DocumentSource.rules`, is of no use.
    """

    def __init__(self, directory: Path, rules: str = "") -> None:
        self.directory = directory
        self.rules = rules
        self._root = directory.parent

    def prepare(self) -> None:
        """Makes the folder, after moving away whatever stands there and was not made here.

        Whoosh's files are pickles, and a crafted one runs code: nothing below is opened before
        this. Raises `UnusablePlace` where no trusted folder can be had.
        """
        try:
            self._make_folder(self._root.parent)
            if not self._is_sealed():
                self._seal()
            self._make_folder(self.directory)
            self._sweep()
        except OSError as error:
            raise UnusablePlace(*error.args) from error

    def is_trusted(self) -> bool:
        """Whether the folder of all indexes is here and was made here; changes nothing."""
        try:
            return self._is_sealed()
        except OSError:
            return False

    def current(self) -> Path | None:
        """The folder of the state in use; None where there is none yet."""
        try:
            data = read_regular(self.directory / "CURRENT", max_bytes=_MAX_SEAL_BYTES) or b""
            text = data.decode("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return self.directory / text if text.isdigit() and len(text) < 20 else None

    def current_stamp(self) -> Stamp | None:
        """The stamp of the newest generation of the state in use, without opening the index."""
        folder = self.current()
        return None if folder is None else read_stamp(folder, self.generation(folder), self.rules)

    def state(self) -> Hashable | None:
        """What changes whenever a file of the state in use does; None where there is none to trust."""
        if not self.is_trusted():
            return None
        folder = self.current()
        try:
            with os.scandir(folder or self.directory / "none") as entries:
                files = sorted(
                    (entry.name, status.st_ino, status.st_size, status.st_mtime_ns)
                    for entry in entries
                    if entry.name.endswith(_KEPT_ENDINGS) and (status := entry.stat(follow_symlinks=False))
                )
        except OSError:
            return None
        return (str(folder), *files) if files else None

    def generation(self, folder: Path) -> int:
        """The newest generation in `folder`, by its file names; -1 where there is none."""
        try:
            return newest_generation(folder)
        except OSError:
            return -1

    def new_folder(self) -> Path:
        """An empty folder beside the states, for one that is being built."""
        folder = unfinished_folder(self.directory)
        folder.mkdir(0o700)
        return folder

    def publish(self, built: Path) -> Path:
        """Makes `built` the state in use, and removes older ones as far as that is possible."""
        number = max(self._numbers(), default=0) + 1
        for _ in range(100):
            published = self.directory / str(number)
            try:
                built.rename(published)
            except OSError:
                if not published.exists():
                    raise
                number += 1
            else:
                current = self.directory / "CURRENT"
                if current.is_dir():
                    current.rename(_aside(current))
                point("index.before-swap")
                replace_file(current, f"{number}\n".encode())
                point("index.swapped")
                self._clean(number)
                return published
        raise UnusablePlace("no free number for a new index")

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Waits, for a bounded time, until nobody else builds a state. It saves work, no more.

        Where the folder was deleted meanwhile, there is nobody to wait for.
        """
        with ExitStack() as held:
            with suppress(OSError):
                held.enter_context(FileLock(self.directory / "building.guard", timeout_seconds=_TURN_SECONDS))
            yield

    def _numbers(self) -> list[int]:
        return [
            int(path.name) for path in self.directory.iterdir() if path.name.isdigit() and len(path.name) < 20
        ]

    def _sweep(self) -> None:
        """Removes what died while it was being made."""
        sweep(self._root.parent)
        sweep(self._root)
        sweep(self.directory)
        folder = self.current()
        if folder is not None:
            sweep(folder)

    def _clean(self, number: int) -> None:
        for old in self._numbers():
            if old < number:
                shutil.rmtree(self.directory / str(old), ignore_errors=True)
        sweep(self.directory)

    def _is_sealed(self) -> bool:
        """Whether the anchor is the very file the seal speaks of: no copy, no unpacked archive is."""
        try:
            root, anchor = os.lstat(self._root), os.lstat(self._root / "anchor")
            seal = json.loads(read_regular(self._root / "seal.json", max_bytes=_MAX_SEAL_BYTES) or b"")
        except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
            return False
        if not stat.S_ISDIR(root.st_mode) or not _is_ours(root):
            return False
        return _is_ours(anchor) and seal == _seal_of(anchor)

    def _seal(self) -> None:
        parent = self._root.parent
        with FileLock(parent / "index-seal.guard", timeout_seconds=_SEAL_SECONDS):
            if self._is_sealed():
                return
            self._move_root_away()
            fresh = parent / f"index-{os.getpid()}-{os.urandom(4).hex()}"
            fresh.mkdir(0o700)
            anchor = fresh / "anchor"
            write_new_file(anchor)
            replace_file(fresh / "seal.json", json.dumps(_seal_of(os.lstat(anchor))).encode())
            fresh.rename(self._root)

    def _move_root_away(self) -> None:
        if not os.path.lexists(self._root):
            return
        if not _is_ours(os.lstat(self._root)):
            raise UnusablePlace(f"{self._root} belongs to another user")
        aside = _aside(self._root)
        self._root.rename(aside)
        if aside.is_dir() and not aside.is_symlink():
            shutil.rmtree(aside, ignore_errors=True)

    def _make_folder(self, folder: Path) -> None:
        make_private_directory(folder)
        if not _is_ours(os.lstat(folder)):
            raise UnusablePlace(f"{folder} belongs to another user")


def newest_generation(folder: Path) -> int:
    """The newest generation in `folder`, by its file names; -1 where there is none."""
    matches = map(_TOC.fullmatch, os.listdir(folder))  # noqa: PTH208  (this is on the way of every read)
    return max((int(match[1]) for match in matches if match), default=-1)


def _aside(path: Path) -> Path:
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.aside-{number}")):
        number += 1
    return aside


def _seal_of(anchor: os.stat_result) -> dict[str, int]:
    return {"device": anchor.st_dev, "inode": anchor.st_ino, "changed_ns": anchor.st_ctime_ns}


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
