"""Git's index as it may be after an accident: unreadable, or behind the branch that it belongs to."""

from __future__ import annotations

from pathlib import Path

from gitmem.errors import Damaged, NotFound
from gitmem.git import journal
from gitmem.git.aside import set_aside
from gitmem.git.environment import run_git
from gitmem.git.index_file import IndexFile, UnusualIndex
from gitmem.git.journal import FileChange
from gitmem.git.plain_index import read_index
from gitmem.git.recover import recover
from gitmem.git.reflog import recent_tips
from gitmem.git.repository import Repository
from gitmem.git.trees import decode_path
from gitmem.git.worktrees import Worktree

_TIPS_LOOKED_AT = 50


def why_unreadable(worktree: Worktree) -> str | None:
    """What is wrong with the bytes of the index; None where git can read it."""
    data = read_index(worktree.git_dir).data
    if data is None:
        return None
    try:
        IndexFile(data)
    except UnusualIndex:
        return None
    except Damaged as error:
        return error.message
    return None


def make_anew(repo: Repository, worktree: Worktree) -> Path | None:
    """Lets git make the index of HEAD; where the damaged one is kept. What was staged is lost with that."""
    kept = set_aside(repo, worktree.git_dir / "index")
    run_git(["reset", "--quiet"], cwd=worktree.path)
    return kept


def behind(repo: Repository, worktree: Worktree) -> list[FileChange]:
    """The files that the index holds as the branch had them lately, and the worktree as it has them now.

    So nobody staged that: a program wrote an old index back. Its next commit would undo what came between.
    """
    if worktree.branch is None or (head := repo.local_tip(worktree.branch)) is None:
        return []
    arguments = ["diff-index", "--cached", "--raw", "--no-renames", "--abbrev=40", "-z", head]
    fields = run_git(arguments, cwd=worktree.path).split(b"\0")
    tips = [tip for tip in recent_tips(repo, worktree.branch, _TIPS_LOOKED_AT) if tip != head]
    found = []
    for about, raw_path in zip(fields[::2], fields[1::2], strict=False):
        now, staged = (_oid(word) for word in about.split(b" ")[2:4])
        change = FileChange(decode_path(raw_path), staged, now)
        if _is_as_head(repo, worktree, change) and _was_so(repo, tips, change):
            found.append(change)
    return found


def bring_along(repo: Repository, worktree: Worktree, changes: list[FileChange]) -> list[str]:
    """Lets the index hold these files as the branch does, as after an interrupted write; what was said."""
    assert worktree.branch is not None, "asked for before"
    tip = repo.local_tip(worktree.branch)
    assert tip is not None, "asked for before"
    entry = journal.begin(
        repo.common_dir,
        branch=worktree.branch,
        old=tip,
        commit=tip,
        label="doctor: bring git's index along",
        changes=changes,
        worktrees=[(worktree.path, worktree.git_dir)],
    )
    entry.mark_pending()
    return recover(repo)


def _oid(word: bytes) -> str | None:
    return None if not word.strip(b"0") else word.decode("ascii")


def _is_as_head(repo: Repository, worktree: Worktree, change: FileChange) -> bool:
    file = worktree.path / change.path
    if change.new is None:
        return not file.exists() and not file.is_symlink()
    return not file.is_symlink() and repo.same_as_blob(worktree.path, change.path, change.new)


def _was_so(repo: Repository, tips: list[str], change: FileChange) -> bool:
    """Whether the branch held at one of `tips` what the index holds."""
    for tip in tips:
        try:
            entry = repo.entry(tip, change.path)
        except (Damaged, NotFound):
            continue
        if (entry.oid if entry else None) == change.old:
            return True
    return False
