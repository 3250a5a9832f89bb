"""Names of people, by the package of the extra `[pii]`, which is imported where a policy asks for names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from gitmem.errors import OutsideFailure
from gitmem.model.sensitive import NAME
from gitmem.privacy.detect import Detector
from gitmem.privacy.found import Found


class ArgusNames:
    """The people that `argus-redact` finds by its own rules, in English and Chinese; it loads no model."""

    def __init__(self, redact: Any) -> None:
        self._redact = redact

    def find(self, text: str) -> Sequence[Found]:
        """The names in `text`, wherever they occur in it."""
        _, names = self._redact(text, mode="fast", lang=["en", "zh"], types=["person"])
        found: list[Found] = []
        for name in dict.fromkeys(names.values()):
            start = text.find(name)
            while start >= 0:
                found.append(Found(NAME, start, start + len(name)))
                start = text.find(name, start + len(name))
        return sorted(found, key=lambda each: each.start)


@cache
def names_detector() -> Detector:
    """The detector of names. Raises `OutsideFailure` where the package is not installed."""
    try:
        from argus_redact import redact
    except ImportError as error:
        raise OutsideFailure(
            "privacy.name asks for names of people to be looked for, and argus-redact is not installed, "
            "so nothing was written",
            hint="pip install 'gitmem-store[pii]'",
        ) from error
    return ArgusNames(redact)
