"""The index of a worktree in the plain form that can be spliced, and back in the form that it had."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.git.beneath import open_regular
from gitmem.git.environment import run_git
from gitmem.git.index_file import IndexFile, UnusualIndex, empty_index
from gitmem.git.index_map import IndexMap, read_map, write_map
from gitmem.git.repository import Repository
from gitmem.git.worktrees import Worktree

# Extensions that would make git run a program or look at the whole worktree while it converts.
_PLAINLY = (
    "-c", "core.fsmonitor=false",
    "-c", "core.untrackedCache=keep",
    "-c", "core.splitIndex=false",
    "-c", "index.sparse=false",
    "-c", "index.threads=1",
)  # fmt: skip


class IndexState(Struct, frozen=True):
    """What the index was when it was read: its bytes, and what tells that it is still the same."""

    data: bytes | None
    written_ns: int
    signature: tuple[int, int, int] | None


def read_index(git_dir: Path) -> IndexState:
    """The bytes of the index now, with its identity; `data` is None where there is none."""
    try:
        with os.fdopen(open_regular(git_dir / "index"), "rb") as file:
            stat = os.fstat(file.fileno())
            return IndexState(file.read(), stat.st_mtime_ns, (stat.st_ino, stat.st_size, stat.st_mtime_ns))
    except FileNotFoundError:
        return IndexState(None, 0, None)


def index_signature(git_dir: Path) -> tuple[int, int, int] | None:
    """What changes whenever git writes the index."""
    try:
        stat = (git_dir / "index").stat()
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


class PlainIndex:
    """A spliceable view of an index, with git's help where only git can read it.

    `known` is the file of the map of the index (`index_map`); `without_filters` are variables for git
    that keep it from running the filter programs of its config.
    """

    def __init__(
        self,
        worktree: Worktree,
        scratch: Path,
        known: Path,
        state: IndexState,
        tree: str | None,
        without_filters: Mapping[str, str],
    ) -> None:
        self._worktree = worktree
        self._without_filters = without_filters
        self._scratch = scratch
        self._known = known
        self._version = 2
        if state.data is None:
            data = empty_index() if tree is None else self._git(None, 0, ["read-tree", tree])
        else:
            data = state.data
        try:
            self.file = IndexFile(data, read_map(known, data[-20:]))
        except UnusualIndex:
            self._version = 4 if data[4:8] == b"\0\0\0\4" else 2
            plain = self._git(
                data,
                state.written_ns,
                ["update-index", "--no-split-index", f"--index-version={6 - self._version}"],
                ["update-index", "--no-split-index", "--index-version=2"],
            )
            self.file = IndexFile(plain)

    def keep_map(self, known: IndexMap) -> None:
        """Remember what is known of the index that was made of this one."""
        if self._version == 2:
            write_map(self._known, known)

    def restored(self, pieces: Sequence[bytes | memoryview]) -> Sequence[bytes | memoryview]:
        """The index in the version that it had. Split and sparse ones git makes anew when it wants."""
        if self._version == 2:
            return pieces
        # The times stay those of the files, so the copy must count as written now.
        return [self._git(b"".join(pieces), None, ["update-index", f"--index-version={self._version}"])]

    def _git(self, data: bytes | None, written_ns: int | None, *commands: Sequence[str]) -> bytes:
        self._scratch.unlink(missing_ok=True)
        if data is not None:
            self._scratch.write_bytes(data)
            if written_ns is not None:
                os.utime(self._scratch, ns=(written_ns, written_ns))
        environment = {
            **self._without_filters,
            "GIT_DIR": str(self._worktree.git_dir),
            "GIT_WORK_TREE": str(self._worktree.path),
            "GIT_INDEX_FILE": str(self._scratch),
        }
        for command in commands:
            run_git([*_PLAINLY, *command], cwd=self._worktree.path, extra_env=environment)
        plain = self._scratch.read_bytes()
        self._scratch.unlink()
        return plain


def outside_sparse_cone(
    repo: Repository, worktree: Worktree, paths: Sequence[bytes], scratch: Path
) -> frozenset[bytes]:
    """Those of `paths` that the sparse checkout keeps out of the worktree.

    Git decides: it checks an index of these paths alone out into an empty folder.
    """
    folder = scratch / "sparse"
    folder.mkdir()
    empty = repo.write_blob(b"")
    environment = {
        **repo.without_filters(),
        "GIT_DIR": str(worktree.git_dir),
        "GIT_WORK_TREE": str(folder),
        "GIT_INDEX_FILE": str(scratch / "sparse-index"),
    }
    lines = b"".join(b"100644 %b\t%b\0" % (empty.encode("ascii"), path) for path in paths)
    run_git([*_PLAINLY, "update-index", "-z", "--index-info"], cwd=folder, input=lines, extra_env=environment)
    tree = run_git([*_PLAINLY, "write-tree"], cwd=folder, extra_env=environment).decode("ascii").strip()
    (scratch / "sparse-index").unlink()
    run_git([*_PLAINLY, "read-tree", "--reset", "-u", tree], cwd=folder, extra_env=environment)
    listed = run_git([*_PLAINLY, "ls-files", "-t", "-z"], cwd=folder, extra_env=environment)
    with contextlib.suppress(OSError):
        (scratch / "sparse-index").unlink()
    return frozenset(line[2:] for line in listed.split(b"\0") if line.startswith(b"S "))
