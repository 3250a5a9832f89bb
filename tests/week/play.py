"""One agent at work for a week: each session with a server of its own, at its own time, as `week.yaml` says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import yaml
from mcp import Client
from mcp.types import TextContent, TextResourceContents

from gitmem.clock import FixedClock
from gitmem.flows.working.ending import Ended
from gitmem.mcp.calls import Desk
from gitmem.mcp.server import make_server
from gitmem.model.memory import Memory
from gitmem.store import Store
from tests.conftest import git

HERE = Path(__file__).parent
STEP = timedelta(minutes=2)
"""How long the agent works between two things that it keeps."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """One attempt to keep something: how, in which words, and what the server answered."""

    session: str
    kind: str
    key: str
    text: str
    answer: Mapping[str, Any]
    is_error: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Week:
    """A store after the week: what was written, what the agent was given, and the ids by the keys of the script."""

    folder: Path
    began: str
    ended: datetime
    ids: dict[str, str]
    wrote: list[Wrote]
    given: dict[str, str]
    ends: dict[str, Ended]
    memories: list[Memory] = field(default_factory=list)
    """What stands on main in the end."""

    def of(self, kind: str) -> list[Wrote]:
        return [each for each in self.wrote if each.kind == kind]


def script() -> dict[str, Any]:
    return dict(yaml.safe_load((HERE / "week.yaml").read_text(encoding="utf-8")))


def questions() -> dict[str, str]:
    return dict(yaml.safe_load((HERE / "questions.yaml").read_text(encoding="utf-8")))


def play(folder: Path) -> Week:
    """Makes a store in `folder` and lives through the week."""
    told = script()
    first = _moment(told["sessions"][0]["at"])
    Store.init(folder, clock=FixedClock(first - timedelta(hours=1)))
    began = git(folder, "rev-parse", "HEAD").strip()
    week = Week(folder, began, first, {}, [], {}, {})
    for session in told["sessions"]:
        _Session(week, session["id"], _moment(session["at"]), session["task"]).live(session["steps"])
    store = Store.open(folder, clock=FixedClock(week.ended))
    week.memories = [store.show(record.id).memory for record in store.list(limit=None).records]
    return week


class Hand:
    """A clock that is set by hand."""

    zone = UTC

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


class _Session:
    def __init__(self, week: Week, name: str, at: datetime, task: str) -> None:
        self.week = week
        self.name = name
        self.task = task
        self.clock = Hand(at)
        self.store = Store.open(week.folder, clock=self.clock).as_agent()

    def live(self, steps: list[dict[str, Any]]) -> None:
        """What matters is read first; then the steps, two minutes apart; then the session is ended."""
        server = make_server(Desk(self.week.folder, session=self.name, clock=self.clock))

        async def tell() -> None:
            async with Client(server) as client:
                await self._begin(client)
                for step in steps:
                    self.clock.moment += STEP
                    (kind, said), *_ = step.items()
                    await getattr(self, f"_{kind}")(client, said)

        anyio.run(tell)
        self.clock.moment += STEP
        if any(each.session == self.name for each in self.store.sessions().sessions):
            self.week.ends[self.name] = self.store.end_session(self.name)
        self.week.ended = self.clock.moment

    async def _begin(self, client: Client) -> None:
        context = await client.call_tool("context", {"task": self.task})
        assert not context.is_error and isinstance(context.structured_content, dict), context.content
        self.week.given[self.name] = context.structured_content["text"]

    async def _note(self, client: Client, text: str) -> None:
        await self._keep(client, "note", "", "remember", {"text": text, "type": "working"})

    async def _remember(self, client: Client, said: Mapping[str, Any], *, kind: str = "remember") -> None:
        arguments = {"text": said["text"], "namespace": said["in"], "type": said.get("type", "semantic")}
        wrote = await self._keep(client, kind, said["key"], "remember", arguments, about=said)
        if not wrote.is_error:
            self.week.ids[said["key"]] = wrote.answer["id"]

    async def _contradicts(self, client: Client, said: Mapping[str, Any]) -> None:
        await self._remember(client, said, kind="contradicts")

    async def _again(self, client: Client, said: Mapping[str, Any]) -> None:
        first = next(each for each in self.week.wrote if each.key == said["of"])
        arguments = {
            "text": said["text"],
            "namespace": first.about["in"],
            "type": first.about.get("type", "semantic"),
        }
        await self._keep(client, "again", said["of"], "remember", arguments, about=said)

    async def _reflect(self, client: Client, said: Mapping[str, str]) -> None:
        lessons = [each for each in self.week.wrote if each.kind == "reflect"]
        key = LESSONS[len(lessons)]
        wrote = await self._keep(client, "reflect", key, "reflect", dict(said), about=said)
        self.week.ids[key] = wrote.answer["id"]

    async def _echo(self, client: Client, query: str) -> None:
        """The agent tries to keep what it was given: by recall, by its host, at its beginning."""
        recalled = await client.call_tool("recall", {"query": query})
        assert isinstance(recalled.structured_content, dict)
        for event, payload in (("session-start", {}), ("prompt-submit", {"prompt": query})):
            said = self.store.answer_event("claude-code", event, payload).context
            assert said, f"{event} says nothing"
            await self._keep(client, "echo", event, "remember", {"text": said})
        (overview,) = (await client.read_resource("memory://brief")).contents
        assert isinstance(overview, TextResourceContents)
        for name, text in (("context", self.week.given[self.name]), ("brief", overview.text)):
            if not text:
                continue
            await self._keep(client, "echo", name, "remember", {"text": text})
            await self._keep(client, "echo", name, "remember", {"text": f"I found out that:\n\n{text}"})
        (answer,) = recalled.content
        assert isinstance(answer, TextContent)
        await self._keep(client, "echo", "answer", "remember", {"text": answer.text})
        for hit in recalled.structured_content["hits"][:2]:
            shown = await client.call_tool("show", {"id": hit["id"]})
            assert isinstance(shown.structured_content, dict)
            body = shown.structured_content["text"]
            await self._keep(client, "echo", "snippet", "remember", {"text": hit["snippet"]})
            await self._keep(client, "echo", "body", "remember", {"text": body})
            place = {"namespace": hit.get("namespace"), "type": hit["type"]}
            await self._keep(client, "echo", "body", "remember", {"text": body, **place})

    async def _keep(
        self,
        client: Client,
        kind: str,
        key: str,
        tool: str,
        arguments: Mapping[str, Any],
        about: Mapping[str, Any] | None = None,
    ) -> Wrote:
        result = await client.call_tool(tool, dict(arguments))
        assert isinstance(result.structured_content, dict)
        answer = result.structured_content
        text = str(arguments.get("text", ""))
        wrote = Wrote(self.name, kind, key, text, answer, bool(result.is_error), about or {})
        self.week.wrote.append(wrote)
        return wrote


LESSONS = ("slow-query-lesson", "upgrade-lesson", "flaky-lesson", "payment-lesson", "report-lesson")


def _moment(said: Any) -> datetime:
    return said if isinstance(said, datetime) else datetime.fromisoformat(said)
