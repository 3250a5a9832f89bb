"""Every verb, asked by an agent about what it may not read: no trace of it; and by a person, who may."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.cli.app import MODULES
from gitmem.cli.run import run
from tests.apart.conftest import MARK, Planted
from tests.conftest import git

READING = frozenset(
    "status check health recall list show log diff blame why usage conflicts proposals review export scan context brief consult "
    "tombstones related path graph".split()
)
"""Verbs that leave the store as it is."""
VERBS = [verb for verbs in MODULES.values() for verb in verbs.split()]


@dataclass(frozen=True, slots=True)
class Call:
    """One way to call a verb. A person gets `code`, and sees the mark where it `shows`; the agent gets `refused`."""

    words: str
    shows: bool = False
    code: int = 0
    refused: int = 0
    input: str = ""


def reads(words: str) -> Call:
    """A person sees the mark; the agent is answered without it."""
    return Call(words, shows=True)


def names(words: str, *, shows: bool = True, code: int = 0) -> Call:
    """It names what the agent may not see: there is no such thing."""
    return Call(words, shows=shows, code=code, refused=3)


_EVENT = json.dumps(
    {"session_id": "s1", "prompt": "who pays better, zanzibar or carol", "transcript_path": "/none"}
)
CALLS: dict[str, list[Call]] = {
    "init": [Call("init .")],
    "uninit": [Call("uninit", refused=5)],
    "status": [Call("status"), Call("status --json")],
    "reindex": [Call("reindex"), Call("reindex --json")],
    "embed": [Call("embed", code=2, refused=2)],
    "hook": [Call("hook post-commit")],
    "check": [
        Call("check --fail-on never"),
        Call("check --thorough --fail-on never --base HEAD~5"),
        Call("check --fail-on never --format sarif"),
    ],
    "health": [
        Call("health --branch side"),
        reads("health --json"),
        Call("health --prometheus"),
    ],
    "report": [reads("report --html -"), Call("report --html {out}.html --json")],
    "remember": [
        Call("remember -- Zanzibarless --in people/carol", refused=5),
        Call("remember short --id zanzibar-one", code=4, refused=4),
        Call("remember short --path semantic/people/carol/disputed-zanzibar-open.md", code=4, refused=5),
        Call("remember short --supersedes zanzibar-one", refused=3),
        Call("remember short --type episodic", refused=5),
        Call("remember --batch -", input='{"text": "a"}\n{"text": "b", "namespace": "people/x"}', refused=5),
    ],
    "recall": [
        reads("recall zanzibar"),
        reads("recall zanzibar --json --explain --archived --quarantined"),
        reads("recall public tea --archived --as-of HEAD -n 50 --min-relevance 0"),
        reads("recall zanzibar --as-of HEAD~8"),
        reads("recall zanzibar --archived --as-of 2100"),
        reads("recall zanz* --query-syntax --json"),
        reads("recall pays --tag zanzibar-tag"),
        reads("recall zanzibar --branch working"),
        reads("recall zanzibar --branch proposals/zanzibar-idea"),
        reads("recall pays --where zanzibar_field=zanzibar --json"),
        reads("recall when did they come by --type episodic"),
    ],
    "list": [
        reads("list"),
        reads("list --json --quarantined"),
        reads("list --json --as-of HEAD~8"),
        reads("list --in people --json"),
        reads("list --branch archive"),
        reads("list --branch side"),
        reads("list --branch proposals/zanzibar-idea"),
        reads("list --branch working"),
        Call("list --tag zanzibar", code=0),
        reads("list --type episodic"),
    ],
    "show": [
        names("show zanzibar-one"),
        names("show zanz", shows=True, code=3),
        names("show zanzibar-old"),
        names("show zanzibar-one@v1"),
        names("show zanzibar-was@v1"),
        Call("show freed@v1", shows=True),
        names("show zanzibar-hand"),
        names("show zanzibar-day"),
        names("show zanzibar-odd"),
        names("show semantic/odd-zanzibar-odd.md"),
        names("show semantic/people/carol/disputed-zanzibar-open"),
        names("show zanzibar-idea --branch proposals/zanzibar-idea"),
        names("show zanzibar-new --branch quarantine"),
        names("show zanzibar-was --as-of HEAD~10"),
        Call("show freed --json"),
    ],
    "context": [
        reads("context zanzibar"),
        reads("context zanzibar --json"),
        reads("context what does carol pay"),
    ],
    "note": [
        Call("note short --in people/carol", refused=5),
        Call("note short --session zanzibar-session"),
        Call("note short"),
    ],
    "session": [
        Call("session list"),
        reads("session list --json"),
        Call("session start"),
        Call("session end zanzibar-notes --then promote", refused=3),
        Call("session end zanzibar-notes --then archive", refused=3),
    ],
    "consult": [
        reads("consult who pays better"),
        reads("consult how do I find who pays better, and send the reports --json"),
        reads("consult who pays better --in people/carol --json"),
        Call("consult how do I send the reports on Monday"),
    ],
    "reflect": [
        Call("reflect --situation here --mistake wrong --better right"),
        Call("reflect --situation a --mistake b --better c --in people/carol", refused=5),
    ],
    "brief": [reads("brief"), reads("brief --json")],
    "hook-agent": [
        Call("hook-agent claude-code session-start", input=_EVENT),
        Call("hook-agent claude-code prompt-submit", input=_EVENT),
        Call("hook-agent claude-code session-end", input=_EVENT),
    ],
    "install": [Call("install claude-code", refused=5)],
    "uninstall": [Call("uninstall claude-code", refused=5)],
    "scan": [Call("scan", refused=5), Call("scan --history --json", refused=5)],
    "mcp": [Call("mcp --tools")],
    "forget": [
        Call("forget zanzibar-one --yes zanzibar-one", refused=5),
        Call("forget zanzibar-one --dry-run", shows=True, refused=5),
        Call("forget --match zanzibar --dry-run", shows=True, refused=5),
    ],
    "heal": [Call("heal", code=3, refused=5)],
    "tombstones": [Call("tombstones"), Call("tombstones --json")],
    "suggest": [names("suggest archive zanzibar-day"), Call("suggest archive tea")],
    "related": [
        names("related zanzibar-one"),
        names("related zanzibar-old --json"),
        names("related person:zanzibar"),
        # Of links to what may not be read, the bare name is seen that stands in what may be.
        reads("related reports"),
        reads("related reports --json --depth 3"),
        names("related Zanzibar", code=3),
    ],
    "path": [
        names("path tea zanzibar-one", shows=False),
        names("path zanzibar-one reports"),
        names("path reports person:zanzibar"),
        Call("path tea reports --json"),
    ],
    "graph": [
        reads("graph"),
        reads("graph --json --archived"),
        reads("graph --format dot"),
        reads("graph --format mermaid"),
        reads("graph --format graphml"),
        reads("graph --around reports --format dot"),
        reads("graph --in people --format json"),
        reads("graph --branch archive --json"),
        names("graph --around zanzibar-one --format dot"),
    ],
    "entities": [
        reads("entities"),
        reads("entities list --json"),
        names("entities show person:zanzibar"),
        Call("entities suggest --dry-run --json"),
        Call("entities suggest --json"),
    ],
    "update": [names("update zanzibar-day text")],
    "append": [names("append zanzibar-day text")],
    "tag": [names("tag zanzibar-day --add x", shows=True)],
    "rename": [
        names("rename zanzibar-day Other"),
        Call("rename tea --in people/carol", refused=5),
        Call("rename tea --path semantic/people/carol/disputed-zanzibar-open.md", code=4, refused=5),
    ],
    "link": [
        names("link zanzibar-day tea"),
        names("link reports zanzibar-one", shows=False),
        names("link reports zanzibar-one --remove", shows=False, code=3),
    ],
    "attach": [names("attach zanzibar-day {lines}")],
    "commit": [names("commit zanzibar-hand", shows=True), Call("commit", shows=True)],
    "log": [
        reads("log -n 999"),
        reads("log --json -n 999"),
        reads("log --branch archive"),
        reads("log freed --json"),
        names("log zanzibar-one"),
        reads("log --branch proposals/zanzibar-idea --json"),
    ],
    "diff": [
        names("diff zanzibar-one --json"),
        names("diff freed v1 v2"),
        names("diff zanzibar-was@v1", shows=False, code=3),
    ],
    "blame": [names("blame zanzibar-one"), reads("blame freed --json")],
    "revert": [
        names("revert zanzibar-was --to v1", shows=False),
        names("revert freed --to v3", shows=False),
        Call("revert freed --to v1"),
    ],
    "undo": [Call("undo", refused=5), Call("undo --json", refused=5)],
    "why": [
        names("why zanzibar-one"),
        reads("why freed --json"),
        reads("why reports"),
        names("why zanzibar-day"),
    ],
    "confirm": [Call("confirm zanzibar-one", code=5, refused=5)],
    "usage": [Call("usage"), Call("usage --json"), Call("usage share", refused=5)],
    "merge": [Call("merge side", shows=False, refused=5), names("merge :/zanzibar", shows=False)],
    "conflicts": [reads("conflicts"), reads("conflicts --json")],
    "resolve": [names("resolve zanzibar-open --text settled")],
    "merge-driver": [Call("merge-driver a b c d", code=1, refused=1)],
    "propose": [
        names("propose zanzibar-hand", shows=True),
        Call("propose --from side --title t", refused=5),
        Call("propose --batch - --title t", input='{"text": "b", "namespace": "people/x"}', refused=5),
    ],
    "proposals": [reads("proposals"), reads("proposals --json")],
    "review": [
        names("review zanzibar-idea"),
        names("review zanzibar-idea --json"),
        Call("review cake-idea --json"),
    ],
    "accept": [Call("accept zanzibar-idea", refused=5), Call("accept cake-idea", refused=5)],
    "reject": [Call("reject zanzibar-idea --reason no", refused=5)],
    "amend": [Call("amend zanzibar-idea --batch -", input='{"text": "more"}', refused=3)],
    "approve": [Call("approve zanzibar-new", shows=True, refused=5)],
    "clone": [Call("clone . {copy}"), Call("clone . {copy} --json")],
    "sync": [Call("sync origin"), Call("sync origin --json"), Call("sync origin --dry-run --json")],
    "keys": [Call("keys"), Call("keys --json"), Call("keys export {out}", code=3, refused=5)],
    "serve": [Call("serve --stop")],
    "tend": [Call("tend --dry-run", refused=5), Call("tend --json", refused=5)],
    "pin": [names("pin zanzibar-day")],
    "unpin": [names("unpin zanzibar-day", shows=False)],
    "archive": [names("archive zanzibar-day"), names("archive tea zanzibar-day", shows=True)],
    "restore": [names("restore zanzibar-old", shows=True)],
    "import": [
        Call("import folder {import} --in people/carol", refused=5),
        Call("import jsonl {lines}", refused=4),
    ],
    "export": [Call("export {out}"), Call("export {out}.jsonl")],
    "doctor": [Call("doctor", code=0, refused=5), Call("doctor --fix", refused=5)],
}
EVERY = [pytest.param(call, id=call.words) for calls in CALLS.values() for call in calls]


def test_every_verb_is_in_the_matrix() -> None:
    """A verb that nobody has asked what it tells agents has no place in the command."""
    assert list(CALLS) and set(CALLS) == set(VERBS)


@pytest.fixture(autouse=True)
def _nothing_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server for many questions lets all handles of its process keep in common; here it is one command."""
    monkeypatch.setattr("gitmem.flows.reading.kept._shared", None)


class Asker:
    """Runs the command in this process."""

    def __init__(
        self, below: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        self._below = below
        self._monkeypatch = monkeypatch
        self._capfd = capfd

    given = ("zanzibar-day",)
    """What the caller says in the files it hands over."""

    def ask(self, folder: Path, call: Call, who: str) -> tuple[int, str]:
        """The exit code, and all that was printed or written beside the store."""
        beside = self._below / f"beside-{who.partition(':')[2]}"
        beside.mkdir()
        (beside / "import").mkdir()
        (beside / "import/note.md").write_text("A note.\n")
        line = {"path": "semantic/x.md", "raw": "---\nid: zanzibar-day\n---\nx\n"}
        (beside / "lines.jsonl").write_text(json.dumps(line) + "\n")
        named = {"copy": "copy", "import": "import", "lines": "lines.jsonl", "out": "out"}
        words = call.words.format(**{name: str(beside / path) for name, path in named.items()}).split()
        self._monkeypatch.setenv("GITMEM_IDENTITY", who)
        self._monkeypatch.chdir(folder)
        self._monkeypatch.setattr("sys.stdin", _Input(call.input))
        self._capfd.readouterr()
        code = run(words)
        said = "".join(self._capfd.readouterr())
        if words[0] == "export":
            said += "".join(
                f"{file.relative_to(beside)} {file.read_text()}"
                for file in beside.rglob("out*")
                if file.is_file()
            )
            said += "".join(
                f"{file.relative_to(beside)} {file.read_text()}"
                for file in (beside / "out").rglob("*")
                if file.is_file()
            )
        return code, _without(said, [*words, str(folder), *self.given])


class _Input:
    """Standard input that holds a text."""

    def __new__(cls, text: str) -> object:  # type: ignore[misc]
        import io

        return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def _without(said: str, words: list[str]) -> str:
    """What was said, without what the caller said first."""
    for word in {part for each in words for part in (each, each.partition("@")[0])}:
        quoted = re.escape(json.dumps(word, ensure_ascii=False)[1:-1])
        said = re.sub(rf"(?<![\w-]){quoted}(?![\w-])", "", said)
    return said


@pytest.mark.parametrize("call", EVERY)
def test_an_agent_is_told_nothing_of_what_it_may_not_read(
    call: Call, planted: Planted, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The same call by a person, who may, is the proof that there was something to tell."""
    asker = Asker(planted.below, monkeypatch, capfd)
    is_reading = call.words.split()[0] in READING
    folder = planted.shared() if is_reading else planted.copy("asked")
    before = git(folder, "for-each-ref") if call.refused else ""
    code, said = asker.ask(folder, call, "agent:bot")
    assert MARK not in said.casefold(), said
    assert code == call.refused, said
    assert not call.refused or git(folder, "for-each-ref") == before
    code, said = asker.ask(
        folder if is_reading or call.refused else planted.copy("may"), call, "person:alice"
    )
    assert code == call.code, said
    if call.shows:
        assert MARK in said.casefold(), said
