"""A memory wherever it stands: on the branch asked for, else archived, else a note of a session."""

from __future__ import annotations

from msgspec import Struct

from gitmem.errors import Ambiguous, NotFound
from gitmem.flows.reading.find import get_memory
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.versions.snapshot import Snapshot

ATTEMPTS = 20


class Located(Struct, frozen=True):
    """A memory with the branch and snapshot in which it was found."""

    work: Work
    snapshot: Snapshot
    memory: Memory

    @property
    def commit(self) -> CommitId:
        assert self.snapshot.commit is not None, "a memory was found, so there is a commit"
        return self.snapshot.commit


def locate(work: Work, reference: str) -> Located:
    """The memory that `reference` names, on the branch of `work`, else on archive or working.

    Raises `NotFound` where none has it, `Ambiguous` where several answer to it.
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
        for role in ("archive", "working"):
            elsewhere = work.beside(work.place.config.branches[role])
            if elsewhere is None or work.branch == elsewhere.branch:
                continue
            there = elsewhere.snapshot()
            try:
                return Located(elsewhere, there, get_memory(elsewhere, there, reference))
            except Ambiguous as error:
                raise error from not_found
            except NotFound:
                continue
        raise


def get_editable(work: Work, snapshot: Snapshot, reference: str) -> Memory:
    """The memory that `reference` names in `snapshot`, which is about to be changed.

    Raises `NotFound`, with the way to it as a hint where the memory is archived, or a note.
    """
    try:
        return get_memory(work, snapshot, reference)
    except NotFound as error:
        try:
            archived = locate(work, reference)
        except NotFound:
            raise error from None
        if archived.work.branch == work.place.config.branches["working"]:
            raise NotFound(
                f"{archived.memory.id} is not on {work.branch}, it is a note on {archived.work.branch}",
                name=reference,
                hint=f"--branch {archived.work.branch} changes it there",
            ) from error
        raise NotFound(
            f"{archived.memory.id} is archived, so it cannot be changed",
            name=reference,
            hint=f"'gitmem restore {archived.memory.id}' brings it back",
        ) from error
