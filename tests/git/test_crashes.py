"""A process killed between any two steps of a write: the write is there as a whole, or not at all."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from gitmem.git import journal
from gitmem.git.recover import pending_entries, recover
from gitmem.git.repository import Repository
from tests.git.helpers import assert_sound, git, put, start_python, status

POINTS_BEFORE = [
    "publish.before-entry",
    "publish.after-entry",
    "publish.prepared",
    "publish.index-locked",
    "publish.ref-locked",
    "publish.before-ref",
]
POINTS_AFTER = [
    "publish.after-ref",
    "publish.file",
    "publish.file:2",
    "publish.file:3",
    "publish.file-placed",
    "publish.files-written",
    "publish.before-stat",
    "publish.before-index",
    "publish.index-replaced",
    "publish.after-index",
    "publish.before-cleanup",
    "journal.removing",
]
WRITE = """
import sys
from pathlib import Path
from gitmem.git.repository import Repository
from tests.git.helpers import put
put(Repository.discover(Path(sys.argv[1])), {"a/one.md": "changed\\n", "b/new.md": "new\\n", "two.md": None})
"""
RECOVER = """
import sys
from pathlib import Path
from gitmem.git.repository import Repository
from gitmem.git.recover import recover
print(recover(Repository.discover(Path(sys.argv[1]))))
"""


def killed(code: str, where: Path, fault: str) -> None:
    process = start_python(code, str(where), fault=fault)
    _, talk = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, (fault, talk)


def assert_whole(repo: Repository, is_written: bool) -> None:
    root = repo.worktree
    assert root is not None
    assert status(root) == ""
    assert (root / "b/new.md").exists() == is_written
    assert (root / "two.md").exists() != is_written
    assert (root / "a/one.md").read_text() == ("changed\n" if is_written else "one\n")
    assert [path for path in root.rglob("*.tmp") if ".git" not in path.parts] == []
    assert_sound(repo)


@pytest.mark.parametrize("fault", POINTS_BEFORE)
def test_death_before_the_ref_moved_leaves_nothing(repo: Repository, fault: str) -> None:
    """The commit is not on the branch, no lock is left, and the next write goes through."""
    assert repo.worktree is not None
    before = repo.local_tip("main")
    killed(WRITE, repo.worktree, fault)
    assert repo.local_tip("main") == before
    said = recover(repo)
    assert len(said) == (0 if fault == "publish.before-entry" else 1)
    assert_whole(repo, is_written=False)
    assert recover(repo) == []
    put(repo, {"next.md": "n\n"})
    assert status(repo.worktree) == ""


@pytest.mark.parametrize("fault", POINTS_AFTER)
def test_death_after_the_ref_moved_is_finished(repo: Repository, fault: str) -> None:
    """The commit stands, and whoever comes next brings index and files along."""
    assert repo.worktree is not None
    before = repo.local_tip("main")
    killed(WRITE, repo.worktree, fault)
    assert git(repo.worktree, "rev-parse", "main~1").strip() == before
    recover(repo)
    assert_whole(repo, is_written=True)
    assert recover(repo) == []


@pytest.mark.parametrize("fault", ["publish.index-locked", "publish.after-ref", "publish.before-index"])
def test_the_next_write_recovers_by_itself(repo: Repository, fault: str) -> None:
    """A lock of a dead process is no obstacle for the next write."""
    assert repo.worktree is not None
    killed(WRITE, repo.worktree, fault)
    put(repo, {"a/one.md": "later\n"})
    assert (repo.worktree / "a/one.md").read_text() == "later\n"
    assert status(repo.worktree) == ""
    assert_sound(repo)


@pytest.mark.parametrize(
    "second", ["publish.file", "publish.file:2", "publish.before-index", "publish.after-index"]
)
@pytest.mark.parametrize("first", ["publish.after-ref", "publish.file:2", "publish.before-index"])
def test_death_in_the_middle_of_a_recovery(repo: Repository, first: str, second: str) -> None:
    """Recovery may itself die anywhere, and is taken up again."""
    assert repo.worktree is not None
    killed(WRITE, repo.worktree, first)
    process = start_python(RECOVER, str(repo.worktree), fault=second)
    process.communicate(timeout=60)
    recover(repo)
    assert_whole(repo, is_written=True)


@pytest.mark.parametrize("fault", ["publish.index-locked", "publish.after-ref", "publish.files-written"])
def test_several_worktrees_are_all_finished(repo: Repository, tmp_path: Path, fault: str) -> None:
    """Death between two worktrees leaves neither behind."""
    assert repo.worktree is not None
    twin = tmp_path / "twin"
    git(repo.worktree, "worktree", "add", "-q", "--force", str(twin), "main")
    killed(WRITE, repo.worktree, fault)
    recover(repo)
    assert status(twin) == status(repo.worktree) == ""
    assert (twin / "b/new.md").exists() == (fault != "publish.index-locked")
    assert_sound(repo)


def test_a_living_process_and_another_machine_are_left_alone(repo: Repository) -> None:
    """Only a death that is proved frees a lock; a person may declare one."""
    assert repo.worktree is not None
    killed(WRITE, repo.worktree, "publish.ref-locked")
    (entry,) = pending_entries(repo)
    file = entry.folder / "entry.json"
    text = file.read_text()
    file.write_text(text.replace(entry.host, "elsewhere"))
    assert recover(repo) == [] and (repo.git_dir / "index.lock").exists()
    assert len(recover(repo, declared_dead=[entry.operation])) == 1
    assert_whole(repo, is_written=False)


def test_a_lock_that_is_not_proved_ours_is_never_removed(repo: Repository) -> None:
    """Equal content proves nothing: only the same file does."""
    assert repo.worktree is not None
    killed(WRITE, repo.worktree, "publish.ref-locked")
    lock = repo.git_dir / "index.lock"
    copy = repo.git_dir / "copy"
    shutil.copy(lock, copy)
    lock.unlink()
    copy.rename(lock)
    recover(repo)
    assert lock.exists()
    assert not (repo.git_dir / "refs/heads/main.lock").exists()


def test_what_a_person_did_after_the_crash_stays(repo: Repository) -> None:
    """Recovery touches only what is still as the dead process found it."""
    assert repo.worktree is not None
    root = repo.worktree
    killed(WRITE, root, "publish.after-ref")
    (root / "a/one.md").write_text("mine\n")
    (root / "b").mkdir()
    (root / "b/new.md").write_text("mine too\n")
    said = recover(repo)
    assert len(said) == 3
    assert (root / "a/one.md").read_text() == "mine\n" and (root / "b/new.md").read_text() == "mine too\n"
    assert not (root / "two.md").exists()
    assert git(root, "diff-index", "--cached", "HEAD") == ""


def test_a_branch_that_went_on_is_followed(repo: Repository) -> None:
    """The index is brought to what the branch holds now, not to what the dead process wrote."""
    assert repo.worktree is not None
    root = repo.worktree
    killed(WRITE, root, "publish.after-ref")
    lock = repo.git_dir / "index.lock"
    assert lock.exists()
    tree = git(root, "rev-parse", "main^{tree}").strip()
    later = git(root, "commit-tree", tree, "-p", "main", "-m", "later").strip()
    git(root, "update-ref", "refs/heads/main", later)
    recover(repo)
    assert_whole(repo, is_written=True)


def test_a_half_made_journal_folder_is_forgotten(repo: Repository) -> None:
    """A folder without an entry held no lock; it goes when it is old."""
    folder = journal.private_directory(repo.common_dir) / "journal" / "00000000000000000001-1-x"
    folder.mkdir(parents=True)
    assert recover(repo) == [] and folder.exists()
    import os

    os.utime(folder, (1, 1))
    assert recover(repo) == [] and not folder.exists()
