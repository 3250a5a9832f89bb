"""Reading a repository: what git would say, seen at once, and one clear line where it cannot be used."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.errors import BadInput, Damaged, NotAStore, NotFound, StoreProblem, UnsupportedRepository
from gitmem.git.repository import Repository
from tests.git.helpers import git, put


def root_of(repo: Repository) -> Path:
    assert repo.worktree is not None
    return repo.worktree


def test_discovery_goes_upwards_and_ignores_git_dir(
    repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook of another repository cannot send us there."""
    Repository.create(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    found = Repository.discover(root_of(repo) / "a")
    assert found.git_dir == repo.git_dir and found.worktree == repo.worktree
    assert put(found, {"x.md": "x\n"}).worktrees == (root_of(repo),)


def test_places_without_a_repository(tmp_path: Path) -> None:
    """No repository, no folder, a file: each is `NotAStore`."""
    (tmp_path / "file").write_text("")
    for place in (tmp_path, tmp_path / "nothing/here", tmp_path / "file"):
        with pytest.raises(NotAStore):
            Repository.discover(place)


def test_repositories_that_cannot_be_written(tmp_path: Path) -> None:
    """SHA-256 and reftable are named; nothing is guessed."""
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(tmp_path / "sha")], check=True)
    with pytest.raises(UnsupportedRepository, match="SHA-256"):
        Repository.discover(tmp_path / "sha")
    made = Repository.create(tmp_path / "reftable")
    config = made.git_dir / "config"
    config.write_text("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
    with pytest.raises(UnsupportedRepository, match="reftable"):
        Repository.discover(tmp_path / "reftable")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user_names_the_way_out(repo: Repository) -> None:
    """git's refusal is passed on with the command that lifts it."""
    for path in (root_of(repo), repo.git_dir):
        os.chown(path, 12345, 12345)
    with pytest.raises(StoreProblem) as caught:
        Repository.discover(root_of(repo))
    assert "safe.directory" in (caught.value.hint or "")


def test_the_branch_argument_names_the_unborn_branch(tmp_path: Path) -> None:
    """`init.defaultBranch` of the user does not matter."""
    repo = Repository.create(tmp_path / "new", branch="notes/main")
    assert (repo.head_branch(), repo.head_commit(), repo.is_unborn()) == ("notes/main", None, True)
    with pytest.raises(BadInput):
        Repository.create(tmp_path / "bad", branch="-x")


def test_tips_are_local_first_then_of_the_remote(repo: Repository, tmp_path: Path) -> None:
    """A clone knows a branch before it has one of its own."""
    put(repo, {"x.md": "x\n"}, branch="archive")
    git(tmp_path, "clone", "-q", str(root_of(repo)), "clone")
    clone = Repository.discover(tmp_path / "clone")
    assert clone.local_tip("archive") is None
    assert clone.tip("archive") == repo.local_tip("archive")
    assert clone.default_remote_branch() == "main"
    assert repo.default_remote_branch() is None


def test_revisions(repo: Repository) -> None:
    """Any expression that git knows, and never an option."""
    first = repo.head_commit()
    second = put(repo, {"x.md": "x\n"}).commit
    git(root_of(repo), "tag", "-a", "v1", "-m", "v1", "HEAD~1")
    assert repo.resolve_commit("main~1") == repo.resolve_commit("v1") == first
    assert repo.resolve_commit(second[:10]) == repo.resolve_commit("HEAD") == second
    for rev in ("", "-h", "--all", "nothing", "HEAD:a", "HEAD^9", "a..b", "x\0y", "\udcff"):
        with pytest.raises(NotFound):
            repo.resolve_commit(rev)
    assert first is not None and repo.is_ancestor(first, second) and not repo.is_ancestor(second, first)


def test_commits_are_read_whatever_they_hold(repo: Repository) -> None:
    """Bytes that are not UTF-8 and times beyond any calendar do not stop a reader."""
    tree = git(root_of(repo), "rev-parse", "HEAD^{tree}").strip().encode()
    raw = (
        b"tree %b\nauthor J\xe9r\xf4me <j@x> 99999999999999 +0000\n"
        b"committer C <c@x> 1764430212 +0100\nencoding nonsense\n\nm\xe9ssage\n" % tree
    )
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        cwd=root_of(repo), input=raw, capture_output=True, check=True,
    )  # fmt: skip
    info = repo.commit(made.stdout.decode().strip())
    assert info.committer_time == datetime(2025, 11, 29, 15, 30, 12, tzinfo=UTC)
    assert info.author_time.year == 9999 and "ssage" in info.message
    with pytest.raises(NotFound):
        repo.commit("1" * 40)


def test_a_shallow_clone_ends_at_its_border(repo: Repository, tmp_path: Path) -> None:
    """History ends where the clone was told to end, without an error."""
    put(repo, {"x.md": "x\n"})
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root_of(repo)}", "clone")
    clone = Repository.discover(tmp_path / "clone")
    head = clone.head_commit()
    assert clone.is_shallow() and head is not None
    assert [info.id for info in clone.first_parents(head)] == [head]


def test_trees_are_walked_and_compared_as_git_does(repo: Repository) -> None:
    """Order, modes and differences equal those of git's own plumbing."""
    root = root_of(repo)
    first = repo.head_commit()
    (root / "link").symlink_to("two.md")
    for name in ("a.b", "a-b", "a0"):
        (root / name).write_text(name)
    (root / "two.md").unlink()
    (root / "two.md").mkdir()
    (root / "two.md" / "x").write_text("x")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "second")
    second = repo.head_commit()
    assert first is not None and second is not None
    listed = git(root, "ls-tree", "-r", "-z", second).split("\0")[:-1]
    assert [f"{e.mode:06o} blob {e.oid}\t{e.path}" for e in repo.walk(second)] == listed
    assert [e.path for e in repo.walk(second, "a")] == ["a/one.md"]
    assert list(repo.walk(second, "nothing")) == []
    differing = git(root, "diff-tree", "-r", "-z", "--name-only", "--no-renames", first, second).split("\0")[
        :-1
    ]
    assert sorted(change.path for change in repo.diff_trees(first, second)) == sorted(differing)
    for old, new in ((first, second), (second, first), (None, second)):
        without_added = repo.diff_trees(old, new, without_added=True)
        assert without_added == [each for each in repo.diff_trees(old, new) if each.old is not None]
    assert len(repo.diff_trees(None, second)) == len(listed)
    assert repo.diff_trees(second, second) == []
    entry = repo.entry(second, "a/one.md")
    assert entry is not None and repo.read_blob(entry.oid) == b"one\n" and repo.blob_size(entry.oid) == 4
    assert repo.entry(second, "a/one.md/below") is None and repo.entry(second, "") is None


def test_missing_and_corrupt_objects_are_named(repo: Repository) -> None:
    """`Damaged` says which object."""
    oid = repo.write_blob(b"to be broken")
    assert repo.blob_id_of(b"to be broken") == oid
    file = repo.git_dir / "objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(b"nonsense")
    fresh = Repository.discover(root_of(repo))
    for bad in (oid, "1" * 40):
        with pytest.raises(Damaged, match=bad):
            fresh.read_blob(bad)


def test_objects_that_git_packs_meanwhile_stay_readable(repo: Repository) -> None:
    """A handle that is open goes on after `git gc`."""
    head = repo.head_commit()
    assert head is not None
    entries = list(repo.walk(head))
    git(root_of(repo), "gc", "-q", "--prune=now")
    assert [repo.read_blob(entry.oid) for entry in entries] == [b"one\n", b"two\n"]
    assert list(repo.walk(head)) == entries and repo.commit(head).message == "first\n"


def test_config_is_local_and_seen_at_once(
    repo: Repository, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writes go to this repository alone; what others write is seen by an open handle."""
    repo.set_config("gitmem.test", "a = b # c")
    assert repo.config("gitmem.test") == git(root_of(repo), "config", "gitmem.test").rstrip("\n")
    git(root_of(repo), "config", "gitmem.flag", "on")
    assert repo.config_bool("gitmem.flag", False) and repo.config_bool("gitmem.none", True)
    repo.unset_config("gitmem.test")
    repo.unset_config("gitmem.test")
    assert repo.config("gitmem.test") is None and repo.config("nonsense") is None
    (own_home / "mine").write_text("[user]\n\tname = Other\n[x]\n\tyes = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own_home / "mine"))
    fresh = Repository.discover(root_of(repo))
    assert fresh.config("user.name") == "Other" and fresh.config("user.email") is None
    assert fresh.config_bool("x.yes", False) and not fresh.config_bool("x.no", False)


def test_hooks_directory(repo: Repository, tmp_path: Path) -> None:
    """`core.hooksPath` is taken from where git takes it."""
    root = root_of(repo)
    assert repo.hooks_directory() == repo.common_dir / "hooks" and not repo.hooks_path_is_foreign()
    git(root, "config", "core.hooksPath", ".husky")
    assert repo.hooks_directory() == root / ".husky" and repo.hooks_path_is_foreign()
    git(root, "config", "core.hooksPath", str(tmp_path / "shared"))
    assert repo.hooks_directory() == tmp_path / "shared"
    git(root, "config", "core.hooksPath", ".git/hooks")
    assert not repo.hooks_path_is_foreign()


def test_attributes(repo: Repository) -> None:
    """Set, unset, valued and unspoken attributes are told apart; a bare repository reads HEAD."""
    root = root_of(repo)
    put(repo, {".gitattributes": "*.md merge=gitmem -text\n*.bin filter=lfs binary\n"})
    assert repo.attribute("a/x.md", "merge") == "gitmem" and repo.attribute("x.md", "text") is False
    assert repo.attribute("x.bin", "binary") is True and repo.attribute("x.txt", "merge") is None
    git(root, "clone", "-q", "--bare", ".", "../bare.git")
    assert Repository.discover(root.parent / "bare.git").attribute("x.md", "merge") == "gitmem"


def test_operations_in_progress(repo: Repository, tmp_path: Path) -> None:
    """Each is known by the name of its command, and a rebase tells of its branch from any worktree."""
    root = root_of(repo)
    assert repo.operation_in_progress() is None and repo.rebasing_branches() == []
    git(root, "checkout", "-qb", "side")
    (root / "two.md").write_text("side\n")
    git(root, "commit", "-qam", "side")
    git(root, "checkout", "-q", "main")
    (root / "two.md").write_text("main\n")
    git(root, "commit", "-qam", "main")
    for command, name in ((["merge", "side"], "merge"), (["cherry-pick", "side"], "cherry-pick")):
        git(root, *command, check=False)
        assert repo.operation_in_progress() == name
        git(root, name, "--abort")
    linked = tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked), "side")
    git(linked, "rebase", "main", check=False)
    assert Repository.discover(linked).operation_in_progress() == "rebase"
    assert repo.operation_in_progress() is None and repo.rebasing_branches() == ["side"]
    git(linked, "rebase", "--abort")
    git(root, "bisect", "start")
    assert repo.operation_in_progress() == "bisect"


def test_worktrees(repo: Repository, tmp_path: Path) -> None:
    """The main one and the linked ones; those whose folder is gone are left out."""
    root = root_of(repo)
    for name in ("one", "gone"):
        git(root, "worktree", "add", "-q", "-b", name, str(tmp_path / name))
    subprocess.run(["rm", "-r", str(tmp_path / "gone")], check=True)
    linked = Repository.discover(tmp_path / "one")
    assert linked.common_dir == repo.common_dir and linked.head_branch() == "one"
    found = [(worktree.path, worktree.branch) for worktree in linked.worktrees()]
    assert found == [(root, "main"), (tmp_path / "one", "one")] and linked.worktrees() == repo.worktrees()
