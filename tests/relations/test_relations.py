"""How memories relate: by headers, by links in the text, by what they are about; near ones, and ways between."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import BadInput, NotFound
from gitmem.flows.relations.related import Related
from gitmem.flows.writing.drafting import Request
from gitmem.model.memory import Json
from gitmem.model.wiki_links import aliases_in, mentions_in
from gitmem.store import Store
from tests.conftest import git, gitmem


def told(found: Related) -> set[tuple[int, str, str, str]]:
    """Depth, direction, relation and name of every neighbour."""
    return {
        (each.depth, "in" if each.is_backlink else "out", each.relation, each.end.id or each.end.title)
        for each in found.neighbours
    }


@pytest.fixture
def linked(store: Store) -> Store:
    """Four memories that link to each other in every way, and one archived."""
    store.remember_all(
        [
            Request("It answers 100 calls a minute.", id="limit", title="Rate limit", namespace="api"),
            Request(
                "See [[Rate limit|the limit]], [[nowhere]] and `[[limit]]`.\n\n```\n[[guide]]\n```",
                id="guide",
            ),
            Request("Old.", id="old", title="Old guide"),
            Request("New.", id="new", supersedes=["old"], fields={"up": "[[guide]]"}),
            Request("About Alice.", id="one", entities=["person:alice"]),
            Request("About her too.", id="two", entities=["person:alice"]),
        ]
    )
    store.link("guide", "old", relation="replaces")
    store.archive(["old"])
    return store


def test_links_are_followed_both_ways_and_named(linked: Store) -> None:
    """`related`, `supersedes`, links in text and in header fields; not those in code."""
    assert told(linked.related("guide")) == {
        (1, "out", "mentions", "limit"),
        (1, "out", "replaces", "old"),
        (1, "in", "up", "new"),
    }
    assert [(each.name, each.relation) for each in linked.related("guide").dangling] == [
        ("nowhere", "mentions")
    ]
    assert told(linked.related("limit")) == {(1, "in", "mentions", "guide")}
    old = linked.related("old")
    assert old.of.is_archived
    assert told(old) == {(1, "in", "replaces", "guide"), (1, "in", "supersedes", "new")}


def test_depth_and_relation_bound_what_is_followed(linked: Store) -> None:
    assert (2, "out", "mentions", "limit") in told(linked.related("new", depth=2))
    assert told(linked.related("new", depth=3, relation="UP")) == {(1, "out", "up", "guide")}
    for depth in (0, 11):
        with pytest.raises(BadInput, match="--depth"):
            linked.related("new", depth=depth)


def test_what_two_memories_are_about_joins_them(linked: Store) -> None:
    """By way of an entity that no memory is of; `related` names it and goes no further."""
    assert told(linked.related("one", depth=3)) == {(1, "out", "about", "person:alice")}
    assert told(linked.related("person:alice")) == {(1, "in", "about", "one"), (1, "in", "about", "two")}
    way = linked.path("one", "two")
    assert way.steps is not None
    assert [(each.relation, each.is_backlink, each.end.title) for each in way.steps] == [
        ("about", False, "person:alice"),
        ("about", True, "About her too."),
    ]


def test_shortest_way_is_found_or_there_is_none(linked: Store) -> None:
    way = linked.path("limit", "new")
    assert way.steps is not None
    assert [(each.relation, each.is_backlink, each.end.id) for each in way.steps] == [
        ("mentions", True, "guide"),
        ("up", True, "new"),
    ]
    assert linked.path("limit", "one").steps is None
    assert linked.path("limit", "limit").steps == []
    with pytest.raises(NotFound):
        linked.path("limit", "nobody")


@pytest.mark.parametrize(
    "name",
    [
        "m1",
        "The Note",
        "the note",
        "semantic/sub/file",
        "semantic/sub/file.md",
        "file",
        "sub/file",
        "Nick",
        "./sub/file",
    ],
)
def test_a_link_names_a_memory_as_obsidian_writes_it(store: Store, folder: Path, name: str) -> None:
    """By id, title, path, name of the file, end of the path, alias."""
    note = folder / "semantic/sub/file.md"
    note.parent.mkdir(parents=True)
    note.write_text("---\nid: m1\ntitle: The Note\naliases: [Nick]\n---\nText.\n")
    (folder / "semantic/other.md").write_text(f"---\nid: m2\n---\nSee [[{name}#Part|shown]].\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    assert told(store.related("m2")) == {(1, "out", "mentions", "m1")}
    assert told(store.related("m1")) == {(1, "in", "mentions", "m2")}


def test_of_two_with_one_title_the_one_beside_it_is_meant(store: Store) -> None:
    store.remember_all(
        [
            Request("a", id="far", title="Same", namespace="a"),
            Request("b", id="near", title="Same", namespace="b"),
            Request("[[Same]]", id="from", namespace="b"),
        ]
    )
    assert told(store.related("from")) == {(1, "out", "mentions", "near")}
    assert told(store.related("far")) == set()


def test_hand_edits_and_the_past_are_seen(linked: Store, folder: Path) -> None:
    """A link that is not committed is one already; in the past it was none."""
    (file,) = folder.glob("semantic/*/*-one.md")
    file.write_text(file.read_text() + "\n[[guide]]\n")
    assert (1, "out", "mentions", "guide") in told(linked.related("one"))
    assert (1, "out", "mentions", "guide") not in told(linked.at("HEAD").related("one"))
    assert not linked.at("HEAD~2").related("old").of.is_archived


def test_command_says_what_the_library_says(linked: Store, folder: Path) -> None:
    ran = gitmem(folder, "related", "guide")
    assert "→ replaces  old  Old guide  semantic, archived" in ran.out
    assert "no memory “nowhere”" in ran.out
    assert gitmem(folder, "path", "limit", "one", "--fail-empty").code == 1
    shown = gitmem(folder, "path", "limit", "new", "--json").json
    assert shown["length"] == 2 and shown["steps"][0]["direction"] == "in"


def test_an_empty_store_is_no_crash(store: Store, folder: Path) -> None:
    assert gitmem(folder, "related", "x").code == 3
    assert gitmem(folder, "path", "x", "y").code == 3
    assert gitmem(folder, "entities").code == 0
    assert gitmem(folder, "graph", "--json").json["nodes"] == []


def test_links_and_aliases_of_odd_headers_are_read_or_left_out() -> None:
    fields: dict[str, Json] = {
        "up": ["[[a]]", 3, None],
        "title": "[[no]]",
        "aliases": ["  x  y ", 7, "", ["w"], None],
        "alias": "z",
    }
    assert mentions_in("![[embedded]] \\[[escaped]] [[b]] [[b]]", fields) == (("b", "mentions"), ("a", "up"))
    assert aliases_in(fields) == ("x y", "7", "z")
    assert len(mentions_in(" ".join(f"[[n{number}]]" for number in range(3000)), {})) == 1000
