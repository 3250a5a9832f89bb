"""Kinds of text that may be kept out of a store, and what is done about each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

from msgspec import Struct, field
from msgspec.structs import replace


class Action(StrEnum):
    """What happens to a write that brings something of a kind, the mildest first."""

    ALLOW = "allow"
    WARN = "warn"
    REDACT = "redact"
    BLOCK = "block"

    @property
    def strictness(self) -> int:
        """Its place in the order: 0 lets everything in."""
        return list(Action).index(self)


SECRET = "secret"
EMAIL = "email"
PHONE = "phone"
CARD = "card"
IBAN = "iban"
CN_ID = "cn_id"
SSN = "ssn"
PASSPORT = "passport"
PLATE = "plate"
IP = "ip"
NAME = "name"
"""Names of people, which only a detector of the extra `[pii]` can tell."""
DEFAULT_ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        SECRET: Action.BLOCK,
        EMAIL: Action.REDACT,
        PHONE: Action.REDACT,
        CARD: Action.REDACT,
        CN_ID: Action.REDACT,
        SSN: Action.REDACT,
        IBAN: Action.WARN,
        PASSPORT: Action.WARN,
        PLATE: Action.WARN,
        IP: Action.ALLOW,
        NAME: Action.ALLOW,
    }
)
"""The kinds that gitmem knows, and what is done about them where the policy says nothing."""


class OwnPattern(Struct, frozen=True):
    """A kind that a store adds: what `pattern` matches. It is bounded, see `bounded_pattern`."""

    name: str
    pattern: str
    action: Action


class PrivacyRules(Struct, frozen=True, dict=True):
    """What is done about each kind; a kind that is not named is let in."""

    actions: Mapping[str, Action] = field(default_factory=lambda: DEFAULT_ACTIONS)
    patterns: tuple[OwnPattern, ...] = ()

    def action_of(self, kind: str) -> Action:
        """What is done about `kind`."""
        return self.actions.get(kind, Action.ALLOW)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds that have to be looked for."""
        return frozenset(kind for kind, action in self.actions.items() if action is not Action.ALLOW)

    def within(self, own: Mapping[str, Action]) -> PrivacyRules:
        """The rules where `own` says something else about some kinds."""
        return replace(self, actions={**self.actions, **own}) if own else self

    def tightened(self, own: Mapping[str, Action]) -> PrivacyRules:
        """The rules where `own` is followed as far as it is stricter."""
        stricter = {
            kind: action
            for kind, action in own.items()
            if action.strictness > self.action_of(kind).strictness
        }
        return self.within(stricter)
