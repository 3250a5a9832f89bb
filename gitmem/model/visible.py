"""Text that a terminal may be given: nothing in it moves the cursor, sets colours or reorders other text."""

from __future__ import annotations

from gitmem.model.lazily import Lazy

_BIDI = "\u202a-\u202e\u2066-\u206f"
"""Embeddings, overrides, isolates, and the marks that Unicode has withdrawn: they reorder what is near."""
_CONTROLS = "\x00-\x1f\x7f-\x9f"
_OBEYED = Lazy(f"[{_CONTROLS}{_BIDI}]")
_OBEYED_IN_TEXT = Lazy(f"\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}]")
_NOT_IN_A_LINE = Lazy(f"[{_CONTROLS}{_BIDI}\u2028\u2029\ud800-\udfff]")
_UNSEEN = Lazy("[\\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*")
REPLACEMENT = "\ufffd"


def is_blank(text: str) -> bool:
    """Whether nobody sees anything of `text`: blanks, line ends, characters without width."""
    return not text.strip() or (not text.isascii() and _UNSEEN.fullmatch(text) is not None)


def printable(text: str) -> str:
    """`text` with every character that a terminal would obey replaced; line ends and tabs stay, CRLF is one.

    Joiners and other invisible characters that words and emoji are made of stay.
    """
    return _OBEYED_IN_TEXT.pattern.sub(lambda found: "\n" if found.group() == "\r\n" else REPLACEMENT, text)


def one_line(text: str) -> str:
    """`text` without line ends, control characters and runs of blanks, as it may stand in a message."""
    return " ".join(_NOT_IN_A_LINE.sub(" ", text).split())


def memories_text(count: int) -> str:
    """A number of memories in words: `1 memory`, `1,200 memories`."""
    return "1 memory" if count == 1 else f"{count:,} memories"


def escaped_in_json(text: str) -> str:
    """JSON in which such characters are spelled out, so that it can be printed; its value is the same."""
    return _OBEYED.pattern.sub(lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    return character if character == "\n" else f"\\u{ord(character):04x}"
