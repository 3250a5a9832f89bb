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
from dataclasses import dataclass

from gitmem.model.place import slug_of

PROPOSALS = "proposals/"
PROPOSAL, TITLE, PROPOSED_BY = "Proposal", "Title", "Proposed-by"
REVIEWED_BY = "Reviewed-by"
REJECT = "reject"
"""The operation of the commit that ends a proposal."""
MAX_NAME_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Opening:
    """What a proposal says of itself when it begins: its title, and a longer text."""

    title: str
    body: str = ""

    def trailers(self, name: str, proposed_by: str) -> list[tuple[str, str]]:
        """The lines of the first commit of the proposal `name`."""
        return [(PROPOSAL, name), (TITLE, self.title), (PROPOSED_BY, proposed_by)]


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
