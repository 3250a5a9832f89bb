"""The last step of a sync: main and archive go to the remote together, never by force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.errors import OutsideFailure
from gitmem.flows.syncing.policy import commit_for_them, policy_changes
from gitmem.flows.syncing.progress import PROPOSALS, Syncing
from gitmem.flows.syncing.values import Finding, FindingKind
from gitmem.git.faults import point
from gitmem.git.remotes import OVERTAKEN, Rejection, push_branches
from gitmem.git.side_refs import move_side_ref
from gitmem.model.ids import CommitId
from gitmem.versions.memory_changes import memory_changes

_NOT_ITS_OWN_FAULT = "atomic"


def push(state: Syncing) -> bool:
    """Whether the remote has all of ours now; False where somebody was faster."""
    commits = _commits_to_push(state)
    if not commits:
        return True
    repository = state.work.place.repository
    point("sync.before-push")
    rejections = push_branches(repository, state.remote, commits)
    if rejections:
        _refuse_other_rejections(state, rejections)
        return False
    point("sync.pushed")
    for branch, commit in commits.items():
        # Git notes it itself where its config says that the branch is fetched.
        move_side_ref(
            repository,
            f"refs/remotes/{state.remote}/{branch}",
            commit,
            expected=repository.remote_tip(state.remote, branch),
        )
    _note_went(state, commits)
    return True


def _commits_to_push(state: Syncing) -> dict[str, str]:
    """The commits that the remote lacks, by branch; main and archive are of one moment."""
    place = state.work.place
    main, archive = place.tips_of(state.main, state.archive)
    commits: dict[str, str] = {}
    if may_push_main(state, main):
        theirs = state.theirs.get(state.main)
        if main is not None and theirs is not None and state.policy.there:
            main = commit_for_them(state.work, main, theirs, state.revision(state.main), origin=state.origin)
        wanted = {state.main: main, state.archive: archive if state.wants_archive() else None}
        commits = {name: tip for name, tip in wanted.items() if tip and not _has(state, name, tip)}
    for branch in place.repository.branch_names():
        if branch.startswith(PROPOSALS):
            tip = place.repository.local_tip(branch)
            if tip and branch not in state.findings and not _has(state, branch, tip):
                commits[branch] = tip
    return commits


def _has(state: Syncing, branch: str, commit: str) -> bool:
    """Whether the remote has the commit on this branch, or had it on a proposal that was taken away."""
    repository = state.work.place.repository
    theirs: str | None = state.theirs.get(branch)
    if branch.startswith(PROPOSALS):
        theirs = theirs or repository.remote_tip(state.remote, branch)
    return theirs is not None and repository.is_ancestor(commit, theirs)


def may_push_main(state: Syncing, ours: CommitId | None) -> bool:
    """Whether no change of the policy would go out that only a person may send."""
    theirs = state.theirs.get(state.main)
    paths = policy_changes(state.work.place, ours, theirs).here
    if not paths:
        return True
    if state.work.identity.is_person and not state.policy.there:
        state.notices[f"{paths[0]} was changed here, and goes along"] = None
        return True
    revision = state.revision(state.main)
    if state.policy.there:
        message = f"{paths[0]} was changed here, and the policy in {revision} too; nothing was pushed"
        hint = f"'git merge {revision}' shows the conflict, for a person to settle"
    else:
        message = (
            f"{paths[0]} was changed here, and {state.work.identity} may not send it; nothing was pushed"
        )
        hint = "a person has to sync once"
    state.findings[FindingKind.POLICY_HERE] = Finding(FindingKind.POLICY_HERE, message, hint)
    return False


def _refuse_other_rejections(state: Syncing, rejections: Sequence[Rejection]) -> None:
    """Raises `OutsideFailure` where the remote refused for another reason than that it had moved."""
    for rejection in rejections:
        if _NOT_ITS_OWN_FAULT in rejection.reason or OVERTAKEN.search(rejection.reason):
            continue
        said = f": {rejection.said}" if rejection.said else ""
        hint = None
        if "currently checked out" in rejection.reason:
            hint = (
                "make it a bare repository, or run there: git config receive.denyCurrentBranch updateInstead"
            )
        raise OutsideFailure(
            f"{state.remote} does not take {rejection.branch}: {rejection.reason}{said}", hint=hint
        )


def _note_went(state: Syncing, commits: Mapping[str, str]) -> None:
    state.moved_there |= set(commits)
    sent = commits.get(state.main)
    if sent is not None:
        before = state.theirs.get(state.main)
        state.went = memory_changes(state.work.place, before, CommitId(sent), archives=state.archives())
    state.theirs |= {branch: CommitId(commit) for branch, commit in commits.items()}
