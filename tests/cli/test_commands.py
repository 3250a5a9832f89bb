"""The command: text for people, JSON for programs, one line and a fixed code for what goes wrong."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.conftest import assert_sound, git, gitmem
from tests.helper.conftest import helped


@pytest.fixture
def place(person: None, tmp_path: Path) -> Iterator[Path]:
    """A store made by the command itself. With `WITH_HELPER=1` a helper answers what it can."""
    done = gitmem(tmp_path, "init", "mem")
    assert done.code == 0, done.err
    with helped(tmp_path / "mem") if os.environ.get("WITH_HELPER") else nullcontext():
        yield tmp_path / "mem"


def test_a_first_session(place: Path) -> None:
    written = gitmem(
        place, "remember", "Alice wants reports by e-mail", "--in", "people/alice", "--json"
    ).json
    assert set(written) >= {"id", "path", "version"}
    answer = gitmem(place, "recall", "how does Alice want her reports?", "--json").json
    assert [hit["id"] for hit in answer["results"]] == [written["id"]]
    shown = gitmem(place, "show", written["id"], "--json").json
    assert shown["body"] == "Alice wants reports by e-mail\n"
    assert shown["version"] == written["version"]
    assert gitmem(place, "list", "--json").json["total"] == 1
    assert gitmem(place, "log", written["id"], "--json").json["entries"][0]["number"] == 1
    assert gitmem(place, "check").code == 0
    assert gitmem(place, "status", "--json").json["memories"] == 1
    assert_sound(place)


def test_each_result_stands_on_a_line_of_its_own(place: Path) -> None:
    for number in range(3):
        gitmem(place, "remember", f"kestrel {number}", "--id", f"k{number}")
    out = gitmem(place, "recall", "kestrel", "--json").out
    assert sum('"id"' in line for line in out.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "code", "names"),
    [
        (["remember", "x", "--type", "fact"], 2, "--type"),
        (["remember", "x", "--importance", "7"], 2, "--importance"),
        (["remember", "x", "--importance", "much"], 2, "--importance"),
        (["remember", "x", "--valid-from", "soon"], 2, "--valid-from"),
        (["remember", "x", "--field", "novalue"], 2, "--field"),
        (["remember", "x", "--field", "id=1"], 2, "--field"),
        (["remember", "x", "--id", "a b"], 2, "id"),
        (["remember", "x", "--path", "../x.md"], 2, "--path"),
        (["remember", "x", "--in", "../x"], 2, "--in"),
        (["remember", "x", "--tag", ""], 2, "--tag"),
        (["remember"], 2, "TEXT"),
        (["remember", "-"], 2, "empty"),
        (["remember", "--batch", "nosuch.jsonl"], 2, "nosuch.jsonl"),
        (["remember", "x", "--batch", "-"], 2, "--batch"),
        (["recall"], 2, "QUERY"),
        (["recall", "x", "--limit", "-1"], 2, "--limit"),
        (["recall", "x", "--since", "someday"], 2, "--since"),
        (["recall", "x", "--where", "novalue"], 2, "--where"),
        (["recall", "x", "--status", "gone"], 2, "--status"),
        (["show", "nosuch"], 3, "nosuch"),
        (["log", "nosuch"], 3, "nosuch"),
        (["show", ""], 2, "id"),
        (["list", "--branch", "nosuch"], 3, "nosuch"),
        (["frobnicate"], 2, "frobnicate"),
        (["list", "--frob"], 2, "--frob"),
        (["hook", "pre-push"], 2, "pre-push"),
        (["-C", "nosuch", "list"], 7, "nosuch"),
        (["update", "x", "--field", "importance=0.5"], 2, "--importance"),
        (["rename", "x", "  "], 2, "the title is empty"),
        (["export", ""], 2, "TARGET"),
        (["import", "folder", ""], 2, "PATH"),
    ],
)
def test_bad_input_gets_one_line_and_its_code(
    place: Path, arguments: list[str], code: int, names: str
) -> None:
    head = git(place, "rev-parse", "HEAD")
    done = gitmem(place, *arguments)
    assert done.code == code, done
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1, done.err
    assert names in done.err
    with_json = gitmem(place, *arguments, "--json")
    assert with_json.code == code
    assert with_json.json["error"]["exit_code"] == code
    assert git(place, "rev-parse", "HEAD") == head
    assert git(place, "status", "--porcelain") == ""


def test_a_batch_names_file_and_line(place: Path) -> None:
    (place.parent / "b.jsonl").write_text('{"text": "good"}\n{"text": 3}\n')
    done = gitmem(place, "remember", "--batch", "../b.jsonl")
    assert (done.code, "b.jsonl:2" in done.err) == (2, True)
    for line in (
        "[1]",
        "{",
        '{"text": "x", "colour": "red"}',
        '{"text": NaN}',
        '{"text": "x", "fields": []}',
    ):
        done = gitmem(place, "remember", "--batch", "-", input=line.encode())
        assert (done.code, "standard input:1" in done.err) == (2, True), line
    assert git(place, "rev-list", "--count", "HEAD").strip() == "1"


def test_a_batch_keeps_every_field(place: Path) -> None:
    line = {"text": "hello", "type": "episodic", "in": "conv-1", "tags": ["a"], "created": "2023-05-08T13:56:00Z",
            "session": "s1", "fields": {"speaker": "Caroline", "turn": 3}, "id": "D1-1"}  # fmt: skip
    done = gitmem(place, "remember", "--batch", "-", "--json", input=(json.dumps(line) + "\n\n").encode())
    assert done.json["count"] == 1
    shown = gitmem(place, "show", "D1-1", "--json").json
    assert shown["fields"] == {"speaker": "Caroline", "turn": 3}
    assert shown["path"] == "episodic/conv-1/2023/05/08/1356-hello-D1-1.md"
    assert gitmem(place, "list", "--where", "speaker=caroline", "--json").json["total"] == 1


def test_a_query_may_begin_with_a_dash_behind_two_dashes(place: Path) -> None:
    gitmem(place, "remember", "run it with --dry-run -x", "--id", "flags")
    for query in ("--dry-run", "-x"):
        assert gitmem(place, "recall", "--json", "--", query).json["results"][0]["id"] == "flags"
        assert gitmem(place, "recall", "--", query, "--json").json["results"][0]["id"] == "flags"


def test_nothing_found_is_no_failure_unless_asked_for(place: Path) -> None:
    assert gitmem(place, "recall", "nothing").code == 0
    assert gitmem(place, "recall", "nothing", "--fail-empty").code == 1
    assert gitmem(place, "recall", "nothing", "--json").json["results"] == []


def test_standard_input_is_read_only_where_asked_for(place: Path) -> None:
    assert gitmem(place, "remember", "-", input="von außen\n".encode()).code == 0
    assert gitmem(place, "recall", "außen", "--json").json["total"] == 1
    done = gitmem(place, "remember", "-", input=b"\xff\xfe")
    assert (done.code, "not UTF-8" in done.err) == (2, True)
    for empty in (b"", b"   \n"):
        assert gitmem(place, "remember", "-", input=empty).code == 2


def test_the_store_is_named_by_option_then_variable_then_folder(place: Path) -> None:
    outside = place.parent
    assert gitmem(outside, "-C", "mem", "list").code == 0
    assert gitmem(outside, "list", "-C", "mem").code == 0
    assert gitmem(outside, "list", env={"GITMEM_STORE": str(place)}).code == 0
    assert gitmem(place / ".gitmem", "list").code == 0
    done = gitmem(outside, "list")
    assert (done.code, len(done.err.splitlines())) == (7, 1)


def test_alone_it_says_where_it_stands_and_what_to_try(place: Path) -> None:
    assert "Try:" in gitmem(place).out
    assert "gitmem init" in gitmem(place.parent).out
    assert gitmem(place, "--version").out.startswith("gitmem ")


def test_json_is_pure_whatever_the_environment_says(place: Path) -> None:
    gitmem(place, "remember", "--id", "col", "plain finch")
    for key, value in (("color.ui", "always"), ("log.showSignature", "true"), ("diff.noprefix", "true"),
                       ("log.date", "relative"), ("core.quotePath", "true"), ("core.pager", "less -R")):  # fmt: skip
        git(place, "config", "--global", key, value)
    loud = {"LANGUAGE": "de", "LC_ALL": "de_DE.UTF-8", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}
    for arguments in (
        "recall finch",
        "log col",
        "status",
        "recall nosuchword",
        "show nosuchid",
        "check",
        "list",
    ):
        done = gitmem(place, *arguments.split(), "--json", env=loud)
        assert done.json
        assert "\x1b" not in done.out
    assert "\x1b" not in gitmem(place, "recall", "finch", env=loud).out


def test_hooks_bring_the_index_up_to_date_and_never_fail(place: Path) -> None:
    assert gitmem(place, "hook", "post-commit").code == 0
    (place / ".git" / "gitmem" / "index").rename(place / "aside")
    (place / ".git" / "gitmem" / "index").write_text("junk")
    done = gitmem(place, "hook", "post-commit")
    assert done.code == 0
    gitmem(place, "remember", "still here")
    assert gitmem(place, "recall", "still", "--json").json["total"] == 1


def test_a_hook_refreshes_in_the_background_once_for_many_commits(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git returns at once; however many commits come, at most one refresh runs and one waits."""
    ran = place.parent / "ran"
    hook = place / ".git" / "hooks" / "post-commit"
    command = place.parent / "slow-gitmem"
    command.write_text(f"#!/bin/sh\necho run >> {ran}\nsleep 1\n")
    command.chmod(0o755)
    lines = [
        f"gitmem={command}" if line.startswith("gitmem=") else line for line in hook.read_text().splitlines()
    ]
    hook.write_text("\n".join(lines) + "\n")
    monkeypatch.delenv("GITMEM_HOOKS")
    gitmem(place, "remember", "first")
    for number in range(5):
        git(place, "commit", "-q", "--allow-empty", "-m", f"commit {number}")
    deadline = time.monotonic() + 10
    while not ran.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert ran.read_text() == "run\n"
    assert gitmem(place, "recall", "first", "--json").json["total"] == 1
    git(place, "commit", "-q", "--allow-empty", "-m", "after an answer")
    while ran.read_text() != "run\nrun\n" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert ran.read_text() == "run\nrun\n"


def test_a_text_may_begin_with_a_dash_and_a_blank(place: Path) -> None:
    gitmem(place, "remember", "- a point", "--id", "list", "--json")
    assert gitmem(place, "append", "list", "- another point", "--json").code == 0
    assert gitmem(place, "show", "list", "--json").json["body"] == "- a point\n- another point\n"
    assert gitmem(place, "remember", "x", "--title", "- odd title", "--id", "odd").code == 0
    assert gitmem(place, "show", "odd", "--json").json["title"] == "- odd title"
