"""Trees made by hand: names that climb out, that git takes for its own folder, or that no system can hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.errors import Conflict, GitmemError, NotFound, StoreProblem
from gitmem.model.place import why_unsafe
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.hostile.conftest import Outside
from tests.hostile.crafting import (
    FILE,
    FOLDER,
    LINK,
    Entry,
    blob,
    commit_with,
    entries_of,
    git_dir,
    loose_object,
    memory,
    tree,
)

REFUSED = [
    "..",
    ".",
    "",
    ".git",
    ".GIT",
    ".Git",
    ".git ",
    ".git.",
    ".git. . ",
    "GIT~1",
    "git~1 ",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\u206ft",
    ".git::$INDEX_ALLOCATION",
    ".git:stream",
]
"""Folder names that git does not check out."""

ODD = [
    "CON",
    "nul",
    "aux.txt",
    "com1",
    "lpt9 ",
    "x:y",
    "a\\b",
    "up\\..\\..\\up",
    "tab\there",
    "\x1b[31m",
    "\u202egnp",
    "end.",
    " x",
]
"""Folder names that git checks out on Linux, though not everywhere."""


def folder_with_memory(folder: Path, number: int) -> str:
    attached = tree(folder, [(FILE, "x.txt", blob(folder, f"walrus {number}\n"))])
    return tree(
        folder,
        [(FOLDER, "in.files", attached), (FILE, "in.md", memory(folder, f"in{number}", f"marmot {number}"))],
    )


@pytest.mark.parametrize("name", REFUSED)
def test_a_folder_that_git_does_not_check_out_holds_no_memory(
    store: Store, folder: Path, outside: Outside, tmp_path: Path, name: str
) -> None:
    """It is not read, listed, moved or exported; `check` names it; the other memories are as before."""
    store.remember("fine zebra", id="ok")
    commit_with(folder, [(FOLDER, name, folder_with_memory(folder, 1))])
    assert store.recall("marmot").total == 0
    assert [record.id for record in store.list().records] == ["ok"]
    with pytest.raises(NotFound):
        store.show("in1")
    with pytest.raises(NotFound):
        store.archive([f"{name}/in.md"])
    found = [finding for finding in store.check().findings if finding.code == "path"]
    assert len(found) == 1 and found[0].severity == "error" and "not read" in found[0].message
    store.export(tmp_path / "deep" / "er")
    exported = [path.name for path in (tmp_path / "deep").rglob("*.md")]
    assert exported == ["fine-zebra-ok.md"]
    outside.assert_untouched()


@pytest.mark.parametrize("name", [name for name in REFUSED if name])
def test_the_store_goes_on_beside_such_a_folder(store: Store, folder: Path, name: str) -> None:
    """Memories are written, changed, moved and undone; what the tree held stays in it."""
    store.remember("fine zebra", id="ok")
    inside = folder_with_memory(folder, 1)
    commit_with(folder, [(FOLDER, name, inside)])
    store.append("ok", "more")
    store.remember("next", id="next")
    store.archive(["next"])
    store.undo()
    assert store.show("ok").memory.body == "fine zebra\nmore\n"
    assert store.show("next").memory.body == "next\n"
    assert (FOLDER, name, inside) in entries_of(folder)


def test_a_tree_that_git_cannot_read_is_named(store: Store, folder: Path) -> None:
    """An empty name is damage: libgit2 and git refuse the whole tree, and so does a write to it."""
    store.remember("fine zebra", id="ok")
    commit_with(folder, [(FOLDER, "", folder_with_memory(folder, 1))])
    before = git(folder, "rev-parse", "main")
    with pytest.raises(GitmemError, match="tree"):
        store.remember("next")
    assert git(folder, "rev-parse", "main") == before
    assert store.recall("zebra").total == 1


@pytest.mark.parametrize("name", ODD)
def test_a_name_that_only_some_systems_have_is_a_name(
    store: Store, folder: Path, tmp_path: Path, name: str
) -> None:
    """What git checks out here can be found, changed and moved; only an export leaves it out, and says so."""
    place = folder / name
    place.mkdir()
    (place / "in.md").write_text("---\nid: in1\n---\nmarmot\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "by hand")
    assert store.recall("marmot").total == 1
    store.append("in1", "more")
    assert (place / "in.md").read_text().endswith("more\n")
    store.archive(["in1"])
    assert not (place / "in.md").exists()
    store.restore(["in1"])
    assert_sound(folder)
    exported = store.export(tmp_path / "out")
    is_safe = why_unsafe(name) is None
    assert list(exported.reasons) == ([] if is_safe else [f"{name}/in.md"])
    assert len(list((tmp_path / "out").rglob("*.md"))) == is_safe
    warnings = [finding for finding in store.check().findings if finding.code == "name"]
    assert len(warnings) == (not is_safe)


@pytest.mark.parametrize("name", ["../up.md", "/abs.md", "a/b.md", "semantic/evil.md"])
def test_a_name_with_a_slash_is_no_path(store: Store, folder: Path, outside: Outside, name: str) -> None:
    """One entry called `a/b.md` is not the file `b.md` in `a`."""
    store.remember("fine zebra", id="ok")
    commit_with(folder, [(FILE, name, memory(folder, "evil", "marmot"))])
    assert store.recall("marmot").total == 0
    assert [finding.message for finding in store.check().findings if finding.code == "path"]
    store.remember("next")
    outside.assert_untouched()


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_an_attachment_cannot_climb_out_of_an_export(
    store: Store, folder: Path, outside: Outside, tmp_path: Path, steps: int
) -> None:
    """Neither as files nor as JSON lines, neither moved nor renamed nor undone."""
    inner = tree(folder, [(FILE, "pwned.txt", blob(folder, "walrus\n"))])
    for _ in range(steps):
        inner = tree(folder, [(FOLDER, "..", inner)])
    commit_with(folder, [(FOLDER, "a.files", inner), (FILE, "a.md", memory(folder, "att", "marmot"))])
    git(folder, "checkout", "-q", "--detach", "main~1")
    assert store.export(tmp_path / "deep/er").attachments == 0
    store.export(tmp_path / "out.jsonl")
    line = json.loads((tmp_path / "out.jsonl").read_text())
    assert line["id"] == "att" and line["attachments"] == {}
    store.rename("att", "another name")
    store.archive(["att"])
    assert not list(tmp_path.rglob("pwned.txt"))
    outside.assert_untouched()


def test_a_commit_that_writes_outside_cannot_be_undone_into_it(
    store: Store, folder: Path, outside: Outside
) -> None:
    """`undo` of a crafted commit touches only what the branch can hold."""
    message = "remember: x\n\nMemory-Id: in1\nOperation: remember\nOperation-Id: 20260101T000000-deadbeef\n"
    up = tree(folder, [(FOLDER, "..", tree(folder, [(FILE, "secret.md", blob(folder, "x"))]))])
    commit_with(
        folder, [(FOLDER, "..", up), (FILE, "a.md", memory(folder, "in1", "marmot"))], message=message
    )
    git(folder, "checkout", "-q", "--detach", "main~1")
    undone = store.undo()
    assert undone.files == 1
    assert store.recall("marmot").total == 0
    outside.assert_untouched()


def test_two_entries_of_one_name_are_not_made_one(store: Store, folder: Path) -> None:
    """The first is read, `check` names the second, and a write that would drop one is refused."""
    both = tree(
        folder,
        [
            (FILE, "a.md", memory(folder, "a1", "marmot first")),
            (FILE, "a.md", memory(folder, "a2", "marmot second")),
        ],
    )
    commit_with(folder, [(FOLDER, "twice", both)])
    assert [recalled.hit.record.id for recalled in store.recall("marmot").hits] == ["a1"]
    assert any("second entry" in finding.message for finding in store.check().findings)
    with pytest.raises(GitmemError, match="two entries"):
        store.append("a1", "more")
    store.remember("elsewhere")


@pytest.mark.parametrize(
    "target", ["../outside/secret.md", "{outside}/secret.md", "a.md", "nowhere", "../outside/notes"]
)
@pytest.mark.parametrize("place", ["link.md", "notes"])
def test_a_link_in_the_tree_is_never_followed(
    store: Store, folder: Path, outside: Outside, tmp_path: Path, target: str, place: str
) -> None:
    """Out of the store, onto itself, into nothing, or to a folder: its target is neither read nor written."""
    text = target.format(outside=outside.folder)
    (folder / place).symlink_to(text)
    git(folder, "add", place)
    git(folder, "commit", "-qm", "a link")
    outside.seal()
    assert store.recall("quetzal").total == 0
    assert store.list().total == 0
    for reference in (place, f"{place}/secret.md"):
        for verb in (store.show, lambda name: store.append(name, "x"), lambda name: store.archive([name])):
            with pytest.raises(NotFound):
                verb(reference)
    with pytest.raises(GitmemError):
        store.remember("x", path="notes/secret.md" if place == "notes" else place)
    store.export(tmp_path / "out")
    assert not list((tmp_path / "out").rglob("*"))
    store.remember("goes on", id="ok")
    outside.assert_untouched()
    assert_sound(folder)


@pytest.mark.parametrize("place", [".gitmem", ".gitmem/config.toml", ".gitattributes"])
def test_a_link_in_the_place_of_the_stores_own_files_is_not_followed(
    store: Store, folder: Path, outside: Outside, place: str
) -> None:
    """The config counts only as a regular file of the commit: one line says so, and nothing is written."""
    (outside.folder / "config.toml").write_text('main = "elsewhere"\n')
    kept = [entry for entry in entries_of(folder) if entry[1] != place.split("/")[0]]
    link = blob(folder, f"{outside.folder}/config.toml")
    entry: Entry = (LINK, place, link)
    if "/" in place:
        entry = (FOLDER, ".gitmem", tree(folder, [(LINK, "config.toml", link)]))
    root = tree(folder, sorted([*kept, entry], key=lambda each: str(each[1])))
    commit = git(folder, "commit-tree", root, "-p", "HEAD", "-m", "x").strip()
    git(folder, "reset", "-q", "--hard", commit)
    outside.seal()
    done = gitmem(folder, "remember", "marmot")
    if place == ".gitattributes":
        assert done.code == 0
    else:
        assert done.code == 7 and done.err.count("\n") == 1
        assert git(folder, "rev-parse", "HEAD").strip() == commit
    outside.assert_untouched()


def test_links_that_lead_in_circles_end_nothing(store: Store, folder: Path, outside: Outside) -> None:
    """Folders that are links to themselves or to each other, in the tree and only in the worktree."""
    store.remember("fine zebra", id="ok", path="notes/ok.md")
    (folder / "round").symlink_to("round")
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")
    (folder / "up").symlink_to(".")
    assert store.recall("zebra").total == 1
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "links")
    assert store.recall("zebra").total == 1
    (folder / "notes" / "ok.md").unlink()
    (folder / "notes" / "ok.md").symlink_to("ok.md")
    with pytest.raises(Conflict):
        store.append("ok", "more")
    assert store.show("ok").memory.body == "fine zebra\n"


@pytest.mark.parametrize("replaced", ["notes", "notes/deep"])
def test_a_folder_that_became_a_link_is_neither_read_nor_written(
    store: Store, folder: Path, outside: Outside, tmp_path: Path, replaced: str
) -> None:
    """Even where the file behind it has the bytes that the commit has."""
    store.remember("fine zebra", id="ok", path="notes/deep/ok.md")
    (outside.folder / "deep").mkdir()
    for place in ("ok.md", "deep/ok.md"):
        (outside.folder / place).write_bytes((folder / "notes/deep/ok.md").read_bytes())
    outside.seal()
    (folder / replaced).rename(tmp_path / "moved")
    (folder / replaced).symlink_to(outside.folder)
    assert store.recall("zebra").total == 1
    for verb in (
        lambda: store.append("ok", "more"),
        lambda: store.archive(["ok"]),
        lambda: store.rename("ok", path="notes/deep/new.md"),
    ):
        with pytest.raises(Conflict):
            verb()
    written = store.remember("x", path="notes/deep/other.md")
    assert any("left alone" in notice and "not a folder here" in notice for notice in written.notices)
    outside.assert_untouched()


def test_ten_thousand_levels_of_folders_end_nothing(store: Store, folder: Path) -> None:
    """What lies deeper than any path can say is not read, and is named; all else is quick."""
    inner = tree(folder, [(FILE, "deep.md", memory(folder, "deep", "marmot deep"))])
    for number in range(10_000):
        inner = tree(folder, [(FOLDER, f"d{number % 10}", inner)])
    commit_with(folder, [(FOLDER, "zz", inner)])
    store.remember("fine zebra", id="ok")
    assert store.recall("zebra").total == 1
    assert store.recall("marmot").total == 0
    (finding,) = (finding for finding in store.check().findings if finding.code == "path")
    assert "deep" in finding.message and len(finding.path) < 500
    store.archive(["ok"])
    store.undo()


def test_a_tree_that_repeats_itself_without_end_is_refused(store: Store, folder: Path) -> None:
    """Ten trees that name each other ten times over are ten billion files: one line, and no endless work."""
    inner = tree(folder, [(FILE, f"f{number}.md", blob(folder, "marmot\n")) for number in range(10)])
    for _ in range(10):
        inner = tree(folder, [(FOLDER, f"d{number}", inner) for number in range(10)])
    commit_with(folder, [(FOLDER, "zz", inner)])
    before = git(folder, "rev-parse", "main")
    for verb in (lambda: store.recall("marmot"), lambda: store.remember("x"), store.check, store.status):
        with pytest.raises(StoreProblem, match="again and again"):
            verb()
    assert git(folder, "rev-parse", "main") == before


def test_objects_that_are_not_what_they_should_be_are_named(store: Store, folder: Path) -> None:
    """A blob where a folder should be, a folder where a file should be, and an id that is nothing."""
    store.remember("fine zebra", id="ok")
    broken: list[Entry] = [
        (FILE, "a.md", tree(folder, [])),
        (FILE, "b.md", loose_object(folder, "tag", b"object x\n")),
        (FILE, "c.md", "1" * 40),
    ]
    commit_with(folder, broken)
    assert store.recall("zebra").total == 1
    assert {finding.path for finding in store.check().findings if finding.code == "damaged"} == {
        "a.md",
        "b.md",
        "c.md",
    }
    commit_with(folder, [(FOLDER, "d", blob(folder, "no tree"))])
    done = gitmem(folder, "list")
    assert done.code == 7 and done.err.count("\n") == 1
    assert git_dir(folder).is_dir()
