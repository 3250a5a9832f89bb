"""A memory wherever it stands: on the branch asked for, else archived."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.errors import Ambiguous, NotFound
from gitmem.flows.reading.find import get_memory
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.versions.snapshot import Snapshot

ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Located:
    """A memory with the branch and snapshot in which it was found."""

    work: Work
    snapshot: Snapshot
    memory: Memory

    @property
    def commit(self) -> CommitId:
        assert self.snapshot.commit is not None, "a memory was found, so there is a commit"
        return self.snapshot.commit


def locate(work: Work, reference: str) -> Located:
    """The memory that `reference` names, on the branch of `work`, else on archive.

    Raises `NotFound` where neither has it, `Ambiguous` where several answer to it.
    """
    snapshot = work.snapshot()
    for _ in range(ATTEMPTS):
        try:
            return _locate(work, snapshot, reference)
        except NotFound:
            # It may have come back from the archive after the branch was read, and before the archive was.
            now = work.snapshot()
            if now.commit == snapshot.commit:
                raise
            snapshot = now
    return _locate(work, snapshot, reference)


def _locate(work: Work, snapshot: Snapshot, reference: str) -> Located:
    try:
        return Located(work, snapshot, get_memory(work, snapshot, reference))
    except NotFound as not_found:
        elsewhere = work.beside(work.place.config.branches["archive"])
        if elsewhere is None or work.branch == elsewhere.branch:
            raise
        archived = elsewhere.snapshot()
        try:
            return Located(elsewhere, archived, get_memory(elsewhere, archived, reference))
        except (NotFound, Ambiguous) as error:
            raise error if isinstance(error, Ambiguous) else not_found from error


def get_editable(work: Work, snapshot: Snapshot, reference: str) -> Memory:
    """The memory that `reference` names in `snapshot`, which is about to be changed.

    Raises `NotFound`, with the way back as a hint where the memory is archived.
    """
    try:
        return get_memory(work, snapshot, reference)
    except NotFound as error:
        try:
            archived = locate(work, reference)
        except NotFound:
            raise error from None
        raise NotFound(
            f"{archived.memory.id} is archived, so it cannot be changed",
            name=reference,
            hint=f"'gitmem restore {archived.memory.id}' brings it back",
        ) from error
