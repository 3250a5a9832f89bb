"""The JSON of the commands that say where memories come from and how they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape, edited_shape
from gitmem.cli.shapes_marks import uses_shape

if TYPE_CHECKING:
    from gitmem.flows.confirm import Confirmed
    from gitmem.flows.log import LogEntry
    from gitmem.flows.usage import Shared, Usage
    from gitmem.flows.why import Provenance, Told, Why


def why_shape(why: Why) -> Shape:
    memory = why.memory
    return {
        "id": memory.id,
        "path": memory.path,
        "title": memory.title,
        "branch": why.branch,
        "status": str(memory.status),
        "complete": why.is_complete,
        "uncommitted": why.edit,
        "links": [{"how": link.how, "id": link.id, "title": link.title} for link in why.links],
        "statements": [_told_shape(told) for told in why.statements],
    }


def _told_shape(told: Told) -> Shape:
    statement = told.statement
    return {
        "kind": statement.kind,
        "field": statement.field,
        "first_line": statement.first_line,
        "last_line": statement.last_line,
        "text": statement.text,
        "origins": [_provenance_shape(origin) for origin in told.origins],
    }


def _provenance_shape(origin: Provenance) -> Shape:
    entry = origin.entry
    return {
        **_commit_shape(entry),
        "path": entry.path,
        "by_hand": origin.is_by_hand,
        "operation": entry.operation,
        "operation_id": entry.operation_id,
        "agent": entry.agent,
        "session": entry.session,
        "source": entry.source,
        "reason": entry.reason,
        "reviewed_by": list(origin.reviewed_by),
        "lines": list(origin.lines),
        "merged": _commit_shape(origin.merged) if origin.merged else None,
        "restored": _commit_shape(origin.restored) if origin.restored else None,
    }


def _commit_shape(entry: LogEntry) -> Shape:
    return {
        "version": entry.commit,
        "number": entry.number,
        "date": entry.date,
        "author": entry.author,
        "subject": entry.subject,
    }


def usage_shape(usage: Usage) -> Shape:
    return {
        "counting": usage.is_counting,
        "problem": usage.problem,
        "total": usage.total,
        "memories": [
            {"id": used.id, "title": used.title, "path": used.path, **(uses_shape(used.uses) or {})}
            for used in usage.memories
        ],
    }


def shared_shape(shared: Shared) -> Shape:
    return {
        "commit": shared.commit,
        "clones": shared.clones,
        "used": shared.memories,
        "remote": shared.remote,
        "new": shared.is_new,
    }


def confirmed_shape(confirmed: Confirmed) -> Shape:
    return {**edited_shape(confirmed.written), "anchors": list(confirmed.anchors)}
