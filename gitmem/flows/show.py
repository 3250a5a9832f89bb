"""show: one memory, whole, as it is or as it was."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.clock import iso_seconds
from gitmem.errors import NotFound
from gitmem.flows.locate import Located, locate
from gitmem.flows.versions import get_version, split_reference, versions_of
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.versions.history import last_step


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory as it stands or stood; `version` is the commit that made it so, for `--expect`.

    `changed` is when that was, ISO 8601, UTC. `branch` is where the memory stands now.
    """

    memory: Memory
    version: CommitId
    branch: str
    raw: bytes
    changed: str
    number: int | None = None
    is_archived: bool = False


def show(work: Work, reference: str) -> Shown:
    """The memory that `reference` names, `ID` or `ID@VERSION`. Raises `NotFound` or `Ambiguous`."""
    base, version = split_reference(reference)
    found = locate(work, base)
    return _newest(found) if version is None else _older(found, version)


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
