"""The tools, asked by the client of the SDK in the same process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from gitmem.clock import FixedClock
from gitmem.flows.writing.drafting import Request
from gitmem.mcp.bounds import MOST_ANSWER_BYTES
from gitmem.mcp.calls import Desk
from gitmem.mcp.server import TOOLS, make_server
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git
from tests.mcp.conftest import PROTOCOLS, Agent


@pytest.mark.parametrize("mode", PROTOCOLS)
def test_one_session_of_an_agent(store: Store, folder: Path, mode: str) -> None:
    """Remember, find, read, change, link, learn from a mistake, look back; each a commit that says who and when."""
    agent = Agent(make_server(Desk(folder, session="s1")), mode)
    wish = agent.get("remember", text="Alice wants reports by e-mail", tags=["reports"], source="chat")
    assert [hit["id"] for hit in agent.get("recall", query="how does Alice want reports?")["hits"]] == [
        wish["id"]
    ]
    shown = agent.get("show", id=wish["id"])
    assert (shown["text"], shown["version"]) == ("Alice wants reports by e-mail\n", wish["version"])
    changed = agent.get("update", id=wish["id"], expect=shown["version"], text="Alice wants reports on paper")
    lesson = agent.get(
        "reflect", situation="A report was due", mistake="It went by e-mail", better="Print it"
    )
    linked = agent.get("link", id=lesson["id"], to=wish["id"], relation="corrects")
    entries = agent.get("log")["entries"]
    assert [entry["version"] for entry in entries[:3]] == [
        each["version"] for each in (linked, lesson, changed)
    ]
    assert all(entry["agent"] == "mcp" and entry["session"] == "s1" for entry in entries[:4])
    assert [entry["number"] for entry in agent.get("log", id=wish["id"])["entries"]] == [2, 1]
    context = agent.get("context", task="print a report for Alice")
    assert "A report was due" in context["text"] and "reports on paper" in context["text"]
    assert Store.open(folder).show(lesson["id"]).memory.type == "reflective"
    assert_sound(folder)


def test_a_session_is_ended_by_the_agent_whose_it_is(agent: Agent, store: Store, folder: Path) -> None:
    """Its notes are settled as the command does it, those of others stay, and undo takes it back."""
    assert agent.get("session_end")["notes"] == [
        "nothing was noted in this session, so nothing is to be settled"
    ]
    kept = agent.get("remember", text="The parser fails on empty input", type="working")
    wanted = agent.get("remember", text="The lexer is slow", type="working")
    other = store.note("Lunch is at noon", session="other")
    assert agent.fails("session_end", promote=[other.id])["kind"] == "not_found"
    ended = agent.get("session_end", promote=[wanted["id"]], becomes="semantic", reason="done")
    assert [(each["id"], each["type"]) for each in ended["promoted"]] == [(wanted["id"], "semantic")]
    assert (ended["session"], ended["kept"]) == ("s1", [kept["id"]])
    assert Store.open(folder).show(wanted["id"]).branch == "main"
    assert agent.fails("remember", text="The tests are green", type="working")["kind"] == "conflict"
    assert agent.get("session_end")["was_ended"] is True
    store.undo(ended["operation"])
    assert Store.open(folder).show(wanted["id"]).branch == "working"
    assert_sound(folder)


def test_answers_are_the_same_as_text_and_as_data(agent: Agent) -> None:
    """Clients read one of them; and what is said fits the schema that is given."""
    agent.get("remember", text="Alice wants reports by e-mail")

    async def story(client: Client) -> Any:
        tools = (await client.list_tools()).tools
        answer = await client.call_tool("recall", {"query": "reports"})
        return {tool.name: tool for tool in tools}, answer

    tools, answer = agent.with_client(story)
    assert json.loads(answer.content[0].text) == answer.structured_content
    assert set(tools) == set(TOOLS)
    for tool in tools.values():
        schema = tool.input_schema
        assert schema["additionalProperties"] is False and "title" not in json.dumps(list(schema))
        assert all("anyOf" not in each for each in schema["properties"].values())
        assert tool.output_schema is not None and tool.output_schema["type"] == "object"
        assert tool.annotations is not None and tool.annotations.open_world_hint is False
    reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}
    assert reading == {"context", "recall", "show", "log"}
    assert not any(tool.annotations.destructive_hint for tool in tools.values())


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("recall", {"limit": 500}, "limit: input should be less than or equal to 60"),
        ("recall", {"querry": "x"}, "querry: recall has no such argument; it has query, type"),
        ("recall", {"type": "fact"}, "type: input should be 'working', 'episodic'"),
        ("recall", {"since": "whenever"}, "'whenever' is not a date"),
        ("recall", {"query": "x", "as_of": "1970"}, "1970"),
        ("remember", {}, "text: field required"),
        ("remember", {"text": "x" * 200_001}, "text: string should have at most 200000 characters"),
        ("remember", {"text": " \n"}, "the text is empty"),
        ("remember", {"text": "x", "tags": "one"}, "tags: a list of texts belongs here"),
        ("remember", {"text": "x", "tags": 5}, "tags: a list of texts belongs here"),
        ("link", {"id": "x", "to": "y", "relation": " "}, "relation: ' ' cannot be a relation"),
        ("remember", {"text": "x", "supersedes": ["nosuch"]}, "no memory 'nosuch' on main"),
        ("remember", {"text": "x", "namespace": "../up"}, "namespace: '../up' is refused"),
        ("show", {"id": "nosuch"}, "no memory 'nosuch' on main"),
        ("update", {"id": "x", "expect": "abcd"}, "nothing is to be changed"),
        ("update", {"id": "x@v1", "expect": "abcd", "text": "y"}, "names an older version"),
        (
            "context",
            {"task": "x", "max_tokens": 1},
            "max_tokens: input should be greater than or equal to 50",
        ),
        ("suggest_archive", {"ids": [], "reason": "old"}, "ids: list should have at least 1 item"),
        ("suggest_archive", {"ids": ["nosuch"], "reason": "old"}, "no memory 'nosuch' on main"),
        ("forget", {"id": "x"}, "there is no tool 'forget'; there are context, recall"),
    ],
)
def test_bad_arguments_are_answers(agent: Agent, tool: str, arguments: dict[str, Any], said: str) -> None:
    """One line that names the argument, and what to do; nothing is changed."""
    error = agent.fails(tool, **arguments)
    assert said in error["message"] and error["advice"] and len(error["message"]) <= 1_000
    assert agent.get("recall")["total"] == 0


def test_null_is_the_same_as_left_out(agent: Agent) -> None:
    """For whatever may be left out."""
    written = agent.get("remember", text="via mcp", title=None, tags=None, type=None, importance=None)
    assert agent.get("recall", query="mcp", limit=None, tags=None)["hits"][0]["id"] == written["id"]


def test_a_stale_update_is_told_what_to_do(agent: Agent) -> None:
    """The answer holds the version and text that the model needs to call again, and nothing was lost."""
    first = agent.get("remember", text="Alice wants reports by e-mail")
    second = agent.get("update", id=first["id"], expect=first["version"], text="Alice wants reports on paper")
    error = agent.fails("update", id=first["id"], expect=first["version"], text="Alice wants faxes")
    assert (error["kind"], error["retry"]) == ("stale_version", "changed")
    assert "expect set to current.version" in error["advice"] and "--expect" not in error["message"]
    assert error["current"]["version"] == second["version"] and "on paper" in error["current"]["text"]
    merged = agent.get("update", id=first["id"], expect=error["current"]["version"], text="Paper, or fax")
    assert merged["id"] == first["id"]
    assert len(agent.get("log", id=first["id"])["entries"]) == 3


def test_who_connects_is_an_agent(store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever started the server: rights come from the process, never from what a client says of itself."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + '\n[identities."*"]\nreview = "required"\n[identities.trusted]\n')
    git(folder, "commit", "-qam", "policy")
    monkeypatch.setenv("GITMEM_IDENTITY", "person:tester")
    agent = Agent(make_server(Desk(folder, agent="trusted", session="s1")))
    written = agent.get("remember", text="Alice wants reports by e-mail")
    assert (
        written["branch"].startswith("proposals/unattended") and "a person reviews it" in written["notes"][0]
    )
    monkeypatch.setenv("GITMEM_IDENTITY", "agent:trusted")
    assert agent.get("remember", text="Bob wants reports on paper")["branch"] == "main"
    assert Store.open(folder).status().identity.is_person is False


def test_an_archive_is_suggested_and_nothing_moves(agent: Agent, store: Store, folder: Path) -> None:
    """The proposal says why; when a person accepts it, the memories are archived."""
    ids = [agent.get("remember", text=f"Old news {n}")["id"] for n in range(3)]
    proposed = agent.get("suggest_archive", ids=ids[:2], reason="They are out of date")
    assert sorted(proposed["ids"]) == sorted(ids[:2]) and proposed["title"] == "Archive Old news 0 and 1 more"
    assert agent.get("recall")["total"] == 3
    person = Store.open(folder, clock=FixedClock(NOW))
    review = person.review(proposed["proposal"])
    assert "out of date" in review.proposal.body and review.proposal.proposed_by == "agent:unattended"
    person.accept(proposed["proposal"])
    assert [record.id for record in person.list().records] == [ids[2]]
    assert agent.get("show", id=ids[0])["labels"] == ["archived"]
    assert_sound(folder)


def test_answers_stay_small_and_pages_give_the_rest(agent: Agent, store: Store) -> None:
    """Sixty hits with texts of four kilobytes, one of 360, and texts that grow when they are escaped."""
    texts = {f"big{n}": f"harbour {n} " + "lorem " * (700 if n else 60_000) for n in range(60)}
    texts["quotes"] = '"\n\\' * 20_000
    texts["controls"] = "\x01\x02\U0001f469\u200d\U0001f467" * 9_000
    store.remember_all([Request(text, id=name, title=name) for name, text in texts.items()])

    async def story(client: Client) -> None:
        async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(tool, arguments)
            assert not answer.is_error and isinstance(answer.structured_content, dict)
            assert len(answer.model_dump_json(by_alias=True).encode()) <= MOST_ANSWER_BYTES
            return answer.structured_content

        for arguments in ({"query": "harbour"}, {}):
            seen: list[str] = []
            offset: int | None = 0
            while offset is not None:
                page = await ask("recall", limit=25, offset=offset, **arguments)
                seen += [hit["id"] for hit in page["hits"]]
                offset = page.get("next_offset")
            assert len(seen) == len(set(seen)) == page["total"] == (60 if arguments else 62)
        for name in ("big1", "quotes", "controls"):
            text, offset, pages = "", 0, 0
            while offset is not None:
                page = await ask("show", id=name, offset=offset)
                text, offset, pages = text + page["text"], page.get("next_offset"), pages + 1
            assert text.rstrip("\n") == texts[name].rstrip("\n") and page["total_characters"] == len(text)
            assert pages > 1 or name == "big1"
        first = await ask("show", id="big0")
        assert first["next_offset"] == len(first["text"]) and "go on with offset" in first["notes"][0]
        await ask("context", task="harbour", max_tokens=3_000)
        await ask("log", limit=100)
        for uri in ("memory://brief", "memory://big0"):
            resource = await client.read_resource(uri)
            assert len(resource.model_dump_json().encode()) <= MOST_ANSWER_BYTES

    agent.with_client(story)


def test_pages_cut_by_their_size_give_all_once(
    agent: Agent, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a page had no room for is not counted as used: it would stand elsewhere on the next one."""
    monkeypatch.delenv("GITMEM_USAGE")
    store.remember_all(
        [
            Request(f"harbour 日本 {n}" + "船在港口" * 400, id=f"b{n}", title="漢字" * 100 + f"{n}")
            for n in range(60)
        ]
    )
    seen: list[str] = []
    offset: int | None = 0
    pages = 0
    while offset is not None:
        page = agent.get("recall", query="harbour 日本", limit=60, offset=offset)
        seen += [hit["id"] for hit in page["hits"]]
        offset, pages = page.get("next_offset"), pages + 1
    assert pages > 2 and len(seen) == len(set(seen)) == 60
    uses = [store.show(name).uses for name in seen]
    assert [each.recalled if each else None for each in uses] == [1] * 60


def test_calls_side_by_side(agent: Agent, folder: Path) -> None:
    """Writes of one server arrive together: none is lost, each has its own answer, and reads go on meanwhile."""

    async def story(client: Client) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []

        async def one(number: int) -> None:
            found = await client.call_tool("remember", {"text": f"Note {number} of many"})
            assert isinstance(found.structured_content, dict)
            answers.append(found.structured_content)
            assert not (await client.call_tool("recall", {"query": "many notes"})).is_error

        async with anyio.create_task_group() as group:
            for number in range(16):
                group.start_soon(one, number)
        return answers

    answers = agent.with_client(story)
    assert len({answer["id"] for answer in answers}) == 16
    assert agent.get("recall", query="many notes", limit=60)["total"] == 16
    assert len(git(folder, "rev-list", "main").split()) == 17
    assert_sound(folder)


def test_resources_and_prompts(agent: Agent) -> None:
    """The overview, the file of each memory as it is or was, and what to do as a session begins and ends."""
    first = agent.get("remember", text="Alice wants reports by e-mail", importance=0.9)
    agent.get("update", id=first["id"], expect=first["version"], text="Alice wants reports on paper")

    async def story(client: Client) -> None:
        assert [str(each.uri) for each in (await client.list_resources()).resources] == ["memory://brief"]
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == ["memory://{id}"]
        texts = [
            (await client.read_resource(uri)).contents[0].text  # type: ignore[union-attr]
            for uri in ("memory://brief", f"memory://{first['id']}", f"memory://{first['id']}@v1")
        ]
        assert "## Most important" in texts[0] and "on paper" in texts[1] and "by e-mail" in texts[2]
        assert texts[1].startswith(f"---\nid: {first['id']}\n")
        with pytest.raises(Exception, match="no memory 'nosuch' on main"):
            await client.read_resource("memory://nosuch")
        assert {each.name for each in (await client.list_prompts()).prompts} == {
            "session_start",
            "session_end",
        }
        start = await client.get_prompt("session_start", {"task": "print a report for Alice"})
        assert "# Memories of mem" in start.messages[0].content.text  # type: ignore[union-attr]
        assert "<memories at=" in start.messages[0].content.text  # type: ignore[union-attr]
        with pytest.raises(Exception, match="task: session_end has no such argument; it has about"):
            await client.get_prompt("session_end", {"task": "x"})
        end = await client.get_prompt("session_end")
        assert "`remember`" in end.messages[0].content.text  # type: ignore[union-attr]

    agent.with_client(story)


def test_a_store_that_is_gone_is_an_answer(agent: Agent, folder: Path) -> None:
    """The server stays up, and goes on when it is back."""
    (folder / ".git").rename(folder / "away")
    assert agent.fails("recall", query="x")["kind"] == "not_a_store"
    (folder / "away").rename(folder / ".git")
    assert agent.get("recall", query="x")["total"] == 0


def test_a_bug_is_an_answer_that_quotes_nothing(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """What went wrong goes to the log of the server."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Store, "recall", broken)
    error = agent.fails("recall", query="x")
    assert error["kind"] == "bug" and "RuntimeError" in error["message"] and "secret" not in str(error)


def test_a_working_memory_goes_to_the_working_branch(agent: Agent, store: Store) -> None:
    """By the type alone: it is a note of the session of the agent, and main does not get it."""
    written = agent.get("remember", text="The parser fails on empty input", type="working")
    (session,) = store.sessions().sessions
    assert (session.session, session.notes) == ("s1", 1)
    assert [record.id for record in store.on("working").list().records] == [written["id"]]
    assert not store.list().records
