"""Going back: versions by number, commit and date; diff, blame, revert and undo."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import Conflict, NotFound, Refused
from gitmem.flows.writing.drafting import Request
from gitmem.model.change import Origin
from gitmem.model.identity import Identity, Kind
from gitmem.store import Store
from tests.conftest import assert_sound, git


def at(folder: Path, moment: str) -> Store:
    return Store.open(folder, clock=FixedClock(datetime.fromisoformat(moment)))


@pytest.fixture
def aged(store: Store, folder: Path) -> Store:
    """A memory with three versions, one in each of three months."""
    at(folder, "2026-01-15T10:00:00Z").remember("Alice wants e-mail", id="doc", tags=["a"])
    at(folder, "2026-02-15T10:00:00Z").update("doc", "Alice wants e-mail\nand paper")
    at(folder, "2026-03-15T10:00:00Z").rename("doc", "Reports")
    return store


@pytest.mark.parametrize(
    ("version", "number"),
    [("v1", 1), ("1", 1), ("v3", 3), ("2026-01-15", 1), ("2026-02-20", 2), ("2026-12-01", 3), ("HEAD~1", 2)],
)
def test_a_version_is_named_by_number_date_or_commit(aged: Store, version: str, number: int) -> None:
    shown = aged.show(f"doc@{version}")
    assert shown.number == number
    assert ("paper" in shown.memory.body) == (number > 1)
    assert shown.version is not None
    assert aged.show(f"doc@{shown.version[:8]}").number == number


@pytest.mark.parametrize("version", ["v4", "2025-01-01", "nosuchtag", "v0"])
def test_a_version_that_does_not_exist_is_not_found(aged: Store, version: str) -> None:
    with pytest.raises(NotFound):
        aged.show(f"doc@{version}")


def test_a_shallow_clone_says_what_is_missing(aged: Store, folder: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "clone", "-q", "--depth", "2", f"file://{folder}", str(tmp_path / "shallow")], check=True
    )
    shallow = Store.open(tmp_path / "shallow")
    log = shallow.log("doc")
    assert not log.is_complete
    assert all(entry.number is None for entry in log.entries)
    with pytest.raises(NotFound) as caught:
        shallow.show("doc@v1")
    assert "shallow" in (caught.value.hint or "")


def test_a_difference_is_told_by_field_and_by_line(aged: Store) -> None:
    compared = aged.diff("doc", "v1", "v3")
    assert [(each.field, each.old, each.new) for each in compared.difference.fields] == [
        ("title", None, "Reports")
    ]
    assert list(compared.difference.lines) == ["@@ -1 +1,2 @@", " Alice wants e-mail", "+and paper"]
    newest = aged.diff("doc")
    assert newest.difference.new_path == "semantic/do/reports-doc.md"
    assert aged.diff("doc", "v3").difference.is_empty


def test_one_version_has_nothing_to_compare(store: Store) -> None:
    store.remember("once", id="once")
    with pytest.raises(NotFound, match="one version"):
        store.diff("once")


def test_blame_names_the_version_of_every_line_across_a_rename(aged: Store) -> None:
    blamed = aged.blame("doc")
    by_line = {line.text: line.entry.number for line in blamed.lines}
    assert by_line["Alice wants e-mail"] == 1
    assert by_line["and paper"] == 2
    assert by_line["title: Reports"] == 3
    assert blamed.is_complete


def test_a_rename_by_plain_git_is_followed(aged: Store, folder: Path) -> None:
    path = aged.show("doc").memory.path
    (folder / "elsewhere").mkdir()
    git(folder, "mv", path, "elsewhere/x.md")
    git(folder, "commit", "-qm", "tidy")
    assert len(aged.log("doc").entries) == 4
    (folder / "plain.md").write_text("one\ntwo\nthree\nfour\n")
    git(folder, "add", "plain.md")
    git(folder, "commit", "-qm", "a note without id")
    git(folder, "mv", "plain.md", "plainer.md")
    (folder / "plainer.md").write_text("one\ntwo\nthree\nfive\n")
    git(folder, "commit", "-qam", "renamed and edited")
    assert [entry.renamed_from for entry in aged.log("plainer.md").entries] == ["plain.md", None]


def test_revert_brings_a_version_back_as_a_new_one(aged: Store, folder: Path) -> None:
    written = aged.revert("doc", "v1", origin=Origin(reason="wrong"))
    assert aged.show("doc").memory.body == "Alice wants e-mail\n"
    assert written.path == "semantic/do/reports-doc.md"
    assert len(aged.log("doc").entries) == 4
    assert "Reverts-To" in git(folder, "log", "-1", "--format=%B")
    assert aged.revert("doc", "v1").replaced is None
    assert_sound(folder)


def test_undo_takes_the_last_operation_back_as_a_whole(store: Store, folder: Path) -> None:
    store.remember("kept", id="kept")
    before = git(folder, "rev-parse", "HEAD^{tree}")
    store.remember_all([Request(f"fact {n}") for n in range(5)])
    undone = store.undo()
    assert (undone.operation, undone.files) == ("remember", 5)
    assert git(folder, "rev-parse", "HEAD^{tree}") == before
    store.undo()
    assert store.list().total == 0
    with pytest.raises(NotFound):
        store.undo()
    assert_sound(folder)


def test_undo_is_refused_where_something_later_touched_the_same(store: Store, folder: Path) -> None:
    written = store.remember("rev A", id="doc")
    operation = store.log().entries[0].operation_id
    file = folder / written.path
    file.write_text(file.read_text() + "by hand\n")
    git(folder, "commit", "-qam", "by hand")
    head = git(folder, "rev-parse", "HEAD")
    with pytest.raises(Conflict, match=written.path):
        store.undo(operation)
    with pytest.raises(Conflict):
        store.undo()
    assert git(folder, "rev-parse", "HEAD") == head


def test_undo_is_of_the_callers_own_operations(store: Store, folder: Path) -> None:
    store.remember("by me", id="mine")
    git(folder, "config", "user.email", "other@example.com")
    other = Store.open(folder)
    other.remember("by another", id="theirs")
    git(folder, "config", "user.email", "person@example.com")
    store.undo()
    assert [record.id for record in store.list().records] == ["theirs"]
    store.remember("agent one", origin=Origin(agent="one"))
    store.remember("agent two", id="two", origin=Origin(agent="two"))
    store.undo(origin=Origin(agent="one"))
    assert {record.id for record in store.list().records} == {"theirs", "two"}


def test_what_no_undo_brings_back_is_not_called_taken_back(store: Store, folder: Path) -> None:
    """A forgetting is final, also by its name; so is what changed only files below `.gitmem`."""
    store.remember("alpha", id="a")
    store.remember("beta", id="b")
    store = Store.open(folder, identity=Identity(Kind.PERSON, "ann"))
    store.forget(["a"])
    before = git(folder, "rev-parse", "HEAD")
    for name in (None, store.log(limit=1).entries[0].operation_id):
        with pytest.raises(Refused, match="forget cannot be undone"):
            store.undo(name)
    assert git(folder, "rev-parse", "HEAD") == before
    policy = folder / ".gitmem/context.md"
    policy.write_text("{{task}}\n")
    git(folder, "add", str(policy))
    git(folder, "commit", "-qm", "x\n\nOperation: policy\nOperation-Id: 20260101T000000-00000000")
    with pytest.raises(Refused, match="changed no memory"):
        store.undo()
    assert policy.exists()


def test_a_named_operation_can_be_undone_once(store: Store) -> None:
    store.remember("one", id="one")
    operation = store.log().entries[0].operation_id
    store.remember("two", id="two")
    store.undo(operation)
    assert [record.id for record in store.list().records] == ["two"]
    with pytest.raises(Conflict, match="undone already"):
        store.undo(operation)
    with pytest.raises(NotFound):
        store.undo("nosuch")


def test_undo_of_a_move_moves_back(store: Store, folder: Path) -> None:
    store.remember("one", id="one")
    store.update("one", "two")
    store.archive(["one"])
    undone = store.undo()
    assert set(undone.commits) == {"main", "archive"}
    assert store.show("one").branch == "main"
    assert store.on("archive").list().total == 0
    assert [entry.number for entry in store.log("one").entries] == [2, 1]
    assert_sound(folder)


def test_nothing_is_taken_back_at_the_border_of_a_shallow_clone(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """The commit there has no parent here, so it seems to have brought every memory; one tag was added."""
    for name in ("a", "b"):
        store.remember(f"memory {name}", id=name)
    store.tag("a", add=["new"])
    git(tmp_path, "clone", "-q", "--depth", "1", folder.as_uri(), "shallow")
    shallow = Store.open(tmp_path / "shallow")
    with pytest.raises(Refused, match="shallow clone ends") as refused:
        shallow.undo()
    assert refused.value.hint and "--unshallow" in refused.value.hint
    assert {each.id for each in shallow.list().records} == {"a", "b"}
    shallow.append("b", "more")
    assert shallow.undo().files == 1
    assert shallow.show("b").memory.body == "memory b\n"
    git(tmp_path / "shallow", "fetch", "-q", "--unshallow")
    assert Store.open(tmp_path / "shallow").undo().files == 1


def test_the_half_of_a_move_behind_the_border_is_not_taken_for_none(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Main is here further back than the archive: the archive half of the operation is out of sight."""
    for name in ("a", "b"):
        store.remember(f"memory {name}", id=name)
    store.archive(["a"])
    store.archive(["b"])
    git(tmp_path, "clone", "-q", "--depth", "3", "-b", "main", "--single-branch", folder.as_uri(), "shallow")
    git(tmp_path / "shallow", "fetch", "-q", "--depth", "1", "origin", "archive:archive")
    shallow = Store.open(tmp_path / "shallow")
    moved = shallow.log().entries[1]
    assert moved.operation_id
    with pytest.raises(Refused, match="shallow clone ends"):
        shallow.undo(moved.operation_id)
    assert not shallow.list().records


def test_an_import_at_the_border_of_a_shallow_clone_overwrites_no_correction(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """What the import wrote there cannot be told, so what differs from the source counts as corrected."""
    source = tmp_path / "vault"
    source.mkdir()
    (source / "one.md").write_text("from the source\n")
    store.import_folder(source)
    store.update("one.md", "corrected by hand")
    (source / "two.md").write_text("another\n")
    store.import_folder(source)
    git(tmp_path, "clone", "-q", "--depth", "1", folder.as_uri(), "shallow")
    (source / "one.md").write_text("from the source, newer\n")
    shallow = Store.open(tmp_path / "shallow")
    shallow.import_folder(source)
    assert shallow.show("one.md").memory.body == "corrected by hand\n"
