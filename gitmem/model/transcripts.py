"""What is kept of a session with a coding agent, read from its transcript: extracts, never the transcript.

    Claude Code   one JSON object a line, `type` user or assistant, the message as its API has it
    Codex         one JSON object a line: `timestamp`, `type`, `payload`; what people see are `event_msg`

Neither is a documented format: what is not known is passed over. Side chains (what a helper of the agent
did) and text that was put in (see `injected`) are no part of the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from gitmem.model.cutting import passage
from gitmem.model.injected import without_injected
from gitmem.model.visible import one_line, printable

CLAUDE_CODE = "claude-code"
CODEX = "codex"
AGENTS = (CLAUDE_CODE, CODEX)
NOTHING_ASKED, SIDE_CHAIN = "nobody asked for anything", "a side chain"
MOST_TITLE = 80
MOST_ASKED = 400
MOST_PROMPTS = 6
MOST_PROMPT = 160
MOST_FILES = 15
MOST_OUTCOME = 400
_WRITING_TOOLS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit"})
_NOT_SAID = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)

Line = Mapping[str, Any]


class Session(Struct):
    """What happened in one session: what was asked, the files that were changed, and what was said last.

    `started` is the time of the first line, as it stands there.
    """

    agent: str
    id: str = ""
    folder: str = ""
    started: str = ""
    prompts: list[str] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)
    outcome: str = ""
    is_side_chain: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody asked for anything."""
        return not self.prompts

    @property
    def title(self) -> str:
        """The first line of the first prompt, shortened."""
        lines = self.prompts[0].strip().splitlines() if self.prompts else []
        return _short(lines[0].lstrip("#-*> "), MOST_TITLE) if lines else "a session"


def read_claude_code(lines: Iterable[Line]) -> Session:
    """The session of a transcript of Claude Code."""
    session = Session(CLAUDE_CODE)
    own = 0
    side = 0
    for line in lines:
        kind = line.get("type")
        if kind not in ("user", "assistant"):
            continue
        if line.get("isSidechain"):
            side += 1
            continue
        own += 1
        session.id = session.id or _text(line.get("sessionId"))
        session.folder = session.folder or _text(line.get("cwd"))
        session.started = session.started or _text(line.get("timestamp"))
        message = line.get("message")
        content = message.get("content") if isinstance(message, Mapping) else None
        if kind == "assistant":
            _add_answer(session, content)
        elif not any(line.get(mark) for mark in _NOT_SAID):
            _add_prompt(session, "\n".join(_texts(content)))
    session.is_side_chain = bool(side) and not own
    return session


def _add_answer(session: Session, content: Any) -> None:
    said = "\n".join(_texts(content))
    if said.strip():
        session.outcome = said
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and block.get("type") == "tool_use":
            given = block.get("input")
            if block.get("name") in _WRITING_TOOLS and isinstance(given, Mapping):
                _add_file(session, _text(given.get("file_path")) or _text(given.get("notebook_path")))


def read_codex(lines: Iterable[Line]) -> Session:
    """The session of a transcript of Codex."""
    session = Session(CODEX)
    for line in lines:
        payload = line.get("payload")
        if not isinstance(payload, Mapping):
            continue
        kind, what = line.get("type"), payload.get("type")
        session.started = session.started or _text(line.get("timestamp"))
        if kind == "session_meta" and not session.id:
            session.id = _text(payload.get("id"))
            session.folder = _text(payload.get("cwd"))
            source = payload.get("source")
            session.is_side_chain = isinstance(source, Mapping) and "subagent" in source
        elif kind == "event_msg" and what == "user_message":
            _add_prompt(session, _text(payload.get("message")))
        elif kind == "event_msg" and what == "agent_message":
            session.outcome = _text(payload.get("message")) or session.outcome
        elif kind == "response_item" and what in ("function_call", "custom_tool_call"):
            given = _text(payload.get("input")) or _text(payload.get("arguments")).replace("\\n", "\n")
            for path in _PATCHED.findall(given):
                _add_file(session, path)
    return session


def _add_prompt(session: Session, text: str) -> None:
    said = without_injected(text)
    if said:
        session.prompts.append(said)


def _add_file(session: Session, path: str) -> None:
    folder = session.folder.replace("\\", "/").rstrip("/")
    name = path.replace("\\", "/")
    if folder and name.startswith(folder + "/"):
        name = name[len(folder) + 1 :]
    if name:
        session.files[one_line(name)] = None


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(block, Mapping) and block.get("type") == "text" and isinstance(block.get("text"), str):
            yield block["text"]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def session_text(session: Session, transcript: str) -> str:
    """The text of the memory of a session. `transcript` is where the transcript is."""
    first, *others = session.prompts
    parts = [f"Asked: {_short(first, MOST_ASKED)}"]
    shown = _shown(list(dict.fromkeys(_short(each, MOST_PROMPT) for each in others)), MOST_PROMPTS)
    if shown:
        parts.append("Then:\n" + "\n".join(f"- {each}" for each in shown))
    if session.files:
        parts.append("Changed: " + ", ".join(_shown([f"`{name}`" for name in session.files], MOST_FILES)))
    outcome = _short(without_injected(session.outcome), MOST_OUTCOME)
    if outcome:
        parts.append(f"Last said: {outcome}")
    parts.append(f"Transcript: {one_line(transcript)}")
    return "\n\n".join(parts) + "\n"


def _shown(names: Sequence[str], most: int) -> list[str]:
    more = len(names) - most
    return [*names[:most], f"… {more:,} more"] if more > 0 else list(names)


def _short(text: str, most: int) -> str:
    """`text` as one line of about `most` characters, that ends where a sentence or a word does."""
    flat = one_line(printable(text[: most * 8]))
    if len(flat) <= most:
        return flat
    return (passage(flat, most - 1) or flat[: most - 1]).rstrip(" .,;:") + "…"
