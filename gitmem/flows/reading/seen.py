"""What a read shows beside what is committed on main: hand edits, and what the reader itself has proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.flows.reading.edits import look
from gitmem.flows.reading.sight import Edit, Sight
from gitmem.flows.work import Work

if TYPE_CHECKING:
    from gitmem.model.proposal_change import MemoryChange

PROPOSED = "proposed"
SIGNED = "last signed version"


def seen(work: Work) -> Sight:
    """What a read of `work` should show. Where a hand edit and a proposal change one file, the edit shows.

    Where only what is signed counts, that alone. Raises `OutsideFailure` where that cannot be told, and
    `UnsupportedRepository` in a shallow clone.
    """
    if work.place.config.policy.require_signed:
        return _signed(work)
    sight = look(work)
    if work.is_past or work.branch != work.place.main or not work.place.config.policy.routes:
        return sight
    own = _proposed(work)
    if not own:
        return sight
    edited = {edit.path for edit in sight.edits}
    return replace(sight, edits=[*sight.edits, *(edit for edit in own if edit.path not in edited)])


def _signed(work: Work) -> Sight:
    """The last signed version of each memory; what has none is hidden, and counted in a note."""
    from gitmem.versions.signed import signed_differences

    tip = work.snapshot().commit
    if tip is None:
        return Sight()
    if work.is_past:
        return Sight(notes=("this shows the past as it was, signed or not",))
    snapshot = work.snapshot()
    differs = signed_differences(
        work.place, work.branch, tip, lambda done, total: work.progress("verifying signatures", done, total)
    )
    edits, hidden, unseen = [], [], []
    veil = work.place.veil
    for path, shown in differs.items():
        if shown is not None and veil is not None and veil.hides(path, shown):
            unseen += [path] if snapshot.blob(path) is not None else []
        elif shown is not None:
            memory = snapshot.read(path, shown)
            edits.append(Edit(path, "changed", memory.id, memory.title, memory, SIGNED))
        elif snapshot.blob(path) is not None:
            hidden.append(path)
    memories = "1 memory is" if len(hidden) == 1 else f"{len(hidden)} memories are"
    note = f"{memories} not shown: no version is signed by a key that git can verify"
    return Sight(edits, (note,) if hidden else (), [*hidden, *unseen])


def _proposed(work: Work) -> list[Edit]:
    """What the acting identity has proposed and nobody has decided yet; nothing where it writes to main."""
    from gitmem.versions.proposal_changes import changes_of
    from gitmem.versions.proposals import is_by, proposals_of

    identity = work.identity
    rules, rights = work.place.config.policy.rules_for(identity), work.place.rights
    if not (rules.must_propose or rules.is_quarantined or (rights is not None and rights.proposes)):
        return []
    found: dict[str, Edit] = {}
    for proposal in proposals_of(work.place):
        if not is_by(proposal, str(identity)):
            continue
        for change in changes_of(work.place, proposal).memories:
            for edit in _edits(change):
                found.setdefault(edit.path, edit)
    return list(found.values())


def _edits(change: MemoryChange) -> list[Edit]:
    """The proposed memory, and the path that it leaves."""
    old, new = change.old, change.new
    edits = [] if new is None else [Edit(new.path, str(change.kind), new.id, new.title, new, PROPOSED)]
    if old is not None and (new is None or new.path != old.path):
        edits.append(Edit(old.path, "removed", old.id, old.title, None, PROPOSED))
    return edits
