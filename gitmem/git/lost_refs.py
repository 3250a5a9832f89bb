"""Branches that an accident took: found by their logs, and put back where a whole commit is proved to belong.

After a power cut a ref may be an empty file, zeros, or gone, and the newest objects may be empty files. The
log of the branch and gitmem's journal name the commits that it stood at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from gitmem.errors import Damaged, NotFound, OutsideFailure
from gitmem.git import journal
from gitmem.git.aside import set_aside
from gitmem.git.environment import run_git
from gitmem.git.modes import GITLINK_MODE, TREE_MODE
from gitmem.git.objects import LIBGIT2_ERRORS, is_partial_clone, tree_id_of
from gitmem.git.refs import NOTHING, log_lines, ref_name
from gitmem.git.repository import Repository
from gitmem.git.trees import read_tree

_MOST_CANDIDATES = 200


class LostRef(Struct, frozen=True):
    """A branch that cannot be read: why, the newest commit that is whole, and how many newer ones are not."""

    branch: str
    reason: str
    commit: str | None
    newer: int
    broken: tuple[str, ...] = ()
    """The commit that the ref names, or those of its trees, that cannot be read."""


def find_lost_ref(repo: Repository, branch: str) -> LostRef | None:
    """What is wrong with the ref of a branch, or with the commit it names; None where all is well.

    A file that cannot be read is not the fault of the ref.
    """
    tip, broken = None, []
    try:
        tip = repo.local_tip(branch)
        if tip is None or is_partial_clone(repo.raw):
            return None
        broken = unreadable_trees(repo, tip)
        if not broken:
            return None
        reason = f"refs/heads/{branch} stands at {tip[:10]}, and {len(broken)} of its objects cannot be read"
    except Damaged as error:
        reason = error.message
    newer = 0
    for commit in _candidates(repo, branch):
        if commit != tip and is_whole(repo, commit):
            return LostRef(branch, reason, _finished(repo, branch, commit), newer, tuple(broken))
        newer += 1
    return LostRef(branch, reason, None, newer, tuple(broken))


def unreadable_trees(repo: Repository, commit: str) -> list[str]:
    """The commit, or those of its trees, that cannot be read."""
    try:
        repo.commit(commit)
        folders = [tree_id_of(repo.raw, commit)]
    except (Damaged, NotFound):
        return [commit]
    broken, seen = [], set(folders)
    for oid in folders:
        try:
            below = [below for _, mode, below in read_tree(repo.raw, oid) if mode == TREE_MODE]
        except (Damaged, NotFound, *LIBGIT2_ERRORS):
            broken.append(oid)
            continue
        folders += [tree for tree in below if tree not in seen]
        seen.update(below)
    return broken


def is_whole(repo: Repository, commit: str) -> bool:
    """Whether a commit can be read with every file of it, and its history leads to the beginning."""
    try:
        repo.commit(commit)
        for entry in repo.walk(commit):
            if entry.mode != GITLINK_MODE:
                repo.read_blob(entry.oid)
        arguments = ["rev-list", "--objects", "--quiet", commit]
        run_git(["--git-dir", str(repo.common_dir), *arguments], cwd=repo.common_dir, timeout_seconds=600)
    except (Damaged, NotFound, OutsideFailure):
        return False
    return True


def _candidates(repo: Repository, branch: str) -> Iterator[str]:
    """The commits that a branch stood at, the newest first, as the logs tell."""
    lines = log_lines(repo.common_dir, ref_name(branch))
    if repo.head_branch() == branch and repo.git_dir == repo.common_dir:
        lines = [*log_lines(repo.common_dir, "HEAD")[-1:], *lines]
    named = [commit for line in reversed(lines) for commit in (line.new, line.old)]
    yield from [commit for commit in dict.fromkeys(named) if commit != NOTHING][:_MOST_CANDIDATES]


def _finished(repo: Repository, branch: str, commit: str) -> str:
    """`commit`, or what a write was just making of it: that one may have been acknowledged."""
    for entry in journal.entries(repo.common_dir):
        if entry.branch == branch and entry.old == commit and is_whole(repo, entry.commit):
            return entry.commit
    return commit


def dangling_commits(repo: Repository) -> list[str]:
    """The commits that are here and that no ref leads to; logs do not count."""
    arguments = ["fsck", "--connectivity-only", "--no-reflogs", "--no-progress", "--dangling"]
    listed = run_git(
        ["--git-dir", str(repo.common_dir), *arguments], cwd=repo.common_dir, timeout_seconds=600
    )
    lines = (line.split() for line in listed.decode("ascii", "replace").splitlines())
    return [words[2] for words in lines if words[:2] == ["dangling", "commit"]]


def put_back(repo: Repository, lost: LostRef) -> Path | None:
    """Lets the branch stand at the whole commit; where the damaged file is kept, if there was one."""
    assert lost.commit is not None, "a commit was found"
    name = ref_name(lost.branch)
    for oid in lost.broken:
        set_aside(repo, repo.common_dir / "objects" / oid[:2] / oid[2:])
    kept = set_aside(repo, repo.common_dir / name)
    arguments = ["update-ref", "-m", "gitmem: doctor", name, lost.commit]
    run_git(["--git-dir", str(repo.common_dir), *arguments], cwd=repo.common_dir)
    return kept


def trees_from_index(repo: Repository, commit: str, worktree: Path) -> bool:
    """Lets git write the trees that its index describes anew; whether `commit` can be read after that."""
    for oid in unreadable_trees(repo, commit):
        set_aside(repo, repo.common_dir / "objects" / oid[:2] / oid[2:])
    try:
        run_git(["write-tree"], cwd=worktree)
    except OutsideFailure:
        return False
    return not unreadable_trees(Repository.discover(repo.git_dir), commit)
