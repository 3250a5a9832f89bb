"""Proposals: changes wait on a branch until a person accepts or rejects them; main and nobody's work is touched."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, Conflict, NotFound, Refused
from gitmem.flows.writing.group import _lead
from gitmem.model.identity import Identity, Kind
from gitmem.model.proposal import ProposalState, name_for
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem
from tests.flows.clones import cloned, top

BOT = Identity(Kind.AGENT, "bot")


def lines(*memories: Mapping[str, object]) -> str:
    return "\n".join(json.dumps(memory) for memory in memories)


def as_bot(folder: Path) -> Store:
    return Store.open(folder, clock=FixedClock(NOW), identity=BOT)


@pytest.fixture
def reports(store: Store) -> Store:
    """A store with three memories."""
    store.remember("Reports go out on Monday. They go to Alice.", id="reports", title="When reports go out")
    store.remember("Bob drinks tea.", id="tea", tags=["drinks"])
    store.remember("A plan of long ago.", id="old")
    return store


def edit(store: Store, folder: Path, memory_id: str, old: str, new: str) -> Path:
    """A hand edit that is not committed."""
    file = folder / store.show(memory_id).memory.path
    file.write_text(file.read_text().replace(old, new))
    return file


def ids(store: Store) -> set[str]:
    return {record.id for record in store.list().records}


def test_edits_go_from_the_worktree_onto_the_proposal_and_main_stays(reports: Store, folder: Path) -> None:
    main = git(folder, "rev-parse", "main")
    edit(reports, folder, "reports", "Monday", "Friday")
    (folder / reports.show("old").memory.path).unlink()
    (folder / "hand.md").write_text("---\nid: hand\n---\nwritten by hand\n")
    proposed = reports.propose(["reports", "old", "hand.md"], title="Friday!", body="She said so.\n\nTwice.")
    assert git(folder, "rev-parse", "main") == main
    assert git(folder, "status", "--porcelain") == ""
    assert [(each.id, each.kind) for each in proposed.changes.memories] == [
        ("hand", "added"),
        ("reports", "changed"),
        ("old", "archived"),
    ]
    assert "Friday" in git(
        folder, "show", f"{proposed.proposal.branch}:semantic/re/when-reports-go-out-reports.md"
    )
    assert "written by hand" in git(folder, "show", f"{proposed.proposal.branch}:hand.md")
    assert_sound(folder)


def test_a_plain_clone_sees_title_body_and_who_proposed(reports: Store, folder: Path) -> None:
    as_bot(folder).propose(
        batch=lines({"text": "x"}), title="What Alice: wants", body="Heard it.\n\nIn the call."
    )
    message = git(folder, "log", "-1", "--format=%B", "proposals/what-alice-wants")
    assert "\n\nHeard it.\n\nIn the call.\n\n" in message
    trailers = git(folder, "log", "-1", "--format=%(trailers)", "proposals/what-alice-wants")
    assert "Title: What Alice: wants\nProposed-by: agent:bot\n" in trailers


def test_edits_that_are_staged_or_of_other_memories_stay_in_the_worktree(
    reports: Store, folder: Path
) -> None:
    edit(reports, folder, "reports", "Monday", "Friday")
    git(folder, "add", "-A")
    edit(reports, folder, "tea", "drinks tea", "drinks coffee")
    proposed = reports.propose(["reports"], title="Friday")
    assert "the worktree keeps the edit too" in " ".join(proposed.notices)
    assert git(folder, "status", "--porcelain").split() == [
        "M", "semantic/re/when-reports-go-out-reports.md", "M", "semantic/te/bob-drinks-tea-tea.md",
    ]  # fmt: skip


def test_a_name_is_taken_once(reports: Store) -> None:
    names = [
        reports.propose(batch=lines({"text": f"fact {n}"}), title="Facts").proposal.name for n in range(3)
    ]
    assert names == ["facts", "facts-2", "facts-3"]


def test_a_name_that_somebody_takes_meanwhile_is_left_to_them(
    reports: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(title: str, taken: list[str]) -> str:
        name = name_for(title, taken)
        if name == "facts":
            git(folder, "branch", "proposals/facts", "main")
        return name

    monkeypatch.setattr("gitmem.flows.propose.name_for", slow)
    assert reports.propose(batch=lines({"text": "mine"}), title="Facts").proposal.name == "facts-2"
    assert git(folder, "rev-parse", "proposals/facts") == git(folder, "rev-parse", "main")


def test_undo_takes_an_acceptance_back(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "new", "id": "new"}), title="News")
    accepted = reports.accept("news")
    assert reports.undo(accepted.operation_id).operation == "accept"
    assert ids(reports) == {"reports", "tea", "old"}
    assert_sound(folder)


def test_what_another_branch_has_is_proposed_with_its_history(reports: Store, folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "side")
    (folder / "side.md").write_text("---\nid: side\n---\non the side\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "side")
    git(folder, "checkout", "-q", "main")
    proposed = reports.propose(source="side", title="From the side")
    assert [each.id for each in proposed.changes.memories] == ["side"]
    assert git(folder, "merge-base", "--is-ancestor", "side", proposed.proposal.branch) == ""
    with pytest.raises(BadInput, match="has nothing"):
        reports.amend("from-the-side", source="side")
    with pytest.raises(BadInput, match="exactly one"):
        reports.propose(["reports"], source="side")


def test_status_counts_the_proposals_that_wait(reports: Store, folder: Path) -> None:
    edit(reports, folder, "reports", "Monday", "Friday")
    edit(reports, folder, "tea", "tea", "coffee")
    for memory_id in ("reports", "tea"):
        reports.propose([memory_id], title=f"About {memory_id}")
    assert "proposals 2 open\n" in gitmem(folder, "status").out
    reports.reject("about-tea", reason="He does not.")
    assert json.loads(gitmem(folder, "status", "--json").out)["open_proposals"] == 1
    reports.accept("about-reports")
    assert reports.status().open_proposals == 0


def test_a_proposal_lists_how_it_stands_to_main(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "one"}, {"text": "two"}), title="Two facts")
    reports.remember("meanwhile")
    reports.amend("two-facts", batch=lines({"text": "three"}))
    [(proposal, changes)] = reports.proposals()
    assert (proposal.state, proposal.ahead, proposal.behind) == ("open", 2, 1)
    assert proposal.proposed_by == "person:tester"
    assert changes.count(changes.memories[0].kind) == 3
    shown = gitmem(folder, "proposals", "--json").json["proposals"]
    assert [each["name"] for each in shown] == ["two-facts"]
    assert [change["change"] for change in shown[0]["changes"]] == ["added"] * 3


def test_a_branch_made_with_plain_git_is_a_proposal(reports: Store, folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "proposals/by-hand")
    file = edit(reports, folder, "tea", "drinks tea", "drinks coffee")
    git(folder, "mv", str(file), str(file.with_name("moved-tea.md")))
    git(folder, "commit", "-qam", "coffee")
    git(folder, "checkout", "-q", "main")
    [(proposal, changes)] = reports.proposals()
    assert (proposal.title, proposal.proposed_by) == ("by hand", "Test Person")
    assert [(each.id, each.kind) for each in changes.memories] == [("tea", "moved")]
    reports.accept("by-hand")
    assert reports.show("tea").memory.path.endswith("moved-tea.md")


def test_review_shows_fields_sentences_and_what_main_says_already(reports: Store, folder: Path) -> None:
    reports.propose(
        batch=lines({"text": "Bob drinks tea.", "id": "tea2", "title": "Tea of Bob"}), title="Alice"
    )
    bot = as_bot(folder).on("proposals/alice")
    bot.update("reports", "Reports go out on Friday. They go to Alice.", fields={"importance": 0.9})
    bot.tag("tea", add=["hot"])
    before = git(folder, "for-each-ref")
    review = reports.review("alice")
    assert git(folder, "for-each-ref") == before
    new, changed, tagged = review.memories
    assert [(one.id, one.is_same_text) for one in new.beside] == [("tea", True)]
    assert [(one.old, one.new) for one in changed.sentences] == [
        ("Reports go out on Monday.", "Reports go out on Friday.")
    ]
    assert [(one.field, one.old, one.new) for one in changed.fields] == [("importance", None, 0.9)]
    assert [one.new for one in tagged.fields] == [["drinks", "hot"]]
    assert not tagged.beside


def test_review_says_what_main_contradicts_by_now(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "x"}), title="Friday")
    as_bot(folder).on("proposals/friday").update("reports", "Reports go out on Friday. They go to Alice.")
    assert not any(each.is_disputed for each in reports.review("friday").memories)
    reports.update("reports", "Reports go out on Tuesday. They go to Alice.")
    assert [each.change.id for each in reports.review("friday").memories if each.is_disputed] == ["reports"]
    accepted = reports.accept("friday")
    assert accepted.disputed == ["reports"]
    assert [each.id for each in reports.conflicts().memories] == ["reports"]
    text = reports.show("reports").memory.body
    assert "Friday" in text and "Tuesday" in text


def test_the_rules_of_the_store_change_only_where_a_person_says_so(reports: Store, folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "proposals/rules")
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + "\n[trust]\nrequire_signed = false\n")
    git(folder, "commit", "-qam", "rules")
    git(folder, "checkout", "-q", "main")
    assert reports.review("rules").policy == [".gitmem/config.toml"]
    assert "needs a look" in gitmem(folder, "proposals").out
    with pytest.raises(Refused, match=r"changes \.gitmem/config\.toml"):
        reports.accept("rules")
    reports.accept("rules", takes_policy=True)
    assert "[trust]" in git(folder, "show", "main:.gitmem/config.toml")


def test_accepting_merges_says_who_and_leaves_the_branch(reports: Store, folder: Path) -> None:
    bot = as_bot(folder)
    bot.propose(batch=lines({"text": "new", "id": "new"}), title="News")
    bot.on("proposals/news").archive(["old"])
    with pytest.raises(Refused, match="needs a person"):
        bot.accept("news")
    with pytest.raises(Refused, match="needs a person"):
        bot.reject("news", "no")
    accepted = reports.accept("news")
    assert (accepted.taken, accepted.archived, accepted.left) == (["new"], ["old"], [])
    assert ids(reports) == {"new", "reports", "tea"}
    assert reports.show("old").is_archived
    assert "Reviewed-by: person:tester" in git(folder, "log", "-1", "--format=%B", accepted.commit or "")
    assert git(folder, "branch", "-d", "proposals/news")
    [told] = reports.why("new", text="new").statements[-1:]
    assert told.origins[0].reviewed_by == ("person:tester",)
    assert_sound(folder)


def test_a_part_can_be_accepted_and_the_rest_stays_open(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "a", "id": "aa"}, {"text": "b", "id": "bb"}), title="Two")
    as_bot(folder).on("proposals/two").archive(["old", "tea"])
    accepted = reports.accept("two", only=["bb", "old"])
    assert (accepted.taken, accepted.archived, accepted.left) == (["bb"], ["old"], ["aa", "tea"])
    assert ids(reports) == {"bb", "reports", "tea"}
    [(proposal, changes)] = reports.proposals()
    assert {each.id for each in changes.memories} == {"aa", "tea"} and proposal.behind == 0
    with pytest.raises(NotFound, match="changes no memory 'bb'"):
        reports.accept("two", only=["bb"])
    reports.update("bb", "b, and main went on")
    reports.accept("two", only=["aa", "tea"])
    assert ids(reports) == {"aa", "bb", "reports"}
    assert reports.show("bb").memory.body == "b, and main went on\n"
    assert reports.proposals() == []
    assert_sound(folder)


def test_an_edit_on_main_of_what_the_proposal_archives_stays(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "x"}), title="Away")
    as_bot(folder).on("proposals/away").archive(["old"])
    reports.update("old", "A plan of today.")
    accepted = reports.accept("away")
    assert accepted.archived == []
    assert reports.show("old").memory.body == "A plan of today.\n"


def test_only_what_was_reviewed_is_accepted(reports: Store) -> None:
    seen = reports.propose(batch=lines({"text": "harmless"}), title="Fact").proposal.tip
    reports.amend("fact", batch=lines({"text": "not seen"}))
    with pytest.raises(Conflict, match="was changed since"):
        reports.accept("fact", expect=seen)
    reports.accept("fact", expect=reports.review("fact").proposal.tip[:12])


def test_a_rejection_keeps_everything_and_is_seen_in_a_clone(
    reports: Store, folder: Path, tmp_path: Path
) -> None:
    tip = reports.propose(batch=lines({"text": "wrong", "id": "wrong"}), title="Wrong").proposal.tip
    with pytest.raises(BadInput, match="say why"):
        reports.reject("wrong", " ")
    rejected = reports.reject("wrong", "Alice says Monday")
    assert git(folder, "rev-parse", f"{rejected.commit}^").strip() == tip
    assert reports.proposals() == []
    for place in (reports, cloned(folder, tmp_path / "clone")):
        [(proposal, changes)] = place.proposals(settled=True)
        assert (proposal.state, proposal.reason) == ("rejected", "Alice says Monday")
        assert proposal.reviewed_by == "person:tester"
        assert [each.id for each in changes.memories] == ["wrong"]
    for again in (
        lambda: reports.accept("wrong"),
        lambda: reports.amend("wrong", batch=lines({"text": "x"})),
    ):
        with pytest.raises(Refused, match="rejected already"):
            again()


@pytest.mark.parametrize("how", ["merge", "squash", "fast-forward"])
def test_a_merge_by_plain_git_accepts(reports: Store, folder: Path, how: str) -> None:
    """As a pull request on a host does it."""
    reports.propose(batch=lines({"text": "new", "id": "new"}), title="News")
    if how != "fast-forward":
        reports.remember("meanwhile")
    if how == "squash":
        git(folder, "merge", "-q", "--squash", "proposals/news")
        git(folder, "commit", "-qm", "News (#1)")
    else:
        git(folder, "merge", "-q", "proposals/news", "-m", "Merge pull request #1")
    assert reports.proposals() == []
    [(proposal, changes)] = reports.proposals(settled=True)
    assert proposal.state is ProposalState.ACCEPTED
    assert [each.id for each in changes.memories] == ["new"]
    git(folder, "branch", "-D", "proposals/news")
    assert reports.proposals(settled=True) == []


def test_a_branch_deleted_with_plain_git_is_no_proposal_any_more(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "new"}), title="News")
    git(folder, "branch", "-D", "proposals/news")
    assert reports.proposals() == []
    with pytest.raises(NotFound, match="no proposal 'news'"):
        reports.accept("news")
    reports.remember("life goes on")
    assert_sound(folder)


def test_a_fetched_proposal_is_accepted_where_it_was_not_made(
    reports: Store, folder: Path, tmp_path: Path
) -> None:
    laptop = cloned(folder, tmp_path / "laptop")
    laptop.propose(batch=lines({"text": "from afar", "id": "afar"}, {"text": "b", "id": "bb"}), title="Afar")
    git(top(laptop), "push", "-q", "origin", "proposals/afar:refs/heads/inbox")
    git(folder, "fetch", "-q", str(top(laptop)), "proposals/afar:refs/remotes/origin/proposals/afar")
    git(folder, "remote", "add", "origin", str(top(laptop)))
    assert [proposal.name for proposal, _ in reports.proposals()] == ["afar"]
    reports.accept("afar", only=["afar"])
    reports.accept("afar")
    assert ids(reports) >= {"afar", "bb"}
    assert_sound(folder)


def test_a_proposal_needs_no_index_of_its_own(reports: Store, folder: Path) -> None:
    reports.recall("tea")
    reports.propose(batch=lines({"text": "Bob drinks coffee.", "id": "coffee"}), title="Coffee")
    on = reports.on("proposals/coffee")
    on.archive(["old"])
    assert {each.hit.record.id for each in on.recall("Bob drinks").hits} == {"coffee", "tea"}
    assert ids(on) == {"coffee", "tea", "reports"}
    names = {path.name for path in (folder / ".git/gitmem/index").iterdir()}
    assert "main" in names and not any("proposals" in name for name in names)


def test_an_edit_of_what_the_proposal_changed_itself_is_refused(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "x"}), title="Tea")
    as_bot(folder).on("proposals/tea").update("tea", "Bob drinks water.")
    file = edit(reports, folder, "tea", "drinks tea", "drinks coffee")
    with pytest.raises(Conflict, match="changed in the proposal already"):
        reports.amend("tea", ["tea"])
    assert "coffee" in file.read_text()


def test_accepting_is_refused_over_an_edit_that_is_not_committed(reports: Store, folder: Path) -> None:
    reports.propose(batch=lines({"text": "x"}), title="Tea")
    as_bot(folder).on("proposals/tea").update("tea", "Bob drinks water.")
    file = edit(reports, folder, "tea", "drinks tea", "drinks coffee")
    main = git(folder, "rev-parse", "main")
    with pytest.raises(Conflict, match="not committed"):
        reports.accept("tea")
    assert git(folder, "rev-parse", "main") == main
    assert "coffee" in file.read_text()
    assert [proposal.state for proposal, _ in reports.proposals()] == ["open"]


def test_a_store_without_a_commit_has_nothing_to_propose_to(person: None, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "empty")
    with pytest.raises(Refused, match="has no commit yet"):
        Store.open(tmp_path / "empty").propose(batch=lines({"text": "x"}), title="X")
    assert git(tmp_path / "empty", "for-each-ref") == ""


def test_proposals_work_in_a_bare_repository(reports: Store, folder: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    bare = Store.open(tmp_path / "bare.git", clock=FixedClock(NOW))
    bare.propose(batch=lines({"text": "new", "id": "new"}), title="News")
    bare.accept("news")
    assert "new" in ids(bare)


def test_fifty_memories_stay_readable(reports: Store, folder: Path) -> None:
    """A line for each memory, one for its place, one for its text: no wall of diff."""
    requests: list[dict[str, object]] = [
        {"text": f"Fact number {n} about harbour {n}.", "id": f"f{n:02}"} for n in range(50)
    ]
    reports.propose(batch=lines(*requests), title="Fifty facts")
    out = gitmem(folder, "review", "fifty-facts").out
    assert out.startswith("Fifty facts\nfifty-facts, open, by person:tester, 2026-11-29; at ")
    assert "\n50 added\n" in out
    assert len(out.splitlines()) < 50 * 6 + 10
    assert all(f"added  f{n:02}  " in out for n in range(50))


def test_an_agent_is_refused_at_the_command(reports: Store, folder: Path) -> None:
    env = {"GITMEM_IDENTITY": "agent:bot"}
    (folder / "b.jsonl").write_text(lines({"text": "x"}))
    done = gitmem(folder, "propose", "--title", "X", "--batch", "b.jsonl", env=env)
    assert (done.code, done.err) == (0, "gitmem: proposed on proposals/x, a person reviews it\n")
    assert gitmem(folder, "accept", "x", env=env).code == 5
    assert gitmem(folder, "accept", "x", "--json").json["state"] == "accepted"


def test_threads_that_propose_under_one_title_at_once_get_a_proposal_each(
    reports: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New memories that arrive together are published together, but not in one proposal."""

    def lead(*arguments: Any) -> None:
        time.sleep(0.1)
        _lead(*arguments)

    monkeypatch.setattr("gitmem.flows.writing.group._lead", lead)
    with ThreadPoolExecutor(4) as pool:
        made = [
            pool.submit(
                as_bot(folder).propose, batch=lines({"text": f"fact {n}", "id": f"f{n}"}), title="Same"
            )
            for n in range(4)
        ]
        found = [each.result() for each in made]
    assert len({each.proposal.name for each in found}) == 4
    assert sorted(each.id for one in found for each in one.changes.memories) == [f"f{n}" for n in range(4)]


def test_an_archive_that_is_proposed_moves_nothing_yet(store: Store, folder: Path) -> None:
    """The memories stay on main, marked for whoever proposed it; accepted, they are archived with a reason."""
    store.remember("Old news", id="old")
    store.remember("Fresh news", id="fresh")
    proposed = store.propose_archive(["old"], body="Nobody asks for it")
    assert proposed.proposal.title == "Archive Old news" and proposed.proposal.body == "Nobody asks for it"
    assert [(each.id, each.kind) for each in proposed.changes.memories] == [("old", "archived")]
    assert {record.id for record in store.list().records} == {"old", "fresh"}
    assert store.accept(proposed.proposal.name).archived == ["old"]
    assert store.show("old").is_archived
    with pytest.raises(NotFound):
        store.propose_archive(["nosuch"])
    with pytest.raises(BadInput):
        store.propose_archive([])
    assert_sound(folder)


def test_the_way_back_of_an_undone_acceptance_is_one_that_works(reports: Store, folder: Path) -> None:
    """Main has all of the branch, so nothing can be proposed from it; the hint of the refusal brings it back."""
    file = folder / reports.show("tea").memory.path
    file.write_text(file.read_text().replace("tea.", "coffee."))
    proposed = reports.propose(["tea"], title="Coffee").proposal
    reports.accept(proposed.name)
    reports.undo()
    with pytest.raises(Refused, match="accepted already") as refused:
        reports.accept(proposed.name)
    assert refused.value.hint and "gitmem undo OPERATION" in refused.value.hint
    reports.undo(reports.log(limit=1).entries[0].operation_id)
    assert "coffee" in reports.show("tea").memory.body
