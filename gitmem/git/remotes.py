"""Talking to other repositories, by way of GitPython and the user's own git: clone, fetch, push."""

from __future__ import annotations

import re
from pathlib import Path

from gitmem.errors import BadInput, OutsideFailure
from gitmem.git.environment import clean_environment
from gitmem.git.repository import Repository

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)::?")
_SCHEMES = frozenset({"https", "http", "ssh", "git", "file", "git+ssh", "ssh+git"})


def check_url(url: str) -> str:
    """`url`, if git can only take it for a place. Raises `BadInput` for options and remote helpers."""
    if not url or url.startswith("-") or any(letter < " " for letter in url):
        raise BadInput(f"{url!r} cannot be the address of a repository", field="url")
    if "::" in url.split("/")[0]:
        # `ext::` and other remote helpers run programs.
        raise BadInput(f"{url!r} would make git run a helper program", field="url")
    scheme, separator, rest = url.partition("://")
    if separator and scheme.lower() not in _SCHEMES:
        raise BadInput(f"{scheme}:// is not a way to reach a repository", field="url")
    host = rest.partition("/")[0].rpartition("@")[2] if separator else url.partition(":")[0]
    if host.startswith("-"):
        raise BadInput(f"{url!r} cannot be the address of a repository", field="url")
    return url


def _check_name(name: str, field: str) -> str:
    if not name or name.startswith("-") or "::" in name or any(letter <= " " for letter in name):
        raise BadInput(f"{name!r} cannot be used here", field=field)
    return name


def clone(url: str, path: Path, *, branch: str | None = None) -> Repository:
    """A clone of `url` in the new folder `path`. Raises `OutsideFailure` with git's last line."""
    check_url(url)
    arguments = ["--quiet", *(["--branch", _check_name(branch, "branch")] if branch else [])]
    _call(Path.cwd(), "clone", *arguments, "--", url, str(path))
    return Repository.discover(path)


def fetch(repo: Repository, remote: str = "origin") -> None:
    """Bring the remote's branches up to date here."""
    _call(repo.git_dir, "fetch", "--quiet", "--", _check_name(remote, "remote"))


def push(repo: Repository, branch: str, *, remote: str = "origin") -> None:
    """Bring `branch` to the remote, never by force. Raises `OutsideFailure` where it moved there."""
    name = _check_name(branch, "branch")
    target = f"refs/heads/{name}:refs/heads/{name}"
    _call(repo.git_dir, "push", "--quiet", "--", _check_name(remote, "remote"), target)


def run(repo: Repository, verb: str, remote: str, refspec: str) -> None:
    """Fetch or push one refspec. Raises `OutsideFailure` with git's last line.

    Git stands where it would for a person: the address of a remote may be a path from there.
    """
    _call(repo.worktree or repo.git_dir, verb, "--quiet", "--", _check_name(remote, "remote"), refspec)


def _call(cwd: Path, verb: str, *arguments: str) -> None:
    # Imported here: it costs a tenth of a second, and no read or write needs it.
    from git.cmd import Git
    from git.exc import GitCommandError, GitCommandNotFound

    environment = clean_environment() | {"GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh"}
    # A fetch from a partial clone may load what it lacks.
    environment.pop("GIT_NO_LAZY_FETCH", None)
    runner = Git(str(cwd))
    try:
        runner.execute(["git", verb, *arguments], env=environment, with_extended_output=True)
    except GitCommandNotFound as error:
        raise OutsideFailure("git is not installed", hint="install git and try again") from error
    except GitCommandError as error:
        lines = str(error.stderr).strip().strip("'").strip().splitlines()
        raise OutsideFailure(f"git {verb}: {lines[-1].strip() if lines else error.status}") from error
