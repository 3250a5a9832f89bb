"""The text of `session`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from gitmem.cli.options import SESSION_VARIABLE
from gitmem.model.visible import one_line

if TYPE_CHECKING:
    from gitmem.flows.working.ending import Ended
    from gitmem.flows.working.session import SessionList, SessionState, Started


def started_text(started: Started) -> str:
    """A line for the shell."""
    return f"export {SESSION_VARIABLE}={shlex.quote(started.session)}\n"


def ended_text(ended: Ended) -> str:
    lines = [f"promoted  {each.id}  {one_line(each.path)}" for each in ended.promoted]
    lines += [f"summary   {each.id}  {one_line(each.path)}" for each in ended.summaries]
    if ended.archived:
        lines.append(f"archived  {_notes(len(ended.archived))}")
    if ended.kept:
        lines.append(f"kept      {_notes(len(ended.kept))}")
    again = "had ended already" if ended.was_ended else "ended" if ended.ended else "goes on"
    undo = f"; 'gitmem undo {ended.operation_id}' takes this back" if ended.operation_id else ""
    return "".join(f"{line}\n" for line in [*lines, f"session {one_line(ended.session)} {again}{undo}"])


def sessions_text(found: SessionList) -> str:
    if not found.sessions:
        return "no sessions\n"
    width = max(len(one_line(each.session)) for each in found.sessions)
    return "".join(_line(each, width, found.max_tokens) for each in found.sessions)


def _line(state: SessionState, width: int, max_tokens: int) -> str:
    size = f"{_notes(state.notes):>9}  {state.tokens:>5,} of {max_tokens:,} tokens"
    if state.ended is None or state.until is None:
        end = f"goes on, last {state.last:%Y-%m-%d %H:%M}"
    elif state.notes:
        left = "left" if state.was_left else "ended"
        end = f"{left} {state.ended:%Y-%m-%d %H:%M}, notes until {state.until:%Y-%m-%d %H:%M}"
    else:
        end = f"ended {state.ended:%Y-%m-%d %H:%M}"
    return f"{one_line(state.session):<{width}}  {size}  {end}\n"


def _notes(count: int) -> str:
    return f"{count:,} note" if count == 1 else f"{count:,} notes"
