"""Sessions as memories: one each, however often and from wherever they are saved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.errors import BadInput
from gitmem.store import Store
from tests.agents.transcripts import (
    CLAUDE_LINES,
    CLAUDE_SESSION,
    CODEX_LINES,
    CODEX_SESSION,
    Line,
    answered,
    said,
    write,
)
from tests.conftest import assert_sound, git


def save(store: Store, transcript: Path, event: str = "session-end", agent: str = "claude-code") -> str:
    """What became of the session at an event."""
    payload = {"session_id": CLAUDE_SESSION, "transcript_path": str(transcript), "cwd": "/src/harbor"}
    saved = store.as_agent(agent).answer_event(agent, event, payload).saved
    assert saved is not None
    return saved.outcome


def episodes(store: Store) -> list[str]:
    return [record.title for record in store.list(Store.where(type="episodic")).records]


def test_a_session_is_one_memory_that_follows_it(store: Store, folder: Path, tmp_path: Path) -> None:
    """Saved before it is compacted and at its end: a second version, not a second memory."""
    transcript = write(tmp_path / "home" / "t.jsonl", CLAUDE_LINES[:5])
    assert save(store, transcript, "pre-compact") == "new"
    assert save(store, transcript) == "same"
    write(transcript, CLAUDE_LINES)
    assert save(store, transcript) == "changed"
    assert episodes(store) == ["The night job is slow. Find out why."]
    memory = store.show(store.list().records[0].id).memory
    assert (memory.session, memory.agent) == (CLAUDE_SESSION, "claude-code")
    assert memory.created == "2026-11-28T09:15:00Z"
    assert memory.entities == ("project:harbor",)
    assert memory.source == transcript.as_posix()
    assert "a flood of lines" not in memory.body and "Add a test" in memory.body
    assert "Agent: claude-code" in git(folder, "log", "-1", "--format=%B")
    assert_sound(folder)


def test_what_a_person_made_of_it_stays(store: Store, tmp_path: Path) -> None:
    """An edit of the text is not written over, an archived session is not written again."""
    transcript = write(tmp_path / "t.jsonl", CLAUDE_LINES[:5])
    save(store, transcript)
    memory_id = store.list().records[0].id
    store.append(memory_id, "It was the index, says Dana.")
    write(transcript, CLAUDE_LINES)
    assert save(store, transcript) == "kept"
    assert "says Dana" in store.show(memory_id).memory.body
    store.archive([memory_id])
    assert save(store, transcript) == "gone"
    assert episodes(store) == []


def test_a_session_that_was_deleted_by_hand_does_not_come_back(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Plain git took it out: it stays out for the rest of the session."""
    store.remember("something else")
    transcript = write(tmp_path / "t.jsonl", CLAUDE_LINES)
    save(store, transcript)
    git(folder, "rm", "-q", "-r", "episodic")
    git(folder, "commit", "-q", "-m", "not this")
    assert save(store, transcript) == "gone"


def test_strange_text_is_saved_as_far_as_it_can_be(store: Store, tmp_path: Path) -> None:
    """Half a character, control characters, a folder of another system; nothing of it stops the save."""
    lines = [
        said("\ud800 修复\x1b[31m 日期\x00 解析", cwd="C:\\work\\har\nbor"),
        answered("已修复。" * 400, "C:\\work\\har\nbor\\日期.py"),
    ]
    assert save(store, write(tmp_path / "t.jsonl", lines)) == "new"
    memory = store.show(store.list().records[0].id).memory
    assert "修复" in memory.title and memory.entities == ("project:har bor",)
    assert "`日期.py`" in memory.body and "\x1b" not in memory.body


def test_a_session_without_a_word_is_not_saved(store: Store, tmp_path: Path) -> None:
    """Neither one in which nobody asked for anything, nor a side chain."""
    empty = write(tmp_path / "e.jsonl", CLAUDE_LINES[:3])
    assert save(store, empty) == "skipped"
    side = write(tmp_path / "s.jsonl", [said("look", isSidechain=True)])
    assert save(store, side) == "skipped"
    payload = {"session_id": "x", "agent_id": "helper-1", "transcript_path": str(empty)}
    saved = store.answer_event("codex", "session-end", payload).saved
    assert saved is not None and saved.reason == "a side chain"
    assert episodes(store) == []


def test_import_takes_what_claude_code_keeps_and_doubles_nothing(
    store: Store, folder: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    """Notes as they are, an episode for each session, also of another worktree; again: nothing new."""
    code = tmp_path / "harbor"
    git(tmp_path, "init", "-q", "harbor")
    git(code, "commit", "-q", "--allow-empty", "-m", "begin")
    git(code, "worktree", "add", "-q", "../harbor-fix")
    (code / "CLAUDE.md").write_text("# Rules of harbor\n\nRun make check first.\n", encoding="utf-8")
    projects = sealed_environment / ".claude" / "projects"

    def kept_for(place: Path) -> Path:
        return projects / "".join(c if c.isascii() and c.isalnum() else "-" for c in str(place))

    own = kept_for(code)
    write(own / "a.jsonl", [{**line, "cwd": str(code)} for line in CLAUDE_LINES])
    fix = [said("Mend the fence", sessionId="s-2", cwd=str(tmp_path / "harbor-fix"))]
    write(kept_for(tmp_path / "harbor-fix") / "b.jsonl", fix)
    elsewhere = [said("Not this one", sessionId="s-3", cwd=str(tmp_path / "harbor-master"))]
    write(kept_for(tmp_path / "harbor-master") / "c.jsonl", elsewhere)
    (own / "memory").mkdir()
    (own / "memory" / "ports.md").write_text("---\nname: ports\n---\nThe API listens on 8081.\n", "utf-8")
    (own / "memory" / "MEMORY.md").write_text("- ports.md\n", "utf-8")
    save(store, own / "a.jsonl")

    imported = store.import_agent("claude-code", code)
    assert imported.counts == {"new": 3, "same": 1, "skipped": 1}, imported.files
    assert store.import_agent("claude-code", tmp_path / "harbor-fix").counts == {"same": 4, "skipped": 1}
    assert sorted(episodes(store)) == ["Mend the fence", "The night job is slow. Find out why."]
    found = store.recall("which port does the API listen on?").hits
    assert found[0].hit.record.path == "semantic/claude-code/harbor/ports.md"
    longer = [*fix, answered("The fence stands.", sessionId="s-2")]
    write(kept_for(tmp_path / "harbor-fix") / "b.jsonl", longer)
    assert store.import_agent("claude-code", code).counts["changed"] == 1
    assert_sound(folder)


def test_import_takes_sessions_of_codex(store: Store, tmp_path: Path, sealed_environment: Path) -> None:
    """Those of the project, from the tree of days."""
    code = tmp_path / "harbor"
    code.mkdir()
    (code / "AGENTS.md").write_text("Run make check first.\n", encoding="utf-8")
    lines = [{**CODEX_LINES[0], "payload": {"id": CODEX_SESSION, "cwd": str(code)}}, *CODEX_LINES[1:]]
    days = sealed_environment / ".codex" / "sessions" / "2026" / "11"
    write(days / "28" / f"rollout-2026-11-28T09-15-00-{CODEX_SESSION}.jsonl", lines)
    write(days / "27" / "rollout-2026-11-27T09-15-00-other.jsonl", CODEX_LINES)
    assert store.import_agent("codex", code).counts == {"new": 2}
    assert store.import_agent("codex", code).counts == {"same": 2}
    assert episodes(store) == ["Rename the flag --fast to --quick"]
    with pytest.raises(BadInput, match="--project"):
        store.import_agent("codex", tmp_path / "nowhere")


def test_an_import_of_sessions_ends_and_one_of_them_holds_up_no_other(
    store: Store, folder: Path, tmp_path: Path, sealed_environment: Path
) -> None:
    """A copy of a transcript, what is redacted and what is refused: a second run writes and claims nothing."""
    code = tmp_path / "harbor"
    code.mkdir()
    kept = sealed_environment / ".codex" / "sessions"

    def session(name: str, *prompts: str, file: str = "") -> None:
        lines: list[Line] = [{"type": "session_meta", "payload": {"id": name, "cwd": str(code)}}]
        lines += [
            {"type": "event_msg", "payload": {"type": "user_message", "message": prompt}}
            for prompt in prompts
        ]
        write(kept / f"rollout-{file or name}.jsonl", lines)

    session("s1", "Mend the fence", "And paint it", file="b")
    session("s1", "Mend the fence", file="a")
    session("s1", "Mend the fence", file="c")
    session("s2", "Write to mara@example.org about it")
    session("s3", "Deploy it, password = hX9kq2LmP0zz81Qw")
    imported = store.import_agent("codex", code)
    assert imported.counts == {"new": 2, "same": 2, "skipped": 1}, imported.files
    assert list(imported.reasons.values()) == ["it holds a secret"]
    assert "paint it" in store.show(store.recall("fence").hits[0].hit.record.id).memory.body
    head = git(folder, "rev-parse", "HEAD")
    assert store.import_agent("codex", code).counts == {"same": 4, "skipped": 1}
    assert git(folder, "rev-parse", "HEAD") == head


def test_import_leaves_out_a_session_that_was_forgotten(
    store: Store, tmp_path: Path, sealed_environment: Path
) -> None:
    """It would come back with every import; the others come in."""
    code = tmp_path / "harbor"
    code.mkdir()
    day = sealed_environment / ".codex" / "sessions" / "2026" / "11" / "28"

    def session(name: str, text: str) -> None:
        head: Line = {"type": "session_meta", "payload": {"id": name, "cwd": str(code)}}
        asked: Line = {"type": "event_msg", "payload": {"type": "user_message", "message": text}}
        write(day / f"rollout-2026-11-28T09-15-00-{name}.jsonl", [head, asked])

    session("s1", "Bob keeps his key below the third stone of the garden path")
    store.import_agent("codex", code)
    store.forget([store.recall("garden path").hits[0].hit.record.id])
    session("s2", "Mend the fence")
    imported = store.import_agent("codex", code)
    assert imported.counts == {"new": 1, "skipped": 1}, imported.reasons
    assert "was forgotten on" in next(iter(imported.reasons.values()))


def test_what_only_looks_like_a_transcript_holds_up_no_import(
    store: Store, tmp_path: Path, sealed_environment: Path
) -> None:
    """A pipe is not waited for; a session that names no folder is counted, and named if it says anything."""
    code = tmp_path / "harbor"
    code.mkdir()
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(code))
    own = sealed_environment / ".claude" / "projects" / name
    write(own / "a.jsonl", [said("Mend the fence", cwd=str(code))])
    write(own / "b.jsonl", [{**said("Paint the fence"), "cwd": None}])
    (own / "c.jsonl").write_bytes("not a transcript".encode("utf-16"))
    os.mkfifo(own / "d.jsonl")
    imported = store.import_agent("claude-code", code)
    assert imported.counts == {"new": 1, "skipped": 3}
    assert [why for _, _, why in imported.told] == [
        "it names no folder, so it may be of another project",
        "cannot be read: not a regular file",
    ]
