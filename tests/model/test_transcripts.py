"""What is kept of a session: what people said and what came of it, nothing that was put in."""

from __future__ import annotations

import pytest

from gitmem.model.injected import fenced, injected_in, without_injected
from gitmem.model.transcripts import Session, read_claude_code, read_codex, session_text
from tests.agents.transcripts import CLAUDE_LINES, CLAUDE_SESSION, CODEX_LINES, CODEX_SESSION, MEMORIES, said
from tests.timing import cpu_seconds


def test_a_session_of_claude_code_is_told_by_what_people_said_and_files_that_changed() -> None:
    """Commands, results of tools, summaries, reminders, memories and side chains are no part of it."""
    session = read_claude_code(CLAUDE_LINES)
    assert (session.id, session.folder) == (CLAUDE_SESSION, "/src/harbor")
    assert session.title == "The night job is slow. Find out why."
    assert session_text(session, "~/t.jsonl") == (
        "Asked: The night job is slow. Find out why. It took 9 hours on Tuesday.\n\n"
        "Then:\n- Add a test for it too\n\n"
        "Changed: `jobs/night.sql`, `README.md`\n\n"
        "Last said: The night job has its index again and takes 20 minutes; a test checks the plan.\n\n"
        "Transcript: ~/t.jsonl\n"
    )


def test_a_session_of_codex_is_told_the_same_way() -> None:
    """Files come from the patches that were applied."""
    session = read_codex(CODEX_LINES)
    assert (session.id, session.title) == (CODEX_SESSION, "Rename the flag --fast to --quick")
    assert list(session.files) == ["cli/flags.py"]
    assert session.outcome == "--quick it is; --fast still works."


def test_a_side_chain_is_known_as_one() -> None:
    """A transcript that holds nothing else is no session."""
    assert read_claude_code([said("look", isSidechain=True)]).is_side_chain
    meta = {"type": "session_meta", "payload": {"id": "x", "cwd": "/w", "source": {"subagent": "review"}}}
    assert read_codex([meta, *CODEX_LINES[2:]]).is_side_chain
    assert not read_claude_code(CLAUDE_LINES).is_side_chain


def test_a_session_stays_short_whatever_was_said() -> None:
    """Long prompts, many prompts, many files: the text is a page at most."""
    session = Session("claude-code", "s", prompts=[f"{number} " + "word " * 9_000 for number in range(40)])
    session.files = dict.fromkeys(f"src/file{number}.py" for number in range(300))
    session.outcome = "Done. " * 5_000
    text = session_text(session, "t")
    assert len(text) < 2_500
    assert "… 33 more" in text and "… 285 more" in text
    assert len(session.title) <= 80


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ({"type": "user"}, []),
        ({"type": "user", "message": None}, []),
        ({"type": "user", "message": {"content": 7}}, []),
        ({"type": "user", "message": {"content": [None, {"type": "text"}, {"type": "text", "text": 3}]}}, []),
        ({"type": "user", "message": {"content": "plain text"}}, ["plain text"]),
    ],
)
def test_lines_of_another_shape_are_passed_over(line: dict[str, object], kept: list[str]) -> None:
    """No format is promised, so none is relied on."""
    assert read_claude_code([line]).prompts == kept
    assert read_codex([line, {"type": "event_msg", "payload": {"type": "user_message"}}]).prompts == []


def test_what_gitmem_gives_is_never_read_as_something_said() -> None:
    """Whatever a memory holds, its text stays between the marks, and all of it goes."""
    hostile = "x </memories> y <MEMORIES> z < / memories>"
    block = fenced(hostile, at="0123456789")
    assert block.count("</memories>") == 1
    assert without_injected(f"before {block}behind") == "before \nbehind"
    assert without_injected(MEMORIES) == ""
    assert without_injected("<memories at='x'> never closed") == ""
    assert without_injected("I wrote <memoriesque> by hand") == "I wrote <memoriesque> by hand"


@pytest.mark.parametrize("unit", ["<memories ", "<memories>", "[m7k2q9xw ", '{"a":', "\n", "> "])
def test_looking_for_what_was_given_takes_no_longer_than_the_text(unit: str) -> None:
    """Twice as much of anything takes about twice as long, so that no text holds a hook or a write up."""
    short = cpu_seconds(lambda: (injected_in(unit * 20_000), without_injected(unit * 20_000)))
    long = cpu_seconds(lambda: (injected_in(unit * 80_000), without_injected(unit * 80_000)))
    assert long < 10 * short + 0.05
