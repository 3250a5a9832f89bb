"""Objects that nothing names any more are taken off the disk, and whatever was derived from them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from gitmem.git.environment import run_git
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository

_TIMEOUT_SECONDS = 3600.0
_MOST_YOUNG = 1_000
_DERIVED = ("info/commit-graph", "info/commit-graphs", "pack/multi-pack-index", "pack/multi-pack-index.d")


def lenders(repo: Repository) -> list[Path]:
    """The object folders of other repositories from which this one borrows."""
    file = repo.common_dir / "objects" / "info" / "alternates"
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    return [repo.common_dir / "objects" / line for line in lines if line and not line.startswith("#")]


def borrows_from(objects: Path, repo: Repository) -> bool:
    """Whether the repository whose object folder is `objects` borrows from `repo`."""
    try:
        lines = (objects / "info" / "alternates").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    ours = repo.common_dir / "objects"
    return any(line and (objects / line).resolve() == ours.resolve() for line in lines)


Keep = Callable[[str, bytes], bool]
"""Whether an object, given its id and bytes, may belong to somebody who is just writing."""


def purge(repo: Repository, *, since: float | None = None, keep: Keep = lambda _oid, _data: False) -> None:
    """Packs what is named, and removes all other objects now. Raises `OutsideFailure` where git fails.

    An object that nothing names and that came after `since` stays where `keep` says so: another git may be
    about to name it. What commits, trees and bitmaps were summed up in is removed too, and made again.
    """
    objects = repo.common_dir / "objects"
    for mark in [*(objects / "pack").glob("*.keep")]:
        # A kept pack would stay with all that is in it.
        mark.unlink(missing_ok=True)
    for name in _DERIVED:
        _remove(objects / name)
    before = set(_packs(objects))
    _run(repo, ["repack", "-a", "-d", "-l", "-q"])
    named = set(_packs(objects))
    young = [] if since is None else _young(repo, since, keep)
    _run(repo, ["prune", "--expire=now", "--", *young])
    for pack in before & named:
        _remove_cruft(pack)
    for left in [*objects.glob("**/tmp_*"), *objects.glob("incoming-*")]:
        _remove(left)
    if (repo.common_dir / "info" / "refs").exists():
        _run(repo, ["update-server-info"])
    _remove(repo.common_dir / "gitmem" / "commit-graph-at")


def _young(repo: Repository, since: float, keep: Keep) -> list[str]:
    """The loose objects that nothing names and that came after `since`, as far as they are to stay."""
    lines = run_git(["prune", "-n", "--expire=now"], cwd=repo.common_dir, timeout_seconds=_TIMEOUT_SECONDS)
    found = []
    for oid in (line.split(" ")[0] for line in lines.decode("ascii", "replace").splitlines() if line):
        file = repo.common_dir / "objects" / oid[:2] / oid[2:]
        try:
            if file.stat().st_mtime >= since and keep(oid, bytes(repo.raw.read(oid)[1])):
                found.append(oid)
        except LIBGIT2_ERRORS:
            continue
    return found[:_MOST_YOUNG]


def _packs(objects: Path) -> Iterator[Path]:
    yield from (objects / "pack").glob("*.pack")


def _remove_cruft(pack: Path) -> None:
    """A pack of what nothing names, which newer versions of git keep for a while."""
    if pack.with_suffix(".mtimes").exists():
        for suffix in (".idx", ".rev", ".mtimes", ".pack"):
            pack.with_suffix(suffix).unlink(missing_ok=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _run(repo: Repository, arguments: list[str]) -> None:
    run_git(arguments, cwd=repo.common_dir, timeout_seconds=_TIMEOUT_SECONDS)
