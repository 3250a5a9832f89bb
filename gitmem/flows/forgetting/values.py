"""What a forget is about to do, and the receipt of what it did: counts and places, no content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from gitmem.model.ids import MemoryId


class Meant(Struct, frozen=True):
    """One memory that is meant. The title is for the person who has to agree; no receipt has it."""

    id: MemoryId
    title: str
    versions: int
    attachments: int


class ForgetPlan(Struct, frozen=True):
    """What would be done.

    `refs` counts the refs that change, by kind. `mentions` are files that name a forgotten id, `shared` those
    that are no memories and say a line of it too: both stay unless mentions are redacted. `also_said` are
    memories that say a line of it, and stay. `names` are those that have an id in their path, which stays.
    """

    memories: Sequence[Meant]
    answer: str
    commits: int
    dropped: int
    signatures: int
    refs: Mapping[str, int]
    leftovers: int
    stashes: int
    mentions: Mapping[str, int]
    shared: Mapping[str, int]
    also_said: Mapping[str, int]
    names: Sequence[str] = ()
    redacts_mentions: bool = False
    aside: int = 0


class Elsewhere(Struct, frozen=True):
    """A place that was not reached, and the command that finishes it there."""

    place: str
    command: str


class Proof(Struct, frozen=True):
    """The last look at everything: how much was looked at for how many pieces, and where one was found.

    `unread` are objects and files that could not be looked at.
    """

    objects: int
    files: int
    pieces: int
    found: Mapping[str, int] = field(default_factory=dict)
    unread: Sequence[str] = ()

    @property
    def holds(self) -> bool:
        """Whether everything was looked at, and nothing found."""
        return not self.found and not self.unread


class Receipt(Struct, frozen=True):
    """What was forgotten. `removed` counts by place what was taken out."""

    ids: Sequence[str]
    day: str
    is_repeated: bool
    removed: Mapping[str, int]
    mentions: Mapping[str, int]
    shared: Mapping[str, int]
    also_said: Mapping[str, int]
    names: Sequence[str]
    redacts_mentions: bool
    elsewhere: Sequence[Elsewhere]
    proof: Proof
    commit: str | None
    pushed: Sequence[str] = ()
    notices: tuple[str, ...] = ()
