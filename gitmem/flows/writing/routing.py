"""Where a write goes, by the policy of the store: to the branch that was asked for, or where it waits.

    quarantine  new memories of an identity that is not trusted, or learned from a source that is not
    proposal    whatever an identity that can only propose writes to main, changes of memories of main
                by an identity or from a source that is not trusted, and what belongs into a partition where
                the identity may propose and not write
    as asked    everything else

A proposal that a write goes to on its own is named after agent and session. Main is merged into it first, so
that it is written on what main says now.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from msgspec.structs import replace

from gitmem.errors import Ambiguous, BadInput, NotFound, Refused
from gitmem.flows.merge import PolicyChange, merge
from gitmem.flows.reading.find import get_memory
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request, filed_as
from gitmem.model.access import Act
from gitmem.model.change import Origin
from gitmem.model.identity import Identity
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.proposal import Opening, Proposal, is_proposal, name_for, proposal_branch
from gitmem.versions.policy import Rules
from gitmem.versions.proposals import find_proposal, is_by, proposals_of


def for_new(work: Work, origins: Iterable[Origin], requests: Iterable[Request] = ()) -> Work:
    """Where new memories of these origins go. Raises `BadInput` where some are trusted and others not.

    `requests` are the memories themselves, where they are known by now.
    """
    policy, origins = work.place.config.policy, list(origins)
    rules = policy.rules_for(work.identity)
    untrusted = [rules.is_quarantined or policy.is_untrusted(origin.source) for origin in origins]
    if any(untrusted):
        if not all(untrusted):
            raise BadInput(
                "source: some of these memories wait on quarantine and others do not",
                field="source",
                hint="remember them in two batches",
            )
        return _on_quarantine(work)
    if _is_proposed_only(work, map(filed_as, requests)):
        rules = replace(rules, must_propose=True)
    return _proposing(work, rules, next(iter(origins), Origin()))


def for_change(work: Work, references: Sequence[str], origin: Origin) -> Work:
    """Where a change of the memories `references` goes."""
    policy = work.place.config.policy
    rules = policy.rules_for(work.identity)
    if rules.is_quarantined or policy.is_untrusted(origin.source):
        if len(references) == 1 and _is_quarantined(work, references[0]):
            return _on_quarantine(work)
        rules = replace(rules, must_propose=True)
    elif work.place.rights is not None and work.place.rights.proposes:
        found = [_memory(work, reference) for reference in references]
        if _is_proposed_only(work, ((each.path, each.type) for each in found if each is not None)):
            rules = replace(rules, must_propose=True)
    return _proposing(work, rules, origin)


def _is_proposed_only(work: Work, filed: Iterable[tuple[str, MemoryType]]) -> bool:
    """Whether any of these is where the identity may propose and not write."""
    rights = work.place.rights
    return rights is not None and any(
        not rights.may(Act.WRITE, path, each) and rights.may(Act.PROPOSE, path, each) for path, each in filed
    )


def _memory(work: Work, reference: str) -> Memory | None:
    """The memory `reference` on the branch, else in an open proposal of the identity; None for neither."""
    identity = str(work.identity)
    for on in (work, *(work.on(each.branch) for each in proposals_of(work.place) if is_by(each, identity))):
        try:
            return get_memory(on, on.snapshot(), reference)
        except (NotFound, Ambiguous):
            continue
    return None


def refuse_proposing(work: Work, verb: str) -> None:
    """Raises `Refused` where who acts can only propose, and `verb` is nothing that can be proposed."""
    rules = work.place.config.policy.rules_for(work.identity)
    if rules.must_propose or rules.is_quarantined:
        raise Refused(f"{verb} needs somebody else: {work.identity} can only propose, as the policy says")


def refuse_untrusted(work: Work, origins: Iterable[Origin]) -> None:
    """Raises `Refused` where what is to be proposed has to wait on quarantine."""
    policy = work.place.config.policy
    if policy.rules_for(work.identity).is_quarantined:
        raise Refused(f"what {work.identity} learns waits on quarantine; 'gitmem remember' puts it there")
    for origin in origins:
        if policy.is_untrusted(origin.source):
            raise Refused(
                f"what was learned from {origin.source} waits on quarantine; 'gitmem remember' puts it there"
            )


def _on_quarantine(work: Work) -> Work:
    quarantine = work.place.config.branches["quarantine"]
    if work.branch not in (work.place.main, quarantine):
        raise Refused(f"what is not trusted waits on {quarantine}, it cannot be written to {work.branch}")
    return work.on(quarantine)


def _is_quarantined(work: Work, reference: str) -> bool:
    quarantine = work.on(work.place.config.branches["quarantine"])
    if work.place.tip(quarantine.branch) is None:
        return False
    try:
        get_memory(quarantine, quarantine.snapshot(), reference)
    except NotFound:
        return False
    return True


def _proposing(work: Work, rules: Rules, origin: Origin) -> Work:
    if not rules.must_propose:
        return work
    identity = work.identity
    if is_proposal(work.branch):
        proposal = find_proposal(work.place.whole, work.branch)
        if proposal is not None and not is_by(proposal, str(identity)):
            raise Refused(f"{work.branch} is not an open proposal of {identity}")
        return work
    if work.branch != work.place.main:
        raise Refused(f"{identity} can only propose, as the policy says; {work.branch} cannot be written to")
    return _own_proposal(work, identity, origin.session)


def _own_proposal(work: Work, identity: Identity, session: str | None) -> Work:
    """The open proposal of the identity and session, or the place where it will begin."""
    what = f"{identity.name} {session}" if session else identity.name
    title = f"Changes by {identity.name}" + (f" in session {session}" if session else "")
    settled: list[str] = []
    last: Proposal | None = None
    for _ in count():
        name = name_for(what, settled)
        # Whoever may only propose goes on with what it may not read.
        proposal = find_proposal(work.place.whole, name)
        if proposal is None:
            if last is not None and last.reason:
                work.notice(f"{last.branch} was rejected by {last.reviewed_by}: {last.reason}")
            return replace(work.on(proposal_branch(name)), opening=Opening(title))
        if is_by(proposal, str(identity)):
            on = work.on(proposal.branch)
            if proposal.behind:
                _catch_up(on)
            return on
        settled.append(name)
        last = proposal
    raise AssertionError("there is always another name")


def _catch_up(on: Work) -> None:
    """Merges main into the proposal; what the store goes by stays as it is where both changed it."""
    why = Origin(reason="brings what main says by now")
    tip = on.place.tip(on.place.main)
    assert tip is not None, "a proposal is behind it"
    for policy in (PolicyChange.TAKE, PolicyChange.LEAVE):
        try:
            # By its commit: a tag may have the name of the branch.
            merge(on.unguarded, tip, origin=why, policy=policy, is_commit_wanted=True)
        except Refused:
            continue
        return
