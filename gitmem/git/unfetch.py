"""Taking back what a fetch brought: the refs of the remote, and objects that nothing else needs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from gitmem.errors import OutsideFailure
from gitmem.git.environment import run_git
from gitmem.git.repository import Repository

PRUNE_SECONDS = 300.0


class TakenBack(Struct, frozen=True):
    """How many objects were removed, and how many stay in a pack with others until git prunes them."""

    removed: int
    left: int


def take_back(repo: Repository, remote: str, moved: Mapping[str, tuple[str | None, str]]) -> TakenBack:
    """Sets each branch of `remote` from its new commit back to its old one, and removes what came with it.

    `moved` has old and new commit by branch; None where the branch was not there. Removed are the objects
    that no ref, no log of a ref and no index reaches. Raises `OutsideFailure`.
    """
    for branch, (old, new) in moved.items():
        name = f"refs/remotes/{remote}/{branch}"
        if old is None:
            run_git(["update-ref", "-d", name, new], cwd=repo.git_dir)
            continue
        run_git(["update-ref", name, old, new], cwd=repo.git_dir)
        # The log of the ref names the commit as where it came from, and as where it went.
        for _ in range(2):
            with contextlib.suppress(OutsideFailure):
                run_git(["reflog", "delete", "--rewrite", f"{name}@{{0}}"], cwd=repo.git_dir)
    gone = _unreached(repo, [new for _, new in moved.values()])
    removed = sum(_removed_loose(repo.common_dir / "objects", oid) for oid in gone)
    removed += sum(_removed_packs(repo, gone))
    left = _still_there(repo, gone)
    return TakenBack(removed, left)


def _unreached(repo: Repository, tips: list[str]) -> set[str]:
    """The objects of these commits that nothing else reaches."""
    known = ["--not", "--all", "--reflog", "--indexed-objects"]
    listed = run_git(
        ["rev-list", "--objects", *tips, *known], cwd=repo.git_dir, timeout_seconds=PRUNE_SECONDS
    )
    return {line.split(b" ", 1)[0].decode("ascii") for line in listed.splitlines()}


def _removed_loose(objects: Path, oid: str) -> bool:
    try:
        (objects / oid[:2] / oid[2:]).unlink()
    except OSError:
        return False
    return True


def _removed_packs(repo: Repository, gone: set[str]) -> Iterator[int]:
    """Removes the packs that hold nothing else; how many objects each had."""
    for index in (repo.common_dir / "objects" / "pack").glob("pack-*.idx"):
        listed = run_git(["show-index"], cwd=repo.git_dir, input=index.read_bytes())
        held = {line.split()[1].decode("ascii") for line in listed.splitlines()}
        if held <= gone and not index.with_suffix(".keep").exists():
            for ending in (".idx", ".rev", ".bitmap", ".mtimes", ".pack"):
                with contextlib.suppress(OSError):
                    index.with_suffix(ending).unlink()
            yield len(held)


def _still_there(repo: Repository, gone: set[str]) -> int:
    asked = "\n".join(sorted(gone)).encode() + b"\n"
    answer = run_git(["cat-file", "--batch-check"], cwd=repo.git_dir, input=asked) if gone else b""
    return sum(not line.endswith(b" missing") for line in answer.splitlines())
