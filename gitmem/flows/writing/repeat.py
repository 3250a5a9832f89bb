"""A write that may have been done already, by a process that died before it could say so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gitmem.flows.work import Work
from gitmem.git.repository import CommitInfo
from gitmem.model.change import trailers_of
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory

_SLACK = timedelta(hours=1)
"""How far clocks may differ, or have been put back, between the write and now."""


def commit_of_operation(work: Work, operation_id: str) -> CommitInfo | None:
    """The commit on the branch that belongs to the operation; None where there is none.

    Only commits since the operation got its name are looked at; it begins with the time.
    """
    work = work.whole
    tip = work.place.tip(work.branch)
    began = datetime.strptime(operation_id.partition("-")[0], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) - _SLACK
    for commit in work.place.repository.first_parents(tip) if tip else ():
        if operation_id in trailers_of(commit.message).get("Operation-Id", []):
            return commit
        if commit.committer_time < began:
            return None
    return None


def memories_written_by(work: Work, commit: CommitInfo) -> tuple[list[Memory], bool]:
    """The memories whose files the commit added, by path, and True; where it added none, those it changed."""
    work = work.whole
    parent = commit.parents[0] if commit.parents else None
    snapshot = work.place.snapshot(CommitId(commit.id))
    changes = [
        change
        for change in work.place.repository.diff_trees(parent, commit.id)
        if change.new is not None and work.place.config.is_memory_path(change.path)
    ]
    added = [change for change in changes if change.old is None]
    found = [
        snapshot.read(change.path, BlobId(change.new.oid))
        for change in added or changes
        if change.new is not None
    ]
    if commit.id in work.place.repository.shallow_commits():
        # It seems to have added all that there is; its message says what it wrote.
        own = set(trailers_of(commit.message).get("Memory-Id", []))
        return [memory for memory in found if memory.id in own], False
    return found, bool(added)
