"""accept: a person takes a proposal into main, whole or in part.

    1  the acceptance is written down under the git directory
    2  main gets what is taken, in one commit; its trailers say which proposal, and who reviewed it
    3  memories that the proposal takes off main are archived, by the move that every archiving is
    4  of a proposal that is taken in part, main is merged into what is left
    5  what was written down is removed

Until 2 nothing has happened; after it, the next command does 3 and 4 where a process died on the way.
Taken whole, the proposal becomes a parent of the commit, so git itself knows that it is merged. Its branch
stays until somebody deletes it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Ambiguous, Conflict, GitmemError, NotFound, Refused
from gitmem.flows.merge import Merging, PolicyChange, merge
from gitmem.flows.merging.archive import take_off_archive, was_text
from gitmem.flows.move import move
from gitmem.flows.proposals.acceptance import Acceptance, broken_off
from gitmem.flows.proposals.taking import Taking
from gitmem.flows.propose import refuse_settled
from gitmem.flows.rights.acting import require_reviewer
from gitmem.flows.rights.apart import require_approval
from gitmem.flows.rights.telling import told_to
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import new_operation_id
from gitmem.flows.writing.given import expected_commit, refuse_lone_texts
from gitmem.git.faults import point
from gitmem.model.change import Origin, trailers_of
from gitmem.model.ids import BlobId, CommitId, MemoryId, id_key
from gitmem.model.proposal import PROPOSAL, REVIEWED_BY, Proposal, proposal_branch
from gitmem.model.proposal_change import ChangeKind, MemoryChange, ProposalChanges
from gitmem.versions.merge_units import Halves
from gitmem.versions.merge_values import KeptFromArchive
from gitmem.versions.proposal_changes import changes_in, changes_of
from gitmem.versions.proposals import get_proposal

PROPOSED_COMMIT = "Proposal-Commit"
MOST_COMMITS_SINCE = 10_000


class Accepted(Struct, frozen=True):
    """What was taken in: `commit` is that of main. `left` are the memories that stay proposed."""

    proposal: Proposal
    commit: CommitId | None
    operation_id: str | None
    taken: Sequence[MemoryId]
    archived: Sequence[MemoryId]
    disputed: Sequence[MemoryId]
    left: Sequence[MemoryId]
    reviewed_by: str
    notices: tuple[str, ...] = ()


def accept(
    work: Work,
    name: str,
    *,
    only: Sequence[str],
    expect: str | None,
    takes_policy: bool,
    origin: Origin,
) -> Accepted:
    """Merges an open proposal into main, whole or the memories in `only`.

    Raises `Refused` for an agent, for a proposal that is settled, and where it changes files below `.gitmem/`
    unless `takes_policy`; `NotFound` for a memory that it does not change; `Conflict` where it is not at the
    commit `expect` any more.
    """
    refuse_lone_texts(only=only)
    with told_to(work.place):
        return _accept(work, name, only, expect, takes_policy=takes_policy, origin=origin)


def _accept(
    work: Work, name: str, only: Sequence[str], expect: str | None, *, takes_policy: bool, origin: Origin
) -> Accepted:
    reviewer = require_reviewer(work.place, work.identity, "accept")
    main = work.unguarded.on(work.place.main)
    proposal = get_proposal(work.place, name)
    refuse_settled(proposal)
    if expect is not None and work.place.commit_named(expected_commit(expect)) != proposal.tip:
        raise Conflict(
            f"{proposal.name} was changed since {expect}: it is at {proposal.tip[:10]} now",
            hint=f"'gitmem review {proposal.name}' shows it",
        )
    changes = changes_of(work.place, proposal)
    chosen = _chosen(proposal, changes, only)
    require_approval(work.place, chosen, changes.files)
    is_whole = len(chosen) == len(changes.memories) and not (only and (changes.files or changes.policy))
    if is_whole and changes.policy and not takes_policy:
        raise Refused(
            f"{proposal.name} changes {changes.policy[0]}, which the store goes by; look at it first",
            hint=f"'git diff {main.branch}...{proposal.branch} -- .gitmem' shows it; --policy takes it in",
        )
    acceptance = _written_down(main, proposal, chosen, reviewer, is_whole=is_whole)
    point("accept.intent")
    try:
        merging = _merge(main, proposal, acceptance, chosen, origin)
        point("accept.merged")
        off_archive = _taken_off_archive(main, acceptance, chosen, origin)
        archived, notices = _finish(main, acceptance, origin)
    except BaseException:
        # What failed may have failed behind the commit: the next command looks, and finishes or forgets.
        acceptance.give_up()
        raise
    acceptance.remove()
    named = {change.id for change in chosen}
    return Accepted(
        get_proposal(work.place, proposal.name),
        merging.commit,
        merging.operation_id,
        [each.id for each in chosen if each.kind is not ChangeKind.ARCHIVED],
        archived,
        [*merging.disputed, *(each.id for each in chosen if each.is_disputed)],
        [each.id for each in changes.memories if each.id not in named],
        reviewer,
        (*merging.notices, *off_archive, *notices),
    )


def _written_down(
    main: Work, proposal: Proposal, chosen: Sequence[MemoryChange], reviewer: str, *, is_whole: bool
) -> Acceptance:
    tip = main.place.tip(main.branch)
    assert tip is not None, "a proposal begins at main"
    return Acceptance.write(
        main,
        operation_id=new_operation_id(main.clock),
        name=proposal.name,
        main_tip=tip,
        reviewed_by=reviewer,
        is_whole=is_whole,
        leaving=[
            (each.memory.path, each.memory.blob)
            for each in chosen
            if each.kind is ChangeKind.ARCHIVED and not each.is_changed_on_main
        ],
    )


def finish_acceptances(work: Work) -> list[str]:
    """Carries interrupted acceptances to their end; one sentence for each. May be repeated."""
    said = []
    main = work.on(work.place.main)
    for acceptance in broken_off(work):
        if not _was_published(main, acceptance):
            acceptance.remove()
            continue
        try:
            _finish(main, acceptance, Origin(reason="finishes an interrupted acceptance"))
        except GitmemError as error:
            said.append(f"the acceptance of {acceptance.name} cannot be finished yet: {error.message}")
            continue
        acceptance.remove()
        said.append(f"finished the acceptance of {acceptance.name} that was interrupted")
    return said


def _was_published(main: Work, acceptance: Acceptance) -> bool:
    tip = main.place.tip(main.branch)
    commits = main.place.repository.first_parents(tip) if tip else iter(())
    for commit in islice(commits, MOST_COMMITS_SINCE):
        if commit.id == acceptance.main_tip:
            return False
        if acceptance.operation_id in trailers_of(commit.message).get("Operation-Id", []):
            return True
    return False


def _chosen(proposal: Proposal, changes: ProposalChanges, only: Sequence[str]) -> list[MemoryChange]:
    found: dict[str, MemoryChange] = {}
    for reference in only:
        key = id_key(reference)
        exact = [each for each in changes.memories if key == id_key(each.id) or reference == each.memory.path]
        named = exact or [each for each in changes.memories if id_key(each.id).startswith(key)]
        if not named:
            raise NotFound(f"{proposal.name} changes no memory {reference!r}", name=reference)
        if len(named) > 1:
            raise Ambiguous(reference, [each.id for each in named])
        found[named[0].key] = named[0]
    return list(found.values()) if only else list(changes.memories)


def _merge(
    main: Work, proposal: Proposal, acceptance: Acceptance, chosen: Sequence[MemoryChange], origin: Origin
) -> Merging:
    """The commit on main. What leaves it is still there, and is archived after it."""
    keys = {change.key for change in chosen}

    def narrow(halves: Halves) -> Halves:
        gone = {
            change.key
            for change in changes_in(main.place, halves).memories
            if change.kind is ChangeKind.ARCHIVED
        }
        return _without(halves, gone) if acceptance.is_whole else _only(halves, keys - gone)

    trailers = [
        (PROPOSAL, proposal.name),
        (PROPOSED_COMMIT, proposal.tip),
        (REVIEWED_BY, acceptance.reviewed_by),
    ]
    return merge(
        main,
        proposal.tip,
        origin=origin,
        policy=PolicyChange.TAKE,
        is_commit_wanted=True,
        taking=Taking(
            "accept",
            proposal.title,
            narrow,
            trailers,
            acceptance.is_whole,
            acceptance.operation_id,
            [change.id for change in chosen],
        ),
    )


def _without(halves: Halves, keys: Collection[str]) -> Halves:
    """As if they had not touched the memories of these keys, which the base has."""
    theirs = {**halves.theirs.memories, **{key: halves.base.memories[key] for key in keys}}
    return replace(halves, theirs=replace(halves.theirs, memories=theirs))


def _only(halves: Halves, keys: Collection[str]) -> Halves:
    """As if they had touched the memories of these keys alone."""
    base, theirs = halves.base, halves.theirs
    memories = {key: unit for key, unit in base.memories.items() if key not in keys}
    memories |= {key: unit for key, unit in theirs.memories.items() if key in keys}
    return replace(halves, theirs=replace(theirs, memories=memories, files=base.files))


def _finish(main: Work, acceptance: Acceptance, origin: Origin) -> tuple[list[MemoryId], tuple[str, ...]]:
    """What is to be done behind the commit on main; may be repeated. The memories that were archived."""
    archived, notices = _archive(main, acceptance.leaving, acceptance, origin)
    point("accept.archived")
    if acceptance.is_whole:
        return archived, notices
    rest, tip = main.on(proposal_branch(acceptance.name)), main.place.tip(main.branch)
    assert tip is not None, "something was accepted"
    try:
        # By its commit: a tag may have the name of the branch.
        merging = merge(rest, tip, origin=origin, policy=PolicyChange.TAKE, is_commit_wanted=True)
    except (Refused, Conflict) as error:
        return archived, (*notices, f"main was not merged into the rest of the proposal: {error.message}")
    disputed = [f"{memory_id} is disputed in the rest of the proposal" for memory_id in merging.disputed]
    return archived, (*notices, *disputed)


def _taken_off_archive(
    main: Work, acceptance: Acceptance, chosen: Sequence[MemoryChange], origin: Origin
) -> tuple[str, ...]:
    """An edit brings back what main archived since the proposal began: the older text leaves the archive.

    Where that does not happen, the memory stands on both, and `doctor` says so.
    """
    archive = main.on(main.place.config.branches["archive"])
    here, there = main.snapshot(), archive.snapshot()
    back = [change for change in chosen if change.kind is ChangeKind.ADDED]
    kept = [
        KeptFromArchive(now.id, old.path, (old.blob,))
        for change in back
        for old in there.named(change.id)
        if (now := here.memory(change.memory.path)) is not None and was_text(main, now, old)
    ]
    return take_off_archive(main, kept, acceptance.operation_id, origin=origin) if kept else ()


def _archive(
    main: Work, leaving: Sequence[tuple[str, BlobId]], acceptance: Acceptance, origin: Origin
) -> tuple[list[MemoryId], tuple[str, ...]]:
    snapshot = main.snapshot()
    paths = [path for path, blob in leaving if snapshot.blob(path) == blob]
    if not paths:
        return [], ()
    trailers = [(PROPOSAL, acceptance.name), (REVIEWED_BY, acceptance.reviewed_by)]
    archive = main.on(main.place.config.branches["archive"])
    moved = move(main, archive, paths, "archive", origin, trailers)
    return list(moved.ids), moved.notices
