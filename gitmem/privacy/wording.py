"""What was found, in words: kinds, counts and places, never a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gitmem.model.sensitive import CARD, CN_ID, EMAIL, IBAN, IP, NAME, PASSPORT, PHONE, PLATE, SECRET, SSN
from gitmem.privacy.judge import Sighting

_WORDS = {
    SECRET: ("a secret", "secrets"),
    EMAIL: ("an e-mail address", "e-mail addresses"),
    PHONE: ("a phone number", "phone numbers"),
    CARD: ("a card number", "card numbers"),
    IBAN: ("an IBAN", "IBANs"),
    CN_ID: ("a resident ID number", "resident ID numbers"),
    SSN: ("a social security number", "social security numbers"),
    PASSPORT: ("a passport number", "passport numbers"),
    PLATE: ("a licence plate", "licence plates"),
    IP: ("an IP address", "IP addresses"),
    NAME: ("a name", "names"),
}
MOST_PLACES = 3


def one_of(kind: str) -> str:
    """`an e-mail address`; of a store's own kind, its name."""
    return _WORDS.get(kind, (f"a {kind}", ""))[0]


def counted(sightings: Iterable[Sighting]) -> str:
    """`2 e-mail addresses and a phone number`: how many different values of each kind."""
    counts = Counter(kind for kind, _ in {(each.kind, each.value.casefold()): None for each in sightings})
    parts = [
        one_of(kind) if count == 1 else f"{count} {_WORDS.get(kind, ('', f'of {kind}'))[1]}"
        for kind, count in counts.items()
    ]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def placed(sightings: Sequence[Sighting]) -> str:
    """`a secret in line 3, an e-mail address in the field title`; of many, the first three."""
    named = list(dict.fromkeys(f"{one_of(each.kind)} in {each.place}" for each in sightings))
    more = f", and {len(named) - MOST_PLACES} more" if len(named) > MOST_PLACES else ""
    return ", ".join(named[:MOST_PLACES]) + more
