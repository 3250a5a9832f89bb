"""Blobs and commits, read and written."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pygit2
from msgspec import Struct
from pygit2.enums import ObjectType

from gitmem.errors import Damaged, NotFound, OutsideFailure
from gitmem.git.environment import start_of_output
from gitmem.git.opening import common_directory
from gitmem.git.rights import refuse_unreadable

LIBGIT2_ERRORS = (pygit2.GitError, KeyError, ValueError, OSError)
"""What libgit2 raises where an object or ref cannot be had; never anything else that is expected."""

MAX_BLOB_BYTES = 512 * 1024 * 1024
"""A larger blob is not loaded: a few kilobytes of a pack can be a blob of any size."""
_LOADED_WHOLE_BYTES = 4 * 1024 * 1024
TEXT_ENCODING = re.compile(
    r"(?i)(utf|iso|latin|ascii|us-ascii|cp|windows|koi8|mac|shift|sjis|euc|gb|big5)[\w-]*"
)
"""Character sets that text is written in. Python knows more, some very slow, some no character sets."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 253402300799
_WRITE_ATTEMPTS = 10


class CommitInfo(Struct, frozen=True):
    """One commit as read: ids as hex, times aware in UTC, texts with undecodable bytes replaced."""

    id: str
    tree: str
    parents: tuple[str, ...]
    author_name: str
    author_email: str
    author_time: datetime
    committer_time: datetime
    message: str


def blob_id_of(data: bytes) -> str:
    """The id that a blob of `data` has, without writing it."""
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def read_blob(repo: pygit2.Repository, oid: str) -> bytes:
    """The bytes of the blob `oid`. Raises `Damaged` naming it where it is missing, corrupt or too large."""
    size_bytes = blob_size(repo, oid)
    if size_bytes > MAX_BLOB_BYTES:
        raise Damaged(f"object {oid} is larger than {MAX_BLOB_BYTES // 2**20} MiB and is not loaded")
    return load_blob(repo, oid)


def load_blob(repo: pygit2.Repository, oid: str) -> bytes:
    """The bytes of the blob `oid`, whose size the caller knows. Raises `Damaged`."""
    kind, data = _read(repo, oid)
    if kind != ObjectType.BLOB:
        raise Damaged(f"object {oid} is not a blob")
    return data


def read_start(repo: pygit2.Repository, oid: str, size_bytes: int) -> bytes:
    """The first bytes of the blob `oid`, at most `size_bytes`; no more than that of a large one is loaded."""
    if blob_size(repo, oid) <= max(size_bytes, _LOADED_WHOLE_BYTES):
        return load_blob(repo, oid)[:size_bytes]
    start = start_of_output(["cat-file", "blob", oid], cwd=Path(repo.path), size_bytes=size_bytes)
    if not start:
        raise _unreadable(repo, oid)
    return start


def blob_size(repo: pygit2.Repository, oid: str) -> int:
    """The number of bytes in the object `oid`, without reading it."""
    for attempt in range(2):
        try:
            return int(repo.odb.read_header(oid)[1])
        except LIBGIT2_ERRORS as error:
            if attempt:
                raise _unreadable(repo, oid) from error
            refresh(repo)
    raise AssertionError


def write_blob(repo: pygit2.Repository, data: bytes) -> str:
    """The id of a blob of `data`, which is on disk when this returns. May be repeated."""
    return write_object(repo, ObjectType.BLOB, data)


def write_object(repo: pygit2.Repository, kind: ObjectType, data: bytes) -> str:
    """The id of an object of `kind`, which is on disk when this returns."""
    for attempt in range(_WRITE_ATTEMPTS):
        try:
            return str(repo.write(kind, data))
        except LIBGIT2_ERRORS as error:
            # Git removes folders of objects that it has emptied, also one that was made for this object.
            if attempt + 1 == _WRITE_ATTEMPTS or "No such file" not in str(error):
                raise OutsideFailure(f"cannot write to the object database: {error}") from error
    raise AssertionError


def read_raw(repo: pygit2.Repository, oid: str, kind: ObjectType) -> bytes:
    """The bytes of the object `oid`, which must be of `kind`. Raises `Damaged`."""
    found, data = _read(repo, oid)
    if found != kind:
        raise Damaged(f"object {oid} is not what it should be ({kind.name.lower()})")
    return data


def _read(repo: pygit2.Repository, oid: str) -> tuple[int, bytes]:
    for attempt in range(2):
        try:
            kind, data = repo.read(oid)
        except LIBGIT2_ERRORS as error:
            if attempt:
                raise _unreadable(repo, oid) from error
            refresh(repo)
        else:
            return kind, data
    raise AssertionError


def _unreadable(repo: pygit2.Repository, oid: str) -> Damaged:
    """Why the object `oid` cannot be read: damage, or a partial clone that has not fetched it."""
    if is_partial_clone(repo):
        return Damaged(
            f"object {oid} is not here: this is a partial clone",
            hint="'git fetch --refetch --no-filter' brings all objects from the remote, "
            "'git checkout' those of a branch",
        )
    folder = common_directory(Path(repo.path)) / "objects"
    packs = sorted((folder / "pack").glob("*.pack")) if os.access(folder / "pack", os.R_OK) else []
    try:
        for file in (folder / oid[:2] / oid[2:], folder / "pack", *packs):
            refuse_unreadable(file)
    except Damaged as error:
        return Damaged(f"object {oid}: {error.message}", hint=error.hint)
    return Damaged(f"object {oid} is missing or damaged")


def is_partial_clone(repo: pygit2.Repository) -> bool:
    """Whether objects may be missing here because the clone was told to fetch them when they are needed."""
    try:
        promisors = [entry for entry in repo.config if entry.name.endswith(".promisor")]
        return bool(promisors) or "extensions.partialclone" in repo.config
    except LIBGIT2_ERRORS:
        return False


def refresh(repo: pygit2.Repository) -> None:
    """Look for packs again: a `git gc` of another process may just have moved every object."""
    try:
        # Reading an object that cannot exist makes libgit2 list the packs anew.
        repo.read("1" * 40)
    except LIBGIT2_ERRORS:
        return


def tree_id_of(repo: pygit2.Repository, oid: str) -> str:
    """The id of the tree that the commit, tag or tree `oid` shows."""
    for _ in range(20):
        kind, data = _read(repo, oid)
        if kind == ObjectType.TREE:
            return oid
        if kind == ObjectType.COMMIT and data.startswith(b"tree "):
            return data[5:45].decode("ascii", "replace")
        if kind == ObjectType.TAG and data.startswith(b"object "):
            oid = data[7:47].decode("ascii", "replace")
            continue
        break
    raise Damaged(f"object {oid} has no tree")


def read_commit(repo: pygit2.Repository, oid: str) -> CommitInfo:
    """The commit `oid`. Raises `NotFound` where nothing has that id, `Damaged` where it is no commit."""
    try:
        found = repo[oid]
    except LIBGIT2_ERRORS:
        refresh(repo)
        try:
            found = repo[oid]
        except KeyError as error:
            raise NotFound(f"there is no commit {oid}", name=oid) from error
        except LIBGIT2_ERRORS as error:
            raise Damaged(f"commit {oid} is damaged: {error}") from error
    if not isinstance(found, pygit2.Commit):
        raise Damaged(f"object {oid} is not a commit")
    try:
        return _commit_info(found)
    except LIBGIT2_ERRORS as error:
        raise Damaged(f"commit {oid} is damaged: {error}") from error


def first_parents(repo: pygit2.Repository, start: str) -> Iterator[CommitInfo]:
    """The commit `start`, its first parent, and so on to the root or the border of a shallow clone."""
    oid: str | None = start
    while oid is not None:
        info = read_commit(repo, oid)
        yield info
        oid = info.parents[0] if info.parents else None


def _commit_info(found: pygit2.Commit) -> CommitInfo:
    author = found.author
    encoding = found.message_encoding or "utf-8"
    return CommitInfo(
        id=str(found.id),
        tree=str(found.tree_id),
        parents=tuple(str(parent) for parent in found.parent_ids),
        author_name=_text(author.raw_name, encoding),
        author_email=_text(author.raw_email, encoding),
        author_time=_moment(author.time),
        committer_time=_moment(found.commit_time),
        message=_text(found.raw_message, encoding),
    )


def _text(data: bytes | None, encoding: str) -> str:
    try:
        return (data or b"").decode(encoding if TEXT_ENCODING.fullmatch(encoding) else "utf-8", "replace")
    except (LookupError, ValueError):
        return (data or b"").decode("utf-8", "replace")


def _moment(seconds: int) -> datetime:
    """`seconds` since 1970 as a time; what no calendar holds is brought to its nearest end."""
    return _EPOCH + timedelta(seconds=max(0, min(seconds, _LAST_SECOND)))
