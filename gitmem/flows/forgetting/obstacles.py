"""What stands in the way of a forget: refused with one line each, before anything changes."""

from __future__ import annotations

from pathlib import Path

from gitmem.errors import Busy, Refused, UnsupportedRepository
from gitmem.flows.work import Work
from gitmem.git.commits import signs_commits
from gitmem.git.objects import is_partial_clone
from gitmem.git.purge import borrows_from, lenders
from gitmem.git.refs import remote_names
from gitmem.git.worktrees import operation_in_progress


def refuse_obstacles(work: Work) -> None:
    """Raises `Busy`, `Refused` or `UnsupportedRepository` where history here cannot be rewritten safely."""
    repository = work.place.repository
    for tree in repository.worktrees():
        operation = operation_in_progress(tree.git_dir)
        if operation is not None:
            raise Busy(
                f"a {operation} is in progress in {tree.path}, so nothing was forgotten",
                hint="finish it or abort it, then repeat the command",
            )
    for git_dir in (repository.common_dir / "worktrees").glob("*/"):
        if git_dir not in [tree.git_dir for tree in repository.worktrees()]:
            raise Refused(
                f"the folder of the worktree {git_dir.name} is not there, so it cannot be cleaned",
                hint="bring it back, or let go of it: 'git worktree prune', 'git worktree remove'",
            )
    if repository.is_shallow():
        raise UnsupportedRepository(
            "this clone is shallow: what came before is not here, and cannot be rewritten",
            hint="'git fetch --unshallow' brings the rest, or forget where the history is whole",
        )
    if is_partial_clone(repository.raw):
        raise UnsupportedRepository(
            "this is a partial clone: not all objects are here to be looked at",
            hint="forget in a clone that has them all",
        )
    if repository.grafts() or repository.has_replacements():
        raise UnsupportedRepository(
            "git replace or info/grafts shows another history here than was committed",
            hint="take them out first: 'git replace -d', or remove info/grafts",
        )
    _refuse_borrowing(work)
    if work.place.config.policy.require_signed and not signs_commits(repository):
        raise Refused(
            "the policy wants signed commits (trust.require_signed), and nothing signs here",
            hint="set commit.gpgsign and user.signingkey: what was signed is signed again by you",
        )


def _refuse_borrowing(work: Work) -> None:
    repository = work.place.repository
    borrowed = lenders(repository)
    if borrowed:
        raise Refused(
            f"this repository borrows objects from {borrowed[0].parent}, where they would stay",
            hint="'git repack -a -d', then removing objects/info/alternates, ends that; forget there too",
        )
    for remote in remote_names(repository.raw):
        url = repository.config(f"remote.{remote}.url") or ""
        place = Path(url.removeprefix("file://"))
        base = repository.worktree or repository.git_dir
        for objects in (base / place / "objects", base / place / ".git" / "objects"):
            if url and objects.is_dir() and borrows_from(objects, repository):
                raise Refused(
                    f"{objects.parent} borrows objects from here, and would lose them",
                    hint=f"run 'git repack -a -d' there and remove {objects / 'info' / 'alternates'}",
                )
