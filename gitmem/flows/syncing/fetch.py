"""The first step of a sync: what the remote has comes to where git's own fetch puts it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from gitmem.errors import NotFound, OutsideFailure
from gitmem.flows.syncing.forgotten import refuse_known_tips, refuse_old_history
from gitmem.flows.syncing.progress import PROPOSALS, Syncing
from gitmem.flows.syncing.values import Finding, FindingKind
from gitmem.git.faults import point
from gitmem.git.refs import is_branch_name
from gitmem.git.remotes import OVERTAKEN, fetch_branches, remote_branches
from gitmem.model.ids import CommitId
from gitmem.versions.fork_settings import leaves_archive

ATTEMPTS = 20


def fetch(state: Syncing) -> None:
    """Asks what the remote has, and brings what is new."""
    repository = state.work.place.repository
    state.theirs = {}
    state.findings.clear()
    branches = remote_branches(repository, state.remote)
    if branches and state.main not in branches:
        _tell_missing_main(state)
    heads = {branch: commit for branch, commit in branches.items() if _is_wanted(state, branch)}
    refuse_known_tips(state, heads)
    known = {branch: repository.remote_tip(state.remote, branch) for branch in heads}
    state.before = {**known, **state.before}
    new = [branch for branch, commit in heads.items() if known[branch] != commit]
    _fetch(state, [branch for branch in new if not branch.startswith(PROPOSALS)])
    _fetch_proposals(state, [branch for branch in new if branch.startswith(PROPOSALS)])
    for branch in heads:
        tip = repository.remote_tip(state.remote, branch)
        if tip is not None:
            state.theirs[branch] = CommitId(tip)
        old = known[branch]
        if old is not None and tip is not None and _is_rewound(state, old, tip):
            state.notices[
                f"{state.revision(branch)} was rewound: {old[:10]} is not in it any more; both sides are kept"
            ] = None
    refuse_old_history(state, known)
    point("sync.fetched")


def _is_wanted(state: Syncing, branch: str) -> bool:
    if branch == state.archive:
        return state.wants_archive()
    return branch == state.main or (branch.startswith(PROPOSALS) and is_branch_name(branch))


def _tell_missing_main(state: Syncing) -> None:
    """Raises `NotFound` where the remote has something, but not what an empty store waits for."""
    if state.work.place.tip(state.main) is None:
        raise NotFound(
            f"{state.remote} has no branch {state.main}, and there is nothing here yet",
            name=state.main,
            hint=f"'gitmem clone' takes the branch that {state.remote} calls its own",
        )
    state.notices[f"{state.remote} has other branches, but had none called {state.main}"] = None


def _fetch_proposals(state: Syncing, branches: Sequence[str]) -> None:
    """Fetches proposals; names that collide with old ones here stop nothing else."""
    try:
        _fetch(state, branches)
    except OutsideFailure as error:
        message = f"proposals were not fetched: {error.message}"
        hint = f"'git remote prune {state.remote}' takes away what is not there any more"
        state.findings[PROPOSALS] = Finding(FindingKind.PROPOSAL, message, hint)


def _fetch(state: Syncing, branches: Sequence[str]) -> None:
    """Fetches; again where a fetch of another process was at the same refs."""
    if not branches:
        return
    repository = state.work.place.repository
    if state.archive in branches and leaves_archive(state.work.place):
        state.notices[f"memories were archived here, so {state.revision(state.archive)} was fetched"] = None
    for attempt in range(ATTEMPTS):
        try:
            fetch_branches(repository, state.remote, branches)
        except OutsideFailure as error:
            if attempt == ATTEMPTS - 1 or not OVERTAKEN.search(error.message):
                raise
            time.sleep(random.uniform(0, min(0.5, 0.01 * 2**attempt)))
        else:
            return


def _is_rewound(state: Syncing, old: str, new: str) -> bool:
    repository = state.work.place.repository
    return not repository.is_shallow() and not repository.is_ancestor(old, new)
