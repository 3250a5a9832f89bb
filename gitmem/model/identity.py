"""Who is acting, a person or an agent. An identity gives rights; an origin (`--agent`) gives none."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from gitmem.errors import BadInput

MAX_NAME_CHARACTERS = 64


class Kind(StrEnum):
    """What kind of actor it is: only a person may change policy, accept proposals, or forget."""

    PERSON = "person"
    AGENT = "agent"


class Identity(Struct, frozen=True, eq=False):
    """An actor. `why` says what told so; it takes no part in comparing."""

    kind: Kind
    name: str
    why: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and (self.kind, self.name) == (other.kind, other.name)

    def __hash__(self) -> int:
        return hash((self.kind, self.name))

    @property
    def is_person(self) -> bool:
        return self.kind is Kind.PERSON

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


UNATTENDED = Identity(Kind.AGENT, "unattended", "nothing says who is acting, and no terminal is there")
"""Who acts where nothing is known: the fewest rights."""


def parse_identity(text: str, setting: str) -> Identity:
    """The identity that `text` names as `person:NAME` or `agent:NAME`. Raises `BadInput` naming `setting`."""
    kind, _, name = text.strip().partition(":")
    name = name.strip()
    if kind not in set(Kind) or not name.isprintable() or not 0 < len(name) <= MAX_NAME_CHARACTERS:
        raise BadInput(
            f"{setting}: {text!r} is not an identity",
            field=setting,
            hint="write person:NAME or agent:NAME",
        )
    return Identity(Kind(kind), name, setting)
