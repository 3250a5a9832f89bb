"""tend: each memory with its reason, one commit on each branch, taken back by one undo; nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Refused, StoreProblem
from gitmem.flows.tending.tend import Tended
from gitmem.flows.writing.drafting import Request
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git


def later(folder: Path, days: float, **options: object) -> Store:
    """The store so many days after everything was written."""
    return Store.open(folder, clock=FixedClock(NOW + timedelta(days=days)), **options)  # type: ignore[arg-type]


def configure(folder: Path, text: str) -> None:
    """Commits policies as a person would."""
    file = folder / ".gitmem/config.toml"
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")
    git(folder, "commit", "-qam", "policies")


def actions(tended: Tended) -> dict[str, str]:
    return {step.life.id: str(step.action) for step in tended.plan.plan.steps}


def kept(tended: Tended) -> dict[str, str]:
    return {each.life.id: each.why for each in tended.plan.plan.kept}


def commits(folder: Path, branch: str) -> int:
    return int(git(folder, "rev-list", "--count", branch))


@pytest.fixture
def aged(store: Store, folder: Path) -> Path:
    """A store with a memory for each default policy, and some that none is about."""
    store.remember("small talk", id="talk", type="episodic", importance=0.1)
    store.remember("the outage", id="outage", type="episodic", importance=0.9)
    store.remember("a fact", id="fact")
    store.remember("deploy by hand", id="old-way", type="procedural")
    store.remember("deploy by button", id="new-way", type="procedural", supersedes=["old-way"])
    store.remember("never on friday", id="lesson", type="reflective")
    return folder


def test_the_plan_says_what_and_why_and_changes_nothing(aged: Path) -> None:
    before = git(aged, "rev-parse", "HEAD")
    tended = later(aged, 40).tend(dry_run=True)
    assert actions(tended) == {"talk": "archive", "old-way": "archive"}
    assert {step.life.id: step.reason for step in tended.plan.plan.steps} == {
        "talk": "idle for 40 days (30 or more), importance 0.1 (below 0.3)",
        "old-way": "superseded by new-way",
    }
    assert not tended.is_done and tended.operation_id is None
    assert git(aged, "rev-parse", "HEAD") == before
    assert "archive" not in git(aged, "branch", "--list")


def test_it_is_one_commit_on_each_branch_and_one_undo(aged: Path) -> None:
    main, text = commits(aged, "main"), (aged / "semantic").rglob("*.md")
    before = {path: path.read_bytes() for path in text}
    store = later(aged, 40)
    listed = {record.id for record in store.list().records}
    done = store.tend()
    assert done.is_done and done.commits.keys() == {"main", "archive"}
    assert (commits(aged, "main"), commits(aged, "archive")) == (main + 1, 1)
    for branch in ("main", "archive"):
        message = git(aged, "log", "-1", "--format=%B", branch)
        assert f"Operation-Id: {done.operation_id}" in message and "Operation: tend" in message
        assert "Reason: policies episodic (1), procedural (1)" in message
    assert {record.id for record in store.list().records} == listed - {"talk", "old-way"}
    assert store.show("talk").is_archived
    assert [each.hit.labels for each in store.recall("small talk", archived=True).hits] == [("archived",)]
    undone = store.undo()
    assert undone.operation_id == done.operation_id
    assert {record.id for record in store.list().records} == listed
    assert store.on("archive").list().total == 0
    assert {path: path.read_bytes() for path in before} == before
    assert_sound(aged)


def test_the_second_run_does_nothing(aged: Path) -> None:
    store = later(aged, 40)
    store.tend()
    tips = git(aged, "for-each-ref")
    again = store.tend()
    assert not actions(again) and again.operation_id is None
    assert git(aged, "for-each-ref") == tips


def test_use_keeps_a_memory_and_its_absence_is_said(aged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITMEM_USAGE", "on")
    fresh = later(aged, 40).tend(dry_run=True)
    assert fresh.plan.notes == ["no use was noted in this clone yet, so idle counts from the last change"]
    later(aged, 20).show("talk")
    used = later(aged, 40).tend(dry_run=True)
    assert "talk" not in actions(used) and used.plan.notes == []
    assert actions(later(aged, 51).tend(dry_run=True))["talk"] == "archive"
    monkeypatch.setenv("GITMEM_USAGE", "off")
    blind = later(aged, 40).tend(dry_run=True)
    assert blind.plan.notes == ["uses are not counted here, so idle counts from the last change"]


def test_a_change_counts_as_life_whatever_created_says(store: Store, folder: Path) -> None:
    store.remember("old news", id="news", type="episodic", importance=0.1, created="2019-01-01")
    assert not actions(store.tend(dry_run=True))
    later(folder, 29).append("news", "and more")
    assert not actions(later(folder, 40).tend(dry_run=True))
    assert actions(later(folder, 60).tend(dry_run=True)) == {"news": "archive"}


def test_pinned_memories_stay_until_they_are_unpinned(aged: Path) -> None:
    store = later(aged, 40)
    pinned = store.pin("talk")
    assert pinned.replaced is not None and store.pin("talk").replaced is None
    assert "pinned: true" in store.show("talk").raw.decode()
    assert kept(later(aged, 400).tend(dry_run=True))["talk"] == "it is pinned"
    store.unpin("talk")
    assert "pinned" not in store.show("talk").raw.decode()
    assert actions(later(aged, 400).tend(dry_run=True))["talk"] == "archive"


@pytest.mark.parametrize("way", ["related", "link by id", "link by title", "anchor"])
def test_what_others_depend_on_stays(way: str, store: Store, folder: Path) -> None:
    store.remember("the very first call", id="call", title="First call", type="episodic", importance=0.1)
    path = store.show("call").memory.path
    text = {"link by id": "see [[call]]", "link by title": "as in [[first CALL|there]]"}.get(way, "a fact")
    anchors = [path] if way == "anchor" else []
    store.remember(text, id="fact", anchors=anchors)
    if way == "related":
        store.link("fact", "call", relation="explains")
    tended = later(folder, 40).tend()
    assert not actions(tended)
    assert kept(tended).keys() == {"call"} and "fact" in kept(tended)["call"]


def test_a_correction_stays_as_long_as_what_it_corrects(store: Store, folder: Path) -> None:
    store.remember("the price is 4", id="wrong")
    store.remember("the price is 5", id="right", type="episodic", importance=0.1, supersedes=["wrong"])
    assert kept(later(folder, 40).tend()) == {"right": "it supersedes wrong, which would count again"}


def test_a_memory_that_is_edited_by_hand_stays(aged: Path) -> None:
    file = aged / Store.open(aged).show("talk").memory.path
    file.write_text(file.read_text(encoding="utf-8") + "and a line\n", encoding="utf-8")
    tended = later(aged, 40).tend()
    assert kept(tended) == {"talk": "it is marked: changed, not committed"}
    assert actions(tended) == {"old-way": "archive"}
    assert "and a line" in file.read_text(encoding="utf-8")


def test_what_has_another_text_on_archive_stays(aged: Path) -> None:
    store = later(aged, 40)
    memory = store.show("talk").memory
    store.archive(["talk"])
    (aged / memory.path).write_text("---\nid: talk\ntype: episodic\nimportance: 0.1\n---\nother\n")
    git(aged, "add", ".")
    git(aged, "commit", "-qm", "again", "--date", "2026-11-29T16:00:00Z")
    tended = later(aged, 4000).tend(dry_run=True)
    assert kept(tended) == {"talk": "another text has its id or path on archive"}


def test_cold_memories_stay_where_they_are(aged: Path) -> None:
    store = later(aged, 181)
    tended = store.tend()
    assert actions(tended)["fact"] == "cold"
    assert store.show("fact").branch == "main"
    assert [step.life.id for step in tended.plan.cold] == ["fact"]


def test_policies_of_the_store_take_the_place_of_the_defaults(aged: Path) -> None:
    configure(aged, '[[policies]]\nname = "facts"\ntype = "semantic"\nage_days = 10\naction = "archive"\n')
    assert actions(later(aged, 40).tend(dry_run=True)) == {"fact": "archive"}


def test_an_edit_of_the_config_that_is_not_committed_changes_nothing(aged: Path) -> None:
    file = aged / ".gitmem/config.toml"
    file.write_text(file.read_text(encoding="utf-8") + "policies = 7\n", encoding="utf-8")
    assert actions(later(aged, 40).tend(dry_run=True)) == {"talk": "archive", "old-way": "archive"}


def test_a_bad_policy_is_one_line_that_names_the_field(aged: Path) -> None:
    configure(aged, '[[policies]]\nidle = 10\naction = "archive"\n')
    with pytest.raises(StoreProblem, match=r"config.toml: policies\[1\].idle: no such setting"):
        later(aged, 40).tend()


def test_an_agent_proposes_and_a_person_accepts(aged: Path) -> None:
    agent = later(aged, 40, identity=Identity(Kind.AGENT, "bot", "test"))
    main = git(aged, "rev-parse", "main")
    tended = agent.tend()
    assert tended.plan.is_proposed and tended.operation_id is None and tended.proposal
    assert git(aged, "rev-parse", "main") == main
    again = agent.tend()
    assert not actions(again) and again.proposal is None
    assert set(kept(again).values()) == {
        f"proposals/{tended.proposal} archives it already, and waits for a person"
    }
    person = later(aged, 41)
    assert "episodic: idle for 40 days" in person.review(tended.proposal).proposal.body
    accepted = person.accept(tended.proposal)
    assert set(accepted.archived) == {"talk", "old-way"}
    assert not actions(person.tend())


def test_what_a_person_decided_against_is_not_proposed_again(aged: Path) -> None:
    agent = later(aged, 40, identity=Identity(Kind.AGENT, "bot", "test"))
    proposal = agent.tend().proposal
    assert proposal is not None
    later(aged, 40).reject(proposal, reason="still needed")
    assert not actions(agent.tend()) and not actions(later(aged, 40).tend())
    later(aged, 41).update("talk", "other small talk")
    assert actions(later(aged, 80).tend(dry_run=True)) == {"talk": "archive"}


def test_a_policy_can_leave_it_to_a_person(aged: Path) -> None:
    configure(aged, '[[policies]]\nname = "ask"\ntype = "semantic"\nage_days = 10\naction = "propose"\n')
    tended = later(aged, 40).tend()
    assert tended.operation_id is None and tended.proposal is not None
    review = Store.open(aged).review(tended.proposal)
    assert [each.change.id for each in review.memories] == ["fact"]


def test_it_looks_at_main_alone(aged: Path) -> None:
    git(aged, "branch", "side")
    with pytest.raises(BadInput, match="tend looks at main"):
        later(aged, 40).on("side").tend()
    with pytest.raises(Refused, match="past"):
        later(aged, 40).at("HEAD").tend()


def test_attachments_go_along(store: Store, folder: Path, tmp_path: Path) -> None:
    store.remember("a long talk", id="talk", type="episodic", importance=0.1)
    (tmp_path / "turns.jsonl").write_text("quokka\n", encoding="utf-8")
    store.attach("talk", [tmp_path / "turns.jsonl"])
    later(folder, 40).tend()
    assert "turns.jsonl" in git(folder, "ls-tree", "-r", "--name-only", "archive")
    assert_sound(folder)


def test_an_empty_store_has_nothing_to_do(store: Store) -> None:
    assert not actions(store.tend())


def test_many_go_in_one_commit(store: Store, folder: Path) -> None:
    store.remember_all([Request(f"talk {n}", type="episodic", importance=0.1) for n in range(150)])
    main = commits(folder, "main")
    done = later(folder, 40).tend()
    assert len(done.plan.archived) == 150
    assert (commits(folder, "main"), commits(folder, "archive")) == (main + 1, 1)
