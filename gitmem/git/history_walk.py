"""All history that hangs on anything: refs, detached heads, logs of refs; and what each commit changed.

`git gc` keeps what one of these names. So whoever takes something out of history for good has to look at all
of them, in every worktree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct, field
from pygit2.enums import ObjectType

from gitmem.git.beneath import read_regular
from gitmem.git.environment import run_git
from gitmem.git.objects import LIBGIT2_ERRORS, read_raw
from gitmem.git.refs import NOTHING, read_head
from gitmem.git.repository import Repository
from gitmem.git.trees import encode_path
from gitmem.git.upkeep import git_version
from gitmem.git.worktrees import linked_worktrees

SHIELDING = ("refs/heads/", "refs/remotes/", "refs/tags/")
"""Refs that stand for what people keep on purpose; others hold leftovers and notes."""
_PRIVATE = ("refs/worktree/", "refs/bisect/", "refs/rewritten/")
_NO_FILE = ("000000", "160000")
_LINK = "120000"
_TIMEOUT_SECONDS = 3600.0
_LINE = re.compile(rb"([0-9a-f]{40}) ([0-9a-f]{40}) ([^\n]*)\n?")


class Ref(Struct, frozen=True):
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


FileChanges = list[tuple[bytes, str | None, str | None]]
"""What one commit changed against its first parent: path, and the blob before and after."""


class History(Struct):
    """Commits, each after its parents, with what they changed; and all files that ever stood in them.

    `shielding` has path and blob of what stands in history that people keep on purpose; `others` what stands
    in leftovers alone. `links` are the symbolic links among them.
    """

    changes: dict[str, FileChanges] = field(default_factory=dict)
    shielding: set[tuple[bytes, str]] = field(default_factory=set)
    others: set[tuple[bytes, str]] = field(default_factory=set)
    links: set[tuple[bytes, str]] = field(default_factory=set)

    @property
    def files(self) -> set[tuple[bytes, str]]:
        return self.shielding | self.others


def read_history(repo: Repository, refs: Iterable[Ref], *, with_logs: bool = True) -> History:
    """All that hangs on `refs` and, unless left out, on the logs of refs. Raises `OutsideFailure`."""
    history = History()
    refs = list(refs)
    shielding = [peeled(repo, ref.target) for ref in refs if ref.name.startswith(SHIELDING)]
    rest = [peeled(repo, ref.target) for ref in refs if not ref.name.startswith(SHIELDING)]
    rest += logged_commits(repo) if with_logs else []
    _read(repo, shielding, [], history, history.shielding)
    _read(repo, rest, shielding, history, history.others)
    history.others -= history.shielding
    return history


def _read(
    repo: Repository, starts: list[str], known: list[str], history: History, files: set[tuple[bytes, str]]
) -> None:
    """Reads what comes from `starts` and not from what is `known` already."""
    starts = list(dict.fromkeys(starts))
    commits = [oid for oid in starts if kind_of(repo, oid) == ObjectType.COMMIT]
    if commits:
        ends = [f"^{oid}" for oid in known if kind_of(repo, oid) == ObjectType.COMMIT]
        _read_commits(repo, [*commits, *ends], history, files)
    for oid in starts:
        kind = kind_of(repo, oid)
        if kind == ObjectType.TREE:
            files.update((encode_path(entry.path), entry.oid) for entry in repo.walk(oid))
        elif kind == ObjectType.BLOB:
            files.add((b"", oid))


def _read_commits(
    repo: Repository, revisions: list[str], history: History, files: set[tuple[bytes, str]]
) -> None:
    merges = "--diff-merges=first-parent" if git_version() >= (2, 31) else "-m"
    output = run_git(
        ["-c", "log.showSignature=false", "log", "--stdin", "--topo-order", "--reverse", "--raw", "-z",
         "--no-abbrev", "--no-renames", "--root", merges, "--format=%H"],
        cwd=repo.git_dir,
        input="".join(f"{each}\n" for each in revisions).encode("ascii"),
        timeout_seconds=_TIMEOUT_SECONDS,
    )  # fmt: skip
    tokens = iter(output.split(b"\0"))
    changed: FileChanges = []
    for token in tokens:
        token = token.lstrip(b"\n")
        if not token.startswith(b":"):
            if token:
                changed = history.changes.setdefault(token.decode("ascii"), [])
            continue
        path = next(tokens)
        old_mode, new_mode, old, new, _ = token[1:].decode("ascii").split(" ")
        sides = [oid if mode not in _NO_FILE else None for mode, oid in ((old_mode, old), (new_mode, new))]
        if _LINK in (old_mode, new_mode):
            history.links.update(
                (path, oid) for mode, oid in ((old_mode, old), (new_mode, new)) if mode == _LINK
            )
        if any(sides):
            changed.append((path, sides[0], sides[1]))
        if sides[1]:
            files.add((path, sides[1]))
