"""What the rules of a store make of a text: what is in it, and what is to be done about each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from gitmem.model.own_pattern import bounded_pattern, places_of
from gitmem.model.sensitive import Action, PrivacyRules
from gitmem.privacy.detect import Detector, detect
from gitmem.privacy.found import Found
from gitmem.privacy.plain import plain

Hide = Callable[[str, str], str]
"""The placeholder for a value, by its kind."""


class Sighting(Struct, frozen=True):
    """Something of a kind at a `place`, in words, and what is to be done. The value is never shown.

    `line` is that of the file, from 1; 0 where there is no file.
    """

    kind: str
    action: Action
    place: str
    value: str
    line: int = 0

    def __repr__(self) -> str:
        return f"Sighting({self.kind!r}, {self.action!r}, {self.place!r}, line={self.line!r})"


class Judge(Struct, frozen=True):
    """The rules of one store, or of one partition of it."""

    rules: PrivacyRules
    detectors: Sequence[Detector] = ()

    def find(self, text: str) -> list[Found]:
        """What is in `text` and not simply allowed; the store's own patterns go before the others."""
        own: list[Found] = []
        patterns = [
            each for each in self.rules.patterns if self.rules.action_of(each.name) is not Action.ALLOW
        ]
        if patterns:
            read = plain(text)
            for each in patterns:
                for start, end in places_of(bounded_pattern(each.pattern), read):
                    own.append(Found(each.name, start, end))
        return detect(text, kinds=self.rules.kinds, first=own, detectors=self.detectors)

    def sighting(self, found: Found, text: str, place: str, *, line: int = 0) -> Sighting:
        """What was found in `text`, with what is to be done about it."""
        value = text[found.start : found.end]
        return Sighting(found.kind, self.rules.action_of(found.kind), place, value, line)

    def hidden(self, text: str, hide: Hide, *, least: Action = Action.REDACT) -> str:
        """`text` with placeholders for all whose action is at least as strict as `least`."""
        found = [
            each for each in self.find(text) if self.rules.action_of(each.kind).strictness >= least.strictness
        ]
        return replaced(text, found, hide)


def replaced(text: str, found: Sequence[Found], hide: Hide) -> str:
    """`text` with a placeholder for each of `found`, which stand in order."""
    parts: list[str] = []
    place = 0
    for each in found:
        parts += [text[place : each.start], hide(each.kind, text[each.start : each.end])]
        place = each.end
    return "".join(parts) + text[place:]
