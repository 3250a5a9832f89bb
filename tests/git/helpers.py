"""Real repositories, plain git, and one write through `publish`, for the tests of the git layer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from gitmem.git.commits import make_commit, tree_with
from gitmem.git.publish import FileChange, PublishResult, RefMoved, publish
from gitmem.git.repository import Repository

NOW = datetime(2026, 11, 29, 15, 30, 12, tzinfo=UTC)
ROOT = Path(__file__).parents[2]


def git(where: Path, *arguments: str, check: bool = True, input: str | None = None) -> str:
    """What plain git prints in `where`."""
    done = subprocess.run(
        ["git", *arguments], cwd=where, capture_output=True, text=True, check=False, input=input
    )
    if check and done.returncode != 0:
        raise AssertionError(f"git {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


def status(where: Path) -> str:
    """What git says about the worktree, without being allowed to refresh its index first."""
    before = git(where, "diff-files", "--name-status") + git(where, "diff-index", "--cached", "HEAD")
    return before + git(where, "--no-optional-locks", "status", "--porcelain=v1", "-z", "-uall")


def put(
    repo: Repository, files: Mapping[str, str | None], *, branch: str = "main", label: str = "remember: x"
) -> PublishResult:
    """Commit `files` (None removes) to the branch through `publish`; a lost race is run again."""
    while True:
        old = repo.local_tip(branch)
        blobs = {
            path: None if text is None else repo.write_blob(text.encode("utf-8", "surrogateescape"))
            for path, text in files.items()
        }
        changes = []
        for path, blob in blobs.items():
            before = None if old is None else repo.entry(old, path)
            is_file = before is not None and before.mode != 0o040000
            changes.append(FileChange(path, before.oid if before and is_file else None, blob))
        tree = tree_with(repo, old, blobs)
        commit = make_commit(repo, tree=tree, parents=[old] if old else [], message=label, when=NOW)
        try:
            return publish(repo, branch, expected=old, commit=commit, changes=changes, label=label, now=NOW)
        except RefMoved:
            continue


def start_python(code: str, *arguments: str, fault: str = "") -> subprocess.Popen[str]:
    """Another process that runs `code` with the helpers at hand, killed at the fault point `fault`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if fault:
        environment["GITMEM_FAULT"] = fault
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def assert_sound(repo: Repository) -> None:
    """No object is broken, and no lock or journal entry is left."""
    checked = subprocess.run(
        ["git", "fsck", "--strict", "--no-dangling"], cwd=repo.common_dir, capture_output=True, text=True
    )
    talk = [line for line in checked.stderr.splitlines() if "Checking" not in line]
    assert checked.returncode == 0, checked
    assert not [line for line in talk if "dangling" not in line and "notice" not in line], talk
    assert not list(repo.common_dir.rglob("*.lock.tmp"))
    left = [path for path in repo.common_dir.rglob("*.lock") if "gitmem" not in path.parts[-2:]]
    assert left == []
    journal = repo.common_dir / "gitmem" / "journal"
    assert not journal.exists() or not [p for p in journal.iterdir() if (p / "entry.json").exists()]
