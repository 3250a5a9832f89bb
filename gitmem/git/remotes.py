"""Talking to other repositories, by way of GitPython and the user's own git: clone, list, fetch, push.

The user's credential helpers, SSH and config are at work as for git itself, and so are the hooks. Nothing is
ever forced, and no error names a password.
"""

from __future__ import annotations

import contextlib
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, OutsideFailure
from gitmem.git.environment import clean_environment
from gitmem.git.refs import ref_name
from gitmem.git.repository import Repository
from gitmem.git.talk import parted, redacted, telling_line
from gitmem.platform import CAN_END_ON_TIME

_SCHEMES = frozenset({"https", "http", "ssh", "git", "file", "git+ssh", "ssh+git"})
_PROTOCOLS = "file:git:http:https:ssh"
_QUESTION_SECONDS = 120.0
_TRANSFER_SECONDS = 1800.0
_QUIET = ("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "color.ui=false")
"""Git starts no upkeep of its own behind a transfer: gitmem has its own."""
_AUTHENTICATION = re.compile(
    r"authentication failed|could not read (?:username|password)|permission denied|terminal prompts disabled"
    r"|access denied|host key verification failed|returned error: 40[13]",
    re.IGNORECASE,
)
OVERTAKEN = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to (?:update|lock)|incorrect old value"
    r"|already exists|reference .* is at",
    re.IGNORECASE,
)
"""What git says where somebody else moved a ref at the same time: the same again may well succeed."""
_environment_lock = threading.Lock()


class Rejection(Struct, frozen=True):
    """A branch that the remote did not take, and why: in git's words, and what the remote `said` itself."""

    branch: str
    reason: str
    said: str = ""


class _Ran(Struct, frozen=True):
    code: int
    output: str
    talk: str


def check_url(url: str) -> str:
    """`url`, if git can only take it for a place. Raises `BadInput` for options and remote helpers."""
    shown = parted(url).public
    if not url or url.startswith("-") or any(letter < " " for letter in url):
        raise BadInput(f"{shown!r} cannot be the address of a repository", field="url")
    if "::" in url.split("/")[0]:
        # `ext::` and other remote helpers run programs.
        raise BadInput(f"{shown!r} would make git run a helper program", field="url")
    scheme, separator, rest = url.partition("://")
    if separator and scheme.lower() not in _SCHEMES:
        raise BadInput(f"{scheme}:// is not a way to reach a repository", field="url")
    host = rest.partition("/")[0].rpartition("@")[2] if separator else url.partition(":")[0]
    if host.startswith("-"):
        raise BadInput(f"{shown!r} cannot be the address of a repository", field="url")
    return url


def check_remote(repo: Repository, remote: str) -> str:
    """`remote`, if the repository has one of this name. Raises `BadInput`."""
    if remote not in repo.raw.remotes.names():
        raise BadInput(
            f"{parted(remote).public!r} is no remote of this repository",
            field="remote",
            hint="'git remote -v' lists them",
        )
    return _check_name(remote, "remote")


def address_of(repo: Repository, remote: str) -> str | None:
    """Where the remote is, without secrets; None where git's config does not say."""
    url = repo.config(f"remote.{remote}.url")
    return parted(url).public if url else None


def add_remote(repo: Repository, name: str, url: str) -> None:
    """Makes the repository at `url` a remote, if it answers. Raises `OutsideFailure`."""
    ran = _run(
        _standing(repo), ["ls-remote", "--heads", "--", check_url(url)], timeout_seconds=_QUESTION_SECONDS
    )
    _refuse_failure(ran, parted(url).public)
    repo.set_config(f"remote.{name}.url", url)
    repo.set_config(f"remote.{name}.fetch", f"+refs/heads/*:refs/remotes/{name}/*")


def _check_name(name: str, field: str) -> str:
    if not name or name.startswith("-") or "::" in name or any(letter <= " " for letter in name):
        raise BadInput(f"{name!r} cannot be used here", field=field)
    return name


def clone(url: str, path: Path, *, is_single_branch: bool = False) -> Repository:
    """A clone of `url` in the new folder `path`; with `is_single_branch` of the branch it calls its own.

    What is secret in `url` is used this once and written nowhere. Raises `OutsideFailure`.
    """
    address = parted(check_url(url))
    extra = {}
    if address.secret is not None:
        extra = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"url.{address.secret}.insteadOf",
            "GIT_CONFIG_VALUE_0": address.public,
        }
    options = ["--quiet", "--origin", "origin", *(["--single-branch"] if is_single_branch else [])]
    ran = _run(Path(), ["clone", *options, "--", address.public, str(path)], extra=extra)
    _refuse_failure(ran, address.public)
    return Repository.discover(path)


def check_out(repo: Repository, branch: str) -> None:
    """Checks out a branch of the remote in a clone whose HEAD led nowhere there. Raises `OutsideFailure`."""
    ran = _run(_standing(repo), ["checkout", "--quiet", _check_name(branch, "branch")])
    _refuse_failure(ran, f"git checkout {branch}")


def remote_branches(repo: Repository, remote: str) -> dict[str, str]:
    """The branches that the remote has now, with their commits; empty where it has none yet.

    Raises `OutsideFailure` where it cannot be asked.
    """
    arguments = ["ls-remote", "--heads", "--", _check_name(remote, "remote")]
    ran = _run(_standing(repo), arguments, timeout_seconds=_QUESTION_SECONDS)
    _refuse_failure(ran, remote)
    found = {}
    for line in ran.output.splitlines():
        commit, _, name = line.partition("\t")
        if name.startswith("refs/heads/"):
            found[name.removeprefix("refs/heads/")] = commit
    return found


def fetch_branches(repo: Repository, remote: str, branches: Sequence[str]) -> None:
    """Brings branches of the remote to where git's own fetch has them: `refs/remotes/REMOTE/BRANCH`.

    No branch and no tag here moves, and `FETCH_HEAD` stays. Raises `OutsideFailure`.
    """
    specs = [f"+{ref_name(branch)}:refs/remotes/{remote}/{branch}" for branch in branches]
    options = ["--quiet", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-write-fetch-head", "--"]
    ran = _run(_standing(repo), [*_by_name("fetch", remote), *options, _check_name(remote, "remote"), *specs])
    _refuse_failure(ran, remote)


def push_branches(repo: Repository, remote: str, commits: Mapping[str, str]) -> list[Rejection]:
    """Brings the commits to the branches of the remote, all or none where it can do that; never by force.

    The branches that it did not take are returned. Raises `OutsideFailure` where it cannot be reached.
    """
    specs = [f"{commit}:{ref_name(branch)}" for branch, commit in commits.items()]
    options = ["--porcelain", "--no-follow-tags", "--no-recurse-submodules"]
    return _pushed(repo, remote, [*options, "--", _check_name(remote, "remote"), *specs])


def remote_refs(repo: Repository, remote: str) -> dict[str, str]:
    """All refs that the remote shows, with what they name. Raises `OutsideFailure`."""
    arguments = ["ls-remote", "--refs", "--", _check_name(remote, "remote")]
    ran = _run(_standing(repo), arguments, timeout_seconds=_QUESTION_SECONDS)
    _refuse_failure(ran, remote)
    lines = (line.partition("\t") for line in ran.output.splitlines())
    return {name: oid for oid, _, name in lines if name.startswith("refs/")}


def replace_refs(repo: Repository, remote: str, moves: Mapping[str, tuple[str, str]]) -> list[Rejection]:
    """Lets refs of the remote name something else, each only if it still is what it was: (was, new).

    This is the one push that may take something away there: only a person starts it. The refs that the remote
    did not let go are returned. Raises `OutsideFailure` where it cannot be reached.
    """
    leases = [f"--force-with-lease={name}:{was}" for name, (was, _) in moves.items()]
    specs = [f"{new}:{name}" for name, (_, new) in moves.items()]
    options = ["--porcelain", "--no-follow-tags", "--no-recurse-submodules", *leases]
    return _pushed(repo, remote, [*options, "--", _check_name(remote, "remote"), *specs])


def _by_name(verb: str, remote: str) -> list[str]:
    """Fetch or push of named refs alone: a mirror's config maps branches to branches, and forces all."""
    return ["-c", f"remote.{remote}.mirror=false", verb, *(["--refmap="] if verb == "fetch" else [])]


def _pushed(repo: Repository, remote: str, arguments: Sequence[str]) -> list[Rejection]:
    """What the remote did not take of a push of named refs, all or none where it can do that."""
    push, standing = _by_name("push", remote), _standing(repo)
    ran = _run(standing, [*push, "--atomic", *arguments])
    if ran.code and "does not support --atomic" in ran.talk:
        ran = _run(standing, [*push, *arguments])
    rejections = _rejections(ran)
    if not rejections:
        _refuse_failure(ran, remote)
    return rejections


def _rejections(ran: _Ran) -> list[Rejection]:
    """What `push --porcelain` says of the branches that did not move."""
    lines = [line.removeprefix("remote:").strip() for line in ran.talk.splitlines() if line[:7] == "remote:"]
    said = redacted(next((line for line in lines if line), ""))
    found = []
    for line in ran.output.splitlines():
        flag, _, rest = line.partition("\t")
        if flag != "!":
            continue
        names, _, reason = rest.partition("\t")
        branch = names.rpartition(":")[2].removeprefix("refs/heads/")
        found.append(Rejection(branch, telling_line(reason), said))
    return found


def run(repo: Repository, verb: str, remote: str, refspec: str) -> None:
    """Fetch or push one refspec. Raises `OutsideFailure`."""
    named = ["--quiet", "--", _check_name(remote, "remote"), refspec]
    _refuse_failure(_run(_standing(repo), [*_by_name(verb, remote), *named]), remote)


def _standing(repo: Repository) -> Path:
    """Where git would stand for a person: the address of a remote may be a path from there."""
    return repo.worktree or repo.git_dir


def _refuse_failure(ran: _Ran, remote: str) -> None:
    if ran.code == 0:
        return
    line = telling_line(ran.talk) or f"git ended with {ran.code}"
    if _AUTHENTICATION.search(ran.talk):
        raise OutsideFailure(
            f"{remote} does not know who you are, or does not let you: {line}",
            hint="git's credential helper or SSH key decides; 'git ls-remote' tells whether git gets in",
        )
    raise OutsideFailure(f"{remote}: {line}")


def _run(
    cwd: Path,
    arguments: Sequence[str],
    *,
    extra: Mapping[str, str] | None = None,
    timeout_seconds: float = _TRANSFER_SECONDS,
) -> _Ran:
    # Imported here: it costs a tenth of a second, and no read or write needs it.
    try:
        from git.cmd import Git
        from git.exc import GitCommandNotFound
    except ImportError as error:
        # GitPython looks for git as soon as it is loaded.
        raise OutsideFailure("git is not installed", hint="install git and try again") from error
    environment = clean_environment() | {"GIT_ALLOW_PROTOCOL": _PROTOCOLS} | dict(extra or {})
    # A fetch from a partial clone may load what it lacks.
    environment.pop("GIT_NO_LAZY_FETCH", None)
    try:
        with _without_misleading_variables(environment):
            code, output, talk = Git(str(cwd)).execute(
                ["git", *_QUIET, *arguments],
                env=environment,
                with_extended_output=True,
                with_exceptions=False,
                kill_after_timeout=timeout_seconds if CAN_END_ON_TIME else None,
            )
    except GitCommandNotFound as error:
        raise OutsideFailure("git is not installed", hint="install git and try again") from error
    return _Ran(code, _text(output), _text(talk))


def _text(said: object) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)


@contextlib.contextmanager
def _without_misleading_variables(environment: Mapping[str, str]) -> Iterator[None]:
    """Keeps from git what `environment` left out: GitPython hands on all that this process has.

    Only a git hook has such variables, as a rule, so that hardly ever anything is taken out here.
    """
    with _environment_lock:
        taken = {
            name: value
            for name, value in os.environ.items()
            if name.startswith("GIT_") and name not in environment
        }
        for name in taken:
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(taken)
