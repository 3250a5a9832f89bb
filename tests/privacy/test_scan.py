"""scan: what is in the store already is found, on every branch and in its history, and never shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import git, gitmem

SECRET = "hunter2" + "-x9Q"
MAIL = "mara.o@example.com"


@pytest.fixture
def soiled(store: Store, folder: Path) -> Path:
    """A store in which a person committed by hand: to main, to archive, to an attachment, and took one out."""
    store.remember("first", id="one")
    store.remember("second", id="two")
    store.remember("third", id="three")
    one, two, three = (folder / store.show(each).memory.path for each in ("one", "two", "three"))
    one.write_text(one.read_text("utf-8").replace("id: one", f"id: one\nowner: {MAIL}"), "utf-8")
    (one.with_suffix(".files")).mkdir()
    (one.with_suffix(".files") / "log.txt").write_text(f"ok\npassword: {SECRET}\n", "utf-8")
    (one.with_suffix(".files") / "photo.bin").write_bytes(b"\x00\x01")
    two.write_text(two.read_text("utf-8") + "call 13800138000\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "by hand")
    store.archive(["two"])
    three.write_text(three.read_text("utf-8") + f"password: {SECRET}\n", "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", f"asked {MAIL}")
    git(folder, "checkout", "--quiet", "HEAD~", "--", str(three))
    git(folder, "commit", "--quiet", "--message", "out again")
    return folder


def test_all_branches_are_looked_through_and_no_value_is_shown(soiled: Path) -> None:
    """Kind, id, place; what is no text is counted; it ends with 1."""
    ran = gitmem(soiled, "scan", "--json")
    assert ran.code == 1
    found = {
        (each["kind"], each["id"], each["path"].rpartition(".")[2], each["line"], each["branch"])
        for each in ran.json["found"]
    }
    assert found == {
        ("email", "one", "md", 3, "main"),
        ("secret", None, "txt", 2, "main"),
        ("phone", "two", "md", 7, "archive"),
    }
    assert ran.json["not_text"] == 1 and ran.json["not_looked_at"] == []
    assert "archive" in ran.json["branches"]
    for value in (SECRET, MAIL, "13800138000"):
        assert value not in ran.out + ran.err + gitmem(soiled, "scan").out


def test_the_history_holds_what_was_taken_out_and_what_messages_say(soiled: Path) -> None:
    """Each version by what was new in it, with the commit that brought it."""
    ran = gitmem(soiled, "scan", "--history", "--json")
    past = [each for each in ran.json["found"] if each["version"]]
    assert [(each["kind"], each["id"], bool(each["path"])) for each in past] == [
        ("email", None, False),
        ("secret", "three", True),
    ]
    assert {each["version"] for each in past} == {git(soiled, "rev-parse", "HEAD~").strip()}
    text = gitmem(soiled, "scan", "--history").out
    assert "commit message, line 1" in text and SECRET not in text and MAIL not in text


def test_a_clean_store_ends_with_0(store: Store, folder: Path) -> None:
    """What was redacted on its way in is no finding."""
    store.remember(f"mail {MAIL}", id="one")
    ran = gitmem(folder, "scan", "--history")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("found nothing\n")


def test_what_cannot_be_read_is_named(soiled: Path) -> None:
    """Never "nothing" where nothing could be looked at."""
    blob = git(soiled, "rev-parse", "main:semantic/th").strip()
    git(soiled, "rm", "-rq", "--cached", ".")
    (soiled / ".git/objects" / blob[:2] / blob[2:]).unlink()
    ran = gitmem(soiled, "scan", "--json")
    assert ran.code == 1
    assert any("main" in each for each in ran.json["not_looked_at"])
    assert json.loads(ran.out)["clean"] is False


def test_check_judges_a_change_by_the_same_rules(store: Store, folder: Path) -> None:
    """Only what the change brings, with the line, in memories and attachments."""
    store.remember("first", id="one")
    path = folder / store.show("one").memory.path
    path.write_text(path.read_text("utf-8") + f"mail {MAIL}\n", "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", "before")
    git(folder, "branch", "base")
    path.write_text(path.read_text("utf-8") + f"password: {SECRET}\ncard 4111 1111 1111 1111\n", "utf-8")
    (path.with_suffix(".files")).mkdir()
    (path.with_suffix(".files") / "a.txt").write_text("plate 京A·12345\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "change")
    findings = [each for each in store.check("base").findings if each.code in ("secret", "personal-data")]
    assert [(each.severity, each.code, each.line) for each in findings] == [
        ("error", "secret", 8),
        ("error", "personal-data", 9),
        ("warning", "personal-data", 1),
    ]
    assert not any(SECRET in each.message or "4111" in each.message for each in findings)
