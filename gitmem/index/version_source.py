"""Where the index of versions takes its documents from; it knows neither git nor the version table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Protocol

from msgspec import Struct

from gitmem.errors import Busy
from gitmem.model.memory import Memory


class VersionsChanged(Busy):
    """The source no longer knows a version that it named: its branch was rewritten meanwhile."""


class VersionsUnknown(VersionsChanged):
    """The source can no longer tell which versions a commit has."""


class Live(Struct, frozen=True):
    """The versions that one commit has. Two of one `name` are the same.

    `keys` looks them up. Raises `VersionsUnknown`.
    """

    name: Hashable
    keys: Callable[[], Collection[int]]


class VersionSource(Protocol):
    """The versions of a branch, as documents to be indexed; each has a key that it keeps for ever."""

    def keys(self) -> set[int]:
        """The keys of all versions. Raises `VersionsChanged` where they cannot be told."""

    def memories(self, keys: Collection[int]) -> Iterator[tuple[int, Memory]]:
        """The versions with these keys, in any order. Raises `VersionsChanged` where one is unknown."""
