"""doctor, first half: whether git can still tell where the branches of a store stand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from gitmem.errors import Damaged, GitmemError, NotFound
from gitmem.flows.doctoring.ailment import Ailment
from gitmem.git import packed_refs
from gitmem.git.lost_refs import LostRef, find_lost_ref, put_back, trees_from_index
from gitmem.git.repository import Repository
from gitmem.versions.config import ROLES
from gitmem.versions.place import MAIN_SETTING, place_of

BY_HAND = (
    "fetch it from a clone, or look for it with 'git fsck --lost-found' and set it with "
    "'git update-ref refs/heads/{branch} COMMIT'"
)


def examine_refs(repository: Repository, *, fix: bool) -> list[Ailment]:
    """The branches that were lost or damaged; with `fix` they are put back where that can be proved right."""
    found = list(_packed_refs(repository, fix))
    if found:
        if not fix:
            return found
        repository = Repository.discover(repository.worktree or repository.git_dir)
    for branch in _branches(repository):
        lost = find_lost_ref(repository, branch)
        if lost is not None:
            found.append(_mended(repository, lost) if fix else _reported(lost))
    return found


def _branches(repository: Repository) -> list[str]:
    """The branches of a store, also where nobody can read what its config calls them."""
    names = [repository.config(MAIN_SETTING), repository.head_branch(), "main", *ROLES]
    names += [f"gitmem/{role}" for role in ROLES]
    with contextlib.suppress(GitmemError):
        config = place_of(Repository.discover(repository.worktree or repository.git_dir)).config
        names = [config.main, *config.branches.values()]
    return [name for name in dict.fromkeys(names) if name]


def _packed_refs(repository: Repository, fix: bool) -> Iterator[Ailment]:
    count = packed_refs.damaged_lines(repository)
    if not count:
        return
    message = f"packed-refs is damaged: {count} lines are none that git writes"
    if not fix:
        yield Ailment("ref", message, hint="--fix keeps what of it can be read, and looks for the rest")
        return
    readable, kept = packed_refs.keep_readable(repository)
    yield Ailment("ref", f"{message}; {readable} refs in it were kept, the file is at {kept}", True)


def _reported(lost: LostRef) -> Ailment:
    if lost.commit is None:
        return Ailment("ref", lost.reason, hint=BY_HAND.format(branch=lost.branch))
    where = f"{lost.commit[:10]}, the newest commit in its log that is whole"
    if lost.newer:
        where += f" ({lost.newer} newer ones are not)"
    return Ailment("ref", lost.reason, hint=f"--fix puts the branch at {where}")


def _mended(repository: Repository, lost: LostRef) -> Ailment:
    if repository.worktree is not None and _are_trees_back(repository, lost):
        return Ailment("ref", f"{lost.reason}; they were made anew from git's index", True)
    if lost.commit is None:
        return _reported(lost)
    subject = (repository.commit(lost.commit).message.splitlines() or [""])[0]
    kept = put_back(repository, lost)
    message = (
        f"{lost.reason}; refs/heads/{lost.branch} was put at {lost.commit[:10]} ({subject}), "
        "the newest commit in its log that is whole"
    )
    if kept is not None:
        message += f"; the damaged file is in {kept.parent}"
    if lost.newer:
        message += (
            f"; {lost.newer} newer commits could not be read: what they brought is in the worktree, "
            "if anywhere, and shows as edits ('git status', then 'gitmem commit')"
        )
    return Ailment("ref", message, True)


def _are_trees_back(repository: Repository, lost: LostRef) -> bool:
    """Whether the commit is there and all its trees could be made anew from git's index."""
    assert repository.worktree is not None, "asked for before"
    try:
        tip = repository.local_tip(lost.branch)
        if tip is None or repository.head_branch() != lost.branch:
            return False
        repository.commit(tip)
    except (Damaged, NotFound):
        return False
    return trees_from_index(repository, tip, repository.worktree)
