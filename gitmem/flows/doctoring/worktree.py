"""doctor, between git and gitmem: git's index, locks that stay, files that nobody will finish."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from gitmem.flows.doctoring.ailment import Ailment
from gitmem.flows.moving.intent import half_written
from gitmem.flows.work import Work
from gitmem.git import journal
from gitmem.git.index_health import behind, bring_along, make_anew, why_unreadable

OLD_LOCK_SECONDS = 60
_SHOWN = 3
_BESIDE_FILES = re.compile(r"\.gitmem-(?P<operation>[0-9]+-[0-9]+-[0-9a-f]+)-.*\.tmp")


def examine_git_index(work: Work, fix: bool) -> Iterator[Ailment]:
    """Git's index in each worktree of the branch: it must be readable, and not behind."""
    repository = work.place.repository
    for worktree in repository.worktrees():
        if worktree.branch != work.branch:
            continue
        name = worktree.git_dir / "index"
        reason = why_unreadable(worktree)
        if reason is not None:
            hint = "--fix makes it anew from HEAD; what was staged is not known any more"
            if fix:
                kept = make_anew(repository, worktree)
                message = f"{name}: {reason}; made anew from HEAD, the old one is at {kept}"
                yield Ailment("git-index", message, True)
            else:
                yield Ailment("git-index", f"{name}: {reason}", hint=hint)
            continue
        changes = behind(repository, worktree) if repository.operation_in_progress() is None else []
        if changes:
            paths = ", ".join(change.path for change in changes[:_SHOWN])
            paths += ", …" if len(changes) > _SHOWN else ""
            message = f"{name} is behind {work.branch} at {len(changes)} files: {paths}"
            hint = "the next 'git commit' would undo them; --fix brings it along"
            if fix:
                bring_along(repository, worktree, changes)
            is_fixed = fix and not behind(repository, worktree)
            if is_fixed:
                yield Ailment("git-index", f"{message}; brought along", True)
            else:
                yield Ailment("git-index", message, hint=hint)


def examine_locks(work: Work, _fix: bool) -> Iterator[Ailment]:
    """Lock files that nobody let go of for a minute. They are not ours to remove."""
    common = work.place.repository.common_dir
    names = [*common.glob("*.lock"), *common.glob("worktrees/*/*.lock"), *(common / "refs").rglob("*.lock")]
    ours = {name for entry in journal.entries(common) for _, name in entry.locks}
    for lock in sorted(names):
        try:
            age_seconds = time.time() - lock.stat().st_mtime
        except OSError:
            continue
        if age_seconds > OLD_LOCK_SECONDS and str(lock) not in ours:
            message = f"{lock} is {age_seconds / 60:.0f} minutes old; gitmem cannot tell whose it is"
            yield Ailment("lock", message, hint="if no git is running, delete that file")


def examine_leftovers(work: Work, fix: bool) -> Iterator[Ailment]:
    """Files and folders that a dead process was making."""
    for path in sorted({*_unfinished_of_index(work), *_unfinished_elsewhere(work)}):
        message = f"{path} was left by a process that died"
        if not fix:
            yield Ailment("leftover", message, hint="--fix removes it")
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        yield Ailment("leftover", f"{message}; removed", not path.exists())


def _unfinished_of_index(work: Work) -> Iterator[Path]:
    from gitmem.index.leftovers import leftovers

    root = work.place.home / "index"
    branches = [path for path in root.glob("*") if path.is_dir()]
    states = [path for branch in branches for path in branch.glob("*") if path.is_dir()]
    for folder in (work.place.home, root, *branches, *states):
        yield from leftovers(folder)


def _unfinished_elsewhere(work: Work) -> Iterator[Path]:
    repository = work.place.repository
    yield from half_written(work)
    places = (repository.hooks_directory(), repository.common_dir)
    for file in [file for place in places for file in place.glob("*.gitmem-new")]:
        if time.time() - file.stat().st_mtime > OLD_LOCK_SECONDS:
            yield file
    running = {folder.name for folder in journal.folders(repository.common_dir)}
    for worktree in repository.worktrees():
        for folder, folders, files in os.walk(worktree.path):
            folders[:] = [name for name in folders if name != ".git"]
            for name in files:
                match = _BESIDE_FILES.fullmatch(name)
                if match and match["operation"] not in running:
                    yield Path(folder) / name
