"""Putting files into a worktree without ever touching what a person edited or left there."""

from __future__ import annotations

import contextlib
import os
import stat as modes
from collections.abc import Iterable
from pathlib import Path

from gitmem.git.beneath import read_regular
from gitmem.git.conversion import Conversion
from gitmem.git.faults import point
from gitmem.git.journal import FileChange
from gitmem.git.modes import EXECUTABLE_MODE
from gitmem.git.names import why_refused
from gitmem.git.trees import encode_path
from gitmem.platform import SEPARATORS, link_exclusive
from gitmem.surroundings import current_folder


class Untouchable(Exception):
    """A file was left as it is; the text says why."""


class WorktreeFiles:
    """The files of one worktree, written by way of `folder` in the journal."""

    def __init__(self, root: Path, conversion: Conversion, folder: Path, *, prefix: str) -> None:
        self._root = root
        self._conversion = conversion
        self._folder = folder
        self._prefix = prefix
        self._safe: set[str] = set()
        self._beside = _device(root) != _device(folder)

    def clean_up(self, paths: Iterable[str]) -> None:
        """Remove what an ended process of the same operation left beside the files."""
        for path in paths:
            with contextlib.suppress(OSError, Untouchable):
                self._check_parents(path, make=False)
                self._temporary(path).unlink(missing_ok=True)

    def put(self, change: FileChange, content: bytes, mode: int, *, was: int | None = None) -> os.stat_result:
        """Let the file be `content`, the new blob checked out; its stat. Raises `Untouchable`.

        `was` is the mode in git's index: where the commit changes it, the file follows.
        """
        path, target = change.path, self._root / change.path
        self._check_parents(path, make=True)
        before = self._look(target)
        if before is not None and self._is_already(target, path, content, before, change.new):
            if was not in (None, mode):
                target.chmod(_permissions(before, mode, was))
            return target.lstat()
        if before is None and change.old is not None:
            raise Untouchable("it was deleted here and that is not committed")
        if before is not None:
            self._check_unedited(target, change, before)
        temporary = self._temporary(path)
        self._write(temporary, content, mode)
        try:
            if before is None:
                self._place_new(temporary, target)
            else:
                temporary.chmod(_permissions(before, mode, was))
                if _stamp(self._look(target)) != _stamp(before):
                    raise Untouchable("it is being edited here")
                temporary.replace(target)
            point("publish.file-placed")
        finally:
            temporary.unlink(missing_ok=True)
        return target.lstat()

    def remove(self, change: FileChange) -> None:
        """Take the file away, with the folders that get empty. Raises `Untouchable`."""
        target = self._root / change.path
        try:
            self._check_parents(change.path, make=False)
        except FileNotFoundError:
            return
        before = self._look(target)
        if before is None:
            return
        self._check_unedited(target, change, before)
        target.unlink()
        here = current_folder()
        for parent in target.parents:
            if parent in (self._root, here):
                break
            try:
                parent.rmdir()
            except OSError:
                break
            self._safe.discard(str(parent))

    def _look(self, target: Path) -> os.stat_result | None:
        try:
            found = target.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        if modes.S_ISDIR(found.st_mode):
            raise Untouchable("a folder of this name is here")
        if not modes.S_ISREG(found.st_mode):
            raise Untouchable("what is here is not a regular file")
        return found

    def _is_already(
        self, target: Path, path: str, content: bytes, before: os.stat_result, oid: str | None
    ) -> bool:
        if before.st_size == len(content) and _read(target) == content:
            return True
        return oid is not None and self._equals(target, path, before, oid)

    def _check_unedited(self, target: Path, change: FileChange, before: os.stat_result) -> None:
        if change.old is None:
            raise Untouchable("a file of this name is here that git does not track")
        if not self._equals(target, change.path, before, change.old):
            raise Untouchable("it carries an edit that is not committed")

    def _equals(self, target: Path, path: str, before: os.stat_result, oid: str) -> bool:
        data = _read(target)
        return len(data) == before.st_size and self._conversion.equals_blob(path, data, oid)

    def _check_parents(self, path: str, *, make: bool) -> None:
        """Every folder above is a real one: a symbolic link could lead out of the worktree."""
        names = path.split("/")
        if any(why_refused(encode_path(name)) or SEPARATORS.intersection(name) for name in names):
            raise Untouchable("no file can have this name here")
        folder = self._root
        for name in names[:-1]:
            folder = folder / name
            if str(folder) in self._safe:
                continue
            try:
                mode = folder.lstat().st_mode
            except FileNotFoundError:
                if not make:
                    raise
                with contextlib.suppress(FileExistsError):
                    folder.mkdir()
                mode = folder.lstat().st_mode
            if not modes.S_ISDIR(mode):
                raise Untouchable(f"{folder.relative_to(self._root)} is not a folder here")
            self._safe.add(str(folder))

    def _temporary(self, path: str) -> Path:
        if self._beside:
            return (self._root / path).parent / f".{self._prefix}.tmp"
        return self._folder / f"{self._prefix}.file"

    def _write(self, temporary: Path, content: bytes, mode: int) -> None:
        temporary.unlink(missing_ok=True)
        permissions = 0o777 if mode == EXECUTABLE_MODE else 0o666
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(temporary, flags, permissions), "wb") as file:
            file.write(content)

    def _place_new(self, temporary: Path, target: Path) -> None:
        """Give the new file its name, unless somebody was faster."""
        try:
            link_exclusive(temporary, target)
        except FileExistsError as error:
            raise Untouchable("a file of this name is here that git does not track") from error
        except OSError:
            if os.path.lexists(target):
                raise Untouchable("a file of this name is here that git does not track") from None
            temporary.replace(target)


def _read(target: Path) -> bytes:
    try:
        return read_regular(target) or b""
    except OSError as error:
        raise Untouchable(f"it cannot be read: {error.strerror}") from error


def _stamp(stat: os.stat_result | None) -> tuple[int, int, int] | None:
    return None if stat is None else (stat.st_ino, stat.st_size, stat.st_mtime_ns)


def _permissions(before: os.stat_result, mode: int, was: int | None) -> int:
    """What a person allowed or forbade by chmod is theirs, unless the commit itself changes the mode."""
    kept = modes.S_IMODE(before.st_mode)
    if was in (None, mode):
        return kept
    return kept | (kept & 0o444) >> 2 if mode == EXECUTABLE_MODE else kept & ~0o111


def _device(path: Path) -> int:
    return path.stat().st_dev
