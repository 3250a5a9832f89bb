"""What two sides changed since a base, as memories and other files; see `merge_tree` for what comes of it.

Which memory a file is, tried in this order:
    stays       the file stands where the base has it, with the same id
    moved       its id is one of the base, and no other file of the side has it
    renamed id  the file stands where the base has one, and its id is another
    moved note  a note without an id: the base has one with the same bytes, or alike, that is gone
    new         none of these; a second file with an id that is in use counts as another memory
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import TreeEntry
from gitmem.git.trees import find_entries
from gitmem.model.diff import likeness
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Memory
from gitmem.model.place import attachment_folder, owner_of
from gitmem.versions.merge_values import Half, Standing, Unit
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.walk import SIMILAR

Entries = dict[str, TreeEntry]


class Halves(Struct, frozen=True):
    """What the base, our side and their side have of all that either side changed."""

    base: Half
    ours: Half
    theirs: Half


def halves_of(place: Place, base: str | None, ours: str, theirs: str) -> Halves:
    """The three halves of a merge, given as commits or trees. Raises `Damaged`."""
    reader = _Reader(place)
    changed_by_us = place.repository.diff_trees(base, ours)
    changed_by_them = place.repository.diff_trees(base, theirs)
    before = {c.path: c.old for c in (*changed_by_us, *changed_by_them) if c.old is not None}
    owners = {owner for c in (*changed_by_us, *changed_by_them) if (owner := owner_of(c.path))}
    if base is not None:
        before |= find_entries(place.repository.raw, base, sorted(owners - before.keys()))
    sides: list[Entries] = []
    for changes in (changed_by_us, changed_by_them):
        touched = {change.path for change in changes}
        side = {path: entry for path, entry in before.items() if path not in touched}
        sides.append(side | {change.path: change.new for change in changes if change.new is not None})
    older = reader.identified(before, {})
    keys = {memory.path: key for key, memory in older.items()}
    ours_by_key, theirs_by_key = (reader.identified(side, older, keys) for side in sides)
    return Halves(_half(older, before), _half(ours_by_key, sides[0]), _half(theirs_by_key, sides[1]))


def _half(memories: Mapping[str, Memory], entries: Entries) -> Half:
    owners = {memory.path: key for key, memory in memories.items()}
    attached: dict[str, dict[str, Standing]] = {key: {} for key in memories}
    files: dict[str, Standing] = {}
    for path, entry in entries.items():
        standing = Standing(path, BlobId(entry.oid), entry.mode)
        owner = owner_of(path)
        if path in owners:
            continue
        if owner in owners and entry.mode in REGULAR_MODES:
            attached[owners[owner]][path[len(attachment_folder(owner)) :]] = standing
        else:
            files[path] = standing
    units = {
        key: Unit(memory.id, Standing(memory.path, memory.blob, entries[memory.path].mode), attached[key])
        for key, memory in memories.items()
    }
    return Half(units, files)


class _Reader(Struct):
    """Reads memories, each once, and tells which is which."""

    place: Place
    _read: dict[tuple[str, str], Memory] = field(default_factory=dict)

    def identified(
        self, entries: Entries, base: Mapping[str, Memory], base_keys: Mapping[str, str] | None = None
    ) -> dict[str, Memory]:
        """The memories among `entries` by key; `base` are those of the base, `base_keys` their paths."""
        memories = self._memories(entries)
        keys = _Keys(memories, base, base_keys or {})
        keys.stay()
        keys.moved()
        keys.renamed_ids()
        keys.moved_notes(self._likeness)
        keys.new()
        return keys.found

    def _memories(self, entries: Entries) -> list[Memory]:
        snapshot: Snapshot = self.place.snapshot(None)
        found = []
        for path in sorted(entries):
            entry = entries[path]
            if entry.mode in REGULAR_MODES and self.place.config.is_memory_path(path):
                known = self._read.get((path, entry.oid))
                memory = known or snapshot.read(path, BlobId(entry.oid))
                self._read[path, entry.oid] = memory
                found.append(memory)
        return found

    def _likeness(self, one: Memory, other: Memory) -> float:
        read = self.place.repository.read_blob
        return 1.0 if one.blob == other.blob else likeness(read(one.blob), read(other.blob))


class _Keys:
    """Gives each memory of a side its key, step by step."""

    def __init__(
        self, memories: list[Memory], base: Mapping[str, Memory], base_keys: Mapping[str, str]
    ) -> None:
        self.found: dict[str, Memory] = {}
        self._left = {memory.path: memory for memory in memories}
        self._base = base
        self._base_keys = base_keys

    def _give(self, key: str, memory: Memory) -> None:
        self.found[key] = memory
        del self._left[memory.path]

    def stay(self) -> None:
        for memory in list(self._left.values()):
            key = self._base_keys.get(memory.path)
            if key is not None and id_key(self._base[key].id) == id_key(memory.id):
                self._give(key, memory)

    def moved(self) -> None:
        for memory in list(self._left.values()):
            key = id_key(memory.id)
            if key in self._base and key not in self.found:
                self._give(key, memory)

    def renamed_ids(self) -> None:
        for memory in list(self._left.values()):
            key = self._base_keys.get(memory.path)
            if key is not None and key not in self.found:
                self._give(key, memory)

    def moved_notes(self, likeness_of: Callable[[Memory, Memory], float]) -> None:
        gone = {key: old for key, old in self._base.items() if key not in self.found and not old.has_own_id}
        for memory in [each for each in self._left.values() if not each.has_own_id]:
            shares = {key: likeness_of(old, memory) for key, old in gone.items()}
            best = max(shares, key=lambda key: (shares[key], key), default=None)
            if best is not None and shares[best] >= SIMILAR:
                self._give(best, memory)
                del gone[best]

    def new(self) -> None:
        for memory in list(self._left.values()):
            key = id_key(memory.id)
            self._give(key if key not in self.found else f"{key}\0{memory.path}", memory)
