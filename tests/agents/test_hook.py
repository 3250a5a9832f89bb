"""The command that agents call: the documented events in, the documented answer out, and never a failure."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from gitmem.cli.main import main
from gitmem.errors import NotAStore
from gitmem.flows.agents.events import MOST_CONTEXT_BYTES
from gitmem.helper.client import event_seconds
from gitmem.platform import HAS_LOCAL_SOCKETS, FileLock
from gitmem.store import Store
from gitmem.versions.place import find_place
from tests.agents.transcripts import CLAUDE_LINES, CODEX_LINES, write
from tests.commands import COMMAND
from tests.conftest import Ran, git, gitmem
from tests.helper.conftest import helped

EVENTS = Path(__file__).parent / "events"
PATIENT = {"GITMEM_HOOK_SECONDS": "60"}
"""A busy machine changes no answer."""
QUESTION = "Which day of the week are releases cut?"


def event(agent: str, name: str, *, folder: Path, transcript: Path | None = None, prompt: str = "") -> bytes:
    """A recorded event with the places and words of a test."""
    payload: dict[str, Any] = json.loads((EVENTS / agent / f"{name}.json").read_text("utf-8"))
    values = {"TRANSCRIPT": str(transcript) if transcript else None, "FOLDER": str(folder), "PROMPT": prompt}
    return json.dumps({key: values.get(value, value) for key, value in payload.items()}).encode()


def hook(folder: Path, agent: str, name: str, data: bytes, *options: str, **env: str) -> Ran:
    """The command in a process of its own."""
    return gitmem(folder, "hook-agent", agent, name, *options, input=data, env={**PATIENT, **env})


def quick(folder: Path, agent: str, name: str, data: bytes, *options: str) -> Ran:
    """The same in a child of this process, which has loaded gitmem already: cheaper by far."""
    if not hasattr(os, "fork"):
        return hook(folder, agent, name, data, *options)
    files = [tempfile.TemporaryFile() for _ in range(3)]  # noqa: SIM115
    files[0].write(data)
    files[0].seek(0)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(PATIENT)
        for number, file in enumerate(files):
            os.dup2(file.fileno(), number)
        for stream in ("stdin", "stdout", "stderr"):
            number = ("stdin", "stdout", "stderr").index(stream)
            setattr(sys, stream, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115
        main(["hook-agent", agent, name, *options])
        os._exit(99)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out, err = (os.pread(file.fileno(), 1 << 20, 0).decode() for file in files[1:])
    for file in files:
        file.close()
    return Ran(code, out, err)


@pytest.fixture
def code(store: Store, folder: Path, tmp_path: Path) -> Path:
    """A project with a second worktree, whose memories are kept beside it."""
    store.remember("Releases are cut on Tuesdays, on no other day of the week", id="releases")
    project = tmp_path / "code"
    git(tmp_path, "init", "-q", "code")
    git(project, "commit", "-q", "--allow-empty", "-m", "begin")
    git(project, "worktree", "add", "-q", "../code-fix")
    git(project, "config", "gitmem.store", "../mem")
    return project


def context_of(ran: Ran, name: str) -> str:
    """The text that the agent takes; nothing else stands on standard output."""
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json) == ["hookSpecificOutput"]
    output = ran.json["hookSpecificOutput"]
    assert sorted(output) == ["additionalContext", "hookEventName"] and output["hookEventName"] == name
    text: str = output["additionalContext"]
    assert text.startswith("<memories at=") and text.rstrip().endswith("</memories>")
    assert "not an instruction" in text
    return text


@pytest.mark.parametrize(("agent", "lines"), [("claude-code", CLAUDE_LINES), ("codex", CODEX_LINES)])
def test_a_session_from_its_beginning_to_its_end(
    agent: str, lines: list[dict[str, Any]], code: Path, store: Store, tmp_path: Path
) -> None:
    """The brief, what answers the prompt, silence where nothing does, and one memory of the session."""
    worktree = tmp_path / "code-fix"
    transcript = write(tmp_path / "t.jsonl", lines[:4])

    def at(name: str, prompt: str = "") -> Ran:
        data = event(agent, name, folder=worktree, transcript=transcript, prompt=prompt)
        return quick(worktree, agent, name, data)

    assert "Releases are cut on Tuesdays" in context_of(at("session-start"), "SessionStart")
    assert "[releases " in context_of(at("prompt-submit", QUESTION), "UserPromptSubmit")
    assert at("prompt-submit", "paint the fence green and the gate blue") == Ran(0, "", "")
    assert at("prompt-submit", "continue") == Ran(0, "", "")
    assert at("pre-compact") == Ran(0, "", "")
    write(transcript, lines)
    assert at("session-end") == Ran(0, "", "")
    saved = store.list(Store.where(agent=agent)).records
    assert [record.type for record in saved] == ["episodic"]


def test_what_goes_wrong_stops_no_agent(code: Path, folder: Path, tmp_path: Path) -> None:
    """Exit code 0, nothing on standard output, one line on standard error; whatever is wrong."""
    prompt = event("claude-code", "prompt-submit", folder=code, prompt=QUESTION)
    missing = event("claude-code", "session-end", folder=code, transcript=tmp_path / "none.jsonl")
    outside = tmp_path / "outside"
    outside.mkdir()
    git(tmp_path, "init", "-q", "unborn")
    unborn = tmp_path / "unborn"
    cases = {
        "no JSON": quick(code, "claude-code", "prompt-submit", b"{"),
        "no object": quick(code, "claude-code", "prompt-submit", b"[]"),
        "another agent": quick(code, "emacs", "prompt-submit", prompt),
        "another event": quick(code, "codex", "stop", prompt),
        "a wrong option": quick(code, "codex", "stop", prompt, "--frob"),
        "no transcript": quick(code, "claude-code", "session-end", missing),
        "no store": quick(outside, "claude-code", "prompt-submit", b"{}"),
        "a repository without a commit": quick(unborn, "claude-code", "session-start", b"{}"),
    }
    head = folder / ".git" / "HEAD"
    head.write_text("nonsense", "utf-8")
    cases["a damaged store"] = quick(code, "claude-code", "session-start", prompt)
    shutil.rmtree(folder)
    cases["a store that is gone"] = quick(code, "claude-code", "session-start", prompt)
    for what, ran in cases.items():
        assert (ran.code, ran.out) == (0, ""), what
        assert ran.err.startswith("gitmem: ") and ran.err.count("\n") == 1, (what, ran.err)


def test_an_agent_waits_no_longer_than_it_has_to(code: Path, store: Store, tmp_path: Path) -> None:
    """Input that does not end, and a store that somebody else is writing: the time is up, and all goes on."""
    short = {"GITMEM_HOOK_SECONDS": "0.3"}
    command = [*COMMAND, "hook-agent", "claude-code", "prompt-submit"]
    source = str(Path(__file__).parents[2])
    with subprocess.Popen(
        command,
        cwd=code,
        env={**os.environ, "PYTHONPATH": source, **short},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b'{"prompt": ')
        process.stdin.flush()
        assert process.wait() == 0
        assert process.stdout.read() == b"" and b"not done within 0.3 seconds" in process.stderr.read()
    before = store.commit
    transcript = write(tmp_path / "t.jsonl", CLAUDE_LINES)
    data = event("claude-code", "session-end", folder=code, transcript=transcript)
    with FileLock(store.place.home / "write.guard", timeout_seconds=0) as guard:
        assert guard.acquired
        ran = hook(code, "claude-code", "session-end", data, **short)
    assert (ran.code, ran.out) == (0, "") and "not done within" in ran.err
    assert store.commit == before


@pytest.mark.skipif(not HAS_LOCAL_SOCKETS, reason="no helper here")
def test_a_helper_answers_the_same(code: Path, folder: Path, tmp_path: Path) -> None:
    """From any worktree of the project, and what it saves is saved once."""
    worktree = tmp_path / "code-fix"
    prompt = event("claude-code", "prompt-submit", folder=worktree, prompt=QUESTION)
    end = event(
        "claude-code", "session-end", folder=code, transcript=write(tmp_path / "t.jsonl", CLAUDE_LINES)
    )
    alone = hook(worktree, "claude-code", "prompt-submit", prompt, GITMEM_SERVE="off")
    with helped(folder) as serving:
        assert hook(worktree, "claude-code", "prompt-submit", prompt) == alone
        assert hook(worktree, "claude-code", "session-end", end, "--json").json["saved"]["outcome"] == "new"
        assert hook(worktree, "claude-code", "session-end", end, "--json").json["saved"]["outcome"] == "same"
        wrong = hook(worktree, "claude-code", "prompt-submit", b"{")
        assert (wrong.code, wrong.out) == (0, "") and "not JSON" in wrong.err
        assert "answered 4, left 0" in serving.stop()


def test_the_beginning_of_a_session_is_bounded(store: Store) -> None:
    """What a host would cut anywhere is cut at the end of a line, and says so."""
    facts = [
        {"text": f"Fact {number}", "title": f"Fact {number} " + "长" * 80, "in": f"area{number % 12}"}
        for number in range(150)
    ]
    store.remember_jsonl("\n".join(map(json.dumps, facts)))
    text = store.as_agent().answer_event("codex", "session-start", {}).context
    assert len(text.encode()) <= MOST_CONTEXT_BYTES
    assert text.rstrip().endswith("`gitmem recall` finds what is asked for\n</memories>")


def test_the_beginning_of_a_session_is_kept_until_main_moves(store: Store) -> None:
    """The brief of the git directory is given while it shows what main is, and made anew after that."""
    store.remember("Herons wait")

    def given() -> str:
        return store.as_agent().answer_event("codex", "session-start", {}).context

    first = given()
    kept = store.place.home / "brief.md"
    kept.write_text(kept.read_text("utf-8") + "- kept as it was\n", "utf-8")
    assert "kept as it was" in given()
    store.remember("Kestrels hover")
    assert "Kestrels hover" in given() and "kept as it was" not in given()
    kept.write_text("nonsense\n" * 9, "utf-8")
    assert "Kestrels hover" in given()
    assert "Kestrels" not in first


def test_the_setting_names_a_store_and_nothing_else(code: Path, folder: Path, tmp_path: Path) -> None:
    """A store is itself whatever the setting says; one that names no store is refused by its name."""
    assert find_place(tmp_path / "code-fix").repository.worktree == folder
    git(folder, "config", "gitmem.store", str(code))
    assert find_place(folder).repository.worktree == folder
    assert gitmem(tmp_path / "code-fix", "doctor").out == "all is well\n"
    for wrong in ("../nowhere", ".", str(tmp_path)):
        git(code, "config", "gitmem.store", wrong)
        with pytest.raises(NotAStore, match=r"gitmem\.store"):
            find_place(code)


def test_one_store_for_all_projects_keeps_nobody_from_making_another(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The setting of a user counts in each repository that is no store; init makes that one a store."""
    git(folder, "config", "--global", "gitmem.store", str(folder))
    project = tmp_path / "project"
    git(tmp_path, "init", "-q", "project")
    assert find_place(project).repository.worktree == folder
    assert Store.init(project).place.repository.worktree == project
    assert find_place(project).repository.worktree == project


@pytest.mark.parametrize(
    ("said", "seconds"), [("0.5", 0.5), ("0", 0.01), ("nan", 2), ("soon", 2), ("1e9", 600)]
)
def test_the_time_for_a_hook_is_bounded(said: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the variable says, a hook ends."""
    monkeypatch.setenv("GITMEM_HOOK_SECONDS", said)
    assert event_seconds() == seconds


def test_the_policy_binds_the_hook(store: Store, folder: Path, tmp_path: Path) -> None:
    """An agent under review can only propose, also where its hook writes; so can one that nothing names."""
    config = folder / ".gitmem" / "config.toml"
    for name in ("claude-code", "unattended"):
        rule = f'\n[identities."{name}"]\nreview = "required"\n'
        text = config.read_text("utf-8")
        config.write_text(text + rule, "utf-8")
        git(folder, "commit", "-qam", "policy")
        main = git(folder, "rev-parse", "main")
        again = Store.open(folder).as_agent("claude-code")
        transcript = write(tmp_path / f"{name}.jsonl", CLAUDE_LINES)
        payload = {"session_id": name, "transcript_path": str(transcript)}
        saved = again.answer_event("claude-code", "session-end", payload).saved
        assert saved is not None and saved.outcome == "new"
        assert git(folder, "rev-parse", "main") == main
        config.write_text(text, "utf-8")
    assert "proposals/" in git(folder, "branch", "--list", "proposals/*")


def test_a_hook_loads_no_index_where_a_helper_answers() -> None:
    """Before the helper is asked, nothing of the standard library is imported that Python has not."""
    program = (
        "import sys; before = set(sys.modules); import gitmem.cli.main, gitmem.cli.failing_open; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    loaded = done.stdout.split()
    assert {name.split(".")[0] for name in loaded} == {"gitmem", "gc", "__future__"}, loaded


def test_notes_of_an_agent_get_its_session_and_end_with_it(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Its commands are told the session; what they note is settled when it ends; resumed, it goes on."""
    variables = tmp_path / "variables"
    start = json.dumps({"session_id": "s-9a", "source": "startup"}).encode()
    assert hook(folder, "claude-code", "session-start", start, CLAUDE_ENV_FILE=str(variables)).code == 0
    assert variables.read_text() == "export GITMEM_SESSION=s-9a\n"
    assert not store.place.tip("working"), "a session without notes leaves nothing"
    store.note("Decision: keep it.", session="s-9a", importance=0.9)
    end = hook(folder, "claude-code", "session-end", start)
    assert (end.code, end.out) == (0, "")
    assert [record.title for record in store.list().records] == ["Decision: keep it."]
    (session,) = store.sessions().sessions
    assert session.ended is not None
    hook(folder, "claude-code", "session-start", start, GITMEM_SESSION="mine", CLAUDE_ENV_FILE=str(variables))
    assert variables.read_text().count("\n") == 1, "what a person named counts"
    (session,) = store.sessions().sessions
    assert session.ended is None


@pytest.mark.parametrize("session", ["a; rm -rf x", "$(x)", "", 7, None])
def test_no_session_that_a_shell_would_read_is_named_to_it(
    store: Store, folder: Path, tmp_path: Path, session: object
) -> None:
    variables = tmp_path / "variables"
    data = json.dumps({"session_id": session}).encode()
    assert hook(folder, "claude-code", "session-start", data, CLAUDE_ENV_FILE=str(variables)).code == 0
    assert not variables.exists()


def test_a_file_of_variables_that_cannot_be_written_takes_no_brief_away(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    store.remember("Releases are cut on Tuesdays.", importance=0.9)
    data = json.dumps({"session_id": "s-1"}).encode()
    ran = hook(folder, "claude-code", "session-start", data, CLAUDE_ENV_FILE=str(tmp_path / "no/such"))
    assert ran.code == 0 and "Releases are cut" in ran.out
    assert "the notes of the session: CLAUDE_ENV_FILE" in ran.err
