"""What a sync brought onto main and archive at once, with two texts, becomes one memory on main.

As where one clone restored a memory and another changed it on the archive, or where two made memories of one
id and one of them was archived. A text that the other branch had before is older and gives way; else both are
merged as a memory that was born twice. Equal texts are left: they may be a move on its way.
"""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.flows.merge import merge_plan
from gitmem.flows.merging.archive import standing_as, take_off_archive, unit_of, was_text
from gitmem.flows.syncing.progress import Syncing
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply, new_operation_id
from gitmem.model.change import Origin, Plan
from gitmem.model.ids import CommitId, id_key
from gitmem.model.memory import Memory
from gitmem.versions.merge_tree import merge_trees
from gitmem.versions.merge_values import Half, KeptFromArchive, TreeMerge
from gitmem.versions.snapshot import Snapshot

Tips = tuple[CommitId | None, CommitId | None]
"""Where main and archive stood."""


def unite_doubles(state: Syncing, before: Tips) -> None:
    """Unites what stands on main and archive with two texts, of what either got since `before`.

    A file with an edit that is not committed is left as it is; `doctor` names the memory then.
    """
    main = state.work.whole
    archive = main.on(state.archive)
    pairs = _doubles(main, archive, before)
    if not pairs:
        return
    merged = TreeMerge({}, (), ())
    operation_id = new_operation_id(main.clock)

    def plan(snapshot: Snapshot) -> Plan:
        nonlocal merged
        there = archive.snapshot()
        assert there.commit is not None, "a memory stands there"
        merged = _united(main, archive, pairs, snapshot, there)
        subject = f"{state.archive} into {state.main}"
        return merge_plan(snapshot, merged, subject, state.origin, merges=None, brings=there.commit)

    try:
        applied = apply(main.place, main.branch, plan, clock=main.clock, operation_id=operation_id)
        kept = [KeptFromArchive(here.id, old.path, (old.blob,)) for here, old in pairs]
        notices = take_off_archive(
            main, kept, operation_id, origin=Origin(reason=f"they stand on {state.main}")
        )
    except GitmemError as error:
        notices = (f"{pairs[0][0].id} stands on {state.main} and on {state.archive}: {error.message}",)
    else:
        notices = (*applied.notices, *notices)
        state.moved_here |= {state.archive} | ({state.main} if applied.commit else set())
    state.notices |= dict.fromkeys(notices)
    state.disputed |= dict.fromkeys(merged.disputed)
    state.report += merged.report


def _doubles(main: Work, archive: Work, before: Tips) -> list[tuple[Memory, Memory]]:
    """The memories on main and on archive that differ, among those that changed on either."""
    here, there = main.snapshot(), archive.snapshot()
    if here.commit is None or there.commit is None or (here.commit, there.commit) == before:
        return []
    pairs: dict[str, tuple[Memory, Memory]] = {}
    for side, other, old in ((here, there, before[0]), (there, here, before[1])):
        for change in side.changes_since(old):
            memory = side.memory(change.path) if change.new else None
            for double in standing_as(other, memory.id, change.path) if memory else ():
                assert memory is not None
                if memory.blob != double.blob:
                    pairs[id_key(memory.id)] = (memory, double) if side is here else (double, memory)
    return list(pairs.values())


def _united(
    main: Work, archive: Work, pairs: list[tuple[Memory, Memory]], here: Snapshot, there: Snapshot
) -> TreeMerge:
    bases, ours, theirs = {}, {}, {}
    for memory, old in pairs:
        key = id_key(memory.id)
        if here.blob(memory.path) != memory.blob or there.blob(old.path) != old.blob:
            continue
        ours[key] = unit_of(here, memory, memory.path)
        theirs[key] = unit_of(there, old, memory.path)
        if was_text(main, memory, old):
            bases[key] = theirs[key]
        elif was_text(archive, old, memory):
            bases[key] = ours[key]
    read = main.place.repository.read_blob
    return merge_trees(Half(bases), Half(ours), Half(theirs), read=read, is_taken=here.occupied)
