"""Objects, trees and refs that no git command would make, put straight into a repository."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.conftest import git

FILE, FOLDER, LINK = 0o100644, 0o040000, 0o120000
Entry = tuple[int, str | bytes, str]
"""Mode, name and id."""


@cache
def git_dir(folder: Path) -> Path:
    return Path(git(folder, "rev-parse", "--absolute-git-dir").strip())


def loose_object(folder: Path, kind: str, data: bytes) -> str:
    """The id of an object that is written without a look at what is in it."""
    raw = b"%b %d\0%b" % (kind.encode(), len(data), data)
    oid = hashlib.sha1(raw).hexdigest()
    file = git_dir(folder) / "objects" / oid[:2] / oid[2:]
    file.parent.mkdir(exist_ok=True)
    if not file.exists():
        file.write_bytes(zlib.compress(raw, 1))
    return oid


def huge_blob(folder: Path, size_bytes: int) -> str:
    """The id of a blob of NULs that takes a thousandth of its size on the disk."""
    digest = hashlib.sha1(head := b"blob %d\0" % size_bytes)
    packer = zlib.compressobj(1)
    pieces = [packer.compress(head)]
    piece = bytes(2**22)
    for _ in range(size_bytes // len(piece)):
        digest.update(piece)
        pieces.append(packer.compress(piece))
    pieces.append(packer.flush())
    oid = digest.hexdigest()
    file = git_dir(folder) / "objects" / oid[:2] / oid[2:]
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"".join(pieces))
    return oid


def blob(folder: Path, text: str | bytes) -> str:
    return loose_object(folder, "blob", text.encode() if isinstance(text, str) else text)


def memory(folder: Path, memory_id: str, text: str) -> str:
    return blob(folder, f"---\nid: {memory_id}\n---\n{text}\n")


def tree(folder: Path, entries: Sequence[Entry]) -> str:
    """The id of a tree with these entries, in this order."""
    lines = [
        b"%o %b\0%b"
        % (
            mode,
            name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape"),
            bytes.fromhex(oid),
        )
        for mode, name, oid in entries
    ]
    return loose_object(folder, "tree", b"".join(lines))


def entries_of(folder: Path, revision: str = "HEAD") -> list[Entry]:
    """The entries of the root tree of a commit."""
    found: list[Entry] = []
    for line in git(folder, "ls-tree", "-z", revision).split("\0"):
        if line:
            head, name = line.split("\t", 1)
            mode, _, oid = head.split()
            found.append((int(mode, 8), name, oid))
    return found


def commit_with(
    folder: Path, extra: Sequence[Entry], *, branch: str = "main", message: str = "crafted"
) -> str:
    """The id of a commit on `branch` that adds `extra` to the root; worktree and index stay as they are."""
    root = tree(folder, [*entries_of(folder, branch), *extra])
    commit = git(folder, "commit-tree", root, "-p", branch, "-m", message).strip()
    git(folder, "update-ref", f"refs/heads/{branch}", commit)
    return commit
