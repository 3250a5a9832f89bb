"""The second step of a sync: what was fetched is rehearsed, then merged, archive before main."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import GitmemError, UnsupportedRepository
from gitmem.flows.merge import MergeKind, Merging, PolicyChange, merge, refuse_merge
from gitmem.flows.syncing.doubles import unite_doubles
from gitmem.flows.syncing.policy import policy_changes, refuse_taking, take_memories
from gitmem.flows.syncing.progress import PROPOSALS, Syncing
from gitmem.flows.syncing.values import Finding, FindingKind
from gitmem.git.ancestry import merge_bases
from gitmem.git.faults import point
from gitmem.model.ids import CommitId, id_key
from gitmem.versions.memory_changes import MemoryChange, What, memory_changes


def look_at_main(state: Syncing) -> None:
    """Notes a policy that differs. Raises `UnsupportedRepository` where a shallow clone cannot tell."""
    place, theirs = state.work.place, state.theirs.get(state.main)
    ours = place.tip(state.main)
    if theirs is not None:
        _refuse_cut_history(state, ours, theirs)
    state.policy = policy_changes(place, ours, theirs)
    if state.policy.there:
        _find_policy(state, state.policy.there)


def rehearse_main(state: Syncing) -> None:
    """Raises what stands in the way of merging main, and changes nothing."""
    theirs = state.theirs.get(state.main)
    if theirs is None:
        return
    if state.policy.there:
        refuse_taking(state.work, theirs, state.revision(state.main))
    else:
        refuse_merge(state.work, state.revision(state.main), theirs, policy=PolicyChange.REFUSE)


def merge_in(state: Syncing) -> None:
    """Brings in what was fetched. Nothing has moved where main cannot be merged."""
    look_at_main(state)
    place = state.work.place
    archive = state.theirs.get(state.archive)
    ours = place.tip(state.archive)
    before = (place.tip(state.main), _archive_before(state))
    if archive is not None and (ours is None or not place.repository.is_ancestor(archive, ours)):
        rehearse_main(state)
        _merge_beside(state, state.archive)
        point("sync.archive-merged")
    theirs = state.theirs.get(state.main)
    if theirs is not None:
        _merge_main(state, theirs)
        point("sync.merged")
    if not state.policy.there:
        unite_doubles(state, before)
    for branch in state.theirs:
        if branch.startswith(PROPOSALS) and place.repository.local_tip(branch) is not None:
            _merge_proposal(state, branch)


def _archive_before(state: Syncing) -> CommitId | None:
    """Where the archive stood before this round; that of the remote counts as ours where we have none."""
    before = state.work.place.repository.local_tip(state.archive) or state.before.get(state.archive)
    return CommitId(before) if before else None


def _refuse_cut_history(state: Syncing, ours: CommitId | None, theirs: CommitId) -> None:
    repository = state.work.place.repository
    if ours is None or not repository.is_shallow() or merge_bases(repository, ours, theirs):
        return
    raise UnsupportedRepository(
        f"this clone is shallow, and where it meets {state.revision(state.main)} is not in it; "
        "nothing was merged",
        hint=f"'git fetch --unshallow {state.remote}' brings the rest of the history",
    )


def _merge_main(state: Syncing, theirs: CommitId) -> None:
    before = state.work.place.tip(state.main)
    revision = state.revision(state.main)
    if state.policy.there:
        merging = take_memories(state.work, theirs, revision, origin=state.origin)
    else:
        merging = merge(state.work, revision, origin=state.origin, commit=theirs)
    _note(state, merging, before)
    if merging.kind is not MergeKind.NOTHING:
        _note_came(state, merging, before)


def _merge_beside(state: Syncing, branch: str) -> None:
    """What is no policy there has no force, so nothing on archives and proposals is held back."""
    before = state.work.place.tip(branch)
    merging = merge(
        state.work.on(branch),
        state.revision(branch),
        origin=state.origin,
        policy=PolicyChange.TAKE,
        commit=state.theirs[branch],
    )
    _note(state, merging, before)


def _merge_proposal(state: Syncing, branch: str) -> None:
    try:
        _merge_beside(state, branch)
    except GitmemError as error:
        message = f"{branch} was not merged: {error.message}"
        hint = error.hint or f"'git log {branch}...{state.revision(branch)}' shows both sides"
        state.findings[branch] = Finding(FindingKind.PROPOSAL, message, hint)


def _note(state: Syncing, merging: Merging, before: CommitId | None) -> None:
    state.notices |= dict.fromkeys(merging.notices)
    state.disputed |= dict.fromkeys(merging.disputed)
    state.report += merging.report
    if merging.kind is not MergeKind.NOTHING and merging.commit != before:
        state.moved_here.add(merging.branch)


def _note_came(state: Syncing, merging: Merging, before: CommitId | None) -> None:
    place, commit = state.work.place, merging.commit
    assert commit is not None, "the branch has moved"
    if merging.kind is MergeKind.MERGE:
        # Of what was written here meanwhile nothing came.
        before = CommitId(place.repository.commit(commit).parents[0])
    for change in memory_changes(place, before, commit, archives=state.archives()):
        key = id_key(change.id)
        was = state.came.get(key)
        is_new = was is not None and was.what is What.ADDED and change.what is What.CHANGED
        what = What.ADDED if is_new else change.what
        state.came[key] = MemoryChange(change.id, change.path, change.title, what, change.blob)


def _find_policy(state: Syncing, paths: Sequence[str]) -> None:
    revision = state.revision(state.main)
    state.findings[FindingKind.POLICY_THERE] = Finding(
        FindingKind.POLICY_THERE,
        f"{paths[0]} was changed in {revision}; a person has to take in what the store goes by",
        f"'git diff HEAD {revision} -- .gitmem' shows it, 'gitmem merge {revision} --policy' takes it in",
    )
