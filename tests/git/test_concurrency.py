"""Several writers and plain git at once: no commit is lost, nothing is dropped, nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitmem.git.recover import recover
from gitmem.git.repository import Repository
from tests.git.helpers import assert_sound, git, put, start_python, status

WRITERS = 4
WRITES = 25
WRITE = """
import sys
from pathlib import Path
from gitmem.git.repository import Repository
from tests.git.helpers import put
where, me, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for n in range(count):
    repo = Repository.discover(where)
    put(repo, {f"m/{me}/{n:03d}.md": f"{me} {n}\\n", f"shared/{me}.md": f"{n}\\n"}, label=f"{me}-{n}")
"""


def plain_commits_until_done(root: Path, writers: list[subprocess.Popen[str]]) -> list[str]:
    """A person's loop of `git add` and `git commit`; what git refused is done again."""
    made: list[str] = []
    while any(writer.poll() is None for writer in writers):
        name = f"person-{len(made)}.md"
        (root / name).write_text(name)
        for command in (["add", name], ["commit", "-qm", name]):
            while subprocess.run(["git", *command], cwd=root, capture_output=True).returncode != 0:
                if command[0] == "commit" and not git(root, "diff", "--cached", "--name-only"):
                    break
                time.sleep(0.01)
        made.append(name)
        # Beside all writes, and not so often that the writers do hardly anything but lose races.
        time.sleep(0.05)
    return made


def test_four_writers_and_a_person_with_plain_git(repo: Repository) -> None:
    """Every commit of every writer is in the history, and every file of theirs in the last tree."""
    assert repo.worktree is not None
    root = repo.worktree
    writers = [start_python(WRITE, str(root), f"w{n}", str(WRITES)) for n in range(WRITERS)]
    made = plain_commits_until_done(root, writers)
    for writer in writers:
        _, talk = writer.communicate()
        assert writer.returncode == 0, talk
    recover(repo)
    subjects = git(root, "log", "--format=%s").split()
    expected = {f"w{w}-{n}" for w in range(WRITERS) for n in range(WRITES)}
    assert expected <= set(subjects) and len(subjects) == len(set(subjects))
    files = set(git(root, "ls-tree", "-r", "--name-only", "HEAD").split())
    assert {f"m/w{w}/{n:03d}.md" for w in range(WRITERS) for n in range(WRITES)} <= files
    assert set(made) <= files and made
    for w in range(WRITERS):
        assert git(root, "show", f"HEAD:shared/w{w}.md") == f"{WRITES - 1}\n"
    assert status(root) == ""
    assert_sound(repo)


def test_writers_of_different_branches_and_worktrees(repo: Repository, tmp_path: Path) -> None:
    """Writers from two worktrees on one common git directory do not disturb each other."""
    assert repo.worktree is not None
    root, other = repo.worktree, tmp_path / "other"
    git(root, "worktree", "add", "-q", "-b", "side", str(other))
    writers = [start_python(WRITE, str(place), f"w{n}", "8") for n, place in enumerate((root, other, root))]
    for writer in writers:
        _, talk = writer.communicate()
        assert writer.returncode == 0, talk
    assert git(root, "rev-list", "--count", "main").strip() == "25"
    assert status(root) == status(other) == ""
    assert_sound(repo)


def test_refs_are_readable_while_git_packs_and_renames_them(repo: Repository) -> None:
    """A reader never fails, and never loses sight of a branch that is only being packed."""
    assert repo.worktree is not None
    root = repo.worktree
    for n in range(10):
        git(root, "branch", f"b{n}")
    packer = subprocess.Popen(
        ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do git pack-refs --all; git branch -f b1; "
         "git branch -m b0 c0; git branch -m c0 b0; done"],
        cwd=root,
    )  # fmt: skip
    while packer.poll() is None:
        assert repo.local_tip("b5") is not None
        assert {f"b{n}" for n in range(2, 10)} <= set(repo.branch_names())
        assert repo.tip("nowhere") is None
    assert packer.returncode == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the window is waited out blindly")
def test_a_commit_that_read_the_old_index_cannot_write_it_back(repo: Repository, tmp_path: Path) -> None:
    """`git commit` reads the index before it locks it; a write in between must make it give up.

    The window is held open by a file system monitor that git asks between the two.
    """
    assert repo.worktree is not None
    root, reached = repo.worktree, tmp_path / "reached"
    monitor = tmp_path / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {reached}\nsleep 0.4\nprintf '/\\0'\n")
    monitor.chmod(0o755)
    (root / "mine.md").write_text("mine\n")
    git(root, "add", "mine.md")
    git(root, "config", "core.fsmonitor", str(monitor))
    reached.unlink(missing_ok=True)
    person = subprocess.Popen(["git", "commit", "-qm", "mine"], cwd=root, stderr=subprocess.PIPE)
    while not reached.exists():
        assert person.poll() is None
        time.sleep(0.005)
    put(repo, {"x.md": "x\n", "two.md": "2\n"})
    _, talk = person.communicate()
    git(root, "config", "--unset", "core.fsmonitor")
    assert person.returncode != 0, talk
    assert git(root, "diff", "--cached", "--name-only") == "mine.md\n"
    git(root, "commit", "-qm", "mine")
    assert git(root, "show", "HEAD:x.md") == "x\n" and git(root, "show", "HEAD:two.md") == "2\n"
    assert status(root) == ""
    assert_sound(repo)


def pretend_git(folder: Path, root: Path, body: str) -> subprocess.Popen[bytes]:
    """A process that looks like a `git merge` in the worktree."""
    program = folder / "git"
    program.write_text(f"#!/bin/sh\ntouch {folder}/reached\n{body}\ntouch {folder}/through\n")
    program.chmod(0o755)
    process = subprocess.Popen([str(program), "merge", "side"], cwd=root)
    while not (folder / "reached").exists():
        time.sleep(0.005)
    return process


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the window is waited out blindly")
def test_a_git_command_at_work_is_given_the_time_it_needs(repo: Repository, tmp_path: Path) -> None:
    """On a busy machine a merge may take seconds between reading the index and locking it."""
    assert repo.worktree is not None
    busy = "end=$(($(date +%s) + 3)); while [ $(date +%s) -lt $end ]; do :; done"
    process = pretend_git(tmp_path, repo.worktree, busy)
    put(repo, {"x.md": "x\n"})
    assert (tmp_path / "through").exists()
    assert process.wait() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the window is waited out blindly")
def test_a_git_command_that_waits_for_a_person_is_not_waited_for(repo: Repository, tmp_path: Path) -> None:
    """An editor may be open for hours."""
    assert repo.worktree is not None
    os.mkfifo(tmp_path / "keyboard")
    process = pretend_git(tmp_path, repo.worktree, f"read -r line <{tmp_path}/keyboard")
    put(repo, {"x.md": "x\n"})
    assert process.poll() is None
    process.kill()
    process.wait()
