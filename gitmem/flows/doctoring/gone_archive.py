"""doctor: an archive that somebody removed, as a clean-up of branches does; its commits stay for a while."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from gitmem.flows.doctoring.ailment import Ailment
from gitmem.flows.moving.carriage import MOVED_TO
from gitmem.flows.work import Work
from gitmem.git.lost_refs import LostRef, dangling_commits, is_whole, put_back
from gitmem.git.refs import remote_names
from gitmem.git.repository import Repository
from gitmem.model.change import trailers_of

_MOST_COMMITS = 10_000
_OPERATION_ID = "Operation-Id"


def examine_gone_archive(work: Work, fix: bool) -> list[Ailment]:
    """That memories were archived and the branch is on no side any more; with `fix` it is put back.

    A clone need not have the archive: one of a single branch never does, others where its commits are here.
    """
    place = work.place
    repository, branch = place.repository, place.config.branches["archive"]
    if place.tip(branch) is not None:
        return []
    remotes = remote_names(repository.raw)
    operation = next(_moves_to(work, branch), None)
    if operation is None or any(
        "*" not in (repository.config(f"remote.{each}.fetch") or "") for each in remotes
    ):
        return []
    reason = f"refs/heads/{branch} is missing, though memories were archived"
    commit = _last_commit(repository, operation)
    if commit is None:
        hint = f"fetch it from a clone, or 'git update-ref refs/heads/{branch} COMMIT' from a backup"
        return [] if remotes else [Ailment("ref", reason, hint=hint)]
    if not fix:
        return [Ailment("ref", reason, hint=f"--fix puts the branch at {commit[:10]}, where it stood last")]
    put_back(repository, LostRef(branch, reason, commit, 0))
    return [Ailment("ref", f"{reason}; it was put at {commit[:10]}, where it stood last", True)]


def _moves_to(work: Work, branch: str) -> Iterator[str]:
    """The operations that moved memories from main to the branch, the newest first."""
    tip = work.place.tip(work.place.main)
    for commit in islice(work.place.repository.first_parents(tip), _MOST_COMMITS) if tip else ():
        trailers = trailers_of(commit.message)
        if branch in trailers.get(MOVED_TO, []):
            yield from trailers.get(_OPERATION_ID, [])


def _last_commit(repository: Repository, operation: str) -> str | None:
    """The newest commit that no ref leads to and that has the one of the operation behind it, or is it."""
    found = []
    for oid in dangling_commits(repository):
        chain = islice(repository.first_parents(oid), _MOST_COMMITS)
        if any(operation in trailers_of(each.message).get(_OPERATION_ID, []) for each in chain):
            found.append(repository.commit(oid))
    found.sort(key=lambda each: each.committer_time, reverse=True)
    return next((each.id for each in found if is_whole(repository, each.id)), None)
