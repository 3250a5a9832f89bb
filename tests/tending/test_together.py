"""Notes whose session is over, and summaries: one commit on each branch, taken back by one undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.faults.forked import forked
from tests.tending.test_tend import actions, commits, configure, kept, later

MONTHLY = '[[policies]]\nname = "old"\ntype = "episodic"\nage_days = 30\naction = "summarise"\n'


def texts(folder: Path) -> dict[str, list[str]]:
    """The files of each branch with their blobs, without records of sessions."""
    return {
        branch: [line for line in git(folder, "ls-tree", "-r", branch).splitlines() if ".md" in line]
        for branch in ("main", "working", "archive")
        if git(folder, "branch", "--list", branch)
    }


@pytest.fixture
def mixed(store: Store, folder: Path) -> Path:
    """An episode that nobody needs, and two notes: of a session that was ended, and of one that was not."""
    store.remember("small talk", id="talk", type="episodic", importance=0.1)
    store.note("the port is 8080", session="s-1")
    store.end_session("s-1", then="keep")
    return folder


def test_notes_and_memories_go_in_one_commit_on_each_branch(mixed: Path) -> None:
    before = texts(mixed)
    counts = {branch: commits(mixed, branch) for branch in ("main", "working")}
    assert not actions(later(mixed, 1 / 48).tend(dry_run=True))
    store = later(mixed, 40)
    done = store.tend()
    assert done.commits.keys() == {"archive", "main", "working"} and len(done.plan.archived) == 2
    assert commits(mixed, "archive") == 1
    assert {branch: commits(mixed, branch) - 1 for branch in counts} == counts
    assert store.recall("port 8080", archived=True).total == 1
    assert not actions(store.tend())
    store.undo(done.operation_id)
    after = texts(mixed)
    assert after.pop("archive") == [] and after == before
    assert_sound(mixed)


def test_an_agent_leaves_notes_to_a_person(mixed: Path) -> None:
    tended = later(mixed, 40, identity=Identity(Kind.AGENT, "bot", "test")).tend()
    assert actions(tended) == {"talk": "archive"} and tended.proposal
    assert list(kept(tended).values()) == ["what stands on working cannot be proposed"]


@pytest.mark.parametrize("point", ["crossing.written", "crossing.arrived", "crossing.left", "tend.moved"])
def test_killed_anywhere_it_is_done_whole_or_not_at_all(mixed: Path, point: str) -> None:
    before = texts(mixed)
    outcome = forked(lambda: later(mixed, 40).tend(), fault=point)
    assert outcome.was_killed, outcome
    store = later(mixed, 40)
    names = {branch: len(files) for branch, files in texts(mixed).items()}
    if point == "crossing.written":
        assert texts(mixed) == before
        store.tend()
    else:
        assert names == {"main": 0, "working": 0, "archive": 2}
    assert not actions(store.tend())
    operation = git(mixed, "log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)", "archive").strip()
    store.undo(operation)
    assert {**texts(mixed), "archive": []} == {**before, "archive": []}
    assert_sound(mixed)


def test_a_summary_of_the_month_stays(store: Store, folder: Path) -> None:
    configure(folder, MONTHLY)
    for day, text in ((3, "We met Bo. He likes tea."), (9, "The cache was full. It was emptied.")):
        store.remember(text, id=f"e{day}", type="episodic", namespace="ops", created=f"2026-10-0{day}")
    store.remember("他搬到了上海。", id="e1", type="episodic", namespace="ops", created="2026-09-01")
    before = {record.id for record in store.list().records}
    main = commits(folder, "main")
    done = later(folder, 1).tend()
    assert (commits(folder, "main"), commits(folder, "archive")) == (main + 1, 1)
    found = {memory_id: later(folder, 1).show(memory_id).memory for memory_id in done.summaries}
    assert sorted(memory.title for memory in found.values()) == [
        "Summary of 2026-09 in ops: 1 memory",
        "Summary of 2026-10 in ops: 2 memories",
    ]
    october = max(found.values(), key=lambda memory: memory.title)
    assert october.body.splitlines() == [
        "- 2026-10-03 We met Bo. He likes tea. (e3)",
        "- 2026-10-09 The cache was full. It was emptied. (e9)",
    ]
    assert [(each.to, each.relation) for each in october.related] == [
        ("e3", "summarises"),
        ("e9", "summarises"),
    ]
    assert later(folder, 2).show("e3").is_archived
    assert not actions(later(folder, 90).tend()), "a summary is not summarised"
    later(folder, 2).undo(done.operation_id)
    assert {record.id for record in Store.open(folder).list().records} == before
    assert_sound(folder)


def test_what_is_changed_while_it_moves_stays(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was on its way when somebody wrote to it: their text stays on main, and no copy is left behind."""
    from gitmem.flows.working import crossing

    passed: list[str] = []

    def meddle(name: str) -> None:
        if name == "crossing.arrived" and not passed:
            passed.append(name)
            Store.open(mixed).append("talk", "and now it matters")

    monkeypatch.setattr(crossing, "point", meddle)
    done = later(mixed, 40).tend()
    assert len(done.stayed) == 1 and passed
    monkeypatch.undo()
    store = Store.open(mixed)
    assert "it matters" in store.show("talk").memory.body and store.show("talk").branch == "main"
    assert "talk" not in {record.id for record in store.on("archive").list().records}
    assert_sound(mixed)
