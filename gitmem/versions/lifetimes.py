"""When each version of a branch lived, read from its table at once and asked for one commit after another."""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.versions.table import VersionTable

KEPT_TABLES = 2
"""Of so many tables lifetimes are kept: that of the branch, and one of another branch."""


class Lifetimes:
    """The spans of the memories of one table, in columns: the key, and from which ordinal to which."""

    def __init__(self, keys: array[int], began: array[int], ended: array[int]) -> None:
        """The columns are those of `VersionTable.all_spans`."""
        self._keys = keys
        self._began = began
        self._ended = ended

    def live(self, ordinal: int) -> list[int]:
        """The keys of the memories that the commit at `ordinal` has."""
        spans = zip(self._keys, self._began, self._ended, strict=True)
        return [key for key, began, ended in spans if began <= ordinal < ended]


class KeptLifetimes:
    """Lifetimes of the tables asked last; safe to use from several threads.

    A table is known by its tip and by what it was made of: of the same two the same table is made.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[object, Lifetimes] = OrderedDict()

    def of(self, table: VersionTable) -> Lifetimes:
        """The lifetimes in `table`, which is being read. Raises `UnusableTable`."""
        name = (table.tip(), table.ground())
        with self._lock:
            found = self._kept.pop(name, None)
        if found is None:
            found = Lifetimes(*table.all_spans())
        with self._lock:
            self._kept[name] = found
            while len(self._kept) > KEPT_TABLES:
                self._kept.popitem(last=False)
        return found

    def clear(self) -> None:
        """Lets go of all."""
        with self._lock:
            self._kept.clear()
