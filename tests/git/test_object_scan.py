"""Whoever seeks something everywhere is given every object and every file, or told what could not be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.git import object_scan
from gitmem.git.object_scan import all_files, all_objects
from gitmem.git.repository import Repository
from tests.git.helpers import git


def scanned(repo: Repository) -> dict[str, list[bytes | None]]:
    """The pieces of every object, by id."""
    found: dict[str, list[bytes | None]] = {}
    for oid, _, data in all_objects(repo, lambda _done, _total: None):
        found.setdefault(oid, []).append(data)
    return found


def top_of(repo: Repository) -> Path:
    assert repo.worktree is not None
    return repo.worktree


def test_packed_loose_and_unnamed_objects_all_come(repo: Repository) -> None:
    git(top_of(repo), "repack", "-adq")
    unnamed = repo.write_blob(b"nothing names this")
    found = scanned(repo)
    assert found.keys() == {str(oid) for oid in repo.raw.odb}
    assert found[unnamed] == [b"nothing names this"]
    assert all(found[oid] == [repo.raw.read(oid)[1]] for oid in found)


def test_a_damaged_object_hides_no_other_one(repo: Repository) -> None:
    """Git ends where it meets it; it alone is told as not looked at."""
    whole = {oid: repo.raw.read(oid)[1] for oid in map(str, repo.raw.odb)}
    damaged = repo.write_blob(b"this will be damaged")
    file = repo.common_dir / "objects" / damaged[:2] / damaged[2:]
    file.chmod(0o600)
    file.write_bytes(file.read_bytes()[:-8] + b"\0" * 8)
    found = scanned(Repository(repo.git_dir))
    assert found.pop(damaged) == [None]
    assert found == {oid: [data] for oid, data in whole.items()}


def test_without_git_every_object_is_read_all_the_same(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git does not say libgit2 says."""
    monkeypatch.setattr(object_scan, "_read_by_git", lambda _repo: iter(()))
    assert {oid: data for oid, (data,) in scanned(repo).items()} == {
        oid: repo.raw.read(oid)[1] for oid in map(str, repo.raw.odb)
    }


@pytest.mark.parametrize("size", [99, 100, 101, 200, 1000, 1001])
def test_what_is_large_comes_in_pieces_that_overlap(
    repo: Repository, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Every run of bytes as long as the overlap is whole in one of the pieces, of objects and of files."""
    monkeypatch.setattr(object_scan, "CHUNK_BYTES", 100)
    monkeypatch.setattr(object_scan, "OVERLAP_BYTES", 20)
    data = os.urandom(size)
    oid = repo.write_blob(data)
    (top_of(repo) / "large").write_bytes(data)
    of_file = [piece for name, piece in all_files(repo, without=Path("/nowhere")) if name == "large"]
    for pieces in (scanned(repo)[oid], of_file):
        whole = [piece or b"" for piece in pieces]
        assert all(len(piece) <= 120 for piece in whole)
        assert all(any(data[at : at + 20] in piece for piece in whole) for at in range(size - 19))


def test_files_are_named_by_where_they_lie_and_links_are_not_followed(repo: Repository) -> None:
    top = top_of(repo)
    (top / "out").symlink_to("/etc")
    (repo.common_dir / "left").mkdir()
    (repo.common_dir / "left" / "out").write_bytes(b"x")
    found = dict(all_files(repo, without=repo.common_dir / "left"))
    assert found["a/one.md"] == b"one\n" and found["out"] == b"/etc"
    assert str(repo.common_dir / "HEAD") in found
    assert not [name for name in found if name.startswith(("out/", str(repo.common_dir / "left")))]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read all")
def test_a_folder_that_may_not_be_read_is_told(repo: Repository) -> None:
    folder = top_of(repo) / "a"
    folder.chmod(0)
    try:
        assert dict(all_files(repo, without=Path("/nowhere")))["a"] is None
    finally:
        folder.chmod(0o700)


def test_a_file_of_another_worktree_is_named_so_that_it_can_be_found(repo: Repository) -> None:
    """A path alone would be looked for here."""
    here = top_of(repo)
    (here / "own.md").write_text("own", "utf-8")
    git(here, "commit", "-q", "--allow-empty", "-m", "begin")
    git(here, "worktree", "add", "-q", "--detach", "../second")
    (here.parent / "second" / "draft.md").write_text("draft", "utf-8")
    found = dict(all_files(repo, without=Path("/nowhere")))
    assert "own.md" in found and "draft.md" not in found
    assert found[str(here.parent / "second" / "draft.md")] == b"draft"
