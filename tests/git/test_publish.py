"""Publishing: the branch moves, git's index and the files come along, and a person's work stays."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Busy, Conflict, UnsupportedRepository
from gitmem.git import branch_lock as locking
from gitmem.git import publication as publishing
from gitmem.git.commits import make_commit, tree_with
from gitmem.git.publish import FileChange, RefMoved, publish
from gitmem.git.recover import pending_entries, recover
from gitmem.git.repository import Repository
from tests.git.helpers import NOW, assert_sound, git, put, status


def root_of(repo: Repository) -> Path:
    assert repo.worktree is not None
    return repo.worktree


def test_a_write_is_committed_and_leaves_the_worktree_clean(repo: Repository) -> None:
    """New, changed and removed files are in the commit, in the index and on disk."""
    result = put(repo, {"a/one.md": "changed\n", "b/c/new.md": "new\n", "two.md": None})
    root = root_of(repo)
    assert result.commit == git(root, "rev-parse", "HEAD").strip()
    assert (result.pending, list(result.skipped), result.worktrees) == (False, [], (root,))
    assert (root / "a/one.md").read_text() == "changed\n"
    assert (root / "b/c/new.md").read_text() == "new\n"
    assert not (root / "two.md").exists()
    assert status(root) == ""
    assert_sound(repo)


def test_the_first_commit_of_an_unborn_branch(tmp_path: Path) -> None:
    """`expected=None` makes the branch; a file that waits in the index goes on waiting."""
    repo = Repository.create(tmp_path / "new")
    root = root_of(repo)
    (root / "staged.md").write_text("staged\n")
    git(root, "add", "staged.md")
    put(repo, {"x/y.md": "first\n"})
    assert git(root, "status", "--porcelain") == "A  staged.md\n"
    assert git(root, "log", "--format=%s").strip() == "remember: x"
    assert_sound(repo)


def test_a_branch_that_moved_refuses_and_nothing_changes(repo: Repository) -> None:
    """The loser of a race learns of it before anything is touched."""
    root = root_of(repo)
    old = repo.local_tip("main")
    stale = make_commit(repo, tree=tree_with(repo, old, {}), parents=[], message="x", when=NOW)
    git(root, "commit", "-q", "--allow-empty", "-m", "theirs")
    theirs = repo.local_tip("main")
    with pytest.raises(RefMoved) as caught:
        publish(repo, "main", expected=old, commit=stale, changes=[], label="x", now=NOW)
    assert caught.value.actual == theirs == repo.local_tip("main")
    with pytest.raises(RefMoved):
        publish(repo, "main", expected=None, commit=stale, changes=[], label="x", now=NOW)
    assert_sound(repo)


def test_staged_edited_and_untracked_work_stays_as_it_was(repo: Repository) -> None:
    """What a person did to a touched file is left and reported; what they did beside is not seen."""
    root = root_of(repo)
    put(repo, {f"f{n}.md": f"{n}\n" for n in range(6)})
    (root / "f0.md").write_text("edited\n")
    (root / "f1.md").write_text("staged\n")
    git(root, "add", "f1.md")
    git(root, "rm", "-q", "--cached", "f2.md")
    (root / "f3.md").unlink()
    (root / "new.md").write_text("mine\n")
    (root / "two.md").write_text("not touched by the write\n")
    result = put(
        repo,
        {
            "f0.md": "n\n",
            "f1.md": "n\n",
            "f2.md": "n\n",
            "f3.md": "n\n",
            "new.md": "n\n",
            "f4.md": "n\n",
            "f5.md": None,
        },
    )
    assert {skip.path for skip in result.skipped} == {"f0.md", "f1.md", "f2.md", "f3.md", "new.md"}
    assert (root / "f0.md").read_text() == "edited\n"
    assert (root / "new.md").read_text() == "mine\n"
    assert not (root / "f3.md").exists()
    assert git(root, "show", ":f1.md") == "staged\n"
    assert git(root, "ls-files", "f2.md") == ""
    assert (root / "f4.md").read_text() == "n\n"
    assert not (root / "f5.md").exists()
    assert (root / "two.md").read_text() == "not touched by the write\n"


def test_a_file_in_conflict_is_left_to_the_merge(repo: Repository) -> None:
    """An index entry with several stages is the merge's, not ours."""
    root = root_of(repo)
    git(root, "checkout", "-qb", "side")
    (root / "two.md").write_text("side\n")
    git(root, "commit", "-qam", "side")
    git(root, "checkout", "-q", "main")
    (root / "two.md").write_text("main\n")
    git(root, "commit", "-qam", "main")
    git(root, "merge", "side", check=False)
    assert repo.operation_in_progress() == "merge"
    before = git(root, "ls-files", "-u")
    result = put(repo, {"two.md": "ours\n", "other.md": "o\n"})
    assert [skip.path for skip in result.skipped] == ["two.md"]
    assert git(root, "ls-files", "-u") == before
    assert git(root, "ls-files", "other.md") == "other.md\n"


def test_a_file_becomes_a_folder_and_back(repo: Repository) -> None:
    """A name that changes its kind is followed in index and worktree."""
    root = root_of(repo)
    put(repo, {"two.md": None, "two.md/x": "below\n"})
    assert status(root) == "" and (root / "two.md/x").read_text() == "below\n"
    put(repo, {"two.md/x": None, "two.md": "file\n"})
    assert status(root) == "" and (root / "two.md").read_text() == "file\n"
    assert_sound(repo)


def test_nothing_is_written_through_a_symbolic_link(repo: Repository, tmp_path: Path) -> None:
    """A folder that a person replaced by a link leads nowhere."""
    root = root_of(repo)
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "linked").symlink_to(outside)
    result = put(repo, {"linked/x.md": "secret\n", "linked/deep/y.md": "secret\n"})
    assert len(result.skipped) == 2
    assert list(outside.iterdir()) == []


def test_every_worktree_of_the_branch_comes_along(repo: Repository, tmp_path: Path) -> None:
    """Two worktrees on one branch (git can be forced to that) are both clean afterwards; a third stays."""
    root = root_of(repo)
    twin, other = tmp_path / "twin", tmp_path / "other"
    git(root, "worktree", "add", "-q", "--force", str(twin), "main")
    git(root, "worktree", "add", "-q", "-b", "side", str(other))
    seen_from_other = Repository.discover(other)
    assert seen_from_other.common_dir == repo.common_dir
    result = put(seen_from_other, {"a/one.md": "1\n", "n.md": "n\n", "two.md": None})
    assert set(result.worktrees) == {root, twin}
    for place in (root, twin, other):
        assert status(place) == ""
    assert (twin / "n.md").exists() and not (other / "n.md").exists()
    assert "gitmem: remember: x" in git(twin, "reflog", "HEAD")
    assert_sound(repo)


def test_bare_repositories_and_branches_that_are_not_checked_out(tmp_path: Path) -> None:
    """Without a worktree only the ref moves; git's default of no reflogs in bare repositories holds."""
    repo = Repository.create(tmp_path / "bare.git", bare=True)
    assert repo.is_bare and repo.worktree is None
    put(repo, {"x.md": "x\n"})
    put(repo, {"y.md": "y\n"})
    put(repo, {"z.md": "z\n"}, branch="proposals/name")
    assert git(repo.git_dir, "rev-list", "--count", "main").strip() == "2"
    assert repo.branch_names() == ["main", "proposals/name"]
    assert not (repo.git_dir / "logs").exists()
    assert_sound(repo)


def test_a_detached_head_stays_where_it_is(repo: Repository) -> None:
    """Only the branch moves when HEAD is not on it."""
    root = root_of(repo)
    git(root, "checkout", "-q", "--detach")
    here = repo.head_commit()
    result = put(repo, {"x.md": "x\n"})
    assert result.worktrees == () and repo.head_commit() == here and repo.head_branch() is None
    assert not (root / "x.md").exists() and status(root) == ""


def test_packed_refs_are_compared_and_overlaid(repo: Repository) -> None:
    """A branch that lives in packed-refs alone moves as any other."""
    root = root_of(repo)
    put(repo, {"q.md": "q\n"}, branch="gitmem/archive")
    git(root, "pack-refs", "--all")
    assert not (repo.git_dir / "refs/heads/main").exists()
    put(repo, {"x.md": "x\n"})
    put(repo, {"r.md": "r\n"}, branch="gitmem/archive")
    assert git(root, "rev-list", "--count", "gitmem/archive").strip() == "2"
    assert status(root) == ""
    with pytest.raises(Conflict):
        put(repo, {"r.md": "r\n"}, branch="gitmem")
    with pytest.raises(Conflict):
        put(repo, {"r.md": "r\n"}, branch="main/below")
    assert_sound(repo)


def test_empty_folders_of_former_branches_are_no_obstacle(repo: Repository) -> None:
    """Git leaves empty folders where branches were; a branch may take their name."""
    (repo.git_dir / "refs/heads/old/deep").mkdir(parents=True)
    put(repo, {"r.md": "r\n"}, branch="old")
    assert repo.local_tip("old") is not None


def test_line_ends_are_converted_as_git_converts_them(repo: Repository) -> None:
    """With autocrlf the file on disk has CRLF, the blob LF, and the worktree is clean."""
    root = root_of(repo)
    git(root, "config", "core.autocrlf", "true")
    git(root, "rm", "-q", "-r", "--cached", ".")
    git(root, "reset", "-q", "--hard")
    assert (root / "two.md").read_bytes() == b"two\r\n"
    (root / ".gitattributes").write_text("*.raw -text\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "-qm", "attributes")
    assert list(put(repo, {"two.md": "2\n2\n", "n.md": "n\n", "x.raw": "raw\n"}).skipped) == []
    assert (root / "two.md").read_bytes() == b"2\r\n2\r\n"
    assert (root / "n.md").read_bytes() == b"n\r\n"
    assert (root / "x.raw").read_bytes() == b"raw\n"
    assert status(root) == ""
    put(repo, {"two.md": "3\n", "n.md": None})
    assert status(root) == "" and not (root / "n.md").exists()


def test_a_normalised_edit_is_no_edit(repo: Repository) -> None:
    """A file that git checks in as the old blob, though its bytes differ, may be replaced."""
    root = root_of(repo)
    (root / ".gitattributes").write_text("* text=auto\n")
    git(root, "add", ".gitattributes")
    git(root, "commit", "-qm", "attributes")
    (root / "two.md").write_bytes(b"two\r\n")
    result = put(repo, {"two.md": "2\n"})
    assert list(result.skipped) == [] and (root / "two.md").read_bytes() == b"2\n"
    assert status(root) == ""


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
@pytest.mark.parametrize("sparse_index", [False, True])
def test_a_sparse_checkout_stays_sparse(repo: Repository, cone: str, sparse_index: bool) -> None:
    """What lies outside the cone is committed, and neither written to disk nor shown as deleted."""
    root = root_of(repo)
    put(repo, {"in/x.md": "x\n", "out/y.md": "y\n", "out/deep/z.md": "z\n"})
    if sparse_index and cone == "--no-cone":
        pytest.skip("git has sparse indexes for cones only")
    extra = ["--sparse-index"] if sparse_index else []
    git(root, "sparse-checkout", "set", cone, *extra, "in" if cone == "--cone" else "/in/")
    assert repo.is_sparse() and not (root / "out").exists()
    config = (repo.git_dir / "config").read_bytes()
    result = put(
        repo,
        {"in/n.md": "n\n", "in/x.md": "xx\n", "out/n.md": "n\n", "out/y.md": "yy\n", "out/deep/z.md": None},
    )
    assert list(result.skipped) == []
    assert (root / "in/n.md").exists() and not (root / "out").exists()
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "ls-files", "-t", "out/n.md") == "S out/n.md\n"
    assert (repo.git_dir / "config").read_bytes() == config
    assert git(root, "write-tree") == git(root, "rev-parse", "HEAD^{tree}")
    assert_sound(repo)


@pytest.mark.parametrize("kind", ["version-4", "split", "untracked-cache", "many-files", "no-index"])
def test_unusual_indexes(repo: Repository, kind: str) -> None:
    """Whatever form git's index has, it fits HEAD afterwards and git can go on with it."""
    root = root_of(repo)
    if kind == "version-4":
        git(root, "update-index", "--index-version=4")
    elif kind == "split":
        git(root, "config", "core.splitIndex", "true")
        git(root, "update-index", "--split-index")
    elif kind == "untracked-cache":
        git(root, "update-index", "--force-untracked-cache")
        git(root, "status")
    elif kind == "many-files":
        git(root, "config", "feature.manyFiles", "true")
        git(root, "update-index", "--index-version=4")
        git(root, "status")
    else:
        (repo.git_dir / "index").unlink()
    for n in range(3):
        put(repo, {"a/one.md": f"{n}\n", f"n{n}.md": f"{n}\n"})
    put(repo, {"n0.md": None})
    if kind != "no-index":
        assert status(root) == ""
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "write-tree") == git(root, "rev-parse", "HEAD^{tree}")
    if kind in ("version-4", "many-files"):
        assert (repo.git_dir / "index").read_bytes()[4:8] == b"\0\0\0\4"
    assert_sound(repo)


def test_an_index_that_git_holds_is_brought_along_later(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While an editor keeps index.lock, writes go on; the index follows, in order, when the lock is gone."""
    monkeypatch.setattr(publishing, "INDEX_LOCK_SECONDS", 0.05)
    root = root_of(repo)
    lock = repo.git_dir / "index.lock"
    lock.write_bytes(b"")
    for n in range(3):
        result = put(repo, {"two.md": f"{n}\n", f"n{n}.md": "n\n"})
        assert result.pending
    assert (root / "two.md").read_text() == "2\n"
    assert lock.read_bytes() == b"" and len(pending_entries(repo)) == 3
    assert recover(repo) == []
    lock.unlink()
    assert len(recover(repo)) == 3
    assert status(root) == ""
    assert recover(repo) == []
    assert_sound(repo)


def test_the_next_write_finishes_what_waited_for_git(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No command of its own is needed to bring the index along."""
    monkeypatch.setattr(publishing, "INDEX_LOCK_SECONDS", 0.05)
    lock = repo.git_dir / "index.lock"
    lock.write_bytes(b"")
    assert put(repo, {"two.md": "1\n"}).pending
    lock.unlink()
    assert not put(repo, {"two.md": "2\n"}).pending
    assert status(root_of(repo)) == ""
    assert_sound(repo)


def test_a_foreign_ref_lock_makes_the_write_busy(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ref lock that is not ours is waited for, never removed; nothing was changed then."""
    monkeypatch.setattr(locking, "REF_LOCK_SECONDS", 0.1)
    lock = repo.git_dir / "refs/heads/main.lock"
    lock.write_bytes(b"")
    before = repo.local_tip("main")
    with pytest.raises(Busy):
        put(repo, {"two.md": "1\n"})
    assert lock.exists() and repo.local_tip("main") == before
    lock.unlink()
    assert status(root_of(repo)) == ""
    assert_sound(repo)


def test_without_hard_links_locks_are_made_the_plain_way(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file system that knows no hard links costs the proof of ownership, not the write."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr("gitmem.git.locks.link_exclusive", refuse)
    monkeypatch.setattr("gitmem.git.worktree_files.link_exclusive", refuse)
    put(repo, {"two.md": "1\n", "n.md": "n\n"})
    put(repo, {"two.md": "2\n", "n.md": None})
    assert status(root_of(repo)) == ""
    assert_sound(repo)


def test_an_edit_in_the_second_of_the_write_is_seen(repo: Repository) -> None:
    """Git's racy entries stay racy: a change of equal length right after git wrote the index shows up."""
    root = root_of(repo)
    for n in range(5):
        (root / "race.md").write_text(f"aaa{n}\n")
        git(root, "add", "race.md")
        (root / "race.md").write_text(f"bbb{n}\n")
        put(repo, {"x.md": f"{n}\n"})
        stat = (repo.git_dir / "index").stat()
        later = stat.st_mtime_ns + 5 * 10**9
        os.utime(repo.git_dir / "index", ns=(later, later))
        assert "race.md" in git(root, "diff-files", "--name-only")


def test_executable_files_keep_their_mode(repo: Repository) -> None:
    """A changed file that git knows as executable stays so, in the tree and on disk."""
    root = root_of(repo)
    (root / "two.md").chmod(0o755)
    git(root, "commit", "-qam", "mode")
    put(repo, {"two.md": "2\n"})
    assert os.access(root / "two.md", os.X_OK) and status(root) == ""


def test_file_names_that_are_not_utf8(repo: Repository) -> None:
    """A path is bytes to git, and stays those bytes."""
    path = b"b\xff/\xfe.md".decode("utf-8", "surrogateescape")
    put(repo, {path: "x\n", "grüße/日本.md": "y\n"})
    assert status(root_of(repo)) == ""
    put(repo, {path: None})
    assert status(root_of(repo)) == ""
    assert_sound(repo)


def test_names_that_cannot_be_branches(repo: Repository) -> None:
    """A branch name that git would not take is refused before anything is read."""
    for name in ("-x", "a..b", "", "HEAD", "a b", "x.lock", "/x"):
        with pytest.raises(BadInput):
            publish(repo, name, expected=None, commit="0" * 40, changes=[], label="", now=NOW)


def test_a_symbolic_branch_is_refused(repo: Repository) -> None:
    """A branch that only points at another would be cut loose from it by a write."""
    git(root_of(repo), "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    with pytest.raises(UnsupportedRepository):
        publish(
            repo, "alias", expected=repo.local_tip("main"), commit="0" * 40, changes=[], label="", now=NOW
        )


def test_a_submodule_and_a_separate_git_directory(tmp_path: Path, repo: Repository) -> None:
    """A `.git` file leads to the git directory, and the write to the right worktree."""
    outer = tmp_path / "outer"
    Repository.create(outer)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root_of(repo)), "inner")
    inner = Repository.discover(outer / "inner" / "a")
    assert inner.worktree == outer / "inner"
    put(inner, {"two.md": "2\n", "deep/n.md": "n\n"})
    assert (outer / "inner/deep/n.md").exists() and status(outer / "inner") == ""
    separate = tmp_path / "separate"
    subprocess.run(
        ["git", "init", "-q", "-b", "main", "--separate-git-dir", str(tmp_path / "gd"), str(separate)],
        check=True,
    )
    other = Repository.discover(separate)
    put(other, {"x.md": "x\n"})
    assert (separate / "x.md").exists() and status(separate) == ""


def test_changes_that_are_in_the_index_already(repo: Repository) -> None:
    """A person who staged the very same content loses nothing and is told nothing."""
    root = root_of(repo)
    (root / "n.md").write_text("n\n")
    git(root, "add", "n.md")
    assert list(put(repo, {"n.md": "n\n"}).skipped) == []
    assert status(root) == ""


def test_changes_are_plain_values() -> None:
    """A file change compares by value, so that plans can be compared."""
    assert FileChange("x", None, "1") == FileChange("x", None, "1")
