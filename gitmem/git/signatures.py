"""Which commits are signed by a key that git can verify here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from gitmem.errors import OutsideFailure
from gitmem.git.environment import run_git
from gitmem.git.repository import Repository

BATCH = 200
SECONDS_FOR_EACH = 2.0
_PROGRAMS = {
    "gpg.program": "gpg",
    "gpg.openpgp.program": "gpg",
    "gpg.ssh.program": "ssh-keygen",
    "gpg.x509.program": "gpgsm",
}
_FILES = ("gpg.ssh.allowedSignersFile", "gpg.ssh.revocationFile")
_GPG_FILES = ("pubring.kbx", "pubring.gpg", "trustdb.gpg")


def verified(
    repo: Repository, commits: Sequence[str], progress: Callable[[int, int], None]
) -> dict[str, bool]:
    """Whether `git verify-commit` accepts each of the commits. Raises `OutsideFailure`.

    The programs are the person's own: those that the config of the repository names do not run.
    """
    found: dict[str, bool] = {}
    programs = _own_programs(repo)
    cwd = repo.worktree or repo.git_dir
    for start in range(0, len(commits), BATCH):
        part = commits[start : start + BATCH]
        output = run_git(
            [*programs, "log", "--no-walk=unsorted", "--stdin", "--format=%H %G?"],
            cwd=cwd,
            input="".join(f"{commit}\n" for commit in part).encode("ascii"),
            timeout_seconds=60 + SECONDS_FOR_EACH * len(part),
        )
        letters = dict(line.split(" ", 1) for line in output.decode("ascii").splitlines())
        for commit in part:
            letter = letters.get(commit, "N")
            # "U" is good for git with OpenPGP, and a key that nobody allowed with SSH.
            found[commit] = letter == "G" or (letter == "U" and _is_accepted(programs, commit, cwd))
        progress(min(start + BATCH, len(commits)), len(commits))
    return found


def _is_accepted(programs: Sequence[str], commit: str, cwd: Path) -> bool:
    try:
        run_git([*programs, "verify-commit", commit], cwd=cwd)
    except OutsideFailure:
        return False
    return True


def keyring_of(repo: Repository) -> str:
    """A name for the keys that git verifies with here, another one as soon as they change."""
    facts: list[str] = [repo.config(name) or "" for name in ("gpg.format", "gpg.minTrustLevel")]
    for name in _FILES:
        value = repo.config(name)
        facts.append(value or "")
        if value:
            top = repo.worktree or repo.git_dir
            file = top / Path(value).expanduser()
            facts.append(hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "")
    home = Path(os.environ.get("GNUPGHOME") or Path("~/.gnupg").expanduser())
    for each in _GPG_FILES:
        try:
            stat = (home / each).stat()
        except OSError:
            continue
        facts.append(f"{each} {stat.st_mtime_ns} {stat.st_size}")
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _own_programs(repo: Repository) -> list[str]:
    """Options that let git verify with the programs of the person's own config, else with the usual ones."""
    options = []
    for name, usual in _PROGRAMS.items():
        own = _outside_of_repository(repo, name) or usual
        options += ["-c", f"{name}={own}"]
    return options


def _outside_of_repository(repo: Repository, name: str) -> str | None:
    for scope in ("--global", "--system"):
        try:
            found = run_git(["config", scope, "--get", name], cwd=repo.git_dir)
        except OutsideFailure:
            continue
        return found.decode("utf-8", "surrogateescape").rstrip("\n")
    return None
