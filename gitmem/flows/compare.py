"""diff and blame: what changed between two versions, and which version brought each line."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import NotFound, Refused
from gitmem.flows.log import LogEntry, entry_of
from gitmem.flows.reading.locate import Located, locate
from gitmem.flows.reading.versions import Version, get_version, versions_of
from gitmem.flows.work import Work
from gitmem.model.diff import MemoryDiff, diff_memories
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.memory import Memory
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.versions.attribution import attribute


class Compared(Struct, frozen=True):
    """Two versions of one memory and how they differ."""

    id: MemoryId
    old: CommitId
    new: CommitId
    difference: MemoryDiff


class BlamedLine(Struct, frozen=True):
    """One line of the file, header included, and the version that brought it in."""

    line: int
    text: str
    entry: LogEntry


class Blamed(Struct, frozen=True):
    """Every line of a memory with its origin. Not complete where a shallow clone hides older versions."""

    id: MemoryId
    path: str
    lines: Sequence[BlamedLine]
    is_complete: bool


def compare(work: Work, reference: str, old: str | None, new: str | None) -> Compared:
    """The difference between two versions; by default the newest and the one before it.

    With one version named, the difference from it to the newest. Raises `NotFound`.
    """
    found = locate(work, reference)
    versions, is_complete = versions_of(work, found.memory, found.commit)
    newer = get_version(work, versions, new, is_complete=is_complete) if new else versions[0]
    if old is not None:
        older = get_version(work, versions, old, is_complete=is_complete)
    else:
        older = _before(found, versions, newer)
    return Compared(
        found.memory.id,
        older.commit,
        newer.commit,
        diff_memories(_memory(found, older), _memory(found, newer)),
    )


def _before(found: Located, versions: list[Version], version: Version) -> Version:
    position = versions.index(version) + 1
    if position == len(versions):
        raise NotFound(
            f"{found.memory.id} has one version only, so there is nothing to compare", name=found.memory.id
        )
    return versions[position]


def _memory(found: Located, version: Version) -> Memory:
    return found.snapshot.read(version.path, version.blob)


def blame(work: Work, reference: str) -> Blamed:
    """Every line of the memory's file with the version that brought it, across renames, moves and merges.

    Raises `Refused` where the memory is too large to be taken apart.
    """
    found = locate(work, reference)
    if work.place.repository.blob_size(found.memory.blob) > MAX_MEMORY_BYTES:
        raise Refused(f"{found.memory.path} is larger than {MAX_MEMORY_BYTES // 2**20} MiB")
    attribution = attribute(work.place, found.commit, found.memory.path)
    numbers = attribution.numbers
    steps = {origin.step.commit.id: origin.step for origin in attribution.origins}
    entries = {
        commit: entry_of(step.commit, number=numbers.get(commit), path=step.path)
        for commit, step in steps.items()
    }
    lines = [
        BlamedLine(number, text, entries[origin.step.commit.id])
        for number, (text, origin) in enumerate(zip(attribution.lines, attribution.origins, strict=True), 1)
    ]
    return Blamed(found.memory.id, found.memory.path, lines, attribution.is_complete)
