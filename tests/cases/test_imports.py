"""An import may be repeated: names and ids come from the source, and hand corrections stay."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.errors import BadInput, NotFound
from gitmem.store import Store
from tests.conftest import assert_sound, git


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder of three notes."""
    folder = tmp_path / "source"
    folder.mkdir()
    for number in (1, 2, 3):
        (folder / f"s{number}.md").write_text(f"---\ntitle: S{number}\n---\nstoat {number}\n")
    return folder


def test_a_second_import_changes_nothing(store: Store, folder: Path, source: Path) -> None:
    """The tree is the same to the byte, whoever runs it and however often."""
    store.import_folder(source)
    tree = git(folder, "rev-parse", "HEAD^{tree}")
    assert store.import_folder(source).counts == {"same": 3}
    assert Store.open(folder).import_folder(source).counts == {"same": 3}
    assert git(folder, "rev-parse", "HEAD^{tree}") == tree


def test_a_source_that_changed_is_a_new_version_and_a_correction_stays(
    store: Store, folder: Path, source: Path
) -> None:
    """What was corrected in the store is not overwritten, what was taken out does not come back."""
    store.import_folder(source)
    store.update("s2.md", "stoat 2, corrected by hand")
    git(folder, "rm", "-q", "s1.md")
    git(folder, "commit", "-qm", "not this one")
    with (source / "s3.md").open("a") as file:
        file.write("stoat 3 new\n")
    assert store.import_folder(source).counts == {"changed": 1, "kept": 1, "gone": 1}
    assert store.recall("stoat").total == 2
    assert "corrected by hand" in store.show("s2.md").memory.body
    with pytest.raises(NotFound):
        store.show("s1.md")
    assert len(store.log("s3.md").entries) == 2


@pytest.mark.parametrize("target", ["out", "out.jsonl"])
def test_importing_what_was_exported_adds_nothing(
    store: Store, folder: Path, source: Path, tmp_path: Path, target: str
) -> None:
    """An export that comes back is the same memories; names that not every system has are left out and named."""
    store.import_folder(source)
    (folder / "back\\slash.md").write_text("stoat 4\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "odd name")
    exported = store.export(tmp_path / target)
    assert (exported.memories, exported.skipped) == (3, ("back\\slash.md",))
    back = store.import_folder if target == "out" else store.import_jsonl
    assert back(tmp_path / target).counts == {"same": 3}
    assert store.recall("stoat").total == 4
    assert_sound(folder)


def test_one_file_can_be_imported_with_what_is_attached_to_it(store: Store, source: Path) -> None:
    """The file named is taken in, the others of its folder are not."""
    (source / "s1.files").mkdir()
    (source / "s1.files/plan.txt").write_text("the plan\n")
    assert store.import_folder(source / "s1.md").counts == {"new": 2}
    assert [record.path for record in store.list().records] == ["s1.md"]
    assert store.import_folder(source).counts == {"same": 2, "new": 2}


def test_two_files_with_one_id_never_write_over_each_other(store: Store, tmp_path: Path) -> None:
    """Not in a later run either, nor where the other one came from another folder, in whatever order."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, name, text in (
        (first, "b.md", "the otter"),
        (first, "c.md", "the heron"),
        (second, "b.md", "x"),
    ):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(f"---\nid: template\n---\n{text}\n")
    for _ in range(3):
        imported = store.import_folder(first, namespace="one")
        assert imported.files["c.md"] == "occupied"
        assert store.import_folder(second, namespace="two").counts == {"occupied": 1}
        assert store.show("template").memory.body == "the otter\n"
    (first / "a.md").write_text("---\nid: template\n---\nthe stork\n")
    assert store.import_folder(first, namespace="one").counts == {"occupied": 2, "same": 1}
    (first / "a.md").unlink()
    (first / "c.md").unlink()
    (first / "b.md").rename(first / "d.md")
    assert store.import_folder(first, namespace="one").counts == {"same": 1}
    (first / "d.md").write_text("---\nid: template\n---\nthe otter, moved\n")
    assert store.import_folder(first, namespace="one").counts == {"changed": 1}
    assert store.list().total == 1 and store.show("template").memory.body == "the otter, moved\n"


def test_what_was_forgotten_stays_out_and_the_others_come_in(
    store: Store, folder: Path, source: Path, tmp_path: Path
) -> None:
    """By its id, by its words in another file, and with what is attached to it; each is named."""
    (source / "s1.md").write_text("---\nid: stoat1\n---\nThe stoat lives in the old barn by the river.\n")
    (source / "s1.files").mkdir()
    (source / "s1.files" / "plan.txt").write_text("of the barn\n")
    store.import_folder(source)
    store.export(tmp_path / "out.jsonl")
    store.forget(["stoat1"])
    (source / "again.md").write_text("Once more: the stoat lives in the old barn by the river\n")
    (source / "s4.md").write_text("stoat 4\n")
    imported = store.import_folder(source)
    assert imported.counts == {"new": 1, "same": 2, "gone": 3}
    assert sorted(name for name, _, _ in imported.told) == ["again.md", "s1.files/plan.txt", "s1.md"]
    assert "stoat1 was forgotten on" in imported.reasons["s1.md"]
    assert store.import_jsonl(tmp_path / "out.jsonl").counts == {"same": 2, "gone": 2}
    assert store.recall("barn").total == 0
    assert_sound(folder)


def test_a_folder_around_the_store_brings_everything_but_the_store(
    store: Store, folder: Path, source: Path
) -> None:
    """Neither its own memories nor those of another worktree come in once more below another path."""
    store.import_folder(source)
    git(folder, "worktree", "add", "-q", str(folder.parent / "beside"), "-b", "beside")
    imported = store.import_folder(folder.parent)
    assert {path for path, outcome in imported.files.items() if outcome != "skipped"} == {
        f"source/s{number}.md" for number in (1, 2, 3)
    }
    assert {imported.reasons[name] for name in (folder.name, "beside")} == {"the store itself"}


def test_a_folder_that_cannot_be_read_is_named_and_the_others_come_in(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left out in silence."""
    closed = source / "closed"
    closed.mkdir()
    (closed / "s4.md").write_text("stoat 4\n")
    scandir = os.scandir

    def refusing(place: str | int) -> Iterator[os.DirEntry[str]]:
        if str(place) == str(closed):
            raise PermissionError(13, "Permission denied", place)
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refusing)
    imported = store.import_folder(source)
    assert imported.counts == {"new": 3, "skipped": 1}
    assert imported.told == [("closed", "skipped", "cannot be read: Permission denied")]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("notes.zip", "neither a folder nor a Markdown file"),
        ("notes.txt", "neither a folder nor a Markdown file"),
        ("README.md", "no memory"),
    ],
)
def test_one_file_that_is_no_memory_is_refused_by_name(
    store: Store, tmp_path: Path, name: str, complaint: str
) -> None:
    """Nobody takes it for imported."""
    (tmp_path / name).write_text("stoat\n")
    with pytest.raises(BadInput, match=complaint) as refused:
        store.import_folder(tmp_path / name)
    assert name in refused.value.message
    assert refused.value.hint == ("unpack it first" if name.endswith("zip") else None)


def test_what_was_renamed_here_is_known_by_the_id_that_it_had(
    store: Store, folder: Path, source: Path
) -> None:
    """It was not taken out, and a change of the source is told."""
    (source / "boiler.md").write_text("The boiler valve turns left.\n")
    store.import_folder(source)
    store.rename("boiler.md", "Valve of the boiler", path="house/boiler-valve.md")
    assert store.import_folder(source).files["boiler.md"] == "kept"
    (source / "boiler.md").write_text("The boiler valve turns right.\n")
    imported = store.import_folder(source)
    assert imported.files["boiler.md"] == "conflict"
    assert "house/boiler-valve.md was changed here and in the source" in imported.reasons["boiler.md"]
    assert "turns left" in store.show("house/boiler-valve.md").memory.body
    assert_sound(folder)
