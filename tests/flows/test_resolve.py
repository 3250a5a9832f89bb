"""conflicts and resolve: what is disputed is listed with who wrote it, and settled exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import BadInput, StaleVersion
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.flows.clones import cloned, fetched, top

BASE = "Intro.\n\nIt is in Lyon.\n\nEnd.\n"


@pytest.fixture
def pair(store: Store, folder: Path, tmp_path: Path) -> tuple[Store, Store]:
    """Two clones that disagree on the text and the title; ours has merged theirs."""
    store.remember(BASE, id="office", title="Office")
    other = cloned(folder, tmp_path / "clone")
    store.update(
        "office", BASE.replace("Lyon", "Paris"), fields={"title": "Paris office"}, origin=Origin("bot-a")
    )
    other.update(
        "office", BASE.replace("Lyon", "Rome"), fields={"title": "Rome office"}, origin=Origin("bot-b")
    )
    store.merge(fetched(store, other))
    return store, other


def test_conflicts_say_who_wrote_which(pair: tuple[Store, Store]) -> None:
    """On both clones: each names the other's version as theirs, also where it came by a fast-forward."""
    ours, theirs = pair
    theirs.merge(fetched(theirs, ours))
    for store, own in ((ours, "bot-a"), (theirs, "bot-b")):
        (found,) = store.conflicts().memories
        assert found.id == "office"
        assert [each.field for each in found.disputes] == ["title", "text"]
        assert {each.agent: each.is_ours for each in found.versions.values()} == {
            "bot-a": own == "bot-a",
            "bot-b": own == "bot-b",
        }


@pytest.mark.parametrize(("choice", "place"), [("ours", "Paris"), ("theirs", "Rome")])
def test_a_side_comes_back_exactly(pair: tuple[Store, Store], choice: str, place: str) -> None:
    """The file is what that side had, byte for byte, and the memory is active again."""
    ours, theirs = pair
    side = {"Paris": ours.at("main^1"), "Rome": theirs}[place]
    wanted = git(top(side), "show", f"{side.commit}:semantic/of/office.md")
    resolved = ours.resolve("office", choice)
    assert (resolved.left, resolved.written.replaced is not None) == (0, True)
    assert git(top(ours), "show", "main:semantic/of/office.md") == wanted
    assert ours.conflicts().memories == []
    assert_sound(top(ours))


def test_first_second_and_names(pair: tuple[Store, Store]) -> None:
    """By place both disputes are of one side; by name alike; a name that is none is refused with those that are."""
    ours, _ = pair
    (found,) = ours.conflicts().memories
    first, second = found.disputes[1].options
    before = ours.commit
    for choice, option in (("first", first), ("second", second), (first.names[0], first)):
        ours.resolve("office", choice)
        text = ours.show("office").memory.body
        assert option.text in text
        assert ours.show("office").memory.title.split()[0] in option.text
        git(top(ours), "reset", "-q", "--hard", str(before))
    with pytest.raises(BadInput, match="no version") as error:
        ours.resolve("office", "0123456789")
    assert first.names[0] in (error.value.hint or "")


def test_a_new_text_settles_all(pair: tuple[Store, Store]) -> None:
    """A text stands for the passages; a disputed field keeps the value that stands in it."""
    ours, _ = pair
    title = ours.show("office").memory.title
    ours.resolve("office", text="It is in both.")
    memory = ours.show("office").memory
    assert (memory.body, memory.title, memory.status) == ("It is in both.\n", title, "active")
    assert "disputed" not in memory.fields


def test_the_whole_file_as_an_editor_left_it(pair: tuple[Store, Store], tmp_path: Path) -> None:
    """The editor of git is opened; what still holds a dispute or is broken is refused and kept."""
    ours, _ = pair
    script = tmp_path / "editor"
    script.write_text(
        "#!/bin/sh\nprintf -- '---\\nid: office\\ntype: semantic\\ntitle: T\\n---\\nBoth.\\n' > \"$1\"\n"
    )
    script.chmod(0o755)
    ran = gitmem(top(ours), "resolve", "office", "--edit", env={"GIT_EDITOR": str(script)})
    assert ran.code == 0, ran.err
    assert ours.show("office").memory.body == "Both.\n"
    git(top(ours), "reset", "-q", "--hard", "HEAD~1")
    ran = gitmem(top(ours), "resolve", "office", "--edit", env={"GIT_EDITOR": "true"})
    assert (ran.code, "still holds a dispute" in ran.err) == (2, True)
    kept = ran.err.split("what you wrote is in ")[1].split()[0]
    assert "Paris" in Path(kept).read_text()
    Path(kept).unlink()


def test_what_cannot_be_told_or_is_not_disputed_is_refused(pair: tuple[Store, Store], tmp_path: Path) -> None:
    """A clone that wrote neither version has no ours; a memory that is not disputed has nothing to settle."""
    ours, _ = pair
    third = cloned(top(ours), tmp_path / "third")
    with pytest.raises(BadInput, match="written here"):
        third.resolve("office", "ours")
    third.resolve("office", "ours", origin=Origin("bot-b"))
    assert "Rome" in third.show("office").memory.body
    with pytest.raises(BadInput, match="not disputed"):
        third.resolve("office", "first")
    with pytest.raises(BadInput, match="say which"):
        third.resolve("office")


def test_a_stale_choice_is_refused(pair: tuple[Store, Store]) -> None:
    ours, _ = pair
    before = ours.show("office").version
    ours.tag("office", add=["x"])
    with pytest.raises(StaleVersion):
        ours.resolve("office", "first", expect=before)


def test_a_memory_marked_by_hand_is_listed_and_settled_by_a_text(store: Store) -> None:
    store.remember("Doubtful.", id="doubt")
    store.update("doubt", fields={"status": "disputed"})
    (found,) = store.conflicts().memories
    assert found.disputes == []
    with pytest.raises(BadInput, match="no versions"):
        store.resolve("doubt", "first")
    store.resolve("doubt", text="Certain.")
    assert store.show("doubt").memory.status == "active"


def test_three_versions_and_a_settlement_that_travels(pair: tuple[Store, Store], tmp_path: Path) -> None:
    """A third version joins; a version by name settles it; the other clone gets the settlement."""
    ours, theirs = pair
    third = cloned(top(theirs), tmp_path / "third")
    git(top(third), "reset", "-q", "--hard", "HEAD~1")
    third.update("office", BASE.replace("Lyon", "Oslo"))
    ours.merge(fetched(ours, third, "third"))
    (found,) = ours.conflicts().memories
    text = next(each for each in found.disputes if each.field == "text")
    assert sorted(option.text.split()[3] for option in text.options) == ["Oslo.", "Paris.", "Rome."]
    oslo = next(option for option in text.options if "Oslo" in option.text)
    ours.resolve("office", oslo.names[0])
    theirs.tag("office", add=["seen"])
    theirs.merge(fetched(theirs, ours))
    assert theirs.show("office").memory.body == BASE.replace("Lyon", "Oslo")
    assert theirs.show("office").memory.tags == ("seen",)
