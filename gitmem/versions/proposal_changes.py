"""What a proposal changes, as memories: each by its id, wherever it stands."""

from __future__ import annotations

from gitmem.model.memory import Memory
from gitmem.model.proposal import Proposal
from gitmem.model.proposal_change import ChangeKind, MemoryChange, ProposalChanges
from gitmem.versions.merge_tree import POLICY_FOLDER
from gitmem.versions.merge_units import Halves, halves_of
from gitmem.versions.merge_values import Unit
from gitmem.versions.place import Place


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
