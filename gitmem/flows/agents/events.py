"""What happens in a coding agent, answered: what it should know now, and what is kept of its session.

session-start   the brief; notes that are made from now on are of the session
prompt-submit   the memories that answer what was asked, where any is relevant; where the prompt asks for it,
                or says that a task is done, the session is saved too (see `triggers` of the config)
pre-compact     the session is saved
session-end     the same; what it said since then is added, and its notes are settled by the rules
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput, OutsideFailure
from gitmem.flows.judging.consult import MOST_ASKED_CHARACTERS, is_worth_saying
from gitmem.flows.work import Work
from gitmem.model.cutting import passage
from gitmem.model.ids import MemoryId
from gitmem.model.injected import fenced, without_injected
from gitmem.model.transcripts import AGENTS
from gitmem.model.visible import one_line, printable

if TYPE_CHECKING:
    from gitmem.flows.agents.sessions import Saved
    from gitmem.flows.reading.recollection import Recalled
    from gitmem.versions.snapshot import Snapshot

SESSION_START, PROMPT_SUBMIT, PRE_COMPACT, SESSION_END = EVENTS = (
    "session-start",
    "prompt-submit",
    "pre-compact",
    "session-end",
)
MOST_CONTEXT_BYTES = 9_500
"""Claude Code gives a model 10,000 characters of what a hook says, Codex about 2,500 tokens of four bytes; of
more, only a preview."""
MORE = "- … more: `gitmem brief` shows all, `gitmem recall` finds what is asked for"
MOST_OF_ONE = 600
DEFAULT_MOST_MEMORIES = 5


class EventAnswer(Struct, frozen=True):
    """What an agent is told, empty where there is nothing to say, and what became of its session."""

    event: str
    context: str = ""
    memories: tuple[MemoryId, ...] = ()
    saved: Saved | None = None
    unsettled: str | None = None
    """Why the notes of the session could not be begun or ended; what the event was answered with stands."""


def check_event(agent: str, event: str) -> None:
    """Raises `BadInput` for an agent or an event that is not known."""
    for name, value, known in (("NAME", agent, AGENTS), ("EVENT", event, EVENTS)):
        if value not in known:
            raise BadInput(f"{name}: {value!r} is none of {', '.join(known)}", field=name.lower())


def brief_for_session(work: Work) -> EventAnswer:
    """The brief of the store, as the git directory keeps it where that is the newest one."""
    from gitmem.flows.agents.brief_file import current_brief

    text = current_brief(work)
    return EventAnswer(SESSION_START, _bounded(work.snapshot(), text))


def memories_for_prompt(work: Work, payload: Mapping[str, Any], *, most: int) -> EventAnswer:
    """At most `most` memories that answer the prompt, as committed; none where none is relevant enough."""
    from gitmem.flows.recall import recall
    from gitmem.recall.where import Where

    asked = passage(without_injected(_text(payload, "prompt")), MOST_ASKED_CHARACTERS)
    if not asked or most < 1:
        return EventAnswer(PROMPT_SUBMIT)
    snapshot = work.snapshot()
    answer = recall(replace(work, shows_edits=False), asked, Where(), limit=most)
    found = [each for each in answer.hits if is_worth_saying(each, answer)]
    if not found:
        return EventAnswer(PROMPT_SUBMIT)
    lines = [_line(snapshot, each) for each in found]
    ids = tuple(each.hit.record.id for each in found)
    return EventAnswer(PROMPT_SUBMIT, _bounded(snapshot, "\n".join(lines)), ids)


def save_where_triggered(work: Work, agent: str, payload: Mapping[str, Any]) -> Saved | None:
    """Saves the session where its prompt is a reason to; None where it is none, or names no transcript."""
    from gitmem.evolve.triggers import trigger_of
    from gitmem.flows.agents.sessions import read_session

    settings = work.place.config.writing.triggers
    prompt, named = without_injected(_text(payload, "prompt")), _text(payload, "transcript_path")
    if not prompt or not named or not Path(named).expanduser().is_file():
        return None
    turn = 0
    if settings.every_turns:
        with suppress(OSError):
            turn = len(read_session(agent, Path(named).expanduser()).prompts) + 1
    if trigger_of(prompt, turn, settings) is None:
        return None
    return save_session_of(work, agent, PROMPT_SUBMIT, payload).saved


def save_session_of(work: Work, agent: str, event: str, payload: Mapping[str, Any]) -> EventAnswer:
    """Saves the session whose transcript the event names. Raises `OutsideFailure` where it cannot be read."""
    from gitmem.flows.agents.sessions import Saved, read_session, save_sessions

    named = _text(payload, "transcript_path")
    if payload.get("agent_id"):
        return EventAnswer(event, saved=Saved("skipped", None, "a side chain"))
    if not named:
        return EventAnswer(event, saved=Saved("skipped", None, "the event names no transcript"))
    transcript = Path(named).expanduser()
    try:
        session = read_session(agent, transcript)
    except OSError as error:
        raise OutsideFailure(f"{transcript}: {error.strerror or error}") from error
    session.id = _text(payload, "session_id") or session.id
    session.folder = session.folder or _text(payload, "cwd")
    return EventAnswer(event, saved=save_sessions(work, [(session, transcript)])[0])


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""


def _line(snapshot: Snapshot, each: Recalled) -> str:
    """One memory: its id and date, and its text, or the passage of it that answers best."""
    record = each.hit.record
    memory = None if each.hit.labels else snapshot.memory(record.path)
    text = "" if memory is None else memory.body.strip()
    given = text if text and len(text) <= MOST_OF_ONE else f"{each.snippet.text} (gitmem show {record.id})"
    title = one_line(record.title)
    says = given if one_line(given).startswith(title.removesuffix("…")) else f"{title}\n{given}"
    about = " ".join(filter(None, (record.id, (record.created or "")[:10])))
    labels = "".join(f" ({one_line(label)})" for label in each.hit.labels)
    lines = [line.rstrip() for line in printable(says).splitlines() if line.strip()]
    return f"- [{about}]{labels} " + "\n  ".join(lines)


def _bounded(snapshot: Snapshot, text: str) -> str:
    """`text` between the marks, cut at the end of a line where a host would cut it anywhere."""
    at = (snapshot.commit or "")[:10]
    lines = text.rstrip("\n").split("\n")
    whole = fenced("\n".join(lines), at=at)
    over = len(whole.encode("utf-8", "replace")) - MOST_CONTEXT_BYTES
    if over <= 0:
        return whole
    over += len(MORE.encode())
    while over > 0 and lines:
        over -= len(lines.pop().encode("utf-8", "replace")) + 1
    return fenced("\n".join([*lines, MORE]), at=at)
