"""Refs beside the branches: read, moved by compare-and-set, fetched and pushed by their full names."""

from __future__ import annotations

from gitmem.errors import OutsideFailure
from gitmem.git import remotes
from gitmem.git.environment import run_git
from gitmem.git.refs import target_of
from gitmem.git.repository import Repository

_NOTHING = "0" * 40


def read_side_ref(repo: Repository, name: str) -> str | None:
    """The commit of the ref `name`, or None. Raises `Damaged`."""
    return target_of(repo.raw, name)


def side_refs_below(repo: Repository, prefix: str) -> dict[str, str]:
    """The refs whose names begin with `prefix`, with what they name."""
    output = run_git(["for-each-ref", "--format=%(objectname) %(refname)", prefix], cwd=repo.git_dir)
    lines = output.decode("utf-8", "surrogateescape").splitlines()
    return {name: commit for commit, _, name in (line.partition(" ") for line in lines)}


def move_side_ref(repo: Repository, name: str, commit: str, *, expected: str | None) -> bool:
    """Moves the ref from `expected` (None: it must not exist) to `commit`; False where it is elsewhere.

    Raises `OutsideFailure` where it cannot be written.
    """
    try:
        run_git(["update-ref", name, commit, expected or _NOTHING], cwd=repo.git_dir)
    except OutsideFailure:
        if read_side_ref(repo, name) == expected:
            raise
        return False
    return True


def remove_side_ref(repo: Repository, name: str, *, expected: str) -> None:
    """Removes the ref, which stands at `expected`. Raises `OutsideFailure` where it cannot be removed."""
    run_git(["update-ref", "-d", name, expected], cwd=repo.git_dir)


def fetch_side_refs(repo: Repository, remote: str, source: str, target: str) -> None:
    """Brings the remote's refs that begin with `source` here, below `target`; it may have none."""
    remotes.run(repo, "fetch", remote, f"+{source}*:{target}*")


def push_side_ref(repo: Repository, remote: str, name: str) -> None:
    """Brings the ref to the remote, never by force. Raises `OutsideFailure`, also where it moved there."""
    remotes.run(repo, "push", remote, f"{name}:{name}")
