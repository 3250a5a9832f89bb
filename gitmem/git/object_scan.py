"""Every object and every file of a repository, one after the other, as bytes to seek something in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

from gitmem.git.beneath import read_regular
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository

_NAME = re.compile(rb"[0-7]{1,7} ([^\0]+)\0.{20}", re.DOTALL)
_KINDS = {
    ObjectType.COMMIT: "commit",
    ObjectType.TREE: "tree",
    ObjectType.BLOB: "blob",
    ObjectType.TAG: "tag",
}
MOST_FILE_BYTES = 2**30


def all_objects(repo: Repository) -> Iterator[tuple[str, str, bytes | None]]:
    """Id, kind and bytes of every object here, packed or loose; None for bytes that cannot be read.

    Of trees the names come, those that were not in a tree before, each on a line.
    """
    raw = pygit2.Repository(str(repo.common_dir))
    names: set[bytes] = set()
    for oid in raw.odb:
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

    Links are not followed: where one leads stands for it.
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
                yield here / name, _bytes_of(here / name)


def _bytes_of(file: Path) -> bytes | None:
    try:
        if file.is_symlink():
            return os.fsencode(os.readlink(file))  # noqa: PTH115
        if not file.is_file():
            return b""
        if file.stat().st_size > MOST_FILE_BYTES:
            return None
        return read_regular(file)
    except FileNotFoundError:
        return b""
    except OSError:
        return None
