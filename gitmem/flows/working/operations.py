"""Which operation an undo takes back: its commits on all branches, by its id or the caller's last one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import Conflict, NotFound, Refused
from gitmem.flows.moving.carriage import UNDOES
from gitmem.flows.work import Work
from gitmem.flows.working.undoing import CROSSING
from gitmem.git.identity import author_of
from gitmem.git.repository import CommitInfo
from gitmem.model.change import Origin, trailers_of

NOT_UNDONE = {
    "init": "use 'gitmem uninit'",
    "uninit": "use 'gitmem init'",
    "forget": "what was forgotten is gone for good; 'gitmem undo OPERATION' takes an earlier operation back",
}
"""Operations that no new commit takes back, with what there is instead."""
UNSHALLOW = "'git fetch --unshallow' brings the rest of the history"
_PASSED_OVER = frozenset({"init", "uninit"})


def commits_of(work: Work, operation_id: str | None, origin: Origin) -> dict[str, CommitInfo]:
    """The commits of one operation by branch; the caller's newest that is not undone if none is named."""
    if operation_id is None:
        operation_id = _last_own(work, origin)
    found: dict[str, CommitInfo] = {}
    border = work.place.repository.shallow_commits()
    cut: list[CommitInfo] = []
    for branch in (work.branch, *work.place.config.branches.values()):
        taken_back: set[str] = set()
        for commit, trailers in _operations(work, branch):
            if commit.id in border:
                cut.append(commit)
            if taken_back.intersection(trailers.get("Operation-Id", [])):
                continue
            taken_back.update(trailers.get(UNDOES, []))
            if operation_id in trailers.get(UNDOES, []):
                raise Conflict(f"operation {operation_id} is undone already, by {commit.id[:10]}")
            if operation_id in trailers.get("Operation-Id", []):
                found[branch] = commit
                break
    if not found:
        raise NotFound(
            f"no operation {operation_id} on {work.branch}",
            name=operation_id,
            hint=f"this is a shallow clone: {UNSHALLOW}"
            if cut
            else "'gitmem log --json' shows operation_id of every commit",
        )
    _refuse_cut(operation_id, found, cut)
    return found


def _refuse_cut(operation_id: str, found: Mapping[str, CommitInfo], cut: Sequence[CommitInfo]) -> None:
    """Raises `Refused` where a part of the operation may lie at the border of a shallow clone, or behind it.

    The commit at the border has no parent here, and so seems to have brought every memory there is.
    """
    began = min(commit.committer_time for commit in found.values())
    if any(commit.committer_time >= began for commit in cut):
        raise Refused(
            f"{operation_id} stands where this shallow clone ends, so what it changed cannot be told",
            hint=UNSHALLOW,
        )


def _last_own(work: Work, origin: Origin) -> str:
    """The caller's newest operation that is neither an undo nor undone; of notes, too."""
    me = author_of(work.place.repository)
    last = next(_own(work, work.branch, origin), None)
    if work.branch == work.place.main:
        # It may have left main as it was.
        for commit, trailers in _own(work, work.place.config.branches["working"], origin):
            if last is not None and commit.committer_time <= last[0].committer_time:
                break
            if trailers.get("Operation", [""])[0] in CROSSING:
                last = commit, trailers
                break
    if last is not None:
        return last[1]["Operation-Id"][0]
    raise NotFound(
        f"no operation of {me.name} <{me.email}> to undo on {work.branch}",
        name="undo",
        hint="name one: 'gitmem log --json' shows operation_id of every commit",
    )


def _own(work: Work, branch: str, origin: Origin) -> Iterator[tuple[CommitInfo, dict[str, list[str]]]]:
    """The caller's operations on a branch that can be undone and are not, newest first."""
    me = author_of(work.place.repository)
    undone: set[str] = set()
    for commit, trailers in _operations(work, branch):
        operation_id = trailers.get("Operation-Id", [""])[0]
        if operation_id in undone:
            # An undo that was itself taken back undid nothing.
            continue
        undone.update(trailers.get(UNDOES, []))
        if not operation_id or UNDOES in trailers:
            continue
        if commit.author_email != me.email or (origin.agent and trailers.get("Agent") != [origin.agent]):
            continue
        if trailers.get("Operation", [""])[0] not in _PASSED_OVER:
            yield commit, trailers


def _operations(work: Work, branch: str) -> Iterator[tuple[CommitInfo, dict[str, list[str]]]]:
    tip = work.place.tip(branch)
    if tip is None:
        return
    veil = work.place.veil
    for commit in work.place.repository.first_parents(tip):
        if veil is None or not veil.touches_hidden(commit):
            yield commit, trailers_of(commit.message)
