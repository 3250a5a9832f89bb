"""Messages of commits, tags and logs without what they say of forgotten memories."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from gitmem.privacy.pieces import FORGOTTEN, Piece, Sought

_TRAILERS = re.compile(rb"(?m)^(?:Memory-Id|Disputed): *([^\n]*)\n?")
_CUT = "…"
_FEW_IDS = 32
_FEWEST_CHARACTERS = 4
"""A shorter title could be a word of any message."""


class Messages:
    """How messages are reworded. What commits say that `touched` a forgotten memory is looked at closely.

    `subjects` are theirs: where a log or a stash repeats one that has a title in it, it goes too.
    """

    def __init__(
        self,
        sought: Sought,
        titles: Iterable[str],
        ids: Mapping[str, str],
        subjects: Iterable[str],
        touched: Collection[str],
    ) -> None:
        self._titles = sorted((title for title in titles if len(title) >= _FEWEST_CHARACTERS), key=len)
        self._ids = {key.encode("utf-8", "surrogateescape") for key in ids}
        self._touched = touched
        told = [
            Piece(each.encode("utf-8", "surrogateescape").lower()) for each in subjects if self._tells(each)
        ]
        self.sought = Sought([*sought.pieces, *told])
        named = [Piece(title.encode("utf-8", "surrogateescape").lower(), True) for title in self._titles]
        self._close = Sought([*self.sought.pieces, *named])

    @classmethod
    def of_nothing(cls) -> Messages:
        """Leaves every message as it is."""
        return cls(Sought(()), (), {}, (), ())

    def reword(self, oid: str, message: bytes) -> bytes:
        """The message of the commit or tag `oid`."""
        made = _TRAILERS.sub(self._kept, message) if self._may_name(message) else message
        if oid not in self._touched:
            return self.sought.redacted(made)
        subject, line_end, rest = made.partition(b"\n")
        return self._subject(subject) + line_end + self._close.redacted(rest)

    def _may_name(self, message: bytes) -> bool:
        """Whether one of the ids is in a message, as far as that is told quickly."""
        if len(self._ids) > _FEW_IDS:
            return True
        low = message.lower()
        return any(each in low for each in self._ids)

    def _kept(self, match: re.Match[bytes]) -> bytes:
        return b"" if match[1].strip().lower() in self._ids else match[0]

    def _subject(self, subject: bytes) -> bytes:
        if self._tells(subject.decode("utf-8", "replace")):
            operation, colon, _ = subject.partition(b": ")
            return (operation + colon if colon else b"") + FORGOTTEN
        return self._close.redacted(subject)

    def _tells(self, subject: str) -> bool:
        """Whether a subject is made of a title, which may be cut."""
        said = (subject.partition(": ")[2] or subject).strip()
        said = said.removesuffix(_CUT).strip() if said.endswith(_CUT) else said
        return len(said) >= _FEWEST_CHARACTERS and any(title.startswith(said) for title in self._titles)
