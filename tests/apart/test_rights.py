"""Who may write, propose and approve where; and what stays as it was when somebody else is at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import Conflict, GitmemError, NotFound, Refused, StoreProblem
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.apart.conftest import Planted, as_agent, as_person
from tests.conftest import NOW, assert_sound, git, gitmem

POLICY = """
[partitions.people]
namespaces = ["people/*"]
write = ["person:*"]
propose = ["clerk"]
approve = ["person:alice"]

[partitions.box]
namespaces = ["box"]
read = ["person:*"]
approve = []
"""


def acting(folder: Path, who: str) -> Store:
    kind, name = who.split(":")
    return Store.open(folder, clock=FixedClock(NOW), identity=Identity(Kind(kind), name))


@pytest.fixture
def shared(store: Store, folder: Path) -> Path:
    """A store with a partition that agents read and do not write, and one that they write and do not read."""
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + POLICY)
    git(folder, "commit", "-qam", "policy")
    acting(folder, "person:alice").remember("Carol likes tea.", id="carol", namespace="people/carol")
    return folder


def test_who_may_not_write_is_refused_in_one_line_that_names_partition_and_setting(shared: Path) -> None:
    before = git(shared, "for-each-ref")
    bot = acting(shared, "agent:bot")
    writes: list[Callable[[], object]] = [
        lambda: bot.remember("Carol is rich.", namespace="people/carol"),
        lambda: bot.update("carol", "Carol likes coffee."),
        lambda: bot.append("carol", "And cake."),
        lambda: bot.archive(["carol"]),
        lambda: bot.rename("carol", namespace="other"),
        lambda: bot.propose(batch='{"text": "Carol is rich.", "namespace": "people/carol"}'),
    ]
    for write in writes:
        with pytest.raises(
            Refused, match=r"^agent:bot may not (write|propose) in the partition people$"
        ) as told:
            write()
        assert str(told.value.hint).startswith("partitions.people.")
    assert git(shared, "for-each-ref") == before


def test_what_an_agent_calls_itself_gives_no_rights(shared: Path) -> None:
    bot = acting(shared, "agent:bot")
    with pytest.raises(Refused):
        bot.update("carol", "changed", origin=Origin(agent="person:alice"))


def test_whoever_may_propose_only_writes_to_a_proposal(shared: Path) -> None:
    clerk = acting(shared, "agent:clerk")
    main = git(shared, "rev-parse", "main")
    assert clerk.update("carol", "Carol likes coffee.").branch == "proposals/clerk"
    assert clerk.remember("Carol has a dog.", id="dog", namespace="people/carol").branch == "proposals/clerk"
    assert clerk.append("dog", "A small one.").branch == "proposals/clerk"
    assert git(shared, "rev-parse", "main") == main
    assert clerk.show("carol").edit == clerk.show("dog").edit == "proposed"
    # Elsewhere it writes as everybody.
    assert clerk.remember("Tea at four.", namespace="rooms").branch == "main"
    with pytest.raises(Refused, match="person:bob may not approve in the partition people"):
        acting(shared, "person:bob").accept("clerk")
    with pytest.raises(Refused, match="may not approve"):
        acting(shared, "person:bob").reject("clerk", "no")
    acting(shared, "person:alice").accept("clerk")
    assert acting(shared, "agent:bot").show("carol").memory.body == "Carol likes coffee.\n"
    assert_sound(shared)


def test_a_memory_is_moved_by_who_may_write_at_both_ends(shared: Path) -> None:
    bot = acting(shared, "agent:bot")
    bot.remember("Tea at four.", id="tea", namespace="rooms")
    with pytest.raises(Refused, match="may not write in the partition people"):
        bot.rename("tea", namespace="people/carol")
    acting(shared, "person:alice").rename("tea", namespace="people/carol")
    with pytest.raises(Refused, match="may not write in the partition people"):
        bot.rename("tea", namespace="rooms")


def test_what_is_put_into_a_box_is_not_seen_by_who_put_it_there(shared: Path) -> None:
    bot = acting(shared, "agent:bot")
    put = bot.remember("For people only.", id="letter", namespace="box")
    for who in (bot, acting(shared, "agent:bot")):
        with pytest.raises(NotFound):
            who.show("letter")
        with pytest.raises(NotFound):
            who.update("letter", "changed")
    with pytest.raises(Conflict, match="in use already"):
        acting(shared, "agent:bot").remember("Another.", namespace="box", path=put.path)
    with pytest.raises(Conflict, match="in use already"):
        acting(shared, "agent:bot").remember("Another.", id="letter")
    alice = acting(shared, "person:alice")
    assert alice.show("letter").memory.body == "For people only.\n"
    assert_sound(shared)


def test_a_memory_of_another_type_in_the_same_folder_is_apart(planted: Planted) -> None:
    folder = planted.copy("mem")
    assert "zanzibar-odd" not in {record.id for record in as_agent(folder).list().records}
    with pytest.raises(NotFound):
        as_agent(folder).show("semantic/odd-zanzibar-odd.md")


def test_only_the_committed_head_of_main_says_who_may(shared: Path) -> None:
    config = shared / ".gitmem/config.toml"
    config.write_text(config.read_text().replace('write = ["person:*"]', 'write = ["*"]'))
    with pytest.raises(Refused):
        acting(shared, "agent:bot").update("carol", "changed")
    git(shared, "checkout", "-q", "-b", "mine")
    git(shared, "commit", "-qam", "looser")
    with pytest.raises(Refused):
        acting(shared, "agent:bot").update("carol", "changed")


def test_an_access_list_that_names_nobody_is_an_error(store: Store, folder: Path) -> None:
    config = folder / ".gitmem/config.toml"
    config.write_text(config.read_text() + '[partitions.people]\nread = ["robot:x"]\n')
    git(folder, "commit", "-qam", "policy")
    with pytest.raises(StoreProblem, match=r"partitions\.people\.read: 'robot:x' is not an identity"):
        Store.open(folder)


def test_a_sync_by_an_agent_carries_what_it_may_not_read_and_says_nothing_of_it(planted: Planted) -> None:
    folder = planted.copy("mem")
    synced = as_agent(folder).sync("origin")
    assert [change.id for change in synced.came] == ["far"]
    assert [change.id for change in synced.went] == ["near"]
    git(folder, "fetch", "-q", "origin")
    assert git(folder, "rev-parse", "main") == git(folder, "rev-parse", "origin/main")
    person = as_person(folder)
    for name in ("zanzibar-far", "zanzibar-near", "zanzibar-was"):
        assert "Zanzibar" in person.show(name).memory.body


def test_writes_beside_leave_what_is_hidden_as_it_was(planted: Planted) -> None:
    folder = planted.copy("mem")

    def hidden() -> list[str]:
        return [line for line in git(folder, "ls-tree", "-r", "main").splitlines() if "people/" in line]

    before = hidden()
    agent = as_agent(folder)
    agent.remember("One more.", id="more")
    agent.rename("reports", namespace="open")
    agent.archive(["tea"])
    agent.undo()
    agent.restore(["oldtea"])
    assert before
    assert hidden() == before
    assert git(folder, "fsck", "--strict") == ""
    assert {record.id for record in as_person(folder).list(limit=None).records} >= {"zanzibar-one", "more"}


def test_no_archive_or_undo_of_an_agent_reaches_what_it_may_not_read(planted: Planted) -> None:
    folder = planted.copy("mem")
    operations = git(folder, "log", "--format=%(trailers:key=Operation-Id,valueonly)", "main").split()
    agent, before = as_agent(folder), git(folder, "for-each-ref")
    undone = 0
    for operation in operations:
        try:
            told = agent.undo(operation)
        except GitmemError:
            continue
        undone += 1
        assert "anzibar" not in told.subject
    assert undone
    changed = git(folder, "diff", "--name-only", _main(before), "main").split()
    assert changed
    assert not [path for path in changed if "people/" in path or "episodic" in path]


def _main(refs: str) -> str:
    return next(line.split()[0] for line in refs.splitlines() if line.endswith("refs/heads/main"))


def test_a_helper_gives_nobody_the_answer_of_another(planted: Planted) -> None:
    from tests.helper.conftest import Serving

    folder = planted.copy("mem")
    people, agents = ({"GITMEM_IDENTITY": who} for who in ("person:alice", "agent:bot"))
    helper = Serving(folder, env=people)
    try:
        assert "listening" in helper.first_line
        for _ in range(2):
            assert "zanzibar" in gitmem(folder, "recall", "zanzibar pays", env=people).out.casefold()
            assert gitmem(folder, "recall", "zanzibar pays", env=agents).out == "nothing found\n"
    finally:
        said = helper.stop()
    assert "answered 4" in said
