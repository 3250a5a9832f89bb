"""A story by the command line, over HTTP: one store, a fork of it, what each learns, and how both agree again."""

from __future__ import annotations

from pathlib import Path

from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.stories.user import User, happened

KNOWN = [
    {"id": "limit", "title": "Calls a minute", "text": "The harbor API allows 100 calls a minute."},
    {"id": "invoices", "title": "Invoices", "text": "Invoices go to the billing team."},
    {"id": "deploy", "title": "Deploys", "text": "Harbor is deployed on Tuesdays."},
    {"id": "night", "title": "The night job", "text": "The night job takes an hour."},
]


def test_two_agents_fork_learn_contradict_and_agree(shared: str, tmp_path: Path) -> None:
    """Nothing that either learned is lost, one dispute is settled by a person, and both end up the same."""
    ann, bob = User(tmp_path / "ann"), User(tmp_path / "bob")
    User(tmp_path).do("init", "ann")
    ann.do_batch(KNOWN, "remember", "--agent", "ann")
    ann.git("remote", "add", "origin", shared)
    assert happened(ann.json("sync")["went"]) == {("added", memory["id"]) for memory in KNOWN}

    forked = User(tmp_path).do("clone", shared, "bob", "--agent", "bob")
    assert "4 memories on main" in forked and "new memories come from bob" in forked
    fork_point = ann.git("rev-parse", "main").strip()

    bob.do("remember", "Retry a failed call after 30 seconds.", "--id", "retry")
    bob.do("update", "limit", "The harbor API allows 60 calls a minute.")
    bob.do("append", "invoices", "Send a copy to Dana.")
    bob.do("rename", "deploy", "When harbor is deployed")
    ann.do("remember", "Dana is on leave in May.", "--id", "dana", "--agent", "ann")
    ann.do("update", "limit", "The harbor API allows 200 calls a minute.", "--agent", "ann")
    ann.do("archive", "invoices")
    ann.do("append", "deploy", "Never before a holiday.", "--agent", "ann")

    went = bob.json("sync")["went"]
    assert happened(went) == {
        ("added", "retry"),
        ("changed", "limit"),
        ("changed", "invoices"),
        ("changed", "deploy"),
    }
    ann.git("fetch", "-q")
    assert "origin    4 ahead, 4 behind, in memories, as last fetched" in ann.do("status")

    synced = ann.do("sync")
    assert "archived here, changed there: the change stays on the branch" in synced
    assert "1 memory is disputed; 'gitmem conflicts' shows both versions" in synced
    assert "disputed  limit" in synced and synced.count("disputed  ") == 1
    listed = ann.do("conflicts")
    assert "200 calls" in listed and "60 calls" in listed
    assert "ours, ann" in listed and "theirs, bob" in listed

    ann.do("resolve", "limit", "--theirs", "--reason", "the documentation says 60")
    assert happened(ann.json("sync")["went"]) == {("changed", "limit")}
    assert happened(bob.json("sync")["came"]) == {
        ("added", "dana"),
        ("changed", "deploy"),
    }, "of limit bob's own version came back"
    assert ann.do("sync") == f"origin ({shared}) and this store have the same\n"
    _assert_agreed(ann, bob, tmp_path / "host" / "team.git")

    status = bob.do("status")
    assert f"forked    from {shared} at {fork_point[:10]}" in status
    assert "origin    0 ahead, 0 behind" in status and "memories  6 " in status
    since = bob.do("log", "--since-fork")
    assert "on both sides: 5 memories, 2 added, 3 changed" in since
    assert "here alone" not in since and "there alone" not in since
    assert [line.split()[:2] for line in since.splitlines()[2:]] == [
        ["added", "dana"],
        ["changed", "deploy"],
        ["changed", "invoices"],
        ["changed", "limit"],
        ["added", "retry"],
    ]
    assert "reason the documentation says 60" in bob.do("why", "limit", "--text", "60 calls")


def _assert_agreed(ann: User, bob: User, hub: Path) -> None:
    """All three have the same memories, with what each side wrote, and each store is sound."""
    assert len({git(each, "rev-parse", "main") for each in (ann.folder, bob.folder, hub)}) == 1
    stores = [Store.open(each) for each in (ann.folder, bob.folder)]
    for store in stores:
        texts = {record.id: store.show(record.id).memory.body for record in store.list().records}
        assert texts == {
            "limit": "The harbor API allows 60 calls a minute.\n",
            "invoices": "Invoices go to the billing team.\nSend a copy to Dana.\n",
            "deploy": "Harbor is deployed on Tuesdays.\nNever before a holiday.\n",
            "night": "The night job takes an hour.\n",
            "retry": "Retry a failed call after 30 seconds.\n",
            "dana": "Dana is on leave in May.\n",
        }
        assert store.show("deploy").memory.title == "When harbor is deployed"
        assert not store.conflicts().memories and not store.check().findings
        assert store.place.tip("archive") == stores[0].place.tip("archive")
        store.close()
    for each in (ann, bob):
        assert_sound(each.folder)
