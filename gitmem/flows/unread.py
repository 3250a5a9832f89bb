"""What an answer says of memories that cannot be read: a partial clone lacks them, or they are damaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gitmem.model.memory import Memory

if TYPE_CHECKING:
    from gitmem.index.view import IndexView


def reasons_unread(memory: Memory) -> list[str]:
    """Why `memory`, or something attached to it, could not be read, each with its path; usually nothing."""
    from gitmem.index.record import UNREAD

    return [problem.message for problem in memory.problems if problem.code == UNREAD]


def unread_notes(view: IndexView, lost: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """One sentence on what cannot be searched, one on what cannot be shown; each only where there is any.

    `lost` says by path why hits cannot be shown.
    """
    unread = view.unread()
    reasons = reasons_unread(view.memory(unread[0])) if unread else []
    notes = []
    if reasons:
        count = "1 memory" if len(unread) == 1 else f"{len(unread)} memories"
        first = "" if len(unread) == 1 else "the first is "
        notes.append(f"{count} could not be read, so that text is not searched: {first}{reasons[0]}")
    paths = {record.path for record in unread}
    shown = [reason for path, reason in (lost or {}).items() if path not in paths]
    if shown:
        notes.append(f"{len(shown)} of the hits could not be read: {shown[0]}")
    return tuple(f"{note}; see 'gitmem doctor'" for note in notes)
