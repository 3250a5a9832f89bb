"""Tombstones: what was forgotten is known again, and not said. The tracked file `.gitmem/tombstones`.

    commit DATE ID           a commit of the history that was rewritten; read without any key
    id DATE KEY MARK         of an id
    text DATE KEY MARK       of a whole text, in normal form
    sentence DATE KEY MARK   of a sentence of six words and more that no memory says any more, in normal form
    file DATE KEY MARK       of the bytes of an attachment

A mark is an HMAC, KEY the name of its key; `privacy/tombstones.py` makes both. The file only grows, and two
versions of it merge into all lines of both.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from gitmem.model.lazily import Lazy

TOMBSTONES_PATH = ".gitmem/tombstones"
MAX_BYTES = 64 * 1024 * 1024
_HEAD = "# What was forgotten here, as marks that say nothing. Lines are added, never taken out.\n"
_COMMIT = Lazy(r"commit (\d{4}-\d\d-\d\d) ([0-9a-f]{40})")
_MARK = Lazy(r"(id|text|sentence|file) (\d{4}-\d\d-\d\d) ([0-9a-f]{8}) ([0-9a-f]{32})")


class Tombstones(Struct, frozen=True, eq=False):
    """The lines of the file, taken apart: dates by commit, and by kind, key and mark."""

    lines: frozenset[str] = frozenset()
    commits: dict[str, str] = field(default_factory=dict)
    marks: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tombstones) and self.lines == other.lines

    def __hash__(self) -> int:
        return hash(self.lines)

    def with_lines(self, lines: Iterable[str]) -> Tombstones:
        """These and more."""
        return from_lines(self.lines | set(lines))

    @property
    def data(self) -> bytes:
        """The file, the same for the same lines in whatever order they came."""
        return (_HEAD + "".join(f"{line}\n" for line in sorted(self.lines))).encode("ascii")

    @property
    def keys(self) -> set[str]:
        """The names of the keys that its marks were made with."""
        return {key for _, key, _ in self.marks}


def parse_tombstones(data: bytes) -> Tombstones:
    """The tombstones in a file; lines that are none are left out."""
    return from_lines(data.decode("ascii", "replace").splitlines())


def from_lines(lines: Iterable[str]) -> Tombstones:
    """The tombstones that the lines are."""
    kept: set[str] = set()
    commits: dict[str, str] = {}
    marks: dict[tuple[str, str, str], str] = {}
    for line in lines:
        if match := _COMMIT.fullmatch(line):
            commits[match[2]] = match[1]
        elif match := _MARK.fullmatch(line):
            marks[(match[1], match[3], match[4])] = match[2]
        else:
            continue
        kept.add(line)
    return Tombstones(frozenset(kept), commits, marks)


def union(*files: bytes | None) -> bytes:
    """Several versions of the file as one."""
    return from_lines(line for file in files if file for line in parse_tombstones(file).lines).data
