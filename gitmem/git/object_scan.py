"""Every object and every file of a repository, one after the other, as bytes to seek something in.

Objects come as git itself reads them, in the order in which they lie in their packs: a delta is then made
from what was made just before. What libgit2 lists besides, and what git cannot read, libgit2 is asked for: so
a git that ends early, or lists less than there is, hides nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import pygit2
from pygit2.enums import ObjectType

from gitmem.git.beneath import open_regular
from gitmem.git.environment import reading_git
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository

_KINDS = {
    ObjectType.COMMIT: "commit",
    ObjectType.TREE: "tree",
    ObjectType.BLOB: "blob",
    ObjectType.TAG: "tag",
}
_OFTEN = 1_000
CHUNK_BYTES, OVERLAP_BYTES = 64 * 2**20, 64 * 2**10
"""Something larger comes in pieces that overlap, so that nothing is missed at a border."""

ScannedObject = tuple[str, str, bytes | None]
"""Id, kind and bytes of an object; None for bytes that cannot be read."""


def all_objects(repo: Repository, progress: Callable[[int, int], None]) -> Iterator[ScannedObject]:
    """Every object here, packed or loose, named or not. A large one comes several times, piece by piece."""
    raw = pygit2.Repository(str(repo.common_dir))
    left = set(map(str, raw.odb))
    count = len(left)
    for number, found in enumerate(_read_by_git(repo)):
        if number % _OFTEN == 0:
            progress(min(number, count), count)
        if found[2] is None:
            left.add(found[0])
        else:
            left.discard(found[0])
            yield found
    for oid in sorted(left):
        try:
            kind, data = raw.read(oid)
        except LIBGIT2_ERRORS:
            yield oid, "object", None
            continue
        yield oid, _KINDS.get(ObjectType(kind), "object"), data


def _read_by_git(repo: Repository) -> Iterator[ScannedObject]:
    """What git reads, until it ends."""
    how = ["cat-file", "--batch", "--batch-all-objects", "--unordered", "--buffer"]
    with reading_git(how, cwd=repo.common_dir) as output:
        while head := output.readline():
            oid, kind, *size = head.decode("ascii", "replace").split()
            if not size:
                # "missing": listed, and cannot be read.
                yield oid, kind, None
                continue
            for piece in _pieces_of_object(output, int(size[0])):
                yield oid, kind, piece


def _pieces_of_object(output: BinaryIO, size_bytes: int) -> Iterator[bytes | None]:
    """The next object of what git prints, and the line end behind it; None where git ended in it."""
    data = output.read(min(size_bytes, CHUNK_BYTES))
    left = size_bytes - len(data)
    while left and len(data) >= OVERLAP_BYTES:
        yield data
        more = output.read(min(left, CHUNK_BYTES))
        left -= len(more)
        data = data[-OVERLAP_BYTES:] + more if more else b""
    yield None if left or output.read(1) != b"\n" else data


def all_files(repo: Repository, *, without: Path) -> Iterator[tuple[str, bytes | None]]:
    """Every file below the git directory and in every worktree; None for what cannot be read.

    A file of the worktree of `repo` is named by its path there, any other by its full path. The folder
    `without` is left out. Links are not followed: where one leads stands for it. A large file comes several
    times, piece by piece.
    """
    seen = {str(without)}
    yield from _files_below(str(repo.common_dir), "", seen)
    for tree in repo.worktrees():
        is_own = repo.worktree is not None and tree.path.resolve() == repo.worktree.resolve()
        yield from _files_below(str(tree.path), f"{tree.path}{os.sep}" if is_own else "", seen)


def _files_below(top: str, cut: str, seen: set[str]) -> Iterator[tuple[str, bytes | None]]:
    """The files below `top`, named without `cut` at the beginning; folders that were `seen` are left out."""
    stack = [top]
    while stack:
        folder = stack.pop()
        if folder in seen:
            continue
        seen.add(folder)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError:
            yield folder.removeprefix(cut), None
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                stack.append(entry.path)
                continue
            name = entry.path.removeprefix(cut).replace(os.sep, "/") if cut else entry.path
            for piece in _pieces_of(entry):
                yield name, piece


def _pieces_of(entry: os.DirEntry[str]) -> Iterator[bytes | None]:
    try:
        if entry.is_symlink():
            yield os.fsencode(os.readlink(entry.path))  # noqa: PTH115
        elif not entry.is_file(follow_symlinks=False):
            yield b""
        else:
            yield from _pieces_of_file(open_regular(Path(entry.path)))
    except FileNotFoundError:
        yield b""
    except OSError:
        yield None


def _pieces_of_file(descriptor: int) -> Iterator[bytes]:
    with os.fdopen(descriptor, "rb", buffering=0) as opened:
        if os.fstat(descriptor).st_size < CHUNK_BYTES:
            yield opened.read()
            return
        data = opened.read(CHUNK_BYTES)
        yield data
        while more := opened.read(CHUNK_BYTES):
            data = data[-OVERLAP_BYTES:] + more
            yield data
