"""The proposals of a store: branches `proposals/NAME`, here or at a remote, and how each stands to main.

    accepted   main has all of it: merged by gitmem or plain git, or taken over file by file
    rejected   its last commit says so
    open       neither: it waits for a person

Nothing else is kept anywhere, so a proposal that was merged as a pull request on a host is accepted, and one
whose branch was deleted is none any more.
"""

from __future__ import annotations

from itertools import islice

from gitmem.errors import NotFound
from gitmem.git.repository import CommitInfo
from gitmem.model.change import trailers_of
from gitmem.model.ids import CommitId
from gitmem.model.proposal import (
    PROPOSAL,
    PROPOSALS,
    PROPOSED_BY,
    REJECT,
    REVIEWED_BY,
    TITLE,
    Proposal,
    ProposalState,
    body_of,
    first_of,
    proposal_branch,
    proposal_name,
)
from gitmem.versions.merge_base import base_of
from gitmem.versions.place import Place

MOST_COMMITS = 500
"""How far back the first commit of a proposal is looked for."""


def proposals_of(place: Place) -> list[Proposal]:
    """All proposals, the newest first."""
    names = [proposal_name(branch) for branch in place.repository.branches_below(PROPOSALS)]
    found = (find_proposal(place, name) for name in names)
    return sorted((each for each in found if each), key=lambda each: (each.created, each.name), reverse=True)


def is_by(proposal: Proposal, identity: str) -> bool:
    """Whether the proposal is open, and `identity` proposed it."""
    return proposal.is_open and proposal.proposed_by == identity


def get_proposal(place: Place, name: str) -> Proposal:
    """The proposal of this name. Raises `NotFound`."""
    found = find_proposal(place, proposal_name(name))
    if found is None:
        raise NotFound(f"no proposal {name!r}", name=name, hint="'gitmem proposals' lists them")
    return found


def find_proposal(place: Place, name: str) -> Proposal | None:
    """The proposal of this name, if its branch is there and whoever acts may read all that it changes."""
    found = _find(place.whole, name)
    if found is not None and place.veil is not None and place.veil.differs_in_hidden(found.base, found.tip):
        return None
    return found


def _find(place: Place, name: str) -> Proposal | None:
    branch = proposal_branch(name)
    tip, main = place.tip(branch), place.tip(place.main)
    if tip is None or main is None:
        return None
    is_merged = place.repository.is_ancestor(tip, main)
    first = _first(place, name, tip, main, is_merged=is_merged)
    base = next(iter(first.parents), None) if is_merged else base_of(place, main, tip)
    last = trailers_of(place.repository.commit(tip).message)
    is_rejected = first_of(last, "Operation") == REJECT
    trailers = trailers_of(first.message)
    is_told = first_of(trailers, TITLE) is not None
    ahead, behind = place.repository.raw.ahead_behind(tip, main)
    state = ProposalState.OPEN
    if is_merged or (not is_rejected and _is_taken_over(place, base, tip, main)):
        state = ProposalState.ACCEPTED
    elif is_rejected:
        state = ProposalState.REJECTED
    return Proposal(
        name,
        branch,
        tip,
        state,
        first_of(trailers, TITLE) or name.replace("-", " "),
        body_of(first.message) if is_told else "",
        first_of(trailers, PROPOSED_BY) or first.author_name,
        first.author_time,
        base,
        ahead,
        behind,
        first_of(last, REVIEWED_BY) if is_rejected else None,
        first_of(last, "Reason") if is_rejected else None,
    )


def _first(place: Place, name: str, tip: CommitId, main: CommitId, *, is_merged: bool) -> CommitInfo:
    """The commit that the proposal begins with: the one that says so, else its oldest that main has not."""
    oldest: CommitInfo | None = None
    for commit in islice(place.repository.first_parents(tip), MOST_COMMITS):
        if first_of(trailers_of(commit.message), PROPOSAL) == name and TITLE in trailers_of(commit.message):
            return commit
        if oldest is None:
            oldest = commit
        elif not is_merged and place.repository.is_ancestor(commit.id, main):
            break
        elif not is_merged:
            oldest = commit
    assert oldest is not None, "a tip is a commit"
    return oldest


def _is_taken_over(place: Place, base: str | None, tip: CommitId, main: CommitId) -> bool:
    """Whether main has every file as the proposal has it, as after a merge that squashes its commits."""
    repository = place.repository
    changed = {change.path: change.new for change in repository.diff_trees(base, tip)}
    there = {path: repository.entry(main, path) for path in changed}
    return bool(changed) and all(
        (new and new.oid) == (old and old.oid)
        for new, old in ((new, there[path]) for path, new in changed.items())
    )
