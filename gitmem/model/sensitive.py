"""Kinds of text that may be kept out of a store, and what is done about each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


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
    }
)
"""The kinds that gitmem knows, and what is done about them where the policy says nothing."""
