"""Working memory in a session of a coding agent: its notes have the session of the agent, and end with it.

session-start   the session is named to the commands that the agent runs, by the file of variables that Claude
                Code offers (`CLAUDE_ENV_FILE`); one that had ended and is resumed goes on
session-end     what it noted is settled by the rules of the config; a session without notes leaves nothing

A session is begun by its first note: one that notes nothing makes no commit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from gitmem.errors import OutsideFailure
from gitmem.flows.work import Work
from gitmem.flows.working.notes import folders_in, record_of
from gitmem.model.change import Origin
from gitmem.surroundings import environ

SESSION_VARIABLE = "GITMEM_SESSION"
VARIABLES_FILE = "CLAUDE_ENV_FILE"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What can be written into a line for a shell as it is; agents name their sessions so."""


def begin_notes(work: Work, agent: str, payload: Mapping[str, Any]) -> None:
    """Lets notes that are made from now on be of the session of the event; nothing where it names none.

    Raises `OutsideFailure` where the file of variables cannot be written, and what `start_session` raises.
    """
    session = _session_of(payload)
    if session is None:
        return
    _name_to_commands(session)
    there = work.beside(work.place.config.branches["working"])
    record = None if there is None else record_of(there.snapshot(), session)
    if record is not None and record.ended is not None:
        from gitmem.flows.working.session import start_session

        start_session(work, session, origin=Origin(agent=agent))


def end_notes(work: Work, agent: str, payload: Mapping[str, Any]) -> None:
    """Ends the session of the event where it has notes. Raises what `end_session` raises."""
    session = _session_of(payload)
    there = work.beside(work.place.config.branches["working"])
    if session is None or there is None or not folders_in(there.snapshot(), session):
        return
    from gitmem.flows.working.ending import Wishes, end_session

    end_session(work, session, Wishes(), origin=Origin(agent=agent))


def _session_of(payload: Mapping[str, Any]) -> str | None:
    """The session that an event names; None for a side chain, which is none of its own."""
    session = payload.get("session_id")
    is_own = isinstance(session, str) and not payload.get("agent_id")
    return session if is_own and _PLAIN.fullmatch(str(session)) else None


def _name_to_commands(session: str) -> None:
    named = environ().get(VARIABLES_FILE)
    if not named or environ().get(SESSION_VARIABLE):
        return
    try:
        # Others write to it too, and a line may be there already: the last one counts.
        file = os.open(named, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, f"export {SESSION_VARIABLE}={session}\n".encode())
        finally:
            os.close(file)
    except OSError as error:
        raise OutsideFailure(f"{VARIABLES_FILE}: {named} cannot be written: {error.strerror}") from error
