"""merge: two lines of work become one, on every clone the same, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import Busy, Conflict, Refused
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.flows.clones import Edit, cloned, fetched, top, tree


@pytest.fixture
def pair(store: Store, folder: Path, tmp_path: Path) -> tuple[Store, Store]:
    """A store of one memory, and a clone of it."""
    store.remember("Old office is in Lyon.", id="office", tags=["a"])
    return store, cloned(folder, tmp_path / "clone")


def both_ways(ours: Store, theirs: Store) -> tuple[str, set[str]]:
    """Merges each into the other; the tree that both come to, and the cases that were reported."""
    names = fetched(ours, theirs), fetched(theirs, ours)
    merging = ours.merge(names[0])
    assert theirs.merge(names[1]).kind == "merge"
    assert tree(ours) == tree(theirs)
    assert_sound(top(ours))
    assert_sound(top(theirs))
    return tree(ours), {str(line.case) for line in merging.report}


CASES: dict[str, tuple[Edit, Edit, str, str]] = {
    "merged": (
        lambda s: s.tag("office", add=["left"]),
        lambda s: s.tag("office", add=["right"], remove=["a"]),
        "semantic/of/old-office-is-in-lyon-office.md",
        "tags:\n  - left\n  - right\n",
    ),
    "disputed": (
        lambda s: s.update("office", "It is in Paris."),
        lambda s: s.update("office", "It is in Rome."),
        "semantic/of/old-office-is-in-lyon-office.md",
        "> It is in Paris.\n",
    ),
    "born-twice": (
        lambda s: s.remember("One.", id="twice", path="notes/one.md"),
        lambda s: s.remember("Two.", id="twice", path="notes/two.md"),
        "notes/one.md",
        "> Two.\n",
    ),
    "renamed-edited": (
        lambda s: s.rename("office", "Office"),
        lambda s: s.append("office", "Lease kept."),
        "semantic/of/office.md",
        "Lease kept.\n",
    ),
    "renamed-twice": (
        lambda s: s.rename("office", path="b/office.md"),
        lambda s: s.rename("office", path="a/office.md"),
        "a/office.md",
        "Old office is in Lyon.\n",
    ),
    "archived-edited": (
        lambda s: s.archive(["office"]),
        lambda s: s.append("office", "Lease kept."),
        "semantic/of/old-office-is-in-lyon-office.md",
        "Lease kept.\n",
    ),
    "path-taken": (
        lambda s: s.remember("One.", id="one", path="notes/same.md"),
        lambda s: s.remember("Two.", id="two", path="notes/same.md"),
        "notes/same-two.md",
        "Two.\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_one_outcome_on_both_clones(pair: tuple[Store, Store], case: str) -> None:
    """The case is in the report, what either side wrote is in the tree, and both clones have the same tree."""
    ours, theirs = pair
    one, other, path, text = CASES[case]
    one(ours)
    other(theirs)
    found, cases = both_ways(ours, theirs)
    assert case in cases
    assert text in git(top(ours), "show", f"{found}:{path}")
    assert not [each for each in ours.check().findings if each.severity == "error"]


def test_a_removed_memory_that_was_edited_stays(pair: tuple[Store, Store]) -> None:
    """Plain `git rm` on one side takes no edit of the other away."""
    ours, theirs = pair
    git(top(ours), "rm", "-q", "semantic/of/old-office-is-in-lyon-office.md")
    git(top(ours), "commit", "-qm", "gone")
    theirs.append("office", "Lease kept.")
    _, cases = both_ways(ours, theirs)
    assert cases == {"removed-edited"}
    assert ours.show("office").memory.body.endswith("Lease kept.\n")


def test_an_edit_of_an_archived_memory_leaves_the_archive(pair: tuple[Store, Store]) -> None:
    """It stands on main with the edit, on archive no more, and what was changed before archiving is in it."""
    ours, theirs = pair
    ours.update("office", fields={"importance": 0.9})
    ours.archive(["office"])
    theirs.append("office", "Lease kept.")
    ours.merge(fetched(ours, theirs))
    assert ours.show("office").memory.importance == 0.9
    assert ours.show("office").memory.body.endswith("Lease kept.\n")
    assert git(top(ours), "ls-tree", "-r", "--name-only", "archive") == ""
    assert [hit.hit.labels for hit in ours.recall("lease", archived=True).hits] == [()]
    ours.undo()
    assert ours.show("office").is_archived
    assert_sound(top(ours))


def test_a_merge_is_one_commit_with_both_parents_and_undone_as_a_whole(pair: tuple[Store, Store]) -> None:
    ours, theirs = pair
    for number in range(5):
        theirs.remember(f"fact {number}")
    ours.append("office", "here")
    theirs.tag("office", add=["there"])
    before = tree(ours)
    merging = ours.merge(fetched(ours, theirs))
    assert git(top(ours), "rev-list", "--parents", "-1", "main").split()[1:] == [
        git(top(ours), "rev-parse", "main^").strip(),
        merging.merged,
    ]
    assert "Operation: merge" in git(top(ours), "log", "-1", "--format=%B")
    assert ours.list().total == 6
    ours.undo()
    assert tree(ours) == before
    assert_sound(top(ours))


def test_forward_and_nothing(pair: tuple[Store, Store]) -> None:
    """A branch with nothing of its own moves; one that has it all stays; --commit makes a commit."""
    ours, theirs = pair
    theirs.remember("new", id="new")
    name = fetched(ours, theirs)
    merging = ours.merge(name)
    assert (merging.kind, merging.commit) == ("fast-forward", merging.merged)
    assert ours.show("new").memory.body == "new\n"
    assert ours.merge(name).kind == "nothing"
    theirs.remember("newer", id="newer")
    assert ours.merge(fetched(ours, theirs), is_commit_wanted=True).kind == "merge"
    assert_sound(top(ours))


def test_a_bare_store_merges(pair: tuple[Store, Store], tmp_path: Path) -> None:
    """No worktree is needed."""
    ours, theirs = pair
    git(tmp_path, "clone", "-q", "--bare", str(top(ours)), str(tmp_path / "bare.git"))
    bare = Store.open(tmp_path / "bare.git")
    ours.append("office", "ours")
    theirs.update("office", fields={"importance": 0.9})
    git(top(bare), "fetch", "-q", str(top(ours)), "+main:main")
    git(top(bare), "fetch", "-q", str(top(theirs)), "+main:theirs")
    assert bare.merge("theirs").kind == "merge"
    assert bare.show("office").memory.importance == 0.9
    assert bare.show("office").memory.body.endswith("ours\n")


def test_hand_edits_are_refused_not_overwritten(pair: tuple[Store, Store]) -> None:
    """A file that the merge would change and that has an edit stops it; another one does not."""
    ours, theirs = pair
    ours.remember("other", id="other", path="other.md")
    theirs.append("office", "there")
    file = top(ours) / "semantic/of/old-office-is-in-lyon-office.md"
    (top(ours) / "other.md").write_text("edited\n")
    name = fetched(ours, theirs)
    before = file.read_text()
    file.write_text(before + "by hand\n")
    with pytest.raises(Conflict, match="not committed"):
        ours.merge(name)
    assert file.read_text() == before + "by hand\n"
    file.write_text(before)
    ours.merge(name)
    assert (top(ours) / "other.md").read_text() == "edited\n"


def test_nothing_is_merged_while_git_merges(pair: tuple[Store, Store]) -> None:
    ours, theirs = pair
    theirs.append("office", "there")
    ours.append("office", "here")
    git(top(ours), "config", "--unset", "merge.gitmem.driver")
    name = fetched(ours, theirs)
    git(top(ours), "merge", name, check=False)
    with pytest.raises(Busy, match="merge"):
        ours.merge(name)


def test_what_the_store_goes_by_is_taken_in_by_a_person_only(pair: tuple[Store, Store]) -> None:
    """A change below `.gitmem/` is refused, taken, or left; memories come in either way."""
    ours, theirs = pair
    config = top(theirs) / ".gitmem/config.toml"
    config.write_text(config.read_text() + 'note = "more"\n')
    git(top(theirs), "commit", "-qam", "policy")
    theirs.remember("new", id="new")
    name = fetched(ours, theirs)
    with pytest.raises(Refused, match=r"config\.toml"):
        ours.merge(name)
    assert ours.merge(name, policy="leave").kind == "merge"
    assert "more" not in (top(ours) / ".gitmem/config.toml").read_text()
    assert ours.show("new").memory.body == "new\n"
    ours.undo()
    git(top(ours), "reset", "-q", "--hard", "HEAD~2")
    ours.merge(name, policy="take")
    assert "more" in (top(ours) / ".gitmem/config.toml").read_text()


def test_archive_is_never_merged_into_main_and_archives_merge(pair: tuple[Store, Store]) -> None:
    """Each clone made its archive by itself: they unite, and main stays what it is."""
    ours, theirs = pair
    ours.remember("x", id="x")
    theirs.remember("y", id="y")
    ours.archive(["x"])
    theirs.archive(["y"])
    fetched(ours, theirs)
    with pytest.raises(Refused, match="shares no history"):
        ours.merge("other/archive")
    ours.on("archive").merge("other/archive")
    assert sorted(record.id for record in ours.on("archive").list().records) == ["x", "y"]
    assert ours.list().total == 1


def test_attachments_go_with_their_memory(pair: tuple[Store, Store], tmp_path: Path) -> None:
    """Renamed with the memory; lines added on both sides stand; two versions of one file are both kept and listed."""
    ours, theirs = pair
    for name, data in (("log.jsonl", b"1\n"), ("pic.png", b"\x00base")):
        (tmp_path / name).write_bytes(data)
    ours.attach("office", [tmp_path / "log.jsonl", tmp_path / "pic.png"])
    theirs.merge(fetched(theirs, ours))
    for store, line in ((ours, b"2\n"), (theirs, b"3\n")):
        (tmp_path / "log.jsonl").write_bytes(b"1\n" + line)
        (tmp_path / "pic.png").write_bytes(b"\x00" + line)
        store.attach("office", [tmp_path / "log.jsonl", tmp_path / "pic.png"], replace=True)
    theirs.rename("office", path="b/office.md")
    found, cases = both_ways(ours, theirs)
    assert {"attachment-twice", "renamed-edited"} <= cases
    assert git(top(ours), "show", f"{found}:b/office.files/log.jsonl") == "1\n2\n3\n"
    names = git(top(ours), "ls-tree", "-r", "--name-only", found, "b").split()
    assert len([name for name in names if "/pic" in name]) == 2
    listed = ours.show("office").memory.attachments
    assert [*sorted(f"b/office.files/{name}" for name in listed), "b/office.md"] == sorted(names)


def test_a_note_without_id_that_was_moved_keeps_the_edit_of_the_other_side(pair: tuple[Store, Store]) -> None:
    ours, theirs = pair
    (top(ours) / "note.md").write_text("One line.\n\nAnother line.\n")
    git(top(ours), "add", "note.md")
    git(top(ours), "commit", "-qm", "a note")
    theirs.merge(fetched(theirs, ours))
    git(top(ours), "mv", "note.md", "moved.md")
    git(top(ours), "commit", "-qm", "moved")
    (top(theirs) / "note.md").write_text("One line.\n\nAnother line.\n\nMore.\n")
    git(top(theirs), "commit", "-qam", "more")
    found, _ = both_ways(ours, theirs)
    assert git(top(ours), "show", f"{found}:moved.md").endswith("More.\n")
    assert "note.md" not in git(top(ours), "ls-tree", "--name-only", found).split()


def test_what_one_side_took_out_stays_out_after_a_criss_cross(pair: tuple[Store, Store]) -> None:
    """Both merged each other, then one takes out what came from the other: it does not come back."""
    ours, theirs = pair
    ours.tag("office", add=["left"])
    theirs.tag("office", add=["right"])
    both_ways(ours, theirs)
    ours.tag("office", remove=["right"])
    theirs.update("office", fields={"importance": 0.9})
    both_ways(ours, theirs)
    assert ours.show("office").memory.tags == ("a", "left")


def test_links_that_changed_there_are_for_git(pair: tuple[Store, Store]) -> None:
    ours, theirs = pair
    (top(theirs) / "link").symlink_to("nowhere")
    git(top(theirs), "add", "link")
    git(top(theirs), "commit", "-qm", "link")
    name = fetched(ours, theirs)
    with pytest.raises(Refused, match="link"):
        ours.merge(name)
    ours.append("office", "here")
    with pytest.raises(Refused, match="link"):
        ours.merge(name)
    assert git(top(ours), "status", "--porcelain") == ""


def test_an_executable_that_came_with_the_merge_stays_one(pair: tuple[Store, Store]) -> None:
    ours, theirs = pair
    (top(theirs) / "run.sh").write_text("true\n")
    (top(theirs) / "run.sh").chmod(0o755)
    git(top(theirs), "add", "run.sh")
    git(top(theirs), "commit", "-qm", "run")
    ours.append("office", "here")
    ours.merge(fetched(ours, theirs))
    assert git(top(ours), "ls-tree", "main", "run.sh").startswith("100755")
    assert_sound(top(ours))
