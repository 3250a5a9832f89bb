"""show: one memory, whole, as it is or as it was."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.clock import iso_seconds
from gitmem.errors import NotFound
from gitmem.flows.reading.anchor_look import AnchorLook
from gitmem.flows.reading.locate import Located
from gitmem.flows.reading.locked import locked_note
from gitmem.flows.reading.seen import SIGNED, seen
from gitmem.flows.reading.sight import Edit, Sight
from gitmem.flows.reading.uses import note_uses, uses_of
from gitmem.flows.reading.versions import get_version, locate_version, versions_of
from gitmem.flows.work import Work
from gitmem.git.beneath import read_below
from gitmem.index.moments import parse_moment
from gitmem.lifecycle.life import confirmations, idle_days
from gitmem.lifecycle.strength import strength, weighed_uses
from gitmem.model.anchors import Verdict
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.model.pin import is_pinned
from gitmem.model.usage import NEVER, SHOWN, Uses
from gitmem.versions.history import last_step


class Shown(Struct, frozen=True):
    """A memory as it stands or stood; `version` is the commit that made it so, for `--expect`.

    `changed` is when that was, ISO 8601, UTC. `branch` is where the memory stands now. `edit` says
    that the file in the worktree is shown, which is not committed; a new one has no version yet.
    """

    memory: Memory
    version: CommitId | None
    branch: str
    raw: bytes
    changed: str | None
    number: int | None = None
    is_archived: bool = False
    edit: str | None = None
    uses: Uses | None = None
    """How often it was recalled and shown before; None where that is not counted."""
    verdicts: Sequence[Verdict] = ()
    """What became of its anchors; nothing is said of an older version."""
    strength: float | None = None
    """How alive it was before this, 0 to 1; None for an older version, and what has none yet."""


def show(work: Work, reference: str) -> Shown:
    """The memory that `reference` names, `ID` or `ID@VERSION`. Raises `NotFound` or `Ambiguous`."""
    shown = _shown_now_or_then(work, reference)
    memory_id = shown.memory.id
    if shown.memory.locked_by is not None:
        work.notice(locked_note(work.place, [shown.memory]))
    uses = uses_of(work, [memory_id])
    note_uses(work, SHOWN, [memory_id])
    look = AnchorLook(work)
    verdicts = look.verdicts(shown.memory.fields) if shown.number is None else []
    look.close()
    return replace(
        shown,
        uses=uses[memory_id] if uses is not None else None,
        verdicts=verdicts,
        strength=_strength(work, shown, NEVER if uses is None else uses[memory_id]),
    )


def _strength(work: Work, shown: Shown, uses: Uses) -> float | None:
    memory, changed = shown.memory, parse_moment(shown.changed)
    if shown.number is not None or changed is None:
        return None
    return strength(
        memory_type=memory.type,
        importance=memory.importance,
        idle_days=idle_days(work.now(), changed, parse_moment(uses.last)),
        uses=weighed_uses(recalled=uses.recalled, shown=uses.shown),
        confirmed=confirmations(memory.fields),
        is_pinned=is_pinned(memory.fields),
    )


def _shown_now_or_then(work: Work, reference: str) -> Shown:
    try:
        found, version = locate_version(work, reference)
    except NotFound:
        names = ((edit, (edit.path, edit.path.removesuffix(".md"), edit.id)) for edit in seen(work).edits)
        new = [edit for edit, of_edit in names if reference in of_edit]
        if len(new) != 1 or new[0].memory is None:
            raise
        return _not_committed(work, new[0], new[0].memory)
    if version is not None:
        return _older(found, version)
    sight = seen(work)
    if found.work.branch != work.branch:
        sight = seen(found.work) if work.place.config.policy.require_signed else Sight()
    if found.memory.path in sight.hidden:
        raise NotFound(
            f"{found.memory.id} is not shown: no version of it is signed by a key that git can verify",
            name=reference,
            hint=f"'git log --show-signature -- {found.memory.path}' shows who wrote it",
        )
    shown = _newest(found)
    edit = next((edit for edit in sight.edits if edit.path == found.memory.path), None)
    return shown if edit is None else _edited(found, shown, edit)


def _edited(found: Located, shown: Shown, edit: Edit) -> Shown:
    """The memory as the edit has it; where that is an older version, with the commit of that."""
    if edit.standing == SIGNED and edit.memory is not None:
        versions, _ = versions_of(found.work, found.memory, found.commit)
        same = next((version for version in versions if version.blob == edit.memory.blob), None)
        version, changed = (None, None) if same is None else (same.commit, same.date)
        shown = replace(shown, version=version, changed=changed)
    return replace(
        shown,
        memory=edit.memory or shown.memory,
        edit=edit.label,
        raw=_raw(found.work, edit) or shown.raw,
    )


def _not_committed(work: Work, edit: Edit, memory: Memory) -> Shown:
    """A memory that stands in the worktree or in a proposal only."""
    return Shown(memory, None, work.branch, _raw(work, edit) or b"", None, edit=edit.label)


def _raw(work: Work, edit: Edit) -> bytes | None:
    top = work.place.repository.worktree
    if edit.memory is not None and edit.standing:
        return work.place.repository.read_blob(edit.memory.blob)
    return read_below(top, edit.path) if top and edit.memory else None


def _newest(found: Located) -> Shown:
    memory = found.memory
    step = last_step(found.work.place, found.commit, memory.path)
    if step is None:
        raise NotFound(f"{memory.path}: no commit of {found.work.branch} holds it", name=memory.id)
    return _shown(found, memory, CommitId(step.commit.id), iso_seconds(step.commit.committer_time), None)


def _older(found: Located, text: str) -> Shown:
    versions, is_complete = versions_of(found.work, found.memory, found.commit)
    version = get_version(found.work, versions, text, is_complete=is_complete)
    memory = found.snapshot.read(version.path, version.blob)
    return _shown(found, memory, version.commit, version.date, version.number)


def _shown(found: Located, memory: Memory, version: CommitId, changed: str, number: int | None) -> Shown:
    place = found.work.place
    is_archived = found.work.branch == place.config.branches["archive"]
    raw = place.repository.read_blob(memory.blob)
    return Shown(memory, version, found.work.branch, raw, changed, number, is_archived)
