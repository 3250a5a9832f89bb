"""Where coding agents keep their settings, and what of gitmem stands there.

                  Claude Code                        Codex
    hooks         .claude/settings.json              .codex/hooks.json
    MCP server    .mcp.json                          .codex/config.toml
    skill         .claude/skills/gitmem/SKILL.md     .agents/skills/gitmem/SKILL.md
of the project; or of the user, below the home folder, where `CLAUDE_CONFIG_DIR` and `CODEX_HOME` count.

Sources, read in November 2026: code.claude.com/docs (hooks, mcp, skills), developers.openai.com/codex (hooks,
config, skills).
"""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from gitmem.flows.agents.events import PRE_COMPACT, PROMPT_SUBMIT, SESSION_END, SESSION_START
from gitmem.flows.agents.skill import SKILL
from gitmem.model.json_splice import Node, put_in, taken_out, value_at
from gitmem.model.transcripts import CLAUDE_CODE

EVENT_NAMES = {
    SESSION_START: "SessionStart",
    PROMPT_SUBMIT: "UserPromptSubmit",
    PRE_COMPACT: "PreCompact",
    SESSION_END: "SessionEnd",
}
"""What both agents call the events."""
TIMEOUT_SECONDS = 5
"""When the agent gives a hook up. It ends by itself in two; at the end of a session Claude Code would wait
for one and a half where nothing is said."""
SERVER = "gitmem"


class Change(Struct, frozen=True):
    """What a file shall hold, None for no file; with `reason` it stays as it is."""

    text: str | None
    reason: str | None = None


class Places(Struct, frozen=True):
    """The files of an agent; `top` is the folder that stays. `server` is None where that file is not ours."""

    top: Path
    hooks: Path
    server: Path | None
    skill: Path


class Setting(ABC):
    """One file in which something of gitmem stands."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @abstractmethod
    def put_in(self, text: str | None) -> Change:
        """`text` with what is ours; None: no file. Raises `ValueError` where it is broken."""

    @abstractmethod
    def taken_out(self, text: str | None) -> Change:
        """`text` without it. Raises `ValueError` for a broken one."""


def places_of(agent: str, project: Path | None, variables: Mapping[str, str]) -> Places:
    """The files of `agent` for a project; for the user where it is None."""
    home = Path(variables.get("HOME") or variables.get("USERPROFILE") or Path.home())
    if agent == CLAUDE_CODE:
        named = variables.get("CLAUDE_CONFIG_DIR")
        own = project / ".claude" if project else Path(named) if named else home / ".claude"
        server = project / ".mcp.json" if project else None
        return Places(project or home, own / "settings.json", server, own / "skills" / "gitmem" / "SKILL.md")
    named = variables.get("CODEX_HOME")
    own = project / ".codex" if project else Path(named) if named else home / ".codex"
    skill = (project or home) / ".agents" / "skills" / "gitmem" / "SKILL.md"
    return Places(project or home, own / "hooks.json", own / "config.toml", skill)


def command_of(installed: str | None, *, is_shared: bool) -> str:
    """The command that settings call.

    Those of a project are shared, so `gitmem` where PATH has it; those of a user name the file itself, as
    programs that are not started from a shell have another PATH.
    """
    on_path = shutil.which("gitmem")
    return "gitmem" if is_shared and on_path else installed or on_path or "gitmem"


def settings_of(agent: str, places: Places, command: str) -> list[Setting]:
    """What is put in, file by file."""
    settings: list[Setting] = [Hooks(places.hooks, agent, command)]
    if places.server is not None:
        make = JsonServer if agent == CLAUDE_CODE else TomlServer
        settings.append(make(places.server, command))
    return [*settings, Skill(places.skill)]


class Hooks(Setting):
    """The hooks of both agents: an event has groups, a group has commands."""

    def __init__(self, file: Path, agent: str, command: str) -> None:
        super().__init__(file)
        self._agent = agent
        self._command = command

    def put_in(self, text: str | None) -> Change:
        if text is not None and self._stand_in(text):
            return Change(text)
        new = text if text is None else self._without(text)
        for event, name in EVENT_NAMES.items():
            if new is None:
                new = json.dumps({"hooks": {name: [self._group(event)]}}, indent=2) + "\n"
            else:
                new = put_in(new, ("hooks", name), self._group(event))
        return Change(new)

    def taken_out(self, text: str | None) -> Change:
        return Change(None) if text is None else _left(text, self._without(text))

    def _group(self, event: str) -> dict[str, Any]:
        line = f"{shlex.quote(self._command)} hook-agent {self._agent} {event}"
        return {"hooks": [{"type": "command", "command": line, "timeout": TIMEOUT_SECONDS}]}

    def _stand_in(self, text: str) -> bool:
        """Whether each event has our group, as it would be written now."""
        return all(
            isinstance(groups := value_at(text, ("hooks", name)), list)
            and [group for group in groups if self._is_ours(group)] == [self._group(event)]
            for event, name in EVENT_NAMES.items()
        )

    def _without(self, text: str) -> str:
        # The last first: so the splices are undone in the order in which they were made, backwards.
        for name in reversed(EVENT_NAMES.values()):
            text = taken_out(text, ("hooks", name), lambda item: self._is_ours(item.value))
        return text

    def _is_ours(self, group: Any) -> bool:
        """Whether a group does nothing but call gitmem for this agent."""
        commands = group.get("hooks") if isinstance(group, dict) else None
        return (
            isinstance(commands, list)
            and bool(commands)
            and all(
                isinstance(each, dict) and f" hook-agent {self._agent} " in str(each.get("command"))
                for each in commands
            )
        )


class JsonServer(Setting):
    """The MCP server in a file of JSON."""

    def __init__(self, file: Path, command: str) -> None:
        super().__init__(file)
        self._value = {"command": command, "args": ["mcp"]}

    def put_in(self, text: str | None) -> Change:
        if text is None:
            return Change(json.dumps({"mcpServers": {SERVER: self._value}}, indent=2) + "\n")
        found = value_at(text, ("mcpServers", SERVER))
        if found == self._value:
            return Change(text)
        if found is not None and not _is_our_server(found):
            return Change(text, f"it has another server called {SERVER}")
        if found is not None:
            text = self._without(text)
        return Change(put_in(text, ("mcpServers",), self._value, key=SERVER))

    def taken_out(self, text: str | None) -> Change:
        return Change(None) if text is None else _left(text, self._without(text))

    @staticmethod
    def _without(text: str) -> str:
        def is_ours(item: Node) -> bool:
            return item.key == SERVER and _is_our_server(item.value)

        return taken_out(text, ("mcpServers",), is_ours)


def _left(text: str, without: str) -> Change:
    """What is left of a file of JSON: nothing, where it was made for what was taken out."""
    is_made = text == json.dumps(value_at(text, ()), indent=2) + "\n"
    return Change(None if is_made and not value_at(without, ()) else without)


def _is_our_server(value: Any) -> bool:
    named = str(value.get("command", "")) if isinstance(value, dict) else ""
    name = named.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    return name == "gitmem" and value.get("args") == ["mcp"]


class TomlServer(Setting):
    """The MCP server as a table at the end of a file of TOML."""

    def __init__(self, file: Path, command: str) -> None:
        super().__init__(file)
        self._value = {"command": command, "args": ["mcp"]}
        self._table = f'[mcp_servers.{SERVER}]\ncommand = {json.dumps(command)}\nargs = ["mcp"]\n'

    def put_in(self, text: str | None) -> Change:
        if text is None:
            return Change(self._table)
        before = _toml(text)
        servers = before.get("mcp_servers", {})
        if not isinstance(servers, dict):
            return Change(text, "mcp_servers is no table; add the server by hand")
        found = servers.get(SERVER)
        if found == self._value:
            return Change(text)
        if found is not None:
            return Change(text, f"it has another server called {SERVER}")
        new = text + self._spelled(text)
        try:
            after = tomllib.loads(new.removeprefix("\ufeff"))
        except tomllib.TOMLDecodeError:
            return Change(text, "mcp_servers is written in one line; add the server by hand")
        assert after == {**before, "mcp_servers": {**servers, SERVER: self._value}}, "it adds nothing else"
        return Change(new)

    def taken_out(self, text: str | None) -> Change:
        if text is None or text == self._table:
            return Change(None)
        found = _toml(text).get("mcp_servers")
        if not isinstance(found, dict) or not _is_our_server(found.get(SERVER)):
            return Change(text)
        before, ours, behind = text.rpartition(self._spelled(text))
        if not ours:
            return Change(text, f"the table mcp_servers.{SERVER} was changed; take it out by hand")
        return Change(before + behind)

    def _spelled(self, text: str) -> str:
        spelled = "\n" + self._table
        return spelled.replace("\n", "\r\n") if "\r\n" in text else spelled


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"is not TOML: {error}") from error


class Skill(Setting):
    """The skill, a file of its own."""

    def put_in(self, text: str | None) -> Change:
        if text is not None and not _is_our_skill(text):
            return Change(text, "somebody changed it")
        return Change(SKILL)

    def taken_out(self, text: str | None) -> Change:
        if text is not None and not _is_our_skill(text):
            return Change(text, "somebody changed it")
        return Change(None)


def _is_our_skill(text: str) -> bool:
    return text.replace("\r\n", "\n") == SKILL
