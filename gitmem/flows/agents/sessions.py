"""Sessions of coding agents as episodic memories: one for each session, however often it is saved.

The id comes from the agent and the session, so that a hook and an import mean the same memory:
    new        nothing was ever written under this id: remembered
    same       the memory says this already, or another transcript of the session says more
    changed    the session went on since: the text is replaced, as a new version
    kept       somebody else changed the memory since: their text stays
    gone       it was written once and is out of main since: it stays out
    skipped    nobody asked for anything, or it is a side chain
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from gitmem.clock import iso_seconds
from gitmem.errors import Conflict
from gitmem.evolve.importance import ASKED, find_phrase
from gitmem.flows.edit import update
from gitmem.flows.forgetting.forgotten import checker_of
from gitmem.flows.reading.find import taken_ids
from gitmem.flows.remember import remember
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request
from gitmem.git.beneath import open_regular
from gitmem.index.moments import parse_moment
from gitmem.model.change import Origin, trailers_of
from gitmem.model.ids import MemoryId, derived_memory_id
from gitmem.model.memory import Json, Memory, MemoryType
from gitmem.model.sensitive import Action
from gitmem.model.transcripts import (
    CODEX,
    NOTHING_ASKED,
    SIDE_CHAIN,
    Session,
    read_claude_code,
    read_codex,
    session_text,
)
from gitmem.model.visible import one_line
from gitmem.privacy.memory_text import examine_text
from gitmem.privacy.wording import counted
from gitmem.surroundings import environ
from gitmem.versions.history import last_step
from gitmem.versions.snapshot import Snapshot

MOST_READ_BYTES = 32 * 1024 * 1024
"""Of a longer transcript the beginning and the end are read, half of this each."""
CLOCKS_DIFFER = timedelta(days=1)


class Saved(Struct, frozen=True):
    """What became of a session; `id` is that of its memory, None where there is none."""

    outcome: str
    id: MemoryId | None = None
    reason: str | None = None


def read_session(agent: str, transcript: Path) -> Session:
    """The session of a transcript. Raises `OSError`. Lines that are no JSON are passed over."""
    return (read_codex if agent == CODEX else read_claude_code)(_lines(transcript))


def folder_of_codex(transcript: Path) -> str:
    """Where a session of Codex began, as the first line says; the rest is not read. Raises `OSError`."""
    with os.fdopen(open_regular(transcript.resolve()), "rb") as file:
        return read_codex(_objects([file.readline(MOST_READ_BYTES)])).folder


def _lines(transcript: Path) -> Iterator[Mapping[str, Any]]:
    with os.fdopen(open_regular(transcript.resolve()), "rb") as file:
        data = file.read(MOST_READ_BYTES // 2)
        size = file.seek(0, 2)
        at = max(len(data), size - MOST_READ_BYTES // 2)
        file.seek(at)
        rest = file.read(MOST_READ_BYTES // 2)
    data = data + rest if at == len(data) else data.rpartition(b"\n")[0] + b"\n" + rest.partition(b"\n")[2]
    return _objects(data.split(b"\n"))


def _objects(lines: Iterable[bytes]) -> Iterator[Mapping[str, Any]]:
    for line in lines:
        try:
            value = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def save_sessions(work: Work, sessions: Sequence[tuple[Session, Path]]) -> list[Saved]:
    """Saves each session with the place of its transcript; those that are new in one commit.

    Raises what `remember` and `update` raise; what a rule of the store refuses is not saved in another way.
    """
    snapshot = work.snapshot()
    results: list[Saved] = []
    new: dict[MemoryId, Request] = {}
    fullest = _fullest(sessions)
    for session, transcript in sessions:
        why = _why_not(session)
        if why is not None:
            results.append(Saved("skipped", None, why))
            continue
        request = _request(work, session, transcript)
        memory_id = MemoryId(request.id or "")
        memory = next(iter(snapshot.named(memory_id)), None)
        if transcript != fullest[memory_id]:
            results.append(Saved("same", memory_id))
        elif memory is not None:
            results.append(_brought_up_to_date(work, snapshot, memory, request))
        else:
            results.append(Saved("new", memory_id))
            new[memory_id] = request
    gone = _written_before(work, snapshot, new) if new else set()
    gone |= {MemoryId(key) for key in taken_ids(work, snapshot, new.keys() - gone)}
    wanted = [request for memory_id, request in new.items() if memory_id not in gone]
    if wanted:
        remember(work, wanted)
    return [_gone(each) if each.outcome == "new" and each.id in gone else each for each in results]


def _fullest(sessions: Sequence[tuple[Session, Path]]) -> Mapping[MemoryId, Path]:
    """The transcript that says most of each session: one that was copied, or went on elsewhere, has more."""
    found: dict[MemoryId, tuple[int, Path]] = {}
    for session, transcript in sessions:
        said = len(session.prompts)
        memory_id = memory_id_of(session)
        if _why_not(session) is None and said >= found.get(memory_id, (0, transcript))[0]:
            found[memory_id] = (said, transcript)
    return {memory_id: transcript for memory_id, (_, transcript) in found.items()}


def refusal_of(screening: Screening, session: Session, transcript: Path) -> str | None:
    """Why the rules of the store keep a session out; None where they do not."""
    text = session_text(session, shown_path(transcript)) if session.prompts else ""
    found = examine_text(screening.judge(), text, [], screening.hide).sightings
    blocked = [each for each in found if each.action is Action.BLOCK]
    if blocked:
        return f"it holds {counted(blocked)}"
    checker = checker_of(screening.place)
    day = checker.id(memory_id_of(session)) or checker.text(text) if checker else None
    return None if day is None else f"what it says was forgotten on {day}"


def memory_id_of(session: Session) -> MemoryId:
    """The id of the memory of a session, the same wherever it is saved."""
    return derived_memory_id(f"session/{session.agent}/{session.id}")


def _why_not(session: Session) -> str | None:
    if session.is_side_chain:
        return SIDE_CHAIN
    return NOTHING_ASKED if session.is_empty or not session.id else None


def _request(work: Work, session: Session, transcript: Path) -> Request:
    project = one_line(session.folder.replace("\\", "/").rstrip("/").rpartition("/")[2])
    started = parse_moment(session.started) or work.clock.now()
    place = shown_path(transcript)
    return Request(
        text=session_text(session, place),
        title=session.title,
        type=str(MemoryType.EPISODIC),
        entities=[f"project:{project}"] if project else [],
        importance=importance_of(work, session),
        created=iso_seconds(started),
        id=memory_id_of(session),
        origin=Origin(agent=session.agent, session=session.id, source=place),
    )


def importance_of(work: Work, session: Session) -> float:
    """How much a session matters: what merely happened, unless somebody asked to have it remembered."""
    settings = work.place.config.writing.importance
    is_asked = any(find_phrase(prompt, ASKED) for prompt in session.prompts)
    return settings.asked if is_asked else settings.conversation


def shown_path(path: Path) -> str:
    """`path` with `~` for the home folder, whose name is nobody's business."""
    home = environ().get("HOME") or environ().get("USERPROFILE")
    if home and path.is_relative_to(home):
        return "~/" + path.relative_to(home).as_posix()
    return path.as_posix()


def _brought_up_to_date(work: Work, snapshot: Snapshot, memory: Memory, request: Request) -> Saved:
    if memory.body.strip() == request.text.strip():
        return Saved("same", memory.id)
    step = last_step(work.place, snapshot.commit, memory.path) if snapshot.commit else None
    if step is None or not _is_ours(trailers_of(step.commit.message), request.origin):
        return Saved("kept", memory.id, "somebody changed it since, and it stays as they left it")
    try:
        raised: dict[str, Json | object] = {}
        if request.importance is not None and memory.importance < request.importance:
            raised["importance"] = request.importance
        written = update(
            work, memory.path, request.text, raised, expect=step.commit.id, origin=request.origin
        )
    except Conflict as error:
        return Saved("kept", memory.id, error.message)
    # What was redacted is known again only once it is written.
    return Saved("same" if written.replaced is None else "changed", memory.id)


def _is_ours(said: Mapping[str, Sequence[str]], origin: Origin) -> bool:
    """Whether the commit that `said` this wrote the memory for the session, and nobody else did."""
    is_new = said.get("Operation") == ["remember"]
    return said.get("Agent") == [origin.agent] and (is_new or said.get("Session") == [origin.session])


def _gone(saved: Saved) -> Saved:
    return Saved("gone", saved.id, "it was taken out of the way, and stays out")


def _written_before(work: Work, snapshot: Snapshot, requests: Mapping[MemoryId, Request]) -> set[MemoryId]:
    """Those of `requests` whose memory commits of the branch have written since their sessions began."""
    found: set[MemoryId] = set()
    started = [moment for each in requests.values() if (moment := parse_moment(each.created)) is not None]
    if snapshot.commit is None or not started:
        return found
    repository = work.place.repository
    earliest = min(started) - CLOCKS_DIFFER
    for commit in repository.first_parents(snapshot.commit):
        if commit.committer_time < earliest:
            break
        said = trailers_of(commit.message)
        names = set(said.get("Memory-Id", ()))
        if "Memory-Count" in said:
            parent = commit.parents[0] if commit.parents else None
            changes = repository.diff_trees(parent, commit.id)
            names |= {change.path.removesuffix(".md").rpartition("-")[2] for change in changes}
        found |= requests.keys() & names
    return found
