"""The policy sends writes where they wait: to a proposal of their author, or to quarantine."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import BadInput, NotFound, Refused
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import NOW, assert_sound, git, gitmem

POLICY = """
[identities.bot]
review = "required"

[identities.web]
trust = "quarantine"
review = "required"

[identities.intern]
review = "required"

[trust]
quarantine = ["https://*", "tool:*"]
"""
WEB = Origin(source="https://example.com/page")


@pytest.fixture
def governed(store: Store, folder: Path) -> Store:
    """A store with a policy and two memories, as a person has it."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + POLICY)
    git(folder, "commit", "-qam", "policy")
    person = Store.open(folder, clock=FixedClock(NOW))
    person.remember("Reports go out on Monday.", id="reports")
    person.remember("A plan of long ago.", id="old")
    return person


def acting_as(folder: Path, name: str, kind: Kind = Kind.AGENT) -> Store:
    return Store.open(folder, clock=FixedClock(NOW), identity=Identity(kind, name))


def labels(store: Store) -> dict[str, tuple[str, ...]]:
    listing = store.list()
    return {record.id: tuple(listing.labels.get(record.path, ())) for record in listing.records}


def test_whatever_an_agent_under_review_writes_waits_on_one_proposal(governed: Store, folder: Path) -> None:
    bot, main = acting_as(folder, "bot"), git(folder, "rev-parse", "main")
    session = Origin(session="s-1")
    new = bot.remember("Bob drinks tea.", id="tea", origin=session)
    assert new.branch == "proposals/bot-s-1"
    assert new.notices == ("proposed on proposals/bot-s-1, a person reviews it",)
    bot.update("reports", "Reports go out on Friday.", origin=session)
    bot.append("tea", "With milk.", origin=session)
    bot.tag("reports", add=["weekly"], origin=session)
    bot.rename("tea", "Drinks of Bob", origin=session)
    bot.link("tea", "reports", origin=session)
    bot.archive(["old"], origin=session)
    assert git(folder, "rev-parse", "main") == main
    assert git(folder, "branch", "--list", "archive") == ""
    assert [proposal.name for proposal, _ in governed.proposals()] == ["bot-s-1"]
    assert governed.accept("bot-s-1").archived == ["old"]
    assert governed.show("reports").memory.tags == ("weekly",)
    assert governed.show("tea").memory.body == "Bob drinks tea.\nWith milk.\n"
    assert bot.remember("another", origin=session).branch == "proposals/bot-s-1-2"
    assert bot.remember("another session").branch == "proposals/bot"
    assert_sound(folder)


def test_what_is_proposed_is_seen_by_its_author_alone(governed: Store, folder: Path) -> None:
    bot = acting_as(folder, "bot")
    bot.remember("Bob drinks tea.", id="tea")
    bot.update("reports", "Reports go out on Friday.")
    bot.archive(["old"])
    assert labels(bot) == {
        "tea": ("proposed",),
        "reports": ("proposed",),
        "old": ("proposed to be archived",),
    }
    assert [each.hit.labels for each in bot.recall("Friday").hits] == [("proposed",)]
    assert bot.show("tea").edit == "proposed"
    assert bot.show("tea").raw.endswith(b"Bob drinks tea.\n")
    assert bot.show("reports").memory.body == "Reports go out on Friday.\n"
    for other in (governed, acting_as(folder, "web"), acting_as(folder, "intern", Kind.PERSON)):
        assert labels(other) == {"reports": (), "old": ()}
        assert other.recall("Friday").hits == ()
        with pytest.raises(NotFound):
            other.show("tea")


def test_a_proposal_is_written_on_what_main_says_now(governed: Store, folder: Path) -> None:
    bot = acting_as(folder, "bot")
    bot.remember("first", id="first")
    governed.remember("meanwhile", id="meanwhile")
    bot.tag("meanwhile", add=["seen"])
    [(proposal, changes)] = governed.proposals()
    assert (proposal.behind, {each.id for each in changes.memories}) == (0, {"first", "meanwhile"})


def test_an_edit_of_what_main_archived_meanwhile_is_accepted_and_stands_once(
    governed: Store, folder: Path
) -> None:
    bot = acting_as(folder, "bot")
    bot.update("old", "A plan that is alive.")
    governed.archive(["old"])
    bot.remember("another", id="another")
    assert governed.show("old").is_archived
    governed.accept("bot")
    assert governed.show("old").memory.body == "A plan that is alive.\n"
    assert governed.on("archive").list().total == 0
    assert governed.doctor() == []


def test_what_cannot_be_proposed_is_refused(governed: Store, folder: Path) -> None:
    bot = acting_as(folder, "bot")
    governed.archive(["old"])
    before = git(folder, "for-each-ref")
    for verb in (
        lambda: bot.restore(["old"]),
        lambda: bot.undo(),
        lambda: bot.merge("archive"),
        lambda: bot.commit_edits(),
        lambda: bot.approve(["old"]),
        lambda: bot.on("archive").update("old", "changed"),
    ):
        with pytest.raises(Refused):
            verb()
    assert git(folder, "for-each-ref") == before


def test_a_person_under_review_accepts_nothing(governed: Store, folder: Path) -> None:
    intern = acting_as(folder, "intern", Kind.PERSON)
    assert intern.remember("I learned this.").branch == "proposals/intern"
    with pytest.raises(Refused, match="needs somebody else"):
        intern.accept("intern")
    governed.accept("intern")
    web = acting_as(folder, "web", Kind.PERSON)
    assert web.remember("from somewhere", id="where").branch == "quarantine"
    with pytest.raises(Refused, match="needs somebody else"):
        web.approve(["where"])


def test_the_author_of_a_rejected_proposal_is_told_why(governed: Store, folder: Path) -> None:
    said: list[str] = []
    bot = Store.open(folder, identity=Identity(Kind.AGENT, "bot"), notice=said.append)
    bot.remember("Reports are pink.", id="pink")
    governed.reject("bot", "they are blue")
    assert labels(bot) == {"reports": (), "old": ()}
    assert bot.remember("Reports are blue.").branch == "proposals/bot-2"
    assert said == ["proposals/bot was rejected by person:tester: they are blue"]


def test_nobody_under_review_writes_to_the_proposal_of_another(governed: Store, folder: Path) -> None:
    acting_as(folder, "bot").remember("mine", id="mine")
    web = acting_as(folder, "intern", Kind.PERSON)
    with pytest.raises(Refused, match="not an open proposal of"):
        web.on("proposals/bot").update("mine", "yours")
    with pytest.raises(Refused, match="not an open proposal of"):
        web.amend("bot", batch='{"text": "x"}')


def test_what_an_untrusted_source_says_waits_on_quarantine(governed: Store, folder: Path) -> None:
    written = governed.remember("The moon is cheese.", id="moon", origin=WEB)
    assert written.branch == "quarantine"
    assert written.notices == ("waits on quarantine until a person approves it",)
    assert governed.recall("moon cheese").hits == ()
    [hit] = governed.recall("moon cheese", quarantined=True).hits
    assert (hit.hit.record.id, hit.hit.labels) == ("moon", ("quarantined",))
    listing = governed.list(quarantined=True)
    assert [(record.id, tuple(listing.labels[record.path])) for record in listing.records] == [
        ("moon", ("quarantined",))
    ]
    with pytest.raises(Refused, match="needs a person"):
        acting_as(folder, "bot").approve(["moon"])
    governed.approve(["moon"])
    assert [each.hit.record.id for each in governed.recall("moon cheese").hits] == ["moon"]
    assert governed.list(quarantined=True).total == 0
    assert "Reviewed-by: person:tester" in git(folder, "log", "-1", "--format=%B", "main")
    [told] = governed.why("moon", text="cheese").statements
    assert told.origins[0].reviewed_by == ("person:tester",)
    assert_sound(folder)


def test_quarantine_wins_over_a_proposal(governed: Store, folder: Path) -> None:
    web = acting_as(folder, "web")
    assert web.remember("w", id="ww").branch == "quarantine"
    assert acting_as(folder, "bot").remember("b", id="bb", origin=WEB).branch == "quarantine"
    assert web.update("ww", "w, corrected").branch == "quarantine"
    with pytest.raises(Refused, match="waits on quarantine"):
        web.propose(batch='{"text": "x"}')
    with pytest.raises(Refused, match="waits on quarantine"):
        governed.propose(batch='{"text": "x", "source": "tool:shell"}')


def test_an_untrusted_change_of_a_trusted_memory_is_a_proposal(governed: Store, folder: Path) -> None:
    assert acting_as(folder, "web").update("reports", "hacked").branch == "proposals/web"
    assert governed.update("reports", "the page says so", origin=WEB).branch == "proposals/tester"
    assert governed.show("reports").memory.body == "Reports go out on Monday.\n"


def test_a_batch_is_trusted_or_not_as_a_whole(governed: Store, folder: Path) -> None:
    before = git(folder, "for-each-ref")
    with pytest.raises(BadInput, match="some of these memories wait on quarantine"):
        governed.remember_all([Request("a"), Request("b", origin=WEB)])
    assert git(folder, "for-each-ref") == before


def test_the_command_says_where_a_write_went(governed: Store, folder: Path) -> None:
    env = {"GITMEM_IDENTITY": "agent:bot"}
    done = gitmem(folder, "remember", "Bob drinks tea.", "--id", "tea", "--session", "s-9", env=env)
    assert done.err == "gitmem: proposed on proposals/bot-s-9, a person reviews it\n"
    done = gitmem(folder, "archive", "old", env=env)
    assert done.out.endswith("what main has is archived when it is accepted\n")
    assert "[proposed to be archived]" in gitmem(folder, "list", env=env).out
    governed.remember("cheese", id="moon", origin=WEB)
    assert "[quarantined]" in gitmem(folder, "recall", "cheese", "--quarantined").out
    assert gitmem(folder, "approve", "moon").code == 0
