"""The pieces of a text by which it is known wherever it lies: what is sought, and taken out.

    id         its own id; one that could be a word of any text only in names, headers and links
    line       of 24 characters and more
    word       of 8 characters and more with a digit and something else in it, such as a number or a key
    title      of 24 characters and more, and what a file name makes of it
A piece that a memory which stays holds too is nobody's: it is not sought.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from gitmem.model.memory import Memory
from gitmem.model.place import slug_of

FORGOTTEN = b"forgotten"
FEWEST_LINE_CHARACTERS = 24
FEWEST_WORD_CHARACTERS = 8
FEWEST_ID_CHARACTERS = 8
MOST_LINES = 500
"""Of one text, so many lines are sought, the longest."""
_FEW = 32
"""So few pieces are looked for one by one."""
_WORD = re.compile(rb"[a-z0-9]{3,}")
_TOKEN = re.compile(r"[A-Za-z0-9](?:[\w.@+-]*[A-Za-z0-9])?", re.ASCII)
_TIME = re.compile(
    r"\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?(?:T?\d{2}(?:\.\d+)?Z?(?:[+-]\d{2})?)?|\d{8}T\d{6}Z?"
)
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MAKES_WORD = b"[a-z0-9]"
_WORD_BYTES = frozenset(bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyz0123456789")
_ID_FRAMES = (
    *((b"", after) for after in (b".md", b".files")),
    (b"id: ", b""),
    *((b"[[", after) for after in (b"]]", b"|", b"#")),
    *((b"to: ", after) for after in (b",", b"}", b"\n")),
    (b"- ", b"\n"),
)
"""Between what an id stands in names, headers and links."""


class Piece(Struct, frozen=True):
    """Something to seek, in lower case; a `token` is not sought inside a longer word.

    With `before` and `after` it counts only between these, which stay where it is replaced.
    """

    text: bytes
    is_token: bool = False
    is_id: bool = False
    before: bytes = b""
    after: bytes = b""

    @property
    def whole(self) -> bytes:
        return self.before + self.text + self.after


def pieces_of_id(memory_id: str) -> list[Piece]:
    """An id that no text has by chance is sought as it is; another one only where it stands for an id."""
    text = memory_id.casefold().encode("utf-8", "surrogateescape")
    if len(memory_id) >= FEWEST_ID_CHARACTERS and any(letter.isdigit() for letter in memory_id):
        return [Piece(text, True, True)]
    return [Piece(text, True, True, before, after) for before, after in _ID_FRAMES]


def pieces_of_text(text: str) -> list[Piece]:
    """The telling lines and words of a text."""
    lines = {line.strip() for line in text.splitlines()}
    long = sorted((line for line in lines if len(line) >= FEWEST_LINE_CHARACTERS), key=len, reverse=True)
    found = [Piece(_lower(line)) for line in long[:MOST_LINES]]
    words = {word for word in _TOKEN.findall(text) if is_telling(word)}
    return found + [Piece(_lower(word), True) for word in sorted(words)]


def pieces_of_memory(memory: Memory, text: str) -> list[Piece]:
    """The pieces of a memory whose file says `text`."""
    labels = [memory.title, *memory.tags, *memory.entities, *([memory.subject] if memory.subject else [])]
    found = pieces_of_text(memory.body)
    found += [piece for label in labels for piece in pieces_of_text(label)]
    found += [Piece(_lower(line)) for line in _header_lines(text, memory.body)]
    slug = slug_of(memory.title)
    if len(slug) >= FEWEST_LINE_CHARACTERS:
        found.append(Piece(_lower(slug)))
    return list(dict.fromkeys(found))


def _header_lines(text: str, body: str) -> list[str]:
    """The long lines of a header, but for those that tell where and when it was learned."""
    header = text.removesuffix(body)
    lines = (line.strip() for line in header.splitlines())
    return [
        line
        for line in lines
        if len(line) >= FEWEST_LINE_CHARACTERS
        and not re.match(r"(?:id|type|created|agent|session|source|valid_from|valid_until)\s*:", line)
    ]


def is_telling(word: str) -> bool:
    """Whether a word is none that another text has by chance."""
    if len(word) < FEWEST_WORD_CHARACTERS or _TIME.fullmatch(word) or _HASH.fullmatch(word):
        return False
    digits = sum(letter.isdigit() for letter in word)
    return digits > 0 and (digits < len(word) or digits >= FEWEST_WORD_CHARACTERS)


def _lower(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape").lower()


class Sought:
    """Pieces, to be found in any bytes in one look; upper and lower case of A to Z count as one.

    Each piece is looked for only where a word of it stands, so that many cost little more than one.
    """

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.pieces = tuple(dict.fromkeys(piece for piece in pieces if piece.text))
        self._all = [(piece.whole, piece) for piece in self.pieces]
        self._by_word: dict[bytes, list[tuple[bytes, Piece]]] = defaultdict(list)
        self._others: list[tuple[bytes, Piece]] = []
        self._patterns: dict[Piece, re.Pattern[bytes]] = {}
        for whole, piece in self._all:
            word = _anchor(piece)
            if word is None:
                self._others.append((whole, piece))
            else:
                self._by_word[word].append((whole, piece))
        self._others_ascii = [each for each in self._others if each[0].isascii()]

    def __bool__(self) -> bool:
        return bool(self.pieces)

    def found_in(self, data: bytes) -> set[Piece]:
        """The pieces that `data` holds."""
        low = data.lower()
        if len(self.pieces) <= _FEW:
            wanted = self._all
        else:
            words = self._by_word.keys() & set(_WORD.findall(low))
            wanted = [each for word in words for each in self._by_word[word]]
            wanted += self._others_ascii if low.isascii() else self._others
        return {piece for whole, piece in wanted if whole in low and _stands(low, whole, piece)}

    def redacted(self, data: bytes) -> bytes:
        """`data` with one word in place of each piece."""
        for piece in sorted(self.found_in(data), key=lambda piece: len(piece.text), reverse=True):
            data = self._pattern(piece).sub(FORGOTTEN, data)
        return data

    def without(self, pieces: Iterable[Piece]) -> Sought:
        """The same without some."""
        gone = set(pieces)
        return Sought(piece for piece in self.pieces if piece not in gone)

    def _pattern(self, piece: Piece) -> re.Pattern[bytes]:
        if piece not in self._patterns:
            text = re.escape(piece.text)
            if piece.before:
                text = b"(?<=%b)%b" % (re.escape(piece.before), text)
            elif piece.is_token:
                text = b"(?<!%b)%b" % (_MAKES_WORD, text)
            if piece.after:
                text = b"%b(?=%b)" % (text, re.escape(piece.after))
            elif piece.is_token:
                text = b"%b(?!%b)" % (text, _MAKES_WORD)
            self._patterns[piece] = re.compile(text, re.IGNORECASE)
        return self._patterns[piece]


def _stands(low: bytes, whole: bytes, piece: Piece) -> bool:
    """Whether a piece that is in `low` counts there: one that has to be a word is not in a longer one."""
    if not piece.is_token:
        return True
    at = low.find(whole)
    while at >= 0:
        end = at + len(whole)
        begins = bool(piece.before) or low[at - 1 : at] not in _WORD_BYTES
        if begins and (piece.after or low[end : end + 1] not in _WORD_BYTES):
            return True
        at = low.find(whole, at + 1)
    return False


def _anchor(piece: Piece) -> bytes | None:
    """A word of the piece that stands as a word wherever the piece does; None where there is none."""
    words = [
        match[0]
        for match in _WORD.finditer(piece.whole)
        if piece.is_token or (match.start() > 0 and match.end() < len(piece.whole))
    ]
    return max(words, key=len) if words else None
