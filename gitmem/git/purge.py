"""Objects that nothing names any more are taken off the disk, and whatever was derived from them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from gitmem.git.environment import run_git
from gitmem.git.repository import Repository

_TIMEOUT_SECONDS = 3600.0
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


def purge(repo: Repository) -> None:
    """Packs what is named, and removes all other objects now. Raises `OutsideFailure` where git fails.

    What commits, trees and bitmaps were summed up in is removed too; git and the upkeep make it again.
    """
    objects = repo.common_dir / "objects"
    for keep in [*(objects / "pack").glob("*.keep")]:
        # A kept pack would stay with all that is in it.
        keep.unlink(missing_ok=True)
    for name in _DERIVED:
        _remove(objects / name)
    before = set(_packs(objects))
    _run(repo, ["repack", "-a", "-d", "-l", "-q"])
    named = set(_packs(objects))
    _run(repo, ["prune", "--expire=now"])
    for pack in before & named:
        _remove_cruft(pack)
    for left in [*objects.glob("**/tmp_*"), *objects.glob("incoming-*")]:
        _remove(left)
    if (repo.common_dir / "info" / "refs").exists():
        _run(repo, ["update-server-info"])
    _remove(repo.common_dir / "gitmem" / "commit-graph-at")


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
