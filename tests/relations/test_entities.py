"""Entities: one under all its names, also for recall; and which two of them may be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import BadInput
from gitmem.evolve.entities import Known, is_one_letter_apart, merges
from gitmem.flows.writing.drafting import Request
from gitmem.model.ids import MemoryId
from gitmem.store import Store
from tests.conftest import gitmem


def of(key: str, *names: str, id: str | None = None, kinds: str = "", mentions: int = 0) -> Known:
    return Known(key, id, names, mentions, frozenset(kinds.split()))


@pytest.mark.parametrize(
    ("kept", "other", "reason"),
    [
        (("Alice", "Ally"), ("ally",), "both are called 'ally'"),
        (("John Zhang",), ("JohnZhang",), "differ by blanks and signs alone"),
        (("John Zhang",), ("Zhang, John",), None),
        (("John Zhang",), ("Zhang John",), "have the same words"),
        (("harbour",), ("project:harbor",), "one letter apart"),
        (("server 1",), ("server 2",), None),
        (("Alice",), ("Alicia",), None),
        (("张三",), ("李四",), None),
    ],
)
def test_two_that_look_alike_may_be_one(
    kept: tuple[str, ...], other: tuple[str, ...], reason: str | None
) -> None:
    found = merges([of("b", *other), of("a", *kept, id="a")])
    assert [reason] == [reason for each in found if reason in each.reason] if reason else found == []
    assert all((each.kept.key, each.other.key) == ("a", "b") for each in found)


def test_kinds_must_agree_and_a_memory_is_kept() -> None:
    person, project = of("a", "Harbor", id="a", kinds="person"), of("b", "Harbor", id="b", kinds="project")
    assert merges([person, project]) == []
    assert merges([of("x", "harbor"), of("y", "harbor")]) == []
    (merge,) = merges([of("z", "Harbor", id="z"), of("y", "Harbor", id="y", mentions=4)])
    assert (merge.kept.key, merge.other.key) == ("y", "z")


@pytest.mark.parametrize(
    ("one", "two", "is_so"),
    [("harbor", "harbour", True), ("harbor", "harbro", True), ("harbor", "harbot", True), ("harbor", "rabroh", False),
     ("harbor", "harbor", False), ("abc", "abd", False), ("server1", "server2", False)],
)  # fmt: skip
def test_one_letter_apart(one: str, two: str, is_so: bool) -> None:
    assert is_one_letter_apart(one, two) is is_one_letter_apart(two, one) is is_so


@pytest.fixture
def team(store: Store) -> Store:
    store.remember_all(
        [
            Request(
                "Owns payments.",
                id="zs",
                title="张三",
                namespace="entities/people",
                fields={"aliases": ["张工", "John Zhang"]},
            ),
            Request("John Zhang moved the cluster.", id="moved"),
            Request("张工说每晚备份。", id="backup"),
            Request("Keys are rotated.", id="rotated", entities=["person:john-zhang"]),
            Request("John Smith drinks tea. Zhang is a common name.", id="noise"),
            Request("Sits in Lyon.", id="jz", title="JohnZhang", namespace="entities"),
        ]
    )
    return store


def test_all_names_are_one(team: Store, folder: Path) -> None:
    for name in ("zs", "张三", "张工", "john zhang", "person:john-zhang"):
        shown = team.entity(name)
        assert (shown.end.id, [end.id for end in shown.about], shown.kinds) == ("zs", ["rotated"], ["person"])
    listed = gitmem(folder, "entities", "--json").json["entities"]
    assert [(each["id"], each["mentions"]) for each in listed] == [("zs", 1), ("jz", 0)]


@pytest.mark.parametrize("name", ["张三", "张工", "John Zhang", "john-zhang"])
def test_recall_for_one_name_finds_what_says_another(team: Store, name: str) -> None:
    """Before what has but the words of it; with the reason."""
    hits = [each.hit.record.id for each in team.recall(name, limit=20, min_relevance=0).hits]
    assert {"zs", "moved", "backup", "rotated"} <= set(hits)
    assert "noise" not in hits or hits.index(MemoryId("noise")) > hits.index(MemoryId("moved"))


def test_a_store_without_entities_is_searched_as_ever(store: Store) -> None:
    """Aliases of other notes change nothing, so the figures of the benchmarks stay."""
    store.remember("Ann is here.", id="note", fields={"aliases": ["Bob"]})
    store.remember("Cy and Ann.", id="other")
    assert [each.hit.record.id for each in store.recall("Bob", min_relevance=0).hits] == ["note"]


def test_merges_are_proposed_once_and_a_person_accepts(team: Store, folder: Path) -> None:
    """The kept memory gets names and text; the other is archived; what was rejected does not come again."""
    dry = team.suggest_merges(dry_run=True)
    assert [(each.kept.id, each.other.id, each.proposal) for each in dry.suggested] == [("zs", "jz", None)]
    assert team.proposals() == []
    (made,) = team.suggest_merges().suggested
    assert made.proposal is not None
    (again,) = team.suggest_merges().suggested
    assert again.is_known and len(team.proposals()) == 1
    team.accept(made.proposal.proposal.name)
    memory = team.show("zs").memory
    assert memory.fields["aliases"] == ["张工", "John Zhang", "JohnZhang"]
    assert memory.body == "Owns payments.\n\nSits in Lyon.\n" and memory.supersedes == ("jz",)
    assert team.show("jz").is_archived
    assert team.suggest_merges().suggested == []


def test_a_rejected_merge_is_not_proposed_again(team: Store) -> None:
    (made,) = team.suggest_merges().suggested
    assert made.proposal is not None
    team.reject(made.proposal.proposal.name, "two people")
    assert [(each.is_known, each.proposal) for each in team.suggest_merges().suggested] == [(True, None)]
    with pytest.raises(BadInput, match="--limit"):
        team.suggest_merges(limit=21)


def test_wrong_use_is_told(store: Store, folder: Path) -> None:
    for words in (["what"], ["show"], ["list", "x"]):
        assert gitmem(folder, "entities", *words).code == 2
    assert gitmem(folder, "entities", "show", "nobody").code == 3


def test_a_filter_for_one_name_finds_what_says_another(store: Store) -> None:
    """Title, aliases, with a kind or without; where no memory is of it, the name counts as it is."""
    store.remember(
        "Leads the harbor team.", id="zhang", title="张工", namespace="entities",
        fields={"aliases": ["John Zhang", "johnz"]},
    )  # fmt: skip
    store.remember("Wants reports by mail.", id="mail", entities=["person:john-zhang"])
    store.remember("Wants reports on Monday.", id="monday", entities=["张工"])
    store.remember("Wants no reports.", id="none", entities=["person:lee"])
    for handle in (store, store.at("HEAD")):
        for name in ("张工", "person:john-zhang", "johnz", "John Zhang"):
            where = Store.where(entities=[name])
            assert {record.id for record in handle.list(where).records} == {"mail", "monday"}
            answer = handle.recall("reports", where)
            assert {each.hit.record.id for each in answer.hits} == {"mail", "monday"}
            assert not any("names the entity" in note for note in answer.notes)
        assert [each.id for each in handle.list(Store.where(entities=["person:lee"])).records] == ["none"]
        assert handle.list(Store.where(entities=["lee"])).notes == ("no memory names the entity 'lee'",)
    both = Store.where(entities=["johnz", "person:lee"])
    assert not store.list(both).records
