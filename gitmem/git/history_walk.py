"""All history that hangs on anything: refs, detached heads, logs of refs; and what each commit changed.

`git gc` keeps what one of these names. So whoever takes something out of history for good has to look at all
of them, in every worktree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pygit2.enums import ObjectType, SortMode

from gitmem.git.beneath import read_regular
from gitmem.git.environment import run_git
from gitmem.git.folders import FolderReader
from gitmem.git.objects import LIBGIT2_ERRORS, read_raw, tree_id_of
from gitmem.git.refs import NOTHING, read_head
from gitmem.git.repository import Repository
from gitmem.git.worktrees import linked_worktrees

SHIELDING = ("refs/heads/", "refs/remotes/", "refs/tags/")
"""Refs that stand for what people keep on purpose; others hold leftovers and notes."""
_PRIVATE = ("refs/worktree/", "refs/bisect/", "refs/rewritten/")
_GITLINK = b"160000"
_LINE = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) ([^\n]*)\n?")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Ref:
    """A name for an object: a ref, or the detached HEAD of the worktree of `git_dir`."""

    name: str
    target: str
    git_dir: Path

    @property
    def is_head(self) -> bool:
        return self.name == "HEAD"

    @property
    def branch(self) -> str | None:
        """The local branch that it is."""
        return self.name.removeprefix("refs/heads/") if self.name.startswith("refs/heads/") else None


def all_refs(repo: Repository) -> list[Ref]:
    """Every ref that is no mere name of another one, and every detached HEAD, of all worktrees."""
    found = []
    common = repo.common_dir
    for git_dir in [common, *(tree.git_dir for tree in linked_worktrees(common))]:
        lines = run_git(
            ["for-each-ref", "--format=%(objectname) %(refname) %(symref)"],
            cwd=git_dir,
            extra_env={"GIT_DIR": str(git_dir)},
        )
        for line in lines.decode("utf-8", "surrogateescape").splitlines():
            target, name, symref = line.split(" ", 2)
            if not symref and (git_dir == common or name.startswith(_PRIVATE)):
                found.append(Ref(name, target, git_dir))
        branch, commit = read_head(git_dir)
        if branch is None and commit is not None:
            found.append(Ref("HEAD", commit, git_dir))
    return found


def log_files(repo: Repository) -> list[Path]:
    """The files of all logs of refs, of all worktrees."""
    folders = [repo.common_dir / "logs"]
    folders += [tree.git_dir / "logs" for tree in linked_worktrees(repo.common_dir)]
    return [file for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()]


def logged_commits(repo: Repository) -> list[str]:
    """The commits that logs name and that are still here."""
    ids = {
        oid.decode("ascii")
        for file in log_files(repo)
        for line in _LINE.findall(read_regular(file) or b"")
        for oid in line[:2]
    }
    return [oid for oid in sorted(ids - {NOTHING}) if kind_of(repo, oid) == ObjectType.COMMIT]


def kind_of(repo: Repository, oid: str) -> int | None:
    """What the object `oid` is; None where it is not here."""
    try:
        return int(repo.raw.odb.read_header(oid)[0])
    except LIBGIT2_ERRORS:
        return None


def peeled(repo: Repository, oid: str) -> str:
    """What a tag leads to, through other tags; anything else is itself."""
    for _ in range(20):
        if kind_of(repo, oid) != ObjectType.TAG:
            break
        oid = read_raw(repo.raw, oid, ObjectType.TAG)[7:47].decode("ascii")
    return oid


@dataclass(slots=True)
class Changed:
    """What one commit changed against its first parent: path, and the blob before and after."""

    files: list[tuple[bytes, str | None, str | None]] = field(default_factory=list)


@dataclass(slots=True)
class History:
    """Commits, each after its parents, and all files that ever stood in them.

    `shielding` has path and blob of what stands in history that people keep on purpose; `others` what stands
    in leftovers alone.
    """

    changes: dict[str, Changed] = field(default_factory=dict)
    shielding: set[tuple[bytes, str]] = field(default_factory=set)
    others: set[tuple[bytes, str]] = field(default_factory=set)
    links: set[tuple[bytes, str]] = field(default_factory=set)
    """Symbolic links among them."""

    @property
    def files(self) -> set[tuple[bytes, str]]:
        return self.shielding | self.others


def read_history(
    repo: Repository,
    refs: Iterable[Ref],
    progress: Progress = lambda _done, _total: None,
    *,
    with_logs: bool = True,
) -> History:
    """All that hangs on `refs` and, unless they are left out, on the logs of refs. Raises `Damaged`."""
    history = History()
    refs = list(refs)
    shielding = [peeled(repo, ref.target) for ref in refs if ref.name.startswith(SHIELDING)]
    rest = [peeled(repo, ref.target) for ref in refs if not ref.name.startswith(SHIELDING)]
    reader = FolderReader(repo)
    rest += logged_commits(repo) if with_logs else []
    for starts, files in ((shielding, history.shielding), (rest, history.others)):
        commits = [oid for oid in dict.fromkeys(starts) if kind_of(repo, oid) == ObjectType.COMMIT]
        order = _order(repo, commits, history.changes)
        for number, (oid, parents, tree) in enumerate(order):
            before = tree_id_of(repo.raw, parents[0]) if parents else None
            changed = Changed(list(_changes(reader, before, tree, history)))
            history.changes[oid] = changed
            files.update((path, new) for path, _, new in changed.files if new)
            if number % 500 == 0:
                progress(number, len(order))
        for oid in dict.fromkeys(starts):
            _read_beside(repo, oid, reader, files, history)
    history.others -= history.shielding
    return history


def _order(
    repo: Repository, starts: list[str], known: dict[str, Changed]
) -> list[tuple[str, list[str], str]]:
    """The commits from `starts` that are not `known`: id, parents, tree; each after its parents."""
    if not starts:
        return []
    walker = repo.raw.walk(starts[0], SortMode.TOPOLOGICAL | SortMode.REVERSE)
    for start in starts[1:]:
        walker.push(start)
    return [
        (str(each.id), [str(parent) for parent in each.parent_ids], str(each.tree_id))
        for each in walker
        if str(each.id) not in known
    ]


def _read_beside(
    repo: Repository, oid: str, reader: FolderReader, files: set[tuple[bytes, str]], history: History
) -> None:
    """Trees and blobs that a ref names without a commit."""
    kind = kind_of(repo, oid)
    if kind == ObjectType.TREE:
        files.update((path, new) for path, _, new in _changes(reader, None, oid, history) if new)
    elif kind == ObjectType.BLOB:
        files.add((b"", oid))


def _changes(
    reader: FolderReader, old: str | None, new: str | None, history: History
) -> Iterator[tuple[bytes, str | None, str | None]]:
    for folder in reader.differences(old, new):
        for name in folder.names():
            path = folder.path + name
            sides = []
            for held in (folder.old.get(name), folder.new.get(name)):
                is_file = held is not None and not held.is_folder and held.mode != _GITLINK
                sides.append(held.oid.hex() if held is not None and is_file else None)
                if held is not None and held.mode == b"120000":
                    history.links.add((path, held.oid.hex()))
            if any(sides):
                yield path, sides[0], sides[1]
