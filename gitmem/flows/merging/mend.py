"""What merges without meaning broke in the memories of a branch, and the writes that mend it.

    markers        git's conflict markers were committed: both sides are read from them, and merged by meaning
    repeated       a header has fields twice, since both sides added them: the same
    one id twice   a merge brought two files with one id, as after two renames: merged into the first of them
    two memories   two memories share one file, as versions of a dispute: each gets a file of its own
A second file with the same id that no merge brought is a copy that a person made, and is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import decode, encode, parse_document
from gitmem.model.ids import MemoryId, id_key, is_memory_id
from gitmem.model.memory import Memory
from gitmem.model.merge.dispute import Option
from gitmem.model.merge.fields import get
from gitmem.model.merge.file import merge_texts
from gitmem.model.merge.mend import mended
from gitmem.model.merge.outcome import CannotMerge
from gitmem.model.merge.settle import disputes_of
from gitmem.versions.attachments import attachments_of
from gitmem.versions.merge_base import base_of
from gitmem.versions.merge_tree import free_path
from gitmem.versions.merge_units import halves_of
from gitmem.versions.snapshot import Snapshot

MOST_COMMITS = 10_000


class Broken(Struct, frozen=True):
    """One thing that a merge broke: in words, and the writes that mend it."""

    path: str
    message: str
    ids: Sequence[MemoryId]
    writes: Sequence[FileWrite]


def broken_by_merges(work: Work, snapshot: Snapshot) -> list[Broken]:
    """What can be mended in `snapshot`, by path."""
    memories = _readable(snapshot)
    found = [each for memory in memories for each in _in_one_file(work, snapshot, memory)]
    by_id: dict[str, list[Memory]] = defaultdict(list)
    for memory in memories:
        by_id[id_key(memory.id)].append(memory)
    for same in by_id.values():
        if len(same) == 2:
            found += _one_id_twice(work, snapshot, same[0], same[1])
    return found


def mend(work: Work, broken: Sequence[Broken]) -> None:
    """Writes what `broken_by_merges` found, in one commit; a file that changed meanwhile is left."""
    paths = {each.path for each in broken}

    def plan(snapshot: Snapshot) -> Plan:
        found = [each for each in broken_by_merges(work, snapshot) if each.path in paths]
        return Plan(
            operation="doctor",
            subject=f"mend what a merge broke in {len(found)} places",
            writes=[write for each in found for write in each.writes],
            memory_ids=[memory_id for each in found for memory_id in each.ids],
            origin=Origin(reason="merged without meaning"),
        )

    apply(work.place, work.branch, plan, clock=work.clock)


def _readable(snapshot: Snapshot) -> list[Memory]:
    memories = []
    for path, blob in snapshot.files():
        try:
            memories.append(snapshot.read(path, blob))
        except Damaged:
            continue
    return memories


def _in_one_file(work: Work, snapshot: Snapshot, memory: Memory) -> Iterator[Broken]:
    is_broken = any(problem.code == "header" for problem in memory.problems)
    if not is_broken and "<<<<<<<" not in memory.body and "the whole file" not in memory.body:
        return
    text = decode(work.place.repository.read_blob(memory.blob))[0]
    new = mended(text)
    if new is not None:
        what = "holds conflict markers" if "<<<<<<<" in text else "has fields twice"
        writes = [FileWrite(memory.path, memory.blob, encode(new))]
        yield Broken(memory.path, f"{memory.path} {what}, as after a merge by line", [memory.id], writes)
    files = [option for each in disputes_of(text) for option in each.options if option.is_file]
    ids = [_id_in(option) for option in files]
    if len(files) == 2 and ids[0] and ids[1] and id_key(ids[0]) != id_key(ids[1]):
        yield _parted(snapshot, memory, dict(zip(ids, files, strict=True)))


def _id_in(option: Option) -> str:
    value = get(parse_document(option.text).fields, "id")
    return value if isinstance(value, str) and is_memory_id(value) else ""


def _parted(snapshot: Snapshot, memory: Memory, files: dict[str, Option]) -> Broken:
    """Two memories that came to one path: the one whose id the file has keeps it."""
    own = next((each for each in files if id_key(each) == id_key(memory.id)), min(files))
    other = next(each for each in files if each != own)
    path = free_path(memory.path, MemoryId(other), snapshot.occupied)
    writes = [
        FileWrite(memory.path, memory.blob, encode(files[own].text)),
        FileWrite(path, None, encode(files[other].text)),
    ]
    message = f"{memory.path} holds two memories, {own} and {other}; {other} belongs to {path}"
    return Broken(memory.path, message, [MemoryId(own), MemoryId(other)], writes)


def _one_id_twice(work: Work, snapshot: Snapshot, one: Memory, other: Memory) -> Iterator[Broken]:
    merged_in = _brought_by_merge(work, snapshot, one, other)
    if merged_in is None or not one.has_own_id:
        return
    texts = [decode(work.place.repository.read_blob(memory.blob))[0] for memory in (one, other)]
    try:
        merged = merge_texts(_text_before(work, merged_in, one), texts[0], texts[1], path=one.path)
    except CannotMerge:
        return
    kept, gone = sorted((one, other), key=lambda memory: memory.path)
    writes = [FileWrite(kept.path, kept.blob, encode(merged.text)), FileWrite(gone.path, gone.blob, None)]
    if any(attachments_of(snapshot, gone.path)):
        return
    yield Broken(kept.path, f"{kept.path} and {gone.path} are one memory, {one.id}", [one.id], writes)


def _brought_by_merge(work: Work, snapshot: Snapshot, one: Memory, other: Memory) -> tuple[str, str] | None:
    """The parents of the merge that brought the second of two files with one id; None where none did."""
    repository = work.place.repository
    if snapshot.commit is None:
        return None
    for number, commit in enumerate(repository.first_parents(snapshot.commit)):
        if not commit.parents or number > MOST_COMMITS:
            return None
        before = work.place.snapshot(work.place.commit_named(commit.parents[0]))
        if before.occupied(one.path) and before.occupied(other.path):
            continue
        return (commit.parents[0], commit.parents[1]) if len(commit.parents) == 2 else None
    return None


def _text_before(work: Work, parents: tuple[str, str], memory: Memory) -> str | None:
    """The text of the memory before the two sides of a merge parted; None where it was not there."""
    base = base_of(work.place, *parents)
    if base is None:
        return None
    unit = halves_of(work.place, base, *parents).base.memories.get(id_key(memory.id))
    return decode(work.place.repository.read_blob(unit.file.blob))[0] if unit else None
