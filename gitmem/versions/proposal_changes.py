"""What a proposal changes, as memories: each by its id, wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from gitmem.model.ids import MemoryId
from gitmem.model.memory import Memory
from gitmem.versions.merge_tree import POLICY_FOLDER
from gitmem.versions.merge_units import Halves, halves_of
from gitmem.versions.merge_values import Unit
from gitmem.versions.place import Place
from gitmem.versions.proposals import Proposal


class ChangeKind(StrEnum):
    """What becomes of a memory. One that is moved may be changed as well."""

    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """One memory before and after; `old` is None where it is new, `new` where it is taken off main.

    `key` is the one it has in a merge. `attachments` are the names of those that differ.
    `is_changed_on_main`: main changed it too since the proposal began.
    """

    key: str
    kind: ChangeKind
    old: Memory | None
    new: Memory | None
    attachments: Sequence[str] = ()
    is_changed_on_main: bool = False

    @property
    def memory(self) -> Memory:
        """As it will be, or as it was."""
        found = self.new or self.old
        assert found is not None, "a change has a side"
        return found

    @property
    def id(self) -> MemoryId:
        return self.memory.id


@dataclass(frozen=True, slots=True)
class ProposalChanges:
    """The memories that a proposal changes, by kind and path, and the paths of other files.

    `policy` are files below `.gitmem/`: what the store goes by.
    """

    memories: Sequence[MemoryChange] = ()
    files: Sequence[str] = ()
    policy: Sequence[str] = ()

    def count(self, kind: ChangeKind) -> int:
        """How many memories are changed in this way."""
        return sum(1 for change in self.memories if change.kind is kind)


def changes_of(place: Place, proposal: Proposal) -> ProposalChanges:
    """What the proposal changes, or did change, leaving out what main has already."""
    main = place.tip(place.main)
    if proposal.base is None or main is None:
        return ProposalChanges()
    ours = main if proposal.is_open else proposal.base
    return changes_in(place, halves_of(place, proposal.base, ours, proposal.tip))


def changes_in(place: Place, halves: Halves) -> ProposalChanges:
    """What their side changed."""
    memories = [
        change
        for key in {*halves.base.memories, *halves.theirs.memories}
        if (change := _change(place, halves, key)) is not None
    ]
    order = list(ChangeKind)
    memories.sort(key=lambda change: (order.index(change.kind), change.memory.path))
    base, ours, theirs = halves.base.files, halves.ours.files, halves.theirs.files
    paths = sorted(
        path for path in {*base, *theirs} if theirs.get(path) not in (base.get(path), ours.get(path))
    )
    return ProposalChanges(
        memories,
        [path for path in paths if not path.startswith(POLICY_FOLDER)],
        [path for path in paths if path.startswith(POLICY_FOLDER)],
    )


def _change(place: Place, halves: Halves, key: str) -> MemoryChange | None:
    base, ours, theirs = (half.memories.get(key) for half in (halves.base, halves.ours, halves.theirs))
    if _same(base, theirs) or _same(ours, theirs):
        return None
    if base is None:
        kind = ChangeKind.ADDED
    elif theirs is None:
        kind = ChangeKind.ARCHIVED
    else:
        kind = ChangeKind.CHANGED if base.file.path == theirs.file.path else ChangeKind.MOVED
    before, after = ({} if unit is None else unit.attached for unit in (base, theirs))
    return MemoryChange(
        key,
        kind,
        _memory(place, base),
        _memory(place, theirs),
        sorted(
            name
            for name in {*before, *after}
            if (before[name].content if name in before else None)
            != (after[name].content if name in after else None)
        )
        if theirs is not None
        else (),
        not _same(base, ours),
    )


def _same(one: Unit | None, other: Unit | None) -> bool:
    """Whether both sides have the memory in the same place, with the same text and attachments."""
    if one is None or other is None:
        return one is other
    return one.file == other.file and dict(one.attached) == dict(other.attached)


def _memory(place: Place, unit: Unit | None) -> Memory | None:
    return None if unit is None else place.snapshot(None).read(unit.file.path, unit.file.blob)
