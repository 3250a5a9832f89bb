"""log: what happened, to the whole store or to one memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from gitmem.clock import iso_seconds
from gitmem.flows.reading.bounds import refuse_negative
from gitmem.flows.reading.locate import locate
from gitmem.flows.reading.versions import versions_of
from gitmem.flows.work import Work
from gitmem.git.repository import CommitInfo
from gitmem.model.change import trailers_of
from gitmem.model.ids import CommitId, MemoryId
from gitmem.versions.history import history


class LogEntry(Struct, frozen=True):
    """One commit: who, when, why; for a memory also which version it made and where it stood."""

    commit: CommitId
    date: str
    author: str
    subject: str
    operation: str | None = None
    operation_id: str | None = None
    agent: str | None = None
    session: str | None = None
    source: str | None = None
    reason: str | None = None
    number: int | None = None
    path: str | None = None
    renamed_from: str | None = None


class Log(Struct, frozen=True):
    """Entries newest first. `is_complete` is false where a shallow clone hides older ones.

    For one memory, `moves` are the commits that took it to another branch; they made no version.
    """

    entries: Sequence[LogEntry]
    is_complete: bool
    id: MemoryId | None = None
    path: str | None = None
    branch: str | None = None
    moves: Sequence[LogEntry] = ()


def log(work: Work, *, limit: int | None = None) -> Log:
    """The commits of the branch along its first parents, newest first."""
    refuse_negative(limit=limit)
    snapshot = work.snapshot()
    if snapshot.commit is None:
        return Log((), True, branch=work.branch)
    repository = work.place.repository
    entries = [entry_of(commit) for commit in islice(repository.first_parents(snapshot.commit), limit)]
    whole = limit is None or len(entries) < limit
    return Log(entries, not (whole and repository.is_shallow()), branch=work.branch)


def log_of(work: Work, reference: str, *, limit: int | None = None) -> Log:
    """The versions of one memory, newest first, numbered from the oldest, across renames and moves."""
    refuse_negative(limit=limit)
    found = locate(work, reference)
    versions, is_complete = versions_of(found.work, found.memory, found.commit)
    entries = [
        entry_of(
            version.step.commit,
            number=version.number,
            path=version.path,
            renamed_from=version.step.renamed_from,
        )
        for version in versions[:limit]
    ]
    moves = [
        entry_of(step.commit, path=step.path)
        for step in history(work.place, found.commit, found.memory.path)
        if step.is_move
    ]
    return Log(entries, is_complete, found.memory.id, found.memory.path, found.work.branch, moves)


def entry_of(
    commit: CommitInfo, *, number: int | None = None, path: str | None = None, renamed_from: str | None = None
) -> LogEntry:
    """A commit as a log entry."""
    trailers = trailers_of(commit.message)

    def first(name: str) -> str | None:
        return trailers.get(name, [None])[0]

    return LogEntry(
        commit=CommitId(commit.id),
        date=iso_seconds(commit.author_time),
        author=commit.author_name,
        subject=(commit.message.splitlines() or [""])[0],
        operation=first("Operation"),
        operation_id=first("Operation-Id"),
        agent=first("Agent"),
        session=first("Session"),
        source=first("Source"),
        reason=first("Reason"),
        number=number,
        path=path,
        renamed_from=renamed_from,
    )
