"""What may be run stays so, and what a person allowed by chmod is theirs until they commit it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import assert_sound, git

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no such mode here")


def mode_of(folder: Path, path: str, branch: str = "HEAD") -> str:
    return git(folder, "ls-tree", branch, path).split()[0]


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664])
def test_a_chmod_that_is_not_committed_outlives_a_write(store: Store, folder: Path, mode: int) -> None:
    """The write is done, the commit keeps the mode it had, and git still shows the chmod as an edit."""
    written = store.remember("a text", id="doc")
    file = folder / written.path
    file.chmod(mode)
    before = git(folder, "status", "--porcelain")
    store.append("doc", "more")
    assert file.read_text().endswith("a text\nmore\n")
    assert file.stat().st_mode & 0o777 == mode
    assert mode_of(folder, written.path) == "100644"
    assert git(folder, "status", "--porcelain") == before


def test_a_file_that_may_be_run_may_be_run_wherever_it_goes(store: Store, folder: Path) -> None:
    """Through a new version, a new place, the archive and back, and an undo."""
    written = store.remember("a text", id="doc")
    attached = written.path.removesuffix(".md") + ".files/run.sh"
    (folder / attached).parent.mkdir()
    (folder / attached).write_text("#!/bin/sh\n")
    for name in (attached, written.path):
        (folder / name).chmod(0o755)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "made to be run")
    store.update("doc", "another text")
    path = store.rename("doc", "Another title").path
    attached = path.removesuffix(".md") + ".files/run.sh"
    assert mode_of(folder, path) == mode_of(folder, attached) == "100755"
    store.archive(["doc"])
    assert mode_of(folder, path, "archive") == mode_of(folder, attached, "archive") == "100755"
    store.undo()
    assert mode_of(folder, path) == mode_of(folder, attached) == "100755"
    assert os.access(folder / attached, os.X_OK)
    assert_sound(folder)


def test_a_commit_says_the_title_that_it_gives(store: Store, folder: Path) -> None:
    """Of `update`, `rename` and `revert` the new title stands in the log, not the one that went."""
    store.remember("a text", title="Old title", id="doc")
    store.update("doc", None, fields={"title": "New title"})
    assert git(folder, "log", "-1", "--format=%s").strip() == "update: New title"
    store.rename("doc", "Newer title")
    assert git(folder, "log", "-1", "--format=%s").strip() == "rename: Newer title"
    store.revert("doc", "v1")
    assert git(folder, "log", "-1", "--format=%s").strip() == "revert: Old title"
