"""suggest: who may not remove anything proposes that a memory goes out of the way, and a person decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitmem.errors import BadInput, Conflict
from gitmem.flows.find import get_memory
from gitmem.flows.move import archive
from gitmem.flows.propose import ATTEMPTS, Proposed
from gitmem.flows.proposing import NameTaken
from gitmem.flows.work import Work
from gitmem.model.change import Origin
from gitmem.model.proposal import PROPOSALS, Opening, name_for, proposal_branch, proposal_name
from gitmem.versions.proposal_changes import changes_of
from gitmem.versions.proposals import get_proposal


def suggest_archive(work: Work, references: Sequence[str], *, origin: Origin) -> Proposed:
    """Begins a proposal that takes the memories off main. Raises `NotFound` before anything is written."""
    if not references:
        raise BadInput("no memory is named", field="id")
    work = work.on(work.place.main)
    snapshot = work.snapshot()
    memories = [get_memory(work, snapshot, reference) for reference in references]
    more = f" and {len(memories) - 1} more" if len(memories) > 1 else ""
    title = f"Archive {memories[0].title}{more}"
    for _ in range(ATTEMPTS):
        taken = [proposal_name(branch) for branch in work.place.repository.branches_below(PROPOSALS)]
        opening = Opening(title, origin.reason or "", must_begin=True)
        on = replace(work.on(proposal_branch(name_for(title, taken))), opening=opening)
        try:
            moved = archive(on, [memory.id for memory in memories], origin=origin)
        except NameTaken:
            continue
        proposal = get_proposal(work.place, on.branch)
        return Proposed(proposal, changes_of(work.place, proposal), notices=moved.notices)
    raise Conflict(f"other proposals called {title!r} keep being made", hint="run the command again")
