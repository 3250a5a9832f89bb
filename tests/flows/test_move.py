"""archive and restore: from one branch to the other, never on neither, with all that belongs to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.errors import Conflict, NotFound
from gitmem.flows.writing.drafting import Request
from gitmem.store import Store
from tests.conftest import assert_sound, git


def test_an_archived_memory_stands_on_archive_alone(store: Store, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "turns.jsonl").write_text("quokka\n")
    store.remember("retire me", id="old", namespace="a")
    store.attach("old", [tmp_path / "turns.jsonl"])
    store.remember("stay", id="keep")
    moved = store.archive(["old"])
    assert (moved.source, moved.destination) == ("main", "archive")
    assert [record.id for record in store.list().records] == ["keep"]
    assert git(folder, "ls-tree", "-r", "--name-only", "archive").split() == [
        "semantic/a/retire-me-old.files/turns.jsonl",
        "semantic/a/retire-me-old.md",
    ]
    assert store.recall("retire").hits == ()
    hits = store.recall("retire", archived=True).hits
    assert [(each.hit.record.id, each.hit.labels) for each in hits] == [("old", ("archived",))]
    assert store.recall("quokka", archived=True).total == 1
    assert store.show("old").is_archived
    assert_sound(folder)


def test_branches_share_no_history(store: Store, folder: Path) -> None:
    store.remember("one", id="one")
    store.archive(["one"])
    done = subprocess.run(
        ["git", "merge-base", "main", "archive"], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 1


def test_history_is_as_long_after_archive_and_restore_as_before(store: Store, folder: Path) -> None:
    store.remember("v1", id="doc")
    store.update("doc", "v2")
    store.update("doc", "v3")
    before = [entry.commit for entry in store.log("doc").entries]
    store.archive(["doc"])
    assert [entry.commit for entry in store.log("doc").entries] == before
    store.restore(["doc"])
    log = store.log("doc")
    assert [entry.commit for entry in log.entries] == before
    assert [entry.operation for entry in log.moves] == ["restore", "archive"]
    assert store.show("doc@v1").memory.body == "v1\n"
    assert_sound(folder)


def test_a_batch_moves_in_one_commit_on_each_branch(store: Store, folder: Path) -> None:
    ids = [written.id for written in store.remember_all([Request(f"fact {n}") for n in range(20)])]
    main = int(git(folder, "rev-list", "--count", "main"))
    store.archive(ids)
    assert int(git(folder, "rev-list", "--count", "main")) == main + 1
    assert int(git(folder, "rev-list", "--count", "archive")) == 1
    store.restore(ids)
    assert store.list().total == 20


def test_one_that_is_missing_moves_nothing(store: Store) -> None:
    store.remember("one", id="one")
    with pytest.raises(NotFound):
        store.archive(["one", "nosuch"])
    store.archive(["one"])
    with pytest.raises(NotFound, match="already"):
        store.archive(["one"])
    with pytest.raises(NotFound, match="archived"):
        store.update("one", "x")


def test_a_hand_edit_is_not_archived_over(store: Store, folder: Path) -> None:
    written = store.remember("one", id="one")
    file = folder / written.path
    file.write_text(file.read_text() + "half a thought\n")
    with pytest.raises(Conflict):
        store.archive(["one"])
    assert "half a thought" in file.read_text()
    assert store.place.tip("archive") is None or store.on("archive").list().total == 0
    git(folder, "checkout", "-q", ".")
    store.archive(["one"])
    assert_sound(folder)


def test_an_id_is_used_once_on_all_branches(store: Store) -> None:
    store.remember("one", id="one")
    store.archive(["one"])
    with pytest.raises(Conflict):
        store.remember("another", id="one")


@pytest.mark.parametrize("path", [None, "elsewhere-one.md"], ids=["same path", "another path"])
@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_a_move_never_overwrites_another_text(
    store: Store, folder: Path, verb: str, path: str | None
) -> None:
    """A memory that a person brought back and changed stands on both branches: both texts stay."""
    written = store.remember("the first text", id="one")
    store.archive(["one"])
    git(folder, "checkout", "-q", written.version, "--", written.path)
    file = folder / written.path
    file.write_text(file.read_text() + "changed by hand\n")
    git(folder, "add", written.path)
    if path is not None:
        git(folder, "mv", written.path, path)
    git(folder, "commit", "-qm", "brought back by hand")
    tips = git(folder, "rev-parse", "main", "archive")
    with pytest.raises(Conflict, match="another text"):
        getattr(store, verb)(["one"])
    assert git(folder, "rev-parse", "main", "archive") == tips
    assert store.show("one").memory.body == "the first text\nchanged by hand\n"
    assert store.on("archive").show("one").memory.body == "the first text\n"
    assert_sound(folder)


def test_another_worktree_on_archive_is_brought_along(store: Store, folder: Path, tmp_path: Path) -> None:
    store.remember("retire me", id="old")
    store.remember("stay", id="keep")
    store.archive(["keep"])
    other = tmp_path / "arch"
    git(folder, "worktree", "add", "-q", str(other), "archive")
    (other / "mine.md").write_text("local edit\n")
    moved = store.archive(["old"])
    assert (other / moved.paths[0]).exists()
    assert git(other, "status", "--porcelain").split() == ["??", "mine.md"]
    assert_sound(folder)


def test_archiving_works_while_archive_is_checked_out_here(store: Store, folder: Path) -> None:
    ids = [store.remember(f"fact {n}").id for n in range(3)]
    store.archive(ids[:1])
    git(folder, "checkout", "-q", "archive")
    Store.open(folder).archive(ids[1:2])
    assert len(git(folder, "ls-files").split()) == 2
    git(folder, "checkout", "-q", "main")
    assert Store.open(folder).list().total == 1
    assert_sound(folder)


def test_a_fresh_clone_goes_on_from_the_archive_of_its_origin(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    store.remember("one", id="one")
    store.remember("two", id="two")
    store.archive(["one"])
    git(tmp_path, "clone", "-q", str(folder), "clone")
    clone = Store.open(tmp_path / "clone")
    assert clone.recall("one", archived=True).total == 1
    clone.archive(["two"])
    assert sorted(record.id for record in clone.on("archive").list().records) == ["one", "two"]
    git(tmp_path / "clone", "push", "-q", "origin", "archive")
    clone.restore(["one"])
    assert clone.show("one").branch == "main"


def test_a_taken_name_is_left_to_its_owner(person: None, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "notes")
    folder = tmp_path / "notes"
    (folder / "note.md").write_text("a note\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "notes")
    git(folder, "branch", "archive")
    theirs = git(folder, "rev-parse", "archive")
    store = Store.init(folder)
    store.remember("one", id="one")
    assert store.archive(["one"]).destination == "gitmem/archive"
    assert git(folder, "rev-parse", "archive") == theirs


def test_two_clones_archive_different_memories_and_plain_git_merges_both(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    store.remember("from the first clone", id="first")
    store.remember("from the second clone", id="second")
    store.remember("archived before", id="before")
    store.archive(["before"])
    for name in ("a", "b"):
        git(tmp_path, "clone", "-q", str(folder), name)
        git(tmp_path / name, "branch", "-q", "archive", "origin/archive")
    a, b = tmp_path / "a", tmp_path / "b"
    Store.open(a).archive(["first"])
    Store.open(b).archive(["second"])
    git(a, "pull", "-q", "--no-rebase", "--no-edit", str(b), "main")
    git(a, "checkout", "-q", "archive")
    git(a, "pull", "-q", "--no-rebase", "--no-edit", str(b), "archive")
    git(a, "checkout", "-q", "main")
    merged = Store.open(a)
    assert merged.list().total == 0
    assert sorted(record.id for record in merged.on("archive").list().records) == [
        "before",
        "first",
        "second",
    ]
    assert merged.check().is_clean
    assert_sound(a)


def test_a_merge_of_archive_into_main_is_told_and_mended(store: Store, folder: Path) -> None:
    for name in ("one", "two"):
        store.remember(name, id=name)
    store.archive(["one"])
    git(folder, "merge", "-q", "--allow-unrelated-histories", "--no-edit", "archive")
    checked = store.check()
    assert [finding.code for finding in checked.findings if finding.severity == "error"] == ["doubled"]
    assert any(not ailment.is_fixed for ailment in store.doctor())
    store.doctor(fix=True)
    assert store.check().is_clean
    assert [record.id for record in store.list().records] == ["two"]
    assert store.show("one").is_archived
    assert_sound(folder)


@pytest.mark.parametrize("fault", ["move.intent", "move.arrived", "move.left"])
@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_a_move_that_is_killed_is_finished_by_the_next_command(
    store: Store, folder: Path, fault: str, verb: str
) -> None:
    """At no point does the memory stand on neither branch."""
    store.remember("precious", id="one")
    if verb == "restore":
        store.archive(["one"])
    done = subprocess.run(
        [sys.executable, "-m", "gitmem.cli.main", "-C", str(folder), verb, "one"],
        env={**os.environ, "GITMEM_FAULT": fault, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    places = [
        branch
        for branch in ("main", "archive")
        if "precious-one.md" in git(folder, "ls-tree", "-r", "--name-only", branch, check=False)
    ]
    assert places
    after = Store.open(folder)
    where = [branch for branch in ("main", "archive") if after.place.snapshot_of(branch).named("one")]
    assert len(where) == 1
    if fault != "move.intent":
        assert where == (["archive"] if verb == "archive" else ["main"])
    assert not list((folder / ".git" / "gitmem" / "moves").glob("*"))
    assert_sound(folder)


def test_the_same_text_at_another_path_is_not_called_another_text(store: Store, folder: Path) -> None:
    """A reset brought main's copy back, and a person moved it: both stay, and the way out works."""
    store.remember("precious", id="one")
    before = git(folder, "rev-parse", "HEAD").strip()
    path = store.show("one").memory.path
    store.archive(["one"])
    git(folder, "reset", "-q", "--hard", before)
    (folder / "moved").mkdir()
    git(folder, "mv", path, "moved/note.md")
    git(folder, "commit", "-qm", "moved")
    with pytest.raises(Conflict, match="with the same text and id as") as caught:
        store.archive(["one"])
    assert caught.value.hint == f"'git mv moved/note.md {path}', commit, then repeat the command"
    git(folder, "mv", "moved/note.md", path)
    git(folder, "commit", "-qm", "moved back")
    store.archive(["one"])
    assert [record.path for record in store.on("archive").list().records] == [path]
    assert store.list().total == 0


@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_a_double_is_found_by_the_id_in_its_header(store: Store, folder: Path, verb: str) -> None:
    """Files of a person's making need not have the id in their name."""
    (folder / "note.md").write_text("---\nid: by-hand\n---\nfirst\n")
    git(folder, "add", "note.md")
    git(folder, "commit", "-qm", "by hand")
    before = git(folder, "rev-parse", "HEAD").strip()
    store.archive(["by-hand"])
    git(folder, "reset", "-q", "--hard", before)
    (folder / "moved").mkdir()
    git(folder, "mv", "note.md", "moved/note.md")
    (folder / "moved/note.md").write_text("---\nid: by-hand\n---\nsecond\n")
    git(folder, "commit", "-qam", "moved and changed")
    with pytest.raises(Conflict, match="with another text"):
        getattr(store, verb)(["by-hand"])


@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_undoing_a_move_leaves_no_copy_where_another_move_had_put_it(
    store: Store, folder: Path, verb: str
) -> None:
    """Two move it at once: the second finds it there, and only takes it off. Undone, it stands once."""
    store.remember("precious", id="one")
    if verb == "restore":
        store.archive(["one"])
    branch = "main" if verb == "archive" else "archive"
    before = git(folder, "rev-parse", branch).strip()
    getattr(store, verb)(["one"])
    # As if the first had not come so far: what it took off is back.
    if verb == "archive":
        git(folder, "reset", "-q", "--hard", before)
    else:
        git(folder, "update-ref", "refs/heads/archive", before)
    getattr(Store.open(folder), verb)(["one"])
    operation = git(folder, "log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)", branch).strip()
    Store.open(folder).undo(operation)
    stands = [name for name in ("main", "archive") if store.on(name).list().total]
    assert stands == [branch]
    assert_sound(folder)


@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_undoing_a_move_whose_memory_another_move_took_off_puts_it_back(
    store: Store, folder: Path, verb: str
) -> None:
    """Two move it at once: the first only brings it, the second only takes it off. Undone, it is not lost."""
    store.remember("precious", id="one")
    if verb == "restore":
        store.archive(["one"])
    source, destination = ("main", "archive") if verb == "archive" else ("archive", "main")
    before = git(folder, "rev-parse", source).strip()
    getattr(store, verb)(["one"])
    operation = git(
        folder, "log", "-1", "--format=%(trailers:key=Operation-Id,valueonly)", destination
    ).strip()
    # The same state of the source, by a commit that belongs to no operation.
    tree, parents = git(folder, "rev-parse", f"{source}^{{tree}}").strip(), ["-p", before]
    other = git(folder, "commit-tree", tree, *parents, "-m", "by another").strip()
    git(folder, "update-ref", f"refs/heads/{source}", other)
    Store.open(folder).undo(operation)
    reader = Store.open(folder)
    assert [name for name in ("main", "archive") if reader.on(name).list().total] == [source]
    assert reader.on(source).show("one").memory.body == "precious\n"
    assert_sound(folder)
