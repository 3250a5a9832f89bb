"""Keeping a repository fast: loose objects and small packs folded, and the commit graph up to date.

Nothing is ever thrown away here: what no ref names stays, for `git gc` to judge. All of it may be left out,
be broken off, or run beside any git command.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.git.beneath import read_regular, replace_regular
from gitmem.git.environment import run_git
from gitmem.git.repository import Repository
from gitmem.platform import FileLock

MANY_LOOSE_OBJECTS = 2_000
MANY_PACKS = 20
MANY_COMMITS = 64
"""So many commits may be missing from the commit graph."""
_SAMPLE = "17"
"""Objects are spread evenly over 256 folders: one of them tells how many there are, as in `git gc --auto`."""
_NEW_FILTERS = 20_000
_TIMEOUT_SECONDS = 600
_GRAPH_STAMP = "commit-graph-at"


def has_much_to_fold(common_dir: Path) -> bool:
    """Whether there are many loose objects or packs; two looks into folders."""
    objects = common_dir / "objects"
    return (
        _count(objects / _SAMPLE) * 256 >= MANY_LOOSE_OBJECTS
        or _count(objects / "pack", ".pack") >= MANY_PACKS
    )


def _count(folder: Path, suffix: str = "") -> int:
    try:
        return sum(file.name.endswith(suffix) for file in folder.iterdir())
    except OSError:
        return 0


def keep_up(repo: Repository, tip: str | None) -> list[str]:
    """Folds objects and brings the commit graph to `tip`, where that is due; says what was done.

    One at a time: while another process is at it, nothing is done. Raises `OutsideFailure` where git fails.
    """
    if not repo.config_bool("gitmem.upkeep", True) or (repo.common_dir / "gc.pid").exists():
        return []
    lock = FileLock(repo.common_dir / "gitmem" / "upkeep.guard", timeout_seconds=0)
    done: list[str] = []
    with lock:
        if lock.acquired:
            if has_much_to_fold(repo.common_dir) and not _is_partial(repo):
                _fold(repo)
                done.append("folded loose objects and small packs")
            if tip is not None and not repo.is_shallow() and _is_graph_behind(repo, tip):
                _write_graph(repo, tip)
                done.append("brought the commit graph up to date")
    return done


def _fold(repo: Repository) -> None:
    """Geometric repacking takes every loose object, named or not, and costs what is new alone."""
    how = ["--geometric=2"] if git_version() >= (2, 32) else []
    _run(repo, ["repack", "-d", "-l", "-q", *how])


def _write_graph(repo: Repository, tip: str) -> None:
    arguments = ["commit-graph", "write", "--reachable", "--split"]
    if git_version() >= (2, 30):
        arguments += ["--changed-paths", f"--max-new-filters={_NEW_FILTERS}"]
    _run(repo, arguments)
    replace_regular(repo.common_dir / "gitmem" / _GRAPH_STAMP, tip.encode("ascii"))


def _is_graph_behind(repo: Repository, tip: str) -> bool:
    """Whether `MANY_COMMITS` came since the graph was written last."""
    try:
        last = (read_regular(repo.common_dir / "gitmem" / _GRAPH_STAMP) or b"").decode("ascii")
    except (OSError, UnicodeDecodeError):
        last = ""
    try:
        for number, commit in enumerate(repo.first_parents(tip), 1):
            if commit.id == last:
                return False
            if number >= MANY_COMMITS:
                return True
    except GitmemError:
        return False
    return False


def _is_partial(repo: Repository) -> bool:
    return repo.config("extensions.partialClone") is not None


def _run(repo: Repository, arguments: list[str]) -> None:
    run_git(arguments, cwd=repo.git_dir, timeout_seconds=_TIMEOUT_SECONDS, low_priority=True)


@cache
def git_version() -> tuple[int, int]:
    """The version of the installed git, its first two numbers."""
    text = run_git(["version"], cwd=Path.cwd()).decode("ascii", "replace")
    found = re.search(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
