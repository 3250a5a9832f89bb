"""What a proposal is called, and what its first commit says of it.

A proposal is the branch `proposals/NAME`. Its first commit carries, behind the trailers of every write:

    Proposal: NAME
    Title: what it is about
    Proposed-by: agent:support-bot

and its body as the paragraphs between subject and trailers. So plain git shows who proposes what, and a
branch that a person made by hand is a proposal too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from gitmem.model.ids import CommitId
from gitmem.model.place import slug_of

PROPOSALS = "proposals/"
PROPOSAL, TITLE, PROPOSED_BY = "Proposal", "Title", "Proposed-by"
REVIEWED_BY = "Reviewed-by"
REJECT = "reject"
"""The operation of the commit that ends a proposal."""
MAX_NAME_CHARACTERS = 60


class Opening(Struct, frozen=True):
    """What a proposal says of itself when it begins: its title, and a longer text.

    With `must_begin` the write is refused where a proposal of that name is there already.
    """

    title: str
    body: str = ""
    must_begin: bool = False

    def trailers(self, name: str, proposed_by: str) -> list[tuple[str, str]]:
        """The lines of the first commit of the proposal `name`."""
        return [(PROPOSAL, name), (TITLE, self.title), (PROPOSED_BY, proposed_by)]


class ProposalState(StrEnum):
    """How a proposal stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class Proposal(Struct, frozen=True):
    """One proposal. `base` is what it began from, a commit or tree; None where that is not known.

    `ahead` are its commits that main has not, `behind` those of main that it has not. `reviewed_by` and
    `reason` are those of a rejection.
    """

    name: str
    branch: str
    tip: CommitId
    state: ProposalState
    title: str
    body: str
    proposed_by: str
    created: datetime
    base: str | None
    ahead: int
    behind: int
    reviewed_by: str | None = None
    reason: str | None = None

    @property
    def is_open(self) -> bool:
        return self.state is ProposalState.OPEN


def is_proposal(branch: str) -> bool:
    """Whether the branch of this name is a proposal."""
    return branch.startswith(PROPOSALS) and len(branch) > len(PROPOSALS)


def proposal_branch(name: str) -> str:
    """The branch of the proposal `name`, which may be given as the branch itself."""
    return PROPOSALS + name.removeprefix(PROPOSALS)


def proposal_name(branch: str) -> str:
    """The name of the proposal that `branch` is."""
    return branch.removeprefix(PROPOSALS)


def name_for(title: str, taken: Collection[str]) -> str:
    """A name for a proposal of this title: its words, and a number where that is taken, case apart."""
    name = slug_of(title)[:MAX_NAME_CHARACTERS].strip("-.") or "proposal"
    used = {each.casefold() for each in taken}
    number, found = 1, name
    while found.casefold() in used:
        number += 1
        found = f"{name}-{number}"
    return found


def body_of(message: str) -> str:
    """The paragraphs between the subject and the trailers of a commit message."""
    return "\n\n".join(message.rstrip().split("\n\n")[1:-1]).strip()


def first_of(trailers: Mapping[str, Sequence[str]], name: str) -> str | None:
    """The first value of a trailer; None where it is missing or empty."""
    return next(iter(trailers.get(name, ())), None) or None
