"""Sparse checkouts, by folders and by patterns: what is not checked out is part of the store all the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Conflict, Refused
from gitmem.store import Store
from tests.conftest import assert_sound, git

KINDS = {
    "cone": ["--cone", "jobs"],
    "cone with a sparse index": ["--cone", "--sparse-index", "jobs"],
    "patterns": ["--no-cone", "/jobs/*", "!/jobs/deep/"],
}


@pytest.fixture(params=KINDS)
def sparse(request: pytest.FixtureRequest, store: Store, folder: Path) -> str:
    """`jobs/` is checked out, `home/` is not; with patterns `jobs/deep/` is not either."""
    for path in ("jobs/in.md", "jobs/deep/deep.md", "home/out.md"):
        store.remember(f"{path} otter", path=path, id=Path(path).stem)
    git(folder, "sparse-checkout", "set", *KINDS[request.param])
    return str(request.param)


def test_every_verb_works_inside_and_outside_a_sparse_checkout(
    store: Store, folder: Path, sparse: str
) -> None:
    """After each write the status is clean, outside nothing appears, inside the file is there."""
    inside = {"jobs/in.md", "jobs/new.md", "jobs/moved.md"}
    assert store.recall("otter").total == store.list().total == 3
    steps: list[Callable[[], object]] = [
        lambda: store.append("in", "more"),
        lambda: store.append("deep", "more"),
        lambda: store.update("out", "other otter"),
        lambda: store.remember("x", path="jobs/new.md", id="new"),
        lambda: store.remember("x", path="home/new.md"),
        lambda: store.archive(["out", "in"]),
        lambda: store.restore(["out", "in"]),
        lambda: store.undo(),
        lambda: store.restore(["out", "in"]),
        lambda: store.rename("out", path="jobs/moved.md"),
        lambda: store.rename("new", path="home/away.md"),
        lambda: store.revert("deep", "v1"),
    ]
    for number, step in enumerate(steps):
        step()
        assert git(folder, "status", "--porcelain") == "", number
        assert not (folder / "home").exists(), number
        for path in inside:
            committed = git(folder, "ls-tree", "--name-only", "HEAD", path) != ""
            assert (folder / path).exists() == committed, (number, path)
    assert git(folder, "config", "core.sparseCheckout").strip() == "true"
    git(folder, "sparse-checkout", "disable")
    assert (folder / "home/away.md").exists()
    assert_sound(folder)


def test_a_file_put_by_hand_outside_a_sparse_checkout_is_kept_and_named(
    store: Store, folder: Path, sparse: str
) -> None:
    """It is shown as an edit; git would not take it in, which is said with the way to have it done."""
    (folder / "home").mkdir()
    (folder / "home/hand.md").write_text("heron\n")
    assert store.recall("heron").total == 1
    with pytest.raises(Refused, match="outside the sparse checkout"):
        store.commit_edits()
    with pytest.raises(Conflict, match=r"home/hand\.md"):
        store.remember("x", path="home/hand.md")
    assert git(folder, "status", "--porcelain", "-uall") == "?? home/hand.md\n"
    assert (folder / "home/hand.md").read_text() == "heron\n"
