"""A batch that was killed while its pack was written leaves nothing that hinders git or the next write."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.flows.writing.drafting import Request
from gitmem.git.packs import FEWEST_PACKED
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.faults.forked import forked
from tests.faults.points import PACK

COUNT = FEWEST_PACKED + 8


def write_many(folder: Path) -> object:
    return Store.open(folder).remember_all([Request(f"new {number}") for number in range(COUNT)])


@pytest.mark.parametrize("point", PACK)
def test_what_a_killed_batch_left_is_in_nobodys_way(store: Store, folder: Path, point: str) -> None:
    """The next batch works over whatever files the dead one left, and git's own upkeep takes them away."""
    store.remember("kept", id="kept")
    assert forked(lambda: write_many(folder), fault=point).was_killed
    assert Store.open(folder).list().total == 1
    write_many(folder)
    git(folder, "gc", "-q", "--prune=now")
    assert_sound(folder)
    assert Store.open(folder).list().total == COUNT + 1
    assert store.show("kept").memory.body == "kept\n"
    left = [file.name for file in (folder / ".git" / "objects" / "pack").iterdir() if "tmp" in file.name]
    assert not left


def test_an_import_of_many_files_writes_one_pack(store: Store, folder: Path, tmp_path: Path) -> None:
    """No object of it stays loose but the commit."""
    source = tmp_path / "notes"
    source.mkdir()
    for number in range(COUNT):
        (source / f"{number}.md").write_text(f"note {number}\n")
    git(folder, "gc", "-q")
    store.import_folder(source)
    counts = dict(line.split(": ") for line in git(folder, "count-objects", "-v").splitlines())
    assert (counts["count"], counts["packs"]) == ("1", "2")
    assert_sound(folder)
