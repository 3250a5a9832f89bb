"""propose and amend: changes that wait for a person, on a branch `proposals/NAME`; main is left as it is.

What is proposed is one of:
    edits      memories with edits in the worktree that are not committed; the edits go onto the proposal
    requests   new memories, as `remember --batch` takes them
    source     what another branch has that main has not, merged by meaning
    archived   memories of main that are taken off, and archived when a person accepts
    planned    what another flow has planned, with a title
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import BadInput, Conflict, OutsideFailure, Refused
from gitmem.flows.commit import chosen_edits, nul_separated
from gitmem.flows.merge import PolicyChange, merge
from gitmem.flows.move import take_off
from gitmem.flows.proposals.proposing import NameTaken, apply_on, waiting
from gitmem.flows.reading.find import get_memory
from gitmem.flows.reading.sight import Edit
from gitmem.flows.remember import remember
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import MakePlan
from gitmem.flows.writing.drafting import Request, filed_as
from gitmem.git.beneath import read_below
from gitmem.git.environment import run_git
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.memory import MemoryType
from gitmem.model.proposal import PROPOSALS, Opening, Proposal, name_for, proposal_branch, proposal_name
from gitmem.model.proposal_change import ProposalChanges
from gitmem.model.visible import memories_text
from gitmem.versions.attachments import attachments_of
from gitmem.versions.proposal_changes import changes_of
from gitmem.versions.proposals import get_proposal
from gitmem.versions.snapshot import Snapshot

ATTEMPTS = 20


class Content(Struct, frozen=True):
    """What is proposed: one of these; see the head of this module."""

    references: Sequence[str] = ()
    requests: Sequence[Request] = ()
    source: str | None = None
    archived: Sequence[str] = ()
    planned: MakePlan | None = None

    def check(self) -> None:
        """Raises `BadInput` unless exactly one is given, and for working memories."""
        has_plan = self.planned is not None
        given = (self.references, self.requests, self.archived, self.source is not None, has_plan)
        if sum(map(bool, given)) != 1:
            raise BadInput("give exactly one of ID..., --batch, --from", field="id")
        if any(request.type == MemoryType.WORKING for request in self.requests):
            raise BadInput(
                "type: working memories stand on a branch of their own, and are not proposed",
                field="type",
                hint="'gitmem note' keeps one; 'gitmem session end' brings it to main",
            )


class Proposed(Struct, frozen=True):
    """A proposal after a write, and what it changes; in `disputed` memories two versions contradict."""

    proposal: Proposal
    changes: ProposalChanges
    disputed: Sequence[MemoryId] = ()
    notices: tuple[str, ...] = ()


class _Put(Struct, frozen=True):
    """One commit on a proposal."""

    title: str
    disputed: Sequence[MemoryId] = ()
    notices: tuple[str, ...] = field(default=())


def propose(work: Work, content: Content, *, title: str | None, body: str, origin: Origin) -> Proposed:
    """Begins a proposal, named after its title, in one commit. Raises what the write of `content` raises."""
    content.check()
    if work.place.tip(work.place.main) is None:
        raise Refused(
            f"{work.place.main} has no commit yet, so there is nothing to propose to",
            hint="'gitmem remember' makes the first",
        )
    given = Screening(work.place).title(" ".join((title or _title(work, content)).split()))
    if not given:
        raise BadInput("the title is empty", field="title")
    for _ in range(ATTEMPTS):
        taken = [proposal_name(branch) for branch in work.place.repository.branches_below(PROPOSALS)]
        on = replace(
            work.on(proposal_branch(name_for(given, taken))), opening=Opening(given, body, must_begin=True)
        )
        try:
            return _done(on, _put(work, on, content, origin))
        except NameTaken:
            continue
    raise Conflict(f"other proposals called {given!r} keep being made", hint="give another --title")


def amend(work: Work, name: str, content: Content, *, origin: Origin) -> Proposed:
    """Puts more changes onto an open proposal. Raises `NotFound`, and `Refused` for one that is settled."""
    content.check()
    proposal = get_proposal(work.place, name)
    refuse_settled(proposal)
    on = work.on(proposal.branch)
    return _done(on, _put(work, on, content, origin))


def refuse_settled(proposal: Proposal) -> None:
    """Raises `Refused` where nothing is to be decided about the proposal any more."""
    if not proposal.is_open:
        anew = f"'gitmem propose --from {proposal.branch}' proposes what it has anew"
        back = "where that was undone, 'gitmem undo OPERATION' with the id of the undo brings it back"
        raise Refused(
            f"{proposal.name} is {proposal.state} already",
            hint=back if proposal.state == "accepted" else anew,
        )


def _done(on: Work, put: _Put) -> Proposed:
    # Whoever may only propose here is told what they did.
    proposal = get_proposal(on.place.whole, on.branch)
    return Proposed(proposal, changes_of(on.place.whole, proposal), put.disputed, put.notices)


def _title(work: Work, content: Content) -> str:
    filed = [filed_as(request) for request in content.requests]
    if content.references:
        memories = [edit.memory for edit in chosen_edits(work, content.references)]
        filed += [(memory.path, memory.type) for memory in memories if memory is not None]
    partitions = [work.place.config.policy.partition_of(path, each) for path, each in filed]
    if any(partition is not None and partition.encryption for partition in partitions):
        # The title names the branch, which everybody can read.
        return f"Changes of {memories_text(len(filed))}"
    if content.source is not None:
        return f"Changes of {content.source}"
    if content.archived:
        named = get_memory(work, work.snapshot(), content.archived[0]).title
        return f"Archive {named}" + (f" and {len(content.archived) - 1} more" if content.archived[1:] else "")
    if content.references:
        edits = chosen_edits(work, content.references)
        return edits[0].title if len(edits) == 1 else f"{edits[0].title} and {len(edits) - 1} more"
    first = content.requests[0]
    title = first.title or first.text.strip().splitlines()[0][:60]
    return title if len(content.requests) == 1 else f"{title} and {len(content.requests) - 1} more"


def _put(work: Work, on: Work, content: Content, origin: Origin) -> _Put:
    if content.requests:
        written = remember(on, content.requests)
        return _Put(written[0].title, notices=written[0].notices)
    if content.source is not None:
        return _put_branch(on, content.source, origin)
    if content.planned is not None:
        return _Put("", notices=apply_on(on, content.planned).notices)
    if content.archived:
        moved = take_off(on, content.archived, origin)
        return _Put(moved.paths[0], notices=moved.notices)
    return _put_edits(work, on, content.references, origin)


def _put_branch(on: Work, source: str, origin: Origin) -> _Put:
    merging = merge(on, source, origin=origin, policy=PolicyChange.TAKE, is_commit_wanted=True)
    if merging.kind == "nothing":
        raise BadInput(f"--from: {source} has nothing that {on.branch} would not have already", field="from")
    return _Put(source, merging.disputed, (*merging.notices, *waiting(on)))


def _put_edits(work: Work, on: Work, references: Sequence[str], origin: Origin) -> _Put:
    repository = work.place.repository
    if repository.worktree is None or repository.head_branch() != work.branch:
        raise Refused(
            f"{work.branch} is not checked out here, so there are no edits of it to propose",
            hint=f"'git checkout {work.branch}' first, or use --batch or --from",
        )
    edits = chosen_edits(work, references)

    def plan(snapshot: Snapshot) -> Plan:
        writes = [write for edit in edits for write in _writes(work, snapshot, edit)]
        subject = edits[0].title if len(edits) == 1 else f"{len(edits)} memories"
        return Plan("edit", subject, writes, [edit.id for edit in edits], origin)

    applied = apply_on(on, plan)
    if applied.commit is None:
        raise BadInput(f"{on.branch} has these edits already", field="id")
    return _Put(edits[0].title, notices=(*applied.notices, *_taken_out(work, edits, applied.commit)))


def _writes(work: Work, snapshot: Snapshot, edit: Edit) -> list[FileWrite]:
    """What brings one edit to the proposal. Raises `Conflict` where that changed the memory itself."""
    top = work.place.repository.worktree
    assert top is not None, "checked before"
    now, main = snapshot.blob(edit.path), work.snapshot().blob(edit.path)
    data = read_below(top, edit.path) if edit.memory is not None else None
    if (None if data is None else work.place.repository.blob_id_of(data)) == now:
        return []
    if now != main:
        raise Conflict(
            f"{edit.path} is changed in the proposal already, and edited here from another version",
            hint="'git switch' to the proposal, edit and commit it there",
        )
    writes = [FileWrite(edit.path, now, data)]
    if data is None:
        writes += [FileWrite(path, blob, None) for path, blob in attachments_of(snapshot, edit.path)]
    return writes


def _taken_out(work: Work, edits: Sequence[Edit], commit: CommitId) -> list[str]:
    """Lets the worktree have main's files again, where the edit is safe in `commit`; says what stays.

    What is staged, or was changed again meanwhile, stays.
    """
    repository, snapshot = work.place.repository, work.place.snapshot(commit)
    top = repository.worktree
    assert top is not None, "checked before"
    try:
        staged = run_git(["diff", "--cached", "--name-only", "--no-renames", "-z"], cwd=top).split(b"\0")
        known = {path.decode("utf-8", "surrogateescape") for path in staged}
        back: list[str] = []
        left: list[str] = []
        for edit in edits:
            blob, file = snapshot.blob(edit.path), top / edit.path
            is_same = repository.same_as_blob(top, edit.path, blob) if blob else not file.exists()
            if edit.path in known or not is_same:
                left.append(edit.path)
            elif edit.kind == "added":
                file.unlink()
            else:
                back.append(edit.path)
        if back:
            run_git(
                ["checkout", "--quiet", "--pathspec-from-file=-", "--pathspec-file-nul"],
                cwd=top,
                input=nul_separated(back),
                extra_env={"GIT_LITERAL_PATHSPECS": "1", **repository.without_filters()},
            )
    except (OSError, OutsideFailure) as error:
        return [f"the edits are proposed, and stay in the worktree too: {error}"]
    moved = len(edits) - len(left)
    said = [f"{path} is staged or was edited again, so the worktree keeps the edit too" for path in left]
    return [*said, *([f"the worktree has main's version of {memories_text(moved)} again"] if moved else [])]
