"""Every object and every file of a repository, one after the other, as bytes to seek something in."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from gitmem.git.beneath import open_regular
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository

_NAME = re.compile(rb"[0-7]{1,7} ([^\0]+)\0.{20}", re.DOTALL)
_KINDS = {
    ObjectType.COMMIT: "commit",
    ObjectType.TREE: "tree",
    ObjectType.BLOB: "blob",
    ObjectType.TAG: "tag",
}
_OFTEN = 1_000
CHUNK_BYTES, OVERLAP_BYTES = 64 * 2**20, 64 * 2**10
"""A larger file comes in pieces that overlap, so that nothing is missed at a border."""


def all_objects(
    repo: Repository, progress: Callable[[int, int], None]
) -> Iterator[tuple[str, str, bytes | None]]:
    """Id, kind and bytes of every object here, packed or loose; None for bytes that cannot be read.

    Of trees the names come, those that were not in a tree before, each on a line.
    """
    raw = pygit2.Repository(str(repo.common_dir))
    names: set[bytes] = set()
    everything = list(raw.odb)
    for number, oid in enumerate(everything):
        if number % _OFTEN == 0:
            progress(number, len(everything))
        try:
            kind, data = raw.read(oid)
        except LIBGIT2_ERRORS:
            yield str(oid), "object", None
            continue
        if kind == ObjectType.TREE:
            new = set(_NAME.findall(data)) - names
            names |= new
            data = b"\n".join(sorted(new))
        yield str(oid), _KINDS.get(ObjectType(kind), "object"), data


def all_files(repo: Repository) -> Iterator[tuple[Path, bytes | None]]:
    """Every file below the git directory and in every worktree; None for what cannot be read.

    Links are not followed: where one leads stands for it. A large file comes several times, piece by piece.
    """
    tops = [repo.common_dir, *(tree.path for tree in repo.worktrees())]
    seen = set()
    for top in tops:
        for folder, folders, files in os.walk(top):
            here = Path(folder)
            if here in seen:
                folders.clear()
                continue
            seen.add(here)
            links = [name for name in folders if (here / name).is_symlink()]
            for name in [*files, *links]:
                for piece in _pieces_of(here / name):
                    yield here / name, piece


def _pieces_of(file: Path) -> Iterator[bytes | None]:
    try:
        if file.is_symlink():
            yield os.fsencode(os.readlink(file))  # noqa: PTH115
        elif not file.is_file():
            yield b""
        else:
            with os.fdopen(open_regular(file), "rb") as opened:
                data = opened.read(CHUNK_BYTES)
                yield data
                while len(data) == CHUNK_BYTES:
                    opened.seek(-OVERLAP_BYTES, os.SEEK_CUR)
                    data = opened.read(CHUNK_BYTES)
                    yield data
    except FileNotFoundError:
        yield b""
    except OSError:
        yield None
