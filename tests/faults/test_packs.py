"""A batch that is killed while its pack is written, or just after, is there whole or not at all."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from gitmem.git.packs import FEWEST_PACKED
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem
from tests.faults.test_kill import killed

COUNT = FEWEST_PACKED + 8
LINES = "\n".join(
    json.dumps({"text": f"new {number}", "title": f"new {number}"}) for number in range(COUNT)
).encode()
POINTS = ["pack.written", "pack.half-placed", "pack.placed", "publish.after-ref", "publish.file-placed:20"]


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_batch_is_there_whole_or_not_at_all(store: Store, folder: Path, point: str) -> None:
    """And the next one works, over whatever files the dead one left."""
    store.remember("kept", id="kept")
    assert killed(folder, ["remember", "--batch", "-"], point, LINES) == -signal.SIGKILL
    is_published = point.startswith("publish")
    after = Store.open(folder)
    assert after.list().total == (COUNT + 1 if is_published else 1)
    assert_sound(folder)
    done = gitmem(folder, "remember", "--batch", "-", input=LINES)
    assert done.code == 0, done.err
    assert after.list().total == COUNT + 1 + (COUNT if is_published else 0)
    assert_sound(folder)
    git(folder, "gc", "-q", "--prune=now")
    assert_sound(folder)
    assert after.show("kept").memory.body == "kept\n"
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
