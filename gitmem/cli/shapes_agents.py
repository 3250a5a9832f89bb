"""The JSON of `install`, `uninstall` and `hook-agent`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.flows.agents.events import EventAnswer
    from gitmem.flows.install import Installed

HOOK_EVENTS = {"session-start": "SessionStart", "prompt-submit": "UserPromptSubmit"}
"""The events at which an agent takes a text, as it calls them."""


def installed_shape(done: Installed) -> dict[str, Any]:
    return {
        "agent": done.agent,
        "command": done.command,
        "store": None if done.store is None else str(done.store),
        "dry_run": done.is_dry_run,
        "notices": list(done.notices),
        "files": [
            {"file": str(each.file), "outcome": each.outcome, "reason": each.reason} for each in done.files
        ],
    }


def hook_output(answer: EventAnswer) -> dict[str, Any]:
    """What Claude Code and Codex document for the event; empty where there is nothing to say."""
    if not answer.context:
        return {}
    return {
        "hookSpecificOutput": {
            "hookEventName": HOOK_EVENTS[answer.event],
            "additionalContext": answer.context,
        }
    }


def event_shape(answer: EventAnswer) -> dict[str, Any]:
    saved = answer.saved
    shape = saved and {"id": saved.id, "outcome": saved.outcome, "reason": saved.reason}
    return {
        "event": answer.event,
        "context": answer.context or None,
        "memories": list(answer.memories),
        "saved": shape,
    }
