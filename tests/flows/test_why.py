"""why: every statement knows the commit, agent, session, source, reviewer and reason behind it."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import NotFound
from gitmem.flows.why import Provenance, Why
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.conftest import git, gitmem


def on_day(folder: Path, day: int) -> Store:
    return Store.open(folder, clock=FixedClock(datetime.fromisoformat(f"2026-11-{day:02}T10:00:00Z")))


def origins(why: Why, phrase: str) -> list[Provenance]:
    (told,) = [told for told in why.statements if phrase in told.statement.text]
    return list(told.origins)


def origin(why: Why, phrase: str) -> Provenance:
    (found,) = origins(why, phrase)
    return found


def commit_file(folder: Path, path: str, text: str, message: str = "by hand") -> str:
    (folder / path).write_text(text, encoding="utf-8")
    git(folder, "commit", "-qam", message)
    return git(folder, "rev-parse", "HEAD").strip()


TEXT = "Alice wants reports by e-mail.\n\n- weekly\n- on paper"


@pytest.fixture
def told(store: Store, folder: Path) -> Store:
    """A memory that one agent wrote and another added to."""
    first = Origin(agent="finch", session="s-1", source="chat", reason="she said so")
    on_day(folder, 1).remember(TEXT, id="doc", tags=["a"], origin=first)
    on_day(folder, 2).append("doc", "- never by phone", origin=Origin(agent="robin", reason="second call"))
    return store


def test_each_statement_names_who_put_it_there_and_why(told: Store) -> None:
    """Commit, date, agent, session, source and reason come from the trailers of the commit."""
    why = told.why("doc")
    first = origin(why, "by e-mail.").entry
    assert (first.agent, first.session, first.source, first.reason) == (
        "finch", "s-1", "chat", "she said so",
    )  # fmt: skip
    assert (first.number, first.date, first.author) == (1, "2026-11-01T10:00:00Z", "Test Person")
    second = origin(why, "never by phone").entry
    assert (second.agent, second.session, second.number) == ("robin", None, 2)


def test_header_fields_that_are_not_the_default_are_statements(told: Store) -> None:
    """The id and what would hold without the line are left out."""
    told.tag("doc", add=["b"])
    told.update("doc", fields={"importance": 0.9, "status": "active"})
    fields = [each.statement.field for each in told.why("doc").statements if each.statement.field]
    assert fields == ["created", "tags", "source", "agent", "session", "importance"]


def test_a_statement_of_several_versions_names_each_with_its_lines(told: Store) -> None:
    """A list that grew has an origin for each part, the newest first."""
    told.tag("doc", add=["b"])
    newer, older = origins(told.why("doc"), "tags:")
    assert (newer.entry.number, newer.lines) == (3, (7,))
    assert (older.entry.number, older.lines) == (1, (5, 6))


def test_a_commit_by_hand_says_its_author_and_leaves_the_rest_unknown(told: Store, folder: Path) -> None:
    path = told.show("doc").memory.path
    text = (folder / path).read_text().replace("weekly", "monthly")
    commit = commit_file(folder, path, text, "correct the rhythm")
    found = origin(told.why("doc"), "monthly")
    assert found.is_by_hand
    assert (found.entry.commit, found.entry.author, found.entry.agent) == (commit, "Test Person", None)
    assert origin(told.why("doc"), "on paper").entry.number == 1
    out = gitmem(folder, "why", "doc", "--text", "monthly").out
    assert "by hand: “correct the rhythm”" in out
    assert "unknown: agent, session, source, reason" in out


def test_origins_survive_renames_archive_and_restore(told: Store, folder: Path) -> None:
    """A rename changes the title line; a move between branches changes nothing."""
    told.rename("doc", "Reports", path="notes/reports.md")
    told.archive(["doc"])
    archived = told.why("doc")
    assert archived.branch == "archive"
    assert origin(archived, "never by phone").entry.agent == "robin"
    told.restore(["doc"])
    why = told.why("doc")
    assert (why.memory.path, why.is_complete) == ("notes/reports.md", True)
    assert origin(why, "by e-mail.").entry.agent == "finch"
    assert origin(why, "title:").entry.number == 3


def merged(folder: Path, *arguments: str) -> str:
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", *arguments, "side")
    return git(folder, "rev-parse", "HEAD").strip()


def test_what_a_merge_brought_is_told_by_the_commit_on_the_other_side(told: Store, folder: Path) -> None:
    """The merge is named as what carried it, and its reviewer as the reviewer of what it carried."""
    git(folder, "checkout", "-qb", "side")
    side = Store.open(folder).on("side")
    side.append("doc", "- with pictures", origin=Origin(agent="wren", session="s-9"))
    git(folder, "checkout", "-q", "main")
    on_day(folder, 3).remember("Something else", id="other")
    merge = merged(folder, "-m", "accept: pictures\n\nOperation: accept\nReviewed-by: Bo <bo@example.com>")
    found = origin(told.why("doc"), "with pictures")
    assert (found.entry.agent, found.entry.session, found.entry.number) == ("wren", "s-9", None)
    assert found.merged is not None
    assert (found.merged.commit, found.merged.number) == (merge, 3)
    assert found.reviewed_by == ("Bo <bo@example.com>",)
    assert origin(told.why("doc"), "never by phone").reviewed_by == ()
    assert "reviewed by Bo <bo@example.com>" in gitmem(folder, "why", "doc", "--text", "pictures").out
    blamed = {line.text: line.entry.commit for line in told.blame("doc").lines}
    assert blamed["- with pictures"] == found.entry.commit


def test_a_memory_that_a_merge_brought_whole_is_told_by_its_own_commits(store: Store, folder: Path) -> None:
    store.remember("Something", id="seed")
    git(folder, "checkout", "-qb", "side")
    Store.open(folder).on("side").remember("New", id="new", origin=Origin(agent="wren"))
    git(folder, "checkout", "-q", "main")
    store.append("seed", "more")
    merged(folder, "-m", "merge")
    found = origin(store.why("new"), "New")
    assert found.entry.agent == "wren"
    assert found.merged is not None


def test_a_line_that_only_the_merge_has_is_the_merges_own(told: Store, folder: Path) -> None:
    """Both sides changed it, a person settled it while merging; what either side wrote stays theirs."""
    path = told.show("doc").memory.path
    text = (folder / path).read_text()
    git(folder, "checkout", "-qb", "side")
    theirs = commit_file(folder, path, text.replace("weekly", "daily") + "- side\n")
    git(folder, "checkout", "-q", "main")
    ours = commit_file(folder, path, text.replace("weekly", "monthly") + "- main\n")
    git(folder, "merge", "-q", "side", check=False)
    settled = text.replace("weekly", "on Fridays") + "- main\n- side\n"
    merge = commit_file(folder, path, settled, "settled")
    why = told.why("doc")
    assert [origin(why, word).entry.commit for word in ("Fridays", "- main", "- side")] == [
        merge, ours, theirs,
    ]  # fmt: skip


def test_merges_within_merges_are_followed_to_the_first_commit(told: Store, folder: Path) -> None:
    """Two branches that merge each other back and forth lose no origin."""
    path = told.show("doc").memory.path
    git(folder, "checkout", "-qb", "side")
    wrote = {}
    for number in range(4):
        git(folder, "checkout", "-q", "side")
        wrote[f"- side {number}"] = commit_file(
            folder, path, (folder / path).read_text() + f"- side {number}\n"
        )
        git(folder, "checkout", "-q", "main")
        (folder / f"{number}.md").write_text("x")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "unrelated")
        git(folder, "merge", "-q", "--no-edit", "side")
        wrote[f"- main {number}"] = commit_file(
            folder, path, (folder / path).read_text() + f"- main {number}\n"
        )
        git(folder, "checkout", "-q", "side")
        git(folder, "merge", "-q", "--no-ff", "--no-edit", "main")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "--no-edit", "side")
    why = told.why("doc")
    assert {text: origin(why, text).entry.commit for text in wrote} == wrote


def test_a_revert_gives_back_what_stood_there_with_its_first_origin(told: Store, folder: Path) -> None:
    """What came back was put there by the earlier version, and restored by the revert."""
    told.update("doc", "Alice wants no reports.", origin=Origin(agent="heron"))
    told.revert("doc", "v2", origin=Origin(reason="she does"))
    found = origin(told.why("doc"), "on paper")
    assert (found.entry.number, found.entry.agent) == (1, "finch")
    assert found.restored is not None
    assert (found.restored.number, found.restored.reason) == (4, "she does")
    path = told.show("doc").memory.path
    commit_file(folder, path, "---\nid: doc\n---\ngone\n")
    git(folder, "revert", "--no-edit", "HEAD")
    assert origin(told.why("doc"), "never by phone").entry.agent == "robin"


def test_a_line_that_moved_within_the_text_keeps_its_origin(told: Store, folder: Path) -> None:
    path = told.show("doc").memory.path
    text = (folder / path).read_text()
    commit_file(folder, path, text.replace("- weekly\n- on paper\n", "- on paper\n- weekly\n"))
    why = told.why("doc")
    assert {origin(why, word).entry.number for word in ("weekly", "on paper")} == {1}


def test_a_batch_says_in_each_header_what_its_commit_cannot_say_for_all(store: Store) -> None:
    store.remember_all(
        [
            Request("One", id="one", origin=Origin(agent="finch", session="s-1")),
            Request("Two", id="two", origin=Origin(agent="wren", source="a letter")),
        ]
    )
    found = origin(store.why("two"), "Two").entry
    assert (found.agent, found.session, found.source) == ("wren", None, "a letter")


def test_a_phrase_or_a_line_narrows(told: Store) -> None:
    """Case and blanks do not matter; a line is one of the file, as blame counts them."""
    assert [each.statement.text for each in told.why("doc", text="NEVER  by").statements] == [
        "- never by phone"
    ]
    line = next(line.line for line in told.blame("doc").lines if line.text == "- weekly")
    assert [each.statement.text for each in told.why("doc", line=line).statements] == ["- weekly"]


@pytest.mark.parametrize("wanted", [{"text": "zeppelin"}, {"line": 99}, {"line": 0}, {"line": 1}])
def test_narrowing_to_nothing_says_so(told: Store, wanted: dict[str, object]) -> None:
    with pytest.raises(NotFound):
        told.why("doc", **wanted)  # type: ignore[arg-type]


def test_an_older_version_is_told_as_it_was(told: Store) -> None:
    why = told.why("doc@v1")
    assert not [each for each in why.statements if "phone" in each.statement.text]
    assert origin(why, "weekly").entry.number == 1


def test_corrections_and_disputes_are_shown_in_both_directions(told: Store) -> None:
    told.remember("On paper only.", id="newer", supersedes=["doc"])
    told.remember("By fax.", id="fax")
    told.link("fax", "doc", relation="contradicts")
    links = {(link.how, link.id, link.title) for link in told.why("doc").links}
    assert links == {("superseded_by", "newer", "On paper only."), ("disputed_by", "fax", "By fax.")}
    assert [(link.how, link.id) for link in told.why("newer").links] == [("supersedes", "doc")]
    assert [(link.how, link.id) for link in told.why("fax").links] == [("disputes", "doc")]


def test_an_edit_that_is_not_committed_is_mentioned_and_not_told(told: Store, folder: Path) -> None:
    path = told.show("doc").memory.path
    (folder / path).write_text((folder / path).read_text() + "- by hand\n")
    why = told.why("doc")
    assert why.edit == "changed, not committed"
    assert not [each for each in why.statements if "by hand" in each.statement.text]


def test_a_shallow_clone_says_that_older_versions_are_missing(
    told: Store, folder: Path, tmp_path: Path
) -> None:
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{folder}", str(tmp_path / "shallow")], check=True
    )
    why = Store.open(tmp_path / "shallow").why("doc")
    assert not why.is_complete
    assert origin(why, "weekly").entry.number is None
