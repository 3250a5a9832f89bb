"""The JSON of `session`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.options import SESSION_VARIABLE
from gitmem.cli.shapes import Shape
from gitmem.clock import iso_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from gitmem.flows.working.ending import Ended
    from gitmem.flows.working.session import SessionList, SessionState, Started
    from gitmem.flows.working.settling import Arrived


def started_shape(started: Started) -> Shape:
    return {
        "session": started.session,
        "started": started.started,
        "resumed": started.is_resumed,
        "branch": started.branch,
        "environment": {SESSION_VARIABLE: started.session},
        "notices": list(started.notices),
    }


def ended_shape(ended: Ended) -> Shape:
    return {
        "session": ended.session,
        "ended": ended.ended,
        "was_ended": ended.was_ended,
        "operation_id": ended.operation_id,
        "promoted": _arrived(ended.promoted),
        "summaries": _arrived(ended.summaries),
        "archived": _arrived(ended.archived),
        "kept": list(ended.kept),
        "commits": dict(ended.commits),
        "notices": list(ended.notices),
    }


def _arrived(memories: Sequence[Arrived]) -> list[Shape]:
    return [
        {"id": each.id, "type": str(each.type), "path": each.path, "title": each.title} for each in memories
    ]


def sessions_shape(found: SessionList) -> Shape:
    return {
        "branch": found.branch,
        "max_tokens": found.max_tokens,
        "sessions": [_session_shape(each) for each in found.sessions],
        "notices": list(found.notes),
    }


def _session_shape(state: SessionState) -> Shape:
    return {
        "session": state.session,
        "agent": state.agent,
        "started": iso_seconds(state.started),
        "last": iso_seconds(state.last),
        "ended": _moment(state.ended),
        "was_left": state.was_left,
        "until": _moment(state.until),
        "notes": state.notes,
        "tokens": state.tokens,
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else iso_seconds(moment)
