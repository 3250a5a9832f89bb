"""The real Claude Code, with the settings that `install` writes, against an API that is played on loopback.

`GITMEM_CLAUDE_CODE` names its command (`npm install --prefix DIR @anthropic-ai/claude-code`, then
DIR/node_modules/.bin/claude). Where there is none, the events that it was seen to send are played to the hooks
of the same settings, and the same is expected.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitmem.flows.agents.settings import EVENT_NAMES
from gitmem.model.injected import EXPLAINED
from gitmem.store import Store
from tests.agents.fake_api import FakeApi, text, tool_use
from tests.commands import script_of_command
from tests.conftest import git, gitmem

RECORDED = Path(__file__).parent / "events" / "claude-code"
NAMED = os.environ.get("GITMEM_CLAUDE_CODE")
QUESTION = "Which day of the week are releases cut?"
ANSWER = "Releases are cut on Tuesdays."
LEARNED = "The changelog is written before the tag is set"
PATIENCE_SECONDS = 120
pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the command of these tests is a script of sh"
)


def _why_not() -> str | None:
    """Why the real command cannot be run; None where it can."""
    if NAMED is None or shutil.which(NAMED) is None:
        return "GITMEM_CLAUDE_CODE names no command of Claude Code (npm install @anthropic-ai/claude-code)"
    if Path(NAMED).resolve().suffix in (".js", ".cjs") and shutil.which("node") is None:
        return f"{NAMED} is a program of Node, and there is no node on PATH"
    return None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What came of one session: what the model was sent at first, and the events that the hooks got."""

    sent: str
    events: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Project:
    """A repository that was given to Claude Code by `install`, and the environment to work in it."""

    folder: Path
    environment: Mapping[str, str]
    seen: Path
    """Where the events are kept that the hooks get."""

    def events(self) -> dict[str, dict[str, Any]]:
        return {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(self.seen.glob("*.json"))}


@pytest.fixture
def project(store: Store, sealed_environment: Path, tmp_path: Path) -> Project:
    """A project whose memories are kept beside it, and a `gitmem` on PATH that also keeps the events."""
    store.remember("Releases are cut on Tuesdays, on no other day of the week", id="releases")
    store.remember("The office cat is called Mila", id="cat")
    folder, seen, commands = (tmp_path / name for name in ("harbor", "seen", "bin"))
    for each in (seen, commands):
        each.mkdir()
    git(tmp_path, "init", "-q", "harbor")
    git(folder, "config", "gitmem.store", "../mem")
    real, kept = commands / "gitmem-itself", commands / "gitmem"
    real.write_text(script_of_command(), "utf-8")
    kept.write_text(
        f'#!/bin/sh\nif [ "$1" = hook-agent ]; then\n    tee "{seen}/$3.json" | "{real}" "$@"\n'
        f'else\n    exec "{real}" "$@"\nfi\n',
        "utf-8",
    )
    for each in (real, kept):
        each.chmod(0o755)
    environment = {
        "HOME": str(sealed_environment),
        "PATH": f"{commands}:{os.environ['PATH']}",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GITMEM_HOOK_SECONDS": "60",
        "LANG": "C.UTF-8",
    }
    done = gitmem(folder, "install", "claude-code", env={"PATH": environment["PATH"]})
    assert done.code == 0, done.err
    return Project(folder, environment, seen)


def _talk(command: str, project: Project) -> Conversation:
    """One prompt to the real command, which asks for a memory to be written and then answers."""
    settings = Path(project.environment["HOME"]) / ".claude" / "settings.json"
    settings.parent.mkdir()
    # What a person answers when Claude Code asks whether the server of the project may be started.
    settings.write_text(json.dumps({"enabledMcpjsonServers": ["gitmem"]}), "utf-8")
    remember = "mcp__gitmem__remember"
    with FakeApi([tool_use(remember, {"text": LEARNED}), text(ANSWER)]) as api:
        environment = {
            **project.environment,
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "sk-ant-nobodys",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "MCP_TIMEOUT": str(PATIENCE_SECONDS * 1000),
        }
        done = subprocess.run(
            [command, "-p", QUESTION, "--output-format", "json", "--allowedTools", remember],
            cwd=project.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    said = done.stdout.decode(), done.stderr.decode(), api.failures, api.unknown
    assert done.returncode == 0, said
    result = json.loads(done.stdout)
    assert (result["is_error"], result["result"]) == (False, ANSWER), said
    return Conversation("\n".join(_texts(api.turns[0])), project.events())


def _texts(value: Any) -> Iterator[str]:
    """All texts in a request."""
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(each)


def _replay(project: Project, transcript: Path) -> Conversation:
    """The recorded events of the same session, given to the commands that the settings name, as documented."""
    places = {"FOLDER": str(project.folder), "TRANSCRIPT": str(transcript), "PROMPT": QUESTION}
    lines = (RECORDED / "transcript.jsonl").read_text("utf-8")
    transcript.write_text(lines.replace("FOLDER", places["FOLDER"]), "utf-8")
    hooks = json.loads((project.folder / ".claude" / "settings.json").read_text("utf-8"))["hooks"]
    sent = []
    for event in ("session-start", "prompt-submit", "session-end"):
        payload = {key: places.get(value, value) for key, value in _recorded(event).items()}
        for each in (hook for group in hooks[EVENT_NAMES[event]] for hook in group["hooks"]):
            done = subprocess.run(
                each["command"],
                shell=True,
                cwd=project.folder,
                env={**project.environment, "CLAUDE_PROJECT_DIR": str(project.folder)},
                input=json.dumps(payload).encode(),
                capture_output=True,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
            assert (done.returncode, done.stderr) == (0, b""), event
            if done.stdout:
                sent.append(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"])
    return Conversation("\n".join(sent), project.events())


def _recorded(event: str) -> dict[str, Any]:
    payload: dict[str, Any] = json.loads((RECORDED / f"{event}.json").read_text("utf-8"))
    return payload


def _assert_remembered(store: Store, talk: Conversation) -> None:
    """The model was sent the brief and what answers the prompt, and the session became one memory."""
    assert talk.sent.count("<memories at=") == talk.sent.count(EXPLAINED) == 2
    assert "The office cat is called Mila" in talk.sent
    assert "- [releases 2026-11-29] Releases are cut on Tuesdays, on no other day of the week" in talk.sent
    assert list(talk.events) == ["prompt-submit", "session-end", "session-start"]
    assert len({event["session_id"] for event in talk.events.values()}) == 1
    session = talk.events["session-end"]["session_id"]
    [saved] = store.list(Store.where(agent="claude-code", type="episodic")).records
    memory = store.show(saved.id).memory
    assert (saved.title, memory.session) == (QUESTION, session)
    assert f"Last said: {ANSWER}" in memory.body
    assert "project:harbor" in memory.entities
    assert "<memories" not in memory.body and "Mila" not in memory.body


def test_recorded_events_are_answered(project: Project, store: Store, tmp_path: Path) -> None:
    """What Claude Code was seen to send, through the commands of the settings."""
    _assert_remembered(store, _replay(project, tmp_path / "transcript.jsonl"))


@pytest.mark.skipif(_why_not() is not None, reason=_why_not() or "")
def test_the_real_command_remembers(project: Project, store: Store) -> None:
    """Hooks, skill and MCP server are taken from the settings; the events are those that are recorded."""
    assert NAMED is not None
    talk = _talk(NAMED, project)
    _assert_remembered(store, talk)
    assert "Memory that lasts across sessions" in talk.sent, "the skill is offered"
    assert [record.title for record in store.list().records if record.title == LEARNED] == [LEARNED]
    for event, payload in talk.events.items():
        recorded = _recorded(event)
        assert recorded.keys() <= payload.keys(), event
        assert {key: type(payload[key]) for key in recorded} == {key: type(recorded[key]) for key in recorded}
