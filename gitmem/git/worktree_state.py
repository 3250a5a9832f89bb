"""What differs between a worktree and its HEAD: a quick look by libgit2, and git's own answer.

libgit2 reads the same files in half the time, and starts no process. It is believed where it
finds nothing changed, and wherever it says the same as the last time that git was asked. It takes
three things otherwise than git: patterns that take a path out of an ignored folder again, config
in the file that GIT_CONFIG_GLOBAL names, and files that a sparse checkout left out and that are
there all the same. Where any of these is in use, only git is asked.
"""

from __future__ import annotations

import os
import stat as modes
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pygit2
from msgspec import Struct
from pygit2.enums import FileStatus

from gitmem.git.beneath import read_regular
from gitmem.git.environment import run_git
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository

_IGNORE_FILE = ".gitignore"
_ATTRIBUTES_FILE = ".gitattributes"
_STATUS = "status --porcelain=v1 -z --no-renames --untracked-files=all --ignore-submodules=all".split()
_COARSE_NS = 2_000_000_000
_FINE_NS = 100_000_000
Stat = tuple[int, int, int, int] | None


class WorktreeState(Struct, frozen=True):
    """The changed paths that are wanted, as libgit2 sees them, and all that git's verdict rests on.

    Two looks that give equal states saw the same worktree, if the first one was settled.
    """

    changed: tuple[tuple[str, int], ...]
    files: tuple[Stat, ...]
    settings: tuple[Stat, ...]
    looked_at_ns: int

    def is_same(self, other: WorktreeState) -> bool:
        """Whether both looks saw the same."""
        mine, theirs = (self.changed, self.files, self.settings), (other.changed, other.files, other.settings)
        return mine == theirs

    @property
    def is_settled(self) -> bool:
        """Whether the files changed so long before the look that a change after it shows in their times."""
        times = [moment for stat in self.files if stat is not None for moment in stat[2:]]
        fine = any(moment % 1_000_000_000 for moment in times)
        return max(times, default=0) < self.looked_at_ns - (_FINE_NS if fine else _COARSE_NS)


def look_quickly(repo: Repository, is_wanted: Callable[[str], bool]) -> WorktreeState | None:
    """What libgit2 sees changed in the worktree of `repo`; None where only git can be believed."""
    top = repo.worktree
    if top is None or os.environ.get("GIT_CONFIG_GLOBAL") or repo.is_sparse():
        return None
    began_ns = time.time_ns()
    try:
        statuses = repo.raw.status(untracked_files="all", ignored=True)
        ignore_files = _ignore_files(repo, statuses)
    except (*LIBGIT2_ERRORS, UnicodeError):
        return None
    if any(_takes_out_again(path) for path in ignore_files):
        return None
    changed = tuple(
        sorted(
            (path, int(flags))
            for path, flags in statuses.items()
            if not flags & FileStatus.IGNORED and is_wanted(path)
        )
    )
    settings = tuple(map(_stat, _settings_of(repo, top, [path for path, _ in changed]))) if changed else ()
    return WorktreeState(changed, tuple(_stat(top / path) for path, _ in changed), settings, began_ns)


def _settings_of(repo: Repository, top: Path, paths: Iterable[str]) -> list[Path]:
    """The files that say how git takes those at `paths`, with the attributes files on the way to them."""
    folders = {folder for path in paths for folder in (top / path).parents if folder.is_relative_to(top)}
    own = (repo.git_dir / "index", repo.common_dir / "config", repo.common_dir / "info" / "attributes")
    return [*own, *(folder / _ATTRIBUTES_FILE for folder in sorted(folders))]


def changed_by_git(repo: Repository) -> list[tuple[str, str]]:
    """Each path that git calls changed, with the two letters of its state. Raises `OutsideFailure`."""
    assert repo.worktree is not None
    output = run_git(_STATUS, cwd=repo.worktree, extra_env=repo.without_filters()).decode(
        "utf-8", "surrogateescape"
    )
    return [(entry[:2], entry[3:]) for entry in output.split("\0") if entry]


def _ignore_files(repo: Repository, statuses: Iterable[str]) -> list[Path]:
    """Every file whose patterns hold here."""
    assert repo.worktree is not None
    found = [repo.worktree / path for path in statuses if path.rpartition("/")[2] == _IGNORE_FILE]
    found += [repo.worktree / path for path in _tracked_ignore_files(repo)]
    found.append(repo.common_dir / "info" / "exclude")
    named = repo.config("core.excludesFile")
    if named:
        found.append(Path(os.path.normpath(repo.worktree / Path(named).expanduser())))
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
        found.append(Path(base) / "git" / "ignore")
    return found


def _tracked_ignore_files(repo: Repository) -> list[str]:
    try:
        data = read_regular(repo.git_dir / "index") or b""
    except OSError:
        return []
    # Version 4 leaves out what a path has in common with the one before it.
    if _IGNORE_FILE.encode() not in data and data[4:8] != b"\0\0\0\4":
        return []
    index = pygit2.Index(str(repo.git_dir / "index"))
    return [entry.path for entry in index if entry.path.rpartition("/")[2] == _IGNORE_FILE]


def _takes_out_again(ignore_file: Path) -> bool:
    """Whether a pattern in the file begins with an exclamation mark; it may in one that cannot be read."""
    try:
        if not modes.S_ISREG(ignore_file.stat().st_mode):
            return True
        return any(line.lstrip().startswith(b"!") for line in ignore_file.read_bytes().splitlines())
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True


def _stat(path: Path) -> Stat:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns
