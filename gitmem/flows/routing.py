"""Where a write goes, by the policy of the store: to the branch that was asked for, or where it waits.

    quarantine  new memories of an identity that is not trusted, or learned from a source that is not
    proposal    whatever an identity that can only propose writes to main, and changes of memories of main
                by an identity or from a source that is not trusted
    as asked    everything else

A proposal that a write goes to on its own is named after agent and session. Main is merged into it first, so
that it is written on what main says now.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from gitmem.errors import BadInput, NotFound, Refused
from gitmem.flows.find import get_memory
from gitmem.flows.merge import PolicyChange, merge
from gitmem.flows.work import Work
from gitmem.model.change import Origin
from gitmem.model.identity import Identity
from gitmem.model.proposal import Opening, Proposal, is_proposal, name_for, proposal_branch
from gitmem.versions.policy import Rules
from gitmem.versions.proposals import find_proposal


def for_new(work: Work, origins: Iterable[Origin]) -> Work:
    """Where new memories of these origins go. Raises `BadInput` where some are trusted and others not."""
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
    return _proposing(work, rules, next(iter(origins), Origin()))


def for_change(work: Work, reference: str | None, origin: Origin) -> Work:
    """Where a change of the memory `reference` goes, or of several where it is None."""
    policy = work.place.config.policy
    rules = policy.rules_for(work.identity)
    if rules.is_quarantined or policy.is_untrusted(origin.source):
        if reference is not None and _is_quarantined(work, reference):
            return _on_quarantine(work)
        rules = replace(rules, must_propose=True)
    return _proposing(work, rules, origin)


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
        proposal = find_proposal(work.place, work.branch)
        if proposal is not None and not (proposal.is_open and proposal.proposed_by == str(identity)):
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
        proposal = find_proposal(work.place, name)
        if proposal is None:
            if last is not None and last.reason:
                work.notice(f"{last.branch} was rejected by {last.reviewed_by}: {last.reason}")
            return replace(work.on(proposal_branch(name)), opening=Opening(title))
        if proposal.is_open and proposal.proposed_by == str(identity):
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
            merge(on, tip, origin=why, policy=policy, is_commit_wanted=True)
        except Refused:
            continue
        return
