"""Running git itself, with plumbing commands only and in an environment that cannot mislead it."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from gitmem.errors import OutsideFailure
from gitmem.platform import at_low_priority, end_group
from gitmem.surroundings import environ

# `git rev-parse --local-env-vars`: git sets these for its hooks, and a hook may call us.
_LOCAL_VARIABLES = frozenset(
    {
        "GIT_DIR",  # would send every command to the repository of the hook
        "GIT_WORK_TREE",  # the same for its files
        "GIT_IMPLICIT_WORK_TREE",  # decides whether a missing GIT_WORK_TREE means "here"
        "GIT_COMMON_DIR",  # would mix refs of one repository with the index of another
        "GIT_INDEX_FILE",  # set during `git commit -a` and partial commits: a temporary index
        "GIT_PREFIX",  # shifts relative paths
        "GIT_INTERNAL_SUPER_PREFIX",  # the same for submodules
        "GIT_OBJECT_DIRECTORY",  # during `receive-pack`: a quarantine that may be thrown away
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",  # belongs to that quarantine
        "GIT_QUARANTINE_PATH",  # forbids every ref update
        "GIT_CONFIG",  # one file instead of the config
        "GIT_CONFIG_PARAMETERS",  # `git -c` of the outer command, meant for that command alone
        "GIT_CONFIG_COUNT",  # the same, by number; without the count the numbered ones mean nothing
        "GIT_GRAFT_FILE",  # false parents
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",  # another border of history
    }
)
# Not local, but they change what a plumbing command prints, asks or does.
_DISTURBING_VARIABLES = frozenset(
    {
        "GIT_NAMESPACE",  # other refs under the same names
        "GIT_LITERAL_PATHSPECS",
        "GIT_GLOB_PATHSPECS",
        "GIT_NOGLOB_PATHSPECS",
        "GIT_ICASE_PATHSPECS",
        "GIT_CEILING_DIRECTORIES",  # the place is known already; looking for it again must not fail
        "GIT_EXTERNAL_DIFF",
        "GIT_DIFF_OPTS",
        "GIT_PAGER",
        "GIT_FLUSH",
        "GIT_REFLOG_ACTION",
        "GIT_AUTHOR_DATE",  # a time is always handed in
        "GIT_COMMITTER_DATE",
        "GIT_DEFAULT_HASH",
        "GIT_REDIRECT_STDIN",
        "GIT_REDIRECT_STDOUT",
        "GIT_REDIRECT_STDERR",
    }
)
_FIXED = {
    "LC_ALL": "C",  # messages are read by this program
    "GIT_OPTIONAL_LOCKS": "0",  # a question must not take index.lock from under a person
    "GIT_TERMINAL_PROMPT": "0",  # nobody is there to answer
    "GIT_NO_LAZY_FETCH": "1",  # a missing object must not open the network
    "GIT_ALLOW_PROTOCOL": "",  # the same for a git that does not know the line above; some run programs
    "GIT_NO_REPLACE_OBJECTS": "1",  # libgit2 knows no replacement refs, and both must see the same commits
}
_READ_BYTES = 2**20
"""So much of what git prints is taken at once where it is read as it comes."""
_GRACE_SECONDS = 2.0
"""What git gets to take its locks away, when it is ended."""
# Where the person's own hooks run, they may fetch, push and look for themselves.
_NOT_FOR_HOOKS = ("GIT_OPTIONAL_LOCKS", "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL", "GIT_NO_REPLACE_OBJECTS")
# A config may come with the folder, as in an unpacked archive, and these settings name programs.
_WITHOUT_PROGRAMS = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
# The repository was looked for, and judged, before: git stands in its folder because it was sent there.
_AS_SENT = ("-c", "safe.bareRepository=all")


def clean_environment() -> dict[str, str]:
    """The environment for git: without what points it at another repository, identity and keys kept."""
    kept = {
        name: value
        for name, value in environ().items()
        if name not in _LOCAL_VARIABLES
        and name not in _DISTURBING_VARIABLES
        and not name.startswith(("GIT_TRACE", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"))
    }
    return kept | _FIXED


def run_git(
    arguments: Sequence[str],
    *,
    cwd: Path,
    input: bytes | None = None,
    timeout_seconds: float = 60,
    extra_env: Mapping[str, str] | None = None,
    runs_hooks: bool = False,
    low_priority: bool = False,
) -> bytes:
    """What a git plumbing command printed. Raises `OutsideFailure` with git's last line where it failed.

    Standard input is empty unless `input` is given. On a time-out git is killed with all it started. No hook
    and no file system monitor runs, unless `runs_hooks` says that the person's own are meant to.
    """
    verb = next((word for word in arguments if not word.startswith("-") and "=" not in word), "git")
    how = at_low_priority if low_priority else list
    process = _start(
        arguments, verb, cwd, is_fed=input is not None, extra=extra_env, runs_hooks=runs_hooks, how=how
    )
    try:
        output, talk = process.communicate(input, timeout=timeout_seconds)
    except subprocess.TimeoutExpired as error:
        raise OutsideFailure(f"git {verb} took more than {timeout_seconds:g} seconds") from error
    finally:
        _end(process)
    if process.returncode != 0:
        lines = talk.decode("utf-8", "replace").strip().splitlines()
        raise OutsideFailure(f"git {verb}: {lines[-1] if lines else f'exit {process.returncode}'}")
    return output


def start_of_output(arguments: Sequence[str], *, cwd: Path, size_bytes: int) -> bytes:
    """The first bytes that a git plumbing command prints; the rest is not waited for, a failure not told."""
    process = _start(arguments, arguments[0], cwd, is_fed=False, extra=None, runs_hooks=False)
    try:
        assert process.stdout is not None, "it was asked for"
        return process.stdout.read(size_bytes)
    finally:
        _end(process)


@contextlib.contextmanager
def reading_git(arguments: Sequence[str], *, cwd: Path) -> Iterator[BinaryIO]:
    """What a git plumbing command prints, to be read as it comes; git ends with the block.

    A failure is not told: whoever reads has to know what should have come.
    """
    process = _start(arguments, arguments[0], cwd, is_fed=False, extra=None, runs_hooks=False, is_read=True)
    try:
        assert process.stdout is not None, "it was asked for"
        yield cast("BinaryIO", process.stdout)
    finally:
        _end(process)


def _start(
    arguments: Sequence[str],
    verb: str,
    cwd: Path,
    *,
    is_fed: bool,
    extra: Mapping[str, str] | None,
    runs_hooks: bool,
    how: Callable[[list[str]], list[str]] = list,
    is_read: bool = False,
) -> subprocess.Popen[bytes]:
    settings = () if runs_hooks else (*_WITHOUT_PROGRAMS, *_AS_SENT)
    argv = how(["git", "-c", "color.ui=false", "-c", "core.quotePath=false", *settings, *arguments])
    environment = clean_environment() | dict(extra or {})
    for name in _NOT_FOR_HOOKS if runs_hooks else ():
        environment.pop(name, None)
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE if is_fed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            # Nobody takes its complaints while its output is read: many would let it wait for ever.
            stderr=subprocess.DEVNULL if is_read else subprocess.PIPE,
            bufsize=_READ_BYTES if is_read else -1,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        if not cwd.is_dir():
            raise OutsideFailure(f"git {verb}: the folder {cwd} is gone") from error
        raise OutsideFailure("git is not installed", hint="install git and try again") from error
    except OSError as error:
        raise OutsideFailure(f"git {verb}: {error.strerror or error}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        end_group(process, grace_seconds=_GRACE_SECONDS)
        # Something that left the group may hold the pipes open for ever: do not wait for it.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=1)
