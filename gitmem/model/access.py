"""Who may do what in a partition, told by lists of identities.

NAME          the person or agent of this name
person:NAME   the person of this name;  agent:NAME  the agent
person:*      every person;             agent:*     every agent
*             everybody
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from gitmem.model.identity import MAX_NAME_CHARACTERS, Identity, Kind


class Act(StrEnum):
    """What can be allowed to some and not to others."""

    READ = "read"
    WRITE = "write"
    PROPOSE = "propose"
    APPROVE = "approve"


class Access(Struct, frozen=True):
    """For each act the identities that may do it; an act that is left out is everybody's."""

    lists: Mapping[Act, tuple[str, ...]] = field(default_factory=dict)

    def allows(self, act: Act, identity: Identity) -> bool:
        """Whether `identity` may do this; whoever may write may also propose."""
        if act is Act.PROPOSE and Act.WRITE in self.lists and self.allows(Act.WRITE, identity):
            return True
        patterns = self.lists.get(act)
        return patterns is None or any(names(pattern, identity) for pattern in patterns)


def names(pattern: str, identity: Identity) -> bool:
    """Whether the pattern of an access list names `identity`."""
    return pattern in ("*", identity.name, f"{identity.kind}:*", str(identity))


def is_pattern(text: str) -> bool:
    """Whether `text` is one of the forms that name identities."""
    kind, colon, name = text.partition(":")
    if not colon:
        kind, name = Kind.PERSON, text
    is_name = name.isprintable() and name == name.strip() and 0 < len(name) <= MAX_NAME_CHARACTERS
    return kind in set(Kind) and is_name and ("*" not in name or name == "*")
