"""show: one memory, whole."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.clock import iso_seconds
from gitmem.errors import NotFound
from gitmem.flows.find import get_memory
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.versions.history import last_step


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory as it stands; `version` is the commit of its last change, for `--expect`."""

    memory: Memory
    version: CommitId
    branch: str
    raw: bytes
    changed: str
    """When the last change was committed, ISO 8601, UTC."""


def show(work: Work, reference: str) -> Shown:
    """The memory that `reference` names. Raises `NotFound` or `Ambiguous`."""
    snapshot = work.snapshot()
    memory = get_memory(work, snapshot, reference)
    assert snapshot.commit is not None, "a memory was found, so there is a commit"
    step = last_step(work.place.repository, snapshot.commit, memory.path)
    if step is None:
        raise NotFound(f"{memory.path}: no commit of {work.branch} holds it", name=reference)
    raw = work.place.repository.read_blob(memory.blob)
    changed = iso_seconds(step.commit.committer_time)
    return Shown(memory, CommitId(step.commit.id), work.branch, raw, changed)
