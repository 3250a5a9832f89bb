"""Memories that stand on main and on archive at once, as after a merge of the two."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.flows.check import doubled
from gitmem.flows.doctoring.ailment import Ailment
from gitmem.flows.merging.archive import take_off_archive, was_text
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply, new_operation_id
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.memory import Memory
from gitmem.versions.attachments import attachments_of
from gitmem.versions.merge_values import KeptFromArchive
from gitmem.versions.snapshot import Snapshot


def examine_doubles(work: Work, fix: bool) -> list[Ailment]:
    """Memories on main and archive: equal ones leave main, older ones archive; a person settles the rest."""
    pairs = doubled(work)
    equal = [here for here, there in pairs if here.blob == there.blob]
    differing = [(here, there) for here, there in pairs if here.blob != there.blob]
    older = [(here, there) for here, there in differing if was_text(work, here, there)]
    found = [
        Ailment(
            "doubled",
            f"{here.path} stands on {work.branch} and, with another text, on archive",
            hint=f"keep one: 'gitmem show {here.id}' and 'gitmem show {there.path} --branch archive'",
        )
        for here, there in differing
        if (here, there) not in older
    ]
    if older:
        found += _archived_before_a_change(work, older, fix)
    if equal:
        found.append(_archived_as_they_are(work, equal, fix))
    return found


def _archived_before_a_change(work: Work, pairs: Sequence[tuple[Memory, Memory]], fix: bool) -> list[Ailment]:
    if fix:
        kept = [KeptFromArchive(here.id, there.path, (there.blob,)) for here, there in pairs]
        reason = Origin(reason="a newer text stands on " + work.branch)
        take_off_archive(work, kept, new_operation_id(work.clock), origin=reason)
    hint = None if fix else "--fix takes the older text off archive"
    return [
        Ailment(
            "doubled", f"{here.path} was changed on {work.branch} and archived as it was before", fix, hint
        )
        for here, _ in pairs
    ]


def _archived_as_they_are(work: Work, memories: Sequence[Memory], fix: bool) -> Ailment:
    def plan(snapshot: Snapshot) -> Plan:
        writes = []
        for memory in memories:
            if snapshot.blob(memory.path) == memory.blob:
                files = [memory.path, *(path for path, _ in attachments_of(snapshot, memory.path))]
                writes += [FileWrite(path, blob, None) for path in files if (blob := snapshot.blob(path))]
        return Plan(
            operation="doctor",
            subject=f"take {len({memory.path for memory in memories})} archived memories off {work.branch}",
            writes=writes,
            memory_ids=[memory.id for memory in memories],
            origin=Origin(reason="they stand on archive"),
        )

    if fix:
        apply(work.place, work.branch, plan, clock=work.clock)
    hint = None if fix else f"--fix takes them off {work.branch}"
    message = f"{len(memories)} archived memories stand on {work.branch} too, as after a merge of the two"
    return Ailment("doubled", message, fix, hint)
