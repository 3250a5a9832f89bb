"""Secrets and personal data in a text: what they are and where, by kind.

The longest and most specific rule goes first: what is a resident ID is no phone, and nothing is ever cut out
of a longer number. Time grows with the length of the text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from gitmem.model.lazily import Lazy, holds_any
from gitmem.model.sensitive import (
    CARD,
    CN_ID,
    DEFAULT_ACTIONS,
    EMAIL,
    IBAN,
    IP,
    PASSPORT,
    PHONE,
    PLATE,
    SECRET,
    SSN,
)
from gitmem.privacy.found import Found, apart
from gitmem.privacy.key_formats import keys_of_services
from gitmem.privacy.passwords import PASSWORDS_ABROAD
from gitmem.privacy.plain import plain

PLACEHOLDER = Lazy(r"\[[A-Z][A-Z0-9_\-]{0,39}:[0-9a-f]{4,16}\]")
DEFAULT_KINDS = frozenset(DEFAULT_ACTIONS) - {IP}
_SECRET_WORDS = (
    *("pass", "pwd", "secret", "token", "key", "credential", "ak=", "sk=", "密", "口令", "令牌", "钥", "鑰"),
    *("凭证", "授权码", "://", "eyj", "bearer", "basic ", "curl", "mysql", "akia", "asia", "akid", "ltai"),
    *PASSWORDS_ABROAD,
)
"""Without any of them no secret is in a text that is no key of a service."""
_NUMBERS = frozenset({CN_ID, CARD, SSN, PHONE})
_HAS_DIGITS = Lazy(r"\d[^\n]{0,12}\d[^\n]{0,12}\d")


class Detector(Protocol):
    """Something that finds more kinds in a text, such as names. It must not change its mind between calls."""

    def find(self, text: str) -> Sequence[Found]:
        """What is in `text`; places are in characters."""


def detect(
    text: str,
    *,
    kinds: Collection[str] = DEFAULT_KINDS,
    first: Sequence[Found] = (),
    detectors: Sequence[Detector] = (),
) -> list[Found]:
    """What is in `text` of these kinds, in order and without overlaps.

    What was found `first` goes before the rules, what the `detectors` find behind them.
    """
    found = [*first, *_candidates(plain(text), kinds)]
    for detector in detectors:
        found += [each for each in detector.find(text) if each.kind in kinds]
    if not found:
        return []
    taken = [Found("", match.start(), match.end()) for match in PLACEHOLDER.finditer(text)]
    return [each for each in apart([*taken, *found]) if each.kind]


def _candidates(text: str, kinds: Collection[str]) -> Iterator[Found]:
    if SECRET in kinds:
        yield from _secrets(text)
    if EMAIL in kinds or IP in kinds:
        yield from _addresses(text, kinds)
    if PASSPORT in kinds or PLATE in kinds:
        from gitmem.privacy.documents import documents_in

        yield from (each for each in documents_in(text) if each.kind in kinds)
    if _HAS_DIGITS.search(text) is None:
        return
    if IBAN in kinds:
        from gitmem.privacy.numbers import ibans_in

        yield from ibans_in(text)
    if not _NUMBERS.isdisjoint(kinds):
        yield from _numbers(text, kinds)


def _secrets(text: str) -> Iterator[Found]:
    yield from keys_of_services(text)
    lowered = text.lower()
    if holds_any(lowered, _SECRET_WORDS):
        from gitmem.privacy.secrets import secrets_in

        yield from secrets_in(text)


def _addresses(text: str, kinds: Collection[str]) -> Iterator[Found]:
    from gitmem.privacy.addresses import emails_in, ips_in

    if EMAIL in kinds and "@" in text:
        yield from emails_in(text)
    if IP in kinds:
        yield from ips_in(text)


def _numbers(text: str, kinds: Collection[str]) -> Iterator[Found]:
    from gitmem.privacy.runs import runs_in

    runs = list(runs_in(text))
    if runs:
        from gitmem.privacy.numbers import numbers_in
        from gitmem.privacy.phones import phones_in

        yield from (each for each in numbers_in(runs) if each.kind in kinds)
        if PHONE in kinds:
            yield from phones_in(runs)
